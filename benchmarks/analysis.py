"""Is what `dohyo analyse` says true?

    python benchmarks/analysis.py forced [--positions 60] [--seconds 1.0]
    python benchmarks/analysis.py matches [GAME ...] [--matches 600] [--mixed] [--bots BOT] --keep FOLDER
    python benchmarks/analysis.py calibration [GAME ...] [--playouts 1000] [--each 6] [--fit] --keep FOLDER
    python benchmarks/analysis.py blunders GAME [--matches 100] [--each 1] [--playouts N | --seconds 20] --keep FOLDER

`forced`: connect four, positions of random play in which somebody can force a win, by a solver of its own (bit
boards, alpha-beta, a table; nothing shared with Dohyo's rules): how often the analysis has the sign right, how often
it says that it has proven it, and how often the result lies within its error. By how many turns it takes: so many
positions each of 1 to 11, of 12 to 20, and of more. What the solver cannot settle with a million positions is not
counted.

`matches`: plays matches between equal sample bots, `MIX`, and keeps their replays, for the others. What is kept
already is not played again. With `--mixed`, other line-ups, mostly of bots that are not equal, `MIXED`; with
`--bots`, only those of one kind.

`calibration`: a few positions of each match, judged as the analysis judges them: of the chances between so and so
many per cent, how many were won? With a 90 % interval that takes the positions of one match to belong together. With
`--fit`, half of the matches are judged by the `sharpness` that fits the other half best, and the other way round: so
all are held out.

`blunders`: in matches between the game's own `sensei` one decision is replaced by a bad one and the match goes on
from there: how often that decision is among the three largest turning points. A bad one costs at least
half of a fair share of the first place (0.25 between two, 0.125 among four) by a longer search of its own, compared
with the best action; in games that hide something, with a middling one, since the best may rest on what the seat
could not see. `--each` are planted in copies of each match.

Whether turning points are right, and the curve's bounds: `turning_points.py`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from dohyo import games
from dohyo.core.game import Game, Information
from dohyo.core.options import resolve
from dohyo.core.playback import Moment, beginning, moments, verify
from dohyo.core.referee import outcome
from dohyo.core.replay import Move, Replay, Turn
from dohyo.guests.analysis.analysis import analyse
from dohyo.match.play import play_match
from dohyo.match.replays import replays
from dohyo.series.analyst import NORMAL, Analyst, Judged, chances_of, cost_of, sampling
from turning_points import own_bots

# What plays in the matches that are kept: one bot on all seats, each in turn; how many seats, and the setup.
MIX: dict[str, tuple[tuple[str, ...], int, dict[str, object]]] = {
    "abotcalypse": ((*("builder", "random", "shelter") * 3, "sensei"), 4, {"turns": 100}),
    "drop-block": (("hunter", "hunter", "hunter", "sensei"), 4, {"turns": 400}),
    "shoot-em-up": (("sensei", "gunner"), 2, {}),
    "wondev-woman": (("sensei", "climber"), 2, {}),
}
# Other line-ups, mostly of bots that are not equal: one on each seat; from match to match they move on by a seat.
MIXED: dict[str, tuple[tuple[str, ...], ...]] = {
    "abotcalypse": (("builder", "builder"), ("random", "random"), ("builder", "random", "shelter", "random")),
    "drop-block": (("sensei", "hunter", "hunter", "hunter"), ("sensei", "sensei", "hunter", "random")),
    "shoot-em-up": (("sensei", "gunner"),),
    "wondev-woman": (("sensei", "climber"),),
}
FIRST_MIXED = 10_000  # its number
FIRST_SEED = 1_000_003


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["forced", "matches", "calibration", "blunders"])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--matches", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int)
    parser.add_argument("--bots")
    parser.add_argument("--mixed", action="store_true")
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
            first = FIRST_MIXED if options.mixed else 0
            keep_matches(name, range(first, first + (options.matches or 600)), options.keep, options.bots)
            continue
        replays_kept = kept(name, options.keep, options.bots)
        if options.what == "calibration":
            calibration(name, replays_kept, options.playouts or 1000, options.each or A_MATCH, options.fit)
        else:
            luck = random.Random(options.seed)
            blunders(name, replays_kept, options.matches or 100, options.each or 1, limits, luck)


# --- matches that are kept -----------------------------------------------------------------------------------------


def line_up(name: str, number: int) -> list[str]:
    """Who plays in a match, by seat."""
    bots, seats, _ = MIX[name]
    if number < FIRST_MIXED:
        return [bots[number % len(bots)]] * seats
    mixed = MIXED[name]
    bots = mixed[number % len(mixed)]
    turned = number // len(mixed) % len(bots)
    return [*bots[turned:], *bots[:turned]]


def keep_matches(name: str, numbers: range, folder: Path, only: str | None) -> None:
    """Play what is not there yet; on request only where all bots are of one kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        file, bots = folder / f"{name}-{number}.replay", line_up(name, number)
        if not file.exists() and (only is None or set(bots) == {only}):
            replays.save(play_match(name, bots, seed=FIRST_SEED + number, setup=MIX[name][2]), file)


