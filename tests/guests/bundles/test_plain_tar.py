"""Tar files of one form: other programs read them, and nothing else is read."""

from __future__ import annotations

import io
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.guests.bundles import plain_tar
from dohyo.guests.bundles.plain_tar import Bounds, TarError

MEMBERS = [("README.txt", b"hello\n"), ("a.json", b""), ("replays/000000001.replay.zst", bytes(1000))]


def written(members: list[tuple[str, bytes]]) -> bytes:
    """The tar of these members."""
    file = io.BytesIO()
    plain_tar.write(file, members)
    return file.getvalue()


def read(content: bytes, most: int = 1 << 20, bounds: Bounds = plain_tar.BOUNDS) -> list[tuple[str, bytes]]:
    """Its members."""
    return list(plain_tar.read(io.BytesIO(content), most, bounds))


def test_it_is_read_by_us_and_by_others() -> None:
    """What was written is read again, here and by Python's own module, which sees plain files."""
    content = written(MEMBERS)
    assert read(content) == MEMBERS
    with tarfile.open(fileobj=io.BytesIO(content)) as other:
        found = [(info.name, other.extractfile(info).read()) for info in other if info.isreg()]  # type: ignore[union-attr]
    assert found == MEMBERS


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../x", "a/../b", ".hidden", "-x", "a//b", "", "a" * 101, "ä", "a\n"]
)
def test_names_that_no_member_may_have(name: str) -> None:
    """Nothing leads out of a folder, is hidden, or looks like an option."""
    with pytest.raises(ValueError):  # noqa: PT011
        plain_tar.header(name, 0)


def foreign(**values: object) -> bytes:
    """A tar that another program could have made, with one header of another kind."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as made:
        info = tarfile.TarInfo("a.json")
        for name, value in values.items():
            setattr(info, name, value)
        made.addfile(info)
    return file.getvalue()


KINDS = [
    {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    {"type": tarfile.LNKTYPE, "linkname": "b"},
    {"type": tarfile.DIRTYPE},
    {"type": tarfile.CHRTYPE},
    {"type": tarfile.FIFOTYPE},
    {"mode": 0o4755},
    {"uid": 7},
    {"mtime": 5},
    {"name": "x" * 200},
]


@pytest.mark.parametrize("values", KINDS)
def test_other_kinds_are_refused(values: dict[str, object]) -> None:
    """Links, folders, devices, owners, times and long names are refused by their header."""
    with pytest.raises(TarError):
        read(foreign(**values))


def test_order_end_and_bounds() -> None:
    """Members come once and sorted, nothing comes behind the end, and no more is read than the bounds allow."""
    one, two = written(MEMBERS[:1])[:-1024], written(MEMBERS[1:2])[:-1024]
    for content in (
        *(two + one + bytes(1024), one + one + bytes(1024), one, one + bytes(512), written(MEMBERS) + b"x"),
        written(MEMBERS)[:700],
    ):
        with pytest.raises(TarError):
            read(content)
    with pytest.raises(TarError):
        read(written(MEMBERS), most=999)
    for bounds in (Bounds(members=2), Bounds(size=1005)):
        with pytest.raises(TarError):
            read(written(MEMBERS), bounds=bounds)


@given(st.binary(min_size=1, max_size=3), st.integers(0, len(written(MEMBERS)) - 4))
def test_changed_bytes(change: bytes, at: int) -> None:
    """A tar with changed bytes is refused, or has the same names and other content."""
    content = written(MEMBERS)
    changed = content[:at] + change + content[at + len(change) :]
    try:
        found = read(changed)
    except TarError:
        return
    assert changed == content or [len(one) for _, one in found] == [len(one) for _, one in MEMBERS]
