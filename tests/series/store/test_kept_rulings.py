"""Rulings: whatever is decided in whatever order, a match counts once or not at all, and all can be undone."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import event, text

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import ANNUL, DISQUALIFY, REJUDGE, InForce, Ruling
from dohyo.i18n import Message
from dohyo.series.store import Store, open_store
from tests.fuzz.effort import examples
from tests.series.store.conftest import Open
from tests.series.store.played import AT, NAMES, begun, duels, result

GAMES = duels()
LAST = len(GAMES) - 1  # which is never played
Act = tuple[str, bool, int]


def full(store: Store) -> int:
    """A contest in which all but the last match were played; its id."""
    contest = begun(store).id
    store.schedule(contest, GAMES)
    store.record(contest, [result(match) for match in GAMES[:-1]])
    return contest


def counted(store: Store, contest: int) -> dict[str, object]:
    """All that is counted from results."""
    names: tuple[str, ...] = ("progress", "tallies", "pairs", "faults", "faulty", "unplayed")
    found: dict[str, object] = {name: getattr(store, name)(contest) for name in names}
    return {**found, "played": list(store.played(contest)), "aside": store.set_aside(contest)}


def rule(store: Store, contest: int, kind: str, undoes: bool = False, match: int = 0, bot: str = "") -> Ruling:
    """Make a ruling about a match or a bot, and play what it asks for."""
    matches = () if bot else (match,)
    told = Ruling(0, kind, AT, 0, "why", undoes, matches, bot, bool(bot) and not undoes)  # type: ignore[arg-type]
    return store.rule(contest, told)


def again(store: Store, contest: int) -> None:
    """Play the matches that have to be played again: everybody is placed the other way round."""
    for ruling, match in store.pending(contest):
        new = result(match, at=AT + 1000 + ruling, faults=(), replay=f"{ruling:064x}")
        store.record_again(contest, [(ruling, replace(new, places=new.places[::-1]))])


def test_a_new_result_counts_and_the_old_one_stays(store: Store) -> None:
    """The match counts once, by its new result; both are kept, the new one by its ruling."""
    contest = full(store)
    rule(store, contest, REJUDGE, match=1)
    assert [(ruling, match.number) for ruling, match in store.pending(contest)] == [(1, 1)]
    assert store.result(store.contest(), 1) == result(GAMES[1]), "until the new one is there"
    again(store, contest)
    (old, new) = store.attempts(contest, [1])[1]
    assert (old.ruling, old.result, new.ruling) == (0, result(GAMES[1]), 1)
    assert store.result(store.contest(), 1) == new.result != old.result
    assert store.pending(contest) == []
    assert list(store.verify()) == []
    assert store.record_again(contest, [(1, new.result)]) == [], "a second time it is not new"


def test_a_new_result_without_any_time_is_what_was_written(store: Store) -> None:
    """Where no bot has answered, as none of them starts, nobody has a longest time: that is read alike everywhere."""
    contest = full(store)
    rule(store, contest, REJUDGE, match=1)
    new = replace(result(GAMES[1], at=AT + 1000, faults=()), longest=(None, None))
    assert store.record_again(contest, [(1, new)]) == [1]
    assert store.attempts(contest, [1])[1][1].result == store.result(store.contest(), 1)
    assert list(store.verify()) == []


def test_annulled_and_back(store: Store) -> None:
    """An annulled match counts in no tally, is no open match and is not played again; undone, all is as before."""
    contest = full(store)
    before = counted(store, contest)
    rule(store, contest, ANNUL, match=3)
    assert store.voided(contest) == [3]
    assert [each.fixture.number for each in store.set_aside(contest)] == [3]
    assert store.reopen(contest) == 0
    assert 3 not in [match.number for match in store.unplayed(contest)]
    assert list(store.verify()) == []
    rule(store, contest, ANNUL, undoes=True, match=3)
    assert counted(store, contest) == before
    assert list(store.verify()) == []


def test_what_is_annulled_survives_a_cut(store: Store) -> None:
    """When a batch ends before its end, a result that somebody annulled before stays, and can come back."""
    contest = full(store)
    rule(store, contest, ANNUL, match=3)
    after = [match.number for match in GAMES if match.batch == 0 and match.number >= 2]
    assert store.cut(contest, 0, 2, "not needed", AT) == len(after) - 1
    assert [each.fixture.number for each in store.set_aside(contest)] == after
    assert list(store.verify()) == []
    rule(store, contest, ANNUL, undoes=True, match=3)
    assert store.result(store.contest(), 3) == result(GAMES[3])


def test_without_a_bot_as_if_it_had_not_played(store: Store, tmp_path: Path) -> None:
    """Without a bot's matches, the others have what they would have, had it not played."""
    contest = full(store)
    rule(store, contest, DISQUALIFY, bot=NAMES[1])
    with open_store(str(tmp_path / "without.db"), create=True) as other:
        alone = begun(other).id
        other.schedule(alone, GAMES)
        other.record(alone, [result(match) for match in GAMES[:-1] if 1 not in match.seats])
        for name in ("tallies", "pairs", "faults", "faulty"):
            assert getattr(store, name)(contest) == getattr(other, name)(alone), name
    assert list(store.verify()) == []


