"""What `check` writes to files: a text for the author of each bot, replays of matches that went wrong."""

from __future__ import annotations

import io
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.errors import MachineError
from dohyo.i18n import Speaker
from dohyo.match.files import check_place, read_bounded, write_whole
from dohyo.match.replays.replays import is_replay, save
from dohyo.terminal.check import print_report
from dohyo.terminal.screen import console_to

if TYPE_CHECKING:
    from dohyo.bench.check.check import KeepReplay
    from dohyo.bench.check.findings import CheckReport
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay

DEBUG = "check.killed.debug"  # a remedy that names a command
TEXT, REPLAY = ".txt", ".replay.zst"  # how the files of '--feedback' end
REPLAYS = "replays"  # the folder beside the texts in which replays are
LONGEST_TEXT = 16 << 20  # bytes of a text that is there already


def _is_text(content: bytes) -> bool:
    """Whether a file is empty, or ends as the texts for authors do: with the command that checks the bot again."""
    return not content.strip() or b"dohyo check " in content.rstrip().rpartition(b"\n")[2]


class Records:
    """What `check` writes to files: a text for the author of each bot, replays of matches that went wrong."""

    def __init__(
        self,
        game: Game,
        again: str,
        speaker: Speaker,
        folder: str | None,
        path: str | None,
        above: str,
        force: bool = False,
    ) -> None:
        """Texts and replays go to `folder`, which is made, the first replay to `path`; `again` checks the bot `{}`.

        `above` is the folder of the hand-ins, which is removed from all texts.

        Raises `OperatorError` if these cannot be written.
        """
        self._folder = None if folder is None else Path(folder)
        self._path, self._force = path, force
        self._game, self._command_again, self._speaker = game, again, speaker
        self._replay: Replay | None = None
        self._names: set[str] = set()
        self._above = f"{os.path.abspath(above)}/"
        self.typed = ""  # what was typed for the one bot
        if path is not None:
            check_place(path)
        if self._folder is not None:
            self._make(self._folder)

    def _make(self, folder: Path) -> None:
        """Have this folder. Raises `OperatorError` where it cannot be made."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MachineError("cannot-write", path=str(folder), reason=error) from error

    @property
    def keeper(self) -> KeepReplay | None:
        """What is called with replays of matches that went wrong; none if none is to be written."""
        return None if self._folder is None and self._path is None else self.keep

    def keep(self, replay: Replay) -> None:
        """Keep the replay of a match that went wrong: the first one of each bot."""
        self._replay = self._replay or replay

    def name_commands(self, found: CheckReport) -> None:
        """Say the whole command where a finding names one that checks the bot in another way."""
        for finding in found.findings:
            if finding.remedy == DEBUG:
                finding.details["command"] = f"{self._again(found)} --build debug"

    def _again(self, found: CheckReport) -> str:
        """The command that checks this bot again."""
        word = clean.line(self.typed or found.name)
        word = f"./{word}" if word.startswith("-") else word  # it is no option
        return self._command_again.replace("{}", shlex.quote(word))

    def write(self, found: CheckReport) -> list[str]:
        """Write what is known about a bot; returns sentences that say where. Raises `OperatorError`."""
        replay, self._replay = self._replay, None
        told = self.write_text(found, replay)
        if self._path is not None:
            if replay is not None:
                save(replay, self._path)
                told.append(self._saved(found, self._path))
            else:
                told.append(self._speaker.say("check.nothing-saved"))
        return told

    def write_text(self, found: CheckReport, replay: Replay | None = None) -> list[str]:
        """Write the text for a bot's author, if wanted, and the replay beside it; sentences that say where."""
        if (folder := self._folder) is None:
            return []
        name, text = self._name_for(found.called), io.StringIO()
        print_report(found, self._game, console_to(text), self._speaker)
        if replay is not None:
            self._make(folder / REPLAYS)
            save(replay, folder / REPLAYS / f"{name}{REPLAY}")
            text.write(self._saved(found, f"{REPLAYS}/{name}{REPLAY}") + "\n")
        text.write(self._speaker.say("check.examine-again", command=self._again(found)) + "\n")
        bare = text.getvalue().replace(f"{self._above}-", "./-")  # a hand-in's name is no option
        content = bare.replace(self._above, "")  # the teacher's folder is private
        path = write_whole(folder / f"{name}{TEXT}", content.encode())
        return [self._speaker.say("check.feedback", path=path)]

    def _saved(self, found: CheckReport, path: str) -> str:
        number = found.failed[0].match if found.failed else 1
        return self._speaker.say("check.saved", number=number, path=path)

    def _may_write(self, name: str) -> bool:
        """Whether a text and a replay of this name replace only earlier ones, unless by force."""
        folder = Path(self._folder or "")
        text, replay = folder / f"{name}{TEXT}", folder / REPLAYS / f"{name}{REPLAY}"
        if self._force:
            return True
        if text.exists() and not (text.is_file() and _is_text(read_bounded(text, LONGEST_TEXT))):
            return False
        return not replay.exists() or (replay.is_file() and is_replay(str(replay)))

    def _name_for(self, bot: str) -> str:
        """A file name for a bot of this name, which no other bot has: a hand-in may be called anything.

        What is there already and is no such text or replay stays; the name gets a number then.
        """
        plain = clean.file_name(clean.line(bot)) or "bot"
        name, number = plain, 1
        while name.casefold() in self._names or not self._may_write(name):
            number += 1
            name = f"{plain}-{number}"
        self._names.add(name.casefold())
        return name
