"""What is wrong with a bot, for a person; or a table of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from dohyo import clean
from dohyo.bench.check.in_short import COLUMNS, NOTHING, share, worst
from dohyo.core.game import title_in
from dohyo.i18n import Speaker
from dohyo.terminal.screen import NAME, console, show, table

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.bench.check.findings import CheckReport, Finding
    from dohyo.core.game import Game

MARKS = {"fine": ("\u2713", "green"), "warning": ("!", "yellow"), "wrong": ("\u2717", "bold red")}
LINES_SHOWN = 30  # of an input
ERRORS_SHOWN = 250  # of a compiler's words, and of standard error, which a crash report is shown whole of
NUMBERS = ("turns", "median", "longest", "share")  # columns of the table that are aligned to the right
WIDEST = 10_000  # columns that any table has room in, to be measured
NARROW = ("bot", "fit", "median", "longest", "share")  # those that a terminal of 80 columns has room for


def print_report(found: CheckReport, game: Game, out: Console, speaker: Speaker) -> None:
    """The report on one bot, for a person."""
    title = speaker.labelled(title_in(game, speaker), clean.line(found.called))
    out.print(f"{title} ({found.language})" if found.language else title, style="bold", end="\n\n")
    shown = ""
    for finding in found.findings:
        sent = finding.input or ""
        _print_finding(finding, "" if sent == shown else sent, out, speaker)  # the same input is not shown twice
        shown = sent or shown
    if found.findings and found.findings[-1].severity == "fine":
        out.print()
    if found.turns:
        out.print(_times(found, speaker))
    wrong = sum(finding.severity == "wrong" for finding in found.findings)
    key = "check.fit" if found.fit else "check.not-fit" if wrong > 1 else "check.not-fit-one"
    out.print(speaker.say(key, wrong=wrong), style="bold green" if found.fit else "bold red")
    for failed in found.failed:
        sentence = speaker.say("check.again", number=failed.match, seed=failed.seed, command=failed.command)
        out.print(sentence, soft_wrap=True)


def _times(found: CheckReport, speaker: Speaker) -> str:
    return speaker.say(
        "check.times" if found.limit else "check.times-free",
        turns=found.turns,
        median=speaker.duration(found.median),
        longest=speaker.duration(found.longest),
        first=speaker.duration(found.first),
        limit=speaker.duration(found.limit),
        first_limit=speaker.duration(found.first_limit),
        share=share(found),
    )


def _print_finding(finding: Finding, sent: str, out: Console, speaker: Speaker) -> None:
    """One finding: what was seen, where, the remedy, and what was written and sent."""
    mark, style = MARKS[finding.severity]
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_row(Text(f" {mark}", style), finding.say(speaker))
    seen = speaker.say("check.times-seen", count=finding.count) if finding.count > 1 else ""
    if where := speaker.listed(filter(None, (finding.where(speaker), seen))):
        rows.add_row("", Text(where, "dim"))
    if advice := finding.advice(speaker):
        rows.add_row("", Text(f"\u2192 {advice}"))
    show(rows, out)
    if finding.severity == "fine":
        return
    errors = "check.compiler" if finding.key == "check.unusable" else "fault-stderr"
    for name, text in ((errors, finding.errors), ("fault-input", sent)):
        if text:
            out.print(f"      {speaker.labelled(speaker.say(name))}", style="dim")
            most = LINES_SHOWN if text is sent else ERRORS_SHOWN
            lines = clean.block(text).splitlines()
            for line in lines[:most]:
                out.print(f"        {line}", soft_wrap=True)
            if len(lines) > most:
                out.print("        " + speaker.say("check.more-lines", lines=len(lines) - most), style="dim")
    out.print()


def print_table(reports: Sequence[CheckReport], game: Game, speaker: Speaker) -> None:
    """A line for each bot. Where that is wider than the terminal, what is wrong with each stands below the table."""
    out = console()
    whole = _table(reports, [name for name in COLUMNS if name not in ("limit", "warnings")], speaker)
    if out.measure(whole, options=out.options.update_width(WIDEST)).maximum <= out.width:
        show(whole, out)
    else:
        show(_table(reports, NARROW, speaker), out)
        for found in reports:
            if (said := worst(found, speaker)) != NOTHING:
                out.print("\n" + speaker.labelled(clean.line(found.called, NAME), said))
    out.print()
    fit = sum(found.fit for found in reports)
    out.print(speaker.say("check.how-many", game=title_in(game, speaker), fit=fit, total=len(reports)), style="bold")


def _table(reports: Sequence[CheckReport], columns: Sequence[str], speaker: Speaker) -> Table:
    """These columns of the table."""
    told = {
        "bot": lambda found: clean.line(found.called, NAME),
        "language": lambda found: found.language,
        "fit": lambda found: speaker.say("check.yes" if found.fit else "check.no"),
        "wrong": lambda found: worst(found, speaker),
        "turns": lambda found: str(found.turns),
        "median": lambda found: speaker.duration(found.median),
        "longest": lambda found: speaker.duration(found.longest),
        "share": share,
    }
    headings = [speaker.say(f"check.column.{name}") for name in columns]
    rows = [[told[name](found) for name in columns] for found in reports]
    return table(headings, rows, right=[at for at, name in enumerate(columns) if name in NUMBERS], named=0)
