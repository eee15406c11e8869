"""`dohyo doctor`: what this machine offers, what is missing, and how to get it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo import clean
from dohyo.cli.options import Interpreter, Language, application
from dohyo.i18n import say

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.match.doctor import Diagnosis

app = application()

NONE = 4  # the layer without a sandbox
MARKS = {True: ("\u2713", "green"), False: ("\u2717", "red")}


@app.command()
def doctor(
    python: Interpreter = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    lang: Language = None,
) -> None:
    """Tell what this machine offers: the sandbox, the languages, and what mends what is missing."""
    from dohyo.match.doctor import diagnose

    found = diagnose(python)
    if as_json:
        import msgspec

        sys.stdout.write(clean.document(msgspec.to_builtins(found)))
        return
    from dohyo.terminal.screen import console

    out, language = console(), str(lang)
    _print_sandbox(found, out, language)
    out.print()
    _print_languages(found, out, language)


def _print_sandbox(found: Diagnosis, out: Console, language: str) -> None:
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


def _print_languages(found: Diagnosis, out: Console, language: str) -> None:
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
