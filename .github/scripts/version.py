#!/usr/bin/env python3
"""Compare every place that has the version; with `--tag v1.2.3` also the tag, and whether the changes are listed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES = {
    "pyproject.toml": r'^version = "(.+)"$',
    "src/dohyo/__init__.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r'^version: "?([^"\n]+)"?$',
    "Containerfile": r"^ARG VERSION=(.+)$",
}


def versions() -> dict[str, str]:
    """The version that each place has; empty where it has none."""
    found = {}
    for name, pattern in PLACES.items():
        told = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        found[name] = told[1] if told else ""
    return found


def main(words: list[str]) -> int:
    """The exit status: 1 where two places differ, or the tag does."""
    found = versions()
    wanted = words[1].removeprefix("v") if words[:1] == ["--tag"] else found["pyproject.toml"]
    wrong = [f"{name} says {version or 'nothing'}" for name, version in found.items() if version != wanted]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if words and not re.search(rf"^## \[?{re.escape(wanted)}\b", changes, re.MULTILINE):
        wrong.append("CHANGELOG.md has no part for it")
    if wrong:
        print(f"The version is {wanted}, but {', and '.join(wrong)}.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
