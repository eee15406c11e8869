"""What can be asked, as a JSON schema: of editors, of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dohyo.core.asked import REQUIRED, Field
from dohyo.core.request import Request, fields


def schema(kind: type[Request]) -> dict[str, Any]:
    """The keys of a table that `read` takes: an object of JSON schema, which knows no others."""
    keys = {field.name: field_schema(field) for field in fields(kind)}
    needed = [field.name for field in fields(kind) if field.default is REQUIRED]
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
