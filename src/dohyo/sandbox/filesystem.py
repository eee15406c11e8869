"""What a program in the sandbox sees of the disk: the system's programs and libraries, and a list that it is given.

Everything is closed that is not named here. Whoever runs as root owns the files that only root may read, so that no
permission would keep a bot from them: /etc, say, is not shown but for the files that programs need to start.

Nothing here reads what a bot's author wrote: no command, no first line of a script, no link in a hand-in. The list
(`dohyo.core.sandbox.Shown`) is made by who starts the program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from dohyo import languages
from dohyo.core.sandbox import Mount, Shown, sandboxed_environment

# The system's own folders, where programs and libraries lie. What else is installed elsewhere (/opt, a home folder)
# is shown only as far as the row of a bot's language leads there.
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"),
    "/var/lib/ghc",
)
# What of /etc programs need to start. No names of users, no keys, no addresses; each costs a mount at every start.
SETTINGS = (
    *("ld.so.cache", "alternatives", "localtime", "ssl/openssl.cnf"),
    *(name for name in languages.SETTINGS if not name.endswith("*")),
)
SETTINGS_LIKE = tuple(name[:-1] for name in languages.SETTINGS if name.endswith("*"))  # beginnings of names in /etc
# Too wide to be shown whole, whoever names them.
WIDE = ("/", "/tmp", "/var", "/var/tmp", "/home", "/root", "/srv", "/mnt", "/media", "/run", "/etc", "/opt", "/proc")
SEARCHED = frozenset({"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH"})  # lists of folders
OURS = str(Path(__file__).parent.parent)  # what we add to a language lies here
MOST_LINKS = 40  # one behind the other, as many as the kernel follows
TEMPORARY = "/tmp"  # the sandbox's own
SETTINGS_OF_VENV = "pyvenv.cfg"
# What an environment of Python consists of. It may have been made in the root of a project, beside other things.
VENV = ("bin", "include", "lib", "lib64", "share", SETTINGS_OF_VENV)


class View(msgspec.Struct, frozen=True):
    """What is shown, parents before what lies in them; links to be made like the system's; where to start."""

    mounts: tuple[Mount, ...]
    links: dict[str, str]
    folder: str

    @property
    def readable(self) -> tuple[str, ...]:
        """The machine's paths that can be read only."""
        return tuple(mount.source for mount in self.mounts if not mount.writable)

    @property
    def writable(self) -> tuple[Mount, ...]:
        """What can be written to."""
        return tuple(mount for mount in self.mounts if mount.writable)


def view(shown: Shown, environment: Mapping[str, str]) -> View:
    """What a program sees that is given this list. `environment` is the operator's."""
    links = {path: os.readlink(path) for path in SYSTEM if os.path.islink(path)}
    paths = [path for path in SYSTEM if path not in links and os.path.isdir(path) and os.listdir(path)]
    paths += _settings()
    for program in shown.programs:
        paths += [*installation(program), *_homes(program, environment)]
    if sys.executable in shown.programs:
        paths += _importable()
    behind = tuple(f"{path}/" for path in links)  # shown already where the link leads
    system = _needed(path for path in paths if not path.startswith(behind))
    given = [mount for mount in shown.mounts if mount.writable or not (_is_within(mount, system) or _is_wide(mount))]
    # What lies in another is mounted after it, and of two for one place the later, which is the given one, counts.
    by_target = {**{path: Mount(path, path) for path in system}, **{mount.target: mount for mount in given}}
    return View(tuple(by_target[target] for target in sorted(by_target)), links, shown.folder)


def _is_wide(mount: Mount) -> bool:
    """Whether it would show a folder in its own place that holds far more than anybody names."""
    return mount.source == mount.target and os.path.isdir(mount.source) and is_wide(mount.source)


