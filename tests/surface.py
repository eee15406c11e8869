"""What others rely on, by name: `python -m tests.surface` writes it to `surface.json`, and a test compares.

Commands with their arguments and options, the Python API, the keys of files, environment variables, kinds and codes
of faults. A name that is gone from here has to be deprecated first: `docs/deprecation.md`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FILE = Path(__file__).with_name("surface.json")
MODULES = ("dohyo", "dohyo.rl", "dohyo.search", "dohyo.sim", "dohyo.solve")
# Of ourselves to ourselves: between our processes, or for our tests.
PRIVATE = {"DOHYO_COMPLETE", "DOHYO_SPLIT", "DOHYO_TESTS_AGAIN", "DOHYO_WORKER"}


def surface() -> dict[str, Any]:
    """All of it, sorted."""
    return {
        "commands": dict(sorted(_commands())),
        "api": {module: dict(sorted(_api(module))) for module in MODULES},
        "keys": dict(_keys()),
        "environment": _variables(),
        "faults": dict(_faults()),
    }


def _commands() -> Iterator[tuple[str, list[str]]]:
    """What is typed, and what may stand behind it."""
    from dohyo.cli import main
    from dohyo.cli.options import command_of

    yield from _walked("dohyo", command_of(main.app))
    for name in (*main.commands(), *main.more_commands()):
        yield from _walked(f"dohyo {name}", command_of(main.application_of(name)))


def _walked(path: str, command: Any) -> Iterator[tuple[str, list[str]]]:
    options = sorted(name for each in command.params for name in (*each.opts, *each.secondary_opts) if name[0] == "-")
    yield path, [each.metavar for each in command.params if each.param_type_name == "argument"] + options
    for name, inner in getattr(command, "commands", {}).items():
        yield from _walked(f"{path} {name}", inner)


def _api(module: str) -> Iterator[tuple[str, list[str]]]:
    """The public names of a module; the arguments of those that are called; what a class has of its own."""
    found = importlib.import_module(module)
    for name in found.__all__:
        each = getattr(found, name)
        called = callable(each) and not (isinstance(each, type) and issubclass(each, Exception))
        words = list(inspect.signature(each).parameters) if called else []
        ours = [kind for kind in getattr(each, "__mro__", ()) if kind.__module__.startswith("dohyo.")]
        own = [f".{word}" for word in sorted({word for kind in ours for word in vars(kind)})]
        yield name, [word for word in (*words, *own) if not word.lstrip(".").startswith("_")]


def _keys() -> Iterator[tuple[str, list[str]]]:
    """The keys of files that people write, and the fields of replays."""
    from dohyo.bots import declared
    from dohyo.core import replay
    from dohyo.series import contest_file

    yield "bot.toml", sorted(declared.KEYS)
    yield "contest file", sorted(contest_file.KEYS)
    yield "contest file, of a bot", sorted(contest_file.BOT_KEYS)
    for struct in (replay.Header, replay.Turn, replay.Result):
        yield f"replay, {struct.__name__}", sorted(struct.__struct_encode_fields__)


def _variables() -> list[str]:
    found = {"DOHYO_INSTALLER"}
    for path in (*(ROOT / "src").rglob("*.py"), ROOT / "hatch_build.py"):
        found |= set(re.findall(r"DOHYO_[A-Z][A-Z_]*", path.read_text(encoding="utf-8")))
    return sorted(found - PRIVATE - {"DOHYO_PARAM_DEPTH"})  # an example of DOHYO_PARAM_


def _faults() -> Iterator[tuple[str, list[str]]]:
    from dohyo.core.faults import FaultCode, FaultKind

    yield "kinds", sorted(FaultKind)
    yield "codes", sorted(FaultCode)


def names(found: Any, path: str = "") -> Iterator[str]:
    """Every name of a surface with where it stands, for comparing two."""
    if isinstance(found, dict):
        for key, inner in found.items():
            yield f"{path}: {key}"
            yield from names(inner, f"{path}: {key}")
    else:
        yield from (f"{path}: {name}" for name in found)


if __name__ == "__main__":
    FILE.write_text(json.dumps(surface(), indent=1) + "\n", encoding="utf-8")
