"""What holds for everything that can be asked: command, file and Python say the same of it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dohyo.bench.check.check import check_bot
from dohyo.cli.main import application_of
from dohyo.cli.options import command_of
from dohyo.core.asked import REQUIRED, Field, Request, fields, read, schema
from dohyo.core.errors import OperatorError
from dohyo.i18n import ENGLISH, section
from dohyo.match.play import play_match
from tests.cli.conftest import Type
from tests.cli.requests import REQUESTS

ALL = [pytest.param(kind, field, id=f"{kind.__name__}.{field.name}") for kind in REQUESTS for field in fields(kind)]
KINDS = pytest.mark.parametrize("kind", REQUESTS, ids=lambda kind: kind.__name__)
USUAL: dict[str, Any] = {"game": "drop-block", "bots": ["hunter"], "bot": "hunter", "candidate": "hunter",
                         "baselines": ["random"], "file": "m.replay"}  # fmt: skip
BAD = {bool: "maybe", int: "many", float: "much", dict: 7, list: 7, str: 7}
ODD: tuple[Any, ...] = (
    *("", "a", "auto", "a\0b", "x" * 300, -1, 0, 1, 2.5, 10**9, 2**63, 2**70, True, False, [], ["a"], [1], [["a"]]),
    *({}, {"a": 1}, {"a": [1, "b"]}, {"a": {"b": True}}, {"a": [[1]]}, [{"bot": "b"}], [{"name": "n"}]),
)


def option_of(kind: type[Request], field: Field) -> Any:
    """The parameter of the command that asks for a field; none for what it asks in another way."""
    words = REQUESTS[kind].split()
    command = command_of(application_of(words[0]))
    for word in words[1:]:
        command = command.commands[word]
    return next((each for each in command.params if each.name == field.name), None)


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_a_field_is_told_in_both_languages(kind: type[Request], field: Field) -> None:
    """Its help is a sentence in English and has one in Japanese; the docstring in Python has it, too."""
    assert field.about.endswith((".", ")"))
    assert re.search("[ぁ-んァ-ヶ一-龠]", section("ja", "help").get(field.about, ""))
    assert f"{field.name}: {field.about}" in (kind.__doc__ or "") + (kind.__base__.__doc__ or "")


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_command_and_request_agree(kind: type[Request], field: Field) -> None:
    """A command asks for each field, as it is called, with its help, and with the same value if nobody says any."""
    option = option_of(kind, field)
    if option is None:
        assert (kind.__name__, field.name) == ("ContestRequest", "bots"), "its words are bots only with --game"
        return
    assert option.help == field.about
    assert option.metavar == (field.metavar or None) or field.kind is bool
    assert field.said.is_bare == (option.param_type_name == "argument")
    if not field.said.is_bare:
        assert field.option in option.opts
    required = field.default is REQUIRED and REQUESTS[kind] != "contest run"
    assert option.required == required
    assert option.default in (None, False, field.default) or required


@pytest.mark.parametrize(("kind", "field"), [each for each in ALL if each.values[1].kind in (int, float)])
def test_a_number_that_is_none(kind: type[Request], field: Field, typed: Type) -> None:
    """One sentence, status 2, and the option's name in it."""
    done = typed(*REQUESTS[kind].split(), *words_for(kind), field.option, "many")
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert field.option in done.err


@pytest.mark.parametrize(
    ("kind", "field"), [each for each in ALL if each.values[1].said.at_least is not None or each.values[1].said.words]
)
def test_a_value_outside(kind: type[Request], field: Field, typed: Type) -> None:
    """The command, the reader and Python refuse it, each in one sentence."""
    value: Any = "sideways" if field.kind is str else int(field.said.at_least or 0) - 1
    done = typed(*REQUESTS[kind].split(), *words_for(kind), field.option, str(value))
    assert (done.status, done.err.count("\n")) == (2, 1)
    if callable(field.said.words):
        return  # whoever looks the word up refuses it
    with pytest.raises(OperatorError) as read_one:
        read(kind, {**needed(kind), field.name: value})
    with pytest.raises(OperatorError) as asked:
        kind(**{**needed(kind), field.name: value}).check()
    assert read_one.value.say() == asked.value.say()
    assert done.err.strip() == asked.value.say().replace(f"'{field.name}'", f"'{field.option}'")


@pytest.mark.parametrize(("kind", "field"), ALL)
def test_a_value_of_another_type(kind: type[Request], field: Field) -> None:
    """The reader refuses it and says what is taken."""
    value = {} if field.name == "clock" else BAD[field.kind]
    with pytest.raises(OperatorError) as caught:
        read(kind, {**needed(kind), field.name: value})
    takes = field.takes if isinstance(field.takes, str) else ENGLISH.say(field.takes)
    assert takes in caught.value.say()
    assert "\n" not in caught.value.say()


@KINDS
def test_what_is_not_asked(kind: type[Request]) -> None:
    """A key that there is not is refused, with the nearest one; so is a request that lacks one."""
    with pytest.raises(OperatorError, match=r"'sandbox'|'seat'"):
        read(kind, {**needed(kind), "sandbo" if "sandbox" in kind.__struct_fields__ else "seatt": "auto"})
    with pytest.raises(OperatorError, match="needs"):
        read(kind, {})


@KINDS
def test_the_schema_says_what_the_reader_says(kind: type[Request]) -> None:
    """What the JSON schema accepts is read, and what it refuses is refused: one odd value, and several at once."""
    fastjsonschema = pytest.importorskip("fastjsonschema")
    validate: Callable[[Any], Any] = fastjsonschema.compile(json.loads(json.dumps(schema(kind))), use_default=False)
    names = [field.name for field in fields(kind)]

    def agree(table: dict[str, Any]) -> None:
        if isinstance(table.get("format"), str):
            return  # which formats there are, whoever looks them up says
        try:
            validate(table)
            accepted = True
        except fastjsonschema.JsonSchemaValueException:
            accepted = False
        try:
            read(kind, table)
            is_read = True
        except OperatorError:
            is_read = False
        assert accepted == is_read, table

    @settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.dictionaries(st.sampled_from([*names, "stranger"]), st.sampled_from(ODD), max_size=3), st.booleans())
    def hold(changed: dict[str, Any], complete: bool) -> None:
        agree({**(needed(kind) if complete else {}), **changed})

    for name in names:
        for value in ODD:
            agree({**needed(kind), name: value})
    hold()


@pytest.mark.parametrize(("kind", "call"), [("PlayRequest", play_match), ("CheckRequest", check_bot)])
def test_python_calls_mean_the_same(kind: str, call: Callable[..., Any]) -> None:
    """What a function of Dohyo takes by the name of a field has the field's value where nobody says any."""
    known = inspect.signature(call).parameters
    asked = {field.name: field for each in REQUESTS if each.__name__ == kind for field in fields(each)}
    shared = set(known) & set(asked) - {"game", "bot", "seed"}
    assert {"setup", "clock", "python", "sandbox"} <= shared
    for name in shared:
        assert known[name].default in (asked[name].default, asked[name].default or None)


def needed(kind: type[Request]) -> dict[str, Any]:
    """What a request cannot be without."""
    return {field.name: USUAL[field.name] for field in fields(kind) if field.default is REQUIRED}


def words_for(kind: type[Request]) -> list[str]:
    """The same, typed."""
    if REQUESTS[kind] == "contest run":
        return ["--game", "drop-block", "hunter", "random"]
    found = needed(kind).values()
    return [word for each in found for word in (each if isinstance(each, list) else [each])]
