"""What a program in the sandbox sees: of the disk, and of the operator's environment.

Of the disk it sees the system's programs and libraries, and a list that it is given. Of the environment it gets
variables by name, so that none is passed on by mistake.

Everything that is not named here is hidden. If the referee runs as root, it owns the files that only root may read,
so permissions would not keep a bot from them. For example, of /etc only the files that programs need to start are
shown.

Nothing here reads what a bot's author wrote: no command, no first line of a script, no link in a hand-in. The list
(`dohyo.core.sandbox.Shown`) is made by the code that starts the program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from dohyo import languages
from dohyo.core.sandbox import OUR_PREFIX, PARAMETER_PREFIX, Mount, Shown
from dohyo.system.search_path import absolute

# The variables of the operator's environment that a bot gets, the same in every command, in a sandbox or not
# (docs/bots.md). Variables that change how a language's programs behave (PYTHONUNBUFFERED, NODE_OPTIONS,
# JAVA_TOOL_OPTIONS, ...) are not included: a bot must play equally well from every shell.
SANDBOX_VARIABLES = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "DOHYO_SEED", "DOHYO_TURN", "DOHYO_BUILD", "DOHYO_BUILD_SECONDS"),
        *("DOHYO_GAME", "DOHYO_SETUP", "DOHYO_LIMIT", "DOHYO_FIRST_LIMIT", "DOHYO_CLOCK_MODE"),
        *("DOHYO_WALL_LIMIT", "DOHYO_BANK"),
        "DOHYO_GAMES",
        *(*languages.HOMES, "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"),
        *(*languages.DEBUG_SETTINGS, *languages.STACK_SETTINGS, "PYTHONHASHSEED"),
        # A script may start a language of our own guests, whatever its own is, and guests are not looked up for each
        # match: so these are passed on to every bot.
        *("JAVA_HOME", "DOTNET_ROOT", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO", "MSBUILDDISABLENODEREUSE"),
    }
)
# Without a sandbox, also the variables that say where a program finds its own files, and ours.
UNSANDBOXED_VARIABLES = frozenset({"HOME", "USER", "LOGNAME", "TMPDIR"})


def variables_of(language: languages.Language) -> frozenset[str]:
    """The variables that a language's programs read: where it is installed, and what its row sets for them."""
    settings = (*language.debug_settings, *language.build_settings, *language.stack_settings)
    return frozenset({name for name, _ in settings} | ({language.home.variable} if language.home else set()))


def variables_for(programs: Iterable[str]) -> frozenset[str]:
    """The variables of the languages that guests bring, for a bot that uses these programs, paths or names."""
    return frozenset().union(*map(variables_of, languages.brought_for(programs)))


def sandboxed_environment(environment: Mapping[str, str], more: frozenset[str] = frozenset()) -> dict[str, str]:
    """The part of an environment that a bot gets in a sandbox; `more` are variables of its language."""
    return {
        name: value
        for name, value in environment.items()
        if name in SANDBOX_VARIABLES or name in more or name.startswith(("LC_", PARAMETER_PREFIX))
    }


def unsandboxed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of our environment that a bot gets without a sandbox; a sandbox passes on a part of that."""
    more = {
        name: value
        for name, value in environment.items()
        if name in UNSANDBOXED_VARIABLES or name.startswith(OUR_PREFIX)
    }
    found = {**sandboxed_environment(environment), **more}
    return {name: value for name, value in found.items() if not name.startswith(PARAMETER_PREFIX)}


def homes_for(programs: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Where guests' languages are installed, by the operator's environment: for a bot that uses these programs."""
    homes = (row.home.variable for row in languages.brought_for(programs) if row.home is not None)
    return {name: environment[name] for name in homes if name in environment}


def settings_for(programs: Iterable[str], *, debug: bool = False, asks_where: bool = False) -> dict[str, str]:
    """What a bot that uses these programs is told for its language, with the values.

    For a `debug` build the settings of those; with `asks_where` what makes programs print where they are when SIGABRT
    ends them.
    """
    if not debug and not asks_where:
        return {}
    rows = languages.brought_for(programs)
    told = {**languages.DEBUG_SETTINGS, **dict(pair for row in rows for pair in row.debug_settings)} if debug else {}
    if asks_where:
        told |= {**languages.STACK_SETTINGS, **dict(pair for row in rows for pair in row.stack_settings)}
    return told


