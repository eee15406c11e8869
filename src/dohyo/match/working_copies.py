"""Copies of bots' folders: each bot runs in a copy of its own, to which it may write.

What a bot keeps there (such as `storage.txt`) lasts as long as the copy: for the turns of a match, or for the matches
of a contest. The author's folder and the copy in the cache do not change.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from dohyo import clean
from dohyo.bots import Bot
from dohyo.core.errors import BuildError, MachineError
from dohyo.system import disk, temporary, used_again


class WorkingCopies:
    """Copies of bots below `folder`, which is made if necessary and kept; without it, below a temporary folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._given = folder
        self._folder = folder

    def __enter__(self) -> WorkingCopies:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._given is None and self._folder is not None:
            disk.remove(self._folder)
            self._folder = None

    def make(self, bots: Sequence[Bot]) -> list[Bot]:
        """The bots; each that runs from a folder, or whose process lives for one turn, in a new copy.

        Folders have the bots' names, changed where two are the same. A bot whose folder cannot be copied, by what
        is in it, comes back as one that does not start. One that is in a copy of its own already stays there. Raises
        `MachineError` if copies cannot be made here.
        """
        return [self._copy(bot) if _moves(bot) else bot for bot in bots]

    def _copy(self, bot: Bot) -> Bot:
        try:
            place = self._place(bot.name)
        except OSError as error:
            raise MachineError("no-quarters", bot=bot.name, reason=error) from error
        try:
            used_again.copy(bot.folder, place)
        except used_again.UnfitError as error:  # a process that its build left running has done that
            return bot.without_start(_unfit(bot, error))
        except OSError as error:
            # Else the cache or the folder of the copies is gone, closed or damaged: every bot would meet that.
            if not disk.is_of_names(error):
                raise MachineError("no-quarters", bot=bot.name, reason=error) from error
            unfit = used_again.UnfitError(os.fsdecode(error.filename or "."), "odd")
            return bot.without_start(_unfit(bot, unfit))
        return bot.moved(str(place))

    def _place(self, name: str) -> Path:
        """A folder that does not exist yet, for a bot of this name."""
        if self._folder is None:
            self._folder = Path(temporary.make("bots"))
        self._folder.mkdir(parents=True, exist_ok=True)
        plain = clean.file_name(name) or "bot"
        number, place = 1, self._folder / plain
        while place.exists() or place.is_symlink():
            number += 1
            place = self._folder / f"{plain}-{number}"
        return place.absolute()


def _moves(bot: Bot) -> bool:
    """Whether it is to run in a copy that is not made yet."""
    return (bot.copied or bot.lifetime == "turn") and bool(bot.form) and not bot.private and not bot.unusable


def _unfit(bot: Bot, error: used_again.UnfitError) -> BuildError:
    from dohyo.bots.builds import unfit

    return unfit(bot.name, error)
