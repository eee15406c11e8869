"""What the sandbox costs: the start of a C bot in each layer compared with a bare one, and a turn of it.

    python benchmarks/sandbox_start.py [--rounds 15] [--turns 2000]

Rounds alternate between the layers, because a machine's speed drifts; `least_more_ms` compares the quickest starts,
which other work on the machine disturbs least. A start is timed from before the process is
made to its first line; a turn is one line there and one back, while this process and the bot share a core.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from dohyo import sandbox
from dohyo.core.sandbox import Mount, SandboxFactory, Shown
from dohyo.match.processes.bot_process import BotProcess
from dohyo.system import scheduler

ECHO = """
#include <stdio.h>
int main(void) {
    char line[4096];
    puts("READY"); fflush(stdout);
    while (fgets(line, sizeof line, stdin)) { fputs(line, stdout); fflush(stdout); }
}
"""
LINE = b"x" * 199 + b"\n"


def main(words: Sequence[str]) -> None:
    """Measure, and print a line for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--turns", type=int, default=2000)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        bot = compile_echo(Path(folder))
        layers = [made for number in (4, 1, 2, 3) if (made := sandbox.at_layer(number)) is not None]
        starts: dict[int, list[float]] = {made.layer: [] for made in layers}
        turns: dict[int, list[float]] = {made.layer: [] for made in layers}
        for _ in range(options.rounds):
            for made in layers:
                start, turn = measure(bot, made, options.turns)
                starts[made.layer].append(start)
                turns[made.layer].append(turn)
    for made in layers:
        more = median(here - bare for here, bare in zip(starts[made.layer], starts[4], strict=True))
        a_turn = median(here - bare for here, bare in zip(turns[made.layer], turns[4], strict=True))
        least = min(starts[made.layer]) - min(starts[4])
        print(
            f"layer={made.layer} name={made.name} start_ms={median(starts[made.layer]):.1f} start_more_ms={more:.1f} "
            f"least_more_ms={least:.1f} turn_us={median(turns[made.layer]):.2f} turn_more_us={a_turn:.2f}"
        )


def compile_echo(folder: Path) -> str:
    """The bot, built with the machine's compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None:
        sys.exit("A C compiler is needed (in Debian: apt install gcc libc6-dev).")
    (folder / "echo.c").write_text(ECHO)
    subprocess.run([compiler, "-O2", "-o", folder / "echo", folder / "echo.c"], check=True)
    return str(folder / "echo")


def measure(bot: str, made: sandbox.Sandbox, turns: int) -> tuple[float, float]:
    """One start in milliseconds, and one turn in microseconds."""
    folder = os.path.dirname(bot)
    environment = dict(os.environ)
    cores = scheduler.stay_on_this_core()
    begin = perf_counter()
    sandbox_factory: SandboxFactory | None = made.factory(Shown(folder, (Mount(folder, folder),)), environment)
    program = BotProcess((bot,), folder, environment, sandbox_factory=sandbox_factory)
    try:
        os.set_blocking(program.stdout, True)
        program.read_output()
        started = perf_counter()
        for _ in range(turns):
            program.send(LINE)
            os.read(program.stdout, 4096)
        ended = perf_counter()
    finally:
        program.stop()
        scheduler.use_cores(cores)
    return (started - begin) * 1e3, (ended - started) / turns * 1e6


if __name__ == "__main__":
    main(sys.argv[1:])
