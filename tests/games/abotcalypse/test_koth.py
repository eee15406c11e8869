"""The program `koth`, by script: who plays, in which games, what is told, what is kept."""

from __future__ import annotations

import msgspec
import pytest

from dohyo.core.dialogue import Entrant, Play, Played
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.options import resolve
from dohyo.games.abotcalypse import GAME
from dohyo.games.abotcalypse.koth import KOTH, leaderboard, seed_of
from tests.games.abotcalypse.contests import Scripted, lapse, played

ALICE, BOB = Entrant("alice"), Entrant("bob")


def both(play: Play) -> Played:
    """Alice scores ten times the game's number, Bob the same backwards; both die in mid-game."""
    return played({"alice": 200 + play.number, "bob": 210 - play.number})


def test_leaderboard_is_the_challenge_s_own() -> None:
    """Descending by total: name padded to 20, an arrow, scores of three places joined by +, the total."""
    assert leaderboard({"Thrower": [7, 31, 500], "A name of more than 20 letters": [1, 2, 3], "B": [500, 38, 0]}) == [
        "Thrower              ->   7+ 31+500 = 538",
        "B                    -> 500+ 38+  0 = 538",
        "A name of more than 20 letters ->   1+  2+  3 = 6",
    ]
    assert leaderboard({"x": [1000]}) == ["x                    -> 1000 = 1000"]


def test_whole_contest() -> None:
    """Every bot is in every game, in order; each game is told; the leaderboard comes last and is kept every time."""
    contest = Scripted([ALICE, BOB], both).run(n=3)
    assert contest.status == 0
    assert [(play.names, play.number) for play in contest.plays] == [(("alice", "bob"), n) for n in (1, 2, 3)]
    assert contest.lines == [
        "Bots: 2. Games: 3, of at most 500 turns each.",
        "Game 1 of 3: alice 201, bob 209",
        "Game 2 of 3: alice 202, bob 208",
        "Game 3 of 3: alice 203, bob 207",
        "",
        "bob                  -> 209+208+207 = 624",
        "alice                -> 201+202+203 = 606",
    ]
    assert [name for name, _ in contest.kept] == ["leaderboard.txt"] * 3
    assert contest.kept[0][1] == "bob                  -> 209 = 209\nalice                -> 201 = 201\n"
    assert contest.kept[-1][1].splitlines() == contest.lines[-2:]


def test_defaults_are_those_of_the_challenge() -> None:
    """Ten games of 500 turns by the text's rules; what is asked for goes into the setup, which the game takes."""
    contest = Scripted([ALICE, BOB], both).run()
    assert len(contest.plays) == 10
    assert {(play.setup["turns"], play.setup["rules"]) for play in contest.plays} == {(500, "post")}
    other = Scripted([ALICE, BOB], both).run(n=1, turns=7, rules="classic").plays[0]
    setup = resolve(GAME.options, other.setup)
    assert (setup["turns"], setup["rules"]) == (7, "classic")


def test_each_game_has_a_seed_of_its_own() -> None:
    """The contest's seed decides every game's; neighbouring contests share none."""
    seeds = [[play.seed for play in Scripted([ALICE, BOB], both).run(seed).plays] for seed in (7, 7, 8)]
    assert seeds[0] == seeds[1] == [seed_of(7, number) for number in range(1, 11)]
    assert len({*seeds[0], *seeds[2]}) == 20
    assert all(0 <= seed < 2**63 for seed in seeds[0])
    assert seed_of(7, 1) == 532574017801529143


def test_a_game_that_was_disturbed_counts_for_nobody() -> None:
    """A game in which Dohyo itself stood still to the last is told of; neither its scores nor its faults count."""

    def second(play: Play) -> Played:
        sound = both(play)
        late = (lapse("alice", 3, FaultKind.TIMEOUT),)
        return msgspec.structs.replace(sound, lapses=late, disturbed=1.5) if play.number == 2 else sound

    contest = Scripted([ALICE, BOB], second).run(n=3)
    assert contest.lines == [
        "Bots: 2. Games: 3, of at most 500 turns each.",
        "Game 1 of 3: alice 201, bob 209",
        "Game 2 of 3 counts for nobody: Dohyo itself was stopped each time that it was tried (suspended, or the"
        " machine asleep).",
        "Game 3 of 3: alice 203, bob 207",
        "",
        "bob                  -> 209+207 = 416",
        "alice                -> 201+203 = 404",
    ]


# --- who takes part


def test_who_cannot_play_is_left_out() -> None:
    """A bot that cannot be built is told of, and the others play without it."""
    contest = Scripted([Entrant("carol", "It does not build."), ALICE, BOB], both).run(n=1)
    assert contest.lines[0] == "carol does not take part: It does not build."
    assert [request.name for request in contest.examined] == ["alice", "bob"]
    assert contest.plays[0].names == ("alice", "bob")


