"""How we start a Python process of our own, so that no stranger's file is imported instead of a module.

`python -m` and `python -c` search for modules in the current folder first. That is the operator's folder, where
hand-ins may be: one with the name `random.py` would be imported without any sandbox. For the same reason this file
imports only what every Python has already imported when it starts.
"""

from __future__ import annotations

import os
import sys

ABOVE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # where our package is
FOLDER = "/"  # where such a process starts: relative entries of PYTHONPATH then mean no stranger's folder


def module(name: str, *words: str) -> list[str]:
    """The words that start a module of ours, with these arguments, wherever the current folder is."""
    return [sys.executable, "-P", "-m", name, *words]


def alone(code: str, *words: str) -> list[str]:
    """The words that run a line of code that needs only built-in modules of the standard library."""
    return [sys.executable, "-I", "-S", "-c", code, *words]


def environment() -> dict[str, str]:
    """Our environment for a module of ours.

    If this package was found only because Python searched the current folder, that folder is added.
    """
    own = dict(os.environ)
    if ABOVE in sys.path[:1]:
        known = own.get("PYTHONPATH")
        own["PYTHONPATH"] = f"{ABOVE}{os.pathsep}{known}" if known else ABOVE
    return own


def current_folder() -> str:
    """The current folder, as a word for a process that starts in `FOLDER`; `FOLDER` itself if ours was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return FOLDER


def enter(folder: str) -> None:
    """Change to the folder given to such a process; modules are not searched there."""
    try:
        os.chdir(folder)
    except OSError:
        os.chdir(FOLDER)


def forget_current_folder() -> None:
    """If this is `python -m dohyo`: stop searching modules in the current folder, unless our package is there.

    Another program's module that is started in this way, and imports us, is not affected.
    """
    if sys.argv[:1] != ["-m"] or sys.flags.safe_path or sys.path[0] == ABOVE:
        return
    options = [word for word in sys.orig_argv if word.startswith("-m") or (word[:1] == "-" and word[-1] == "m")]
    name = options[0].partition("m")[2] or sys.orig_argv[sys.orig_argv.index(options[0]) + 1]
    if name.partition(".")[0] == __name__.partition(".")[0]:
        del sys.path[0]
