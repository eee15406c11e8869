"""How we start a Python of our own, so that nobody's file comes in the place of a module.

`python -m` and `python -c` look for modules in the current folder first. That is where the operator types, and where
hand-ins may lie: one that is called `random.py` would be imported outside of any sandbox. For the same reason
nothing is imported here but what every Python has imported when it starts.
"""

from __future__ import annotations

import os
import sys

ABOVE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # where our package lies
FOLDER = "/"  # where such a process starts: what is relative in PYTHONPATH, or empty, means nothing of a stranger's


def module(name: str, *words: str) -> list[str]:
    """The words that start a module of ours, with these arguments, wherever the current folder is."""
    return [sys.executable, "-P", "-m", name, *words]


def alone(code: str, *words: str) -> list[str]:
    """The words that run a line of code that needs the standard library's built-in modules and nothing else."""
    return [sys.executable, "-I", "-S", "-c", code, *words]


def environment() -> dict[str, str]:
    """Our environment for a module of ours.

    Where this package was found only because Python looked in the current folder, that place is named.
    """
    own = dict(os.environ)
    if ABOVE in sys.path[:1]:
        known = own.get("PYTHONPATH")
        own["PYTHONPATH"] = f"{ABOVE}{os.pathsep}{known}" if known else ABOVE
    return own


def current_folder() -> str:
    """The current folder, as a word for a process that starts in `FOLDER`; that one where ours is gone."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return FOLDER


def enter(folder: str) -> None:
    """Go to the folder that such a process was told; modules are not looked for there."""
    try:
        os.chdir(folder)
    except OSError:
        os.chdir(FOLDER)


def forget_current_folder() -> None:
    """Where this is `python -m dohyo`: look for modules in the current folder no more, unless that is where we lie.

    Somebody else's module that is started so, and imports us, is left alone.
    """
    if sys.argv[:1] != ["-m"] or sys.flags.safe_path or sys.path[0] == ABOVE:
        return
    options = [word for word in sys.orig_argv if word.startswith("-m") or (word[:1] == "-" and word[-1] == "m")]
    name = options[0].partition("m")[2] or sys.orig_argv[sys.orig_argv.index(options[0]) + 1]
    if name.partition(".")[0] == __name__.partition(".")[0]:
        del sys.path[0]
