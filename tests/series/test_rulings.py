"""One match put right: played again, annulled, a bot taken out, and taken back; by the real loop with real bots.

The bot `unjust` is stopped in its second turn while there is a certain file, as if by a machine that is too busy.
Then the file goes, and what was unjust can be put right.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.notices import heard_by
from dohyo.core.rulings_in_force import ANNUL, DISQUALIFY, REJUDGE
from dohyo.executors.in_process import InProcess
from dohyo.guests.bundles import bundle
from dohyo.guests.bundles import check as bundle_check
from dohyo.guests.verify.stored import verify
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series import rulings, session
from dohyo.series.exports.export import as_csv, lines, standings_as_csv
from dohyo.series.request import ContestRequest
from dohyo.series.rulings import Book, Wanted
from dohyo.series.session import ContestView, look
from dohyo.series.store import Store, open_store
from dohyo.series.telling.words import audit_lines, ruling_lines
from dohyo.system.plain_files import open_plain
from tests.series.contests import ContestListener, Notes, asked, opened, play, write_bot

ALL_TIME = "fault=any"
Look = Callable[[], ContestView]


@pytest.fixture
def flag(tmp_path: Path) -> Path:
    """While this file is there, the machine does an injustice."""
    (tmp_path / "busy").touch()
    return tmp_path / "busy"


@pytest.fixture
def wanted(tmp_path: Path, flag: Path) -> ContestRequest:
    """A round-robin of five, one of whom is treated unjustly: five matches, each once."""
    return contest_of(tmp_path, flag, "round-robin", rounds=1, options={"rotate": False})


def contest_of(home: Path, flag: Path, format_: str, **more: object) -> ContestRequest:
    """A contest of five bots in a folder."""
    folder = home / "bots"
    folder.mkdir()
    write_bot(folder / "unjust", f'if [ $turn = 2 ] && [ -e "{flag}" ]; then exit 3; fi; echo N')
    for name in ("a", "b", "c", "d"):
        write_bot(folder / name, f"set -- U A R N; shift $(((DOHYO_SEED + turn + {ord(name)}) % 4)); echo $1")
    setup = {"turns": 8}
    return asked(home / "c.db", home, format_, bots=[], folder=str(folder), setup=setup, **more)


def seen(wanted: ContestRequest) -> tuple[str, str]:
    """The standings and all matches, byte for byte."""
    with open_store(wanted.store) as store:
        view = look(store, None)
        return "".join(standings_as_csv(view.standings())), "".join(as_csv(lines(view)))


def decide(wanted: ContestRequest, act: Callable[[ContestView], object]) -> None:
    """Rule about something."""
    with open_store(wanted.store) as store:
        act(look(store, None, results=False))


def ask(wanted: ContestRequest, *numbers: int, because: str = "not late") -> None:
    """Ask for matches to be played again."""
    decide(wanted, lambda view: rulings.ask_again(view, numbers, because))


def check(wanted: ContestRequest, home: Path) -> None:
    """The store is whole, and so is its bundle; what each says of the other."""
    with open_store(wanted.store) as store:
        assert list(verify(store, True, lambda count: None)) == []
        view = look(store, None)
        bundle.write(view, str(home / "r.tar"))
    checked = bundle_check.Checked()
    with open_plain(home / "r.tar") as file:
        assert list(bundle_check.check(home / "r.tar", file, checked, lambda count: None)) == []


def test_an_unjust_match_is_put_right(wanted: ContestRequest, flag: Path, tmp_path: Path) -> None:
    """Played again with the same seed, it has another result, which counts; the old one is kept, and why is said.

    Taken back, standings and matches are byte for byte as they were.
    """
    play(wanted)
    before = seen(wanted)
    flag.unlink()
    with open_store(wanted.store) as store:
        chosen = rulings.chosen(look(store, None, results=False), Wanted(bot="unjust"))
        old = {number: store.result(store.contest(), number) for number in chosen}
    assert len(chosen) == 4
    assert all(each.faults for each in old.values())
    ask(wanted, *chosen)
    assert seen(wanted)[0] == before[0], "until they are played, the old results count"
    with opened(wanted) as contest:
        assert contest.loop.play_again(InProcess(), ContestListener()) == []
    with open_store(wanted.store) as store:
        view = look(store, None)
        assert store.faults(view.contest.id) == {}
        assert len(list(store.played(view.contest.id))) == 5
        both = [each for each in lines(view, everything=True) if each.match == chosen[0]]
        assert [(each.ruling, each.counts, each.because) for each in both] == [
            (0, False, "not late"),
            (1, True, "not late"),
        ]
        assert both[0].faults != both[1].faults
        assert both[0].seed == both[1].seed
        assert both[0].bots == both[1].bots
        assert next(each.result for each in Book(view).of(chosen[0])) == old[chosen[0]]
    check(wanted, tmp_path)
    decide(wanted, lambda view: rulings.take_back(view, REJUDGE, "", chosen))
    after = seen(wanted)
    assert after[0] == before[0]
    assert after[1] == before[1]
    check(wanted, tmp_path)


def test_a_rejudge_that_is_killed_goes_on(wanted: ContestRequest, flag: Path, tmp_path: Path) -> None:
    """What was played again before it was killed is there, the rest is played by the next run; each counts once."""
    play(wanted)
    flag.unlink()
    ask(wanted, 0, 1, 2)

    def kill(number: int) -> None:
        raise KeyboardInterrupt

    with opened(wanted) as contest, pytest.raises(KeyboardInterrupt):
        contest.loop.play_again(InProcess(), ContestListener(kill))
    with open_store(wanted.store) as store:
        left = [match.number for _, match in store.pending(1)]
    assert 0 < len(left) < 3
    listener = ContestListener()
    play(wanted, listener)
    assert listener.results == left
    check(wanted, tmp_path)


def test_a_contest_that_ends_meanwhile_is_reopened(wanted: ContestRequest) -> None:
    """Who looked at a contest while it ran, and rules after its end, lets it go on: what was asked for is played."""
    play(wanted)
    with open_store(wanted.store) as store:
        view = look(store, None, results=False)
        store.set_state(view.contest.id, "over")
        rulings.ask_again(view, [0], "")
        assert rulings.reopen(view)
        assert not rulings.reopen(view)
        assert store.contest().state == "stopped"


def test_all_of_a_bot_annulled_and_back(wanted: ContestRequest, tmp_path: Path) -> None:
    """Without all matches of a bot the others have what they came to among themselves; undone, all is as before."""
    play(wanted)
    before = seen(wanted)
    with open_store(wanted.store) as store:
        view = look(store, None)
        own = rulings.chosen(view, Wanted(bot="unjust", everything=True))
        others = [each for each in store.played(view.contest.id) if each.fixture.number not in own]
    decide(wanted, lambda view: rulings.annul(view, own, "the machine"))
    with open_store(wanted.store) as store:
        assert list(store.played(1)) == others
        rows = {row.bot: row for row in look(store, None).standings().rows}
    assert rows["unjust"].matches == 0
    assert sum(row.matches for row in rows.values()) == 4 * len(others)
    check(wanted, tmp_path)
    with pytest.raises(OperatorError, match="annulled already"):
        decide(wanted, lambda view: rulings.annul(view, own[:1], "twice"))
    decide(wanted, lambda view: rulings.take_back(view, ANNUL, "", own))
    assert seen(wanted) == before


def test_disqualified_after_the_end(wanted: ContestRequest, tmp_path: Path) -> None:
    """It has no place any more, the others move up, and no other version of it may enter; undone, all is back."""
    play(wanted)
    before = seen(wanted)
    with open_store(wanted.store) as store:
        best = look(store, None).standings().rows[0].bot
    decide(wanted, lambda view: rulings.disqualify(view, best, "copied"))
    with open_store(wanted.store) as store:
        view = look(store, None)
        rows = view.standings().rows
        assert (rows[-1].bot, rows[-1].state, rows[-1].place) == (best, "disqualified", None)
        assert min(row.place for row in rows if row.place is not None) == 1
        assert [f"'{best}' is disqualified; its matches count for nobody: copied"] == rulings.sentences(
            Book(view), ENGLISH
        )
    check(wanted, tmp_path)
    write_bot(tmp_path / "bots" / best, "echo A")
    heard: list[tuple[str, object]] = []
    with heard_by(lambda key, details: heard.append((key, details["bot"]))), opened(wanted) as contest:
        assert [each.version.name for each in contest.store.entrants(contest.contest.id)].count(best) == 1
    assert heard == [("contest.changed-disqualified", best)]
    decide(wanted, lambda view: rulings.take_back(view, DISQUALIFY, "", bot=best))
    assert seen(wanted) == before


def test_a_late_hand_in_plays_what_it_misses(wanted: ContestRequest, flag: Path, tmp_path: Path) -> None:
    """Nothing is played again: the newcomer has matches of its own, and the others keep all theirs."""
    play(wanted)
    with open_store(wanted.store) as store:
        first = list(store.played(1))
    write_bot(tmp_path / "bots" / "late", "echo N")
    listener = ContestListener()
    play(wanted, listener)
    with open_store(wanted.store) as store:
        now = list(store.played(1))
        late = next(each.number for each in store.entrants(1) if each.name == "late")
    assert now[: len(first)] == first
    assert listener.results == [each.fixture.number for each in now[len(first) :]]
    assert len(now) > len(first)
    assert all(late in each.fixture.seats for each in now[len(first) :])
    check(wanted, tmp_path)
    again = ContestListener()
    play(wanted, again)
    assert again.results == []


def test_a_replaced_hand_in_plays_alone(wanted: ContestRequest, flag: Path, tmp_path: Path) -> None:
    """The old version's matches count for nobody, the new one has its own, and the matches of the others stay."""
    play(wanted)
    with open_store(wanted.store) as store:
        old = next(each.number for each in store.entrants(1) if each.name == "unjust")
        stays = [each for each in store.played(1) if old not in each.fixture.seats]
    write_bot(tmp_path / "bots" / "unjust", "echo N")
    notes = Notes()
    with opened(wanted, notes=notes) as contest:
        assert (notes.joined, notes.told) == (["unjust"], [("contest.replaces", "unjust")])
        contest.loop.run(InProcess(), ContestListener())
    with open_store(wanted.store) as store:
        now = list(store.played(1))
        new = next(each.number for each in store.entrants(1) if each.follows == old)
        assert [each for each in now if new not in each.fixture.seats] == stays
        assert not any(old in each.fixture.seats for each in now)
        assert len(now) > len(stays)
        assert store.faults(1) == {}
    check(wanted, tmp_path)


