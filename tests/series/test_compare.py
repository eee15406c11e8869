"""Whether a bot improved: who sits where, which rounds count, whose faults are told, and bots of revisions."""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from dohyo import bots, games
from dohyo.bots import Bot
from dohyo.bots.typed_words import Named, revision
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.pool import Pool
from dohyo.match.found_bots import distinct, find_named
from dohyo.match.git_trees import FOLDER, FoundRevision, find_revision
from dohyo.sandbox import choose
from dohyo.series.compare import (
    Terms,
    Trial,
    decision,
    labels,
    same_program,
    seats_of,
)
from dohyo.series.compare_folder import ComparisonFolder
from dohyo.series.formats.comparison import MAX_LEFT_OUT, seatings
from dohyo.series.sequential import Hypotheses

Answer = Callable[[MatchOrder], MatchReport]

DUEL = games.find("wondev-woman")
FOUR = games.find("drop-block")
WIDE = Hypotheses(elo0=0, elo1=100)


class Played:
    """An executor whose matches end as `answer` says, a few at a time, in an order of the dice."""

    workers = 1

    def __init__(self, answer: Answer, dice: int | None = None, ahead: int = 30) -> None:
        self.answer, self.ahead = answer, ahead
        self.dice = random.Random(dice) if dice is not None else None
        self.taken = 0
        self.is_closed = False

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        waiting: list[MatchOrder] = []
        rest = iter(orders)
        try:
            while True:
                while len(waiting) < self.ahead and (order := next(rest, None)) is not None:
                    waiting.append(order)
                    self.taken += 1
                if not waiting:
                    return
                yield self.answer(waiting.pop(self.dice.randrange(len(waiting)) if self.dice else 0))
        finally:
            self.is_closed = True

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Played:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""


def bot(name: str, digest: str = "") -> Bot:
    """A bot that nobody starts."""
    return Bot(name, ("/bin/false",), "/", digest or name, "python")


def better(order: MatchOrder) -> MatchReport:
    """The bot called `new` wins two matches of three, by the order's seed and seat."""
    lucky = random.Random(order.seed).random() < 2 / 3
    places = tuple(1 if (bot.name == "new") == lucky else 2 for bot in order.bots)
    return MatchReport(order.key, places=places)


