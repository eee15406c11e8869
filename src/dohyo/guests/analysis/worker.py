"""The process that analyses the match of a served page, as `dohyo analyse` does.

    python -P -m dohyo.guests.analysis.worker HERE

What comes in and goes out says `dohyo.web.served.working`; an analysis is what the page shows (`dohyo.web.content`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dohyo import games
from dohyo.core.replay import Replay
from dohyo.guests.analysis import chances
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.sentences import trying_in_words
from dohyo.guests.analysis.trials import Trying
from dohyo.i18n import Speaker
from dohyo.series.onward import onward, sample_finder
from dohyo.web.served.running import Order
from dohyo.web.served.working import work

OFTEN = 0.2  # seconds between two lines that say how far it is


def analyse_to(write: Callable[[dict[str, Any]], None], replay: Replay, order: Order) -> None:
    """Analyse a match; each line, as an object, goes to `write`. Raises what `analyse` does."""
    speaker, told, steps = Speaker(order.language), -OFTEN, {"done": 0, "of": 1}
    trying: Trying | None = None

    def on_progress(done: int, of: int) -> None:
        nonlocal told
        steps.update(done=done, of=of)
        if trying is not None or (done < of and time.monotonic() - told < OFTEN):
            return
        told = time.monotonic()
        write({"told": speaker.say("analysis.progress", done=done, of=of), **steps})

    def on_try(one: Trying | None) -> None:
        nonlocal trying
        trying = one
        if one is not None:
            write({"told": trying_in_words(one, time.monotonic(), speaker), **steps})

    write({"told": speaker.say("analysis.start-compiles" if order.compiled else "analysis.start")})
    find = sample_finder(replay)
    with onward(games.find(replay.header.game), replay, find, compiled=order.compiled) as plays_on:
        found = analyse(
            replay,
            seconds=order.seconds,
            playouts=order.playouts,
            compiled=order.compiled,
            on_progress=on_progress,
            on_try=on_try,
            plays_on=plays_on,
        )
    if not found.chances:
        write({"none": speaker.say("analysis.nothing")})
        return
    note = "" if found.points else speaker.say("analysis.no-points")
    write({"analysis": chances.shown(found, games.find(found.game), replay, speaker), "note": note})


if __name__ == "__main__":
    work(analyse_to)
