"""The law of replays as arrays, over all games; which replays the compiled loop may not play, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import numpy
import pytest

import dohyo.data
import dohyo.data.wish
from dohyo import games
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.playback import state_at
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Move, Replay, Turn
from dohyo.core.rewards import rewards_of
from dohyo.data.again import Again, _Order
from dohyo.games import all_games
from dohyo.laws.matches import begin, finish, legal_answer, play, several
from dohyo.laws.of_faults import faulty
from dohyo.laws.tally import Tally
from tests.data.plain import check, last_state, usual_match

CLASSICS = ("connect-four", "kuhn-poker", "backgammon")
GAMES = {**{game.name: game for game in all_games().values() if game.observation is not None}}
GAMES |= {name: games.find(name) for name in CLASSICS if games.find(name).observation is not None}
every_game = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
DROP_BLOCK = games.find("drop-block")


def recorded(game: Game, tally: Tally, turns: int = 1500) -> list[Replay]:
    """Matches of a game, with and without faults."""
    clean = [played.replay for played in several(game, tally, turns)]
    chance = random.Random(1)
    marred = []
    for seed in range(len(clean)):
        referee, setup = begin(game, seed)
        answer = faulty(chance.choice(list(FaultKind)), tally, 0.05)
        marred.append(finish(referee, setup, seed, answer).replay)
    return [*clean, *marred]


@every_game
def test_arrays_are_what_playback_shows(game: Game, tally: Tally) -> None:
    """What a seat saw, might do and did is as state by state in Python; what it was worth, as for learners."""
    replays = recorded(game, tally)
    for with_faults in (False, True):
        found = dohyo.data.load(replays, game=game, faulty=with_faults)
        tally["decisions"] += check(game, replays, found, with_faults)
    episodes = found.episodes
    for number, (at, seat) in enumerate(zip(episodes.match.tolist(), episodes.seat.tolist(), strict=True)):
        replay = replays[int(found.matches[at].removeprefix("replay "))]
        worth = rewards_of(game, len(replay.header.seats)).payoffs_of(last_state(game, replay))[seat]
        part = found.episode(number)
        assert numpy.allclose(found.returns[part], worth)
        assert numpy.allclose(found.rewards[part], [0] * (part.stop - part.start - 1) + [worth])
    tally.reach(decisions=300, faults=3)


@every_game
def test_the_compiled_loop_plays_matches_of_ours(game: Game, tally: Tally) -> None:
    """Of a match without faults nothing is left to plain Python: that is what makes it quick."""
    again = Again(game, dohyo.data.wish.wish())
    for played in several(game, tally, 1000, first_seed=70):
        columns = again.reader.columns(played.replay)
        assert columns.is_usual == (game.adjudicator(played.replay.header.setup) is None)
        if columns.is_usual:
            assert again.arrays(again.matched([played.replay])).plain == 0, played.replay
    tally.reach(turns=1000)


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled: each match is left to plain Python."""

    def leave(loop: object, first: int, last: int, recorded: object, written: object, *rest: object) -> None:
        written.wrong[:] = 1  # type: ignore[attr-defined]

    monkeypatch.setattr(Again, "_run", leave)


@pytest.mark.usefixtures("plainly")
@every_game
def test_plain_python_makes_the_same_arrays(game: Game, tally: Tally) -> None:
    """What the loop leaves, because it could not look at each number, is played by the referee's own rules."""
    replays = recorded(game, tally, 200)
    assert check(game, replays, dohyo.data.load(replays, game=game))


def continued(game: Game, seed: int) -> Replay:
    """A match that goes on from the middle of another one."""
    before = play(game, seed).replay
    turn = before.played // 2
    referee = Referee(game, before.header.setup, len(before.header.seats), seed, state_at(game, before, turn), turn)
    return finish(referee, before.header.setup, seed, start=referee.began).replay


@every_game
def test_a_match_that_continues_another_one(game: Game) -> None:
    """It begins in a recorded state, and has the numbers of turns that it had in the match."""
    replays = [continued(game, seed) for seed in range(3)]
    assert any(replay.header.first for replay in replays)
    assert check(game, replays, dohyo.data.load(replays, game=game))


def test_the_loop_tries_no_match_from_a_recorded_state() -> None:
    """Compiled rules look up what such a state says, and a stranger may have written it: only Python plays it."""
    game = games.find("connect-four")
    again = Again(game, dohyo.data.wish.wish())
    matches = again.matched([play(game, 1).replay, continued(game, 2)])
    order = _Order(matches, game.seats[1], game.rules.ACTIONS)
    loops, written = again._recorded(matches, order), again._written(order)
    before = loops.packed.copy()
    again._run(0, 2, loops, written, *again._rest)
    assert written.wrong.tolist() == [0, 1]
    assert (loops.packed == before).all(1).tolist() == [False, True]