def kept(name: str, folder: Path, only: str | None = None) -> Iterator[tuple[int, Replay]]:
    """The matches of a game with their numbers, in order; on request only where all bots are of one kind."""
    files = {int(file.stem.rpartition("-")[2]): file for file in folder.glob(f"{name}-*.replay")}
    for number in sorted(files):
        replay = replays.load(str(files[number]))
        if only is None or kinds_of(replay) == [only]:
            yield number, replay


def kinds_of(replay: Replay) -> list[str]:
    """The bots of a match, each once."""
    return sorted({one.name.split()[0] for one in replay.header.seats})


# --- forced wins ---------------------------------------------------------------------------------------------------

COLUMNS, HEIGHT, ROWS = 7, 8, 6
CELLS = COLUMNS * ROWS
BOTTOM = sum(1 << column * HEIGHT for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
SHORT, LONG = 11, 20  # plies to the end
SOLVED = 1_000_000  # positions that the solver looks at, at most
TABLE = (1 << 23) - 15  # a prime


class Forced:
    """How positions of one length were judged."""

    def __init__(self) -> None:
        self.asked = self.right = self.proven = self.wrongly_proven = self.within = 0

    def add(self, judged: Judged, mover: int, result: int) -> None:
        """One that the seat that is to move wins (1) or loses (-1)."""
        chance, truth = judged.chance[mover], (result + 1) / 2
        self.asked += 1
        self.right += (chance > 0.5) == (result > 0)
        self.within += abs(chance - truth) <= judged.error[mover]
        if judged.proven is not None:
            self.proven += 1
            self.wrongly_proven += judged.proven.result != result


def forced(positions: int, seconds: float, seed: int) -> None:
    """How often the sign of a forced result is right, by how many turns it takes."""
    game = games.find("connect-four")
    analyst, solve, luck = Analyst(game, 2), solver(), random.Random(seed)
    lengths = {f"1-{SHORT}": Forced(), f"{SHORT + 1}-{LONG}": Forced(), f"{LONG + 1}-": Forced()}
    deep = lengths[f"{LONG + 1}-"]
    unsolved = 0
    while any(one.asked < positions for one in lengths.values()):
        state, own, other = random_position(game, luck)
        plies = solve(own, other, deep.asked < positions)
        unsolved += plies is None and deep.asked < positions
        if not plies:
            continue
        found = list(lengths.values())[(abs(plies) > SHORT) + (abs(plies) > LONG)]
        if found.asked < positions:
            print(f"\r{sum(one.asked for one in lengths.values())}", end="", file=sys.stderr, flush=True)
            found.add(analyst.judge([state], seconds=seconds), state.turn % 2, 1 if plies > 0 else -1)
    for label, one in lengths.items():
        parts = {"sign_right": one.right, "proven": one.proven, "within_error": one.within}
        told = " ".join(f"{name}={number / one.asked:.3f}" for name, number in parts.items())
        print(f"forced plies={label} positions={one.asked} {told} wrongly_proven={one.wrongly_proven}", flush=True)
    print(f"forced seconds={seconds} unsolved={unsolved}")


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
    """A function (mover's stones, other's stones) -> in how many plies the mover wins, or loses (negative).

    The winner hurries. 0 for a draw, none where it takes too long to find out; nor is it found out, unless `deep`, if
    it takes more than `LONG` plies.
    """
    import numpy

    search = compiled_solver()
    keys, values = numpy.zeros(TABLE, numpy.int64), numpy.zeros(TABLE, numpy.int8)

    def score_of(stones: int) -> int:
        """What a win is worth with so many stones on the board."""
        return (CELLS + 2 - stones) // 2

    def solve(own: int, other: int, deep: bool = True) -> int | None:
        taken, count = own | other, numpy.array([0, SOLVED])
        stones = taken.bit_count()
        worst, best = -score_of(stones + 2), score_of(stones + 1)
        first = [score_of(stones + LONG - 1) - 1, -score_of(stones + LONG)]  # is it short? then the rest, by halves
        while worst < best:
            if not (first or deep) and -score_of(stones + LONG) < worst and best < score_of(stones + LONG - 1):
                return None
            middle = first.pop(0) if first else (worst + best) // 2
            if not worst <= middle < best:
                continue
            found = search(own, taken, middle, middle + 1, keys, values, count)
            if count[0] > SOLVED:
                return None
            if found > middle:
                worst = middle + 1
            else:
                best = middle
        if worst == 0:
            return 0
        begin = 1 if worst > 0 else 2
        plies = next(n for n in range(begin, CELLS, 2) if score_of(stones + n) == abs(worst))
        return plies if worst > 0 else -plies

    return solve


def compiled_solver() -> Any:
    """Alpha-beta in which an earlier win is worth more, over the mover's stones and all stones."""
    import numpy
    from numba import njit

    threats, bits, order = compiled_threats()

    @njit("i8(i8, i8, i8, i8, i8[:], i1[:], i8[:])")
    def search(own, taken, alpha, beta, keys, values, count):
        count[0] += 1
        stones = bits(taken)
        places = taken + BOTTOM & BOARD
        if threats(own, taken) & places:
            return (CELLS + 1 - stones) // 2
        if stones >= CELLS - 1 or count[0] > count[1]:
            return 0
        danger = threats(taken ^ own, taken)
        if places & danger:
            places &= danger
            if places & places - 1:
                return -((CELLS - stones) // 2)
        places &= ~(danger >> 1)
        if places == 0:
            return -((CELLS - stones) // 2)
        least, most = -((CELLS - 2 - stones) // 2), (CELLS - 1 - stones) // 2
        key = own + taken
        at = key % TABLE
        if keys[at] == key:  # a lower bound, or an upper one, 64 higher or lower
            if values[at] > 32:
                least = max(least, values[at] - 64)
            else:
                most = min(most, values[at] + 64)
        alpha, beta = max(alpha, least), min(beta, most)
        if alpha >= beta:
            return alpha if alpha == least else beta
        cells = numpy.empty(COLUMNS, numpy.int64)
        best = -CELLS
        for i in range(order(own, taken, places, cells)):
            found = -search(taken ^ own, taken | cells[i], -beta, -max(alpha, best), keys, values, count)
            best = max(best, found)
            if best >= beta:
                break
        if count[0] <= count[1]:
            keys[at] = key
            values[at] = best + 64 if best >= beta else best - 64
        return best

    return search


def compiled_threats() -> Any:
    """Functions over bit boards: cells that make four, how many bits, cells by how many threats they make."""
    import numpy
    from numba import njit

    @njit("i8(i8, i8)")
    def threats(own, taken):
        found = own << 1 & own << 2 & own << 3
        for step in (HEIGHT, HEIGHT - 1, HEIGHT + 1):
            pairs = own << step & own << 2 * step
            found |= pairs & own << 3 * step | pairs & own >> step
            pairs = own >> step & own >> 2 * step
            found |= pairs & own >> 3 * step | pairs & own << step
        return found & (BOARD ^ taken)

    @njit("i8(i8)")
    def bits(cells):
        count = 0
        while cells:
            cells &= cells - 1
            count += 1
        return count

    @njit("i8(i8, i8, i8, i8[:])")
    def order(own, taken, places, cells):
        worths, listed = numpy.empty(COLUMNS, numpy.int64), 0
        for column in (3, 2, 4, 1, 5, 0, 6):
            cell = places & ((1 << ROWS) - 1) << column * HEIGHT
            if cell:
                worth = bits(threats(own | cell, taken | cell))
                i = listed
                while i > 0 and worths[i - 1] < worth:
                    worths[i], cells[i] = worths[i - 1], cells[i - 1]
                    i -= 1
                worths[i], cells[i] = worth, cell
                listed += 1
        return listed

    return threats, bits, order


# --- planted blunders ----------------------------------------------------------------------------------------------

BAD = 0.5  # of a fair share of the first place
LARGEST = 3  # turning points among which it must be
TRIES = 30  # turns of a match that are looked at for a bad decision
LOOK, LONG_LOOK = 800, 8_000  # playouts


def blunders(
    name: str,
    matches: Iterable[tuple[int, Replay]],
    wanted: int,
    each: int,
    limits: dict[str, Any],
    luck: random.Random,
) -> None:
    """How often a planted blunder is among the largest turning points."""
    game = games.find(name)
    analyst = Analyst(game, MIX[name][1])
    found = planted = 0
    for number, replay in (one for one in matches if kinds_of(one[1]) == ["sensei"]):
        for _ in range(each):
            copy = Replay(replay.header, list(replay.turns), replay.result)
            if planted == wanted or (at := plant(game, copy, analyst, luck)) is None:
                break
            with own_bots(game, copy) as by:
                points = analyse(copy, plays_on=by, **limits).points
            planted += 1
            rank = next((rank for rank, point in enumerate(points, 1) if (point.turn, point.seat) == at), 0)
            found += 1 <= rank <= LARGEST
            told = f"match={number} turn={at[0]} seat={at[1]} rank={rank or '-'}"
            print(f"{name} {told} found={found}/{planted}", flush=True)
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
            looked = [
                analyst.judge(
                    [state_after(game, moment, seat, action)],
                    playouts=LONG_LOOK,
                    seed=luck.getrandbits(20),
                    deciding=False,
                )
                for action in (good, worse)
            ]
            kept_chance, left, _ = cost_of(looked[0], looked[1], seat, 0.0)
            if kept_chance - left >= least:
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
    digest = game.rules.LAYOUT.digest(state)
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
        turn.digest = rules.LAYOUT.digest(state)
    replay.result = outcome(game, state, seats, rest.result.last)


# --- calibration ---------------------------------------------------------------------------------------------------

A_MATCH = 6  # positions of it
BLOCK = 20  # matches that are in the same half: all bots of a game's mix are in each
BAND = 0.65, 0.75
SHARPNESS = [value / 20 for value in range(4, 121)]  # that are tried


class Outcome(NamedTuple):
    """A position: its match, who played, and by seat how good it was found, -1..1, and what was won."""

    match: int
    kinds: str
    values: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def half(self) -> int:
        """Of the matches."""
        return self.match // BLOCK % 2


def calibration(name: str, matches: Iterable[tuple[int, Replay]], playouts: int, each: int, fit: bool) -> None:
    """How many of the positions with a chance of about so much are won."""
    game = games.find(name)
    judged = list(outcomes(game, matches, playouts, each))
    sharpness = [game.judge().sharpness] * 2
    if fit:
        sharpness = [fitted([one for one in judged if one.half != half]) for half in range(2)]
        print(f"{name} sharpness={fitted(judged):.2f} of_halves={sharpness[1]:.2f},{sharpness[0]:.2f}")
    for kinds in sorted({one.kinds for one in judged}):
        diagram(f"{name} bots={kinds}", [one for one in judged if one.kinds == kinds], sharpness)
    diagram(name, judged, sharpness)


def diagram(told: str, judged: Sequence[Outcome], sharpness: Sequence[float]) -> None:
    """Print how many of the chances of about so much were won: by tenths, and in the band."""
    bands: dict[float, list[tuple[int, float, float]]] = {}
    for one in judged:
        for chance, won in zip(chances_of(one.values, sharpness[one.half]), one.shares, strict=True):
            bands.setdefault(round(chance * 10) / 10, []).append((one.match, chance, won))
    inside = [one for band in bands.values() for one in band if BAND[0] <= one[1] <= BAND[1]]
    for label, band in (*((f"{at:.1f}", band) for at, band in sorted(bands.items())), ("band", inside)):
        won, half = mean_of([(match, won) for match, _, won in band])
        mean = sum(chance for _, chance, _ in band) / max(1, len(band))
        matches = len({match for match, _, _ in band})
        half = half or sampling(won, matches)  # all alike: of few matches that says little
        print(f"{told} judged={label} mean={mean:.3f} won={won:.3f}±{half:.3f} chances={len(band)} matches={matches}")
    print(f"{told} positions={len(judged)} matches={len({one.match for one in judged})}", flush=True)


def mean_of(numbers: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The mean of numbers that come from matches, and half of its 90 % interval; those of a match belong together."""
    if not numbers:
        return 0.0, 0.0
    mean = sum(number for _, number in numbers) / len(numbers)
    away: dict[int, float] = {}
    for match, number in numbers:
        away[match] = away.get(match, 0.0) + number - mean
    if len(away) < 2:
        return mean, 1.0
    wide = sum(one * one for one in away.values()) * len(away) / (len(away) - 1)
    return mean, NORMAL * sqrt(wide) / len(numbers)


def shares_of(replay: Replay) -> tuple[float, ...]:
    """By seat its share of the first place."""
    first = replay.result.places.count(1)
    return tuple(1 / first if place == 1 else 0.0 for place in replay.result.places)


def outcomes(game: Game, matches: Iterable[tuple[int, Replay]], playouts: int, each: int) -> Iterator[Outcome]:
    """So many positions of each match."""
    analysts: dict[int, Analyst] = {}
    for number, replay in matches:
        luck, seats = random.Random(number), len(replay.header.seats)
        analyst = analysts[seats] = analysts.get(seats) or Analyst(game, seats)
        states = [moment.before for moment in moments(game, replay) if moment.turn.moves]
        for state in luck.sample(states, min(each, len(states))):
            judged = analyst.judge([state], playouts=playouts, seed=luck.getrandbits(20), deciding=False)
            yield Outcome(number, "+".join(kinds_of(replay)), judged.values, shares_of(replay))


def fitted(judged: Sequence[Outcome]) -> float:
    """The sharpness with which the outcomes are the most likely."""
    return max(SHARPNESS, key=lambda value: likelihood(judged, value))


def likelihood(judged: Sequence[Outcome], sharpness: float) -> float:
    """How likely the outcomes are with this sharpness, as a logarithm."""
    return sum(
        won * log(max(chance, 1e-6))
        for one in judged
        for chance, won in zip(chances_of(one.values, sharpness), one.shares, strict=True)
    )


if __name__ == "__main__":
    main()
