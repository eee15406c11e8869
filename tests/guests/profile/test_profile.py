"""Profiles: how times are summed up, and stacks of functions from what profilers write."""

from __future__ import annotations

import msgspec
import pytest

from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.guests.profile import profilers, stacks
from dohyo.guests.profile.measure import Profile, TurnTime, _summed_up, spread
from dohyo.guests.profile.page import flame_graph
from dohyo.guests.profile.profilers import Found
from dohyo.guests.profile.stacks import Call, Calls


def test_how_times_are_summed_up() -> None:
    """A percentile is a time that was measured; the share is the worst of all turns, by each one's own limit."""
    found = spread([(number / 1000, 0.2) for number in range(1, 101)] + [(0.15, 1.0)])
    assert found is not None
    assert (found.turns, found.median, found.p90, found.p99, found.longest) == (101, 0.051, 0.091, 0.1, 0.15)
    assert (found.limit, found.share) == (0.2, 0.5)
    assert spread([]) is None


def test_what_a_machine_makes_a_bot_wait_is_not_near_its_limit() -> None:
    """By a fair clock, a turn that took most of its limit and hardly ran counts with what it ran: it is not close."""
    for mode, close, longest in (("fair", 0, 0.03), ("wall", 1, 0.071)):
        clock = Clock(0.1, mode=mode)  # type: ignore[arg-type]
        found = Profile("g", "b", "", "", 1, "", None, clock, [], [])
        times = [(0.03, 0.03), (0.001, 0.0009), (0.071, 0.0002), (0.001, 0.0009), (0.002, 0.0009)]
        found.turns = [TurnTime(1, at, took, 0.1, 10, took, ran) for at, (took, ran) in enumerate(times)]
        _summed_up(found)
        assert found.usual is not None
        assert (found.close, found.usual.longest) == (close, pytest.approx(longest))
    assert found.slowest(1)[0].seconds == 0.071


def test_stacks_of_calls() -> None:
    """What a function takes is shared among its callers as it was measured, and nothing is counted twice."""
    calls = [
        Call("main", 1.0, 10.0, [(4, 10.0)]),
        Call("think", 2.0, 6.0, [(0, 6.0)]),
        Call("read", 1.0, 3.0, [(0, 3.0)]),
        Call("parse", 6.0, 6.0, [(1, 4.0), (2, 2.0)]),
        Call("exec", 0.0, 10.0, [(2, 0.0)]),  # our own, which a function has called, too
    ]
    found = stacks.stacks_of(Calls(calls, root=0))
    assert found == {
        ("main",): 1.0,
        ("main", "think"): 2.0,
        ("main", "think", "parse"): 4.0,
        ("main", "read"): 1.0,
        ("main", "read", "parse"): 2.0,
    }
    assert Found("cprofile", found).functions(2) == [("parse", 0.6, 0.6), ("think", 0.2, 0.6)]


def test_calls_that_a_bot_made_up() -> None:
    """Callers that do not exist, circles and times that cannot be do no harm."""
    made_up = [
        Call("a", 1.0, 5.0, []),
        Call("b", -1.0, 4.0, [(0, 99.0), (1, 3.0), (2, 4.0), (77, 1.0), (-1, 1.0)]),
        Call("c", 0.0, 0.0, [(1, 5.0)]),
    ]
    found = stacks.stacks_of(Calls(made_up))
    assert sum(found.values()) == pytest.approx(5.0)
    assert all(weight >= 0 for weight in found.values())
    assert stacks.stacks_of(Calls([])) == {}


def test_calls_that_go_round() -> None:
    """Sixty functions that all call each other have more paths than can be followed: it ends, and no time is lost."""
    everybody = range(60)
    for seconds in (0.0, 1.0, 1e-9):
        calls = [Call(str(at), 0.0, seconds, [(who, seconds) for who in everybody]) for at in everybody]
        found = stacks.stacks_of(Calls(calls))
        assert sum(found.values()) == pytest.approx(seconds)
        assert bool(found) == (seconds > 0)
        assert len(found) <= stacks.MAX_STACKS


def test_calls_with_too_many_paths() -> None:
    """A thousand ways to a long chain: only so many steps are made, and no time is lost."""
    calls, before = [Call("main", 0.0, 1.0, [])], [(0, 0.5)]
    for _ in range(10):
        calls += [Call("a", 0.0, 0.5, before), Call("b", 0.0, 0.5, before)]
        before = [(len(calls) - 2, 0.25), (len(calls) - 1, 0.25)]
    before = [(at, 0.5) for at, _ in before]
    for _ in range(150):
        calls.append(Call("chain", 0.0, 1.0, before))
        before = [(len(calls) - 1, 1.0)]
    found = stacks.stacks_of(Calls(calls, root=0))
    assert sum(found.values()) == pytest.approx(1.0)
    assert 0 < sum(len(stack) == 161 for stack in found) <= stacks.MAX_PATHS // 150


