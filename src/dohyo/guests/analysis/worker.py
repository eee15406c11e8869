"""The process that analyses the match of a served page, as `dohyo analyse` does.

    python -P -m dohyo.guests.analysis.worker HERE

HERE is the folder in which the command was typed. On the standard input come an `Order`, as a line of JSON, and the
bytes of the replay. On the standard output go lines of JSON, each an object:

    told       a sentence: how far it is; with `done` and `of` once positions are judged
    none       a sentence: why there is no analysis; the last line
    analysis   what the page shows (see `dohyo.web.content`), with a sentence as `note`, which may be empty; the last

The process ends when its standard input does: then whoever started it has ended, in whatever way.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from dohyo import clean, games
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.guests.analysis import chances
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.onward import onward, sample_finder
from dohyo.i18n import Speaker
from dohyo.one_file import of_a_game
from dohyo.system import interpreter
from dohyo.web.served.running import Order

OFTEN = 0.2  # seconds between two lines that say how far it is


def analyse_to(write: Callable[[dict[str, Any]], None], replay: Replay, order: Order) -> None:
    """Analyse a match; each line, as an object, goes to `write`. Raises what `analyse` does."""
    speaker, told = Speaker(order.language), -OFTEN

    def progress(done: int, of: int) -> None:
        nonlocal told
        if done < of and time.monotonic() - told < OFTEN:
            return
        told = time.monotonic()
        write({"told": speaker.say("analysis.progress", done=done, of=of), "done": done, "of": of})

    write({"told": speaker.say("analysis.start")})
    find = sample_finder(replay)
    with onward(games.find(replay.header.game), replay, find, compiled=order.compiled) as plays_on:
        found = analyse(
            replay,
            seconds=order.seconds,
            playouts=order.playouts,
            compiled=order.compiled,
            on_progress=progress,
            plays_on=plays_on,
        )
    if not found.chances:
        write({"none": speaker.say("analysis.nothing")})
        return
    note = "" if found.points else speaker.say("analysis.no-points")
    write({"analysis": chances.shown(found, games.find(found.game), replay, speaker), "note": note})


def main() -> None:
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
        analyse_to(write, decode(packed), order)
    except OperatorError as error:
        write({"none": error.say(speaker)})
    except Exception as error:
        if (mistake := of_a_game(error)) is None:
            _print_defect()
        write({"none": mistake.say(speaker) if mistake else speaker.say("served-failed")})


def _end_with_input() -> None:
    """End this process when nobody holds the other end of its standard input any more."""
    while os.read(0, 1):
        pass
    os._exit(1)


def _print_defect() -> None:
    """The traceback of a defect of ours, which may quote what strangers wrote."""
    import traceback

    sys.stderr.write(clean.block(traceback.format_exc()))


if __name__ == "__main__":
    main()