def test_what_a_newer_version_replaced_is_not_called_annulled(
    wanted: ContestRequest, flag: Path, tmp_path: Path
) -> None:
    """No operator has ruled so: lists, tables and exports say what it was, in the reader's language."""
    play(wanted)
    gone = of_old(wanted)
    write_bot(tmp_path / "bots" / "unjust", "echo N")
    play(wanted)
    with open_store(wanted.store) as store:
        view = look(store, None)
        book = Book(view)
        others = list(book.others())
        assert [each.result.fixture.number for each in others] == gone
        assert {(each.why, each.because) for each in others} == {("newer-version", "")}
        with pytest.raises(OperatorError, match="for good"):
            rulings.annul(view, gone[:1], "again")
        for language, word in (("en", "newer version"), ("ja", "新しい版")):
            speaker = Speaker(language)
            told = [*audit_lines(book, speaker), *ruling_lines(view, speaker)]
            told += [rulings.in_words(each.counts, each.why, each.by, each.because, speaker) for each in others]
            assert all(word in line for line in told)
            assert not any("nnul" in line or "無効" in line for line in told)
            assert all(line.isascii() for line in told) == (language == "en")


def of_old(wanted: ContestRequest) -> list[int]:
    """The matches that count in which the first version of `unjust` sat."""
    with open_store(wanted.store) as store:
        old = next(each.number for each in store.entrants(1) if each.name == "unjust")
        return [each.fixture.number for each in store.played(1) if old in each.fixture.seats]


