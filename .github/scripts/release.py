#!/usr/bin/env python3
"""Make a release, up to the upload: `./dev release 0.1.0`. Nothing is pushed, and nothing is uploaded.

    ./dev release VERSION [--home ADDRESS] [--tests] [--once] [--native GAMES|no] [--key FILE]; --help says more

What it does, in this order; what fails leaves the project as it was.

1. The folder has nothing that is not committed, and the version is none that there was.
2. With --tests: all tests.
3. In a copy of the last commit: the version in every place that has it, the changes that were not released become
   those of this version, with the date; that is one commit. Every place agrees, every package has a licence.
4. Packages of that commit: the source archive, from it the wheel for any system and, where that can be made, the one
   with machine code for this kind of system. All of them twice: both times the same, byte for byte.
5. Beside them: what an installation brings (a bill of materials), the words of this version's changes, digests of all
   that, and a signature if there is a key of minisign.
6. The branch goes on to that commit, which gets a tag. What is left to be typed is printed.

On another kind of machine, at the same tag, the same command makes the packages again, and the wheel for that one.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:(?:a|b|rc)[0-9]+)?")
CHANGES, OPEN = "CHANGELOG.md", "## Unreleased"
KEY = Path("~/.minisign/minisign.key")  # where minisign itself looks
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")  # of Markdown, to a file of the project
REMOTE = re.compile(r"(?:git@|ssh://git@|https?://(?:[^@/]+@)?)([^:/]+)[:/](.+?)(?:\.git)?/?")


class ReleaseError(Exception):
    """Why there is no release, in one sentence with the remedy."""


class Asked(NamedTuple):
    """What was asked for."""

    version: str
    home: str
    documentation: str
    native: str
    tests: bool
    once: bool
    key: Path | None

    @property
    def tag(self) -> str:
        """What the release is called in git."""
        return f"v{self.version}"


def git(*words: str, root: Path = ROOT) -> str:
    """What git prints. Raises `ReleaseError` with its own words."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"git {words[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def tell(line: str) -> None:
    """A line for the person who waits."""
    print(line, flush=True)


# --- before anything is done


def look(asked: Asked, root: Path) -> bool:
    """Whether the tag is there already, at this commit. Raises `ReleaseError` for all that stands in the way."""
    if not VERSION.fullmatch(asked.version):
        raise ReleaseError(f"'{asked.version}' is no version: three numbers such as 0.1.0, which may end in rc1.")
    if not asked.home.startswith(("https://", "http://")):
        raise ReleaseError("Where will the project be? Say it: --home https://HOST/OWNER/dohyo.")
    if changed := git("status", "--porcelain", root=root):
        raise ReleaseError(f"Commit or stash what has changed first:\n{changed}")
    if asked.tag not in git("tag", "--list", asked.tag, root=root).split():
        return False
    if git("rev-list", "-n", "1", asked.tag, root=root) != git("rev-parse", "HEAD", root=root):
        raise ReleaseError(
            f"{asked.version} was released already, from another commit: after 'git checkout {asked.tag}' its"
            " packages can be made again; a new release needs another number."
        )
    return True


def home_of(root: Path) -> str:
    """Where the project is: as the environment says, or by the address that git fetches it from."""
    if os.environ.get("DOHYO_REPOSITORY"):
        return os.environ["DOHYO_REPOSITORY"].rstrip("/")
    try:
        found = REMOTE.fullmatch(git("remote", "get-url", "origin", root=root))
    except ReleaseError:
        return ""
    return "" if found is None else f"https://{found[1]}/{found[2]}"


# --- the commit


@contextmanager
def copy_of_head(root: Path) -> Iterator[Path]:
    """A folder with the last commit and nothing else, in which a commit can be made; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="dohyo-release-") as folder:
        tree = Path(folder, "dohyo")
        git("worktree", "add", "--quiet", "--detach", str(tree), "HEAD", root=root)
        try:
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree), root=root)


def script(name: str, tree: Path) -> ModuleType:
    """A script of that tree, which then looks at that tree."""
    spec = importlib.util.spec_from_file_location(f"release_{name}", tree / ".github" / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def set_version(tree: Path, version: str, day: str) -> None:
    """Write the version wherever it stands, and the day behind it in the list of changes."""
    for name, pattern in script("version", tree).PLACES.items():
        path = tree / name
        text = path.read_text(encoding="utf-8")
        found = re.search(pattern, text, re.MULTILINE)
        if found is None:
            raise ReleaseError(f"{name} has no line for the version.")
        path.write_text(text[: found.start(1)] + version + text[found.end(1) :], encoding="utf-8")
    path = tree / CHANGES
    text = path.read_text(encoding="utf-8")
    if not part_of(text, version):
        if not part_of(text, "Unreleased"):
            raise ReleaseError(f"{CHANGES} lists no change: write them below '{OPEN}'.")
        path.write_text(re.sub(rf"(?m)^{OPEN}$", f"## {version} - {day}", text, count=1), encoding="utf-8")


def part_of(text: str, heading: str) -> str:
    """What stands below a heading of the list of changes, up to the next one; empty where there is none."""
    found = re.search(rf"(?ms)^## {re.escape(heading)}(?= |$)[^\n]*\n(.*?)(?=^## |\Z)", text)
    return "" if found is None else found[1].strip()


def notes_of(root: Path, version: str, home: str) -> str:
    """What has changed in that version, for a page elsewhere: links lead to the files of that version."""
    notes = part_of((root / CHANGES).read_text(encoding="utf-8"), version) or "No change is listed."
    notes = "".join(each for each in notes if each.isprintable() or each == "\n")  # a terminal may obey others
    return LINK.sub(lambda found: f"]({home}/blob/v{version}/{found[1]})", notes) if home else notes


def commit(tree: Path, version: str) -> None:
    """One commit with the version; none where everything says so already."""
    if git("status", "--porcelain", root=tree):
        git("commit", "--quiet", "--all", "--message", f"Dohyo {version}", root=tree)


def check(tree: Path, asked: Asked) -> None:
    """Every place has this version, and every package that comes along has a licence."""
    for name, words in (("version", ["--tag", asked.tag]), ("licences", ["--check"])):
        order = [sys.executable, str(tree / ".github" / "scripts" / f"{name}.py"), *words]
        done = subprocess.run(order, cwd=tree, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ReleaseError((done.stdout + done.stderr).strip())


# --- the packages


def build(tree: Path, into: Path, asked: Asked) -> list[Path]:
    """The source archive of a tree, and from it the wheels."""
    epoch = git("log", "-1", "--format=%ct", root=tree)
    told = {"SOURCE_DATE_EPOCH": epoch, "DOHYO_REPOSITORY": asked.home, "PYTHONHASHSEED": "0"}
    told |= {"DOHYO_DOCUMENTATION": asked.documentation} if asked.documentation else {}
    hatch(tree, into, "sdist", told)
    (archive,) = into.glob("*.tar.gz")
    with tempfile.TemporaryDirectory(prefix="dohyo-release-") as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        source = Path(folder, archive.name.removesuffix(".tar.gz"))
        hatch(source, into, "wheel", {**told, "DOHYO_NATIVE": "no"})
        if asked.native != "no":
            games = {"DOHYO_NATIVE": asked.native} if asked.native else {}
            hatch(source, into, "wheel", {**told, **games})
    return sorted(into.iterdir())


def hatch(tree: Path, into: Path, what: str, told: Mapping[str, str]) -> None:
    """Have hatchling build; it is the one that the constraints pin, as all that is installed beside this Python."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", what, "-d", str(into)]
    kept = {name: value for name, value in os.environ.items() if name not in ("DOHYO_NATIVE", "DOHYO_DOCUMENTATION")}
    done = subprocess.run(words, cwd=tree, env={**kept, **told}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"The {what} could not be built:\n{done.stdout}{done.stderr}")


def check_alike(first: Sequence[Path], second: Sequence[Path]) -> None:
    """Raise `ReleaseError` where the second build is not the first one."""
    names = [[path.name for path in each] for each in (first, second)]
    other = [a.name for a, b in zip(first, second, strict=False) if a.read_bytes() != b.read_bytes()]
    if names[0] != names[1] or other:
        raise ReleaseError(f"Built again, the packages are others: {', '.join(other) or names}.")


def check_packages(packages: Sequence[Path], asked: Asked) -> None:
    """Each says what it is in the way that indexes demand, with links, and a wheel's own code has this version."""
    from packaging.metadata import Metadata

    for path in packages:
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as packed:
                (name,) = (each for each in packed.namelist() if each.endswith(".dist-info/METADATA"))
                about = Metadata.from_email(packed.read(name), validate=True)
                own = packed.read("dohyo/__init__.py").decode()
            if f'__version__ = "{asked.version}"' not in own:
                raise ReleaseError(f"{path.name} is not of version {asked.version}.")
        else:
            with tarfile.open(path) as packed:
                file = packed.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO")
                assert file is not None
                about = Metadata.from_email(file.read(), validate=True)
        lacking = {"Documentation", "Issues", "Changelog"} - (about.project_urls or {}).keys()
        if str(about.version) != asked.version or lacking:
            raise ReleaseError(
                f"{path.name} says of itself {about.version}, and lacks {sorted(lacking) or 'nothing'}."
            )


# --- what lies beside them


def write_beside(tree: Path, into: Path, asked: Asked) -> None:
    """The bill of materials and the words of this version's changes."""
    bill = script("licences", tree).bill(asked.version)
    (into / f"dohyo-{asked.version}.cdx.json").write_text(bill, encoding="utf-8")
    notes = notes_of(tree, asked.version, asked.home)
    (into / f"NOTES-{asked.version}.md").write_text(notes + "\n", encoding="utf-8")


def write_digests(into: Path) -> Path:
    """SHA-256 of all that is there, as `sha256sum --check` reads it."""
    sums = into / "SHA256SUMS"
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(into.iterdir())]
    sums.write_text("".join(lines), encoding="utf-8")
    return sums


