"""From what can be asked to a command of typer: options, their help, and how what was typed is read.

A command is a function that `asks` has decorated. If a request is named, its fields are options, and the function
gets the request as `asked`. The function's own parameters, annotated with `says` (`dohyo.core.asked`), are options
too. Each command has `--lang` besides, unless that means something else to it, and gets who says its messages.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.models import ArgumentInfo

from dohyo.cli.layout import Told
from dohyo.cli.options import Language, read_setup
from dohyo.core.asked import REQUIRED, Field, check, fields_of_function
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.i18n.catalogue import of_locale

if TYPE_CHECKING:
    from dohyo.core.asked import Request

KINDS: Mapping[type, Any] = {list: list[str], dict: list[str]}  # what typer gives for those of ours that it has not
LANGUAGE = inspect.Parameter("lang", inspect.Parameter.KEYWORD_ONLY, annotation=Language, default=None)
CONTEXT = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)


def asks(
    app: typer.Typer,
    kind: type[Request] | None = None,
    *,
    name: str | None = None,
    whole: bool = True,
    without: Sequence[str] = (),
    more: Sequence[Field] = (),
    speaks: bool = True,
    usual: str = "",
    **settings: Any,
) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
    """Make the decorated function a command of `app`, named as it is, or by `name`; `settings` are typer's.

    If not the `whole` request can be asked for here, the function gets what was typed of it, by its fields' names.
    There are no options for fields that the command is `without`. `more` are parameters that are told as fields. A
    command that does not `speak` has no `--lang`. The options of the fields that `usual` names come first in the
    help, in this order, the others below the headings of their groups.
    """
    first = usual.split()

    def decorated(command: Callable[..., int | None]) -> Callable[..., int | None]:
        own = (*more, *fields_of_function(command))
        requested = () if kind is None else _fields(kind, without)
        known = {field.name: field for field in (*requested, *own)}

        @wraps(command)
        def run(**typed: Any) -> int | None:
            context = typed.pop("context", None)
            speaker = Speaker(typed.pop("lang") if speaks and "lang" not in known else _language_before(context))
            read = {name: _read(known[name], value) for name, value in typed.items()}
            given = {name: value for name, value in read.items() if _is_given(known[name], value)}
            _trust(given, known)
            filled: dict[str, Any] = {field.name: given.get(field.name, field.default) for field in own}
            if kind is not None:
                asked = {field.name: given[field.name] for field in requested if field.name in given}
                filled["asked"] = kind(**asked) if whole else asked
            return command(**filled, speaker=speaker)

        # Typer reads a function's parameters off its signature.
        names = [*first, *(name for name in known if name not in first)]
        parts = [] if whole else [field.name for field in requested]
        parameters = [_parameter(known[each], each not in parts, each in first) for each in names]
        parameters += [CONTEXT if "lang" in known else LANGUAGE] if speaks else []
        vars(run)["__signature__"] = inspect.Signature(_in_order(parameters))
        vars(run)["__annotations__"] = {}
        app.command(name, cls=Told, **settings)(run)
        return command

    return decorated


def _fields(kind: type[Request], without: Sequence[str]) -> tuple[Field, ...]:
    from dohyo.core.asked import fields

    return tuple(field for field in fields(kind) if field.name not in without)


def _in_order(parameters: Sequence[inspect.Parameter]) -> list[inspect.Parameter]:
    """Arguments before options, where they were said after them."""
    bare = [one for one in parameters if _is_argument(one)]
    return [*bare, *(one for one in parameters if not _is_argument(one))]


def _is_argument(one: inspect.Parameter) -> bool:
    metadata: tuple[Any, ...] = getattr(one.annotation, "__metadata__", ())
    return bool(metadata) and isinstance(metadata[-1], ArgumentInfo)


def _language_before(context: typer.Context | None) -> str:
    """The language that was chosen before the command's name, for one that has another `--lang`."""
    if context is None or context.parent is None:
        return of_locale(os.environ)
    return str(context.parent.params["lang"])


def _parameter(field: Field, shows: bool, is_usual: bool) -> inspect.Parameter:
    """A field as typer wants a parameter; if it `shows`, the help says a number that is meant without one.

    One that `is_usual` stands below no heading of its own.
    """
    kind = field.kind
    usual = field.default
    typed = KINDS.get(kind, kind)
    if not shows or kind in (list, dict) or "Without it" in field.about:
        usual = False if kind is bool else REQUIRED if usual is REQUIRED and shows else None
    if usual is None:
        typed = typed | None
    told: dict[str, Any] = {"metavar": field.metavar or None, "help": field.about}
    if field.said.is_bare:
        info: Any = typer.Argument(**told)
    else:
        info = typer.Option(
            *field.options,
            hidden=field.said.is_hidden,
            rich_help_panel=None if is_usual else field.said.group or None,
            **(told if kind is not bool else {"help": field.about}),
        )
    default = inspect.Parameter.empty if usual is REQUIRED else usual
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[typed, info], default=default
    )


def _read(field: Field, value: Any) -> Any:
    """What was typed, as the field has it. Raises `OperatorError` for what it does not take."""
    if value is None or value == []:
        return None
    if field.kind is dict:
        value = read_setup(value)
    check(field, value, field.metavar if field.said.is_bare else field.option)
    return value


def _is_given(field: Field, value: Any) -> bool:
    """Whether it was typed, and is not what is meant without it."""
    return value is not None and not (value is False and field.default is False)


def _trust(given: dict[str, Any], known: Mapping[str, Field]) -> None:
    """Whoever trusts the bots runs them without a sandbox. Raises `OperatorError` if another was asked for."""
    if "trust" in known and "sandbox" in known and given.get("trust"):
        if given.get("sandbox", "none") != "none":
            raise OperatorError("trust-with-sandbox", mode=given["sandbox"])
        given["sandbox"] = "none"
