"""How a match might have gone on after the better action of a turning point."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from dohyo.core.game import Game, State
from dohyo.guests.analysis.kept import PlayedTurn
from dohyo.guests.analysis.pace import Budget
from dohyo.series.analysed import LineTurn, TurningPoint
from dohyo.series.analyst import Analyst

LINES = 8  # turning points whose better way is played on
LINE = 6  # turns of it
LINE_PLAYOUTS = 2000  # for each of them


class Match(NamedTuple):
    """The match whose better ways are looked for, and who does: as many as there are threads."""

    game: Game
    seats: int
    played: Sequence[PlayedTurn]
    analysts: Sequence[Analyst]


def with_lines(match: Match, budget: Budget, part: float, points: Sequence[TurningPoint]) -> tuple[TurningPoint, ...]:
    """The turning points, the first few with how the match might have gone on, by the end of this part of a time."""
    free = list(match.analysts)
    turns = 1 if free[0].by.blind else LINE  # the search would play by what nobody sees
    left = turns * min(LINES, len(points))

    def line(point: TurningPoint) -> TurningPoint:
        nonlocal left
        analyst = free.pop()
        try:
            each = budget.each(part, left)
            return msgspec.structs.replace(point, line=_line(match, point, analyst, turns, each, budget.playouts))
        finally:
            left -= turns
            free.append(analyst)

    with ThreadPoolExecutor(len(free)) as pool:
        return (*pool.map(line, points[:LINES]), *points[LINES:])


def _line(
    match: Match, point: TurningPoint, analyst: Analyst, turns: int, each: float | None, playouts: int | None
) -> tuple[LineTurn, ...]:
    """The better action in the true state, beside what others did; then what the search would play."""
    game, seats = match.game, match.seats
    rules, protocol = game.rules, game.protocol
    luck = random.Random(point.turn)
    moment = next(one for one in match.played if one.turn.turn == point.turn)
    state = rules.LAYOUT.copy(moment.before)
    actions = {seat: action for seat, action in enumerate(moment.actions) if action is not None}
    better = protocol.read(point.better)
    if better is None or better not in game.legal_actions(state, point.seat):
        return ()  # something that the seat did not see stands in its way
    actions[point.seat] = better
    line: list[LineTurn] = []
    while actions:
        rules.step(state, [actions.get(seat, 0) for seat in range(seats)], None)
        told = {seat: protocol.text(action) for seat, action in actions.items()}
        line.append(LineTurn(told, _roll(game, state, luck)))
        actions = {}
        if len(line) < turns and not rules.over(state):
            most = min(LINE_PLAYOUTS, playouts or LINE_PLAYOUTS)
            options = analyst.judge([state], seconds=each, playouts=most, seed=len(line)).options
            for seat in game.acting(state, seats):
                actions[seat] = _best(game, state, seat, options.get(seat, {}))
    return tuple(line)


def _best(game: Game, state: State, seat: int, options: dict[int, tuple[float, int]]) -> int:
    """The action that the search has tried most."""
    legal = list(game.legal_actions(state, seat))
    return max(legal, key=lambda action: options.get(action, (0.0, 0))[::-1])


def _roll(game: Game, state: State, luck: random.Random) -> tuple[int, ...]:
    """Let the dice move, if they have to; how they fell."""
    rules = game.rules
    if rules.over(state) or not rules.needs_dice(state):
        return ()
    source, dice = game.source(luck.getrandbits(62)), [0] * max(rules.DICE, 1)
    count = rules.roll(state, source, dice)
    rules.deal(state, dice, None)
    return tuple(dice[:count])
