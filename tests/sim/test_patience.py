"""Who waits for a compilation is told so, once; a bot of a match is not."""

from __future__ import annotations

import gc
import io
import sys
import threading
from typing import Any

import pytest

from dohyo import games
from dohyo.core.flat import flat
from dohyo.games.policies import policy_of
from dohyo.i18n import Speaker
from dohyo.sim import patience
from dohyo.sim.loops import Loops
from dohyo.sim.turns import uniform_legal


class Watched(io.StringIO):
    """A terminal, in whose place something says when a line has come."""

    def __init__(self) -> None:
        super().__init__()
        self.has_line = threading.Event()

    def isatty(self) -> bool:
        """It is one."""
        return True

    def flush(self) -> None:
        """The line is whole."""
        self.has_line.set()


@flat
def of_mine(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """A policy: the first of what is legal."""
    return 0


@pytest.fixture(autouse=True)
def nothing_said_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process, where nobody has to wait for the line."""
    monkeypatch.setattr(patience, "_UNSAID", ["compiling"])
    monkeypatch.setattr(patience, "SECONDS", 0.0)
    monkeypatch.setenv("DOHYO_LANG", "en")
    monkeypatch.delenv(patience.IN_A_MATCH, raising=False)


def test_a_person_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line while something is compiled, however many functions are."""
    screen = Watched()
    monkeypatch.setattr(sys, "stderr", screen)
    with patience.told():
        assert screen.has_line.wait(60)
    with patience.told():
        patience._say()
    assert screen.getvalue().count("\n") == 1
    assert screen.getvalue().startswith("Compiling the rules, once on this machine")


def test_what_is_compiled_is_named() -> None:
    """A policy that somebody chose, which is compiled once for itself; what all rollouts have is not."""
    loops = Loops(game := games.find("connect-four"))
    assert loops.roll((uniform_legal,))._of() == ""
    for bot in ("watchful", "watchful@40"):  # the function of each sample bot is called `policy`
        assert loops.roll((uniform_legal, policy_of(game, bot)))._of() == "watchful"
    assert loops.roll((uniform_legal, of_mine))._of() == "of_mine"


def test_a_name_stands_in_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there whom somebody waits for."""
    screen = Watched()
    monkeypatch.setattr(sys, "stderr", screen)
    with patience.told("of_mine"):
        assert screen.has_line.wait(60)
    assert screen.getvalue().startswith("Compiling the rules for 'of_mine', once on this machine")


def test_threads_that_compile_at_once_say_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes while the line is being written does not write another."""
    screen = Watched()
    monkeypatch.setattr(sys, "stderr", screen)
    known = Speaker("en")

    def slow(language: str) -> Speaker:
        if not again:
            again.append(threading.Thread(target=patience._say))
            again[0].start()
            again[0].join()
        return known

    again: list[threading.Thread] = []
    monkeypatch.setattr(patience, "Speaker", slow)
    patience._say()
    assert screen.getvalue().count("\n") == 1


def test_what_is_soon_there_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing comes where the code is there before the time, and no thread is left."""
    screen = Watched()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(patience, "SECONDS", 3600.0)
    before = threading.active_count()
    with patience.told():
        assert threading.active_count() == before + 1
        (waiting,) = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    waiting.join()
    assert screen.getvalue() == ""


def test_whoever_writes_to_a_file_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error need not be a terminal: a notebook's is none, nor is that of a script in a batch."""
    screen = Watched()
    monkeypatch.setattr(screen, "isatty", lambda: False)
    monkeypatch.setattr(sys, "stderr", screen)
    with patience.told():
        assert screen.has_line.wait(60)
    assert screen.getvalue().startswith("Compiling the rules")


def test_a_bot_of_a_match_writes_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a match there is no line: it keeps what its bots write."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv(patience.IN_A_MATCH, "drop-block")
    before = threading.active_count()
    with patience.told():
        assert threading.active_count() == before
    assert stream.getvalue() == ""


def test_python_looks_for_cycles_again_after_compiling() -> None:
    """Also where another thread compiles meanwhile, or an error ends it."""
    seen = []

    def failing() -> None:
        with patience.uncollected():
            with patience.uncollected():
                seen.append(gc.isenabled())
            seen.append(gc.isenabled())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert [*seen, gc.isenabled()] == [False, False, True]
