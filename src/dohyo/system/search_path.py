"""Where programs and modules are searched: in no folder that depends on the current one, where hand-ins may lie.

In a list of folders such as PATH, an empty entry means the current folder, and a relative one a folder in it. In
`PATH=$PATH:/x`, where PATH was not set, that is so by mistake; a hand-in called `git` would then be run as git.

    which                 a program's path, as `shutil.which` finds it, but for such entries
    environment           our environment for a program that we start, without such entries
    clean_environment     our environment becomes that one

This file, and `interpreter` beside it, import only what every Python has already imported when it starts, and not
even `__future__`: they decide where everything else is searched.
"""

import os

# Of modules, of programs and shared libraries, and of what a compiler and git start or link.
LISTS = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "NODE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "CPATH")
# Variables that name one folder, in which programs or modules are found.
FOLDERS = ("PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX", "GIT_EXEC_PATH")


def absolute(entries: str) -> str:
    """A list of folders without its empty and relative entries; may be empty."""
    return os.pathsep.join(entry for entry in entries.split(os.pathsep) if os.path.isabs(entry))


def search_path() -> str:
    """The operator's PATH without such entries; the system's usual one if nothing else is left."""
    return absolute(os.environ.get("PATH", "")) or os.defpath


def which(name: str) -> str | None:
    """The absolute path of the program that this name finds on `search_path()`, or None.

    A `name` with a slash in it is a path, from the current folder if it is relative.
    """
    folders = [""] if os.path.dirname(name) else search_path().split(os.pathsep)
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return None


def environment() -> dict[str, str]:
    """Our environment for a program that we start: without such entries.

    PATH stays there: without it, some programs search the current folder.
    """
    found, changed = dict(os.environ), _changed()
    found.update(changed)
    return {name: value for name, value in found.items() if value or name not in changed}


def clean_environment() -> None:
    """Make our environment such a one: libraries that we use start programs too, by their names."""
    for name, value in _changed().items():
        if value:
            os.environ[name] = value
        else:
            del os.environ[name]


def _changed() -> dict[str, str]:
    """The variables that `environment` changes; those without a value are left out there."""
    found = {"PATH": search_path()}
    found |= {name: absolute(os.environ[name]) for name in LISTS if name != "PATH" and name in os.environ}
    found |= {name: "" for name in FOLDERS if not os.path.isabs(os.environ.get(name, os.sep))}
    return {name: value for name, value in found.items() if os.environ.get(name) != value}
