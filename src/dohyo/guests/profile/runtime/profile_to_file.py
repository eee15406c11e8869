"""Runs a bot in Python under cProfile, and writes the calls and their times into a file, as JSON.

    python3 profile_to_file.py OUT SECONDS bot.py ARGUMENTS

The bot's own interpreter runs this file, which may be an old Python 3, and which need not have Dohyo. After SECONDS
the bot is ended: one that does not end with its input would run on for ever.

What runs before the first input is read (imports, tables) is the start-up: of it only the seconds are written. What
follows are the turns, which are profiled by themselves, as no import or table can hide them then.
"""

import builtins
import cProfile
import io
import json
import os
import pstats
import signal
import sys
import threading
import time
import traceback
import types
from typing import Any

OURS = ("_lsprof.Profiler", "function Input.")  # in the names of built-in functions that only this file calls


class Profilers:
    """What came before the first input was read, the start-up, and what came after it, the turns, apart."""

    def __init__(self) -> None:
        self.before, self.turns = cProfile.Profile(), cProfile.Profile()
        self.began = time.perf_counter()
        self.startup: float | None = None  # seconds, once the first input is read
        self.plain = os.read, builtins.open

    def read(self) -> None:
        """The program reads its input; only the first time matters. A profiler sees the thread that starts it."""
        if self.startup is None:
            if threading.current_thread() is threading.main_thread():
                self.turn()
            else:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR2)

    def turn(self) -> None:
        """The first turn begins."""
        if self.startup is None:
            self.startup = time.perf_counter() - self.began
            self.before.disable()
            os.read, builtins.open = self.plain
            self.turns.enable()

    def disable(self) -> float:
        """The program has ended; the seconds since the first input, or since the start if it read none."""
        self.before.disable()
        self.turns.disable()
        return time.perf_counter() - self.began - (self.startup or 0.0)


class Input(io.FileIO):
    """The standard input, which tells when it is read."""

    def __init__(self, profilers: Profilers) -> None:
        super().__init__(0, closefd=False)
        self._profilers = profilers

    def readinto(self, buffer: Any) -> Any:
        """Read bytes into a buffer; how many, 0 at the end."""
        self._profilers.read()
        return super().readinto(buffer)

    def read(self, size: Any = -1) -> Any:
        """Read at most `size` bytes; all that are left below 0."""
        self._profilers.read()
        return super().read(size)

    def readall(self) -> Any:
        """Read all bytes that are left."""
        self._profilers.read()
        return super().readall()


def watch_input(profilers: Profilers) -> None:
    """Let the first read of the standard input be noticed, however the program reads it in Python."""
    text = io.TextIOWrapper(io.BufferedReader(Input(profilers)), sys.stdin.encoding, sys.stdin.errors)
    sys.stdin = text
    vars(sys)["__stdin__"] = text
    plain_read, plain_open = profilers.plain

    def read(fd: int, length: int) -> bytes:
        if fd == 0:
            profilers.read()
        return plain_read(fd, length)

    def opened(file: Any, *words: Any, **options: Any) -> Any:
        if file in (0, "/dev/stdin"):
            profilers.read()
        return plain_open(file, *words, **options)

    os.read, builtins.open = read, opened


def main() -> None:
    """Profile the program that the arguments name; its own end, whatever it is, comes after the file."""
    out, seconds, program = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    sys.argv = sys.argv[3:]
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    with io.open_code(program) as file:
        code = compile(file.read(), program, "exec")
    module = sys.modules["__main__"] = types.ModuleType("__main__")  # the program finds itself there, and not us
    names = vars(module)
    names.update(__file__=program, __builtins__=builtins)
    profilers = Profilers()
    watch_input(profilers)
    signal.signal(signal.SIGUSR2, lambda *_: profilers.turn())
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(0))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        profilers.before.runctx(code, names, names)  # type: ignore[arg-type]  # code is what it takes, too
    except SystemExit:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        write(profilers, profilers.disable(), out, program)


def write(profilers: Profilers, seconds: float, out: str, program: str) -> None:
    """Write all functions of the turns, each with its callers, and the number of the program itself.

    What was called by functions that ran already when the first turn began counts as called by the program.
    """
    profiler = profilers.before if profilers.startup is None else profilers.turns
    profiler.create_stats()
    stats: Any = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    ours = main.__code__.co_filename
    keys = [key for key in stats if key[0] != ours and not any(part in key[2] for part in OURS)]
    numbers = {key: at for at, key in enumerate(keys)}
    calls: Any = [
        {
            "name": name_of(key),
            "own": stats[key][2],
            "whole": stats[key][3],
            "callers": [(numbers[who], times[3]) for who, times in stats[key][4].items() if who in numbers],
        }
        for key in keys
    ]
    root = next((at for key, at in numbers.items() if key[0] == program and key[2] == "<module>"), -1)
    if profilers.startup is not None:
        root = len(calls)
        for call in calls:
            left = call["whole"] - sum(took for _, took in call["callers"])
            if left > 0:
                call["callers"].append((root, left))
        calls.append({"name": os.path.basename(program), "own": 0.0, "whole": seconds, "callers": []})
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"calls": calls, "root": root, "startup": profilers.startup}, file)


def name_of(key: Any) -> str:
    """A function as it is shown: its name and place; what is built in has no place."""
    path, line, name = str(key[0]), int(key[1]), str(key[2])
    if path == "~":
        return name
    if name == "<module>":
        return os.path.basename(path)
    return f"{name} ({os.path.basename(path)}:{line})"


main()
