"""What is compiled in one piece: the same as function by function, without what nobody runs."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.search import tree
from dohyo.search.backend import parts_of
from dohyo.search.playout import put_record
from dohyo.search.uct import Search
from tests.search import piles

pytest.importorskip("numba")


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of libraries of which Numba has made machine code."""
    from numba.core import codegen

    library: Any = codegen.JITCodeLibrary
    names: list[str] = []
    before = library._finalize_specific

    def noted(self: Any) -> None:
        names.append(self.name)
        before(self)

    monkeypatch.setattr(library, "_finalize_specific", noted)
    return names


def test_only_the_whole_becomes_machine_code(emitted: list[str]) -> None:
    """Of a search of dozens of functions Numba makes machine code of one, and it chooses as the plain form does."""
    from dohyo.sim.whole_program import compile_whole

    plain, compiled = (Search(piles.game(), 2, compiled=how, horizon=20) for how in (False, True))
    parts = {**parts_of(piles.game(), 2, None, None, None), "put": put_record}
    compiled._grow = compile_whole(tree.grow, parts)
    emitted.clear()
    for pile in (7, 10, 18):
        found = [search.choose(piles.pile(pile), 0, playouts=300) for search in (plain, compiled)]
        assert found[0] == found[1]
    assert [name for name in emitted if "grow" in name] == emitted
    assert len(emitted) == 1