def sign(sums: Path, key: Path | None) -> str:
    """Have minisign sign the digests; what came of it, in words. It asks for the key's password itself."""
    place = KEY.expanduser() if key is None else key
    program = shutil.which("minisign")
    if program is None or not place.is_file():
        if key is not None:
            raise ReleaseError("minisign is not installed." if program is None else f"There is no key {key}.")
        return "not signed: minisign with a key (--key FILE) would sign the digests"
    if subprocess.run([program, "-S", "-m", sums, "-s", place], cwd=sums.parent, check=False).returncode != 0:
        raise ReleaseError("minisign has not signed the digests; the lines above are its own.")
    return f"signed by minisign: {sums.name}.minisig"


def what_is_left(asked: Asked, into: Path, branch: str, old: str) -> str:
    """What a person types now; the branch was at the commit `old` before, and with none of these nothing was done."""
    shown = shlex.quote(os.path.relpath(into))
    if not old:
        return f"\nThe packages of {asked.tag} lie in {shown} again, with the wheel for this kind of machine."
    return f"""
{asked.version} is made, and lies in {shown}; nothing has left this machine. Type now:
    git push origin {shlex.quote(branch)} {asked.tag}
The workflow release.yml then builds the same packages, and the wheels of the other machines, and a person lets it
publish them. Without that workflow, by hand:
    uv publish {shown}/*.whl {shown}/*.tar.gz
and put {shown}/NOTES-{asked.version}.md with the files beside it on the release's page.
To take it back before it is pushed: git tag --delete {asked.tag} && git reset --keep {old[:12]}"""


