"""What travels between a contest and the machines of a cluster: chunks of orders, and what came of them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

import dohyo
from dohyo.app.executors.orders import MatchOrder, MatchReport

SIGNS = 8  # of the digest, in a version that is shown
# What has a part in a match. Sentences, pages and stores may differ.
PARTS = ("app", "app/executors", "bots/**", "core/**", "games/**", "runner/**", "sandbox/**", "search", "sim/**")


class Parcel(msgspec.Struct, frozen=True):
    """A chunk of orders. The bots in them are as they are on the contest's machine, and useless on another.

    `archives` says, by a bot's digest, which archive (SHA-256 of its bytes) has what its author handed in. `python`
    is the interpreter for bots in Python. `token` is the same for all chunks that are given up together.
    """

    token: str
    orders: list[MatchOrder]
    archives: dict[str, str]
    python: str | None = None


class Answer(msgspec.Struct, frozen=True):
    """What `worker` says to a parcel: a report for each order, or the archives that it lacks and needs first."""

    worker: str
    reports: list[MatchReport]
    lacking: list[str] = []


@cache
def version() -> str:
    """Which Dohyo this is, to the letter: matches would not be the same with another's rules."""
    folder = Path(dohyo.__file__).parent
    whole = hashlib.sha256()
    paths = [path for part in PARTS for path in folder.glob(f"{part}/*.py") if not path.name.startswith("words")]
    for path in sorted(paths):
        whole.update(f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"{dohyo.__version__}+{whole.hexdigest()[:SIGNS]}"
