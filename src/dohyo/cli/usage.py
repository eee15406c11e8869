"""What is wrong with a command line that typer could not read, in a sentence of ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from dohyo.cli.options import command_of, missing_game
from dohyo.core.options import nearest
from dohyo.i18n import Message, Speaker
from dohyo.i18n.messages import LONGEST

# Typer's words for a value that is no number, or lies outside.
_VALUE = r"(?s)Invalid value for '(?P<option>[^ ']+)[^']*': '?(?P<value>.*?)'? is not "
NO_NUMBER = re.compile(rf"{_VALUE}a valid (?P<kind>float|int|integer)\.")
FILMS = ("--film", "--gif", "--mp4", "--video", "--movie")  # what people type who want a film; the page saves one
# Options that people look for at a command whose neighbour has what they want.
NEIGHBOURS = {
    ("dohyo contest matches", "--csv"): "dohyo contest export STORE",
    ("dohyo contest show", "--csv"): "dohyo contest standings STORE --csv",
}
NO_COMMAND = re.compile(r"No such command '(?P<name>.*?)'\.")


def complaint(error: Any, command: str, speaker: Speaker) -> str:
    """One sentence for a command line that typer could not read; typer's own words where it has a new complaint.

    `command` is what was typed, as far as it was understood, where the error does not know it.
    """
    context, said = error.ctx, error.format_message()[:LONGEST]
    command = context.command_path if context is not None else command
    details: dict[str, object] = {}
    match type(error).__name__:
        case "MissingParameter" if (word := _word_for_game(error)) is not None:
            if (wrong := missing_game(command, word)) is not None:
                return wrong.say(speaker)
            key, details = "usage-missing", {"what": error.param.metavar or error.param.name}
        case "MissingParameter" if error.param is not None:
            what = error.param.metavar or error.param.name
            if error.param.param_type_name == "option":
                what = f"{error.param.opts[0]} {what}"
            key, details = "usage-missing", {"what": what}
        case "NoSuchOption":
            known = [name for param in context.command.get_params(context) for name in param.opts] if context else []
            key = "usage-film" if error.option_name in FILMS and "--html" in known else "usage-no-option"
            details = {"option": error.option_name, "nearest": nearest(error.option_name, known)}
            if line := NEIGHBOURS.get((command, error.option_name)):
                key, details = "usage-option-elsewhere", {"option": error.option_name, "right": line}
        case "BadOptionUsage" if "requires an argument" in said:
            key, details = "usage-no-value", {"option": error.option_name}
        case "BadOptionUsage" if "does not take a value" in said:
            key, details = "usage-takes-none", {"option": error.option_name}
        case "UsageError" if "unexpected extra argument" in said:
            details = {"words": said.partition("(s) (")[2].rstrip(")") or said}
            is_named = (
                any("--name" in param.opts for param in context.command.get_params(context)) if context else False
            )
            key = "usage-extra-name" if is_named else "usage-extra"
        case "BadParameter" if found := NO_NUMBER.fullmatch(said):
            takes = Message("takes.number" if found["kind"] == "float" else "takes.whole")
            key, details = "bad-option-value", {"option": found["option"], "value": found["value"], "takes": takes}
        case "UsageError" if context is not None and (found := NO_COMMAND.match(said)):
            group = context.command
            known = [name for name in group.list_commands(context) if not group.get_command(context, name).hidden]
            key, details = "usage-no-command", {"name": found["name"], "known": ", ".join(known)}
            details["nearest"] = nearest(found["name"], known)
        case _:
            key, details = "usage-wrong", {"reason": said}
    return speaker.say(key, command=command, **details)


def understood(arguments: Sequence[str], commands: Collection[str], made: Callable[[str], Any]) -> str:
    """The command that was typed, as far as it can be told: a group's with the one below it; `made` makes one."""
    at = next((at for at, word in enumerate(arguments) if word in commands), None)
    if at is None:
        return "dohyo"
    below = getattr(command_of(made(arguments[at])), "commands", {})
    return " ".join(["dohyo", arguments[at], *[word for word in arguments[at + 1 : at + 2] if word in below]])


def _word_for_game(error: Any) -> str | None:
    """The word that stands where the game belongs, when another argument is missing behind it."""
    if error.ctx is None or error.param is None or error.param.param_type_name != "argument":
        return None
    word = error.ctx.params.get("game")
    return word if isinstance(word, str) else None
