"""A repository may be a stranger's: nothing that its own configuration or hooks name is started."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.bots.typed_words import revision
from dohyo.core.errors import OperatorError
from dohyo.match.git_trees import FoundRevision, find_revision

Trap = Callable[[Path, Path], None]
PLAIN = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def found_at(word: str, candidate: str) -> FoundRevision:
    """The bot that `git:...` means."""
    asked = revision(word)
    assert asked is not None
    return find_revision(asked, candidate)


def git(folder: Path, *words: str, check: bool = True, **more: str) -> str:
    """What git says there, with no configuration but the repository's."""
    env = {**os.environ, **PLAIN, **more}
    call = ["git", "-C", folder, *words]
    done = subprocess.run(call, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=check)
    return done.stdout.strip()


def script(path: Path, mark: Path, then: str = "cat") -> Path:
    """A program that leaves a mark."""
    path.write_text(f"#!/bin/sh\necho in >> '{mark}'\n{then}\n")
    path.chmod(0o755)
    return path


def lay_hook(root: Path, mark: Path) -> None:
    """A hook in the repository's own folder: git runs it whenever an index was written."""
    script(root / ".git/hooks/post-index-change", mark, "true")


def lay_hooks_path(root: Path, mark: Path) -> None:
    """The same, in a folder that the configuration names."""
    (root / "elsewhere").mkdir()
    script(root / "elsewhere/post-index-change", mark, "true")
    git(root, "config", "core.hooksPath", str(root / "elsewhere"))


def lay_smudge(root: Path, mark: Path) -> None:
    """A filter through which files are written out."""
    git(root, "config", "filter.trap.smudge", str(script(root / ".git/smudge", mark)))


def lay_process(root: Path, mark: Path) -> None:
    """The same as a process for many files; it names attributes in the repository's folder."""
    git(root, "config", "filter.trap.process", str(script(root / ".git/process", mark, "exit 1")))
    (root / ".git/info/attributes").write_text("* filter=trap\n")


def lay_included(root: Path, mark: Path) -> None:
    """A filter in a file that the configuration includes."""
    (root / ".git/more").write_text(f'[filter "trap"]\nsmudge = {script(root / ".git/smudge", mark)}\n')
    git(root, "config", "include.path", "more")


def lay_watcher(root: Path, mark: Path) -> None:
    """A program that is asked what has changed."""
    git(root, "config", "core.fsmonitor", str(script(root / ".git/watcher", mark, "exit 1")))
    git(root, "update-index", "--fsmonitor")
    mark.unlink(missing_ok=True)


def lay_missing(root: Path, mark: Path) -> None:
    """An object that is not there, to be brought by a program of the configuration."""
    (root / ".git/objects").joinpath(*_split(git(root, "rev-parse", "HEAD:bots/mine.py"))).unlink()
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "extensions.partialClone", "origin")
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "remote.origin.url", str(root))
    git(root, "config", "remote.origin.uploadpack", str(script(root / ".git/brings", mark, "exit 1")))


def _split(name: str) -> tuple[str, str]:
    return name[:2], name[2:]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a bot, all of whose files ask for a filter."""
    root = tmp_path / "repository"
    (root / "bots").mkdir(parents=True)
    (root / "bots" / "mine.py").write_text("print('here')\n")
    (root / ".gitattributes").write_text("*.py filter=trap\n")
    for words in ("init -q", "config user.name somebody", "config user.email somebody@example.org", "add ."):
        git(root, *words.split())
    git(root, "commit", "-qm", "first")
    return root


@pytest.mark.parametrize(
    "lay",
    [lay_hook, lay_hooks_path, lay_smudge, lay_process, lay_included, lay_watcher],
    ids=lambda lay: lay.__name__,
)
def test_nothing_of_the_repository_is_started(
    lay: Trap, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain git runs the trap; a revision is written out without it, with the files as they are."""
    mark = tmp_path / "mark"
    lay(repository, mark)
    others = {"GIT_INDEX_FILE": str(tmp_path / "index")}
    git(repository, "read-tree", "HEAD", **others)
    git(repository, "checkout-index", "-a", f"--prefix={tmp_path}/out/", check=False, **others)
    git(repository, "status", check=False)
    assert mark.exists(), "the trap is none"
    mark.unlink()
    monkeypatch.chdir(repository)
    found = found_at("git:HEAD", "bots/mine.py")
    assert Path(found.path).read_text() == "print('here')\n"
    assert not mark.exists()