def test_a_result_that_comes_after_a_disqualification(store: Store) -> None:
    """A match that was being played when its bot was disqualified is kept, and counts for nobody."""
    contest = full(store)
    rule(store, contest, DISQUALIFY, bot=NAMES[GAMES[LAST].seats[0]])
    assert store.record(contest, [result(GAMES[LAST])]) == [LAST]
    assert LAST in store.voided(contest)
    assert store.attempts(contest, [LAST])[LAST][0].result == result(GAMES[LAST])
    assert store.unplayed(contest) == []
    assert list(store.verify()) == []


def test_results_come_in_without_reading_what_was_ruled_about_others(store: Store) -> None:
    """Storing a result, and looking whether there is anything new, reads no matches that were ruled about.

    So it is as quick, however many these are.
    """
    contest = full(store)
    for match in range(3):
        rule(store, contest, REJUDGE, match=match)
    again(store, contest)
    rule(store, contest, DISQUALIFY, bot=NAMES[0])
    asked: list[str] = []
    event.listen(store.database.engine, "before_cursor_execute", lambda c, cursor, text, *_: asked.append(text))
    assert store.record(contest, [result(GAMES[LAST])]) == [LAST]
    assert store.count_rulings(contest) == 4
    assert [each.bot for each in store.rulings_of_bots(contest)] == [NAMES[0]]
    assert asked
    assert not [text for text in asked if re.search(r"FROM (ruled|attempts)\b", text)]


def test_sums_of_scores_lose_nothing_by_what_is_taken_out(store: Store) -> None:
    """Where scores were so large that others vanished beside them, the sums of these are exact without them."""
    contest = begun(store).id
    store.schedule(contest, GAMES)
    own = [match for match in GAMES if match.seats == GAMES[0].seats]
    last = own[-1]
    small = [result(match, scores=(0.1, 0.7)) for match in own[:-1]]
    store.record(contest, [result(last, scores=(1e14, -1e14)), *small])
    rule(store, contest, ANNUL, match=last.number)
    sums = [each.score for each in store.tallies(contest)]
    assert sums == [math.fsum([0.1] * len(small)), math.fsum([0.7] * len(small))]
    assert list(store.verify()) == []


