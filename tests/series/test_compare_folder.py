"""What a comparison keeps: replays of lost and faulty matches, where bots disagree, and how it goes on."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from dohyo.bench.disagreement import Disagreement, first_disagreement
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Header, Move, Replay, Result, Seat, Turn
from dohyo.core.replay_format import encode
from dohyo.core.rulings_in_force import ANNUL, Ruling
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.version import rules_of
from dohyo.match.files import read_plain
from dohyo.match.replays import replays
from dohyo.series.compare import Terms, Trial, older_version
from dohyo.series.compare_folder import STORE, ComparisonFolder
from dohyo.series.sequential import Hypotheses
from dohyo.series.session import look
from dohyo.series.spec import Spec, as_stored
from dohyo.series.store import open_store
from tests.series.test_compare import DUEL, FOUR, Played, bot, state

FAR = Terms(seed=5, hypotheses=Hypotheses(0, 100), setup={}, sandbox="none")
BOTS = ("new", "old")
OTHER = Spec(game=DUEL.name, format="swiss", rounds=1, seed=1, setup={}, options={}, bots=())


def replay_of(order: MatchOrder, places: tuple[int, ...], faulty: str = "", own: bool = False) -> Replay:
    """A match of three turns: all bots say the same until turn 1, where `new` (with `own`: each) says its own."""
    turns = []
    for number in range(3):
        moves = []
        for seat, who in enumerate(order.bots):
            word = who.name if number and own else "mine" if number and who.name == "new" else "same"
            faults = (Fault(FaultKind.TIMEOUT),) if number == 2 and who.name == faulty else ()
            moves.append(Move(seat, word, 0.1, faults=faults))
        turns.append(Turn(number, (), tuple(moves), str(number)))
    seats = tuple(Seat(who.name, who.digest) for who in order.bots)
    header = Header(game=order.game, rules=1, setup={}, seats=seats, seed=order.seed, software="test")
    return Replay(header, turns, Result(places, None, "over"))


def played(order: MatchOrder, own: bool = False) -> MatchReport:
    """`new` wins four of five seeds, and has a fault in some matches that it wins."""
    dice = random.Random(order.seed)
    wins, faulty = dice.random() < 0.8, "new" if dice.random() < 0.2 else ""
    places = tuple(1 if (who.name == "new") == wins else 2 for who in order.bots)
    faults = tuple(("timeout",) if who.name == faulty else () for who in order.bots) if faulty else ()
    content = encode(replay_of(order, places, faulty, own), compressed=True)
    return MatchReport(order.key, content, places=places, faults=faults)


def trial(folder: ComparisonFolder, terms: Terms = FAR, names: tuple[str, ...] = BOTS, game: Game = DUEL) -> Trial:
    """The comparison of these bots, kept in the folder."""
    return Trial(game, [bot(name) for name in names], terms, folder)


def kept_in(path: Path) -> dict[str, bytes]:
    """The folder's files but for the store's."""
    return {file.name: file.read_bytes() for file in path.iterdir() if not file.name.startswith(STORE)}


def results_in(path: Path) -> int:
    """How many results the folder's store has, as another process sees it."""
    with closing(sqlite3.connect(path / STORE)) as database:
        (count,) = database.execute("select count(*) from results").fetchone()
        return int(count)


def finished(path: Path, terms: Terms = FAR, dice: int | None = None) -> Trial:
    """The comparison, played to its end."""
    with ComparisonFolder(path) as folder:
        whole = trial(folder, terms)
        for _ in whole.play(Played(played, dice)):
            pass
        return whole


