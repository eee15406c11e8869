"""A bot as it was at some revision of a git repository: `git:REV[:PATH]`.

The whole tree of the revision is written once into a folder of the cache, which is named after its commit. A bot in
it is then found and built like any other bot, with the files beside it as they were. Neither the repository nor its
working tree is changed: git reads the tree into an index of our own.

The repository may belong to a stranger, and git starts programs that a repository's configuration and hooks name:
filters for written files, hooks after an index was written, programs that watch files or fetch missing objects. So we
ask the repository only for two paths and for the names of objects, which starts nothing. The tree is written by a git
folder of our own, which has neither configuration nor hooks and borrows the objects. The operator's configuration for
all repositories still holds. But git LFS would look for its files in our git folder, where they are missing, and then
at an address that the tree may name. So git LFS is not started, and a bot that is only its pointer is refused.

A few kilobytes of objects may contain a tree of any size. So the tree is counted before anything is written: if it is
larger than a hand-in may be, only the folder of the bot is written, if that is small enough.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import msgspec

from dohyo.bots.cache import location
from dohyo.bots.content import printable
from dohyo.core.bot_spec import REVISION, Revision
from dohyo.core.errors import MachineError, OperatorError
from dohyo.system import cache_mark, search_path
from dohyo.system import hand_in_limits as limits

FOLDER = "revisions"  # in the cache
SHORT = 10  # letters of a commit's name that are shown to people
POINTER = b"version https://git-lfs.github.com/spec/"  # the beginning of a pointer to a file in git LFS
PIECE = 1 << 16  # bytes that are read at once
SHA256 = 64  # letters of a name in a repository of that hash
# Variables that would lead git to another repository than our own, where we name it.
ELSEWHERE = ("GIT_DIR", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX")
# Nothing is fetched: the first one forbids it where git knows it (2.39.4, 2.45), the second in any version. The name
# of a commit must always mean the same files, or the cache would be wrong: no replacements.
QUIET = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
# No command below starts these today; a later git might.
UNUSED = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.pager=cat", "submodule.recurse=false")
NO_LFS = ("filter.lfs.smudge=", "filter.lfs.process=", "filter.lfs.required=false")


class FoundRevision(msgspec.Struct, frozen=True):
    """A bot of a revision: where it is now, and the revision's name (`REV`, or a commit's first letters).

    `whole` is the name of the repository's folder, if all of that is the bot: here its copy is called otherwise.
    """

    path: str
    label: str
    commit: str
    whole: str = ""


def find_revision(asked: Revision, candidate: str, where: str | None = None) -> FoundRevision:
    """The bot that the operator means by `git:REV[:PATH]`.

    PATH is relative to the repository's root; without it, the candidate's own path is meant. The repository is that
    of the folder `where` (the current one), otherwise the candidate's; without PATH, the candidate's comes first.

    Raises `OperatorError` if there is no git, no repository, no such revision or path in it, or if git LFS keeps the
    bot.
    """
    name, path, spec = asked.revision, asked.path, asked.typed
    own = _is_file_of(candidate)
    folders = [where or os.getcwd(), *([own] if own else [])]
    root = _repository(spec, folders if path else folders[::-1])
    path = os.path.normpath(path) if path else _place(spec, candidate, root)
    commit = _commit(root, name)
    if path == ".":
        path = ""
    if path and _git(root, "cat-file", "-e", f"{commit}:{path}")[0]:
        raise OperatorError("revision-no-path", revision=printable(name), path=printable(path))
    place = os.path.join(_checked_out(root, commit, path), path)
    if missing := _pointer(place):
        kept = os.path.join(path, os.path.relpath(missing, place)) if missing != place else path
        raise OperatorError("revision-lfs", revision=printable(name), path=printable(kept))
    return FoundRevision(place, _label(name, commit), commit, "" if path else os.path.basename(root))


def with_path(asked: Revision, candidate: str) -> str | None:
    """A word for a revision's bot that means the same without the candidate, if that can be said in this folder."""
    name, spec = asked.revision, asked.typed
    if asked.path:
        return spec
    here = _git(os.getcwd(), "rev-parse", "--show-toplevel")
    try:
        place = _place(spec, candidate, root := _repository(spec, [_is_file_of(candidate)]))
    except OperatorError:
        return None
    return None if here[0] or os.path.realpath(here[1]) != root else f"{REVISION}{name}:{place}"


def _pointer(place: str) -> str:
    """The first file of a bot that is only a pointer to git LFS; empty if there is none."""
    below = [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in sorted(names)]
    for path in below or [place]:
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as file:
                if file.read(len(POINTER)) == POINTER:
                    return path
    return ""


def _is_file_of(candidate: str) -> str:
    """The folder that contains the candidate, if it is a file or folder."""
    if not os.path.exists(candidate):
        return ""
    return os.path.realpath(candidate) if os.path.isdir(candidate) else os.path.dirname(os.path.realpath(candidate))


def _repository(spec: str, folders: Sequence[str]) -> str:
    """The root of the repository of the first folder that is in one."""
    for folder in folders:
        status, said = _git(folder, "rev-parse", "--show-toplevel")
        if not status and said:
            return os.path.realpath(said)
    raise OperatorError("revision-no-repository", spec=printable(spec), folder=printable(folders[0]))


def _place(spec: str, candidate: str, root: str) -> str:
    """The candidate's path in the repository."""
    place = os.path.relpath(os.path.realpath(candidate), root)
    if not os.path.exists(candidate) or PurePosixPath(place).parts[:1] == ("..",):
        raise OperatorError("revision-which-bot", spec=printable(spec), candidate=printable(candidate))
    return place