def test_only_what_was_played_can_be_ruled(store: Store) -> None:
    """A match without a result, or a result that nobody asked for, is refused; nothing is stored."""
    contest = full(store)
    for kind in (REJUDGE, ANNUL):
        with pytest.raises(ValueError, match="no result"):
            rule(store, contest, kind, match=LAST)
    assert store.rulings(contest) == []
    with pytest.raises(ValueError, match="cannot have"):
        store.record_again(contest, [(1, result(GAMES[0]))])


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE attempts SET by_seat = '{}' WHERE match = 1",
        "UPDATE rulings SET because = 'another'",
        "DELETE FROM ruled WHERE match = 1",
        "UPDATE attempts SET checksum = 1",
    ],
)
def test_damage_is_noticed(store: Store, damage: str) -> None:
    """A row about a ruling that is not what was written is an error when it is read, and `verify` finds it."""
    contest = full(store)
    rule(store, contest, REJUDGE, match=1)
    with store.database.writing() as connection:
        connection.execute(text(damage))
    with pytest.raises(OperatorError):
        store.pending(contest)
    assert list(store.verify())


def test_verify_knows_what_should_count(store: Store) -> None:
    """Where what counts is not what the rulings say, though each row is whole, `verify` says which match it is."""
    contest = full(store)
    rule(store, contest, ANNUL, match=1)
    with store.database.writing() as connection:
        connection.execute(text("DELETE FROM set_aside"))
        connection.execute(text("DELETE FROM attempts"))
    assert Message("verify.ruling", {"number": 1}) in list(store.verify())


def test_a_killed_ruling_took_no_effect(opened: Open) -> None:
    """A ruling and all that follows from it are one transaction."""
    store = opened()
    contest = full(store)
    before = counted(store, contest)

    def dies(ruling: Ruling) -> Callable[..., object]:
        from dohyo.series.store import kept_rulings

        def act(connection: object) -> None:
            kept_rulings.add(connection, contest, ruling)  # type: ignore[arg-type]
            raise KeyboardInterrupt

        return act

    with pytest.raises(KeyboardInterrupt):
        store.database.write(dies(Ruling(0, ANNUL, AT, 0, matches=(2,))))
    assert opened().rulings(contest) == []
    assert counted(store, contest) == before


acts = st.lists(
    st.tuples(st.sampled_from((REJUDGE, ANNUL, DISQUALIFY, "play")), st.booleans(), st.integers(0, 3)),
    max_size=14,
)


@examples(12, 200)
@given(acts)
def test_nothing_counts_twice(told: list[Act]) -> None:
    """After any rulings in any order, tallies are those of the results that count, one at most for each match.

    When all is taken back, everything is as it was.
    """
    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/r.db", create=True) as store:
        contest = full(store)
        before = counted(store, contest)
        for kind, undoes, at in told:
            if kind == "play":
                again(store, contest)
            elif kind == DISQUALIFY:
                rule(store, contest, kind, undoes, bot=NAMES[at])
            else:
                rule(store, contest, kind, undoes, match=at)
            assert list(store.verify()) == []
            numbers = [each.fixture.number for each in store.played(contest)]
            assert len(numbers) == len(set(numbers)) == LAST - len(store.voided(contest))
        undo(store, contest)
        assert counted(store, contest) == before


def undo(store: Store, contest: int) -> None:
    """Take back all that is in force."""
    known = InForce(store.rulings(contest))
    for bot in known.disqualified:
        rule(store, contest, DISQUALIFY, True, bot=bot)
    for match in known.annulled:
        rule(store, contest, ANNUL, True, match=match)
    for match, own in known.rejudged.items():
        for _ in own:
            rule(store, contest, REJUDGE, True, match=match)


def test_replays_of_other_results_go_with_the_contest(store: Store) -> None:
    """When a contest is deleted, so are the replays of results that did not count."""
    contest = full(store)
    rule(store, contest, REJUDGE, match=1)
    old = store.files.put(b"old", sync=False)
    new = result(GAMES[1], replay=old)
    store.record_again(contest, [(1, new)])
    rule(store, contest, REJUDGE, True, match=1)
    store.lease(contest)
    store.delete(contest)
    with pytest.raises(OperatorError):
        store.files.get(old)
    assert isinstance(new, Result)
