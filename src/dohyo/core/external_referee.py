"""A game whose referee is another program: what is known of that referee, and of its game.

Such a game is a `Game` like all others for whoever asks how many play it and what it is called. It has no rules:
whoever uses a hook of them gets an `OperatorError`, one sentence. How the program is started, and what it tells, only
the guest knows that brings its kind (`dohyo.executors.refereed`).
"""

from __future__ import annotations

from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Annotated, Any, NoReturn

import msgspec
from msgspec import Meta

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Rules, TextProtocol

MAX_PLAYERS = 8
NAME = r"^[a-z0-9][a-z0-9-]{0,59}\Z"
USUAL = "toml"  # the kind where none is said, as in stores that were written when there was no other
KIND = r"^[a-z0-9]{1,20}\Z"
_WORD = r"^[A-Za-z0-9_-]{1,60}\Z"

_Players = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]


class ExternalReferee(msgspec.Struct, frozen=True):
    """Another program that referees a game.

    `name` is the game's, `players` are the fewest and the most. `result` says in one word how the program tells what
    came of a match. `digest` is SHA-256 over all that decides a match: what has another one is another referee.
    `kind` is the one that a guest brings under this name; `terms` are values of JSON that only this kind reads.

    `file` is the absolute path of what the operator named. It is empty where a store says what the referee was, and
    such a referee plays nothing.
    """

    name: Annotated[str, Meta(pattern=NAME)]
    players: tuple[_Players, _Players]
    result: Annotated[str, Meta(pattern=_WORD)]
    digest: Annotated[str, Meta(max_length=64)] = ""
    kind: Annotated[str, Meta(pattern=KIND)] = USUAL
    terms: dict[str, Any] = {}
    file: str = ""

    @property
    def stored(self) -> dict[str, Any]:
        """This referee as a store keeps it: without the path, which is the operator's own matter."""
        known = {key: getattr(self, key) for key in _KEPT}
        if self.kind == USUAL:
            del known["kind"]
        terms = {key: value for key, value in self.terms.items() if key != "file"}
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({**terms, **known}))
        return plain

    @classmethod
    def of_stored(cls, stored: dict[str, Any]) -> ExternalReferee:
        """The referee that a store keeps. Raises `msgspec.ValidationError` for what is none.

        Anybody may have written the store: no path is taken from it.
        """
        known = msgspec.convert({key: stored[key] for key in _KEPT if key in stored}, cls)
        terms = {key: value for key, value in stored.items() if key not in (*_KEPT, "file")}
        return msgspec.structs.replace(known, terms=terms)


_KEPT = ("name", "players", "result", "digest", "kind")  # keys of a store that everybody reads; the rest are `terms`


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