# --- the disk

# The system's own folders, where programs and libraries lie. What else is installed elsewhere (/opt, a home folder)
# is shown only as far as the row of a bot's language leads there.
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"),
    "/var/lib/ghc",
)
# The files of /etc that programs need to start, `*` for any ending. No user names, keys or addresses; each costs a
# mount at every start, so those of guests' languages are shown where these are used; of our own guests, which a
# script in any language may start, everywhere.
SETTINGS = (
    *("ld.so.cache", "alternatives", "localtime", "ssl/openssl.cnf", "java-*", "mono", "ghc"),
    *languages.SETTINGS,
)
# Folders with too much in them: never shown whole, even if they are named.
WIDE = ("/", "/tmp", "/var", "/var/tmp", "/home", "/root", "/srv", "/mnt", "/media", "/run", "/etc", "/opt", "/proc")
SEARCHED = frozenset({"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH"})  # lists of folders
OURS = str(Path(__file__).parent.parent)  # what Dohyo adds to a language is here
MAX_LINKS = 40  # in one chain, as many as the kernel follows
TEMPORARY = "/tmp"  # the sandbox's own
SETTINGS_OF_VENV = "pyvenv.cfg"
# What an environment of Python consists of. It may have been made in the root folder of a project, beside other
# files.
VENV = ("bin", "include", "lib", "lib64", "share", SETTINGS_OF_VENV)


class View(msgspec.Struct, frozen=True):
    """What is shown, folders before their content; links to be made like the system's; the folder to start in.

    `variables` are those of the environment that the program reads for its language, beside the usual ones.
    """

    mounts: tuple[Mount, ...]
    links: dict[str, str]
    folder: str
    variables: frozenset[str] = frozenset()

    @property
    def readable(self) -> tuple[str, ...]:
        """The machine's paths that can be read only."""
        return tuple(mount.source for mount in self.mounts if not mount.writable)

    @property
    def writable(self) -> tuple[Mount, ...]:
        """What can be written to."""
        return tuple(mount for mount in self.mounts if mount.writable)


def view(shown: Shown, environment: Mapping[str, str]) -> View:
    """What a program sees for this list. `environment` is the operator's."""
    links = {path: os.readlink(path) for path in SYSTEM if os.path.islink(path)}
    paths = [path for path in SYSTEM if path not in links and os.path.isdir(path) and os.listdir(path)]
    rows = languages.brought_for(shown.programs)
    paths += _settings((*SETTINGS, *(name for row in rows for name in row.settings)))
    for program in shown.programs:
        paths += [*installation(program), *_homes(program, environment)]
    if sys.executable in shown.programs:
        paths += _importable()
    behind = tuple(f"{path}/" for path in links)  # already shown at the link's target
    system = _needed(path for path in paths if not path.startswith(behind))
    given = [mount for mount in shown.mounts if mount.writable or not (_is_within(mount, system) or _is_wide(mount))]
    # A folder is mounted after the one that contains it; of two for one place the later counts, which is the given
    # one.
    by_target = {**{path: Mount(path, path) for path in system}, **{mount.target: mount for mount in given}}
    mounts = tuple(by_target[target] for target in sorted(by_target))
    return View(mounts, links, shown.folder, variables_for(shown.programs))


def _is_wide(mount: Mount) -> bool:
    """Whether it would show, in its own place, a folder that holds far more than was meant."""
    return mount.source == mount.target and os.path.isdir(mount.source) and is_wide(mount.source)


