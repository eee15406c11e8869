"""Hand-ins that come as a zip or a tar: what is taken, what is refused, and what of it reaches the disk."""

from __future__ import annotations

import errno
import io
import stat
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from dohyo.bots import archive, isolated_reader, resolve
from dohyo.bots import content as contents
from dohyo.bots.hand_in import HandInCopy
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.system import hand_in_limits as limits
from tests.bots.conftest import Resolve, Write, run
from tests.bots.test_odd_disks import refuse

BOT = "import words\nprint(words.SAID)\n"
FILES = {"bot.py": BOT, "words.py": "SAID = 'packed'\n"}


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """A zip with these files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return path


def tarred(path: Path, files: Mapping[str, str], mode: str = "w:gz") -> Path:
    """A tar with these files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, mode) as made:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            made.addfile(info, io.BytesIO(content.encode()))
    return path


def refused(one: Resolve, path: Path) -> str:
    """The key of the sentence by which a hand-in is refused."""
    with pytest.raises(OperatorError) as caught:
        one(path)
    assert caught.value.say(Speaker("ja"))
    return caught.value.key


@pytest.mark.parametrize("ending", [".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".ZIP"])
@pytest.mark.parametrize("inside", ["", "./", "alice/", "__MACOSX/", "very/deep/"])
def test_a_packed_folder_is_a_folder(one: Resolve, tmp_path: Path, ending: str, inside: str) -> None:
    """A zip or tar is what its folder would be, also with the files in a folder inside, or from a desktop."""
    own = {("" if inside == "__MACOSX/" else inside) + name: text for name, text in FILES.items()}
    files = {**own, **({"__MACOSX/._bot.py": "?", "._bot.py": "?"} if inside == "__MACOSX/" else {})}
    path = tmp_path / f"alice{ending}"
    if ending.lower() == ".zip":
        zipped(path, files)
    else:
        tarred(path, files, {".tar": "w", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}.get(ending, "w:gz"))
    bot = one(path)
    assert (run(bot), bot.name) == ("packed", "alice")


def test_a_packed_folder_that_says_how_it_runs(one: Resolve, tmp_path: Path) -> None:
    """A bot.toml counts, also one level below; who may execute a file stays so; a link inside stays a link."""
    path = tmp_path / "bob.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("bob/bot.toml", 'name = "Bob"\nrun = "./go"\n')
        script = zipfile.ZipInfo("bob/real")
        script.external_attr = 0o755 << 16
        made.writestr(script, "#!/bin/sh\necho $0 ran\n")
        link = zipfile.ZipInfo("bob/go")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "real")
    bot = one(path)
    assert (run(bot).endswith("ran"), bot.name) == (True, "Bob")


def test_it_is_kept_as_the_folder_that_it_is(one: Resolve, tmp_path: Path) -> None:
    """What a contest keeps of a packed hand-in is its content, under the same digest."""
    path = zipped(tmp_path / "alice.zip", FILES)
    bot = one(path)
    kept = archive.pack(bot, {})
    path.unlink()
    again = one(archive.unpack(kept))
    assert (run(again), again.digest) == ("packed", bot.digest)


def test_names_from_windows(one: Resolve, tmp_path: Path) -> None:
    """Names in Shift-JIS, and folders parted by backslashes, are what Japanese Windows packs."""
    path = zipped(tmp_path / "carol.zip", {"src?????/bot.py": BOT, "src?????/words.py": FILES["words.py"]})
    name = "表示".encode("cp932")  # its first character ends in a backslash
    path.write_bytes(path.read_bytes().replace(b"src?????/", b"s\\" + name + b"--\\"))
    bot = one(path)
    assert run(bot) == "packed"
    assert any("表示" in str(found) for found in Path(bot.staged).rglob("*"))


@pytest.mark.parametrize(
    "name", ["../out.py", "/out.py", "a/../../out.py", "bot.py/under", "", "x" * 300, "a/" * 150 + "x"]
)
def test_names_that_lead_elsewhere(one: Resolve, tmp_path: Path, name: str) -> None:
    """No name in a packed file leads out of the copy, stands below a file or is none: one sentence."""
    files = {"bot.py": BOT, name: "print('out')"}
    leaves = name.startswith("/") or ".." in name
    key = "archive-name-leaves" if leaves else "bot-too-deep" if name.startswith("a/a") else "archive-name"
    assert refused(one, tarred(tmp_path / "x.tar.gz", files)) == key
    assert not list(tmp_path.rglob("out.py"))


def test_names_that_are_no_text(one: Resolve, tmp_path: Path) -> None:
    """A name that is neither UTF-8 nor Shift-JIS is refused in a sentence."""
    path = tarred(tmp_path / "x.tar", {"bot.py": BOT, "a\udcff\udcfe\udcfd.txt": "?"}, "w")
    assert refused(one, path) == "archive-name"


def test_links_and_devices(one: Resolve, tmp_path: Path) -> None:
    """A link that leaves the copy, or passes another one, is refused, and so is a device."""
    for number, (kind, target) in enumerate(
        [(tarfile.SYMTYPE, "/etc"), (tarfile.SYMTYPE, "../x"), (tarfile.CHRTYPE, "")]
    ):
        path = tmp_path / f"{number}.tar"
        with tarfile.open(path, "w") as made:
            info = tarfile.TarInfo("there")
            info.type, info.linkname = kind, target
            made.addfile(info)
            source = tarfile.TarInfo("bot.py")
            source.size = len(BOT)
            made.addfile(source, io.BytesIO(BOT.encode()))
        assert refused(one, path) == ("archive-link" if target else "bot-odd-file")


def test_what_is_no_packed_file(one: Resolve, tmp_path: Path, cache: Path) -> None:
    """What only says to be packed is a sentence, and the next hand-in is read all the same.

    So is what is cut off, encrypted, or of a kind that nobody reads.
    """
    whole = zipped(tmp_path / "whole.zip", {"bot.py": Random(1).randbytes(5000).hex()}).read_bytes()
    encrypted = bytearray(whole)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(mark) + at] |= 1
    broken = bytearray(whole)
    broken[200] ^= 0xFF
    wanted = {
        "empty.zip": (b"", "bot-packed-unreadable"),
        "cut.zip": (whole[:-40], "bot-packed-unreadable"),
        "broken.zip": (bytes(broken), "bot-packed-unreadable"),
        "text.tar.gz": (b"hello", "bot-packed-unreadable"),
        "locked.zip": (bytes(encrypted), "bot-packed-encrypted"),
        "bot.rar": (b"Rar!", "bot-archive"),
        "bot.py.gz": (b"\x1f\x8b", "bot-archive"),
    }
    for name, (content, key) in wanted.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert refused(one, path) == key, name
    (tmp_path / "good.py").write_text("print('good')")
    assert run(resolve([str(tmp_path / "good.py")], cache=cache)[0]) == "good"


