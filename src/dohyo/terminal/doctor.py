"""What this machine offers, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.match.doctor import Diagnosis

NONE = 4  # the layer without a sandbox
MARKS = {True: ("\u2713", "green"), False: ("\u2717", "red")}


def print_sandbox(found: Diagnosis, out: Console, speaker: Speaker) -> None:
    """The layers, which one is used, and how to get a stronger one."""
    from rich.table import Table
    from rich.text import Text

    from dohyo.sandbox import WEAKEST_REQUIRED
    from dohyo.terminal.screen import show

    machine = found.machine
    said = speaker.say("doctor.machine", system=machine.system, kernel=machine.kernel, processor=machine.processor)
    out.print(f"{speaker.say('doctor.sandbox')} ({said})", style="bold", highlight=False)
    rows = Table.grid(padding=(0, 2, 0, 0))
    for layer in found.layers:
        if layer.number == NONE:
            continue
        mark, style = MARKS[layer.works]
        reason = speaker.say("doctor.works") if layer.works else speaker.say("doctor.fails", reason=layer.reason)
        rows.add_row(Text(f" {mark}", style), str(layer.number), layer.name, clean.line(reason))
    show(rows, out)
    (taken,) = [layer for layer in found.layers if layer.number == found.taken]
    key, style = ("doctor.taken-none", "bold red") if taken.number == NONE else ("doctor.taken", "bold green")
    out.print(speaker.say(key, number=taken.number, name=taken.name), style=style, highlight=False)
    if taken.number <= WEAKEST_REQUIRED:
        out.print(speaker.say("doctor.kept"), highlight=False)
    else:
        key = "doctor.no-contest" if taken.number == NONE else "doctor.own-bots"
        out.print(speaker.say(key), highlight=False)
    if not found.lacks:
        out.print(speaker.say("doctor.nothing-missing"))
        return
    out.print(speaker.say("doctor.missing"))
    for lack in found.lacks:
        out.print(f"  {speaker.say(lack.key)}", highlight=False)
        if lack.mend:
            out.print(f"      {lack.mend}", style="bold", highlight=False, soft_wrap=True)


def print_languages(found: Diagnosis, out: Console, speaker: Speaker) -> None:
    """Each language: its version and its tool, or how to get it."""
    from rich.table import Table
    from rich.text import Text

    from dohyo.terminal.screen import show

    out.print(speaker.say("doctor.languages"), style="bold")
    rows = Table.grid(padding=(0, 2, 0, 0))
    for each in found.languages:
        mark, style = MARKS[bool(each.tool)]
        told = f"{each.version}  ({each.tool})" if each.version else each.tool
        missing = speaker.say("doctor.no-language", install=each.install)
        rows.add_row(Text(f" {mark}", style), each.language, clean.line(told if each.tool else missing))
    show(rows, out)
