"""Builds Dohyo's packages: hatchling does, and the machine code that ships is made for a wheel.

A wheel holds the documentation's pages, too: messages name them, and `dohyo help docs/NAME.md` shows one.

It is made where that can be done: on Linux with glibc, with a C compiler. Then the build needs Numba and NumPy, and
takes some five minutes of processor time; the wheel is for this kind of system, else it is one for any. Who builds
may say: `DOHYO_NATIVE=no` makes no machine code, `DOHYO_NATIVE=drop-block,...` that of these games alone.

An installation for developers (`pip install -e`, `./dev`) has none: there `python -m dohyo.native_code`
makes it.

Where the project is found on the web, a release says: `DOHYO_REPOSITORY=https://...` gives the package its links, and
leads those of the README there; `DOHYO_DOCUMENTATION=https://...` says where its pages are, if not there. A build
without them names no place; one from a source archive has what that says.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling import build
from hatchling.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

VARIABLE = "DOHYO_NATIVE"
REPOSITORY, DOCUMENTATION = "DOHYO_REPOSITORY", "DOHYO_DOCUMENTATION"
PLACES = {"Repository": "", "Issues": "/issues", "Changelog": "/blob/main/CHANGELOG.md", "Security": "/security"}
LINK = re.compile(r"(!?\[[^][]*\]\()(?![a-z]+:|#)([^)\s]+)\)")  # of Markdown, to a file of the project
COMPILERS = ("cc", "gcc", "clang")  # as `dohyo.sim.ahead` looks for them
MACHINES = ("x86_64", "aarch64")  # for which llvmlite has wheels
PAGES = "docs.zip"  # of the documentation, as `dohyo.cli.pages` looks for them
REQUIRED = ("msgspec>=0.20", "numba>=0.61; python_version < '3.15'", "numpy>=2; python_version < '3.15'")
NEWEST_NUMBA = (3, 14)  # the newest Python that it is known to support
OLDEST_GLIBC = 2, 17  # of the tags that installers know
LIBRARIES = {b"libc.so.6", b"libm.so.6"}  # that every Linux with glibc has


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What a build needs beside hatchling (PEP 517): Numba, where machine code can be made."""
    asked: list[str] = build.get_requires_for_build_wheel(config_settings)
    return [*asked, *(REQUIRED if objection() is None else ())]


def objection() -> str | None:
    """Why no machine code is made; None where it can be."""
    if os.environ.get(VARIABLE) in ("no", "0"):
        return f"{VARIABLE} says so"
    if sys.platform != "linux" or platform.machine() not in MACHINES or platform.libc_ver()[0] != "glibc":
        return "it is made for Linux with glibc only"
    if sys.version_info[:2] > NEWEST_NUMBA:
        return "Numba may not know this Python yet"
    if not any(map(_which(), COMPILERS)):
        return "there is no C compiler"
    return None


def _which() -> Callable[[str], str | None]:
    """Dohyo's own search for programs, which knows no folder that depends on the current one."""
    found: Callable[[str], str | None] = _source("system/search_path.py").which
    return found


def _source(path: str) -> ModuleType:
    """A module of Dohyo's that imports nothing of it: a build has no more."""
    file = Path(__file__).resolve().parent / "src" / "dohyo" / path
    spec = importlib.util.spec_from_file_location(f"dohyo_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Links(MetadataHookInterface):
    """Says where the project is, and what it says of itself there."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling, from a source archive only for what that does not say already."""
        home = os.environ.get(REPOSITORY, "").rstrip("/")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        places = {name: home + place for name, place in PLACES.items()} if home else {}
        if home:
            pages = os.environ.get(DOCUMENTATION) or f"{home}/tree/v{metadata['version']}/docs"
            places = {"Documentation": pages, **places}
        metadata.setdefault("urls", places)
        metadata.setdefault("readme", {"content-type": "text/markdown", "text": led(text, home, metadata["version"])})


def led(text: str, home: str, version: str) -> str:
    """A page's text with its links to files of the project, and its pictures, led to those of this version."""
    if not home:
        return text

    def to_version(link: re.Match[str]) -> str:
        kind = "raw" if link[1].startswith("!") else "blob"
        return f"{link[1]}{home}/{kind}/v{version}/{link[2]})"

    return LINK.sub(to_version, text)


class WheelParts(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the pages and the machine code to a wheel, and says for which systems the wheel then is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects the files of a wheel. Raises `RuntimeError` where the code cannot be
        compiled."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = tempfile.mkdtemp(prefix="dohyo-wheel-")
        pack_pages(Path(self.root), Path(self._folder, PAGES))
        build_data["force_include"][str(Path(self._folder, PAGES))] = f"dohyo/{PAGES}"
        why = objection()
        if why is not None:
            self.app.display_warning(f"This wheel has no machine code: {why}.")
            return
        try:
            files = self._made(Path(self._folder))
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        build_data["force_include"].update({str(file): f"dohyo/shipped/{file.name}" for file in files})
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(files)}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the wheel is there."""
        shutil.rmtree(getattr(self, "_folder", ""), ignore_errors=True)

    def _made(self, folder: Path) -> list[Path]:
        """The files, compiled by Dohyo's own sources."""
        games = [name for name in os.environ.get(VARIABLE, "").split(",") if name]
        source = str(Path(self.root, "src"))
        path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
        words = [sys.executable, "-m", "dohyo.native_code", "--into", str(folder), *games]
        done = subprocess.run(
            words, env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}, cwd=folder, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"the machine code could not be compiled; '{VARIABLE}=no' builds a wheel without it")
        return sorted(folder.glob("*.so"))


def pack_pages(root: Path, into: Path) -> None:
    """Pack the documentation's pages, guides in all languages, no decisions; and small examples."""
    patterns: tuple[str, ...] = _source("cli/packed_pages.py").PATTERNS
    pages = {page for pattern in patterns for page in root.glob(pattern) if page.is_file()}
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for page in sorted(pages):
            entry = zipfile.ZipInfo(page.relative_to(root).as_posix())  # of 1980: the same bytes each time
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, page.read_bytes())


def platform_tag(files: list[Path]) -> str:
    """The systems on which these libraries run: those with the newest glibc that any of them asks for, or newer.

    A library that needs more than the C library is for systems like this one.
    """
    newest = OLDEST_GLIBC
    for file in files:
        content = file.read_bytes()
        if set(re.findall(rb"\0(lib[\w+.-]+\.so[.\d]*)(?=\0)", content)) - LIBRARIES:
            return f"linux_{platform.machine()}"
        for major, minor in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", content):
            newest = max(newest, (int(major), int(minor)))
        if b"\0GLIBC_ABI_DT_RELR\0" in content:  # a linker's way to write relocations
            newest = max(newest, (2, 36))
    return f"manylinux_{newest[0]}_{newest[1]}_{platform.machine()}"
