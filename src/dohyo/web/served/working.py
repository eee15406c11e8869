"""The process of a worker: what a module does that is started as `running.py` says.

HERE, its only word, is the folder in which the command was typed. On the standard input come an `Order`, as a line of
JSON, and the bytes of a replay. On the standard output go lines of JSON, each an object:

    told       a sentence: how far it is; with `done` and `of` once positions are judged
    none       a sentence: why there is nothing; the last line
    analysis   what was found, with a sentence as `note`, which may be empty; the last

The process ends when its standard input does: then whoever started it has ended, in whatever way.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.i18n import Speaker
from dohyo.one_file import of_a_game
from dohyo.system import interpreter
from dohyo.system.defects import print_defect
from dohyo.web.served.running import Order

Write = Callable[[dict[str, Any]], None]


def work(carry_out: Callable[[Write, Replay, Order], None]) -> None:
    """Carry out the order of the standard input."""
    interpreter.enter(sys.argv[1])
    ours = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is not for the page
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    speaker = Speaker(order.language)
    packed = sys.stdin.buffer.read(order.size)
    threading.Thread(target=_end_with_input, daemon=True).start()

    def write(line: dict[str, Any]) -> None:
        ours.write(msgspec.json.encode(line) + b"\n")
        ours.flush()

    try:
        carry_out(write, decode(packed), order)
    except OperatorError as error:
        write({"none": error.say(speaker)})
    except Exception as error:
        if (mistake := of_a_game(error)) is None:
            print_defect()
        write({"none": mistake.say(speaker) if mistake else speaker.say("served-failed")})


def _end_with_input() -> None:
    """End this process when nobody holds the other end of its standard input any more."""
    while os.read(0, 1):
        pass
    os._exit(1)
