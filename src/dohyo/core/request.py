"""What can be asked of Dohyo, said once: a typed value with its documentation.

A kind of request is a class below `Request`. Each field has a type, perhaps a default, and `says(...)`: what it
means, how it is written, what it may be (`asked.py`). From that follow

    the options of a command, with their help and what a shell offers     `dohyo.cli.asking`
    the keys of a file, and one sentence for what is wrong with one       `read`, `check`
    a JSON schema                                                         `request_schema.py`
    the signature and the docstring in Python                             the class itself
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any, Self

import msgspec

from dohyo.core.asked import REQUIRED, Field, check, said_in
from dohyo.core.asked import field as field_of
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest


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
        for field in fields(type(self)):
            value = getattr(self, field.name)
            if value != field.default and field.said.written is None:
                check(field, value, field.name)
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
            found.append(field_of(each.name, each.type, REQUIRED if usual is msgspec.NODEFAULT else usual))
    return tuple(found)


def read(kind: type[Request], table: Mapping[str, Any]) -> Any:
    """A request from a table, as JSON or TOML have it.

    Raises `OperatorError` for a key that there is not, a value that its field does not take, or a field that lacks.
    """
    known = {field.name: field for field in fields(kind)}
    for name, value in table.items():
        if name not in known:
            raise OperatorError("request-key", key=name, nearest=nearest(name, known), known=", ".join(known))
        check(known[name], value, name)
    for name, field in known.items():
        if field.default is REQUIRED and name not in table:
            raise OperatorError("request-missing", key=name, takes=field.takes)
    return kind(**table)