def test_nothing_brings_a_replaced_version_back(wanted: ContestRequest, flag: Path, tmp_path: Path) -> None:
    """Its matches that counted for nobody when it was replaced, by whatever ruling, count for nobody afterwards.

    That cannot be undone, by number or by the bot's name, nor what the operator annulled before.
    """
    play(wanted)
    annulled = of_old(wanted)[0]
    decide(wanted, lambda view: rulings.annul(view, [annulled], "wrong"))
    decide(wanted, lambda view: rulings.disqualify(view, "a", "copied"))
    write_bot(tmp_path / "bots" / "unjust", "echo N")
    play(wanted)
    assert of_old(wanted) == []
    decide(wanted, lambda view: rulings.take_back(view, DISQUALIFY, "", bot="a"))
    assert of_old(wanted) == []
    with pytest.raises(OperatorError, match=f"Match {annulled} .* for good: a bot in it was replaced"):
        decide(wanted, lambda view: rulings.take_back(view, ANNUL, "", [annulled]))
    with pytest.raises(OperatorError, match="for good"):
        decide(wanted, lambda view: rulings.in_force(view, ANNUL, "unjust"))
    decide(wanted, lambda view: rulings.disqualify(view, "unjust", "copied"))
    decide(wanted, lambda view: rulings.take_back(view, DISQUALIFY, "", bot="unjust"))
    assert of_old(wanted) == []
    check(wanted, tmp_path)


