"""Old names: each kind works, warns once in a sentence, and its table is in order."""

from __future__ import annotations

from pathlib import Path

import pytest

import dohyo
from dohyo import bots
from dohyo.cli import main
from dohyo.core import deprecated, notices
from dohyo.core.deprecated import Deprecated
from dohyo.core.errors import OperatorError
from dohyo.series.request import read_file
from tests.quality.project import ROOT

OLD = (
    Deprecated("command", "show", "games", "0.1.0", "9.0.0"),
    Deprecated("option", "games --as-json", "games --json", "0.1.0", "9.0.0"),
    Deprecated("option", "contest show --as-json", "contest show --json", "0.1.0", "9.0.0"),
    Deprecated("bot.toml", "title", "name", "0.1.0", "9.0.0"),
    Deprecated("bot.toml", "author", "", "0.1.0", "9.0.0"),
    Deprecated("contest file", "time", "clock", "0.1.0", "9.0.0"),
    Deprecated("environment", "DOHYO_TONGUE", "DOHYO_LANG", "0.1.0", "9.0.0"),
    Deprecated("API", "dohyo.check_replay", "dohyo.verify", "0.1.0", "9.0.0"),
    Deprecated("API", "dohyo.play_once(dice)", "dohyo.play_once(seed)", "0.1.0", "9.0.0"),
)
SENTENCE = "'{}' will be gone in version 9.0.0; write '{}' in its place."


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """With the rows above in the table: which old names the operator was told of."""
    monkeypatch.setattr(deprecated, "TABLE", OLD)
    monkeypatch.setattr(dohyo, "_OLD", frozenset({"check_replay"}))
    heard: list[str] = []
    monkeypatch.setattr(notices, "_HEARERS", [lambda key, details: heard.append(str(details["old"]))])
    return heard


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "--json"), SENTENCE.format("show", "games")),
        (("games", "--as-json"), SENTENCE.format("--as-json", "--json")),
        (("--lang", "ja", "games", "--as-json"), "「--as-json」はバージョン 9.0.0 でなくなります"),
    ],
    ids=" ".join,
)
def test_old_words_do_what_the_new_ones_do(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same output and status, and one sentence on standard error."""
    assert main.run(("games", "--json")) == 0
    wanted = capsys.readouterr().out
    assert main.run(words) == 0
    out, err = capsys.readouterr()
    assert out == wanted
    assert err.startswith(sentence)
    assert err.count("\n") == 1


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("words", [("play", "--as-json"), ("games", "--", "--as-json"), ("shows",)], ids=" ".join)
def test_only_where_the_name_was_used(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """An old option of one command is none of another, and what stands behind `--` is not ours."""
    assert main.run(words) == 2
    assert "9.0.0" not in capsys.readouterr().err


def test_old_option_of_a_command_below(told: list[str]) -> None:
    """Its value travels, written either way."""
    words = ["contest", "show", "x.db", "--as-json=1", "--", "--as-json"]
    renewed = deprecated.renewed_words("contest show", words, "--as-json")
    assert renewed == ["contest", "show", "x.db", "--json=1", "--", "--as-json"]
    assert told == ["--as-json"]


def test_old_keys_of_a_contest_file(told: list[str], tmp_path: Path) -> None:
    """The value arrives under its new name; both names at once are a mistake."""
    file = tmp_path / "class.toml"
    file.write_text('game = "drop-block"\ntime = 2\n', encoding="utf-8")
    assert read_file(str(file)).clock == "2"
    assert told == ["time"]
    file.write_text('game = "drop-block"\ntime = 2\nclock = 1\n', encoding="utf-8")
    with pytest.raises(OperatorError, match="'time' is the old name of 'clock'"):
        read_file(str(file))


def bot(folder: Path, more: str) -> Path:
    """A bot that declares itself with old keys."""
    (folder / "mine").mkdir()
    (folder / "mine" / "bot.toml").write_text(f'run = "./go"\n{more}', encoding="utf-8")
    program = folder / "mine" / "go"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    return folder / "mine"


def test_old_keys_of_a_bot(told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They work, and the process that reads hand-ins can have nothing told but names of the table."""
    from dohyo.bots import declared
    from dohyo.bots.isolated_reader import IsolatedReader
    from dohyo.bots.tools import Tools

    plan = declared.declared_plan("mine", bot(tmp_path, 'title = "Mine"\nauthor = "me"\n'), Tools(tmp_path))
    assert plan.name == "Mine"
    assert told == ["title", "author"]
    reader = IsolatedReader.__new__(IsolatedReader)
    reader._tools = Tools(tmp_path)
    for name in ("title", "name", "\x1b[31mtitle"):
        assert reader._answer(None, "old-key", name, 0) is None  # type: ignore[arg-type]
    assert told == ["title", "author", "title"]


def test_an_unknown_key_is_asked_of_nobody(told: list[str], tmp_path: Path) -> None:
    """A key that never was one is the author's mistake, as before; a bot without old keys is told nothing of."""
    with pytest.raises(OperatorError, match="titel"):
        bots.resolve([str(bot(tmp_path, 'titel = "Mine"\n'))], {}, cache=tmp_path / "cache")
    assert told == []


def test_old_variable(told: list[str]) -> None:
    """The new name comes first, then the old one."""
    assert deprecated.variable("DOHYO_LANG", {"DOHYO_TONGUE": "ja"}) == "ja"
    assert told == ["DOHYO_TONGUE"]
    assert deprecated.variable("DOHYO_LANG", {"DOHYO_TONGUE": "ja", "DOHYO_LANG": "en"}) == "en"
    assert deprecated.variable("DOHYO_LANG", {}) is None
    assert told == ["DOHYO_TONGUE"]


@pytest.mark.usefixtures("told")
def test_old_names_in_python() -> None:
    """A name, and an argument: the new one's, with a warning that points to the caller's line."""
    with pytest.warns(DeprecationWarning, match=r"'dohyo\.check_replay' will be gone in version 9") as caught:
        assert dohyo.check_replay is dohyo.verify
    assert caught[0].filename == __file__

    @deprecated.keywords
    def play_once(game: str, *, seed: int = 0) -> tuple[str, int]:
        """A function whose argument has another name now."""
        return game, seed

    assert play_once("chess", seed=3) == ("chess", 3)
    with pytest.warns(DeprecationWarning, match="dice") as caught:
        assert play_once("chess", dice=4) == ("chess", 4)  # type: ignore[call-arg]
    assert caught[0].filename == __file__
    with pytest.raises(AttributeError):
        _ = dohyo.never_there


def numbers(version: str) -> tuple[int, ...]:
    """A version, to be compared."""
    return tuple(int(part) for part in version.split("."))


def test_the_table_is_in_order() -> None:
    """Every row warns for at least one minor version, is not overdue, and is in `docs/deprecation.md`."""
    here = numbers(dohyo.__version__)
    for row in deprecated.TABLE:
        assert row.kind in deprecated.KINDS, row
        assert numbers(row.since)[:2] < numbers(row.until)[:2], f"at least one minor version: {row}"
        assert numbers(row.since) <= here < numbers(row.until), f"overdue: take the old name away, {row}"
        assert row.new or row.kind in ("bot.toml", "contest file"), row
    lines = (ROOT / "docs" / "deprecation.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| what | old | new | since | gone in |") + 2
    shown = [line for line in lines[start : lines.index("## For those who change Dohyo")] if line]
    assert shown == [
        f"| {' | '.join((kind, f'`{old}`', new and f'`{new}`', since, until))} |"
        for kind, old, new, since, until in deprecated.TABLE
    ]
    api = {row.old.removeprefix("dohyo.") for row in deprecated.TABLE if row.kind == "API" and "(" not in row.old}
    assert {name for name in api if "." not in name} == dohyo._OLD
