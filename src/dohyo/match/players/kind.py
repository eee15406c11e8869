"""A kind of player that a guest brings, as a match sees it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from dohyo import doors
from dohyo.bots.bot import Bot
from dohyo.bots.kinds import Kind, all_kinds, kind_of
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.match.players.judge import Judge
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes.launch import Launch
from dohyo.sandbox import Sandbox

if TYPE_CHECKING:
    from dohyo.match.replays.sent import Sent, Telling


class PlayerKind(Kind):
    """What a match, its replay and the tools around them ask of a kind. Players of one class play in one group."""

    protocol = ""  # what a replay calls it
    tells = False  # whether what such a seat was sent in a recorded match can be told at all
    untold = "inputs-unknown"  # the sentence that it cannot
    is_far = (
        False  # whether the way to such players takes time, which is given back: `wall` less `seconds` in a replay
    )
    unsaid = ""  # the sentence, if any, on what is missing where it can
    not_found = "rerun-no-bot"  # the sentence that the player of a recorded match is not there any more

    @abstractmethod
    def group(self, launches: Mapping[int, Launch], context: MatchContext) -> Group:
        """The players on these seats of a match."""

    @abstractmethod
    def check(self, game: Game, bot: Bot, spec: object, sandbox: Sandbox, setup: Mapping[str, object]) -> None:
        """Raise `OperatorError` for a player that cannot play this game. `spec` is what the operator meant it by."""

    def hint(self, game: Game) -> str:
        """The notice for a program that nobody built, and that may be one of these in this game; empty: none may."""
        return ""

    def limits(self, bot: Bot) -> str:
        """What limits the player's turns besides the clock, as a replay has it."""
        return ""

    def may_be_kept(self, launch: Launch) -> bool:
        """Whether the player may play in several matches of a series."""
        return False

    # --- positions

    def judges(self, game: Game) -> str:
        """How an operator may name such a player that says what positions of this game are worth, as uci:PROGRAM;
        empty: none does."""
        return ""

    def judging(
        self, game: Game, bot: Bot, sandbox: Sandbox, setup: Mapping[str, object]
    ) -> AbstractContextManager[Judge]:
        """Such a player, ready to judge the positions of a match with this setup; only called if it `judges`.

        To enter it raises `OperatorError` if the player cannot. No program is left running behind it.
        """
        raise NotImplementedError

    # --- recorded matches

    def telling(self, sent: Sent) -> Telling:
        """What such players were told of a recorded match; only called if it `tells`."""
        raise NotImplementedError

    def can_tell(self, game: Game, replay: Replay) -> bool:
        """Whether what such a player was sent in a recorded match can be told."""
        return False

    def given(self, arguments: Sequence[str]) -> tuple[str, ...] | None:
        """The words of a command for such a program with these arguments, as a replay has them; none if no program
        can be such a player. Raises `OperatorError`."""
        return None

    def is_harmless(self, word: str) -> bool:
        """Whether such an argument, which a stranger may have written into a replay, can name no file."""
        return False


def player_kind(name: str) -> PlayerKind:
    """The kind of player of this name. Raises `OperatorError` if no guest brings it, or it cannot be imported."""
    found = kind_of(name)
    if not isinstance(found, PlayerKind):
        raise OperatorError("guest-broken", name=name, error="it is no kind of player")
    return found


def kind_for(one: Bot | Launch) -> PlayerKind:
    """The kind of a bot, or of a program to be started, that is of a guest's kind.

    A command's words may be a stranger's: they make a program one that speaks another protocol, and never a player at
    an address. Raises `OperatorError` if no guest brings such a kind.
    """
    if doors.find("players", one.kind).is_program == bool(one.address):
        raise OperatorError("guest-missing", kind="players", name=one.kind)
    return player_kind(one.kind)


def player_kinds() -> Iterator[tuple[str, PlayerKind]]:
    """Those that can be imported, with their names; a notice tells of the others."""
    return ((name, kind) for name, kind in all_kinds() if isinstance(kind, PlayerKind))