def test_a_bot_that_is_back_lacks_what_was_passed_over(wanted: ContestRequest, flag: Path, tmp_path: Path) -> None:
    """Its matches that were not played while it was disqualified are to be played, and then none is."""

    def lacks() -> bool:
        with open_store(wanted.store) as store:
            return look(store, None).lacks_matches()

    def kill(number: int) -> None:
        raise KeyboardInterrupt

    with opened(wanted) as contest, pytest.raises(KeyboardInterrupt):
        contest.loop.run(InProcess(), ContestListener(kill))
    assert lacks()
    decide(wanted, lambda view: rulings.disqualify(view, "a", "copied"))
    play(wanted)
    assert not lacks()
    decide(wanted, lambda view: rulings.take_back(view, DISQUALIFY, "", bot="a"))
    assert lacks()
    play(wanted)
    assert not lacks()
    check(wanted, tmp_path)


def test_why_no_match_is_meant(wanted: ContestRequest, flag: Path) -> None:
    """Whoever means no match is told why: no fault at all, no such fault, or that the bot is disqualified."""
    play(wanted)

    def why(**meant: Any) -> str:
        with open_store(wanted.store) as store, pytest.raises(OperatorError) as caught:
            rulings.chosen(look(store, None, results=False), Wanted(**meant))
        return caught.value.key

    late = rulings.kinds_of(["fault=time-out"])
    assert why(bot="a") == "rejudge-none-faulty"
    assert why(bot="unjust", kinds=late) == "rejudge-none-such-of"
    assert why(kinds=late) == "rejudge-none-such"
    with open_store(wanted.store) as store:
        own = rulings.chosen(look(store, None, results=False), Wanted(bot="unjust"))
    decide(wanted, lambda view: rulings.annul(view, own, "the machine"))
    assert why(bot="unjust") == "rejudge-none-void"
    decide(wanted, lambda view: rulings.disqualify(view, "a", "copied"))
    assert why(bot="a", everything=True) == "rejudge-none-out"


