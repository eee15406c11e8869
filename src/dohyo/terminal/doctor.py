"""What this machine offers, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.i18n import say

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.match.doctor import Diagnosis

NONE = 4  # the layer without a sandbox
MARKS = {True: ("\u2713", "green"), False: ("\u2717", "red")}


def print_sandbox(found: Diagnosis, out: Console, language: str) -> None:
    """The layers, which one is used, and how to get a stronger one."""
    from rich.table import Table
    from rich.text import Text

    from dohyo.sandbox import WEAKEST_REQUIRED
    from dohyo.terminal.screen import show

    machine = found.machine
    said = say("doctor.machine", language, system=machine.system, kernel=machine.kernel, processor=machine.processor)
    out.print(f"{say('doctor.sandbox', language)} ({said})", style="bold", highlight=False)
    rows = Table.grid(padding=(0, 2, 0, 0))
    for layer in found.layers:
        if layer.number == NONE:
            continue
        mark, style = MARKS[layer.works]
        reason = say("doctor.works", language) if layer.works else say("doctor.fails", language, reason=layer.reason)
        rows.add_row(Text(f" {mark}", style), str(layer.number), layer.name, clean.line(reason))
    show(rows, out)
    (taken,) = [layer for layer in found.layers if layer.number == found.taken]
    key, style = ("doctor.taken-none", "bold red") if taken.number == NONE else ("doctor.taken", "bold green")
    out.print(say(key, language, number=taken.number, name=taken.name), style=style, highlight=False)
    if taken.number > WEAKEST_REQUIRED:
        out.print(say("doctor.no-contest", language), highlight=False)
    if not found.lacks:
        out.print(say("doctor.nothing-missing", language))
        return
    out.print(say("doctor.missing", language))
    for lack in found.lacks:
        out.print(f"  {say(lack.key, language)}", highlight=False)
        if lack.mend:
            out.print(f"      {lack.mend}", style="bold", highlight=False, soft_wrap=True)


def print_languages(found: Diagnosis, out: Console, language: str) -> None:
    """Each language: its version and its tool, or how to get it."""
    from rich.table import Table
    from rich.text import Text

    from dohyo.terminal.screen import show

    out.print(say("doctor.languages", language), style="bold")
    rows = Table.grid(padding=(0, 2, 0, 0))
    for each in found.languages:
        mark, style = MARKS[bool(each.tool)]
        told = f"{each.version}  ({each.tool})" if each.version else each.tool
        missing = say("doctor.no-language", language, install=each.install)
        rows.add_row(Text(f" {mark}", style), each.language, clean.line(told if each.tool else missing))
    show(rows, out)
