"""A hand-in that its author changes while it is read: nothing gets into the copy but what lies in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dohyo.bots import content, hand_in, isolated_reader, resolve
from dohyo.core.errors import OperatorError
from tests.bots.conftest import Write

SECRET = "the operator's own"


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A folder of the operator's, with what no hand-in may get, under the names that the hand-ins use."""
    place = tmp_path / "secrets"
    place.mkdir()
    for name in ("id_rsa", "main.py", "helper.py"):
        (place / name).write_text(f"# {SECRET}\n")
    return place


def swap(folder: Path, other: Path) -> Callable[[], None]:
    """Once: put a link to `other` in the place of a folder."""
    left = [folder]

    def now() -> None:
        if left:
            left.pop()
            folder.rename(folder.with_name(".git"))
            folder.symlink_to(other)

    return now


def around(
    patch: pytest.MonkeyPatch, place: object, name: str, *, before: Any = lambda: None, after: Any = lambda: None
) -> None:
    """Do something before or after each call of a function of ours, as another process could at that moment."""
    own = getattr(place, name)

    def call(*given: Any, **named: Any) -> Any:
        before()
        found = own(*given, **named)
        after()
        return found

    patch.setattr(place, name, call)


def read(spec: Path, cache: Path) -> str:
    """What the copies hold that are made of a hand-in; or why there is none."""
    try:
        resolve([str(spec)], cache=cache)
    except OperatorError as error:
        if error.key not in ("bot-changed", "bot-link-leaves"):
            raise
    copies = [path for path in (cache / "hand-ins").rglob("*") if path.is_file()]
    return "\n".join(path.read_text() for path in copies)


@pytest.mark.parametrize("swapped", ["sub", "sub/in", "."])
@pytest.mark.parametrize("moment", ["copied", "listed", "taken"])
def test_a_folder_that_becomes_a_link(
    write: Write, empty: Path, secrets: Path, monkeypatch: pytest.MonkeyPatch, swapped: str, moment: str
) -> None:
    """Whatever folder of a hand-in becomes a link while it is looked at and copied, the link is not followed."""
    folder = write({"bot/0first": "", "bot/main.py": "", "bot/sub/id_rsa": "", "bot/sub/in/id_rsa": ""}) / "bot"
    (secrets / "in").mkdir()
    (secrets / "in" / "id_rsa").write_text(SECRET)
    now = swap(folder / swapped if swapped != "." else folder, secrets / "in" if "/" in swapped else secrets)
    if moment == "copied":
        around(monkeypatch, hand_in, "copy", before=now)
    elif moment == "listed":
        around(monkeypatch, content, "_entries", after=now)
    elif swapped == ".":
        around(monkeypatch, hand_in.Area, "take_folder", before=now)
    assert SECRET not in read(folder, empty)


@pytest.mark.parametrize("swapped", ["sub", "."])
def test_what_a_source_brings_along(
    write: Write, empty: Path, secrets: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    """A lone source brings along nothing from behind a link that was a folder when it was looked at."""
    names = "import sub.helper\nimport helper\n"
    folder = write({"alice/main.py": names, "alice/helper.py": "", "alice/sub/helper.py": ""}) / "alice"
    now = swap(folder / swapped if swapped != "." else folder, secrets)
    around(monkeypatch, isolated_reader.IsolatedReader, "_is_apart", after=now)
    assert SECRET not in read(folder / "main.py", empty)


def test_a_file_that_becomes_a_link(
    write: Write, empty: Path, secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for a file, and for one that is handed in alone: it has changed."""
    folder = write({"bot/main.py": "", "lone.py": ""})
    for spec, file in (("bot", "bot/main.py"), ("lone.py", "lone.py")):
        with monkeypatch.context() as patch:
            around(patch, hand_in, "copy", before=swap(folder / file, secrets / "id_rsa"))
            with pytest.raises(OperatorError) as caught:
                resolve([str(folder / spec)], cache=empty)
        assert caught.value.key == "bot-changed"