# --- all of it


def release(asked: Asked, root: Path = ROOT) -> Path:
    """Make the release; the folder in which it lies. Raises `ReleaseError`."""
    again = look(asked, root)
    branch = git("branch", "--show-current", root=root)
    if not again and not branch:
        raise ReleaseError("A release goes on from a branch: 'git switch main'.")
    if asked.tests:
        tell("all tests ...")
        if subprocess.call([sys.executable, str(root / "dev"), "test"], cwd=root) != 0:
            raise ReleaseError("Tests fail; the lines above say which.")
    day, old = datetime.datetime.now(datetime.UTC).date().isoformat(), git("rev-parse", "HEAD", root=root)
    made = root / "build" / "release" / asked.version
    with copy_of_head(root) as tree, tempfile.TemporaryDirectory(prefix="dohyo-release-") as folder:
        if not again:
            set_version(tree, asked.version, day)
            commit(tree, asked.version)
        check(tree, asked)
        tell(f"commit {git('rev-parse', '--short', 'HEAD', root=tree)}: every place says {asked.version}")
        into, second = Path(folder, "first"), Path(folder, "second")
        packages = build(tree, into, asked)
        check_packages(packages, asked)
        if not asked.once:
            check_alike(packages, build(tree, second, asked))
        tell(f"built {'once' if asked.once else 'twice, the same byte for byte'}:")
        for path in packages:
            tell(f"    {path.name}  {path.stat().st_size / 1e6:.2f} MB")
        write_beside(tree, into, asked)
        tell(sign(write_digests(into), asked.key))
        shutil.rmtree(made, ignore_errors=True)
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(into, made)
        if not again:
            new = git("rev-parse", "HEAD", root=tree)
            git("merge", "--quiet", "--ff-only", new, root=root)
            git("tag", "--annotate", "--message", f"Dohyo {asked.version}", asked.tag, new, root=root)
    tell(what_is_left(asked, made, branch, "" if again else old))
    return made


def main(words: Sequence[str], root: Path = ROOT) -> int:
    """The exit status: 2 where there is no release."""
    parser = argparse.ArgumentParser(prog="./dev release", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("version", help="such as 0.1.0")
    parser.add_argument("--home", default="", metavar="ADDRESS", help="where the project is on the web")
    parser.add_argument("--documentation", default="", metavar="ADDRESS", help="where its pages are, if elsewhere")
    parser.add_argument("--tests", action="store_true", help="run all tests first")
    parser.add_argument("--once", action="store_true", help="do not build a second time to compare")
    parser.add_argument("--native", default="", metavar="GAMES|no", help="machine code of these games alone, or none")
    parser.add_argument("--notes", action="store_true", help="only print what has changed in that version")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the secret key of minisign, if not the usual one")
    given = parser.parse_args(words)
    if given.notes:
        print(notes_of(root, given.version, given.home or os.environ.get("DOHYO_REPOSITORY", "")))
        return 0
    home = (given.home or home_of(root)).rstrip("/")
    asked = Asked(given.version, home, given.documentation, given.native, given.tests, given.once, given.key)
    try:
        release(asked, root)
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
