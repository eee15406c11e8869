"""What can be asked of Dohyo, said once: a typed value with its documentation.

A kind of request is a class below `Request`. Each field has a type, perhaps a default, and `says(...)`: what it
means, how it is written, what it may be. So has a parameter of a command that only says what is printed. From that
follow

    the options of a command, with their help and what a shell offers     `dohyo.cli.asking`
    the keys of a file, and one sentence for what is wrong with one       `read`, `check`
    a JSON schema                                                         `schema`
    the signature and the docstring in Python                             the class itself
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple, Self

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.i18n import Message

REQUIRED: Any = inspect.Parameter.empty
LONGEST_WORD = 100_000  # characters of a path or of a command line
LONGEST_SHOWN = 200  # characters of a value in a sentence
WORD = "^[^\\u0000]*$"

Plain = str | int | float | bool
# Options of a game or a format: plain values, and lists and tables of these.
Values = dict[str, Plain | list[Plain] | dict[str, Plain]]


class Says(NamedTuple):
    """What is said of a field: see `says`."""

    about: str
    metavar: str = ""
    options: tuple[str, ...] = ()
    taken: Message | str = ""
    words: tuple[str, ...] | Callable[[], Iterable[str]] = ()
    at_least: float | None = None
    at_most: float | None = None
    longest: int = LONGEST_WORD
    pattern: str = WORD
    is_bare: bool = False
    is_hidden: bool = False
    group: str = ""
    written: Any = None
    more: Mapping[str, Any] = {}


def says(
    about: str,
    metavar: str = "",
    *,
    option: str = "",
    takes: Message | str = "",
    one_of: Sequence[str] | Callable[[], Iterable[str]] = (),
    **more: Any,
) -> Says:
    """The documentation of a field, which stands in its annotation.

    `about` is one or two sentences, in English; the Japanese ones are in the section `help` of the language's file.
    `metavar` stands for the value in `--help`. `option` is typed where that is not the field's name with dashes, or
    several options with spaces between. `takes` says what is accepted, where that does not follow from the type, the
    bounds, or the words of which it is `one_of`; a function for these means that somebody else looks a word up.
    Further: a number is `at_least` and `at_most` so much, a text is no longer than `longest` and fits the `pattern`.
    A field that `is_bare` is typed without an option, one that `is_hidden` is no part of the help. Where a command
    has many options, its own stands below the heading `group` (in English, as `about`). In a file it is `written` as
    another type than the field has; `more` is added to its JSON schema.
    """
    words = one_of if callable(one_of) else tuple(one_of)
    shown = metavar or ("" if callable(words) else "|".join(words))
    return Says(about, shown, tuple(option.split()), takes, words, **more)


class Field(NamedTuple):
    """A field of a request, or a parameter of a command."""

    name: str
    type: Any
    default: Any
    said: Says

    @property
    def about(self) -> str:
        """What it means."""
        return self.said.about

    @property
    def metavar(self) -> str:
        """What stands for its value in `--help`."""
        return self.said.metavar

    @property
    def options(self) -> tuple[str, ...]:
        """How it is typed, in front of its value; the usual one first. A switch names its opposite after a slash."""
        return self.said.options or (f"--{self.name.rstrip('_').replace('_', '-')}",)

    @property
    def option(self) -> str:
        """How it is usually typed."""
        return self.options[0].partition("/")[0]

    @property
    def in_file(self) -> Any:
        """The type that it has in a file."""
        return self.type if self.said.written is None else self.said.written

    @property
    def one_of(self) -> tuple[str, ...]:
        """The words of which it is one; none where it takes others."""
        return tuple(self.said.words() if callable(self.said.words) else self.said.words)

    @property
    def kind(self) -> type:
        """What it is at the bottom: `bool`, `int`, `float`, `str`, `list` or `dict`."""
        return _kind(self.type)

    @property
    def takes(self) -> Message | str:
        """What it accepts; a text is the same in every language."""
        if self.said.taken:
            return self.said.taken
        if words := self.one_of:
            return ", ".join(words)
        least, most = self.said.at_least, self.said.at_most
        match self.kind.__name__:
            case "bool":
                return "true, false"
            case "int" | "float" as kind:
                number = "takes.whole" if kind == "int" else "takes.number"
                if most is not None:
                    return Message(f"{number}-from-to", {"least": least or 0, "most": most})
                return Message(number) if least is None else Message(f"{number}-on", {"least": least})
            case "list":
                return f"[{self.metavar}, ...]"
        return f'"{self.metavar}"' if self.metavar else '"..."'


def field(name: str, annotated: Any, default: Any = REQUIRED) -> Field:
    """A field of a type that is annotated with `says`."""
    return Field(name, annotated, default, annotated.__metadata__[-1])


def said_in(annotations: Mapping[str, Any]) -> dict[str, Says]:
    """What is said in annotations, by name; what has none is not asked for."""
    return {
        name: each.__metadata__[-1]
        for name, each in annotations.items()
        if typing.get_origin(each) is Annotated and isinstance(each.__metadata__[-1], Says)
    }


def fields_of_function(function: Callable[..., Any]) -> tuple[Field, ...]:
    """The parameters of a function that are annotated with `says`."""
    known = inspect.signature(function, eval_str=True).parameters
    said = said_in({name: each.annotation for name, each in known.items()})
    return tuple(field(name, known[name].annotation, known[name].default) for name in said)


def _kind(annotated: Any) -> type:
    """The first of the types that a value may have, without what it may hold."""
    if typing.get_origin(annotated) is Annotated:
        return _kind(typing.get_args(annotated)[0])
    if isinstance(annotated, types.UnionType) or typing.get_origin(annotated) is typing.Union:
        return _kind(next(each for each in typing.get_args(annotated) if each is not type(None)))
    found: type = typing.get_origin(annotated) or annotated
    return found


# --- what a value may be


def check(field: Field, value: object, called: str, key: str = "bad-option-value") -> None:
    """Raise `OperatorError` for a value that the field does not take; the sentence names it as `called`."""
    try:
        fits = _has_type(field, value) and _is_inside(field.said, value)
    except RecursionError:
        fits = False
    if not fits:
        raise refused(field, value, called, key)


def refused(field: Field, value: object, called: str, key: str = "bad-option-value") -> OperatorError:
    """The error for a value that a field does not take."""
    try:
        shown = "".join(letter if letter.isprintable() else "?" for letter in str(value)[:LONGEST_SHOWN])
    except (ValueError, RecursionError):  # a number of too many digits to be written out, lists without end
        shown = "..."
    return OperatorError(key, option=called, key=called, value=shown, takes=field.takes)


def _has_type(field: Field, value: object) -> bool:
    try:
        msgspec.convert(value, field.in_file)
    except msgspec.ValidationError:
        return False
    return True


def _is_inside(said: Says, value: object) -> bool:
    """Whether a value, or each of several, is inside the bounds, or one of the words."""
    match value:
        case bool() | None:
            return True
        case int() | float():
            least, most = said.at_least, said.at_most
            return (least is None or value >= least) and (most is None or value <= most)
        case str():
            known = said.words if isinstance(said.words, tuple) else ()
            fits = len(value) <= said.longest and re.search(said.pattern, value) is not None
            return fits and (not known or value in known)
        case list():
            return all(_is_inside(said, each) for each in value)
        case dict():
            return all(_is_inside(said, each) for each in value.values())
    return True


# --- requests


class Request(msgspec.Struct, kw_only=True):
    """What somebody asks for, not yet looked at."""

    def __init_subclass__(cls) -> None:
        """Let the docstring tell the fields."""
        told = [f"    {name}: {said.about}" for name, said in said_in(cls.__annotations__).items()]
        cls.__doc__ = "\n".join([inspect.cleandoc(cls.__doc__ or ""), "", "Fields:", *told])

    def check(self) -> Self:
        """Look at the values; returns the request itself.

        Raises `OperatorError` for the first value that its field does not take.
        """
        for each in fields(type(self)):
            value = getattr(self, each.name)
            if value != each.default and each.said.written is None:
                check(each, value, each.name)
        return self


@cache
def fields(kind: type[Request]) -> tuple[Field, ...]:
    """The fields of a kind of request; those without `says` are not asked for, but found out."""
    found = []
    for each in msgspec.structs.fields(kind):
        if said_in({each.name: each.type}):
            usual = each.default
            if each.default_factory is not msgspec.NODEFAULT:
                usual = each.default_factory()
            found.append(field(each.name, each.type, REQUIRED if usual is msgspec.NODEFAULT else usual))
    return tuple(found)


def read(kind: type[Request], table: Mapping[str, Any]) -> Any:
    """A request from a table, as JSON or TOML have it.

    Raises `OperatorError` for a key that there is not, a value that its field does not take, or a field that lacks.
    """
    known = {each.name: each for each in fields(kind)}
    for name, value in table.items():
        if name not in known:
            raise OperatorError("request-key", key=name, nearest=nearest(name, known), known=", ".join(known))
        check(known[name], value, name)
    for name, each in known.items():
        if each.default is REQUIRED and name not in table:
            raise OperatorError("request-missing", key=name, takes=each.takes)
    return kind(**table)


# --- as a JSON schema, for editors and other programs


def schema(kind: type[Request]) -> dict[str, Any]:
    """The keys of a table that `read` takes: an object of JSON schema, which knows no others."""
    keys = {each.name: field_schema(each) for each in fields(kind)}
    needed = [each.name for each in fields(kind) if each.default is REQUIRED]
    return {"type": "object", "additionalProperties": False, "properties": keys, "required": needed}


def field_schema(field: Field) -> dict[str, Any]:
    """What a value of this field may be."""
    if words := field.one_of:
        made: dict[str, Any] = {"enum": list(words)}
    else:
        made = msgspec.json.schema(field.in_file)
        made = _inside(made, made.get("$defs", {}), field)
    if field.default is not REQUIRED and field.default not in (None, [], {}):
        made["default"] = field.default
    return {"description": field.about, **made, **field.said.more}


def _inside(part: Any, definitions: Mapping[str, Any], field: Field) -> Any:
    """A part of a schema by msgspec, with the field's bounds.

    It has no definitions of its own, and no null: what is not there is left out.
    """
    if isinstance(part, list):
        return [_inside(each, definitions, field) for each in part if each != {"type": "null"}]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inside(definitions[part["$ref"].rpartition("/")[2]], definitions, field)
    left_out = ("title", "default", "$defs")
    found = {key: _inside(each, definitions, field) for key, each in part.items() if key not in left_out}
    if len(choices := found.get("anyOf", ())) == 1:
        found = {**{key: each for key, each in found.items() if key != "anyOf"}, **choices[0]}
    bounds: dict[str, Any] = {}
    if found.get("type") == "string":
        bounds = {"maxLength": field.said.longest, "pattern": field.said.pattern}
    elif found.get("type") in ("integer", "number"):
        known = {"minimum": field.said.at_least, "maximum": field.said.at_most}
        bounds = {key: value for key, value in known.items() if value is not None}
    return {**found, **bounds}
