"""The reference is whole: each command, option, public name, variable, key, kind of fault, setup option."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from docs.website.pages import ROOT, written_pages
from docs.website.reference import commands, files, games, programs, python

from dohyo.bots.declared import KEYS as BOT_KEYS
from dohyo.cli import main
from dohyo.cli.options import command_of
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.series.contest_file import KEYS
from tests.docs.conftest import Site

pytestmark = pytest.mark.process

JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
VARIABLE = re.compile(r"[\"'](DOHYO_[A-Z_]+)[\"']")
NOT_OURS = {"DOHYO_PARAM_"}  # what names of parameters begin with


@pytest.mark.parametrize("name", commands.names())
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_command_is_told(site: Site, name: str, language: str) -> None:
    """Each command, each subcommand and each of their options stands on the command's page, in both languages."""
    text = site.html[f"{'' if language == 'en' else 'ja/'}reference/commands/{name}.html"].text
    for path, command in commands.tree(name, language):
        assert f"dohyo {path}" in text
        context = commands.context_of(path, command)
        for parameter in command.get_params(context):
            if (record := parameter.get_help_record(context)) is not None:
                assert record[0] in text, f"{path}: {record[0]}"
    (written,) = [page.texts[language] for page in site.pages if page.name == f"docs/reference/commands/{name}"]
    assert bool(JAPANESE.search(written)) == (language == "ja")


def test_every_decision_is_listed(site: Site) -> None:
    """The list of decisions leads to each, and the start page leads to the list."""
    led = {each.value for each in site.html["decisions/index.html"].leads}
    assert {f"{path.stem}.html" for path in (ROOT / "docs" / "decisions").glob("0*.md")} <= led
    assert "decisions/index.html" in {each.value for each in site.html["index.html"].leads}


def test_every_command_is_listed(site: Site) -> None:
    """The list leads to each command and subcommand, and has the options of `dohyo` itself."""
    assert "--version" in site.html["ja/reference/commands/index.html"].text
    led = {each.value for each in site.html["reference/commands/index.html"].leads}
    assert {f"{name}.html" for name in commands.names()} <= led
    for name in main.commands():
        made = command_of(main.application_of(name))
        inner = {below for below, each in getattr(made, "commands", {}).items() if not each.hidden}
        assert {f"{name}.html#dohyo-{name}-{below}" for below in inner} <= led


@pytest.mark.parametrize("module", python.MODULES)
def test_every_public_name_is_told(site: Site, module: str) -> None:
    """Each public name stands on its module's page under a heading of its own, and is what one really imports."""
    page = site.html[f"reference/python/{module}.html"]
    imported = None if module.startswith("dohyo.rl") else importlib.import_module(module)
    for name in python.names_of(ROOT, module):
        assert name.lower() in page.identifiers, name
        assert imported is None or hasattr(imported, name), name


def test_what_pages_import_is_told() -> None:
    """Each name that a page's code imports from Dohyo, but for the insides of one game, is in the reference."""
    told = {f"{module}.{name}" for module in python.MODULES for name in python.names_of(ROOT, module)}
    told |= set(python.MODULES)
    for page in written_pages():
        if page.name == "CHANGELOG" or page.group == "background":
            continue
        for block in re.findall(r"^```python\n(.*?)^```", page.texts["en"], re.MULTILINE | re.DOTALL):
            for module, names in re.findall(r"^\s*from (dohyo[\w.]*) import ([\w, ]+)$", block, re.MULTILINE):
                if module.startswith("dohyo.games."):
                    continue
                for name in re.split(r",\s*", names.strip()):
                    shown = f"{module}.{name.partition(' as ')[0]}"
                    assert shown in told, f"{page.name}: {shown}"


def test_every_variable_is_told(site: Site) -> None:
    """The variables that the source reads or sets are those of the tables, no more and no fewer."""
    source = [path for path in (ROOT / "src").rglob("*.py") if "bots" not in path.relative_to(ROOT / "src").parts[2:]]
    source += [ROOT / "dev", *(ROOT / "src" / "dohyo" / "bots").glob("*.py")]
    read = {name for path in source for name in VARIABLE.findall(path.read_text(encoding="utf-8"))} - NOT_OURS
    told = {each.name for each in (*programs.FOR_PEOPLE, *programs.FOR_BOTS)}
    assert read == (told - {"DOHYO_PARAM_NAME"}) | set(programs.OWN)
    text = site.html["ja/reference/environment.html"].text
    assert all(name in text for name in told)


def test_every_key_is_told(site: Site) -> None:
    """Each key of a `bot.toml` and of a contest file is explained, in both languages."""
    assert tuple(files.bot_keys()) == BOT_KEYS
    assert tuple(files.BOT_KEYS_JA) == BOT_KEYS
    for folder in ("", "ja/"):
        text = site.html[f"{folder}reference/contest-file.html"].text
        assert all(f"{key}\n" in text for key in KEYS)


def test_every_fault_is_told(site: Site) -> None:
    """Each kind and each code stands there, with what happened, in both languages."""
    assert set(programs.kind_remarks()) == set(programs.KINDS_JA) == {str(kind) for kind in FaultKind}
    for folder in ("", "ja/"):
        text = site.html[f"{folder}reference/faults.html"].text
        assert all(str(each) in text for each in (*FaultKind, *FaultCode))


@pytest.mark.parametrize("game", games.own_games(), ids=lambda game: game.name)
def test_every_setup_option_and_clock_is_told(site: Site, game: games.Game) -> None:
    """Each option, clock and the first line that a bot is sent stand on the game's page, in both languages."""
    for folder in ("", "ja/"):
        text = site.html[f"{folder}reference/games/{game.name}.html"].text
        assert all(option.name in text for option in game.options)
        assert all(name in text for name in game.clocks)
        assert games.first_input(game).strip() in text


@pytest.mark.parametrize("game", [game for game in games.own_games() if game.observation], ids=lambda game: game.name)
def test_every_plane_is_told(site: Site, game: games.Game) -> None:
    """Each plane that a learner sees stands on the game's page with its name and meaning, in both languages."""
    assert game.observation is not None
    for folder in ("", "ja/"):
        text = site.html[f"{folder}reference/games/{game.name}.html"].text
        assert all(plane.name in text and plane.meaning in text for plane in game.observation.PLANES)


def test_a_signature_is_that_of_the_source(tmp_path: Path) -> None:
    """Parameters, defaults, remarks behind fields, properties; what begins with an underscore is left out."""
    source = tmp_path / "src" / "toy.py"
    source.parent.mkdir()
    source.write_text(
        '"""A toy."""\n\nLIMIT = 3  # at most\n\n\nclass Box:\n    """A box of <things>."""\n\n'
        "    size: int = 2  # in things\n\n"
        '    @property\n    def full(self) -> bool:\n        """Whether it is."""\n\n'
        "    def _hidden(self) -> None:\n        pass\n\n\n"
        'def put(box: Box, *, many: int = 1) -> None:\n    """Put.\n\n        put(box)\n    """\n'
    )
    lines = "\n".join(python._module(tmp_path, "toy", "en"))
    assert "LIMIT = 3" in lines
    assert "at most" in lines
    assert "| `size` | `int` | `2` | in things |" in lines
    assert "A box of \\<things>." in lines
    assert "full: bool" in lines
    assert "put(box: Box, *, many: int=1) -> None" in lines
    assert "_hidden" not in lines
