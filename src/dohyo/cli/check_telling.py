"""What `dohyo check` tells of one bot, for a person: on the terminal, and as a text for its author."""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.cli.screen import console_to, duration, show
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.app.findings import Examination, Finding
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay

MARKS = {"fine": ("\u2713", "green"), "warning": ("!", "yellow"), "wrong": ("\u2717", "bold red")}
LINES_SHOWN = 30  # of an input


def tell(found: Examination, game: Game, out: Console, language: str) -> None:
    """Everything that is known of one bot, for a person."""
    title = f"{game.title}: {clean.line(found.name)}"
    out.print(f"{title} ({found.language})" if found.language else title, style="bold", end="\n\n")
    shown = ""
    for finding in found.findings:
        sent = finding.input or ""
        _tell_finding(finding, "" if sent == shown else sent, out, language)  # the same input is not shown twice
        shown = sent or shown
    if found.findings and found.findings[-1].severity == "fine":
        out.print()
    if found.turns:
        out.print(_times(found, language))
    wrong = sum(finding.severity == "wrong" for finding in found.findings)
    key = "check.fit" if found.fit else "check.not-fit" if wrong > 1 else "check.not-fit-one"
    out.print(say(key, language, wrong=wrong), style="bold green" if found.fit else "bold red")
    for failed in found.failed:
        sentence = say("check.again", language, number=failed.match, seed=failed.seed, command=failed.command)
        out.print(sentence, soft_wrap=True)


def _times(found: Examination, language: str) -> str:
    return say(
        "check.times",
        language,
        turns=found.turns,
        median=duration(found.median),
        longest=duration(found.longest),
        first=duration(found.first),
        limit=duration(found.limit),
        first_limit=duration(found.first_limit),
        share=share(found),
    )


def share(found: Examination) -> str:
    """The greatest part of its limit that any turn took."""
    return "-" if found.share is None else f"{found.share:.0%}" if found.share >= 0.1 else f"{found.share:.1%}"


def _tell_finding(finding: Finding, sent: str, out: Console, language: str) -> None:
    """One finding: what was seen, where, the remedy, and what was written and sent."""
    from rich.table import Table
    from rich.text import Text

    mark, style = MARKS[finding.severity]
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_row(Text(f" {mark}", style), finding.say(language))
    seen = say("check.times-seen", language, count=finding.count) if finding.count > 1 else ""
    if where := ", ".join(filter(None, (finding.where(language), seen))):
        lines.add_row("", Text(where, "dim"))
    if advice := finding.advice(language):
        lines.add_row("", Text(f"\u2192 {advice}"))
    show(lines, out)
    if finding.severity == "fine":
        return
    errors = "check.compiler" if finding.key == "check.unusable" else "fault-stderr"
    for name, text in ((errors, finding.errors), ("fault-input", sent)):
        if text:
            out.print(f"      {say(name, language)}:", style="dim")
            _tell_lines(clean.block(text).splitlines(), out, language)
    out.print()


def _tell_lines(lines: Sequence[str], out: Console, language: str) -> None:
    for line in lines[:LINES_SHOWN]:
        out.print(f"        {line}", soft_wrap=True)
    if len(lines) > LINES_SHOWN:
        out.print("        " + say("check.more-lines", language, lines=len(lines) - LINES_SHOWN), style="dim")


class Records:
    """What `check` writes to files: a text for the author of each bot, replays of matches that went wrong."""

    def __init__(
        self, game: Game, again: str, language: str, folder: str | None, path: str | None, above: str
    ) -> None:
        """Texts and replays go to `folder`, which is made, the first replay to `path`; `again` examines the bot `{}`.

        `above` is the folder of the hand-ins, which no text names.

        Raises `OperatorError` where that cannot be written.
        """
        from dohyo.app.files import check_place

        self._folder = None if folder is None else Path(folder)
        self._path = path
        self._game, self._again, self._language = game, again, language
        self._replay: Replay | None = None
        self._names: set[str] = set()
        self._above = f"{os.path.abspath(above)}/"
        if path is not None:
            check_place(path)
        try:
            if self._folder is not None:
                self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OperatorError("cannot-write", path=folder, reason=error.strerror) from error

    def keep(self, replay: Replay) -> None:
        """The replay of a match that went wrong: of each bot the first one is kept."""
        self._replay = self._replay or replay

    def write(self, found: Examination) -> list[str]:
        """Write what is known of a bot; sentences that tell where. Raises `OperatorError` where it cannot be."""
        from dohyo.app.replays import save

        replay, self._replay = self._replay, None
        told = self.write_text(found, replay)
        if self._path is not None:
            if replay is not None:
                save(replay, self._path)
                told.append(self._saved(found, self._path))
            else:
                told.append(say("check.nothing-saved", self._language))
        return told

    def write_text(self, found: Examination, replay: Replay | None = None) -> list[str]:
        """Write the text for a bot's author, if texts are wanted, and the replay beside it; sentences of where."""
        from dohyo.app.files import write_whole
        from dohyo.app.replays import save

        if (folder := self._folder) is None:
            return []
        name, text = self._name_for(found.name), io.StringIO()
        tell(found, self._game, console_to(text), self._language)
        if replay is not None:
            save(replay, folder / f"{name}.replay.zst")
            text.write(self._saved(found, f"{name}.replay.zst") + "\n")
        again = self._again.replace("{}", shlex.quote(clean.line(found.name)))
        text.write(say("check.examine-again", self._language, command=again) + "\n")
        content = text.getvalue().replace(self._above, "")  # where the teacher keeps them is nobody's business
        path = write_whole(folder / f"{name}.txt", content.encode())
        return [say("check.feedback", self._language, path=path)]

    def _saved(self, found: Examination, path: str) -> str:
        number = found.failed[0].match if found.failed else 1
        return say("check.saved", self._language, number=number, path=path)

    def _name_for(self, bot: str) -> str:
        """A file's name for a bot of this name, which no other has: a hand-in may be called anything."""
        plain = clean.file_name(clean.line(bot)) or "bot"
        name, number = plain, 1
        while name.casefold() in self._names:
            number += 1
            name = f"{plain}-{number}"
        self._names.add(name.casefold())
        return name
