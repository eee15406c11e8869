"""Servers as a kind of player: an address in the place of a program. They are not started or contained here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from urllib.parse import urlsplit

from dohyo.bots.bot import Bot
from dohyo.bots.content import printable
from dohyo.bots.kinds import ReadProgram
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.guests.servers.messages import LANGUAGE, PROTOCOL
from dohyo.match.players.kind import PlayerKind
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes.launch import Launch
from dohyo.match.replays.sent import Sent, Telling
from dohyo.sandbox import Sandbox

SCHEMES = ("http://", "https://")
LONGEST = 300  # characters of an address


class ServerKind(PlayerKind):
    """A server that the operator has named by its address."""

    title, protocol, tells = "HTTP", PROTOCOL, True
    not_found = "rerun-server"

    def read(self, word: str, program: ReadProgram) -> Elsewhere | None:
        """Its address."""
        return Elsewhere(word) if word.startswith(SCHEMES) else None

    def bot(self, spec: Elsewhere) -> Bot:
        """The server at its address. Raises `OperatorError` for one that is not plain: with a password, say."""
        word = spec.address
        try:
            parts = urlsplit(word)
            port = parts.port
            (parts.hostname or "").encode("idna")  # as it is looked up: no part of it is empty or too long
        except ValueError as error:
            raise OperatorError("bot-address", bot=printable(word)) from error
        is_plain = word.isascii() and word.isprintable() and " " not in word and len(word) <= LONGEST
        if not is_plain or not parts.hostname or parts.username is not None or parts.query or parts.fragment:
            raise OperatorError("bot-address", bot=printable(word))
        address = word.rstrip("/")
        name = f"{parts.hostname}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
        digest = hashlib.sha256(address.encode()).hexdigest()
        return Bot(name=name, command=(), folder="", digest=digest, language=LANGUAGE, address=address, spec=spec)

    def check(self, game: Game, bot: Bot, spec: object, sandbox: Sandbox, setup: Mapping[str, object]) -> None:
        """Raise `OperatorError` in a game that has no messages for servers."""
        if game.http is None:
            raise OperatorError("game-without-servers", game=game.name, bot=bot.name)

    def group(self, launches: Mapping[int, Launch], context: MatchContext) -> Group:
        """The servers of a match."""
        from dohyo.guests.servers.group import HttpPlayers

        return HttpPlayers({seat: launch.address for seat, launch in launches.items()}, context)

    def can_tell(self, game: Game, replay: Replay) -> bool:
        """Whether a replay has all that messages tell."""
        from dohyo.guests.servers.telling import can_tell

        return can_tell(game, replay)

    def telling(self, sent: Sent) -> Telling:
        """What servers were sent in a recorded match."""
        from dohyo.guests.servers.telling import ToServers

        return ToServers(sent)


SERVER = ServerKind()
