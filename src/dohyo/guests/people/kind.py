"""People as a kind of player: `me`, or `me:30` with so many seconds for each turn."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from dohyo.bots.bot import Bot
from dohyo.bots.content import printable
from dohyo.bots.kinds import ReadProgram
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.match.people.desk import here
from dohyo.match.players.kind import PlayerKind
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes.launch import Launch
from dohyo.sandbox import Sandbox

WORD = "me"
MAX_SECONDS = 86_400
ADDRESS = re.compile(r"me(?::([0-9]{1,5}))?")


def seconds_of(address: str) -> int | None:
    """The seconds that a word gives each turn; none where it gives no limit. Raises `OperatorError` for others."""
    found = ADDRESS.fullmatch(address)
    if found is None or (found[1] is not None and not 1 <= int(found[1]) <= MAX_SECONDS):
        raise OperatorError("me-word", word=printable(address), most=MAX_SECONDS)
    return None if found[1] is None else int(found[1])


class Person(PlayerKind):
    """Somebody at this machine."""

    title, protocol = "person", WORD

    def read(self, word: str, program: ReadProgram) -> Elsewhere:
        """The person that a word means."""
        seconds_of(word)
        return Elsewhere(word)

    def bot(self, spec: Elsewhere) -> Bot:
        """The player."""
        seconds_of(spec.address)
        digest = hashlib.sha256(spec.address.encode()).hexdigest()
        return Bot(name=WORD, command=(), folder="", digest=digest, language="", address=spec.address, spec=spec)

    def check(self, game: Game, bot: Bot, spec: object, sandbox: Sandbox, setup: Mapping[str, object]) -> None:
        """Raise `OperatorError` where nobody can be asked: in a contest, a check, a comparison."""
        if here() is None:
            raise OperatorError("me-no-desk", bot=bot.name)

    def limits(self, bot: Bot) -> str:
        """What a replay says of the time for each turn."""
        seconds = seconds_of(bot.address)
        return "" if seconds is None else f"seconds {seconds}"

    def group(self, launches: Mapping[int, Launch], context: MatchContext) -> Group:
        """The people of a match."""
        from dohyo.guests.people.group import People

        return People({seat: seconds_of(launch.address) for seat, launch in launches.items()}, context)


ME = Person()
