"""Files by their digest: whole or not there, and what was put is what is got."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import stat
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.series.store.files import FORGOTTEN, Files
from tests.series.store.played import is_there


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A folder that is not there yet."""
    return Files(tmp_path / "results.db.files")


def all_in(folder: Path) -> list[Path]:
    """Every file in a folder, however deep."""
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("content", [b"", b"a replay\n", bytes(range(256)) * 5000], ids=["nothing", "text", "bytes"])
def test_what_was_put_is_got(files: Files, content: bytes) -> None:
    """A file's name is SHA-256 of its bytes; put twice, it is there once."""
    digest = files.put(content)
    assert digest == hashlib.sha256(content).hexdigest() == files.put(content)
    assert is_there(files, digest)
    assert files.get(digest) == content
    assert len(all_in(files.folder)) == 1


def test_a_missing_file_is_named(files: Files) -> None:
    """A digest that nothing is kept under is told with the folder to look in."""
    assert not is_there(files, "0" * 64)
    with pytest.raises(OperatorError) as caught:
        files.get("0" * 64)
    assert caught.value.key == "store-file-missing"
    assert str(files.folder) in str(caught.value)


def test_a_damaged_file_is_noticed(files: Files) -> None:
    """What was changed on the disk is not given out as what was put."""
    digest = files.put(b"a replay")
    (path,) = all_in(files.folder)
    path.write_bytes(b"a replax")
    with pytest.raises(OperatorError) as caught:
        files.get(digest)
    assert caught.value.key == "store-file-damaged"


@pytest.mark.parametrize("wrong", ["", "../../etc/passwd", "A" * 64, "0" * 63])
def test_a_name_that_is_no_digest_is_refused(files: Files, wrong: str) -> None:
    """No name leads out of the folder."""
    with pytest.raises(OperatorError) as caught:
        files.get(wrong)
    assert caught.value.key == "store-file-missing"


def test_what_a_loss_of_power_cut_short_is_mended(files: Files) -> None:
    """A file that was put without waiting for the disk, and lost its end, is written anew when it is put again."""
    digest = files.put(b"a replay", sync=False)
    (path,) = all_in(files.folder)
    path.write_bytes(b"")
    assert files.put(b"a replay", sync=False) == digest
    assert files.get(digest) == b"a replay"


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_does_not_sync_folders_keeps_files(
    files: Files, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Some file systems of networks refuse to sync a folder: what is put there is put all the same."""
    sync = os.fsync

    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse)
    assert files.get(files.put(b"an archive")) == b"an archive"


@pytest.mark.parametrize("number", [errno.EROFS, errno.EPERM])
def test_what_is_there_is_put_again_where_nothing_can_be_written(
    files: Files, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Content that is there already asks for no writing."""
    digest = files.put(b"an archive")

    def refuse(path: Path) -> None:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(os, "utime", refuse)
    assert files.put(b"an archive") == digest


def test_a_full_disk_leaves_nothing_half(files: Files) -> None:
    """A file that there is no room for is told in a sentence and leaves nothing; with room it is put."""
    content = os.urandom(200_000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OperatorError) as caught:
            files.put(content)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.key == "store-disk-full"
    assert all_in(files.folder) == []
    assert files.get(files.put(content)) == content


def test_a_file_is_never_seen_half(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file gets its name in one step, when all of it is on the disk; interrupted before, it leaves nothing.

    Then its name is on the disk, too, and that of its folder.
    """
    steps: list[tuple[str, object]] = []
    rename, sync = os.replace, os.fsync

    def replace(source: str, target: Path) -> None:
        steps.append(("named", Path(source).read_bytes()))
        assert not target.exists()
        if len(steps) < 3:
            raise KeyboardInterrupt
        rename(source, target)

    monkeypatch.setattr(os, "fsync", lambda descriptor: steps.append(("synced", sync(descriptor))))
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        files.put(b"a replay")
    assert all_in(files.folder) == []
    files.put(b"a replay")
    assert [step for step, _ in steps] == ["synced", "named"] * 2 + ["synced"] * 2
    assert steps[3] == ("named", b"a replay")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Where no folder can be made, the sentence says so."""
    (tmp_path / "a file").touch()
    with pytest.raises(OperatorError) as caught:
        Files(tmp_path / "a file" / "files").put(b"x")
    assert caught.value.key == "store-not-writable"


def test_what_died_long_ago_is_swept(files: Files) -> None:
    """Unfinished files of processes that died are removed after a day; younger ones, finished ones, others' stay."""
    digest = files.put(b"finished")
    old, young, others = (files.folder / "unfinished" / name for name in ("tmp0old0old", "tmp0young_1", "diary"))
    for path in (old, young, others):
        path.write_bytes(b"half")
    moment = young.stat().st_mtime - FORGOTTEN - 10
    for path in (old, others):
        os.utime(path, (moment, moment))
    files.sweep()
    assert not old.exists()
    assert others.exists()
    assert young.exists()
    assert files.get(digest) == b"finished"