def test_nothing_is_fetched(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where objects are missing, plain git starts what the configuration names; here one sentence says it."""
    mark = tmp_path / "mark"
    lay_missing(repository, mark)
    git(repository, "show", "HEAD:bots/mine.py", check=False)
    assert mark.exists(), "the trap is none"
    mark.unlink()
    monkeypatch.chdir(repository)
    for spec in ("git:HEAD", "git:HEAD:bots/mine.py"):
        with pytest.raises(OperatorError, match=r"cannot write out|There is no 'bots/mine\.py'"):
            found_at(spec, "bots/mine.py")
    assert not mark.exists()


@pytest.mark.parametrize("word", ["git:HEAD:bot.py", "git:HEAD:alice", "git:HEAD"])
def test_what_git_lfs_keeps_is_refused(
    word: str, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where git has only a pointer, no bot plays that is none: one sentence names the file and what to do.

    The operator's program of git LFS, which would ask the address that a tree names, is not started.
    """
    (repository / ".gitattributes").write_text("*.py filter=lfs\n")
    (repository / "alice").mkdir()
    for name in ("bot.py", "alice/main.py"):
        (repository / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "large")
    mark = tmp_path / "fetched"
    asked = script(tmp_path / "lfs", mark, "exit 1")
    (tmp_path / "own").write_text(f'[filter "lfs"]\nsmudge = {asked}\nprocess = {asked}\nrequired = true\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    monkeypatch.chdir(repository)
    with pytest.raises(OperatorError, match=r"'(bot|alice/main)\.py' of revision 'HEAD' is kept by git LFS"):
        found_at(word, str(repository / "bot.py"))
    assert not mark.exists()


def test_the_operators_own_filters_are_used(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the person who types configured for all repositories holds: files come through their filter."""
    mark = tmp_path / "mark"
    (tmp_path / "own").write_text(f'[filter "trap"]\nsmudge = {script(tmp_path / "smudge", mark, "tr a-z A-Z")}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    monkeypatch.chdir(repository)
    assert Path(found_at("git:HEAD", "bots/mine.py").path).read_text() == "PRINT('HERE')\n"
    assert mark.exists()


@pytest.mark.parametrize("kind", ["sha256", "worktree", "packed", "shallow"])
def test_every_kind_of_repository(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another hash, a second working tree, packed objects of another repository, a shallow clone: all are read."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q", f"--object-format={'sha256' if kind == 'sha256' else 'sha1'}")
    for number in (1, 2):
        (root / "mine.py").write_text(f"print({number})\n")
        git(root, "add", ".")
        git(root, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", str(number))
    place = tmp_path / "other"
    if kind == "worktree":
        git(root, "worktree", "add", "-q", str(place))
    elif kind == "packed":
        git(root, "gc", "-q")
        git(root, "clone", "-q", "--shared", str(root), str(place))
    elif kind == "shallow":
        git(root, "clone", "-q", "--depth=1", f"file://{root}", str(place))
    place = place if place.exists() else root
    monkeypatch.chdir(place)
    assert Path(found_at("git:HEAD", "mine.py").path).read_text() == "print(2)\n"
    if kind != "shallow":
        assert Path(found_at("git:HEAD~1", "mine.py").path).read_text() == "print(1)\n"


def commit(root: Path, *lines: str) -> None:
    """Make the tree of these lines (as `git mktree` takes them, its blobs and trees by name) the next commit."""
    tree = made(root, *lines)
    whole = git(root, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit-tree", tree, "-m", "bomb")
    git(root, "update-ref", "HEAD", whole)


def made(root: Path, *lines: str) -> str:
    """A tree of these lines."""
    call = ["git", "-C", root, "mktree"]
    done = subprocess.run(
        call, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def blob(root: Path, content: bytes) -> str:
    """A blob."""
    call = ["git", "-C", root, "hash-object", "-w", "--stdin"]
    return subprocess.run(call, input=content, capture_output=True, check=True).stdout.decode().strip()


def lay_bytes(root: Path, bot: str) -> None:
    """One blob of zeros under many names."""
    zeros = blob(root, bytes(20 << 20))
    commit(root, bot, *(f"100644 blob {zeros}\tzeros{number}" for number in range(14)))


def lay_files(root: Path, bot: str) -> None:
    """Trees of trees of small files, each under many names: more files than anybody can count."""
    tree = made(root, *(f"100644 blob {blob(root, b'')}\t{number}" for number in range(40)))
    for _ in range(9):
        tree = made(root, *(f"040000 tree {tree}\t{number}" for number in range(40)))
    commit(root, bot, f"040000 tree {tree}\tmany")


def lay_folders(root: Path, bot: str) -> None:
    """The same of folders with nothing in them."""
    tree = made(root)
    for _ in range(9):
        tree = made(root, *(f"040000 tree {tree}\t{number}" for number in range(40)))
    commit(root, bot, f"040000 tree {tree}\tmany")


def lay_deep(root: Path, bot: str) -> None:
    """A file below more folders than any bot has."""
    tree = made(root, f"100644 blob {blob(root, b'')}\tfile")
    for _ in range(120):
        tree = made(root, f"040000 tree {tree}\tf")
    commit(root, bot, f"040000 tree {tree}\tdeep")


@pytest.mark.parametrize("lay", [lay_bytes, lay_files, lay_folders, lay_deep], ids=lambda lay: lay.__name__)
def test_a_revision_is_written_out_within_bounds(
    lay: Trap, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small repository whose tree is huge fills no disk; where a bot has a folder of its own, that is taken."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(repository)
    script = git(repository, "rev-parse", "HEAD:bots/mine.py")
    lay(repository, f"100644 blob {script}\tmine.py")  # type: ignore[arg-type]
    with pytest.raises(OperatorError) as caught:
        found_at("git:HEAD:mine.py", "bots/mine.py")
    assert caught.value.key == "revision-too-large"
    assert "git worktree add" in str(caught.value)
    assert not [path for path in (tmp_path / "cache").rglob("*/*") if path.is_file()]
    bots = made(repository, f"100644 blob {script}\tmine.py")
    lay(repository, f"040000 tree {bots}\tbots")  # type: ignore[arg-type]
    for word in ("git:HEAD:bots/mine.py", "git:HEAD:bots"):
        place = Path(found_at(word, "bots/mine.py").path)
        assert (place if place.is_file() else place / "mine.py").read_text() == "print('here')\n"
    assert len([path for path in (tmp_path / "cache").rglob("*/*") if path.is_file()]) == 1
