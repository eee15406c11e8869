"""What a boxed program can see of the disk: the system's programs and libraries, its own folder, what it is given.

Everything is closed that is not named here. Whoever runs as root owns the files that only root may read, so that no
permission would keep a bot from them: /etc, say, is not shown but for the files that programs need to start.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

# The system's own folders, where programs and libraries lie.
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"),
    "/var/lib/ghc",
)
# What of /etc programs need to start. No names of users, no keys, no addresses; each costs a mount at every start.
SETTINGS = ("ld.so.cache", "alternatives", "localtime", "mono", "ghc", "ssl/openssl.cnf", "ldc2.conf", "R", "racket")
SETTINGS_LIKE = ("java-", "php", "lua", "fpc", "ocamlfind.conf")  # beginnings of names in /etc
# Too wide to be shown because of one file in them.
WIDE = ("/", "/tmp", "/var", "/var/tmp", "/home", "/root", "/srv", "/mnt", "/media", "/run", "/etc")
LANGUAGES_OWN = ("RUSTUP_HOME", "JAVA_HOME", "GOROOT", "DOTNET_ROOT")  # name where a language is installed
KEPT = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "DOHYO_SEED", "DOHYO_TURN"),
        *(*LANGUAGES_OWN, "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"),
        *("PYTHONUNBUFFERED", "PYTHONHASHSEED", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO"),
        "MSBUILDDISABLENODEREUSE",
    }
)
OURS = str(Path(__file__).parent.parent)  # what we add to a language lies here
SHEBANG = 256  # bytes of a script's first line that the kernel reads
LONGEST = 4096  # characters of a word that may be a path
TEMPORARY = "/tmp"  # the box's own


class View(msgspec.Struct, frozen=True):
    """Paths that are shown as they are, read-only or not; links to be made in their place; the folder to start in."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]
    links: dict[str, str]
    folder: str


def view(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    writable: Sequence[str] = (),
    *,
    strange: bool = False,
    words: Sequence[str] = (),
) -> View:
    """What a program sees that is started as `command` in `folder`; of that, it may write to `writable`.

    With `strange`, the command is the bot's author's and not the operator's: no word of it opens anything, but for
    what is ours, for interpreters that are on the operator's PATH, and for installed Pythons. Further `words` are the
    operator's in any case.
    """
    links = {path: os.readlink(path) for path in SYSTEM if os.path.islink(path)}
    shown = [path for path in SYSTEM if path not in links and os.path.isdir(path) and os.listdir(path)]
    shown += _settings()
    if folder not in writable and not is_wide(folder):
        shown.append(folder)
    trusted = [word for word in command[1:] if not strange or word.startswith(OURS)]
    shown += of_words([*trusted, *words], folder)
    if os.path.isabs(command[0]) and (not strange or _is_on_path(command[0])):
        shown += installation(command[0])
    if _asks_for_us(command):
        shown += [*installation(sys.executable), *_importable()]
    if _is_on_path(reader := interpreter(command[0])):  # a file's first line is its author's
        shown += installation(reader)
    for name in LANGUAGES_OWN:
        place = environment.get(name, "")
        if os.path.isabs(place) and os.path.isdir(place) and not is_wide(place):
            shown.append(place)
    behind = tuple(f"{path}/" for path in links)  # shown already where the link leads
    # What may be written to must not be covered by its own read-only view.
    seen = (path for path in shown if not path.startswith(behind) and path not in writable)
    return View(_needed(seen), tuple(writable), links, folder)


def _asks_for_us(command: Sequence[str]) -> bool:
    """Whether a command starts our own interpreter, itself or by a line for the shell."""
    return command[0] == sys.executable or any(word.startswith(shlex.quote(sys.executable)) for word in command[1:])


def _importable() -> list[str]:
    """Where our own interpreter finds this package: in its installation, or in a checkout.

    The folder above is what it lists to find the package. Where other things lie there too, that is not shown.
    """
    above = os.path.dirname(OURS)
    return [OURS if is_wide(above) else above]


