"""What a referee's file says: how the program is started, and how it tells what came of a match."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Annotated

import msgspec
from msgspec import Meta

from dohyo.core.external_referee import MAX_PLAYERS, NAME, ExternalReferee
from dohyo.guests.arenas.match_contracts import Contract

MAX_SECONDS = 3600.0  # of a match
MAX_WORDS, LONGEST_WORD = 200, 4096  # of a command
SEED, PLAYERS, REPLAY_PATH = "{SEED}", "{PLAYERS}", "{REPLAY_PATH}"
PLACE = re.compile(r"\{[A-Z][A-Z0-9_]*\}")  # what stands for something in a word of a command

_Word = Annotated[str, Meta(max_length=LONGEST_WORD)]
_Players = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]


class RefereeTerms(msgspec.Struct, frozen=True, omit_defaults=True):
    """A referee's file, as it was read.

    `command` are the words as the file has them, `result` is the contract by which it tells what came of a match,
    `players` are the fewest and the most. A match may take so many `seconds`. The referee gets a seed of at most
    `seed_bits` bits. `files` are what it needs besides the files that its command names, relative to its own folder.
    `digest` is SHA-256 over all that and the named files' content. `file` is the absolute path of the referee's file;
    it is empty where a store says what the referee was.
    """

    name: Annotated[str, Meta(pattern=NAME)]
    command: Annotated[tuple[_Word, ...], Meta(min_length=1, max_length=MAX_WORDS)]
    result: Contract
    players: tuple[_Players, _Players]
    seconds: Annotated[float, Meta(gt=0, le=MAX_SECONDS)] = 60.0
    seed_bits: Annotated[int, Meta(ge=8, le=63)] = 63
    files: Annotated[tuple[_Word, ...], Meta(max_length=MAX_WORDS)] = ()
    digest: Annotated[str, Meta(max_length=64)] = ""
    file: str = ""

    @property
    def home(self) -> str:
        """The folder that paths are relative to; empty where no file is known."""
        return str(PurePath(self.file).parent) if self.file else ""

    @property
    def stored(self) -> RefereeTerms:
        """This referee as a store keeps it: without the path, which is the operator's own matter."""
        return msgspec.structs.replace(self, file="")

    @property
    def referee(self) -> ExternalReferee:
        """This referee as all others see it."""
        known = msgspec.to_builtins(self.stored)
        terms = {key: value for key, value in known.items() if key not in ExternalReferee.__struct_fields__}
        return ExternalReferee(self.name, self.players, self.result, self.digest, terms=terms, file=self.file)

    @classmethod
    def of(cls, referee: ExternalReferee) -> RefereeTerms:
        """What the operator's file said of this referee."""
        return msgspec.structs.replace(msgspec.convert(referee.stored, cls), file=referee.file)

    def words(self, seed: int, players: list[str], replay: str) -> list[str]:
        """Its command for a match: `players` are command lines, each one word; `replay` is where it may write."""
        number = str(seed & ((1 << self.seed_bits) - 1))
        of_brutaltester = self.result == "brutaltester"
        listed = list(players)
        if of_brutaltester:
            listed = [word for at, line in enumerate(players, 1) for word in (f"-p{at}", line)]
        values = {SEED: number, REPLAY_PATH: replay, **{place_of(at): line for at, line in enumerate(players, 1)}}
        words: list[str] = []
        for word in self.command:
            words += listed if word == PLAYERS else [PLACE.sub(lambda found: values.get(found[0], found[0]), word)]
        if of_brutaltester and not any(PLACE.search(word) for word in self.command):
            words += [*listed, "-d", f"seed={number}"]  # as brutaltester itself starts a referee
        return words


def place_of(player: int) -> str:
    """What stands for a player's command line, from 1 on."""
    return f"{{P{player}}}"