def test_lost_and_faulty_matches_are_kept(tmp_path: Path) -> None:
    """Each of them is a replay whose name says what it is; not those that were won, nor any not counted."""
    whole = finished(tmp_path / "kept", dice=3)
    known = whole.known
    assert known.verdict.better
    names = sorted(kept_in(tmp_path / "kept"))
    assert sum("-lost-" in name for name in names) == known.lost > 0
    assert sum("-faulty-" in name for name in names) == known.conduct[0].matches > 0
    assert len(names) < known.matches
    for name in names:
        number, result = int(name[:4]), name.split("-")[1]
        assert number < known.matches
        replay = replays.load(tmp_path / "kept" / name)
        seat = [who.name for who in replay.header.seats].index("new")
        assert f"-seat{seat}-old-{replay.header.seed}.replay.zst" in name
        assert (replay.result.places[seat] == 2) == (result == "lost")


def test_each_has_the_turn_where_the_bots_first_disagree(tmp_path: Path) -> None:
    """The two matches of a seed part where the candidate and the baseline were sent the same."""
    with ComparisonFolder(tmp_path / "kept") as folder:
        whole = trial(folder)
        for _ in whole.play(Played(played)):
            pass
        assert folder.kept
        for row in folder.kept.values():
            assert row.disagreement == Disagreement(1, row.seat, "mine", "same", is_own=True)
            assert row.baseline == 1


def test_the_older_version_is_asked_for_and_nobody_else(tmp_path: Path) -> None:
    """Of several baselines one is the older version: what others answer differently is none of its disagreements."""
    for game, names, older in ((DUEL, ("new", "random", "old"), 2), (FOUR, ("new", "old", "a", "b"), 1)):
        with ComparisonFolder(tmp_path / game.name) as folder:
            terms = msgspec.structs.replace(FAR, seats=game.seats[0])
            whole = Trial(game, [bot(name) for name in names], terms, folder, older)
            for _ in whole.play(Played(lambda order: played(order, own=True))):
                pass
            met = {older in whole.opponents(row.number) for row in folder.kept.values()}
            assert met == ({True, False} if game is DUEL else {True})
            for row in folder.kept.values():
                assert (row.disagreement is None) == (older not in whole.opponents(row.number))
                assert row.baseline in (None, older)
                assert row.disagreement is None or (row.disagreement.new, row.disagreement.old) == ("new", "old")


