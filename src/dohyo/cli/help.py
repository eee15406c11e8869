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
    says(
        "A command (contest run), a page (tutorial, docs/clocks.md), or a game: its rules.",
        "[COMMAND]...",
        is_bare=True,
    ),
]


@asks(app, name="help")
def help_(words: Words = None, *, speaker: Speaker) -> None:
    """Explain a command, or show a page or the rules of a game."""
    if words and (text := _page(words[0], speaker)):
        if len(words) > 1:
            raise OperatorError("help-no-more", command=f"dohyo help {words[0]}", word=words[1])
        from dohyo.cli import pages

        pages.show(text, words[0])
        return
    typer.echo(_meant(words or (), speaker).get_help())
    if words and len(words) == 1 and (page := _page_of_command(words[0])):
        typer.echo(speaker.say("help-page", page=page))


def _page_of_command(word: str) -> str:
    """What shows the page that has a command's name, as it is typed; empty without one."""
    from dohyo.cli import pages

    return pages.named(f"{word}.md").removeprefix(pages.PREFIX)


def _page(word: str, speaker: Speaker) -> str:
    """The page that a word means, or the rules of the game that it names; empty for the name of a command."""
    from dohyo.cli import pages
    from dohyo.cli.listing import listed

    if pages.is_page(word):
        return pages.read(word, speaker.language)
    if any(name == word for part in listed(speaker.language) for name, _ in part.rows):
        return ""
    if page := pages.named(word):
        return pages.read(page, speaker.language)
    try:
        return pages.rules(word, speaker.language)
    except OperatorError as error:
        if error.key == "help-no-rules":
            raise
        return ""  # no game, either


def _meant(words: Sequence[str], speaker: Speaker) -> Any:
    """A context of the command that these words name. Raises `OperatorError`."""
    from dohyo.cli.main import whole_command

    command = whole_command(speaker.language)
    context = _context(command, "dohyo", None, speaker)
    for word in words:
        command = _below(command, context, word)
        context = _context(command, word, context, speaker)
    return context


def _unknown(word: str, commands: Sequence[str], language: str) -> OperatorError:
    """What to say of a word that is no command, page or game: where pages speak of it, if they do."""
    from dohyo.cli import pages
    from dohyo.games.names import names

    near = nearest(word, [*commands, *map(pages.plain, pages.known()), *names()])
    if not (found := pages.about(word, language)):
        return OperatorError("help-no-word", name=word, nearest=near)
    return OperatorError("help-word-told", name=word, nearest=near, pages=", ".join(found), first=found[0])


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
        if context.parent is None:
            raise _unknown(word, known, context.obj)
        raise OperatorError(
            "usage-no-command",
            command=context.command_path,
            name=word,
            nearest=nearest(word, known),
            known=", ".join(known),
        )
    return found
