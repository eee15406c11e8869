"""Is what `dohyo analyse` says true?

    python benchmarks/analysis.py forced [--positions 200] [--seconds 1.0]
    python benchmarks/analysis.py matches [GAME ...] [--matches 600] --keep FOLDER
    python benchmarks/analysis.py calibration [GAME ...] [--playouts 1000] [--fit] --keep FOLDER
    python benchmarks/analysis.py blunders GAME [--matches 100] [--playouts N | --seconds 20] --keep FOLDER
    python benchmarks/analysis.py suggestions GAME [--matches 20] [--playouts N | --seconds 20] --keep FOLDER

`forced`: connect four, positions of random play in which a win is forced within 12 plies, by a solver of its own
(bit boards, alpha-beta, nothing shared with Dohyo's rules): how often the analysis has the sign right. It wants
`DOHYO_GAMES=examples/connect_four` in the environment, where that game is not installed.

`matches`: plays matches between equal sample bots, `MIX`, and keeps their replays, for the others. What is kept
already is not played again.

`calibration`: six positions of each match: of those judged 0.65 to 0.75, how many are won? With `--fit`, half of the
matches are judged by the `sharpness` that fits the other half best, and the other way round: so all are held out.

`blunders`: in matches between the game's own `sensei` one decision is replaced by a bad one and the match goes on
from there: how often that decision is among the three largest turning points. A bad one costs at least
half of a fair share of the first place (0.25 between two, 0.125 among four) by a longer search of its own, compared
with the best action; in games that hide something, with a middling one, since the best may rest on what the seat
could not see.

`suggestions`: the first three turning points of matches between sample bots. The same bots play on from there, once
after the action that was played, once after the one that the analysis calls better: who wins more?
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from typing import Any

from dohyo import games
from dohyo.app import replays
from dohyo.app.analysis import analyse
from dohyo.app.analyst import Analyst, chances_of, search_of
from dohyo.app.play import play_match
from dohyo.core.game import Game, Information
from dohyo.core.options import resolve
from dohyo.core.playback import Moment, beginning, moments, verify
from dohyo.core.referee import outcome
from dohyo.core.replay import Move, Replay, Turn, digest_in

# What plays in the matches that are kept: one bot on all seats, each in turn; how many seats, and the setup.
MIX: dict[str, tuple[tuple[str, ...], int, dict[str, object]]] = {
    "abotcalypse": ((*("builder", "random", "shelter") * 3, "sensei"), 4, {"turns": 100}),
    "drop-block": (("hunter", "hunter", "hunter", "sensei"), 4, {"turns": 400}),
    "shoot-em-up": (("sensei", "gunner"), 2, {}),
    "wondev-woman": (("sensei", "climber"), 2, {}),
}
FIRST_SEED = 1_000_003


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["forced", "matches", "calibration", "blunders", "suggestions"])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--matches", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    limits = {"playouts": options.playouts, "seconds": options.seconds or 20.0}
    if options.what == "forced":
        forced(options.positions, options.seconds or 1.0, options.seed)
        return
    if options.keep is None:
        parser.error("--keep FOLDER is needed")
    for name in options.games or MIX:
        if options.what == "matches":
            keep_matches(name, options.matches or 600, options.keep)
        elif options.what == "calibration":
            calibration(name, options.keep, options.playouts or 1000, options.fit)
        elif options.what == "blunders":
            blunders(name, options.matches or 100, options.keep, limits, options.seed)
        else:
            suggestions(name, options.matches or 20, options.keep, limits)


# --- matches that are kept -----------------------------------------------------------------------------------------


def keep_matches(name: str, matches: int, folder: Path) -> None:
    """Play what is not there yet."""
    bots, seats, setup = MIX[name]
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(matches):
        file = folder / f"{name}-{number}.replay"
        if not file.exists():
            bot = bots[number % len(bots)]
            replays.save(play_match(name, [bot] * seats, seed=FIRST_SEED + number, setup=setup), file)


def kept(name: str, folder: Path) -> Iterator[tuple[int, Replay]]:
    """The matches of a game with their numbers, in order."""
    files = {int(file.stem.rpartition("-")[2]): file for file in folder.glob(f"{name}-*.replay")}
    for number in sorted(files):
        yield number, replays.load(str(files[number]))


# --- forced wins ---------------------------------------------------------------------------------------------------

PLIES = 12
COLUMNS, HEIGHT, ROWS = 7, 8, 6


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

BAD = 0.5  # of a fair share of the first place
LARGEST = 3  # turning points among which it must be
TRIES = 30  # turns of a match that are looked at for a bad decision
LOOK, LONG_LOOK = 800, 8_000  # playouts


def blunders(name: str, matches: int, folder: Path, limits: dict[str, Any], seed: int) -> None:
    """How often a planted blunder is among the largest turning points."""
    game, luck = games.find(name), random.Random(seed)
    bots, seats, _ = MIX[name]
    analyst = Analyst(game, seats)
    found = planted = 0
    for number, replay in kept(name, folder):
        if planted == matches:
            break
        if bots[number % len(bots)] != "sensei" or (at := plant(game, replay, analyst, luck)) is None:
            continue
        turn, seat = at
        points = analyse(replay, threads=1, **limits).points
        planted += 1
        rank = next((at for at, point in enumerate(points, 1) if (point.turn, point.seat) == (turn, seat)), 0)
        found += 1 <= rank <= LARGEST
        print(f"{name} match={number} turn={turn} seat={seat} rank={rank or '-'} found={found}/{planted}", flush=True)
    print(f"{name} blunders={planted} among_the_largest={found / max(planted, 1):.3f}")


def plant(game: Game, replay: Replay, analyst: Analyst, luck: random.Random) -> tuple[int, int] | None:
    """Let one seat play badly once, and the match go on from there; turn and seat. None if no action is that bad."""
    played = [moment for moment in moments(game, replay) if moment.turn.moves]
    least = BAD / len(replay.header.seats)
    middle = played[len(played) // 10 : len(played) * 8 // 10]
    for moment in luck.sample(middle, min(TRIES, len(middle))):
        judged = analyst.judge([moment.before], playouts=LOOK, seed=luck.getrandbits(20))
        for seat, options in judged.options.items():
            good = max(options, key=lambda action: options[action][1])
            if game.information is Information.IMPERFECT:  # the best one may rest on what the seat could not see
                good = sorted(options, key=lambda action: options[action][0])[len(options) // 2]
            bad = [action for action in options if (options[good][0] - options[action][0]) / 2 >= least]
            if not bad:
                continue
            worse = luck.choice(bad)
            chances = []
            for action in (good, worse):
                states = [state_after(game, moment, seat, action)]
                looked = analyst.judge(states, playouts=LONG_LOOK, seed=luck.getrandbits(20), deciding=False)
                chances.append(looked.chance[seat])
            if chances[0] - chances[1] >= least:
                play_on(game, replay, moment, seat, worse)
                return moment.turn.turn, seat
    return None


def state_after(game: Game, moment: Moment, seat: int, action: int) -> Any:
    """The state after a turn in which a seat does something else, the others what they did."""
    state = game.rules.LAYOUT.copy(moment.before)
    game.rules.step(state, [action if one == seat else other or 0 for one, other in enumerate(moment.actions)], None)
    return state


def play_on(game: Game, replay: Replay, moment: Moment, seat: int, action: int) -> None:
    """Let a seat do something else in a turn, and the match's own bots go on from there."""
    state = state_after(game, moment, seat, action)
    kept_turns = replay.turns.index(next(turn for turn in replay.turns if turn.turn == moment.turn.turn))
    moves = tuple(
        Move(one, game.protocol.text(action if one == seat else other))
        for one, other in enumerate(moment.actions)
        if other is not None
    )
    digest = digest_in(replay.header.dohyo, game.rules.LAYOUT.pack(state))
    replay.turns[kept_turns:] = [Turn(moment.turn.turn, moment.turn.dice, moves, digest)]
    if game.rules.over(state):
        replay.result = outcome(game, state, len(replay.header.seats), ())
    else:
        bots = [one.name.split()[0] for one in replay.header.seats]
        join(game, replay, play_match(game, bots, seed=replay.header.seed, resume=(replay, moment.turn.turn + 1)))
    verify(game, replay)


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