@pytest.mark.parametrize(
    ("format_", "more"),
    [
        pytest.param("swiss", {"rounds": 3}, marks=pytest.mark.full),
        ("single-elimination", {"rounds": 1}),
        ("ladder", {}),
    ],
)
def test_what_was_drawn_stays_as_it_was_drawn(
    format_: str, more: dict[str, object], flag: Path, tmp_path: Path
) -> None:
    """Where results decide who meets, later draws know of a ruling and earlier ones do not: the bundle is whole.

    In a knock-out who went on stays on, whatever is ruled about the match afterwards.
    """
    options = {"options": {"batch": 1, "table": 4}} if format_ == "ladder" else {}
    wanted = contest_of(tmp_path, flag, format_, **{**more, **options})
    with opened(wanted) as contest:
        contest.loop.run(InProcess(), ContestListener(), 1)
        drawn = list(contest.store.scheduled(contest.contest.id))
    flag.unlink()
    ask(wanted, *(match.number for match in drawn))
    decide(wanted, lambda view: rulings.annul(view, [drawn[-1].number], "wrong"))
    with opened(wanted) as contest:
        contest.loop.run(InProcess(), ContestListener(), 1)
    check(wanted, tmp_path)
    decide(wanted, lambda view: rulings.take_back(view, ANNUL, "right", [drawn[-1].number]))
    decide(wanted, lambda view: rulings.disqualify(view, "a", "copied", drops=True))
    with opened(wanted) as contest:
        contest.loop.run(InProcess(), ContestListener(), 1)
    check(wanted, tmp_path)


def test_rulings_are_read_where_there_are_new_ones(
    flag: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was ruled about matches is read once for each new ruling, however many batches and results there are.

    One that is made meanwhile is heeded before the next batch.
    """
    flag.unlink()
    wanted = contest_of(tmp_path, flag, "ladder", options={"batch": 1, "table": 4})
    with opened(wanted) as contest:
        contest.loop.run(InProcess(), ContestListener(), 2)
    decide(wanted, lambda view: rulings.annul(view, [0], "wrong"))
    read: list[str] = []
    for name in ("rulings", "pending", "attempts"):
        real = getattr(Store, name)
        monkeypatch.setattr(Store, name, lambda *given, of=name, act=real: read.append(of) or act(*given))
    with opened(wanted) as contest:
        contest.loop.run(InProcess(), ContestListener(), 1)
        first = len(read)
        contest.loop.run(InProcess(), ContestListener(), 6)
        assert len(read) == first <= 4
        rulings.ask_again(ContestView.of(contest), [1], "not late")
        contest.loop.run(InProcess(), ContestListener(), 1)
        assert len(contest.store.attempts(contest.contest.id, [1])[1]) == 2


def test_kinds_of_faults_by_their_names() -> None:
    """A kind of fault is known by its name in any language, and by the word in files; what is none is refused."""
    assert rulings.kinds_of(["fault=time-out"]) == rulings.kinds_of(["fault=timeout"]) == {"timeout"}
    assert rulings.kinds_of(["fault=時間切れ,exited"]) == {"timeout", "exited"}
    assert rulings.kinds_of(["fault=Time out"]) == {"timeout"}
    assert len(rulings.kinds_of([ALL_TIME])) > 5
    with pytest.raises(OperatorError, match="No fault is called 'late'"):
        rulings.kinds_of(["fault=late"])
    with pytest.raises(OperatorError, match="says nothing that is known"):
        rulings.kinds_of(["bot=ann"])
    assert rulings.numbers_of(["3", "7-9"]) == (3, 7, 8, 9)


def test_a_sample_bot_is_ours_with_any_python_of_the_hand_ins(flag: Path, tmp_path: Path) -> None:
    """A rejudge builds it anew from the store: it does not run by the Python that was given for hand-ins."""
    other = tmp_path / "python"
    other.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    other.chmod(0o755)
    bots = [("", "hunter"), *(("", str(tmp_path / "bots" / name)) for name in "abc")]
    wanted = contest_of(tmp_path, flag, "round-robin", rounds=1, options={"rotate": False}, python=str(other))
    wanted = msgspec.structs.replace(wanted, folder=None, bots=bots)
    play(wanted)
    ask(wanted, 1)
    with session.go_on(wanted.store, None, sandbox="none", python=str(other)) as contest:
        assert contest.loop.play_again(InProcess(), ContestListener()) == []
    with open_store(wanted.store) as store:
        again = store.result(store.contest(), 1)
        assert [each.result.places for each in Book(look(store, None)).of(1)] == [again.places] * 2
        assert not again.faults
