"""`dohyo doctor`: what this machine offers, what is missing, and how to get it."""

from __future__ import annotations

import sys

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.request_fields import AsJson, Interpreter
from dohyo.i18n import Speaker
from dohyo.terminal.doctor import print_languages, print_sandbox

app = application()


@asks(app)
def doctor(
    python: Interpreter = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Tell what this machine offers, and what mends what is missing.

    That is the sandbox, and the programming languages.
    """
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
