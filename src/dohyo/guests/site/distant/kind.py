"""Bots that stay at home as a kind of player: nothing of them is started here. Only the site's judge makes such."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from dohyo.bots.bot import Bot
from dohyo.bots.kinds import ReadProgram
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.guests.site.distant.line import KIND
from dohyo.match.players.kind import PlayerKind
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes.launch import Launch
from dohyo.match.replays.sent import Sent, Telling
from dohyo.sandbox import Sandbox

LANGUAGE = "distant"


def digest_of(bot: int) -> str:
    """What stands for the files of a bot, of which there are none here."""
    return hashlib.sha256(f"{KIND}:{bot}".encode()).hexdigest()


def bot_at_home(home: Path, bot: int, name: str) -> Bot:
    """The bot of this number, of the site in this folder."""
    address = f"{KIND}:{bot}@{os.fspath(home)}"
    return Bot(name=name, command=(), folder="", digest=digest_of(bot), language=LANGUAGE, address=address)


def place_of(address: str) -> tuple[int, Path]:
    """The number of a bot, and its site's folder."""
    number, _, home = address.partition(":")[2].partition("@")
    return int(number), Path(home)


class DistantKind(PlayerKind):
    """A bot that is connected to the site."""

    title = protocol = KIND
    tells = is_far = True
    not_found = "rerun-distant"

    def read(self, word: str, program: ReadProgram) -> Elsewhere | None:
        """Raise `OperatorError`: nobody types such a bot."""
        raise OperatorError("distant-typed")

    def bot(self, spec: Elsewhere) -> Bot:
        """Raise `OperatorError`: nobody types such a bot."""
        raise OperatorError("distant-typed")

    def check(self, game: Game, bot: Bot, spec: object, sandbox: Sandbox, setup: Mapping[str, object]) -> None:
        """It plays every game: it reads what a program of the game's own reads."""

    def group(self, launches: Mapping[int, Launch], context: MatchContext) -> Group:
        """Those of a match."""
        from dohyo.guests.site.distant.group import DistantPlayers

        return DistantPlayers({seat: place_of(launch.address) for seat, launch in launches.items()}, context)

    def can_tell(self, game: Game, replay: Replay) -> bool:
        """Their game's own text can always be told."""
        return True

    def telling(self, sent: Sent) -> Telling:
        """What they were sent in a recorded match."""
        from dohyo.guests.site.distant.telling import ToHomes

        return ToHomes(sent)


DISTANT = DistantKind()