# --- suggestions ---------------------------------------------------------------------------------------------------

POINTS = 3  # of a match


def suggestions(name: str, matches: int, folder: Path, limits: dict[str, Any]) -> None:
    """Whether who plays what the analysis calls better wins more, if the same bots go on."""
    game = games.find(name)
    played = better = right = wrong = asked = silent = 0
    for _, replay in list(kept(name, folder))[::-1][:matches]:
        points = analyse(replay, threads=1, **limits).points
        silent += not points
        for point in points[:POINTS]:
            moment = next(one for one in moments(game, replay) if one.turn.turn == point.turn)
            shares = []
            for text in (point.played, point.better):
                other = Replay(replay.header, list(replay.turns), replay.result)
                play_on(game, other, moment, point.seat, game.protocol.read(text) or 0)
                shares.append(shares_of(other)[point.seat])
            asked += 1
            played, better = played + shares[0], better + shares[1]
            right, wrong = right + (shares[1] > shares[0]), wrong + (shares[1] < shares[0])
            print(f"{name} asked={asked} {point.kept:.2f} {point.left:.2f} right={right} wrong={wrong}", flush=True)
    print(
        f"{name} suggestions={asked} won_as_played={played / max(asked, 1):.3f} won_as_suggested="
        f"{better / max(asked, 1):.3f} right={right} wrong={wrong} same={asked - right - wrong} without_any={silent}"
    )


