"""Is what `dohyo analyse` says true?

    python benchmarks/analysis.py forced [--positions 200] [--seconds 1.0]
    python benchmarks/analysis.py blunders GAME [--matches 100] [--seconds 20]
    python benchmarks/analysis.py calibration GAME [--positions 2000] [--playouts 4000] [--fit]

`forced`: connect four, positions of random play in which a win is forced within 12 plies, by a solver of its own
(bit boards, alpha-beta, nothing shared with Dohyo's rules): how often the analysis has the sign right.

`blunders`: in matches between the game's own `sensei` one decision is replaced by a bad one and the match goes on
from there: how often that decision is among the three largest turning points. A bad one costs at least 0.25 of the
chance by a search with 100,000 playouts, twenty times as many as the analysis has.

`calibration`: positions of matches between searches of equal strength: how many of those judged 0.65 to 0.75 are
won. `--fit` finds the game's `sharpness` on other matches first.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import log
from typing import Any

from dohyo import games
from dohyo.app.analysis import analyse
from dohyo.app.analyst import Analyst, chances_of, search_of
from dohyo.app.play import play_match
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.playback import beginning, moments, verify
from dohyo.core.referee import Answer, Referee, outcome
from dohyo.core.replay import Move, Replay, Turn, digest_in

PLIES = 12
COLUMNS, HEIGHT, ROWS = 7, 8, 6


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["forced", "blunders", "calibration"])
    parser.add_argument("game", nargs="?", default="drop-block")
    parser.add_argument("--positions", type=int)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--playouts", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    if options.what == "forced":
        forced(options.positions or 200, options.seconds or 1.0, options.seed)
    elif options.what == "blunders":
        blunders(options.game, options.matches, options.seconds or 20.0, options.seed)
    else:
        calibration(options.game, options.positions or 2000, options.playouts, options.seed, options.fit)


# --- forced wins ---------------------------------------------------------------------------------------------------


def forced(positions: int, seconds: float, seed: int) -> None:
    """How often the sign of a forced result is right."""
    game = games.find("connect-four")
    analyst, solve, luck = Analyst(game, 2), solver(), random.Random(seed)
    right = asked = certain = 0
    while asked < positions:
        state, own, other = random_position(game, luck)
        result = solve(own, other, PLIES)
        if result == 0:
            continue
        asked += 1
        mover = state.turn % 2
        chance = analyst.judge([state], seconds=seconds).chance[mover]
        right += (chance > 0.5) == (result > 0)
        certain += chance > 0.9 if result > 0 else chance < 0.1
    print(f"forced positions={asked} sign_right={right / asked:.3f} beyond_0.9={certain / asked:.3f}")


def random_position(game: Any, luck: random.Random) -> tuple[Any, int, int]:
    """A position of random play that has not ended: the state, the mover's stones, the other's."""
    while True:
        state = game.new_state(resolve(game.options, {}), 2)
        for _ in range(luck.randrange(4, 30)):
            mover = state.turn % 2
            game.rules.step(state, [luck.choice(list(game.legal_actions(state, mover)))] * 2, None)
            if game.rules.over(state):
                break
        else:
            mover = state.turn % 2
            return state, int(state.stones[mover]), int(state.stones[1 - mover])


def solver() -> Any:
    """A function (mover's stones, other's stones, plies) -> 1 forced win, -1 forced loss, 0 neither within them."""
    from numba import njit

    column = (1 << ROWS) - 1

    @njit("b1(i8)")
    def four(stones):
        for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False

    @njit("i8(i8, i8, i8, i8, i8)")
    def search(own, other, plies, alpha, beta):
        taken = own | other
        moves = 0
        for c in (3, 2, 4, 1, 5, 0, 6):
            cell = ((taken >> (c * HEIGHT) & column) + 1) << (c * HEIGHT)
            if cell >> (c * HEIGHT + ROWS) & 1 == 0:
                moves += 1
                if four(own | cell):
                    return 1
        if plies <= 1 or moves == 0:
            return 0
        best = -1
        for c in (3, 2, 4, 1, 5, 0, 6):
            cell = ((taken >> (c * HEIGHT) & column) + 1) << (c * HEIGHT)
            if cell >> (c * HEIGHT + ROWS) & 1 == 0:
                found = -search(other, own | cell, plies - 1, -beta, -alpha)
                if found > best:
                    best = found
                if best > alpha:
                    alpha = best
                if alpha >= beta:
                    break
        return best

    def solve(own: int, other: int, plies: int) -> int:
        for depth in range(1, plies + 1):
            if found := search(own, other, depth, -1, 1):
                return int(found)
        return 0

    return solve


# --- planted blunders ----------------------------------------------------------------------------------------------

SEATS = {"abotcalypse": 4}  # of a match; elsewhere the fewest
SETUP: dict[str, dict[str, object]] = {"abotcalypse": {"turns": 100}, "drop-block": {"turns": 400}}
BAD = 0.25  # of the chance
LARGEST = 3  # turning points among which it must be
TRIES = 40  # turns of a match that are looked at for a bad decision
LONG_LOOK, LOOK_AFTER = 100_000, 40_000  # playouts


def blunders(name: str, matches: int, seconds: float, seed: int) -> None:
    """How often a planted blunder is among the largest turning points."""
    game = games.find(name)
    seats = SEATS.get(name, game.seats[0])
    analyst, luck = Analyst(game, seats), random.Random(seed)
    found = planted = 0
    while planted < matches:
        match_seed = luck.getrandbits(31)
        replay = play_match(name, ["sensei"] * seats, seed=match_seed, setup=SETUP.get(name, {}))
        at = plant(game, replay, analyst, luck)
        if at is None:
            continue
        turn, seat = at
        rest = play_match(name, ["sensei"] * seats, seed=match_seed, resume=(replay, turn + 1))
        join(game, replay, rest)
        verify(game, replay)
        points = analyse(replay, seconds=seconds).points
        planted += 1
        rank = next((at for at, point in enumerate(points, 1) if (point.turn, point.seat) == (turn, seat)), 0)
        found += 1 <= rank <= LARGEST
        print(f"{name} match={planted} seed={match_seed} turn={turn} seat={seat} rank={rank or '-'}", flush=True)
    print(f"{name} blunders={planted} among_the_largest={found / planted:.3f}")


def join(game: Game, replay: Replay, rest: Replay) -> None:
    """Let a match go on with the turns of another one, which began with its last state.

    The digests are made anew: where bots that begin late are told more (`Game.reseat`), they were of another state.
    """
    state, rules, seats = beginning(game, replay), game.rules, len(replay.header.seats)
    replay.turns += rest.turns
    for turn in replay.turns:
        if turn.dice:
            rules.deal(state, turn.dice, None)
        actions = {move.seat: game.protocol.read(move.action) or 0 for move in turn.moves}
        if turn.moves:
            rules.step(state, [actions.get(seat, 0) for seat in range(seats)], None)
        turn.digest = digest_in(replay.header.dohyo, rules.LAYOUT.pack(state))
    replay.result = outcome(game, state, seats, rest.result.last)


def plant(game: Game, replay: Replay, analyst: Analyst, luck: random.Random) -> tuple[int, int] | None:
    """Cut the replay behind a turn in which one seat now plays badly; which ones. None if no action is that bad."""
    played = [moment for moment in moments(game, replay) if moment.turn.moves]
    middle = played[len(played) // 10 : len(played) * 8 // 10]
    for moment in luck.sample(middle, min(TRIES, len(middle))):
        judged = analyst.judge([moment.before], playouts=LONG_LOOK)
        for seat, options in judged.options.items():
            if len(options) < 2:
                continue
            best = max(options, key=lambda action: options[action][1])
            worst = min(options, key=lambda action: options[action][0])
            if (options[best][0] - options[worst][0]) / 2 < BAD:
                continue
            states = []
            for action in (best, worst):
                state = game.rules.LAYOUT.copy(moment.before)
                actions = [action if one == seat else other or 0 for one, other in enumerate(moment.actions)]
                game.rules.step(state, actions, None)
                states.append(state)
            after = [analyst.judge([state], playouts=LOOK_AFTER).chance[seat] for state in states]
            if after[0] - after[1] < BAD or game.rules.over(states[1]):
                continue
            kept = replay.turns.index(moment.turn)
            moves = tuple(
                Move(one, game.protocol.text(worst if one == seat else action))
                for one, action in enumerate(moment.actions)
                if action is not None
            )
            digest = digest_in(replay.header.dohyo, game.rules.LAYOUT.pack(states[1]))
            replay.turns[kept:] = [Turn(moment.turn.turn, moment.turn.dice, moves, digest)]
            return moment.turn.turn, seat
    return None


# --- calibration ---------------------------------------------------------------------------------------------------

A_MATCH = 20  # positions of it
EACH_MOVE = 400  # playouts of the players' own
BAND = 0.65, 0.75
SHARPNESS = [value / 20 for value in range(4, 121)]  # that are tried


def calibration(name: str, positions: int, playouts: int, seed: int, fit: bool) -> None:
    """How many of the positions with a chance of about 0.7 are won, between equal players."""
    game = games.find(name)
    sharpness = game.judge.sharpness
    if fit:
        judged = list(outcomes(game, positions, playouts, seed + 1))
        sharpness = max(SHARPNESS, key=lambda value: likelihood(judged, value))
        print(f"{name} sharpness={sharpness:.2f}")
    judged = list(outcomes(game, positions, playouts, seed))
    bands: dict[int, list[float]] = {}
    for values, share in judged:
        chances = chances_of(values, sharpness)
        for chance, won in zip(chances, share, strict=True):
            bands.setdefault(round(chance * 10), []).append(won)
    for band, won in sorted(bands.items()):
        print(f"{name} judged={band / 10:.1f} positions={len(won)} won={sum(won) / len(won):.3f}")
    inside = [
        won
        for values, share in judged
        for chance, won in zip(chances_of(values, sharpness), share, strict=True)
        if BAND[0] <= chance <= BAND[1]
    ]
    print(f"{name} positions={len(judged)} in_band={len(inside)} won={sum(inside) / max(1, len(inside)):.3f}")


def outcomes(
    game: Game, positions: int, playouts: int, seed: int
) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Positions of matches between equal searches: how good they are for each seat, -1..1, and what each won."""
    seats = SEATS.get(game.name, game.seats[0])
    player, looker = (search_of(game, seats, seed=seed) for _ in range(2))
    luck = random.Random(seed)
    done = 0
    while done < positions:
        setup = resolve(game.options, {key: str(value) for key, value in SETUP.get(game.name, {}).items()})
        referee = Referee(game, setup, seats, luck.getrandbits(31))
        states = []
        while not referee.over:
            states.append(game.rules.LAYOUT.copy(referee.state))
            answers = {}
            for seat in referee.pending():
                options = player.assess([referee.state], playouts=EACH_MOVE).options.get(seat, ())
                legal = list(game.legal_actions(referee.state, seat))
                tried = {option.action: option.visits for option in options}
                weights = [tried.get(action, 0) ** 2 for action in legal]
                action = luck.choices(legal, weights if any(weights) else None)[0]
                answers[seat] = Answer(game.protocol.text(action))
            referee.submit(answers)
        places = referee.result().places
        first = places.count(1)
        share = tuple(1 / first if place == 1 else 0.0 for place in places)
        for state in luck.sample(states, min(A_MATCH, len(states), positions - done)):
            yield looker.assess([state], playouts=playouts).values, share
            done += 1


def likelihood(judged: Sequence[tuple[Sequence[float], Sequence[float]]], sharpness: float) -> float:
    """How likely the outcomes are with this sharpness, as a logarithm."""
    return sum(
        won * log(max(chance, 1e-6))
        for values, share in judged
        for chance, won in zip(chances_of(values, sharpness), share, strict=True)
    )


if __name__ == "__main__":
    main()