def interpreter(program: str) -> str:
    """What a script's first line starts it with, on our PATH where `env` is to look there; empty if there is none."""
    if not os.path.isfile(program):  # what is no file might make us wait
        return ""
    with suppress(OSError), open(program, "rb") as file:
        first = file.read(SHEBANG).partition(b"\n")[0]
        words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
        if words and os.path.basename(words[0]) == "env":
            named = next((word for word in words[1:] if not word.startswith("-")), "")
            return shutil.which(named) or "" if named else ""
        return words[0] if words else ""
    return ""


def _is_on_path(program: str) -> bool:
    if not os.path.isabs(program):
        return False
    folder = os.path.dirname(program)
    known = {os.path.realpath(each) for each in os.get_exec_path()}
    return os.path.realpath(folder) in known or _is_python(program)


def _is_python(program: str) -> bool:
    """Whether a program is an installed Python: the operator's `--python` need not be on the PATH."""
    prefix = Path(program).parent.parent
    named = os.path.basename(program).startswith("python")
    return named and ((prefix / "pyvenv.cfg").is_file() or any(prefix.glob("lib/python*/os.py")))


def kept(environment: Mapping[str, str], home: str = TEMPORARY) -> dict[str, str]:
    """What a bot is told of our environment: nothing that may be secret."""
    own = {name: value for name, value in environment.items() if name in KEPT or name.startswith("LC_")}
    toolchains = os.path.expanduser("~/.rustup")  # looked for in a home folder, which the box has none of
    if os.path.isdir(toolchains):
        own.setdefault("RUSTUP_HOME", toolchains)
    return {**own, "HOME": home, "TMPDIR": home}


def is_wide(folder: str) -> bool:
    """Whether a folder holds more than a bot's own things: a home folder, say, or one above it."""
    path = os.path.realpath(folder)
    homes = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(os.environ.get("DOHYO_CACHE", "/"))}
    above = any(home == path or home.startswith(path.rstrip("/") + "/") for home in homes)
    return above or path in WIDE or os.path.dirname(path) in ("/home", "/Users")


def installation(program: str) -> list[str]:
    """What a program lying outside the system's folders needs beside itself.

    In `PREFIX/bin/program` that is PREFIX: so interpreters are installed that a person builds or fetches, also
    Python's environments. Every link on the way to the program is followed.
    """
    found: list[str] = []
    path = program
    for _ in range(40):  # as many as the kernel follows
        folder = os.path.dirname(path)
        prefix = os.path.dirname(folder)
        own = os.path.basename(folder) in ("bin", "sbin") and not is_wide(prefix) and not _is_shared(prefix)
        found.append(prefix if own else path)
        if os.path.basename(prefix) == ".cargo":  # what is called rustc there only looks for the one to start
            found.append(os.environ.get("RUSTUP_HOME", os.path.join(os.path.dirname(prefix), ".rustup")))
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(folder, os.readlink(path)))
    return [each for each in found if os.path.exists(each)]


def _is_shared(prefix: str) -> bool:
    """Whether many programs' things lie in a folder, and those of the person too."""
    return os.path.basename(prefix) in (".local", ".cargo", ".config", ".cache")


def of_words(words: Sequence[str], folder: str) -> list[str]:
    """The folders of files that a command's words name, and the folders that they name."""
    found: list[str] = []
    for word in words:
        if word.startswith("pycache_prefix="):  # there lies what others' bots were compiled to
            continue
        for part in {word, *word.split(os.pathsep), word.partition("=")[2]}:
            if not part or len(part) > LONGEST or "\0" in part:
                continue
            path = os.path.normpath(os.path.join(folder, part))
            if os.path.isfile(path):
                parent = os.path.dirname(path)
                found.append(path if is_wide(parent) else parent)
            elif os.path.isabs(part) and os.path.isdir(path) and not is_wide(path):
                found.append(path)
    return found


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
        if not any(path == other or path.startswith(other.rstrip("/") + "/") for other in found):
            found.append(path)
    return tuple(found)
