"""What is committed: nothing of one machine, nothing overgrown, nothing without a word of explanation."""

from __future__ import annotations

import re

import pytest

from tests.quality.project import ROOT, files, outline, python_files, texts

pytestmark = pytest.mark.xdist_group("sources")

# Written in pieces, so that this file does not find itself.
REGISTRIES = [name.replace("_", ".") for name in ("pypi_org", "pythonhosted_org", "registry_npmjs", "deb_debian_org")]
MACHINE_PATH = re.compile(r"(^|[^\w.])/(work|farm[\w-]*|Users|root/\.\w+|opt/(pypi|wheels)[\w-]*)/")

MAX_LINES = 600
MAX_LINES_OF_A_FUNCTION = 50
EMPTY_NAMES = {"manager", "handler", "helper", "helpers", "util", "utils", "data", "misc"}


def words_of(name: str) -> set[str]:
    """The words that a name is made of."""
    return set(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_"))


def test_no_file_names_a_registry() -> None:
    """No file holds a registry's address: versions are pinned by name, version and digest alone."""
    for path, text in texts():
        named = [registry for registry in REGISTRIES if registry in text]
        assert not named, f"{path.relative_to(ROOT)} names {named}"


def test_no_file_holds_a_path_of_one_machine() -> None:
    """Things are named relative to the project."""
    for path, text in texts():
        found = [match[0] for line in text.splitlines() if (match := MACHINE_PATH.search(line))]
        assert not found, f"{path.relative_to(ROOT)} holds {found}"


def test_machine_paths_are_recognised() -> None:
    """The pattern finds a path of one machine, and lets ordinary ones pass."""
    for wrong in ("/" + "work/x", "see /" + "farm-a/b", "'/" + "Users/me/x'", "/" + "root/.cache/x"):
        assert MACHINE_PATH.search(wrong), wrong
    for right in ("/usr/bin/env", "a/work/b", "/tmp/x", "https://example.org/work/"):
        assert not MACHINE_PATH.search(right), right


def test_no_file_is_overgrown() -> None:
    """A Python file is one thing, and has at most 600 lines."""
    for path in python_files():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= MAX_LINES, f"{path.relative_to(ROOT)} has {lines} lines"


# The limit is a reminder, and no reason to cut one thing in two: these are longer.
LONGER_FUNCTIONS = {
    ("python_loop.py", "_play"): "a turn of the plain loop: each call in it costs every turn",
    ("command.py", "referee"): "a parameter for each option of the arenas' runners",
}


def test_no_function_is_overgrown() -> None:
    """A function has at most 50 lines."""
    for path in python_files():
        for part in outline(path).parts:
            if part.is_class or (path.name, part.name) in LONGER_FUNCTIONS:
                continue
            told = f"{path.relative_to(ROOT)}: {part.name} has {part.lines} lines"
            assert part.lines <= MAX_LINES_OF_A_FUNCTION, told


def test_names_say_what_a_thing_is() -> None:
    """No file and no class is called manager, handler, helper, util or data."""
    for path in python_files():
        names = [path.stem, *(part.name for part in outline(path).parts if part.is_class)]
        empty = [name for name in names if words_of(name) & EMPTY_NAMES]
        assert not empty, f"{path.relative_to(ROOT)}: {empty}"


def test_every_module_and_every_test_is_explained() -> None:
    """A module says what it is, a test what must hold, in a first line that stands alone."""
    for path in python_files():
        found = outline(path)
        explained = [] if found.is_empty else [("the file", found.docstring)]
        if path.is_relative_to(ROOT / "tests"):
            explained += [(one.name, one.docstring) for one in found.parts if one.name.startswith("test_")]
        for name, docstring in explained:
            told = f"{path.relative_to(ROOT)}: {name}"
            assert docstring, f"{told} has no docstring"
            assert docstring.splitlines()[1:2] in ([], [""]), f"{told}: the first line does not stand alone"


def test_scripts_can_be_executed() -> None:
    """Every script that begins with an interpreter's name is marked as executable, and the other way round."""
    for path, text in texts():
        executable = bool(path.stat().st_mode & 0o100)
        assert executable == text.startswith("#!"), f"{path.relative_to(ROOT)}: executable={executable}"


def test_git_keeps_recordings_byte_by_byte() -> None:
    """Nothing that is compared byte by byte may have its line ends changed on its way through git."""
    attributes = (ROOT / ".gitattributes").read_text(encoding="utf-8")
    ends = {path.suffix for path in files() if path.is_relative_to(ROOT / "tests" / "recordings")} - {".md", ".py"}
    for end in ends:
        assert re.search(rf"^\*\{end} (binary|-text)$", attributes, re.MULTILINE), f"{end} is not in .gitattributes"


def test_links_lead_somewhere() -> None:
    """Every link of a Markdown file to another file of the project leads to one that is committed."""
    committed = {place for path in files() for place in (path, *path.parents)}
    for path, text in texts():
        links = re.findall(r"\]\(([^)\s#]+)[^)]*\)", text) if path.suffix == ".md" else []
        dead = [link for link in links if "://" not in link and (path.parent / link).resolve() not in committed]
        assert not dead, f"{path.relative_to(ROOT)} links to {dead}"
