"""The script `dev`: what it says where it cannot work, and when it sets up anew. Nothing is installed here."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from tests.quality.project import ROOT

OLDEST_READER = (3, 6)


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A copy of `dev`, loaded in a folder of its own, whose installing is only written down."""
    for name in ("dev", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("dev", str(tmp_path / "dev"))
    spec = importlib.util.spec_from_loader("dev", loader)
    assert spec is not None
    script = importlib.util.module_from_spec(spec)
    loader.exec_module(script)
    script.installed = []  # type: ignore[attr-defined]
    script.made = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(script, "become", lambda *words: pytest.fail(f"would become {words}"))
    monkeypatch.setattr(script, "install", script.installed.append)
    monkeypatch.setattr(script, "make_venv", lambda: make_venv(script))
    return script


def make_venv(dev: ModuleType) -> None:
    """Stand in for the making of a virtual environment: a folder, a stamp that says unfinished, a Python."""
    dev.made += 1  # type: ignore[attr-defined]
    shutil.rmtree(dev.VENV, ignore_errors=True)
    (Path(dev.VENV) / "bin").mkdir(parents=True)
    dev.write_stamp({})
    Path(dev.in_venv("python")).symlink_to(sys.executable)


def counts(dev: ModuleType) -> tuple[int, list[str]]:
    """How often `.venv` was made, and what was installed."""
    return dev.made, dev.installed


def started(*words: str, python: str = sys.executable, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the project's own `dev` with words that set nothing up."""
    return subprocess.run(
        [python, ROOT / "dev", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_old_python_can_read_it() -> None:
    """An old Python 3 parses the whole script, and so reaches the sentence that it is too old."""
    text = (ROOT / "dev").read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=OLDEST_READER)
    imported = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= sys.stdlib_module_names
    unquoted = [n for n in ast.walk(tree) if isinstance(n, ast.arg | ast.FunctionDef)]
    hints = [getattr(n, "annotation", None) or getattr(n, "returns", None) for n in unquoted]
    assert all(isinstance(hint, ast.Name | ast.Constant) for hint in hints if hint), "quote what old Pythons lack"


@pytest.mark.parametrize("newer", [None, "python3.12"])
def test_old_python_is_told_in_one_sentence(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], newer: str | None
) -> None:
    """A Python below 3.11 gives one sentence with the remedy, and exit status 2."""
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    monkeypatch.setattr(shutil, "which", lambda name: name if name == newer else None)
    with pytest.raises(SystemExit) as end:
        dev.main(["test"])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("Dohyo needs Python 3.11 or newer, and this is 3.9; ")
    assert said.count("\n") == 1
    assert f"'{newer or 'python3.11'} dev'" in said


def test_windows_is_told_in_one_sentence(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Windows gets one sentence that names WSL2, and exit status 2."""
    monkeypatch.setattr(dev, "os", type("os", (), {"name": "nt"}))
    with pytest.raises(SystemExit) as end:
        dev.main(["demo"])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "WSL2" in said
    assert said.count("\n") == 1


def test_python_without_ensurepip_is_told_what_to_install(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A Debian Python without its venv package names that package; no traceback, nothing begun."""
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "ensurepip", None)  # as if there were no such module
    with pytest.raises(SystemExit) as end:
        dev.prepare("core")
    assert end.value.code == 2
    assert "apt install python3-venv" in capsys.readouterr().err
    assert not Path(dev.VENV).exists()


def test_usage() -> None:
    """Without words it names its commands; an unknown one is the operator's mistake."""
    asked = started()
    assert asked.returncode == 0
    for command in ("demo", "test", "dohyo", "docs", "extras", "constraints"):
        assert f"./dev {command} " in asked.stdout
    unknown = started("tset")
    assert unknown.returncode == 2
    assert unknown.stderr.startswith("There is no './dev tset'")
    assert "./dev test " in unknown.stderr


def test_second_start_does_nothing(dev: ModuleType) -> None:
    """What has been set up is not set up again, and the larger set-up holds the smaller one."""
    dev.prepare("dev")
    assert counts(dev) == (1, ["dev"])
    dev.prepare("dev")
    dev.prepare("core")
    assert counts(dev) == (1, ["dev"])


def test_larger_level_is_added(dev: ModuleType) -> None:
    """After `./dev demo`, `./dev test` adds its packages to the same `.venv`."""
    dev.prepare("core")
    dev.prepare("dev")
    assert counts(dev) == (1, ["core", "dev"])


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_file_installs_again(dev: ModuleType, name: str) -> None:
    """A change of what is wanted installs again, into the same `.venv`, once for each level."""
    dev.prepare("dev")
    with (Path(dev.ROOT) / name).open("a") as file:
        file.write("\n# changed\n")
    dev.prepare("core")
    dev.prepare("dev")
    dev.prepare("dev")
    assert counts(dev) == (1, ["dev", "core", "dev"])


def test_other_python_makes_it_anew(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of Python makes a new `.venv`."""
    dev.prepare("core")
    monkeypatch.setattr(sys, "version_info", (3, 99, 0, "final", 0))
    dev.prepare("core")
    assert counts(dev) == (2, ["core", "core"])


def test_vanished_python_makes_it_anew(dev: ModuleType) -> None:
    """When the Python below it has gone, `.venv` is made anew."""
    dev.prepare("core")
    python = Path(dev.in_venv("python"))
    python.unlink()
    python.symlink_to("/nonexistent/python")
    dev.prepare("core")
    assert counts(dev) == (2, ["core", "core"])


def test_cut_off_set_up_is_made_anew(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set-up that was cut off, while making or while installing, is noticed, and `.venv` made anew."""

    def cut_off(level: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(dev, "install", cut_off)
        with pytest.raises(KeyboardInterrupt):
            dev.prepare("core")
    dev.prepare("core")
    assert counts(dev) == (2, ["core"])
    with monkeypatch.context() as patch:
        patch.setattr(dev, "install", cut_off)
        with pytest.raises(KeyboardInterrupt):
            dev.prepare("dev")
    dev.prepare("core")
    assert counts(dev) == (3, ["core", "core"])
    Path(dev.STAMP).write_text('{"core": ')
    dev.prepare("core")
    assert counts(dev) == (4, ["core", "core", "core"])


@pytest.mark.parametrize(("usable", "made"), [(True, 0), (False, 1)])
def test_foreign_venv(dev: ModuleType, usable: bool, made: int) -> None:
    """A `.venv` that somebody made by hand is kept when it can be used, and made anew when it cannot."""
    programs = Path(dev.VENV) / "bin"
    programs.mkdir(parents=True)
    (programs / "python").write_text(f"#!/bin/sh\nexit {0 if usable else 1}\n")
    (programs / "python").chmod(0o755)
    dev.prepare("core")
    assert counts(dev) == (made, ["core"])
    assert json.loads(Path(dev.STAMP).read_text())["core"] == dev.digest("core")


def test_no_file_where_the_person_is_takes_part(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set-up that is started in a folder with a stranger's `pip.py` or `venv.py` runs neither."""
    make_venv(dev)
    Path(dev.STAMP).unlink()
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    for name in ("pip", "venv", "json"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'planted')!r}, 'w')\n")
    monkeypatch.chdir(folder)
    dev.is_usable()
    dev.uv_environment()
    dev.set_up_by(sys.executable, "-m", "venv", "--help", stderr=subprocess.DEVNULL)
    assert not (tmp_path / "planted").exists()


@pytest.mark.parametrize("entry", ["", ".", "../hand-ins"])
def test_no_entry_of_pythonpath_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    """Where PYTHONPATH means the folder with a stranger's `json.py`, `dev` imports Python's own."""
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    for name in ("hashlib", "json", "subprocess", "time", "shutil"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'planted')!r}, 'w')\n")
    monkeypatch.chdir(folder)
    done = started("--help", PYTHONPATH=f"{entry}:/nowhere")
    assert "./dev demo" in done.stdout, done.stderr
    assert not (tmp_path / "planted").exists()


def test_pip_gets_pins_without_hashes(dev: ModuleType) -> None:
    """Where uv cannot be had, pip gets every version, with its marker, and no digest, which it would refuse."""
    make_venv(dev)
    pins = Path(dev.without_hashes()).read_text().splitlines()
    pinned = [line.rstrip("\\ ") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    assert [pin for pin in pins if "==" in pin] == pinned
    assert not any("--hash" in pin or pin.endswith("\\") for pin in pins)


def package_of(requirement: str) -> str:
    """A requirement's package, in the spelling that all its spellings share."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def test_constraints_pin_what_the_project_asks_for() -> None:
    """Everything that pyproject.toml names is pinned, with digests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = itertools.chain(project["dependencies"], *project["optional-dependencies"].values())
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned = {package_of(line) for line in text.splitlines() if "==" in line}
    assert {package_of(line) for line in wanted} - {"dohyo"} <= pinned, "run ./dev constraints"
    assert text.count("--hash=sha256:") > len(pinned)
