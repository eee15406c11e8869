"""`dohyo help`: what `--help` says, for those who type the words in this order; and pages of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.i18n import Speaker

app = application()

Words = Annotated[
    list[str] | None,
    says("A command (contest run), or a page that a message names: docs/clocks.md.", "[COMMAND]...", is_bare=True),
]


@asks(app, name="help")
def help_(words: Words = None, *, speaker: Speaker) -> None:
    """Explain a command, or show a page of the documentation."""
    from dohyo.cli import pages

    if words and pages.is_page(words[0]):
        if len(words) > 1:
            raise OperatorError("help-no-more", command=f"dohyo help {words[0]}", word=words[1])
        pages.show(words[0], speaker.language)
        return
    typer.echo(_meant(words or (), speaker).get_help())


def _meant(words: Sequence[str], speaker: Speaker) -> Any:
    """A context of the command that these words name. Raises `OperatorError`."""
    from dohyo.cli.main import whole_command

    command = whole_command(speaker.language)
    context = _context(command, "dohyo", None, speaker)
    for word in words:
        command = _below(command, context, word)
        context = _context(command, word, context, speaker)
    return context


def _context(command: Any, name: str, parent: Any, speaker: Speaker) -> Any:
    """What typer needs to tell of a command."""
    settings = command.context_settings
    return command.context_class(command, info_name=name, parent=parent, obj=speaker.language, **settings)


def _below(command: Any, context: Any, word: str) -> Any:
    """The command of this name. Raises `OperatorError`, which names the nearest."""
    get = getattr(command, "get_command", None)
    if get is None:
        raise OperatorError("help-no-more", command=context.command_path, word=word)
    if (found := get(context, word)) is None:
        known = [name for each in command.listed(context) for name, _ in each.rows]
        raise OperatorError(
            "usage-no-command",
            command=context.command_path,
            name=word,
            nearest=nearest(word, known),
            known=", ".join(known),
        )
    return found