def test_which_baseline_is_the_older_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first at a revision, otherwise the first file or folder, otherwise the first."""
    monkeypatch.chdir(tmp_path)
    Path("old").mkdir()
    assert older_version(["random", "climber"]) == 1
    assert older_version(["random", "before=old", "old"]) == 2
    assert older_version(["random", "old", "git:HEAD", "then=git:v1"]) == 3
    assert older_version(["random", "old", "then=git:v1", "git:HEAD"]) == 3


def turns(*answers: str) -> Replay:
    """A match in which the seats answer with these letters, turn by turn; a dot is no answer that counted."""
    made = []
    for number, word in enumerate(answers):
        faults = {letter: (Fault(FaultKind.TIMEOUT),) if letter == "." else () for letter in word}
        made.append(Turn(number, (), tuple(Move(at, x, 0.1, faults=faults[x]) for at, x in enumerate(word)), "d"))
    seats = tuple(Seat("bot") for _ in answers[0])
    header = Header(game="wondev-woman", rules=1, setup={}, seats=seats, seed=1, software="test")
    return Replay(header, made, Result((), None, "over"))


BOTH = {("aa", "bb"): Disagreement(1, 1, "c", "b", is_own=False)}  # both seats part in one turn


@pytest.mark.parametrize(
    ("kept", "other", "found"),
    [
        (("aa", "ba"), ("aa", "ca"), Disagreement(1, 0, "b", "c", is_own=True)),
        (("aa", "ab"), ("aa", "ac"), Disagreement(1, 1, "c", "b", is_own=False)),
        (("aa", "bb"), ("aa", "cc"), Disagreement(1, 0, "b", "c", is_own=True)),
        (("aa", ".a"), ("aa", "ba"), Disagreement(1, 0, None, "b", is_own=True)),
        (("aa", "aa"), ("aa", "aa"), None),
        (("aa",), ("aa", "ba"), None),
        (("aaa", "aab", "baa"), ("aaa", "aac", "caa"), None),  # the seat of another bot parted first
    ],
)
def test_where_two_matches_part(kept: tuple[str, ...], other: tuple[str, ...], found: Disagreement | None) -> None:
    """It is the first turn that is not the same, on a seat that the candidate has in one of both."""
    assert first_disagreement(turns(*kept), turns(*other), 0, 1) == found
    if found is not None:  # where the baseline is not on that seat, no other disagreement is taken for it
        own, others = (None, 1) if found.is_own else (0, None)
        assert first_disagreement(turns(*kept), turns(*other), own, others) in (None, BOTH.get(kept))


def test_other_dice_are_no_disagreement() -> None:
    """Where the dice fell differently, or states do, the bots were not sent the same."""
    one = turns("aa", "ba")
    for changed in ({"dice": (6,)}, {"digest": "e"}):
        other = turns("aa", "ca")
        other.turns[0] = msgspec.structs.replace(other.turns[0], **changed)  # type: ignore[arg-type]
        assert first_disagreement(one, other, 0, 1) is None


@pytest.mark.parametrize("after", [1, 7, 30])
def test_it_goes_on_where_it_was(tmp_path: Path, after: int) -> None:
    """Stopped after any match, the same comparison again plays the others alone, and ends as if never stopped."""
    whole = finished(tmp_path / "whole")
    asked: list[str] = []

    def until(most: int) -> Callable[[MatchOrder], MatchReport]:
        def play(order: MatchOrder) -> MatchReport:
            if len(asked) >= most:
                raise KeyboardInterrupt
            asked.append(order.key)
            return played(order)

        return play

    with ComparisonFolder(tmp_path / "stopped") as folder, pytest.raises(KeyboardInterrupt):
        for _ in trial(folder).play(Played(until(after), dice=after, ahead=6)):
            pass
    with ComparisonFolder(tmp_path / "stopped") as folder:
        assert folder.seed == 5
        again = trial(folder)
        assert again.stored == after
        for _ in again.play(Played(until(10**6), dice=1, ahead=6)):
            pass
    assert state(again) == state(whole)
    assert len(asked) == len(set(asked))
    assert kept_in(tmp_path / "stopped") == kept_in(tmp_path / "whole")
    before = kept_in(tmp_path / "stopped")
    with ComparisonFolder(tmp_path / "stopped") as folder:
        known = trial(folder)
        for _ in known.play(Played(until(0))):
            pass
        assert state(known) == state(whole)  # it is known already
    assert kept_in(tmp_path / "stopped") == before


def test_more_rounds_may_be_asked_for(tmp_path: Path) -> None:
    """What was played counts, and only the further rounds are played."""
    assert finished(tmp_path / "kept", msgspec.structs.replace(FAR, rounds=4)).known.matches == 8
    more = finished(tmp_path / "kept", msgspec.structs.replace(FAR, rounds=6))
    assert (more.stored, more.known.matches) == (8, 12)


def test_a_replay_that_was_not_written_is_written_by_who_goes_on(tmp_path: Path) -> None:
    """The store has every match: where the process ended before it wrote a file, the next one does."""
    finished(tmp_path / "kept")
    whole = kept_in(tmp_path / "kept")
    for name in whole:
        (tmp_path / "kept" / name).unlink()
    finished(tmp_path / "kept")
    assert kept_in(tmp_path / "kept") == whole


def test_fewer_rounds_than_were_played_remove_nothing(tmp_path: Path) -> None:
    """With a lower limit only the first rounds are told of; the replays of the others stay, and count again later."""
    five, two = (msgspec.structs.replace(FAR, seed=2, rounds=rounds) for rounds in (5, 2))
    finished(tmp_path / "kept", five)
    before = kept_in(tmp_path / "kept")
    later = finished(tmp_path / "kept", two)
    assert (later.known.matches, later.known.verdict.better) == (4, None)
    assert kept_in(tmp_path / "kept") == before
    assert 0 < len(later.kept) < len(finished(tmp_path / "kept", five).kept) == len(before)
    assert all(row.number < 4 for row in later.kept)


@pytest.mark.parametrize(
    ("change", "key", "said"),
    [
        ({"seed": 6}, "compare-other-terms", "--seed"),
        ({"hypotheses": Hypotheses(0, 50)}, "compare-other-terms", "--elo1"),
        ({"setup": {"league": "wood2"}}, "compare-other-terms", "--setup league"),
        ({"sandbox": "auto"}, "compare-other-terms", "--sandbox"),
        ({}, "compare-other-bots", "not of new, other"),
        ({}, "compare-other-bot", "new"),
    ],
    ids=str,
)
def test_another_comparison_is_refused(tmp_path: Path, change: dict[str, object], key: str, said: str) -> None:
    """With other bots, options or seeds it does not go on, changes nothing, and says what is not the same."""
    finished(tmp_path / "kept", msgspec.structs.replace(FAR, rounds=2))
    before = kept_in(tmp_path / "kept")
    found = [bot("new", "edited" if said == "new" else ""), bot("other" if said.endswith("other") else "old")]
    terms = msgspec.structs.replace(FAR, **change)  # type: ignore[arg-type]
    with ComparisonFolder(tmp_path / "kept") as folder, pytest.raises(OperatorError) as error:
        Trial(DUEL, found, terms, folder)
    assert error.value.key == key
    assert said in error.value.say()
    assert kept_in(tmp_path / "kept") == before


def test_edited_rules_are_another_comparison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played by a game's rules before they were edited does not count, whatever version they have."""
    two = msgspec.structs.replace(FAR, rounds=2)
    finished(tmp_path / "kept", two)
    assert finished(tmp_path / "kept", two).stored == 4
    edited = msgspec.structs.replace(rules_of(DUEL), digest="edited")
    monkeypatch.setattr("dohyo.series.spec.rules_of", lambda game: edited)
    with pytest.raises(OperatorError) as error:
        finished(tmp_path / "kept", two)
    assert error.value.key == "compare-other-rules"


