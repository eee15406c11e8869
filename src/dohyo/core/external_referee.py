"""A game whose referee is another program: how that is started, and what is known of its game.

Such a game is a `Game` like all others for whoever asks how many play it and what it is called. It has no rules:
whoever uses a hook of them gets an `OperatorError`, one sentence.
"""

from __future__ import annotations

import re
from pathlib import PurePath, PurePosixPath
from types import SimpleNamespace
from typing import Annotated, Any, NoReturn

import msgspec
from msgspec import Meta

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Rules, TextProtocol
from dohyo.core.match_contracts import Contract

MAX_PLAYERS = 8
MAX_SECONDS = 3600.0  # of a match
MAX_WORDS, LONGEST_WORD = 200, 4096  # of a command
NAME = r"^[a-z0-9][a-z0-9-]{0,59}$"
SEED, PLAYERS, REPLAY_PATH = "{SEED}", "{PLAYERS}", "{REPLAY_PATH}"
PLACE = re.compile(r"\{[A-Z][A-Z0-9_]*\}")  # what stands for something in a word of a command

_Word = Annotated[str, Meta(max_length=LONGEST_WORD)]
_Players = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]


class ExternalReferee(msgspec.Struct, frozen=True, omit_defaults=True):
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
    def stored(self) -> ExternalReferee:
        """This referee as a store keeps it: without the path, which is the operator's own matter."""
        return msgspec.structs.replace(self, file="")

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


class _NoRules:
    """Stands in the place of each hook; whatever is done with it is refused."""

    def __init__(self, game: str) -> None:
        self._game = game

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise OperatorError("referee-no-rules", game=self._game)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions
            raise AttributeError(name)
        self._refuse()

    __call__ = __index__ = __int__ = __iter__ = __len__ = __contains__ = __getitem__ = __bool__ = _refuse


def game_of(referee: ExternalReferee) -> Game:
    """The game that it referees. Raises `OperatorError` for an impossible number of players."""
    fewest, most = referee.players
    if fewest > most:
        raise OperatorError("referee-players", game=referee.name, most=MAX_PLAYERS)
    absent = _NoRules(referee.name)
    hooks = {
        name: absent
        for kind in (Rules, TextProtocol)
        for name in (*kind.__annotations__, *(name for name in vars(kind) if not name.startswith("_")))
    }
    without = SimpleNamespace(**hooks)
    nowhere = PurePosixPath("/dev/null")  # it has no folder, and so no sample bots
    return Game(
        name=referee.name, seats=(fewest, most), rules=without, protocol=without, folder=nowhere, referee=referee
    )
