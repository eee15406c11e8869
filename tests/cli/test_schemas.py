"""JSON schemas say what our readers say: what a schema accepts is read, what it refuses is refused."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dohyo import clean
from dohyo.bots.declared import _read_toml
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Header, Seat
from dohyo.core.request_fields import MAX_WORKERS
from dohyo.series import formats
from dohyo.series.contest_file import read_file
from dohyo.series.schemas import SCHEMAS
from dohyo.series.session import look_at
from tests.cli.conftest import Type
from tests.fuzz.test_contest_files import toml

BLOCK = re.compile(r"^```toml\n(.*?)^```", re.DOTALL | re.MULTILINE)
VALID = {
    "bot": {
        "name": "Hunter",
        "build": ["make"],
        "run": "./hunter --fast",
        "lifetime": "turn",
        "python": "python3.12",
        "params": {"depth": 4, "mode": "fast"},
        "protocol": "uci",
    },
    "contest": {
        "name": "class",
        "game": "drop-block",
        "format": "swiss",
        "rounds": 7,
        "seed": 5,
        "clock": 0.5,
        "bots": ["hunter", {"name": "old", "bot": "python3 old.py"}],
        "folder": "hand-ins",
        "names": "n.csv",
        "setup": {"turns": 8},
        "options": {"series": 2},
        "sandbox": "none",
        "pondering": True,
        "store": "a.db",
        "fault_is_last": False,
        "python": "python3",
        "workers": 3,
    },
}
ODD = ("", " ", "a", "match", "x" * 70, "x" * 300, "a/b", "\0", "a\nb", 0, 1, -1, 2.5, 1 << 63, 1 << 70, True, False)
MORE: tuple[Any, ...] = (
    *([], ["a"], [""], [1], [["a"]], ["a\0"], {}, {"a": 1}, {"a": True}, {"1": 1}, {"a": "x" * 300}, {"a": [1]}),
    *(
        {"bot": "b"},
        [{"name": "n"}],
        [{"bot": "b", "x": 1}],
        [{"bot": "b"}],
        {"turns": 8},
        {"table": 4},
        {"series": 3},
    ),
    *({f"p{at}": at for at in range(65)}, {"a": {"b": {"c": 1}}}, {"turns": "many"}),
)


@pytest.fixture(scope="module")
def checks() -> dict[str, Callable[[Any], bool]]:
    """Whether a value is what a schema accepts, by the schema's name, as another program says."""
    fastjsonschema = pytest.importorskip("fastjsonschema")

    def accepts(name: str) -> Callable[[Any], bool]:
        validate = fastjsonschema.compile(SCHEMAS[name](), use_default=False)

        def accepted(value: Any) -> bool:
            try:
                validate(value)
            except fastjsonschema.JsonSchemaValueException:
                return False
            return True

        return accepted

    return {name: accepts(name) for name in VALID}


def reads(name: str, path: Path) -> bool:
    """Whether our reader takes a file, with everything that is looked at before a bot is built."""
    try:
        if name == "bot":
            _read_toml("bot", path)
            return True
        asked = read_file(str(path))
        look_at(asked)
        if not 1 <= asked.rounds <= formats.MAX_ROUNDS or asked.workers not in (None, *range(1, MAX_WORKERS + 1)):
            return False
        format_ = formats.find(asked.format)
        known = {option.name for option in format_.info.options}
        return set(asked.options) <= known
    except OperatorError:
        return False


def test_the_files_are_what_the_code_makes(root: Path) -> None:
    """`docs/schemas` has what `dohyo schema` prints now."""
    for name, make in SCHEMAS.items():
        there = (root / "docs" / "schemas" / f"{name}.json").read_text(encoding="utf-8")
        assert there == clean.document(make()), f"dohyo schema {name} --out docs/schemas/{name}.json"
    entries = json.loads((root / "docs" / "schemas" / "catalog-entry.json").read_text())
    assert {entry["url"].rsplit("-")[-1] for entry in entries} == {f"{name}.json" for name in VALID}


def test_every_example_is_valid(root: Path, checks: dict[str, Callable[[Any], bool]]) -> None:
    """What the pages show of `bot.toml` and contest files is what the schemas accept."""
    seen = dict.fromkeys(VALID, 0)
    for page in sorted([*root.glob("docs/**/*.md"), *root.glob("README*.md")]):
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            table = tomllib.loads(block)
            bot = set(VALID["bot"])
            name = "contest" if isinstance(table.get("game"), str) else "bot" if table and set(table) <= bot else ""
            if name:
                seen[name] += 1
                assert checks[name](table), f"{page}: {block}"
    assert all(seen.values())


@pytest.mark.parametrize("name", VALID)
def test_a_schema_says_what_the_reader_says(
    name: str, checks: dict[str, Callable[[Any], bool]], tmp_path: Path
) -> None:
    """After small changes of a valid file: accepted by the schema, it is read; refused by it, it is refused.

    The exceptions are those that `docs/schemas.md` names.
    """
    path = tmp_path / "file.toml"

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def hold(data: st.DataObject) -> None:
        table = dict(VALID[name])
        for _ in range(data.draw(st.integers(1, 2))):
            key = data.draw(st.sampled_from([*table, "stranger"]))
            if data.draw(st.booleans()) and key in table:
                del table[key]
            else:
                table[key] = data.draw(st.sampled_from([*ODD, *MORE]))
        path.write_text("\n".join(f"{key} = {toml(value)}" for key, value in table.items()), encoding="utf-8")
        if name == "contest" and isinstance(table.get("setup"), dict) and set(table["setup"]) - {"turns"}:
            return  # which options a game has
        if name == "contest" and table.get("setup") == {"turns": "many"}:
            return
        if name == "contest" and isinstance(table.get("clock"), str | int | float):
            table["clock"] = 0.5  # which clocks a game has
            path.write_text("\n".join(f"{key} = {toml(value)}" for key, value in table.items()), encoding="utf-8")
        if name == "contest" and table.get("game", "drop-block") != "drop-block":
            return  # which games there are
        assert checks[name](table) == reads(name, path), table

    hold()


@pytest.mark.parametrize("name", VALID)
def test_every_key_with_every_odd_value(name: str, checks: dict[str, Callable[[Any], bool]], tmp_path: Path) -> None:
    """The same for each single change, one after the other."""
    path, free = tmp_path / "file.toml", ("game", "clock", "setup")
    for key in VALID[name]:
        for value in (*ODD, *MORE) if name == "bot" or key not in free else ():
            table = {**VALID[name], key: value}
            path.write_text("\n".join(f"{each} = {toml(one)}" for each, one in table.items()), encoding="utf-8")
            assert checks[name](table) == reads(name, path), (key, value)


def test_a_header(root: Path) -> None:
    """A replay's header is one, and its schema knows all its fields."""
    header = Header(dohyo=1, game="g", rules=1, setup={}, seats=(Seat("a"),), seed=7, software="s")
    known = SCHEMAS["replay"]()["$defs"]["Header"]["properties"]
    assert set(msgspec.to_builtins(header)) <= set(known) == set(Header.__struct_fields__)


def test_the_command(typed: Type) -> None:
    """`dohyo schema` prints one or writes it; an unknown one is refused."""
    done = typed("schema", "bot")
    assert json.loads(done.out) == SCHEMAS["bot"]()
    assert typed("schema", "bot", "--out", "b.json").out == "Schema for editors: b.json\n"
    assert Path("b.json").read_text() == done.out
    assert typed("schema", "hello").status == 2
