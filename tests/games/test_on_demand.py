"""What a `GAME` gets from a module that is imported when it is asked for."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest

from dohyo.games import OnDemand


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package with one module, `drawing`, whose function has its name."""
    name = "game_on_demand"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    (tmp_path / name / "drawing.py").write_text("SIZE = 3\ndef drawing(turn, *, seat=0): return turn, seat\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delitem(sys.modules, f"{name}.drawing", raising=False)
    return name


def test_a_module_is_imported_when_it_is_asked_for(package: str) -> None:
    """Nothing is imported before; then its attributes are the module's, and a call is the function of its name."""
    part = OnDemand(package, "drawing")
    copy.copy(part)  # asks for names of Python's own, and imports nothing
    assert f"{package}.drawing" not in sys.modules
    assert part(7, seat=1) == (7, 1)
    assert f"{package}.drawing" in sys.modules
    assert part.SIZE == 3


def test_what_a_module_lacks_is_told_by_its_name(package: str) -> None:
    """An attribute that is not there is an `AttributeError`, as of the module."""
    with pytest.raises(AttributeError, match="colour"):
        OnDemand(package, "drawing").colour  # noqa: B018
