"""What `dohyo doctor --mend` does: where AppArmor restricts user namespaces, it installs a profile for bubblewrap.

Ubuntu (since 23.10) forbids user namespaces to every program that has no AppArmor profile which allows them. With one
for bubblewrap alone, layers 1 and 2 work again, and for all other programs the restriction stays. The profile is
`apparmor-profile`, beside this file. Nothing is changed but this one file and what AppArmor has loaded of it; only
root can do that, so the commands are run by `sudo`, which asks for the password itself.

Bubblewrap starts any program, so whoever uses it can give user namespaces to any: that is said before the yes. The
system's bubblewrap comes first: root alone can replace it. Of the one that was installed with Dohyo, whoever can
write to a folder above it can put any program in its place, which then may make them by itself; `is_ours` says so.

What root runs is looked for where root's own programs are, and nowhere in a user's PATH.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from dohyo import clean
from dohyo.core.errors import MachineError, OperatorError
from dohyo.i18n import Message
from dohyo.sandbox import layers
from dohyo.sandbox.layers import WEAKEST_REQUIRED
from dohyo.sandbox.machine import Layer, Machine
from dohyo.system import search_path

SETTING = "kernel.apparmor_restrict_unprivileged_userns"
FOLDER, NAME = "/etc/apparmor.d", "dohyo-bwrap"
TEMPLATE = Path(__file__).with_name("apparmor-profile")
FIRST_WORDS = b"# Made by 'dohyo doctor --mend'"
SPECIAL = frozenset('"*?[]{}^@\\,\n\r')  # in a profile they are more than letters of a path
SYSTEM = ("/usr/sbin", "/usr/bin", "/sbin", "/bin")  # where root's programs are
MAX_PROFILE = 1 << 16


class Mending(msgspec.Struct, frozen=True):
    """What would be done: the profile and its file, the commands in order, for which program, and whether root alone
    can replace that one; and the commands that take it back."""

    file: str
    profile: str
    commands: tuple[tuple[str, ...], ...]
    program: str
    is_ours: bool
    undoing: tuple[tuple[str, ...], ...] = ()


def mending(machine: Machine, found: Sequence[Layer]) -> Mending | None:
    """What mends this machine; none if a layer that a contest asks for works already.

    Raises `OperatorError` for what cannot be mended so.
    """
    if any(layer.works and layer.number <= WEAKEST_REQUIRED for layer in found):
        return None
    if machine.settings.get(SETTING) != "1" or machine.root:
        raise OperatorError("mend-nothing")
    if not machine.bubblewraps:
        raise OperatorError("mend-no-bubblewrap")
    paths = [os.path.realpath(path) for path in machine.bubblewraps]
    program = next((path for path in paths if _is_roots(path)), paths[0])
    if SPECIAL & set(program) or not program.isprintable():
        raise OperatorError("mend-odd-path", path=clean.line(program))
    file = os.path.join(FOLDER, NAME)
    _check_free(file)
    parser, tee = _program("apparmor_parser"), _program("tee")
    if parser is None or tee is None or not os.path.isdir(FOLDER):
        raise OperatorError("mend-no-parser")
    first = () if os.geteuid() == 0 else (_sudo(),)
    commands = ((*first, tee, file), (*first, parser, "--replace", file))
    undoing = ((*first, parser, "--remove", file), (*first, _program("rm") or "rm", "-f", file))
    text = TEMPLATE.read_text(encoding="utf-8").replace("@{PROGRAM}", program).replace("@{FILE}", file)
    return Mending(file, text, commands, program, not _is_roots(program), undoing)


def mend(wanted: Mending) -> None:
    """Do it. Raises `OperatorError` if a command fails, or if bubblewrap still makes no sandbox.

    Then the file does not stay, which would be loaded whenever the machine starts.
    """
    was_there = os.path.lexists(wanted.file)
    content: str | None = wanted.profile
    for words in wanted.commands:
        try:
            _run(words, content)
        except MachineError:
            if content is None or (not was_there and os.path.lexists(wanted.file)):
                _undo(wanted)
            raise
        content = None
    layers.forget()
    if layers.strongest().layer > WEAKEST_REQUIRED:
        _undo(wanted)
        raise MachineError("mend-not-enough", file=wanted.file)


def _undo(wanted: Mending) -> None:
    """Take the profile back. Raises `OperatorError`, with the command that does, if its file stays."""
    unload, remove = wanted.undoing
    with suppress(MachineError):  # it may not be loaded
        _run(unload, None)
    try:
        _run(remove, None)
    except MachineError as error:
        raise MachineError("mend-left", file=wanted.file, command=_typed(remove), reason=error) from error


def _run(words: Sequence[str], content: str | None) -> None:
    """Run a command with this on its input; it may ask for a password, so no time limits it."""
    try:
        done = subprocess.run(
            words,
            input=content,
            text=True,
            stdin=None if content is not None else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=search_path.environment(),
            check=False,
        )
    except OSError as error:
        raise MachineError("mend-failed", command=_typed(words), reason=error) from error
    if done.returncode:
        said = done.stderr.strip().splitlines()
        reason = clean.line(said[-1]) if said else Message("mend.status", {"status": done.returncode})
        raise MachineError("mend-failed", command=_typed(words), reason=reason)


def _typed(words: Sequence[str]) -> str:
    import shlex

    return shlex.join(words)


def _check_free(file: str) -> None:
    """Raise `OperatorError` if something that we have not made is there."""
    with suppress(FileNotFoundError):
        try:
            with open(file, "rb") as there:
                if there.read(MAX_PROFILE).startswith(FIRST_WORDS):
                    return
        except FileNotFoundError:
            raise
        except OSError:
            pass
        raise OperatorError("mend-file-taken", file=file)


def _is_roots(path: str) -> bool:
    """Whether root alone can write to it, and to every folder that it is in: who can rename one, replaces it."""
    try:
        found = [os.stat(place) for place in (path, *map(str, Path(path).parents))]
    except OSError:
        return False
    return all(one.st_uid == 0 and not one.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for one in found)


def _program(name: str) -> str | None:
    """A program of the system's, which root may run."""
    paths = (os.path.join(folder, name) for folder in SYSTEM)
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def _sudo() -> str:
    found = _program("sudo")
    if found is None:
        raise OperatorError("mend-no-sudo")
    return found
