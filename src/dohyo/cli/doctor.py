"""`dohyo doctor`: what this machine offers, what is missing, and how to get it."""

from __future__ import annotations

import sys
from typing import Annotated

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson, Interpreter
from dohyo.i18n import Speaker
from dohyo.terminal.doctor import print_languages, print_sandbox

app = application()

Mend = Annotated[
    bool, says("Where AppArmor keeps the sandbox from working: show what mends it, ask, and do it with sudo.")
]
Yes = Annotated[bool, says("With --mend: do not ask.")]
YES = frozenset({"y", "yes", "はい"})


@asks(app)
def doctor(
    python: Interpreter = None,
    as_json: AsJson = False,
    mend: Mend = False,
    yes: Yes = False,
    *,
    speaker: Speaker,
) -> None:
    """Tell what this machine offers, and what mends what is missing.

    That is the sandbox, and the programming languages.
    """
    if yes and not mend:
        raise OperatorError("mend-yes-alone")
    if mend:
        for option, given in (("--json", as_json), ("--python", python is not None)):
            if given:
                raise OperatorError("mend-with", option=option)
        _mend(yes, speaker)
        return
    from dohyo.match.doctor import diagnose

    found = diagnose(python)
    if as_json:
        import msgspec

        sys.stdout.write(clean.document(msgspec.to_builtins(found)))
        return
    from dohyo.terminal.screen import console

    out = console()
    print_sandbox(found, out, speaker)
    out.print()
    print_languages(found, out, speaker)


def _mend(yes: bool, speaker: Speaker) -> None:
    """Show what would be done, ask unless `yes` was said, and do it."""
    import shlex

    from dohyo.sandbox import layers
    from dohyo.sandbox.machine import look, survey
    from dohyo.sandbox.mending import mend, mending

    wanted = mending(look(), survey())
    if wanted is None:
        sys.stdout.write(speaker.say("mend.works", number=layers.strongest().layer) + "\n")
        return
    told = [speaker.say("mend.what", file=wanted.file, program=wanted.program), ""]
    told += [f"    {clean.line(line)}".rstrip() for line in wanted.profile.splitlines()]
    told += ["", speaker.say("mend.commands")]
    told += [f"    {clean.line(shlex.join(words))}" for words in wanted.commands]
    told += [speaker.say("mend.ours", program=wanted.program)] if wanted.is_ours else []
    sys.stdout.write("\n".join(told) + "\n")
    if not yes:
        _ask(speaker)
    mend(wanted)
    sys.stdout.write(speaker.say("mend.done", number=layers.strongest().layer) + "\n")


def _ask(speaker: Speaker) -> None:
    """Raise `OperatorError` unless somebody is there who says yes."""
    if not sys.stdin.isatty():
        raise OperatorError("mend-asks")
    sys.stdout.write(speaker.say("mend.ask") + " ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() not in YES:
        raise OperatorError("mend-declined")