def test_the_usual_clock_is_the_same_named_or_not(tmp_path: Path) -> None:
    """Whoever names the game's usual clock goes on with what was played without a word for it; not with another."""
    fair = msgspec.structs.replace(FAR, mode="fair")
    finished(tmp_path / "kept", fair)
    before = kept_in(tmp_path / "kept")
    clock = msgspec.structs.replace(DUEL.usual_clock(), mode="fair")
    finished(tmp_path / "kept", msgspec.structs.replace(FAR, clock=clock))
    assert kept_in(tmp_path / "kept") == before
    for other, said in ((msgspec.structs.replace(clock, mode="wall"), "mode fair, not wall"), (Clock(9), "--clock")):
        with pytest.raises(OperatorError, match=said):
            finished(tmp_path / "kept", msgspec.structs.replace(FAR, clock=other))


def test_force_begins_again(tmp_path: Path) -> None:
    """With force another comparison takes its place: its replays go, what else is in the folder stays."""
    with ComparisonFolder(tmp_path / "kept") as folder:
        next(known for known in trial(folder).play(Played(played, ahead=30, dice=1)) if known.matches == 4)
    before = kept_in(tmp_path / "kept")
    assert before
    (tmp_path / "kept" / "notes.txt").write_text("mine")
    with ComparisonFolder(tmp_path / "kept", force=True) as folder:
        assert kept_in(tmp_path / "kept").keys() == {*before, "notes.txt"}  # nothing is lost before it begins
        again = trial(folder, msgspec.structs.replace(FAR, seed=6, rounds=3))
        assert [*kept_in(tmp_path / "kept")] == ["notes.txt"]
    assert again.stored == 0
    assert (tmp_path / "kept" / "notes.txt").read_text() == "mine"


