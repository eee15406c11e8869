"""How we start a Python process of our own, so that no stranger's file is imported instead of a module.

`python -m` and `python -c` search for modules in the current folder first. That is the operator's folder, where
hand-ins may be: one with the name `random.py` would be imported without any sandbox. So do all Pythons where
PYTHONPATH has an empty or a relative entry. For the same reason this file imports only what every Python has already
imported when it starts, and `search_path`, which is like it.
"""

import os
import sys

from dohyo.system import search_path

ABOVE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # where our package is
FOLDER = "/"  # where such a process starts: the current folder then is no stranger's


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
    own = search_path.environment()
    if ABOVE in sys.path[:1] or _STATE["is ours last"]:
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
    if sys.argv[:1] != ["-m"]:
        return
    options = [word for word in sys.orig_argv if word.startswith("-m") or (word[:1] == "-" and word[-1] == "m")]
    name = options[0].partition("m")[2] or sys.orig_argv[sys.orig_argv.index(options[0]) + 1]
    if name.partition(".")[0] != __name__.partition(".")[0]:
        return
    if not sys.flags.safe_path and sys.path[0] != ABOVE:
        del sys.path[0]
    drop_relative()


def drop_relative() -> None:
    """Search no modules where PYTHONPATH has an empty or relative entry; called before one is imported from there.

    Python has made absolute paths of such entries. What PYTHONPATH names by its absolute path too stays where it is;
    our own package's folder and those of an installation, which Python lists once, stay as the last ones.
    """
    known = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    entries = known.split(os.pathsep) if known else []
    relative = [entry for entry in entries if not os.path.isabs(entry)]
    if not os.path.isabs(sys.pycache_prefix or os.sep):
        sys.pycache_prefix = None
    if not relative and "" not in sys.path and "PYTHONUSERBASE" not in os.environ:
        return  # as nearly always
    meant = {os.path.normpath(entry) for entry in entries if os.path.isabs(entry)}
    left_out = {"", *relative, *(_normal(entry) for entry in relative)} - meant
    before = [_normal(entry) for entry in sys.path]
    sys.path[:] = [entry for entry in sys.path if entry not in left_out and not _is_under_user_base(entry)]
    needed = [entry for entry in dict.fromkeys(before) if entry in left_out and _is_installation(entry)]
    if ABOVE in before and ABOVE not in map(_normal, sys.path):
        needed = [*(entry for entry in needed if entry != ABOVE), ABOVE]
        _STATE["is ours last"] = True
    sys.path += needed
    _STATE["dropped"] |= bool(relative)


def has_dropped() -> bool:
    """Whether `drop_relative` has left out entries of PYTHONPATH; asked again, not any more."""
    said, _STATE["dropped"] = _STATE["dropped"], False
    return said


_STATE = {"dropped": False, "is ours last": False}  # what came of `drop_relative`


def _normal(entry: str) -> str:
    """An entry as Python makes it absolute; as it is if the current folder was removed."""
    try:
        return os.path.abspath(entry)
    except FileNotFoundError:
        return entry


def _is_installation(folder: str) -> bool:
    """Whether a folder is one of this Python's own: its standard library, or where packages are installed."""
    return folder.startswith(tuple(os.path.join(prefix, "lib") for prefix in (sys.prefix, sys.base_prefix)))


def _is_under_user_base(entry: str) -> bool:
    """Whether Python looks there for what a user has installed, in a relative folder."""
    base = "" if sys.flags.ignore_environment else os.environ.get("PYTHONUSERBASE", "")
    return bool(base) and not os.path.isabs(base) and entry.startswith(os.path.join(_normal(base), ""))
