"""UCI engines played by `dohyo compare`, beside fastchess and cutechess-cli where these are installed.

    apt-get install stockfish gnuchess toga2
    python benchmarks/engines.py speed [--against toga2] [--clock 1+0.02] [--pairs 10] [--workers 2] [--load 2]
                                    [--times 3]
    python benchmarks/engines.py overhead [--moves 400]
    python benchmarks/engines.py verdicts [--pairs 200]

`speed`: stockfish against another one, in pairs from random openings: games a second, how long a move took in all
(games differ in length), and how many were lost on time; the same match by each of the other programs that is on the
PATH, from the same openings. `anew` starts the engines again for each match. All of it `--times` over, one
after the other. `--load` are so many processes more that only compute, beside it: does a busy machine lose games?

`overhead`: what a move costs besides the engine: stockfish at one node a move, charged by our clock, beside two of
them that a bare loop in Python writes to and reads from with nothing between; and in a real match, what was charged
less the `time` that the engine itself has told last.

`verdicts`: a strong and a weak stockfish, then two that are the same: is the first called better, and the second not?
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any

from busy_cores import busy

GAMES = "/usr/games"
OTHERS = ("fastchess", "cutechess-cli")
SECOND = {"gnuchess": "--uci", "toga2": ""}  # whom stockfish meets, with its words
PAUSE = 0.001  # seconds in which a referee judges and plays a move
TIME = re.compile(r"\btime (\d+)\b")


def program(name: str) -> str:
    """The path of an engine."""
    found = shutil.which(name) or shutil.which(name, path=GAMES)
    if found is None:
        sys.exit(f"{name} is not installed: apt-get install {name}")
    return found


def compared(
    first: str, second: str, clock: str, pairs: int, workers: int, *more: str
) -> tuple[dict[str, Any], float]:
    """The document of `dohyo compare` and its seconds."""
    words = ["compare", "chess", first, second, "--clock", clock, "--setup", "opening=random", "--seed", "1"]
    words += ["--max-pairs", str(pairs), "--workers", str(workers), "--json", "--itself", *more]
    start = monotonic()
    done = subprocess.run([sys.executable, "-m", "dohyo", *words], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout), monotonic() - start


# --- speed


def speed(against: str, clock: str, pairs: int, workers: int, loops: int, times: int) -> None:
    """One line for each program that plays the match."""
    beside = f"{workers} at once, {loops} busy beside; load {os.getloadavg()[0]:.1f}"
    print(f"stockfish - {against}, {clock}, {pairs} pairs, {beside}")
    print(f"{'':16}{'games':>7}{'seconds':>9}{'games/s':>9}{'ms/move':>9}{'lost on time':>14}{'other faults':>14}")
    with busy(loops):
        for _ in range(times):
            for name, mode, *more in (("fair", "fair"), ("fair, anew", "fair", "--restart"), ("wall", "wall")):
                _line(f"dohyo, {name}", *_ours(against, f"{clock},mode={mode}", pairs, workers, *more))
            for name in OTHERS:
                if shutil.which(name):
                    _line(name, *_others(name, against, clock, pairs, workers))
                else:
                    print(f"{name:16}{'not here':>7}")


def _line(name: str, games: int, moves: int, seconds: float, late: int, other: int) -> None:
    pace = f"{games / seconds:9.2f}{1000 * seconds / max(1, moves):9.1f}"
    print(f"{name:16}{games:7}{seconds:9.2f}{pace}{late:14}{other:14}", flush=True)


def _ours(against: str, clock: str, pairs: int, workers: int, *more: str) -> tuple[int, int, float, int, int]:
    """The match by Dohyo: games, moves, seconds, lost on time, other faults."""
    one, two = f"a=uci:{program('stockfish')} option.Hash=16", f"b=uci:{program(against)} {SECOND[against]}"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.pgn")
        found, seconds = compared(one, two, clock, pairs, workers, "--pgn", str(out), *more)
        return found["matches"], _moves(out.read_text()), seconds, *_faults(found)


def _moves(pgn: str) -> int:
    """Moves of both sides in all games."""
    return sum(map(int, re.findall(r'\[PlyCount "(\d+)"\]', pgn)))


def _faults(found: dict[str, Any]) -> tuple[int, int]:
    """Time-outs of a comparison, and other faults."""
    counts = [(kind, count) for bot in found["bots"] for kind, count in bot["faults"].items()]
    late = sum(count for kind, count in counts if kind == "timeout")
    return late, sum(count for _, count in counts) - late


def _others(name: str, against: str, clock: str, pairs: int, workers: int) -> tuple[int, int, float, int, int]:
    """The same match by another program: games, moves, seconds, lost on time, other ends that are no chess."""
    from dohyo import games
    from dohyo.classics.chess_notation import openings

    with tempfile.TemporaryDirectory() as folder:
        book, out = Path(folder, "book.epd"), Path(folder, "out.pgn")
        book.write_text("\n".join(openings.own(games.find("chess"))) + "\n")
        words = [name, "-engine", f"cmd={program('stockfish')}", "name=a", "option.Hash=16"]
        words += ["-engine", f"cmd={program(against)}", "name=b"]
        if SECOND[against]:
            words += [f"{'args' if name == 'fastchess' else 'arg'}={SECOND[against]}"]
        words += ["-each", f"tc={clock}", "proto=uci"]
        words += ["-rounds", str(pairs), "-games", "2", "-repeat", "-concurrency", str(workers)]
        words += ["-openings", f"file={book}", "format=epd", "order=random"]
        words += ["-pgnout", f"file={out}"] if name == "fastchess" else ["-pgnout", str(out)]
        start = monotonic()
        subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, check=False)  # fastchess writes a config.json
        seconds = monotonic() - start
        text = out.read_text() if out.exists() else ""
    late = len(re.findall(r'\[Termination "time forfeit"\]', text))
    other = len(re.findall(r'\[Termination "(?:illegal|abandoned|rules)', text))
    return text.count("[Event "), _moves(text), seconds, late, other


# --- overhead


def overhead(moves: int) -> None:
    """Microseconds a move."""
    import dohyo

    fish = f"uci:{program('stockfish')}"
    ours, told = [], []
    for seed in range(1000):
        if len(ours) >= moves:
            break
        replay = dohyo.play("chess", [f"{fish} go.nodes=1"] * 2, seed=seed, setup={"opening": "random"}, clock=10.0)
        ours += [move.seconds for turn in replay.turns for move in turn.moves if move.seconds is not None]
    bare = _bare(moves)
    print(
        f"one node a move, load {os.getloadavg()[0]:.1f}: charged {1e6 * median(ours):.0f} us, median of {len(ours)}"
    )
    print(f"the same engine in a bare loop: {1e6 * median(bare):.0f} us, median of {len(bare)}")
    replay = dohyo.play("chess", [fish] * 2, seed=3, setup={"opening": "random"}, clock="5+0.05")
    for turn in replay.turns:
        for move in turn.moves:
            if (times := TIME.findall(move.comments)) and move.seconds is not None:
                told.append(1000 * move.seconds - int(times[-1]))
    print(f"5+0.05, {len(told)} moves: charged less the engine's own time: median {median(told):.1f} ms, ", end="")
    print(f"most {max(told):.1f} ms")


class Bare:
    """An engine that is written to and read from with nothing between."""

    def __init__(self) -> None:
        words = [program("stockfish")]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.reader = self.process.stdin, os.fdopen(os.dup(self.process.stdout.fileno()), "rb")
        self.asked("uci\nisready\n", b"readyok")

    def asked(self, text: str, word: bytes) -> tuple[float, bytes]:
        """Seconds until the line that begins with this word, and the line."""
        start = perf_counter()
        self.input.write(text.encode())
        while not (line := self.reader.readline()).startswith(word):
            pass
        return perf_counter() - start, line

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        self.reader.close()


def _bare(moves: int) -> list[float]:
    """Seconds of each move between two engines at one node, with as long a pause after each as Dohyo makes."""
    engines = [Bare(), Bare()]
    found, line = [], ""
    for at in range(moves):
        text = f"position startpos{' moves' + line if line else ''}\ngo movetime 9950 nodes 1\n"
        seconds, answer = engines[at % 2].asked(text, b"bestmove")
        found.append(seconds)
        word = answer.split()[1].decode()
        line = "" if word == "(none)" or line.count(" ") > 150 else f"{line} {word}"
        sleep(PAUSE)
    for engine in engines:
        engine.end()
    return found


# --- verdicts


def verdicts(pairs: int, clock: str, workers: int) -> None:
    """What is said of a better one, and of one that is the same."""
    fish = f"uci:{program('stockfish')}"
    for name, first, second in (
        ("Skill Level 8 - 0", f"a={fish} option.Skill_Level=8", f"b={fish} option.Skill_Level=0"),
        ("the same twice", f"a={fish} option.Skill_Level=4", f"b={fish} option.Skill_Level=4 option.Hash=15"),
    ):
        found, seconds = compared(first, second, clock, pairs, workers, "--elo1", "60")
        late, other = _faults(found)
        print(
            f"{name:20}{found['decision']:12}{found['pairs']:5} pairs  LLR {found['llr']:+.2f}  "
            f"Elo {found['elo']:+.0f}  {found['matches'] / seconds:.2f} games/s  "
            f"lost on time {late}, other faults {other}",
            flush=True,
        )


def main() -> None:
    """Read the words."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "overhead", "verdicts"))
    parser.add_argument("--against", choices=tuple(SECOND), default="gnuchess")
    parser.add_argument("--clock", default="1+0.02")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--moves", type=int, default=400)
    words = parser.parse_args()
    if words.what == "speed":
        speed(words.against, words.clock, words.pairs or 10, words.workers, words.load, words.times)
    elif words.what == "overhead":
        overhead(words.moves)
    else:
        verdicts(words.pairs or 200, words.clock, words.workers)


if __name__ == "__main__":
    main()