def test_a_folder_of_an_earlier_version_is_not_begun_anew_unasked(tmp_path: Path) -> None:
    """A development version wrote another file; what it played is not read, a sentence says so, --force begins."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "comparison.jsonl").write_text("{}\n")
    with pytest.raises(OperatorError, match="--force") as error:
        finished(tmp_path / "kept")
    assert error.value.key == "compare-folder-old"
    assert [*kept_in(tmp_path / "kept")] == ["comparison.jsonl"]
    with ComparisonFolder(tmp_path / "kept", force=True) as folder:
        assert trial(folder).stored == 0


def test_nothing_but_a_replay_is_replaced(tmp_path: Path) -> None:
    """A file that has the name of a kept match and is something else stays, and is named."""
    finished(tmp_path / "first")
    name = min(kept_in(tmp_path / "first"))
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / name).write_text("notes")
    with pytest.raises(OperatorError) as error:
        finished(tmp_path / "second")
    assert error.value.key == "save-over-other"
    assert (tmp_path / "second" / name).read_text() == "notes"


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """A file, a store that is something else, and a folder in use are each refused in a sentence."""
    (tmp_path / "file").write_text("")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / STORE).write_text('{"a": 1}\n' * 100)
    (tmp_path / "contest").mkdir()
    with open_store(str(tmp_path / "contest" / STORE), create=True) as store:
        store.begin("c", DUEL.name, as_stored(OTHER), 0.0)
    refused = {
        "file": "compare-no-folder",
        "file/below": "compare-no-folder",
        "other": "store-none-here",
        "contest": "compare-other-store",
    }
    for name, key in refused.items():
        with pytest.raises(OperatorError) as error:
            ComparisonFolder(tmp_path / name)
        assert error.value.key == key
    with ComparisonFolder(tmp_path / "new") as folder:
        trial(folder)
        with pytest.raises(OperatorError) as error:
            ComparisonFolder(tmp_path / "new")
        assert error.value.key == "compare-folder-used"
    with ComparisonFolder(tmp_path / "none"):
        pass
    assert not (tmp_path / "none").exists()  # nothing was begun in it


def test_names_from_strangers_stay_in_the_folder(tmp_path: Path) -> None:
    """Whatever the bots are called, names of files are plain, and inside; four seats work as two do."""

    def last(order: MatchOrder) -> MatchReport:
        places = tuple(4 if who.name == "new" else 1 for who in order.bots)
        return MatchReport(order.key, encode(replay_of(order, places), compressed=True), places=places)

    names = ("new", "../../evil\x1b[31m", "a b/" + "c" * 300)
    terms = Terms(seats=4, rounds=1, sandbox="none")
    with ComparisonFolder(tmp_path / "kept") as folder:
        whole = trial(folder, terms, names, FOUR)
        for _ in whole.play(Played(last)):
            pass
        assert len(folder.kept) == 8
        assert {row.disagreement is not None for row in folder.kept.values()} == {True}
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]
    for name in kept_in(tmp_path / "kept"):
        assert name.isascii()
        assert name.isprintable()
        assert len(name) < 150


def test_a_disturbed_round_is_written_down_too(tmp_path: Path) -> None:
    """A match in which Dohyo stood still is not tried again after a new start, and its round still does not count."""

    def some(order: MatchOrder) -> MatchReport:
        if order.key == "2":
            return MatchReport(order.key, error="Dohyo itself stood still.", disturbed=True)
        return played(order)

    terms = msgspec.structs.replace(FAR, rounds=3)
    for stored in (0, 6):
        with ComparisonFolder(tmp_path / "kept") as folder:
            whole = trial(folder, terms)
            assert whole.stored == stored
            for _ in whole.play(Played(some)):
                pass
            assert (whole.known.matches, whole.known.left_out) == (4, 1)


def test_what_was_written_is_there_when_the_process_dies(tmp_path: Path) -> None:
    """Each match is in the store before the next one is asked for, where they do not come too fast for that."""
    lines: list[int] = []

    def looking(order: MatchOrder) -> MatchReport:
        lines.append(results_in(tmp_path / "kept"))
        return played(order)

    def reports() -> Iterator[int]:
        with ComparisonFolder(tmp_path / "kept") as folder:
            for known in trial(folder, msgspec.structs.replace(FAR, rounds=3)).play(Played(looking, ahead=1)):
                yield known.matches

    assert list(reports()) == [2, 4, 6]
    assert lines == [0, 1, 2, 3, 4, 5]


def test_a_folder_that_somebody_prepared_leads_nowhere(tmp_path: Path) -> None:
    """Where a record or a replay would be written lies a link, or a pipe: nothing behind it is touched or read."""
    finished(tmp_path / "kept")
    names = sorted(kept_in(tmp_path / "kept"))
    victim = tmp_path / "victim"
    for at, name in enumerate((names[0], STORE, f"{STORE}.files")):
        folder = tmp_path / f"prepared{at}"
        folder.mkdir()
        victim.write_text("mine")
        (folder / name).symlink_to(victim)
        with pytest.raises(OperatorError) as error:
            finished(folder)
        assert error.value.key == ("save-over-other" if name == names[0] else "cannot-write")
        assert victim.read_text() == "mine"
    made = tmp_path / "made"
    (tmp_path / "prepared0" / names[0]).unlink()
    (tmp_path / "prepared0" / names[0]).symlink_to(made)
    with ComparisonFolder(tmp_path / "prepared0", force=True) as folder_:
        for _ in trial(folder_).play(Played(played, None)):
            pass
    assert not made.exists()
    assert not (tmp_path / "prepared0" / names[0]).is_symlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OperatorError, match="not an ordinary file"):
        read_plain(tmp_path / "pipe", 10)


def test_a_folder_in_the_place_of_a_replay(tmp_path: Path) -> None:
    """A folder of the name of a replay is not ours: it is named where one has to be written, and it stays."""
    finished(tmp_path / "kept")
    kept = sorted(kept_in(tmp_path / "kept"))[0]
    (tmp_path / "other" / kept / "mine").mkdir(parents=True)
    with (
        pytest.raises(OperatorError) as error,
        ComparisonFolder(tmp_path / "other", force=True) as folder,
    ):
        for _ in trial(folder).play(Played(played, None)):
            pass
    assert error.value.key == "save-over-folder"
    assert (tmp_path / "other" / kept / "mine").is_dir()


@pytest.mark.parametrize("dice", [3, 4])
def test_the_store_has_what_counts(tmp_path: Path, dice: int) -> None:
    """Matches after the decision are annulled if they were played, and gone if not; the store is whole, and over."""
    whole = finished(tmp_path / "kept", dice=dice)
    known = whole.known
    with open_store(str(tmp_path / "kept" / STORE)) as store:
        contest = store.contest()
        assert list(store.verify()) == []
        assert [played.fixture.number for played in store.played(contest.id)] == list(range(known.matches))
        vain = store.voided(contest.id)
        assert vain
        assert min(vain) >= known.matches
        (batch,) = store.progress(contest.id)
        assert (batch.complete, batch.size, batch.set_aside) == (True, known.matches + len(vain), len(vain))
        assert contest.state == "over"
    with open_store(str(tmp_path / "kept" / STORE)) as store:
        view = look(store, None)
        assert [(row.bot, row.place, row.matches) for row in view.standings().rows] == [
            ("new", 1, known.matches),
            ("old", 2, known.matches),
        ]


def test_an_annulled_match_costs_its_round(tmp_path: Path) -> None:
    """Who rules about a match in the store rules about the comparison: the round of an annulled one is left out."""
    five = msgspec.structs.replace(FAR, rounds=5)
    before = finished(tmp_path / "kept", five).known
    with open_store(str(tmp_path / "kept" / STORE)) as store:
        contest = store.contest()
        store.rule(contest.id, Ruling(0, ANNUL, 0.0, 0, "a draught", matches=(4,)))
    after = finished(tmp_path / "kept", five).known
    assert (before.matches, before.left_out) == (10, 0)
    assert (after.matches, after.left_out) == (8, 1)
