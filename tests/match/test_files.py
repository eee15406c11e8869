"""Replays as files: whole or not at all, compressed by their name, refused with one sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dohyo
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import ZSTD_MAGIC
from dohyo.match.files import check_place, read_bounded, write_whole
from dohyo.match.replays import replays
from tests.match.conftest import Bot


@pytest.fixture
def replay(bot: Bot) -> Replay:
    """A short match, with standard error and a fault."""
    return dohyo.play(
        "drop-block", [bot("echo hm >&2; echo A")] * 3 + [bot("exit 3")], seed=0, setup={"turns": 8}, clock=60
    )


@pytest.mark.parametrize("name", ["m.replay", "m.replay.zst", "a name with spaces"])
def test_what_is_saved_can_be_loaded(tmp_path: Path, replay: Replay, name: str) -> None:
    """A replay comes back equal from its file, compressed or not, and verifies."""
    path = dohyo.save(replay, tmp_path / name)
    assert path == tmp_path / name
    assert dohyo.load(path) == replay
    assert dohyo.load(str(path)) == replay
    assert dohyo.verify(dohyo.load(path)) == 8
    assert path.read_bytes().startswith(ZSTD_MAGIC) == name.endswith(".zst")


def test_compression_is_found_in_the_content(tmp_path: Path, replay: Replay) -> None:
    """A compressed file that was given another name is read all the same."""
    path = dohyo.save(replay, tmp_path / "m.replay.zst").rename(tmp_path / "m.replay")
    assert dohyo.load(path) == replay


def test_a_changed_move_is_found(replay: Replay) -> None:
    """`verify` names the first turn that is not what the rules say."""
    replay.turns[1].moves[0].action = "U"
    with pytest.raises(ReplayError, match="Turn 1 of the replay"):
        dohyo.verify(replay)


def left(folder: Path) -> set[str]:
    """The names in a folder, without those of bots."""
    return {path.name for path in folder.iterdir() if not path.name.startswith(("bot", "cache"))}


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    """The name then holds the new content; nothing else appears beside it."""
    path = tmp_path / "m"
    path.write_text("old and longer")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert left(tmp_path) == {"m"}


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Writing to a link writes to what it points at, there or not there yet."""
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere" / "m")
    for content in (b"one", b"two"):
        check_place(link)
        write_whole(link, content)
        assert link.is_symlink()
        assert (tmp_path / "elsewhere" / "m").read_bytes() == content


def test_a_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    """A written file may be read by whom the person's umask lets."""
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "m", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "m").stat().st_mode & 0o777 == 0o640


def a_folder(path: Path) -> Path:
    """A folder where a file should be."""
    path.mkdir()
    return path


def in_no_folder(path: Path) -> Path:
    """A place in a folder that is not there."""
    return path / "m"


def in_a_file(path: Path) -> Path:
    """A place in what is no folder."""
    path.write_text("")
    return path / "m"


def a_device(path: Path) -> Path:
    """Something that must not be replaced by a file."""
    os.mkfifo(path)
    return path


def too_long(path: Path) -> Path:
    """A name that no file system takes."""
    return path.with_name("m" * 300)


def on_the_system(path: Path) -> Path:
    """A place where nobody may write, not even the superuser."""
    return Path("/proc/m")


@pytest.mark.parametrize("place", [a_folder, in_no_folder, in_a_file, a_device, too_long, on_the_system])
def test_a_place_that_cannot_be_written(tmp_path: Path, place: Callable[[Path], Path]) -> None:
    """One sentence that names the place, before a match as well as after it; nothing is changed, nothing left."""
    path = place(tmp_path / "here")
    before = left(tmp_path)
    for attempt in (lambda: write_whole(path, b"new"), lambda: check_place(path)):
        with pytest.raises(OperatorError, match="cannot be written"):
            attempt()
    assert left(tmp_path) == before


def test_looking_at_a_place_leaves_it_alone(tmp_path: Path) -> None:
    """`check_place` neither makes the file nor touches the one that is there."""
    check_place(tmp_path / "m")
    assert left(tmp_path) == set()
    (tmp_path / "m").write_text("old")
    check_place(tmp_path / "m")
    assert (tmp_path / "m").read_text() == "old"


