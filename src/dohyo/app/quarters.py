"""Where bots live while they play: each in a folder of its own that it may write to, a copy of what was built.

What a bot keeps there (`storage.txt`, say) lasts for as long as its quarters do: over the turns and matches of one
contest. The author's folder and the copy in the cache stay as they were.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from dohyo import clean
from dohyo.bots import Bot
from dohyo.bots.cache import unfit
from dohyo.core.errors import OperatorError
from dohyo.system import disk, temporary


class Quarters:
    """Folders for bots, below `folder`, which is made if need be and kept; a temporary one when none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        self._given = folder
        self._folder = folder

    def __enter__(self) -> Quarters:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._given is None and self._folder is not None:
            disk.remove(self._folder)
            self._folder = None

    def settle(self, bots: Sequence[Bot]) -> list[Bot]:
        """The bots, each that runs from a copy now with one of its own, and so each whose process lives for a turn.

        The others run where they always do.
        Folders have the bots' names, made different where need be. Raises `OperatorError` when they cannot be made.
        """
        return [self._move(bot) if bot.copied or bot.lifetime == "turn" else bot for bot in bots]

    def _move(self, bot: Bot) -> Bot:
        try:
            place = self._place(bot.name)
            disk.copy(bot.folder, place)
        except disk.UnfitError as error:  # a process that its build left running, without a box, has done that
            raise unfit(bot.name, error) from error
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # a name of the bot's, which this disk does not take
                raise unfit(bot.name, disk.UnfitError(os.fspath(error.filename or "."), "deep")) from error
            raise OperatorError("no-quarters", bot=bot.name, reason=_reason(error)) from error
        return bot.moved(str(place))

    def _place(self, name: str) -> Path:
        """A folder that is not there yet, for a bot of this name."""
        if self._folder is None:
            self._folder = Path(temporary.make("quarters"))
        self._folder.mkdir(parents=True, exist_ok=True)
        plain = clean.file_name(name) or "bot"
        number, place = 1, self._folder / plain
        while place.exists() or place.is_symlink():
            number += 1
            place = self._folder / f"{plain}-{number}"
        return place.absolute()


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
