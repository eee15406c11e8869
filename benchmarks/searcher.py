"""The sample bot `searcher`: how often it wins, and what it has learned of a game.

    python benchmarks/searcher.py play [GAME ...] [--matches 100] [--against BOT] [--parts 1,10] [--seed 1]
    python benchmarks/searcher.py learn GAME [--turns 4000] [--games-at-once 1024]

`play`: matches of `searcher` against `random`, or another bot, half of them on each seat, at the game's usual clock
(`--parts 1`) and at a tenth of it (10; the first turn has the whole time, in which the program starts), counted by
`fair` time. The share of wins (a draw is half of one) with an interval of 95 %, and in a game that counts points what
a match brings. Without names: all games that have `searcher`.

`learn`: writes `learned.json` into the game's folder: for each sign at each place of the board, by how many more
actions a seat may choose from that has it there, less what that gives the other seat. It needs the extra `fast`. From
many games of random players at once: the number of legal actions of whoever is to move is explained by the signs on
the board (least squares; the places by what the signs alone leave unexplained, drawn towards 0). No game needs a line
of code for it. Where random play to the end says enough, as in Hex, nothing has to be learned.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from dohyo import classics, games
from dohyo.bots.samples import samples_of
from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.match.play import play_match
from dohyo.search.learned import FILE, Learned

BOT, USUAL = "searcher", "random"
Z = 1.96
EVERY = 11  # turns between two positions of a game that are taken
EARLIEST = 20  # turn, before which all games are alike
STRENGTH = 200.0  # of the drawing towards 0 of what is learned of single places
PART = 0.3  # of that, which counts: where a piece stands changes with the next turn, that it is there stays
CHUNK = 20_000  # positions at once


def shared(won: float, count: int) -> tuple[float, float]:
    """Wilson's interval of a share."""
    share = won / count
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    return middle - half, middle + half


def clock_of(game: Game, part: int) -> Clock:
    """The game's usual clock, or that part of it; the first turn has the whole time."""
    usual = game.usual_clock()
    return Clock(turn=usual.turn / part, first=usual.limit(True), mode="fair")


def play(name: str, against: str, matches: int, part: int, seed: int) -> None:
    """Matches of one game; prints one line."""
    game = games.find(name)
    won, points, faults = 0.0, 0.0, 0
    for number in range(matches):
        seat = number % 2
        bots = [BOT, against] if seat == 0 else [against, BOT]
        replay = play_match(name, bots, seed=seed + number // 2, clock=clock_of(game, part))
        mine, theirs = replay.result.places[seat], replay.result.places[1 - seat]
        won += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
        points += replay.result.scores[seat] if replay.result.scores else 0
        faults += sum(bool(move.faults) for turn in replay.turns for move in turn.moves if move.seat == seat)
    low, high = shared(won, matches)
    scored = f", {points / matches:+.2f} points a match" if game.rules.scores is not None else ""
    told = f"{name}: {won / matches:.1%} of {matches} against {against} (95 %: {low:.1%} to {high:.1%})"
    print(f"{told}, 1/{part} of the clock, {faults} faults{scored}", flush=True)


# --- what is learned


def board_of(game: Game) -> Any:
    """The field of the state that says what lies where."""
    for field in game.fields:
        if field.signs and len(field.shape) == 2 and not field.hidden:
            return field
    sys.exit(f"{game.name} has no board of signs")


def positions(game: Game, name: str, count: int, turns: int) -> tuple[Any, Any, Any]:
    """Boards of random games, how many actions the mover had there, and the mover."""
    import numpy

    from dohyo.sim import BatchMatch

    batch = BatchMatch(game, count, seed=1, threads=1)
    boards, choices, movers = [], [], []
    for turn in range(turns):
        batch.step(batch.sample())
        if turn >= EARLIEST and turn % EVERY == 0:
            boards.append(batch.states[name].reshape(count, -1).astype("i1"))
            choices.append(batch.legal(mover=True).sum(1))
            movers.append(batch.acting()[:, 1].astype("i1"))
    return numpy.concatenate(boards), numpy.concatenate(choices).astype(float), numpy.concatenate(movers)


def explained(boards: Any, choices: Any, signs: int) -> Any:
    """What each sign at each place adds to the number of actions, as (places, signs)."""
    import numpy

    counts = numpy.stack([(boards == sign).sum(1) for sign in range(1, signs)], 1).astype(float)
    base = numpy.linalg.lstsq(numpy.c_[numpy.ones(len(counts)), counts], choices, rcond=None)[0]
    rest = choices - base[0] - counts @ base[1:]
    places = boards.shape[1]
    size = places * (signs - 1)
    square, product = numpy.eye(size) * STRENGTH, numpy.zeros(size)
    for at in range(0, len(boards), CHUNK):
        some = boards[at : at + CHUNK, :, None] == numpy.arange(1, signs, dtype="i1")
        flat = some.reshape(len(some), size).astype("f4")
        square += flat.T @ flat
        product += flat.T @ rest[at : at + CHUNK].astype("f4")
    more = numpy.linalg.solve(square, product).reshape(places, signs - 1)
    return numpy.c_[numpy.zeros(places), base[1:] + PART * more]


def learn(name: str, count: int, turns: int) -> None:
    """Write what was learned into the game's folder."""
    game = games.find(name)
    board = board_of(game)
    boards, choices, movers = positions(game, board.name, count, turns)
    own, other = (explained(boards[movers == seat], choices[movers == seat], len(board.signs)) for seat in (0, 1))
    worth = own - other
    rows = tuple(tuple(round(float(each), 2) for each in row) for row in worth)
    file = Path(game.folder) / FILE
    file.write_bytes(msgspec.json.format(msgspec.json.encode(Learned(board.name, rows)), indent=0) + b"\n")
    signs = [f"{sign} {worth[:, at].mean():+.2f}" for at, sign in enumerate(board.signs) if at]
    print(f"{file}: {len(boards)} positions; on average {', '.join(signs)}")


def known() -> list[str]:
    """All games that have the bot."""
    return [name for name in classics.NAMES if BOT in samples_of(games.find(name))]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, or learn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("play", "learn"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--against", default=USUAL)
    parser.add_argument("--parts", default="1,10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=4000)
    parser.add_argument("--games-at-once", type=int, default=1024)
    words = parser.parse_args(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in words.games or known():
        if words.what == "learn":
            learn(name, words.games_at_once, words.turns)
            continue
        for part in map(int, words.parts.split(",")):
            play(name, words.against, words.matches, part, words.seed)


if __name__ == "__main__":
    main()