def test_a_function_that_calls_too_many() -> None:
    """Each function keeps those that take the most time for it, and the longest names are cut once."""
    count = 1000
    calls = [Call("r" * 9999, 1.0, 1.0, [])]
    calls += [Call(str(at), 0.0, 1.0, [(0, 0.0006 + at * 1e-9)] * 3) for at in range(1, count)]
    found = stacks.stacks_of(Calls(calls, root=0))
    assert sum(found.values()) == pytest.approx(1.0)
    assert {len(name) for name, *_ in found} == {stacks.LONGEST_NAME}
    assert {stack[1] for stack in found if len(stack) > 1} <= {str(at) for at in range(count - 50, count)}


@pytest.mark.parametrize("seconds", ["1e308", "-1", "1e999"])
@pytest.mark.parametrize("place", ["own", "whole", "callers"])
def test_times_that_cannot_be(place: str, seconds: str) -> None:
    """Sums of them would be no numbers that a picture has room for."""
    values = {"own": "1", "whole": "1", "callers": "1", place: seconds}
    call = f'"own":{values["own"]},"whole":{values["whole"]},"callers":[[0,{values["callers"]}]]'
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(f'{{"calls":[{{"name":"a",{call}}}]}}', type=Calls)


def test_lines_without_an_end() -> None:
    """A name in a program may have line ends and any length: a line is cut, and not tried in all ways."""
    spaces, frame = "x" + " " * 200_000, "\t 55 " + "name" * 2000 + " (/build/a)"
    text = [spaces, *["x" + " " * 4000 + "1/1 1.0:"] * 1000, "a 1/1 1.0: cycles:", frame, "\t 56 main (/build/a)", ""]
    assert list(stacks.sampled(text)) == [("main", ("name" * 2000)[: stacks.LONGEST_NAME])]
    deep = stacks.folded([";" * 1_000_000 + "a 1"])
    assert [len(stack) for stack in deep] == [stacks.DEEPEST]


PERF = """bwrap   712/712   99.1:     cpu-clock:
\t          401 main (/usr/bin/bwrap)

dohyo-bot   713/713   100.000123:     250000 cpu-clock:
\t    5581a0 inner (/build/dohyo-bot)
\t    5581b0 think(int, (anonymous)) (/build/dohyo-bot)
\t    7f01c0 [unknown] (/usr/lib/libc.so.6)

dohyo-bot   713/713   100.000456:     250000 cpu-clock:
\t    5581b0 think(int, (anonymous)) (/build/dohyo-bot)
"""


def test_samples_of_perf() -> None:
    """The innermost function comes first there; what stands around a sandbox is left out."""
    think = "think(int, (anonymous))"
    assert stacks.sampled(PERF.splitlines()) == {("[libc.so.6]", think, "inner"): 1.0, (think,): 1.0}
    assert stacks.sampled(PERF.splitlines(), since=100.0002) == {(think,): 1.0}


def test_samples_of_py_spy() -> None:
    """Processes, whose command lines may have several lines, are no functions."""
    lines = ['process 1:"/bin/sh -c', 'exec "$@" 6', 'dohyo";process 2:"python3 a.py";main (a.py:3);f (a.py:1) 7']
    lines += ['dohyo";process 2:"python3 a.py" 5', 'x";main (a.py:3) nonsense']
    assert stacks.folded(stacks.of_processes(lines)) == {("main (a.py:3)", "f (a.py:1)"): 7.0}


def test_a_text_for_other_tools() -> None:
    """Stacks as text: functions with a semicolon in their name do not make two, and seconds become microseconds."""
    assert Found("perf", {("main", "a;b"): 0.5}).folded() == "main;a:b 500000\n"


def test_a_flame_graph() -> None:
    """A row for each depth, as wide as its time; names are strangers' texts, and what is too narrow is not drawn."""
    drawn = flame_graph({("main", "<b>think</b>"): 3.0, ("main", "read"): 1.0, ("main", "tiny"): 0.0001})
    assert drawn.count("<rect") == 3
    assert "<b>" not in drawn
    assert "&lt;b&gt;think&lt;/b&gt;: 75%" in drawn.replace("\u00a0", " ")
    assert 'width="824.4"' in drawn


MISSING = [("py-spy", "no-py-spy"), ("perf", "no-perf"), ("gprof", "no-such-profiler")]


@pytest.mark.parametrize(("tool", "key"), MISSING)
def test_a_profiler_that_is_not_there(tool: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says how to get it."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(OperatorError) as refused:
        profilers.check_tool(tool)
    assert refused.value.key == key
    profilers.check_tool("cprofile")
