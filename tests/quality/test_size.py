"""What an installation without extras takes on the disk: the core stays small, whatever the extras bring."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from tests.quality.project import SOURCE

MOST = 33_000_000  # bytes; of this Dohyo itself is 7.5 MB, and SQLAlchemy 13.6 (docs/decisions/0049)
MOST_PACKAGES = 13  # beside Dohyo, for the oldest Python
# Their sizes differ from one system to the next; where they are not wanted, they are not installed.
HEAVY = {"numpy", "scipy", "numba", "openskill", "distributed", "dask", "psycopg", "pydantic", "pydantic-core"}


def core() -> dict[str, metadata.Distribution]:
    """Everything that `pip install dohyo` brings besides itself, by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [("dohyo", "")]
    seen = set(waiting)
    while waiting:
        name, extra = waiting.pop()
        distribution = metadata.distribution(name)
        found[name.lower()] = distribution
        for text in distribution.requires or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                new = {(wanted.name, ""), *((wanted.name, own) for own in wanted.extras)} - seen
                waiting += new
                seen |= new
    del found["dohyo"]  # here it is installed from its sources, and has no list of files
    return found


def size_of(distribution: metadata.Distribution) -> int:
    """Bytes of a distribution's files, as its wheel brought them; what Python compiles from them is not counted."""
    files = [Path(str(file.locate())) for file in distribution.files or () if "__pycache__" not in file.parts]
    assert files, f"{distribution.name} does not say what it installed"
    return sum(file.stat().st_size for file in files if file.is_file())


def test_core_is_small() -> None:
    """Dohyo without extras, with everything it requires, is under 33 MB; machine code is not in every wheel."""
    sizes = {name: size_of(distribution) for name, distribution in core().items()}
    own = (path for path in SOURCE.rglob("*") if path.is_file() and not {"__pycache__", "shipped"} & {*path.parts})
    sizes["dohyo"] = sum(path.stat().st_size for path in own)
    largest = sorted(((size, name) for name, size in sizes.items()), reverse=True)
    assert sum(sizes.values()) < MOST, largest


def test_core_has_no_heavy_library() -> None:
    """What belongs to an extra is not required by the core, nor by anything that the core requires."""
    found = core()
    assert len(found) <= MOST_PACKAGES, "docs/decisions/0049 says what each is for"
    assert {"sqlalchemy", "msgspec", "rich", "typer"} <= found.keys()
    assert not HEAVY & found.keys()
