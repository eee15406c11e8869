"""Which system calls a program makes that the sandbox would refuse it: for whoever adds a language.

    python -m tests.sandbox.refused_calls [--build] [--layer 1|2|3] -- COMMAND [WORD ...]

Runs the command without a sandbox under `strace` (to be installed: apt install strace), with standard input and
output as they are, and asks the filter about every call with the arguments that it had. One line for each kind of
refused call: its name, the argument that decides, how often, and what the filter answers. Many of these do not
matter: a program that is refused often does it another way. `--build` takes the filter of builds, which may do more
than bots.
"""

from __future__ import annotations

import argparse
import errno
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from dohyo.sandbox import seccomp
from tests.sandbox import simulated

# [pid 17] [  16] ioctl(0x1, 0x5401, 0x7ffd) = ...
CALL = re.compile(r"^(?:\d+ +)?\[ *(\d+)\] (\w+)\(([^)]*)")
DECIDING = {
    seccomp.IOCTL: 1,
    seccomp.FCNTL: 1,
    seccomp.SETSOCKOPT: 2,
    seccomp.PRCTL: 0,
    seccomp.CLONE: 0,
    seccomp.SOCKET: 0,
}


def trace(command: Sequence[str]) -> list[str]:
    """The lines of strace about everything that the command and its children call, arguments as numbers."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told"
        strace = ["strace", "--follow-forks", "--syscall-number", "--raw=all", f"--output={told}", "--"]
        subprocess.run([*strace, *command], check=False)
        return told.read_text(errors="replace").splitlines()


def refusals(lines: Iterable[str], content: bytes, machine: str) -> Counter[tuple[str, str, str]]:
    """How often the filter refuses what: the call's name, its deciding argument, the error."""
    name, column = seccomp.ARCHITECTURES[machine]
    deciding = {numbers[column]: place for numbers, place in DECIDING.items()}
    found: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        if (call := CALL.match(line)) is None:
            continue
        number, words = int(call[1]), [int(word, 0) for word in re.findall(r"0x[0-9a-f]+|\b\d+\b", call[3])]
        said = simulated.run(content, name, number, *[word % (1 << 64) for word in (*words, 0, 0, 0)[:3]])
        if said != seccomp.ALLOW:
            place = deciding.get(number)
            argument = hex(words[place]) if place is not None and place < len(words) else ""
            found[call[2], argument, errno.errorcode.get(said & 0xFFFF, "the end")] += 1
    return found


def main(words: Sequence[str]) -> None:
    """Run the command, and print what it would be refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="store_true", help="as a command of a build")
    parser.add_argument("--layer", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(words)
    if shutil.which("strace") is None:
        sys.exit("strace is needed (in Debian: apt install strace).")
    machine = platform.machine()
    content = seccomp.assemble(
        machine, counted=options.layer == 1, sockets=options.layer < 3, bound=not options.build
    )
    for (name, argument, error), times in sorted(refusals(trace(options.command), content, machine).items()):
        print(f"{name}({argument}) x {times}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