def test_only_what_a_bot_chose_is_its_decision() -> None:
    """What the rules answered for it after a fault is not; a good reply beside which a fault came is."""

    def answer(referee: Referee, seat: int, chooser: random.Random) -> Answer:
        if seat == 0 and referee.turn >= 8:
            return Answer("FLY", seconds=0.1)
        beside = (Fault(FaultKind.OUTPUT, "of the test"),) if seat == 1 else ()
        return Answer(legal_answer(referee, seat, chooser).reply, beside, 0.1)

    setup = resolve(DROP_BLOCK.options, {"turns": 40})
    replay = finish(Referee(DROP_BLOCK, setup, 4, 1), setup, 1, answer).replay
    found, every = dohyo.data.load(replay), dohyo.data.load(replay, faulty=True)
    counts, with_faults = (numpy.diff(each.episodes.start).tolist() for each in (found, every))
    assert counts[0] == 2
    assert with_faults[0] > 2
    assert counts[1:] == with_faults[1:]


# --- forged replays


def other_dice(turns: list[Turn]) -> None:
    turns[0] = msgspec.structs.replace(turns[0], dice=tuple(number + 1000 for number in turns[0].dice))


def huge_dice(turns: list[Turn]) -> None:
    turns[0] = msgspec.structs.replace(turns[0], dice=tuple((1 << 62) for _ in turns[0].dice))


def other_seat(turns: list[Turn]) -> None:
    (move,) = turns[3].moves
    turns[3] = msgspec.structs.replace(turns[3], moves=(msgspec.structs.replace(move, seat=(move.seat + 1) % 4),))


def no_seat(turns: list[Turn]) -> None:
    turns[3] = msgspec.structs.replace(turns[3], moves=(Move(-1, "WAIT", 0.1),))


def no_action(turns: list[Turn]) -> None:
    turns[3] = msgspec.structs.replace(turns[3], moves=(Move(turns[3].moves[0].seat, "FLY", 0.1),))


def twice(turns: list[Turn]) -> None:
    turns[3] = msgspec.structs.replace(turns[3], moves=turns[3].moves * 2)


def other_digest(turns: list[Turn]) -> None:
    turns[5] = msgspec.structs.replace(turns[5], digest="0123abcd")


def no_digest(turns: list[Turn]) -> None:
    turns[5] = msgspec.structs.replace(turns[5], digest="12 4abcd")


def cut(turns: list[Turn]) -> None:
    del turns[-1]


def gap(turns: list[Turn]) -> None:
    del turns[4]


def more(turns: list[Turn]) -> None:
    turns.append(msgspec.structs.replace(turns[-1], turn=len(turns)))


FORGED = [other_dice, huge_dice, other_seat, no_seat, no_action, twice, other_digest, no_digest, cut, gap, more]


@pytest.mark.parametrize("forge", FORGED, ids=[forge.__name__ for forge in FORGED])
def test_a_forged_replay_has_no_rows(forge: Callable[[list[Turn]], None]) -> None:
    """Whoever changes a turn gets none of the match into the arrays; matches beside it are what they were."""
    good = [usual_match(DROP_BLOCK, seed) for seed in range(2)]
    turns = list(usual_match(DROP_BLOCK, 2).turns)
    forge(turns)
    bad = msgspec.structs.replace(usual_match(DROP_BLOCK, 2), turns=turns)
    with pytest.raises(ReplayError):
        dohyo.data.load([*good, bad])
    again = Again(DROP_BLOCK, dohyo.data.wish.wish())
    try:
        made = again.arrays(again.matched([good[0], bad, good[1]]))
    except ReplayError:
        return  # it could not even become columns
    assert list(made.failed) == [1]
    assert {*made.match.tolist()} == {0, 2}
    wanted = dohyo.data.load(good)
    assert (made.seen == wanted.observations).all()
    assert (made.actions == wanted.actions).all()


def test_a_forged_result_is_noticed() -> None:
    """What a match was worth is not what a stranger writes."""
    replay = usual_match(DROP_BLOCK, 3)
    places = replay.result.places[1:] + replay.result.places[:1]
    bad = msgspec.structs.replace(replay, result=msgspec.structs.replace(replay.result, places=places))
    with pytest.raises(OperatorError, match="result"):
        dohyo.data.load(bad)