def state(trial: Trial) -> tuple[object, ...]:
    """What is known, as a value."""
    known = trial.known
    return known.verdict, known.matches, known.won, known.tied, known.lost, known.pairs


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("baselines", [1, 2, 3, 4])
def test_every_seating_of_a_round(baselines: int, seats: int) -> None:
    """The candidate sits once in a match and equally often on every seat; baselines sit equally often."""
    found = seatings(baselines, seats)
    assert all(len(seated) == seats and seated.count(0) == 1 for seated in found)
    assert set(Counter(seated.index(0) for seated in found).values()) == {len(found) // seats}
    sat = Counter(entrant for seated in found for entrant in seated)
    assert set(sat) == set(range(baselines + 1))
    assert len({sat[entrant] for entrant in range(1, baselines + 1)}) == 1


@pytest.mark.parametrize(("baselines", "seats", "others"), [(1, 3, 1), (1, 4, 1), (2, 4, 3), (3, 4, 2), (2, 8, 1)])
def test_bots_that_all_play_against(baselines: int, seats: int, others: int) -> None:
    """They sit equally often, as baselines do among themselves, and a baseline is in every match."""
    found = seatings(baselines, seats, others)
    assert all(len(seated) == seats and seated.count(0) == 1 for seated in found)
    sat = Counter(entrant for seated in found for entrant in seated)
    assert set(sat) == set(range(1 + baselines + others))
    assert len({sat[entrant] for entrant in range(1, baselines + 1)}) == 1
    assert len({sat[entrant] for entrant in range(baselines + 1, 1 + baselines + others)}) == 1
    assert all(any(1 <= entrant <= baselines for entrant in seated) for seated in found)


@pytest.mark.parametrize("baselines", [1, 2, 3])
def test_results_against_them_do_not_count(baselines: int) -> None:
    """Equal bots are equal to the half point, whatever the seats beside the others are worth, and who beats these."""

    def by_seat(order: MatchOrder) -> MatchReport:
        known = [bot.name if bot.name in ("o", "p") else "" for bot in order.bots]
        dice = random.Random(f"{order.seed} {known}")
        places = {seat: dice.randint(1, 4) for seat in range(4)}
        weak = [4 if name else places[seat] for seat, name in enumerate(known)]
        faults = tuple(("timeout",) if name == "p" else () for name in known)
        return MatchReport(order.key, places=tuple(weak), faults=faults)

    names = ["new", *["a", "b", "c"][:baselines], "o", "p"]
    terms = Terms(seed=5, seats=4, rounds=20, hypotheses=None)
    trial = Trial(FOUR, [bot(name) for name in names], terms, others=2)
    for _ in trial.play(Played(by_seat)):
        pass
    known = trial.known
    assert (known.verdict.better, round(known.verdict.elo, 6), known.won) == (None, 0, known.lost)
    assert known.verdict.clusters == 20
    assert len(known.against) == baselines
    met = max(1, min(baselines, 2)) * known.matches  # seats of baselines
    assert known.won + known.tied + known.lost == met
    assert [conduct.matches > 0 for conduct in known.conduct] == [False] * (1 + baselines) + [False, True]


def test_a_pair_is_both_seatings() -> None:
    """Of two seats and one baseline a round is the pair of chess testing."""
    assert seatings(1, 2) == [(0, 1), (1, 0)]
    assert [seated.index(0) for seated in seatings(1, 4)] == [0, 1, 2, 3]


def test_seats_follow_from_the_bots() -> None:
    """As many seats as bots where the game can be played so; another number must be one of the game's."""
    any_number = games.find("abotcalypse")
    assert [seats_of(DUEL, 3), seats_of(FOUR, 1), seats_of(any_number, 1), seats_of(any_number, 4)] == [2, 4, 2, 5]
    assert seats_of(any_number, 1, 6) == 6
    assert [seats_of(FOUR, 1, None, 1), seats_of(any_number, 1, None, 2)] == [4, 4]
    for game, given in ((DUEL, None), (any_number, 2)):
        with pytest.raises(OperatorError) as error:
            seats_of(game, 1, given, 1)
        assert error.value.key == "compare-no-seat-left"
    for game, wanted in ((DUEL, 3), (any_number, 1), (FOUR, 2)):
        with pytest.raises(OperatorError) as error:
            seats_of(game, 1, wanted)
        assert error.value.key == "compare-seats"


@pytest.mark.parametrize("dice", range(5))
def test_the_decision_does_not_depend_on_who_is_done_first(dice: int) -> None:
    """Whatever the order of reports, the same rounds count, and nothing is played once it is decided."""
    first = Trial(DUEL, [bot("new"), bot("old")], Terms(seed=5, hypotheses=WIDE))
    rounds = [known.verdict.clusters for known in first.play(Played(better, ahead=1))]
    assert decision(first.known.verdict) == "better"
    assert rounds == list(range(1, first.known.verdict.clusters + 1))
    other = Trial(DUEL, [bot("new"), bot("old")], Terms(seed=5, hypotheses=WIDE))
    executor = Played(better, dice)
    for known in other.play(executor):
        assert known.matches == 2 * known.verdict.clusters
    assert state(other) == state(first)
    assert executor.is_closed
    assert executor.taken < first.known.matches + 10 * executor.ahead


def test_a_seed_is_played_by_all_seatings() -> None:
    """The matches of a round have one seed, those of others another, and all follow from the trial's seed."""
    orders: list[MatchOrder] = []

    def drawn(order: MatchOrder) -> MatchReport:
        orders.append(order)
        return MatchReport(order.key, places=(1,) * 4)

    terms = Terms(seed=9, seats=4, rounds=3, setup={"turns": 8}, sandbox="none")
    trial = Trial(FOUR, [bot("new"), bot("a"), bot("b")], terms)
    for _ in trial.play(Played(drawn)):
        pass
    by_seed = Counter(order.seed for order in orders)
    assert list(by_seed.values()) == [8, 8, 8]
    assert {order.sandbox for order in orders} == {"none"}
    assert trial.known.verdict.better is None
    assert (trial.known.won, trial.known.tied, trial.known.lost) == (0, 72, 0)
    assert trial.known.pairs is None


@pytest.mark.parametrize(("game", "seats", "rounds"), [(DUEL, 2, 20), (FOUR, 4, 10)])
def test_each_baseline_is_told_by_itself(game: Game, seats: int, rounds: int) -> None:
    """Who always wins against one baseline, draws with another and loses to the last is told so, not in the mean."""
    rank = {"weak": 3, "new": 2, "even": 2, "strong": 1}

    def ranked(order: MatchOrder) -> MatchReport:
        own = [rank[bot.name.partition(" ")[0]] for bot in order.bots]
        return MatchReport(order.key, places=tuple(1 + sum(other < one for other in own) for one in own))

    names = ["new", "weak", "even", "strong", "strong"]
    trial = Trial(game, [bot(name) for name in names], Terms(seats=seats, rounds=rounds))
    for _ in trial.play(Played(ranked)):
        pass
    known, each = trial.known, trial.known.against
    met = rounds * len(trial.round) * (seats - 1) // 4
    assert [(one.won, one.tied, one.lost) for one in each] == [(met, 0, 0), (0, met, 0), (0, 0, met), (0, 0, met)]
    assert (known.won, known.tied, known.lost) == (met, met, 2 * met)
    assert [one.matches for one in each] == [met] * 4
    assert [one.counts for one in each] == [{1.0: rounds}, {0.5: rounds}, {0.0: rounds}, {0.0: rounds}]
    (elo, low, _, los), even, strong, _ = (one.estimate for one in each)
    assert elo > low > 0
    assert los > 0.99
    assert even == pytest.approx((0, even[1], -even[1], 0.5))
    assert strong == pytest.approx((-elo, -2 * elo + low, -low, 1 - los))


@pytest.mark.parametrize(("game", "seats"), [(DUEL, 2), (FOUR, 4)])
def test_each_seat_is_told_by_itself(game: Game, seats: int) -> None:
    """Who wins on the first seat and loses on the others is told so, by seat and by seat and baseline; sums agree."""

    def first_wins(order: MatchOrder) -> MatchReport:
        return MatchReport(order.key, places=(1, *[2] * (seats - 1)))

    trial = Trial(game, [bot(name) for name in ("new", "a", "b")], Terms(seats=seats, rounds=10))
    for _ in trial.play(Played(first_wins)):
        pass
    known, tables = trial.known, len(trial.round) // seats
    met = 10 * tables * (seats - 1)
    assert [(part.won, part.lost) for part in known.seats[:2]] == [(met, 0), (0, met // (seats - 1))]
    assert {part.matches for part in known.seats} == {10 * tables}
    assert known.seats[0].share[0] == 1
    assert known.seats[0].share[1] > 0.6
    assert [part.counts for part in known.seats] == [{1.0: 10}, *[{(seats - 2) / 2 / (seats - 1): 10}] * (seats - 1)]
    for name in ("matches", "won", "tied", "lost"):
        whole = sum(getattr(part, name) for part in known.seats)
        assert name == "matches" or whole == getattr(known, name)
        for at, part in enumerate(known.seats):
            parts = [one.seats[at] for one in known.against]
            assert name == "matches" or sum(getattr(one, name) for one in parts) == getattr(part, name)
        for one in known.against:
            assert sum(getattr(part, name) for part in one.seats) == getattr(one, name)


def test_one_baseline_is_the_whole() -> None:
    """Against a lone baseline its part equals all that is known."""
    trial = Trial(DUEL, [bot("new"), bot("old")], Terms(seed=5, hypotheses=WIDE))
    for _ in trial.play(Played(better)):
        pass
    verdict, (only,) = trial.known.verdict, trial.known.against
    assert only.estimate == (verdict.elo, verdict.elo_low, verdict.elo_high, verdict.los)
    assert only.matches == trial.known.matches == only.won + only.tied + only.lost
    assert sum(only.counts.values()) == verdict.clusters


def test_faults_are_told_by_bot() -> None:
    """Faults count by kind, with the matches in which there were any, and those of them that were lost."""

    def faulty(order: MatchOrder) -> MatchReport:
        own = [bot.name for bot in order.bots].index("new")
        places = tuple(2 if seat == own and own == 0 else 1 for seat in range(2))
        kinds = tuple(("timeout", "illegal") if seat == own else () for seat in range(2))
        return MatchReport(order.key, places=places, faults=kinds)

    trial = Trial(DUEL, [bot("new"), bot("old")], Terms(rounds=4))
    for _ in trial.play(Played(faulty)):
        pass
    mine, theirs = trial.known.conduct
    assert (mine.faults, mine.matches, mine.lost) == ({"timeout": 8, "illegal": 8}, 8, 4)
    assert (theirs.faults, theirs.matches, theirs.lost) == ({}, 0, 0)
    assert trial.known.pairs == (0, 4, 0, 0, 0)


def test_a_match_that_cannot_be_played_ends_it() -> None:
    """An operator's mistake stays one, with the match's number; a defect of ours stays a defect."""
    for error, expected in (("There is no sandbox.", OperatorError), ("Traceback (most ...", RuntimeError)):
        trial = Trial(DUEL, [bot("new"), bot("old")], Terms())
        with pytest.raises(expected, match=r"There is no sandbox|Traceback"):
            list(trial.play(Played(lambda order, said=error: MatchReport(order.key, error=said))))  # type: ignore[misc]


def test_a_round_that_was_disturbed_is_left_out() -> None:
    """A match in which Dohyo stood still at every attempt costs its round and no other; the others count as ever."""

    def disturbed(order: MatchOrder) -> MatchReport:
        if order.key in ("21", "24", "25"):
            return MatchReport(order.key, error="Dohyo itself stood still.", disturbed=True)
        return better(order)

    trial = Trial(DUEL, [bot("new"), bot("old")], Terms(seed=5, rounds=20))
    told = [(known.verdict.clusters, known.left_out) for known in trial.play(Played(disturbed))]
    assert told[9:14] == [(10, 0), (10, 1), (11, 1), (11, 2), (12, 2)]
    assert (told[-1], trial.known.matches, len(told)) == ((18, 2), 36, 20)
    assert trial.known.won + trial.known.lost == 36


def test_a_machine_that_never_runs_ends_it() -> None:
    """Where every round is left out the comparison ends by itself, with what stood still."""

    def disturbed(order: MatchOrder) -> MatchReport:
        return MatchReport(order.key, error="Dohyo itself stood still.", disturbed=True)

    trial = Trial(DUEL, [bot("new"), bot("old")], Terms())
    with pytest.raises(OperatorError, match="stood still"):
        list(trial.play(Played(disturbed)))
    assert trial.known.left_out == MAX_LEFT_OUT - 1


def test_a_machine_that_never_ran_ends_it_when_it_goes_on(tmp_path: Path) -> None:
    """However many rounds in a row were left out before, the next one that is disturbed ends it, and is told."""

    def disturbed(order: MatchOrder) -> MatchReport:
        return MatchReport(order.key, error="Dohyo itself stood still.", disturbed=True)

    for _ in range(3):
        with ComparisonFolder(tmp_path / "kept") as folder, pytest.raises(OperatorError, match="stood still"):
            for _ in Trial(DUEL, [bot("new"), bot("old")], Terms(), folder).play(Played(disturbed)):
                pass


def test_terms_that_cannot_be() -> None:
    """A seed, a number of rounds and a setup that cannot be are refused before anything is built."""
    for terms in (Terms(seed=-1), Terms(rounds=0), Terms(setup={"leage": "wood1"})):
        with pytest.raises(OperatorError):
            terms.check(DUEL)


def test_bots_of_one_name_are_told_apart() -> None:
    """Names are numbered where several bots share one, and a baseline that is the candidate is noticed."""
    found = [bot("a", "1"), bot("a", "2"), bot("b", "1")]
    assert labels(found) == ["a (1)", "a (2)", "b"]
    assert same_program(found) == [2]


def test_different_bots_of_one_name_are_called_as_they_were_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the last part of the path where that tells them apart, else by all of it; a name of one alone stays."""
    for number, folder in enumerate(("v1", "v2", "old/v2", "w")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "main.py").write_text(f"print({number})\n")
        (tmp_path / folder / "bot.toml").write_text(f'name = "{"second" if folder == "w" else "first"}"\n')
    monkeypatch.chdir(tmp_path)
    found = find_named(DUEL, ["v1/", "v2", "old/v2", "w", "v1", "a=v1", "a=w"], None, choose("none"))
    assert [each.name for each in found] == [
        *("first (v1)", "first (v2)", "first (old/v2)"),
        *("second", "first (v1)", "a (v1)", "a (w)"),
    ]
    named, alike = [Named("", path) for path in ("v1", "v2", "v2", "v2")], [bot("x", digest) for digest in "1232"]
    assert distinct(["x"] * 4, named, alike) == ["x (v1)", "x (2)", "x (3)", "x (2)"]


@pytest.mark.usefixtures("nobody_left")
def test_a_climber_is_better_than_dice() -> None:
    """Real programs in a pool: the test knows after some pairs, and the replays' faults are none."""
    clock = Clock(turn=60.0, ready=60.0)
    terms = Terms(seed=3, clock=clock, sandbox="none", hypotheses=Hypotheses(elo0=0, elo1=600), rounds=40)
    trial = Trial(DUEL, find_named(DUEL, ["climber", "random"], None, choose("none")), terms)
    with Pool(2) as pool:
        *_, last = trial.play(pool)
    assert last is trial.known
    assert decision(last.verdict) == "better"
    assert last.lost == 0
    assert [conduct.matches for conduct in last.conduct] == [0, 0]


# --- bots of revisions


def found_at(word: str, candidate: str) -> FoundRevision:
    """The bot that `git:...` means."""
    asked = revision(word)
    assert asked is not None
    return find_revision(asked, candidate)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two revisions of a bot, which says what a module beside it says."""
    git = "git"
    root = tmp_path / "repository"
    (root / "bots").mkdir(parents=True)
    for words in ("init -q", "config user.name somebody", "config user.email somebody@example.org"):
        subprocess.run([git, "-C", root, *words.split()], check=True)
    for number in (1, 2):
        (root / "bots" / "mine.py").write_text("import word\nprint(word.WORD)\n")
        (root / "bots" / "word.py").write_text(f"WORD = 'revision {number}'\n")
        subprocess.run([git, "-C", root, "add", "."], check=True)
        subprocess.run([git, "-C", root, "commit", "-qm", str(number)], check=True)
    subprocess.run([git, "-C", root, "tag", "v1", "HEAD~1"], check=True)
    (root / "bots" / "word.py").write_text("WORD = 'not yet committed'\n")
    return root


def said_by(path: str) -> str:
    """What the bot at this place says."""
    (found,) = bots.resolve([path])
    done = subprocess.run(found.command, cwd=found.folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def status_of(repository: Path) -> bytes:
    """What git tells of the working tree and the index."""
    return subprocess.run(
        ["git", "-C", repository, "status", "--porcelain=v2", "--branch"], capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("spec", ["git:HEAD~1", "git:v1", "git:v1:bots/mine.py", "git:HEAD~1:./bots/../bots/mine.py"])
def test_a_bot_as_it_was(repository: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A revision's bot runs with the files beside it as they were then; the repository stays as it is."""
    monkeypatch.chdir(repository / "bots")
    before = status_of(repository)
    found = found_at(spec, "mine.py")
    assert said_by(found.path) == "revision 1"
    assert said_by("mine.py") == "not yet committed"
    assert status_of(repository) == before
    assert found_at(spec, "mine.py") == found
    assert [path.name for path in Path(os.environ["DOHYO_CACHE"], FOLDER).iterdir()] == [found.commit]


def test_the_repository_of_the_candidate(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of any repository, the candidate's own is meant; a folder can be a bot, and the root too."""
    monkeypatch.chdir(repository.parent)
    assert said_by(found_at("git:HEAD", "repository/bots/mine.py").path) == "revision 2"
    assert found_at("git:v1:bots", "repository/bots").path.endswith("/bots")
    assert found_at("git:v1", "repository/bots").path.endswith("/bots")
    assert Path(found_at("git:v1", "repository").path, "bots", "mine.py").is_file()


def test_a_revision_has_a_name(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compared bot is called by its name and revision; a commit by its first letters."""
    monkeypatch.chdir(repository)
    whole = found_at("git:v1", "bots/mine.py").commit
    found = find_named(DUEL, ["bots/mine.py", "git:v1", f"git:{whole}", "random"], None, choose("none"))
    assert [each.name for each in found] == ["mine", "mine@v1", f"mine@{whole[:10]}", "random"]
    assert found[1].digest == found[2].digest != found[0].digest


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("git:v7", "revision-unknown"),
        ("git:", "revision-unknown"),
        ("git:--all", "revision-unknown"),
        ("git:HEAD:bots/other.py", "revision-no-path"),
        ("git:HEAD:../x", "revision-no-path"),
    ],
)
def test_what_is_not_there(repository: Path, spec: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A revision or a path that is not there is named, and nothing is written."""
    monkeypatch.chdir(repository)
    with pytest.raises(OperatorError) as error:
        found_at(spec, "bots/mine.py")
    assert error.value.key == key
    assert not Path(os.environ["DOHYO_CACHE"], FOLDER).exists()


def test_no_repository_and_no_path(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a repository, or without a word on which bot is meant, one sentence says what is missing."""
    monkeypatch.chdir(repository)
    with pytest.raises(OperatorError) as error:
        found_at("git:HEAD", "climber")
    assert error.value.key == "revision-which-bot"
    monkeypatch.chdir("/")
    with pytest.raises(OperatorError) as error:
        found_at("git:HEAD:bots/mine.py", "climber")
    assert error.value.key == "revision-no-repository"
    monkeypatch.setenv("PATH", "/no/such/folder")
    with pytest.raises(OperatorError) as error:
        found_at("git:HEAD", "climber")
    assert error.value.key == "revision-no-git"


def test_terms_travel() -> None:
    """What a comparison is played on can be told as JSON."""
    assert msgspec.json.decode(msgspec.json.encode(Terms()))["hypotheses"]["elo1"] == 10