def test_bombs(one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too much when it is unpacked, in bytes or files, is refused before it is on the disk."""
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 20)
    assert refused(one, zipped(tmp_path / "big.zip", {"bot.py": b"\0" * (40 << 20)})) == "bot-folder-too-large"
    monkeypatch.setattr(limits, "MAX_ENTRIES", 50)
    many = {f"{number}.py": "" for number in range(60)}
    assert refused(one, zipped(tmp_path / "many.zip", many)) == "bot-folder-too-large"


def test_an_empty_packed_file(write: Write, one: Resolve) -> None:
    """A packed file without a file in it is told like an empty folder."""
    folder = write({"x": ""})
    assert refused(one, zipped(folder / "none.zip", {})) == "bot-folder-empty"


def test_links_are_counted_as_they_come(tmp_path: Path) -> None:
    """Of links without end no more are kept in memory than a hand-in may have; one that no link can be, never."""
    told: list[int] = []
    for target in ("bot.py", "x" * 5000, "/etc", "../../x"):
        inside = HandInCopy("x", tmp_path, tmp_path, set(), {})
        told.clear()

        def receive(target: str = target) -> list[str]:
            told.append(1)
            assert len(told) < 3000, "it is still listening"
            return ["link", f"link{len(told)}", target]

        with pytest.raises(OperatorError) as caught:
            isolated_reader.take_unpacked(receive, inside)
        assert caught.value.key == ("bot-folder-too-large" if target == "bot.py" else "archive-link")


def test_folders_count(one: Resolve, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed file makes no more folders than a folder may hold, and what was made by then goes again."""
    monkeypatch.setattr(limits, "MAX_ENTRIES", 140)
    deep = "/".join("d" * 60)
    assert run(one(zipped(tmp_path / "one.zip", {"bot.py": "print('here')", f"0/{deep}/x": ""}))) == "here"
    path = zipped(tmp_path / "deep.zip", {"bot.py": BOT, **{f"{number}/{deep}/x": "" for number in range(3)}})
    assert refused(one, path) == "bot-folder-too-large"
    assert not list(cache.glob("hand-ins/dohyo-*"))


def test_a_name_too_long_for_the_copy(one: Resolve, tmp_path: Path) -> None:
    """An entry whose path is too long where the copy lies is the author's doing, and no fault of our cache."""
    name = "/".join(["y" * 199] * 20)[:3995]
    assert refused(one, zipped(tmp_path / f"{'z' * 200}.zip", {"bot.py": BOT, name: ""})) == "bot-too-deep"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HandInCopy, "write", refuse(errno.ENAMETOOLONG))
        assert refused(one, zipped(tmp_path / "z.zip", {"bot.py": BOT})) == "bot-cannot-be-read"
        patch.setattr(HandInCopy, "write", refuse(errno.ENOSPC))
        assert refused(one, zipped(tmp_path / "z.zip", {"bot.py": BOT})) == "bot-cache-unusable"


@pytest.mark.parametrize("name", ["..zip", "...zip", ".zip", "..tar.gz"])
def test_a_packed_file_without_a_name(one: Resolve, tmp_path: Path, name: str) -> None:
    """What is left of its name without the ending is the name of a folder, and never the folder above."""
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("bot.py", "print('here')")
    assert contents.stem_of_packed(name) not in ("", ".", "..")
    if name.endswith("zip"):
        assert run(one(path)) == "here"
