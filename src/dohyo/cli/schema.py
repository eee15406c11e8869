"""`dohyo schema`: JSON schemas, by which editors complete and check our files."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker

app = application()

EXAMPLES = """\b
Examples:
  dohyo schema bot --out bot.schema.json
  dohyo schema contest

In a TOML file, the first line '#:schema ./bot.schema.json' names it to editors.
'dohyo help docs/schemas.md' says which ones."""


@asks(app, epilog=EXAMPLES)
def schema(
    what: Annotated[str, says("Of which files.", "bot|contest|replay|puzzles", is_bare=True)],
    out: Annotated[str | None, says("Where to. Without it: the output.", "FILE")] = None,
    force: Annotated[bool, says("Overwrite a file that is no such schema.")] = False,
    *,
    speaker: Speaker,
) -> None:
    """Print a JSON schema of a kind of file, for editors."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.match.files import write_whole
    from dohyo.series.schemas import SCHEMAS, is_schema

    if what not in SCHEMAS:
        raise OperatorError("schema-unknown", name=what, known=", ".join(SCHEMAS))
    text = clean.document(SCHEMAS[what]())
    if out is None:
        sys.stdout.write(text)
    else:
        check_outputs([("--out", out)], force, fits=is_schema)
        write_whole(out, text.encode())
        typer.echo(speaker.say("schema-written", path=out))
