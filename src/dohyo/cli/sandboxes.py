"""What bots run in, as it is asked for on the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.sandbox import Sandbox

WITHOUT = 4  # the layer that is none

SandboxOption = Annotated[
    str | None,
    typer.Option(metavar="auto|require|none", help="What bots run in. Without it: auto. 'dohyo doctor' explains."),
]
# A contest is where strangers' bots meet: what is weaker has to be asked for.
ContestSandboxOption = Annotated[
    str | None,
    typer.Option(metavar="auto|require|none", help="What bots run in. Without it: require. 'dohyo doctor' explains."),
]
Trust = Annotated[bool, typer.Option("--trust", help="The bots are my own: run them without a sandbox.")]


def sandbox_for(sandbox: str | None, trust: bool, language: str) -> Sandbox:
    """The sandbox that is asked for; warns on standard error where there is none and the bots may be strangers'."""
    from dohyo.sandbox import choose

    if trust and sandbox not in (None, "none"):
        raise OperatorError("trust-with-sandbox", mode=sandbox)
    found = choose("none" if trust else sandbox or "auto")
    if found.layer == WITHOUT and not trust:
        sys.stderr.write(say("sandbox-none", language) + "\n")
        sys.stderr.flush()
    return found
