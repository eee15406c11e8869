"""How a seat's program is started."""

from __future__ import annotations

import errno
from collections.abc import Mapping

import msgspec

from dohyo.core.sandbox import SandboxFactory

# What the machine refuses: nothing that a bot could be blamed for.
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})


class Launch(msgspec.Struct, frozen=True):
    """How to start one seat's program: argv, working folder, environment (the referee's own when none).

    With `a_turn` it is started anew for every turn, with the prompt as last argument; `log` is then the file in its
    folder to which its standard error is added (none when empty). `house` makes what it runs in, anew for each start
    (`dohyo.core.sandbox`); without it, the program runs with our own rights. `program` is where the command's first
    word lies on this machine; empty where it names that itself.
    """

    command: tuple[str, ...]
    folder: str
    environment: Mapping[str, str] | None = None
    a_turn: bool = False
    log: str = ""
    sandbox_factory: SandboxFactory | None = None
    program: str = ""