def _is_within(mount: Mount, system: Iterable[str]) -> bool:
    """Whether it is shown already, in its own place."""
    return mount.source == mount.target and any(_contains(path, mount.source) for path in system)


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _homes(program: str, environment: Mapping[str, str]) -> list[str]:
    """Where the operator says that a program's language is installed."""
    found = []
    for variable, programs in languages.HOMES.items():
        place = environment.get(variable, "")
        if os.path.basename(program) in programs and os.path.isabs(place) and os.path.isdir(place):
            found += [] if is_wide(place) else [os.path.normpath(place)]
    return found


def _importable() -> list[str]:
    """Where our own interpreter finds this package: in its installation, or in a checkout.

    The folder above is what it lists to find the package. Where other things lie there too, that is not shown.
    """
    above = os.path.dirname(OURS)
    return [OURS if is_wide(above) else above]


def kept(environment: Mapping[str, str], home: str = TEMPORARY) -> dict[str, str]:
    """The part of our environment that a bot gets: nothing that may be secret."""
    own = sandboxed_environment(environment)
    for name in SEARCHED & own.keys():  # an empty entry means the current folder, which is a stranger's
        own[name] = os.pathsep.join(entry for entry in own[name].split(os.pathsep) if os.path.isabs(entry))
        if not own[name]:
            del own[name]
    toolchains = os.path.expanduser("~/.rustup")  # looked for in a home folder, which the sandbox has none of
    if os.path.isdir(toolchains):
        own.setdefault("RUSTUP_HOME", toolchains)
    return {**own, "HOME": home, "TMPDIR": home}


def is_wide(folder: str) -> bool:
    """Whether a folder holds more than one thing's own files: a home folder, say, or one above it."""
    path = os.path.realpath(folder)
    homes = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.environ.get("DOHYO_CACHE", "/"))}
    above = any(_contains(path, home) for home in homes)
    return above or path in WIDE or os.path.dirname(path) in ("/home", "/Users")


def installation(program: str) -> list[str]:
    """What one of the operator's programs that lies outside the system's folders needs beside itself.

    In `PREFIX/bin/program` that is PREFIX: so interpreters are installed that a person builds or fetches. Of one of
    Python's environments it is what belongs to that: a file called as its settings can only make less be shown. Every
    link on the way to the program is followed: nothing of this is a stranger's.
    """
    found: list[str] = []
    path = program
    for _ in range(MOST_LINKS):
        folder = os.path.dirname(path)
        prefix = os.path.dirname(folder)
        own = os.path.basename(folder) in ("bin", "sbin") and not is_wide(prefix) and not _is_shared(prefix)
        found += _parts(prefix) if own else [path]
        if os.path.basename(prefix) == ".cargo":  # what is called rustc there only looks for the one to start
            found.append(os.environ.get("RUSTUP_HOME", os.path.join(os.path.dirname(prefix), ".rustup")))
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(folder, os.readlink(path)))
    return [each for each in found if os.path.isfile(each) or (os.path.isdir(each) and not is_wide(each))]


def _parts(prefix: str) -> list[str]:
    """What of an installation's folder is shown."""
    if not os.path.lexists(os.path.join(prefix, SETTINGS_OF_VENV)):
        return [prefix]
    return [os.path.join(prefix, name) for name in VENV]


def _is_shared(prefix: str) -> bool:
    """Whether many programs' things lie in a folder, and those of the person too."""
    return os.path.basename(prefix) in (".local", ".cargo", ".config", ".cache")


@cache
def _settings() -> tuple[str, ...]:
    names = [*SETTINGS]
    try:
        names += [name for name in os.listdir("/etc") if name.startswith(SETTINGS_LIKE)]
    except OSError:
        return ()
    # A link may lead anywhere; what is shown is what it leads to, if that is of the system.
    paths = [Path("/etc", name) for name in names]
    return tuple(str(path) for path in paths if path.exists() and os.access(path, os.R_OK))


def _needed(paths: Iterable[str]) -> tuple[str, ...]:
    """The paths in order, each once, without those that lie in another one."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not any(_contains(other, path) for other in found):
            found.append(path)
    return tuple(found)