def _commit(root: str, name: str) -> str:
    # A name that begins with a dash would be an option, and none of git's names does.
    if name and not name.startswith("-"):
        status, said = _git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if not status:
            return said
    raise OperatorError("revision-unknown", revision=printable(name), folder=printable(root))


def _label(name: str, commit: str) -> str:
    return commit[:SHORT] if commit.startswith(name) else printable(name)


def _checked_out(root: str, commit: str, path: str) -> str:
    """The folder with the commit's files, all or those around `path`.

    It appears completely or not at all; the first process makes it.
    """
    base = Path(location(), FOLDER)
    inner = path if path and _git(root, "cat-file", "-t", f"{commit}:{path}")[1] == "tree" else os.path.dirname(path)
    part = base / f"{commit}-{hashlib.sha256(os.fsencode(inner)).hexdigest()[:SHORT]}"
    for known in (base / commit, part):
        if known.is_dir():
            return str(known)
    try:
        cache_mark.mark(base.parent)
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="new-", dir=base) as attempt:
            is_whole = _write_out(root, commit, inner, attempt)
            wanted = base / commit if is_whole else part
            try:
                os.rename(os.path.join(attempt, "tree"), wanted)
            except OSError:
                if not wanted.is_dir():  # nobody else was faster
                    raise
    except OSError as error:
        raise MachineError("cannot-write", path=printable(str(base / commit)), reason=error) from error
    return str(wanted)


def _write_out(root: str, commit: str, inner: str, folder: str) -> bool:
    """Write the commit's files to `folder`/`tree`, or only those of its folder `inner`; whether all were written."""
    tree, own = os.path.join(folder, "tree"), os.path.join(folder, "git")
    os.mkdir(tree)
    status, objects = _git(root, "rev-parse", "--git-path", "objects")
    if status:
        raise _not_read(commit, objects)
    _make_git_folder(own, is_sha256=len(commit) == SHA256)
    places = {
        "GIT_DIR": own,
        "GIT_WORK_TREE": tree,
        "GIT_INDEX_FILE": os.path.join(folder, "index"),
        "GIT_OBJECT_DIRECTORY": os.path.realpath(os.path.join(root, objects)),
    }
    is_whole = _is_within(tree, commit, commit, places)
    if not is_whole and not (inner and _is_within(tree, commit, f"{commit}:{inner}", places)):
        size = {"files": limits.MAX_ENTRIES, "mebibytes": limits.MAX_BYTES >> 20}
        raise OperatorError("revision-too-large", revision=commit[:SHORT], **size)
    reads = (commit,) if is_whole else (f"--prefix={inner}/", f"{commit}:{inner}")
    for words in (("read-tree", *reads), ("checkout-index", "--all", "--force")):
        status, said = _git(tree, *words, more=places)
        if status:
            raise _not_read(commit, said)
    return is_whole


def _not_read(commit: str, said: str) -> OperatorError:
    return OperatorError("revision-not-read", revision=commit[:SHORT], reason=printable(said))


def _is_within(folder: str, commit: str, tree: str, places: dict[str, str]) -> bool:
    """Whether a tree's files are not more and not larger than a hand-in's may be; reads only as much as needed.

    Folders count too: there may be too many of them to walk through, without any file.
    """
    entries = size = 0
    rest = b""
    command, environment = _command(folder, ("ls-tree", "-r", "-t", "-l", "-z", "--full-tree", tree), places)
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints
        ) as asked,
    ):
        assert asked.stdout is not None
        is_read = False
        try:
            while piece := os.read(asked.stdout.fileno(), PIECE):
                *lines, rest = (rest + piece).split(b"\0")
                for line in lines:
                    what, _, name = line.partition(b"\t")
                    bytes_ = what.split()[-1]
                    entries, size = entries + 1, size + (int(bytes_) if bytes_.isdigit() else 0)
                    is_large = entries > limits.MAX_ENTRIES or size > limits.MAX_BYTES
                    if is_large or limits.is_too_deep(os.fsdecode(name)):
                        return False
                if len(rest) > PIECE:  # a name
                    return False
            is_read = True
        finally:
            if not is_read:
                asked.kill()
        if asked.wait():
            complaints.seek(0)
            said = os.fsdecode(complaints.read(PIECE)).strip().splitlines()
            raise _not_read(commit, said[-1] if said else "ls-tree")
    return True


def _make_git_folder(folder: str, *, is_sha256: bool) -> None:
    """An empty git folder. Not made by `git init`, which would copy hooks and settings of a template."""
    os.makedirs(os.path.join(folder, "refs"))
    Path(folder, "HEAD").write_text("ref: refs/heads/none\n")
    own = "[core]\nrepositoryFormatVersion = 1\nbare = false\n"
    Path(folder, "config").write_text(own + ("[extensions]\nobjectFormat = sha256\n" if is_sha256 else ""))


def _git(folder: str, *words: str, more: dict[str, str] | None = None) -> tuple[int, str]:
    """Run git in this folder: its exit status, and its output or otherwise its last error message."""
    command, environment = _command(folder, words, more)
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = os.fsdecode(done.stderr if done.returncode else done.stdout).removesuffix("\n")
    return done.returncode, said.strip().splitlines()[-1] if done.returncode and said.strip() else said


def _command(folder: str, words: Sequence[str], more: dict[str, str] | None) -> tuple[list[str], dict[str, str]]:
    """How git is started in this folder, and its environment."""
    git = search_path.which("git")
    if git is None:
        raise OperatorError("revision-no-git")
    settings = [word for setting in (*UNUSED, *NO_LFS) for word in ("-c", setting)]
    usual = {name: value for name, value in search_path.environment().items() if not more or name not in ELSEWHERE}
    return [git, "-C", folder, *settings, *words], {**usual, **(more or {}), **QUIET}