def test_who_misbehaves_plays_all_the_same() -> None:
    """What a short examination finds is told; the bot stays in."""
    contest = Scripted([ALICE, BOB], both, {"bob": ["turn 1: no answer.", "It is slow."]}).run(n=1)
    assert [line for line in contest.lines if line.startswith("bob misbehaves")] == [
        "bob misbehaves (it takes part, and rests where it fails): turn 1: no answer.",
        "bob misbehaves (it takes part, and rests where it fails): It is slow.",
    ]
    assert contest.plays[0].names == ("alice", "bob")
    assert all(request.setup["turns"] < 10 for request in contest.examined)


def test_nobody_left() -> None:
    """Where no bot can be used, there is no contest: the operator is told."""
    contest = Scripted([Entrant("carol", "It does not build.")], both)
    with pytest.raises(OperatorError, match="None of the bots can be used"):
        contest.run()
    assert contest.lines == ["carol does not take part: It does not build."]
    assert contest.plays == []


# --- what is told at the end


def test_faults_are_summed_up() -> None:
    """A line for each bot and kind of fault: in how many turns, where first; answers with a fault apart."""

    def match(play: Play) -> Played:
        faults = [lapse("bob", 31), lapse("bob", 40), lapse("bob", 41, FaultKind.MALFORMED, answered=True)]
        once = [lapse("bob", 7, FaultKind.EXITED)]
        return played({"alice": 201, "bob": 209}, (), faults if play.number > 1 else once)

    contest = Scripted([ALICE, BOB], match).run(n=3)
    assert [line for line in contest.lines if line.startswith("bob: ")] == [
        "bob: 1 turn without an answer (exited), in game 1 turn 7",
        "bob: 2 turns with a fault (malformed), first in game 2 turn 41",
        "bob: 4 turns without an answer (time-out), first in game 2 turn 31",
    ]
    assert not any(line.startswith("alice: ") for line in contest.lines)


@pytest.mark.parametrize(
    ("scores", "survivors", "advice"),
    [
        ((500, 500, 300), 2, ["longer games would tell them apart better, --turns 1000"]),
        ((500, 300, 300), 1, []),
        ((500, 300), 1, []),  # half are not most
        ((100, 100, 300), 0, ["within the first 100 turns (4 of 6): more games would even out their luck, -n 4"]),
        ((100, 101, 300), 0, []),
        ((500, 101, 100), 0, []),  # to die in the last turn is not to survive
    ],
)
def test_advice_for_the_next_contest(scores: tuple[int, ...], survivors: int, advice: list[str]) -> None:
    """Where most survive, longer games; where most die early, more of them; otherwise nothing."""
    names = ("a", "b", "c")[: len(scores)]
    contest = Scripted(
        [Entrant(name) for name in names],
        lambda play: played(dict(zip(names, scores, strict=True)), names[:survivors]),
    ).run(n=2)
    told = [line for line in contest.lines if line.startswith("Most bots")]
    assert len(told) == len(advice)
    assert all(wanted in line for wanted, line in zip(advice, told, strict=True))


def test_advice_is_never_what_the_program_refuses() -> None:
    """At the largest sizes there is nothing larger to suggest."""
    largest = {option.name: int(option.takes.split()[-1]) for option in KOTH.options if option.name != "rules"}
    survive = Scripted([ALICE], lambda play: played({"alice": 1}, ["alice"])).run(n=1, turns=largest["turns"])
    assert not any(line.startswith("Most bots") for line in survive.lines)
    die = Scripted([ALICE], lambda play: played({"alice": 1})).run(n=largest["n"])
    assert not any(line.startswith("Most bots") for line in die.lines)


# --- interrupted


def test_interrupted_contest_ends_with_what_was_finished() -> None:
    """The game that was interrupted does not count, no other begins; the leaderboard is that of the finished ones."""
    contest = Scripted([ALICE, BOB], lambda play: both(play) if play.number < 3 else None).run()
    assert len(contest.plays) == 3
    assert contest.lines[-2:] == [
        "bob                  -> 209+208 = 417",
        "alice                -> 201+202 = 403",
    ]
    assert contest.kept[-1][1].splitlines() == contest.lines[-2:]


def test_interrupted_in_the_first_game() -> None:
    """There is no leaderboard then, and nothing is kept."""
    contest = Scripted([ALICE, BOB], lambda play: None).run()
    assert contest.lines == ["Bots: 2. Games: 10, of at most 500 turns each."]
    assert contest.kept == []
