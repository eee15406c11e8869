"""The laws of beliefs: what a seat may take for the true state fits all that it was sent, and follows from that."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo.core.game import Game, Information
from dohyo.core.playback import beginning, moments
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.laws.tally import Tally
from dohyo.search import Belief
from dohyo.search.analyst_belief import AnalystBelief
from tests.laws.matches import every_game, play

SEED = 41
TURNS = 6
SEATS = 2  # that are followed
SEEDS = 40  # of matches in which something may be hidden
GUESSES = 60  # of how else a match may have gone
HIDING = [game for game in all_games().values() if game.information is Information.IMPERFECT]


@every_game
def test_every_world_fits_what_the_seat_was_sent(game: Game, tally: Tally) -> None:
    """In each world the seat acts when it acted, and would be sent the same text."""
    replay = play(game, SEED).replay
    played = [moment for moment in moments(game, replay) if moment.turn.moves][:TURNS]
    for seat in range(min(SEATS, len(replay.header.seats))):
        belief, last = AnalystBelief(game, len(replay.header.seats), seat, compiled=False), None
        for moment in played:
            if last is None:
                belief.begin(beginning(game, replay), moment.turn.dice, moment.before)
            else:
                belief.follow(last.actions, moment.turn.dice, moment.before)
            last = moment
            if moment.actions[seat] is not None:
                assert len(belief.worlds) > 0
                for world in belief.worlds:
                    assert game.rules.acts(world, seat)
                    assert game.prompt(world, seat) == game.prompt(moment.before, seat)
                    tally["worlds"] += 1
    tally.reach(worlds=TURNS // 2)


def told(game: Game, replay: Replay, seat: int) -> list[tuple[bytes, int]]:
    """What the seat was sent in each of its turns, and what it did."""
    found = moments(game, replay)
    return [(game.prompt(each.before, seat), each.actions[seat]) for each in found if each.actions[seat] is not None]


def otherwise(game: Game, replay: Replay, seat: int, chooser: random.Random) -> Replay | None:
    """The match with other dice and other actions of the others, here and there; none if that does not work out."""
    rules, source = game.rules, game.source(chooser.randrange(1 << 60))
    state, turns, dice = beginning(game, replay), [], [0] * max(1, game.rules.DICE)
    for turn in replay.turns:
        fell = turn.dice
        if rules.needs_dice(state):
            count = rules.roll(state, source, dice)
            if len(fell) == count:
                mixed = chooser.random() < 0.5
                fell = tuple(a if mixed and chooser.random() < 0.5 else b for a, b in zip(fell, dice, strict=False))
            rules.deal(state, [*fell, *dice], None)
        if rules.over(state) or not game.possible(state):
            return None
        moves, actions = [], [0] * len(replay.header.seats)
        for move in turn.moves:
            legal = list(game.legal_actions(state, move.seat)) if rules.acts(state, move.seat) else []
            text = move.action
            if legal and move.seat != seat and chooser.random() < 0.3:
                text = game.protocol.text(chooser.choice(legal))
            if game.protocol.read(text) not in legal:
                return None
            actions[move.seat] = game.protocol.read(text)
            moves.append(replace(move, action=text))
        if moves:
            rules.step(state, actions, None)
        turns.append(replace(turn, dice=tuple(fell), moves=tuple(moves), digest=rules.LAYOUT.digest(state)))
    return replace(replay, turns=turns)


def alike(game: Game) -> tuple[Replay, Replay, int, Any]:
    """Two matches in which a seat is told and does the same, and the true states of its last turn differ."""
    for seed in range(SEEDS):
        replay = play(game, seed).replay
        replay = replace(replay, turns=replay.turns[:TURNS])
        chooser = random.Random(seed)
        for guess in range(GUESSES):
            seat = guess % len(replay.header.seats)
            known = told(game, replay, seat)
            other = otherwise(game, replay, seat, chooser)
            if not known or other is None:
                continue
            last = [max(m.turn.turn for m in moments(game, replay) if m.actions[seat] is not None)]
            ends = [next(m.before for m in moments(game, one) if m.turn.turn == last[0]) for one in (replay, other)]
            pack = game.rules.LAYOUT.pack
            if told(game, other, seat) == known and pack(ends[0]) != pack(ends[1]):
                return replay, other, seat, next(moments(game, replay)).before
    raise AssertionError("no two matches look alike to a seat")


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_worlds_say_nothing_of_what_the_seat_may_not_know(game: Game, tally: Tally) -> None:
    """Two matches that look alike to a seat, whatever is true in them, give it the same worlds, which fit both."""
    one, other, seat, start = alike(game)
    for starts in (None, [start]):  # by the dice it may find none, where a prompt shows much of them
        found = []
        for replay in (one, other):
            count = len(replay.header.seats)
            belief = Belief(game, count, seat, setup=replay.header.setup, starts=starts, tries=200)
            found.append([[game.rules.LAYOUT.pack(world) for world in belief.worlds] for _ in belief.follow(replay)])
        assert found[0] == found[1]
        for (sent, _), worlds in zip(told(game, other, seat), found[0], strict=True):
            for packed in worlds:
                world = game.rules.LAYOUT.unpack(packed)
                assert game.rules.acts(world, seat)
                assert game.prompt(world, seat) == sent
                tally["worlds"] += 1
    tally.reach(worlds=TURNS // 2)
