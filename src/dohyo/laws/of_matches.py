"""Laws of the match: it ends, with a result that can be; the same seed plays it again; a replay reproduces it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import RULES, Chance, Game
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.laws.matches import (
    Answering,
    Played,
    about,
    begin,
    check_result,
    finish,
    header,
    legal_answer,
    play,
    setups,
    several,
)
from dohyo.laws.tally import Tally

EVENTS_BY_DEFAULT = RULES["EVENTS_A_TURN"]


def a_random_match_ends(game: Game, tally: Tally) -> None:
    """Random legal play comes to an end, with places, a winner or none, and a reason that has words.

    Over many matches somebody wins; how often players share a place is counted.
    """
    for played in several(game, tally, 300_000 if tally.part == 1 else 20_000):
        check_result(game, played.replay.result, len(played.replay.header.seats))
        reason, places = played.replay.result.reason_key, played.replay.result.places
        tally[f"ended: {game.catalogue.get('en', {}).get(reason, reason)}"] += 1
        tally["shared places"] += len(set(places)) < len(places)
        tally["winners"] += played.replay.result.winner is not None
    tally.reach(matches=10, turns=20_000, winners=5)


def the_same_seed_plays_the_same_match(game: Game, tally: Tally) -> None:
    """Seed and replies decide every byte of the replay; another seed rolls other dice, if there are any."""
    for first in several(game, tally, 5000, first_seed=50):
        seed = first.replay.header.seed
        assert encode(play(game, seed).replay) == encode(first.replay), "the same seed played another match"
    if game.chance is not Chance.NEVER:
        every = range(0, 40 * len(setups(game)), len(setups(game)))
        dice = {tuple(turn.dice for turn in play(game, seed).replay.turns) for seed in every}
        tally["different dice"] = len(dice)
        assert len(dice) > 1, "every seed rolls the same dice"  # a coin has but two sides
    tally.reach(turns=5000)


def a_replay_reproduces_every_state(game: Game, tally: Tally) -> None:
    """Written and read, a replay gives every state that the players saw again, and its result is verified."""
    reproduce(game, tally, compressed=False)


def a_compressed_replay_reproduces_every_state(game: Game, tally: Tally) -> None:
    """So does one that is written compressed."""
    reproduce(game, tally, compressed=True)


def reproduce(game: Game, tally: Tally, compressed: bool) -> None:
    """Write and read replays of matches, and compare what they lead to."""
    turns = 1000 if compressed else 10_000  # the states do not know how the text was written
    for played in several(game, tally, turns, first_seed=100):
        read = decode(encode(played.replay, compressed))
        assert encode(read) == encode(played.replay)
        shown = max((abs(number) for turn in read.turns for number in turn.dice), default=0)
        assert shown <= game.rules.MAX_DIE, f"a die has shown {shown}: the rules need MAX_DIE"
        moments = [moment for moment in playback.moments(game, read) if moment.turn.moves]
        pack = game.rules.LAYOUT.pack
        assert [pack(moment.before) for moment in moments] == played.seen[: len(moments)]
        tally["events"] += sum(len(moment.events) for moment in moments)
        assert playback.verify(game, read) == len(read.turns)
        if moments:
            assert pack(playback.state_at(game, read, len(moments))) == played.seen[-1]
    omitted = game.rules.EVENTS_A_TURN == EVENTS_BY_DEFAULT  # then it need not have any
    assert omitted or tally["events"], "the rules have room for events, and emit none"
    tally.reach(turns=turns)


def a_changed_move_is_found(game: Game, tally: Tally) -> None:
    """A replay whose moves, dice or digests say anything else than what was played is not verified."""
    chooser = random.Random(5)
    for played in several(game, tally, 5000, first_seed=200):
        replay = played.replay
        if not replay.turns or not any(turn.moves for turn in replay.turns):
            continue
        at = chooser.randrange(len(replay.turns))
        turn = replay.turns[at]
        kept = turn.digest
        turn.digest = f"{int(kept, 16) ^ 1:08x}"
        tally["changes"] += 1
        assert_refused(game, replay)
        turn.digest = kept
        del replay.turns[at]
        tally["changes"] += 1
        assert_refused(game, replay)
    tally.reach(changes=10)


def assert_refused(game: Game, replay: Replay) -> None:
    """Fail unless a replay is not verified."""
    try:
        playback.verify(game, replay)
    except ReplayError:
        return
    raise AssertionError("a replay that says anything else than what was played is verified")


def a_match_can_be_taken_up_anywhere(game: Game, tally: Tally) -> None:
    """From any turn of a replay another match begins, with the state that the players saw, and its replay holds."""
    chooser = random.Random(6)
    for played in several(game, tally, 5000, first_seed=300):
        if len(played.seen) < 2:
            continue
        turn = chooser.randrange(len(played.seen) - 1)
        again = taken_up(game, played, turn, played.replay.header.seed + 1)
        assert again.seen[0] == played.seen[turn]
        read = decode(encode(again.replay))
        playback.verify(game, read)
        later = turn + chooser.randrange(len(again.seen))
        assert game.rules.LAYOUT.pack(playback.state_at(game, read, later)) == again.seen[later - turn]
        tally["taken up"] += 1
    tally.reach(**{"taken up": 5})


def a_match_that_is_taken_up_can_go_as_it_went(game: Game, tally: Tally) -> None:
    """Taken up at any turn, the same seed and replies lead to the same future, number by number, dice and all.

    Another seed rolls other dice, where the dice move again.
    """
    chooser = random.Random(8)
    for played in several(game, tally, 5000, first_seed=400):
        if len(played.seen) < 2:
            continue
        turns, seed = played.replay.turns, played.replay.header.seed
        turn = chooser.randrange(len(played.seen) - 1)
        again, other = (taken_up(game, played, turn, one, repeated(played)) for one in (seed, seed + 1))
        assert again.seen == played.seen[turn:], "the same seed and replies led to another future"
        assert again.replay.result == played.replay.result
        # The first turn's dice are in the state that the match was taken up with.
        assert again.replay.turns == [msgspec.structs.replace(turns[turn], dice=()), *turns[turn + 1 :]]
        rolls = [line.dice for line in turns[turn + 1 :]]
        tally["taken up"] += 1
        tally["dice again"] += any(rolls)
        tally["other dice"] += [line.dice for line in other.replay.turns[1:]] != rolls
    tally.reach(**{"taken up": 5})
    if game.chance is Chance.EVERY_TURN:
        tally.reach(**{"dice again": 5, "other dice": 5})


def taken_up(game: Game, played: Played, turn: int, seed: int, answer: Answering = legal_answer) -> Played:
    """The match that begins in a turn of another one, played to its end."""
    setup = played.replay.header.setup
    state = playback.state_at(game, played.replay, turn)
    start = game.rules.LAYOUT.as_dict(state)
    referee = Referee(game, setup, len(played.replay.header.seats), seed, state, turn)
    return finish(referee, setup, seed, answer, start)


def repeated(played: Played) -> Answering:
    """Answers as they were in another match, turn by turn; whatever is legal to whoever was not asked then."""

    def answer(referee: Referee, seat: int, chooser: random.Random) -> Answer:
        legal = [*referee.game.legal_actions(referee.state, seat), *referee.game.rules.CONCESSIONS]
        for turn in played.replay.turns[referee.turn : referee.turn + 1]:
            for move in turn.moves:
                if move.seat == seat and referee.game.protocol.read(move.action) in legal:
                    return Answer(move.action, seconds=move.seconds)
        return legal_answer(referee, seat, chooser)

    return answer


def an_interrupted_match_is_kept(game: Game, tally: Tally) -> None:
    """A match that stops after any turn leaves a replay that says so, and is verified as far as it goes."""
    chooser = random.Random(7)
    possible = 0
    for seed in range(40):
        referee, setup = played_for(game, seed, chooser.randrange(30))
        if referee.over:  # a short match stops earlier
            possible += max(0, referee.turn - 1)
            referee, setup = played_for(game, seed, chooser.randrange(max(1, referee.turn)))
        else:
            possible += referee.turn
        if referee.over:
            continue
        played = referee.turn
        head = header(referee, setup, seed)
        result = referee.result({0: Answer(stderr="last words")})
        read = decode(encode(Replay(head, referee.turns, result)))
        assert read.result.unfinished
        assert read.result.last[0].stderr == "last words"
        assert read.result.places == ()
        assert len([turn for turn in read.turns if turn.moves]) == played
        playback.verify(game, read)
        tally["matches"] += 1
        tally["turns"] += played
    tally.reach(matches=10, turns=min(20, possible // 4))


def played_for(game: Game, seed: int, turns: int) -> tuple[Referee, Mapping[str, Any]]:
    """A match after so many turns, or at its end if that comes first; always the same for a seed. With its setup."""
    referee, setup = begin(game, seed)
    chooser = random.Random(seed)
    while not referee.over and referee.turn < turns:
        referee.submit({seat: legal_answer(referee, seat, chooser) for seat in referee.pending()})
    return referee, setup


def setups_for_the_laws_are_known(game: Game, tally: Tally) -> None:
    """Every setup that the game names for the laws is one that it takes."""
    assert setups(game)
    assert about(game) is None or about(game).__doc__