def _is_within(mount: Mount, system: Iterable[str]) -> bool:
    """Whether it is shown already, in its own place."""
    return mount.source == mount.target and any(_contains(path, mount.source) for path in system)


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _homes(program: str, environment: Mapping[str, str]) -> list[str]:
    """Where the operator says that a program's language is installed."""
    found = []
    brought = {row.home.variable: row.home.programs for row in languages.brought_for([program]) if row.home}
    for variable, programs in (languages.HOMES | brought).items():
        place = environment.get(variable, "")
        if os.path.basename(program) in programs and os.path.isabs(place) and os.path.isdir(place):
            found += [] if is_wide(place) else [os.path.normpath(place)]
    return found


def _importable() -> list[str]:
    """Where our own interpreter finds this package: in its installation, or in a checkout.

    The interpreter lists the folder above to find the package. That folder is not shown if it holds other things too.
    """
    above = os.path.dirname(OURS)
    return [OURS if is_wide(above) else above]


def kept(environment: Mapping[str, str], home: str = TEMPORARY, more: frozenset[str] = frozenset()) -> dict[str, str]:
    """The variables of our environment that a bot gets: none that may be secret. `more` are those of its language."""
    own = sandboxed_environment(environment, more)
    for name in SEARCHED & own.keys():  # an empty entry means the current folder, which may hold a stranger's files
        own[name] = absolute(own[name])
        if not own[name]:
            del own[name]
    toolchains = os.path.expanduser("~/.rustup")  # searched for in a home folder, which the sandbox does not have
    if os.path.isdir(toolchains):
        own.setdefault("RUSTUP_HOME", toolchains)
    return {**own, "HOME": home, "TMPDIR": home}


def is_wide(folder: str) -> bool:
    """Whether a folder holds the files of many things: for example a home folder, or one above it."""
    path = os.path.realpath(folder)
    homes = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.environ.get("DOHYO_CACHE", "/"))}
    above = any(_contains(path, home) for home in homes)
    return above or path in WIDE or os.path.dirname(path) in ("/home", "/Users")


def installation(program: str) -> list[str]:
    """The folders that one of the operator's programs needs, if it is outside the system's folders.

    For `PREFIX/bin/program` that is PREFIX: interpreters that a person builds or downloads are installed in this way.
    For a Python environment it is only what belongs to the environment: a file with the name of its settings can only
    reduce what is shown. Every link on the way to the program is followed: none of this was made by a stranger.
    """
    found: list[str] = []
    path = program
    for _ in range(MAX_LINKS):
        folder = os.path.dirname(path)
        prefix = os.path.dirname(folder)
        own = os.path.basename(folder) in ("bin", "sbin") and not is_wide(prefix) and not _is_shared(prefix)
        found += _parts(prefix) if own else [path]
        if os.path.basename(prefix) == ".cargo":  # the rustc there only searches for the real one
            found.append(os.environ.get("RUSTUP_HOME", os.path.join(os.path.dirname(prefix), ".rustup")))
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(folder, os.readlink(path)))
    return [each for each in found if os.path.isfile(each) or (os.path.isdir(each) and not is_wide(each))]


def _parts(prefix: str) -> list[str]:
    """The parts of an installation's folder that are shown."""
    if not os.path.lexists(os.path.join(prefix, SETTINGS_OF_VENV)):
        return [prefix]
    return [os.path.join(prefix, name) for name in VENV]


def _is_shared(prefix: str) -> bool:
    """Whether a folder holds the files of many programs, and personal files too."""
    return os.path.basename(prefix) in (".local", ".cargo", ".config", ".cache")


@cache
def _settings(wanted: tuple[str, ...]) -> tuple[str, ...]:
    names = [name for name in wanted if not name.endswith("*")]
    beginnings = tuple(name[:-1] for name in wanted if name.endswith("*"))
    try:
        names += [name for name in os.listdir("/etc") if name.startswith(beginnings)]
    except OSError:
        return ()
    # A link may lead anywhere; its target is shown if that belongs to the system.
    paths = [Path("/etc", name) for name in names]
    return tuple(str(path) for path in paths if path.exists() and os.access(path, os.R_OK))


def _needed(paths: Iterable[str]) -> tuple[str, ...]:
    """The paths in order, each once, without those inside another one."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not any(_contains(other, path) for other in found):
            found.append(path)
    return tuple(found)
