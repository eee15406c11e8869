"""Programs that tests need and pip cannot bring: the one table, by which they are found, installed or missed.

`./dev test` runs `python -m tests.needs` before the tests. With CI=true, and root or a sudo that asks for no
password, what is missing is installed from Debian's packages; elsewhere one line for each missing program says
which tests will be skipped. A test asks for its program by `tests.skips.program("javac")`.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from typing import NamedTuple


class Need(NamedTuple):
    """One program, by any of the names or paths it goes by, and what has to be skipped without it."""

    name: str
    commands: tuple[str, ...]
    debian: str
    skipped: str


NEEDS = (
    Need(
        "chromium",
        (
            "chromium-headless-shell",  # no window and nothing to fill one: a quarter less processor time
            "chromium",
            "chromium-browser",
            "google-chrome",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
        ),
        "chromium-headless-shell",
        "the tests that look at the viewer in a browser",
    ),
    Need("cc", ("cc", "gcc", "clang"), "gcc libc6-dev", "the tests with bots in C"),
    Need("gdb", ("gdb",), "gdb", "the test of a bot under gdb"),
    Need("valgrind", ("valgrind",), "valgrind", "the test of a bot under valgrind"),
    Need("perf", ("perf",), "linux-perf", "the tests of bots under perf"),
    Need("make", ("make",), "make", "the test of builds by make"),
    Need("minisign", ("minisign",), "minisign", "the tests of signed results"),
    Need("g++", ("g++", "c++", "clang++"), "g++", "the tests with bots in C++"),
    Need("javac", ("javac",), "default-jdk-headless", "the tests with bots in Java"),
    Need("node", ("node", "nodejs"), "nodejs", "the tests with bots in JavaScript"),
    Need("perl", ("perl",), "perl-base", "the tests with starters in Perl"),
    Need("rustc", ("rustc",), "rustc", "the tests with bots in Rust"),
    Need("cargo", ("cargo",), "cargo", "the tests with Cargo packages"),
    Need("go", ("go",), "golang-go", "the tests with bots in Go"),
    Need("stockfish", ("stockfish", "/usr/games/stockfish"), "stockfish", "the test with a real UCI engine"),
    Need("ip", ("ip", "/usr/sbin/ip", "/sbin/ip"), "iproute2", "the test with a cluster of two hosts"),
    Need("nsenter", ("nsenter",), "util-linux", "the test with a cluster of two hosts"),
    Need("unshare", ("unshare",), "util-linux", "the test with a cluster of two hosts"),
    Need("mcs", ("mcs",), "mono-mcs mono-runtime", "the tests with bots in C#"),
    Need("kotlinc", ("kotlinc",), "kotlin", "the tests with bots in Kotlin"),
    Need("scalac", ("scalac",), "scala", "the tests with packages in Scala"),
    Need("ghc", ("ghc",), "ghc", "the tests with folders in Haskell"),
    Need("tsc", ("tsc",), "node-typescript", "the tests with packages in TypeScript"),
    Need(
        "postgres",
        ("postgres", "/usr/lib/postgresql/*/bin/postgres"),  # Debian keeps each version's programs apart
        "postgresql",
        "the tests with stores in PostgreSQL",
    ),
    Need("nginx", ("nginx", "/usr/sbin/nginx"), "nginx", "the tests of a site behind nginx"),
    Need("caddy", ("caddy",), "caddy", "the tests of a site behind Caddy"),
    Need("glewlwyd", ("glewlwyd",), "glewlwyd", "the tests of signing in by OpenID Connect"),
)
BY_NAME = {need.name: need for need in NEEDS}


def in_ci() -> bool:
    """Whether this run has to be complete: the environment says CI=true."""
    return os.environ.get("CI", "").lower() in ("true", "1")


@cache
def path_of(name: str) -> str | None:
    """Where the program `name` of the table is, or None; KeyError for a name that is not in the table."""
    found = (shutil.which(command) for pattern in BY_NAME[name].commands for command in places(pattern))
    return next((path for path in found if path), None)


def places(pattern: str) -> list[str]:
    """What a name or path may stand for: where it has a star, the paths that fit, the highest number first."""
    if "*" not in pattern:
        return [pattern]
    return sorted(glob.glob(pattern), key=lambda path: [int(n) for n in re.findall(r"\d+", path)], reverse=True)


def missing() -> list[Need]:
    """The programs that this machine lacks."""
    return [need for need in NEEDS if path_of(need.name) is None]


@cache
def apt_has(packages: str) -> bool:
    """Whether Debian's package tool is here and knows every one of `packages` (a list parted by spaces)."""
    if shutil.which("apt-cache") is None:
        return False
    known = subprocess.run(["apt-cache", "show", *packages.split()], capture_output=True, check=False)
    return known.returncode == 0


def root_prefix() -> list[str] | None:
    """What a command needs in front of it to run as root: nothing, sudo, or None where neither will do."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    answers = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    return ["sudo", "-n", "--preserve-env=DEBIAN_FRONTEND"] if answers else None


def install(needs: list[Need]) -> None:
    """Install `needs` from Debian's packages, after at most one refresh of apt's list; say what apt lacks."""
    prefix = root_prefix()
    if shutil.which("apt-get") is None or prefix is None:
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = [*prefix, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    print("Installing for the tests:", ", ".join(need.name for need in needs), flush=True)
    subprocess.run([*apt, "update"], env=environment, stdout=subprocess.DEVNULL, check=False)
    packages = " ".join(need.debian for need in needs if apt_has(need.debian)).split()
    if packages:
        order = [*apt, "install", "--no-install-recommends", *packages]
        subprocess.run(order, env=environment, stdout=subprocess.DEVNULL, check=False)
    path_of.cache_clear()


def main() -> int:
    """Install in CI, then say in a line each what is still missing. Never fails: the tests are the judge."""
    if in_ci() and (needs := missing()):
        install(needs)
    from tests import cuda_library  # which some that use this table have no need of

    if not cuda_library.is_here() and not (in_ci() and cuda_library.install()):
        print(
            "No numba-cuda here (python -m tests.cuda_library): the tests of graphics cards will be skipped.",
            flush=True,
        )
    for need in missing():
        remedy = f"in Debian: {need.debian}" if apt_has(need.debian) else "apt knows no package for it here"
        print(f"No {need.name} on this machine ({remedy}): {need.skipped} will be skipped.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