# --- calibration ---------------------------------------------------------------------------------------------------

A_MATCH = 6  # positions of it
BLOCK = 20  # matches that are in the same half: all bots of a game's mix are in each
BAND = 0.65, 0.75
SHARPNESS = [value / 20 for value in range(4, 121)]  # that are tried


def calibration(name: str, folder: Path, playouts: int, fit: bool) -> None:
    """How many of the positions with a chance of about 0.7 are won, between equal players."""
    game = games.find(name)
    judged = list(outcomes(game, folder, playouts))
    halves = [[one for one in judged if one[0] // BLOCK % 2 == half] for half in range(2)]
    sharpness = [game.judge().sharpness] * 2
    if fit:
        sharpness = [fitted(half) for half in halves[::-1]]
        print(f"{name} sharpness={fitted(judged):.2f} of_halves={sharpness[1]:.2f},{sharpness[0]:.2f}")
    bands: dict[int, list[float]] = {}
    inside = []
    for number, values, share in judged:
        for chance, won in zip(chances_of(values, sharpness[number // BLOCK % 2]), share, strict=True):
            bands.setdefault(round(chance * 10), []).append(won)
            if BAND[0] <= chance <= BAND[1]:
                inside.append(won)
    for band, won in sorted(bands.items()):
        print(f"{name} judged={band / 10:.1f} chances={len(won)} won={sum(won) / len(won):.3f}")
    print(f"{name} positions={len(judged)} in_band={len(inside)} won={sum(inside) / max(1, len(inside)):.3f}")


def shares_of(replay: Replay) -> tuple[float, ...]:
    """By seat its share of the first place."""
    first = replay.result.places.count(1)
    return tuple(1 / first if place == 1 else 0.0 for place in replay.result.places)


def outcomes(game: Game, folder: Path, playouts: int) -> Iterator[tuple[int, tuple[float, ...], tuple[float, ...]]]:
    """Positions of the kept matches: the match, how good it is for each seat, -1..1, and what each won."""
    search = None
    for number, replay in kept(game.name, folder):
        luck = random.Random(number)
        if search is None:
            search = search_of(game, len(replay.header.seats))
            if game.judge().blind:
                search.limit_depth(0)
        states = [moment.before for moment in moments(game, replay) if moment.turn.moves]
        for state in luck.sample(states, min(A_MATCH, len(states))):
            search.reseed(luck.getrandbits(30))
            yield number, search.assess([state], playouts=playouts).values, shares_of(replay)


def fitted(judged: Sequence[tuple[int, Sequence[float], Sequence[float]]]) -> float:
    """The sharpness with which the outcomes are the most likely."""
    return max(SHARPNESS, key=lambda value: likelihood(judged, value))


def likelihood(judged: Sequence[tuple[int, Sequence[float], Sequence[float]]], sharpness: float) -> float:
    """How likely the outcomes are with this sharpness, as a logarithm."""
    return sum(
        won * log(max(chance, 1e-6))
        for _, values, share in judged
        for chance, won in zip(chances_of(values, sharpness), share, strict=True)
    )


if __name__ == "__main__":
    main()
