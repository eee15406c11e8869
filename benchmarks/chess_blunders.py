"""Does `dohyo analyse` name the blunders of chess, as Stockfish counts them, and nothing else?

    apt-get install stockfish
    python benchmarks/chess_blunders.py [--matches 10] [--first 0] [--seconds 60] [--depth 14] [--by uci:stockfish]

Matches of weak engines (`LINE_UPS`: Stockfish at its lowest levels, from random openings) are played and analysed,
with these engines at hand. Then Stockfish at full strength, at so much depth, says the expected score of its seat
before each move and after it. A blunder is a move that costs `BLUNDER` of a point or more.

`right`: of the moves that are named, those that cost `CLEAR` or more, and whose better one costs less. `wrong`: those
whose better one costs more than what was played. `found`: of all blunders, those that are named.

With `--by` an engine says what positions are worth, as in `dohyo analyse --by`, and nothing is played on. Where that
is Stockfish as well, it is another process than the one that counts, with so little time as the analysis has.

Matches with numbers below 1000 are for tuning; figures that are quoted come from `--first 1000` on.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType

from dohyo import games
from dohyo.bots import Bot
from dohyo.classics.chess_notation import fen
from dohyo.core.game import Game, State
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.by_judge import analyse_by, judge_of
from dohyo.match.found_bots import find_bots
from dohyo.match.play import play_match
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.analysed import Analysis
from dohyo.series.onward import onward

FIRST_SEED = 7_000_017
LINE_UPS = (((0, 1), (0, 1)), ((0, 1), (3, 2)), ((3, 2), (0, 1)), ((3, 2), (3, 2)))  # level and depth, by seat
BLUNDER, CLEAR = 0.3, 0.1  # of a point
SCORE = re.compile(r"\bwdl (\d+) (\d+) (\d+)")


def main() -> None:
    """Play, analyse, ask Stockfish, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--by")
    options = parser.parse_args()
    game, counts = games.find("chess"), dict.fromkeys(("named", "right", "wrong", "blunders", "found", "silent"), 0)
    with Stockfish(options.depth) as judge:
        for number in range(options.first, options.first + options.matches):
            measure(game, number, options.seconds, options.by, judge, counts)
            told = " ".join(f"{name}={count}" for name, count in counts.items())
            print(f"match={number} {told}", flush=True)


def program() -> str:
    """Where Stockfish is."""
    found = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if found is None:
        sys.exit("stockfish is not installed: apt-get install stockfish")
    return found


class Stockfish:
    """Says what a position is worth."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._process = subprocess.Popen([program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Stockfish:
        self._say("setoption name UCI_ShowWDL value true", "setoption name Hash value 64")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def expected(self, game: Game, state: State, seat: int) -> float:
        """The score that a seat may expect, 0..1."""
        if game.rules.over(state):
            winner = game.rules.winner(state)
            return 0.5 if winner < 0 else float(winner == seat)
        self._say(f"position fen {fen.fen(state)}", f"go depth {self._depth}")
        won, drawn = 500, 0
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := SCORE.search(line):
                won, drawn = int(found[1]), int(found[2])
            if line.startswith("bestmove"):
                break
        value = (won + drawn / 2) / 1000
        return value if state.turn % 2 == seat else 1 - value


def words(level: int, depth: int) -> str:
    """A weak engine, as one types it."""
    return f"uci:{program()} option.Hash=16 'option.Skill Level={level}' go.depth={depth}"


def analysed(game: Game, replay: Replay, bots: Sequence[Bot], seconds: float, by: str | None) -> Analysis:
    """What the analysis says of a match."""
    if by is not None:
        with judge_of(game, replay, by, None, sandbox_of("auto")) as engine:
            return analyse_by(replay, engine, seconds=seconds)
    with onward(game, replay, lambda seat: (bots[seat], True)) as plays_on:
        return analyse(replay, seconds=seconds, plays_on=plays_on)


def measure(
    game: Game, number: int, seconds: float, by: str | None, judge: Stockfish, counts: dict[str, int]
) -> None:
    """Play a match, analyse it, and ask about each of its moves."""
    line_up = [words(*one) for one in LINE_UPS[number % len(LINE_UPS)]]
    setup = {"opening": "random"}
    bots = find_bots(game, line_up, None, sandbox_of("auto"), setup=setup)
    replay = play_match(game, bots, seed=FIRST_SEED + number, setup=setup)
    found = analysed(game, replay, bots, seconds, by)
    counts["silent"] += not found.points
    named = {(point.turn, point.seat): point.better for point in found.points}
    for turn, seat, cost, better in costs(game, replay, judge, named):
        is_blunder = cost >= BLUNDER
        counts["blunders"] += is_blunder
        if better is None and is_blunder:
            print(f"  turn={turn} seat={seat} cost={cost:.2f} not named", flush=True)
        if better is not None:
            counts["named"] += 1
            counts["found"] += is_blunder
            counts["right"] += cost >= CLEAR and better < cost
            counts["wrong"] += better > cost
            print(f"  turn={turn} seat={seat} cost={cost:.2f} cost_of_better={better:.2f}", flush=True)


def costs(
    game: Game, replay: Replay, judge: Stockfish, named: dict[tuple[int, int], str]
) -> list[tuple[int, int, float, float | None]]:
    """By move its turn, its seat, what it costs, and what the better one costs that was named."""
    found = []
    for moment in moments(game, replay):
        for seat, action in enumerate(moment.actions):
            if action is None:
                continue
            before = judge.expected(game, moment.before, seat)
            cost = before - judge.expected(game, moment.after, seat)
            better = named.get((moment.turn.turn, seat))
            told = None
            if better is not None:
                state = game.rules.LAYOUT.copy(moment.before)
                game.rules.step(state, [game.protocol.read(better)] * 2, None)
                told = before - judge.expected(game, state, seat)
            found.append((moment.turn.turn, seat, cost, told))
    return found


if __name__ == "__main__":
    main()
