"""Replays that anybody wrote: each way in which a command reads one."""

from __future__ import annotations

import copy
import hashlib
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

import dohyo
from dohyo import games
from dohyo.cli.options import Outputs
from dohyo.cli.replay import look_at
from dohyo.core import playback
from dohyo.core import replay_format as replays
from dohyo.core.replay import Replay
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.telling.summary import summarise
from dohyo.terminal import screen
from dohyo.terminal.faults import print_faults
from dohyo.terminal.summary import print_summary
from dohyo.web.content import content
from tests.core.matches import GAME, played
from tests.fuzz.laws import VALUES, changed, hold, reads_or_refuses

JAPANESE = Speaker("ja")

MATCH = played(turns=6)
LINES = [json.loads(line) for line in replays.encode(MATCH).splitlines()][:-1]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for key, part in inner for way in places(part, (*path, key)))]


def sealed(lines: list[Any]) -> bytes:
    """The lines as a file, with a checksum that fits."""
    body = b"".join(json.dumps(line).encode("utf-8", "surrogatepass") + b"\n" for line in lines)
    return body + b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'


@st.composite
def rewritten(draw: st.DrawFn) -> bytes:
    """A good replay in which some values stand in the place of others; its checksum fits."""
    lines = copy.deepcopy(LINES)
    for _ in range(draw(st.integers(1, 3))):
        ways = [way for way in places(lines) if way]
        # Half of the time something of the result or of the header, which most readers use as they are.
        ends = [way for way in ways if way[0] in (0, len(lines) - 1)]
        way = draw(st.sampled_from(ends) if ends and draw(st.booleans()) else st.sampled_from(ways))
        at: Any = lines
        for key in way[:-1]:
            at = at[key]
        at[way[-1]] = draw(VALUES)
    return sealed(lines)


FOUND = ("reason", "places", "scores", "winner", "last", "unfinished", "cpu")
RESULTS = st.fixed_dictionaries({}, optional=dict.fromkeys(FOUND, VALUES))


def shown(replay: Replay) -> None:
    """All that commands do with a replay."""
    game = games.find(replay.header.game)
    with redirect_stdout(io.StringIO()):
        look_at(replay, "m", Outputs(None, None, JAPANESE), verify=False, watch=True, faults=False, as_json=False)
        look_at(replay, "m", Outputs(None, None, ENGLISH), verify=False, watch=False, faults=True, as_json=True)
        look_at(replay, "m", Outputs(None, None, ENGLISH), verify=False, watch=False, faults=False, as_json=False)
        summary = summarise(replay, with_inputs=True)
        print_summary(summary, game, screen.console(), ENGLISH)
        print_faults(summary, game, screen.console(), ENGLISH)
    json.dumps(content(game, replay), allow_nan=False).encode("utf-8")
    playback.state_at(GAME, replay, replay.header.first)
    playback.verify(GAME, replay)


def read(file: bytes) -> None:
    """A replay is decoded, and shown in every way."""
    shown(replays.decode(file))


def test_any_bytes(full: bool) -> None:
    """Bytes of anybody, or of a good replay with some changed, are read or refused."""
    good = [replays.encode(MATCH), replays.encode(MATCH, compressed=True)]
    hold(lambda file: reads_or_refuses(lambda: read(file)), full, file=changed(st.sampled_from(good)))


def test_any_value_in_any_place(full: bool) -> None:
    """Any value in the place of another, with a checksum that fits, is read or refused."""
    hold(lambda file: reads_or_refuses(lambda: read(file)), full, file=rewritten())


def test_any_result(full: bool) -> None:
    """A match that was played as it says, with any result, is shown or refused."""

    def law(given: dict[str, Any]) -> None:
        lines = copy.deepcopy(LINES)
        lines[-1]["result"].update({key: value for key, value in given.items() if key != "cpu"})
        lines[-1].update({key: value for key, value in given.items() if key == "cpu"})
        reads_or_refuses(lambda: read(sealed(lines)))

    hold(law, full, given=RESULTS)


@pytest.mark.parametrize("turn", ["9" * 5000, "٣", "-1", "", "1e3"])
def test_a_turn_that_is_no_number(turn: str, tmp_path: Path) -> None:
    """What stands behind the @ of `--from` is a turn's number or refused."""
    from dohyo.cli.play_from import read_start

    dohyo.save(MATCH, tmp_path / "m.replay")
    reads_or_refuses(lambda: read_start(f"{tmp_path}/m.replay@{turn}", GAME))
