"""Runs a bot in Python under cProfile, and writes the calls and their times into a file, as JSON.

    python3 profile_to_file.py OUT SECONDS bot.py ARGUMENTS

The bot's own interpreter runs this file, which may be an old Python 3, and which need not have Dohyo. After SECONDS
the bot is ended: one that does not end with its input would run on for ever.
"""

import builtins
import cProfile
import io
import json
import os
import pstats
import signal
import sys
import traceback
import types
from typing import Any


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
    profiler = cProfile.Profile()
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(0))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        profiler.runctx(code, names, names)  # type: ignore[arg-type]  # code is what it takes, too
    except SystemExit:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        profiler.disable()
        write(profiler, out, program)


def write(profiler: cProfile.Profile, out: str, program: str) -> None:
    """Write all functions, each with its callers, and the number of the program itself, which called them all."""
    profiler.create_stats()
    stats: Any = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    keys = [key for key in stats if key[2] != "<method 'disable' of '_lsprof.Profiler' objects>"]
    numbers = {key: at for at, key in enumerate(keys)}
    calls = [
        {
            "name": name_of(key),
            "own": stats[key][2],
            "whole": stats[key][3],
            "callers": [(numbers[who], times[3]) for who, times in stats[key][4].items() if who in numbers],
        }
        for key in keys
    ]
    root = next((at for key, at in numbers.items() if key[0] == program and key[2] == "<module>"), -1)
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"calls": calls, "root": root}, file)


def name_of(key: Any) -> str:
    """A function as it is shown: its name and place; what is built in has no place."""
    path, line, name = str(key[0]), int(key[1]), str(key[2])
    if path == "~":
        return name
    if name == "<module>":
        return os.path.basename(path)
    return f"{name} ({os.path.basename(path)}:{line})"


main()