def test_an_interrupt_while_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the midst of writing leaves the old file and nothing else."""
    (tmp_path / "m").write_text("old")

    def interrupt(path: Path, content: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "m", b"new")
    assert (tmp_path / "m").read_text() == "old"
    assert left(tmp_path) == {"m"}


FULL_DISK = """
import resource, sys
from dohyo.core.errors import OperatorError
from dohyo.match.files import write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_whole(sys.argv[1], b"x" * 200_000)
except OperatorError as error:
    print(error)
"""


def test_a_full_disk(tmp_path: Path) -> None:
    """When the disk takes only half, the old file stays, half a file is nowhere, and the reason is told."""
    (tmp_path / "m").write_text("old")
    said = subprocess.check_output([sys.executable, "-c", FULL_DISK, str(tmp_path / "m")], text=True)
    assert said == f"'{tmp_path / 'm'}' cannot be written (File too large); name another place.\n"
    assert (tmp_path / "m").read_text() == "old"
    assert left(tmp_path) == {"m"}


KILLED = """
import os, signal, sys
from pathlib import Path
from dohyo.match import files
work = getattr(Path, sys.argv[2])

def killed(self, *arguments, **named):
    if sys.argv[3] == "after":
        work(self, *arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(Path, sys.argv[2], killed)
files.write_whole(sys.argv[1], b"new")
"""


@pytest.mark.parametrize(
    ("step", "when", "content"),
    [
        ("touch", "after", "old"),
        ("write_bytes", "before", "old"),
        ("write_bytes", "after", "old"),
        ("replace", "before", "old"),
        ("replace", "after", "new"),
    ],
)
def test_a_kill_between_any_two_steps(tmp_path: Path, step: str, when: str, content: str) -> None:
    """Killed at any moment, the file is the old one or the new one, whole."""
    (tmp_path / "m").write_text("old")
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "m"), step, when], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert (tmp_path / "m").read_text() == content


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read (No such file or directory); check the name"),
        (b"", "not a Dohyo replay"),
        (b"hello", "not a Dohyo replay"),
        (b"\xff" * 100, "not a Dohyo replay"),
    ],
)
def test_what_is_no_replay(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    """A missing file, or one that holds something else, is refused with one sentence."""
    if content is not None:
        (tmp_path / "m").write_bytes(content)
    with pytest.raises(OperatorError) as caught:
        dohyo.load(tmp_path / "m")
    assert sentence in str(caught.value)


def test_a_folder_is_no_replay(tmp_path: Path) -> None:
    """A folder is refused with one sentence."""
    with pytest.raises(OperatorError, match="cannot be read"):
        replays.load(tmp_path)


@pytest.mark.parametrize("name", ["m.replay", "m.replay.zst"])
def test_a_cut_off_file(tmp_path: Path, replay: Replay, name: str) -> None:
    """A file that lacks its end is refused, wherever it was cut."""
    path = dohyo.save(replay, tmp_path / name)
    content = path.read_bytes()
    for length in {0, 1, 4, len(content) // 2, len(content) - 40, len(content) - 1}:
        path.write_bytes(content[:length])
        with pytest.raises(ReplayError):
            dohyo.load(path)


@pytest.mark.parametrize("size", [0, 1, 70_000, 3_000_000])
def test_a_file_is_read_up_to_a_limit(size: int, tmp_path: Path) -> None:
    """All of it where it is no longer, whatever its size is; also one that says that it has no bytes."""
    content = bytes(range(251)) * (size // 251) + b"x" * (size % 251)
    (tmp_path / "file").write_bytes(content)
    assert read_bounded(tmp_path / "file", 1 << 30) == content
    for most in (0, 1, size // 2 + 1):
        assert read_bounded(tmp_path / "file", most) == content[:most]
    if os.path.exists("/proc/self/status"):
        assert b"Name" in read_bounded("/proc/self/status", 1 << 20)
