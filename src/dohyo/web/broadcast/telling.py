"""What is told of a broadcast, as events of a stream: names, and data of JSON that any language can be made of.

match    {number, live, film, seats: [{entrant, name, place, elo}]}
turns    {rate, turns: [{change, moves, turn}]}: each frame as a difference to the one before; to nothing at first
chances  {turn, chances: [chance]}
line     {said: {key, values}, kind, seat, turn}
end      {places, reason}
table    {rows: [{entrant, name, place, figure, rated, matches}], played, total, over}
next     {matches: [[name]]}
quiet    {}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from dohyo.core.game import Game
from dohyo.i18n import Message, Speaker, all_keys, has
from dohyo.series.broadcast.lines import Line
from dohyo.series.broadcast.programme import Told
from dohyo.series.broadcast.stage import Table
from dohyo.web.differences import difference

MAX_ROWS = 40  # of the standings: more are on no screen
WORDS = ("broadcast.", "fault.", "viewer.general.", "unfinished", "adjudicated.")


class Event(NamedTuple):
    """Something that is told: its name, and its data, a text of one line. With one that `begins` a match begins."""

    name: str
    data: str
    begins: bool = False

    @property
    def sent(self) -> bytes:
        """The event as a browser reads it from the stream."""
        return f"event: {self.name}\ndata: {self.data}\n\n".encode()


class Telling:
    """Makes events of what is told, one after the other."""

    def __init__(self) -> None:
        self._frame: Any = None

    def events(self, told: Iterable[Told]) -> list[Event]:
        """The events."""
        return [Event(each.name, _json(self._values(each)), each.begins) for each in told]

    def _values(self, told: Told) -> dict[str, Any]:
        if told.name == "match":
            self._frame = None
        elif told.name == "turns":
            return {"rate": told.values["rate"], "turns": list(map(self._turn, told.values["turns"]))}
        elif told.name == "line":
            return line_told(told.values["line"])
        elif told.name == "table":
            return table_told(told.values["table"])
        return told.values

    def _turn(self, turn: dict[str, Any]) -> dict[str, Any]:
        before, self._frame = self._frame, turn["frame"]
        return {"change": difference(before, turn["frame"]), "moves": turn["moves"], "turn": turn["turn"]}


def line_told(line: Line) -> dict[str, Any]:
    """A line as it travels."""
    return {"said": _plain(line.said), "kind": line.kind, "seat": line.seat, "turn": line.turn}


def table_told(table: Table) -> dict[str, Any]:
    """The standings as they travel: the first lines."""
    rows = [
        {
            "entrant": row.entrant,
            "name": row.name,
            "place": row.place,
            "figure": f"{row.figure:.0f}" if row.is_rated else f"{row.figure:g}",
            "rated": row.is_rated,
            "matches": row.matches,
        }
        for row in table.rows[:MAX_ROWS]
    ]
    return {"rows": rows, "played": table.played, "total": table.total, "over": table.is_over}


def words(game: Game, speaker: Speaker) -> dict[str, str]:
    """The sentences that the page may say of a game; their places are filled in the browser."""
    keys = {key for key in all_keys() if key.startswith(WORDS)} | {*all_keys(game.catalogue)}
    keys |= {key for key in game.rules.REASONS.values() if has(key, game.catalogue)}
    told = speaker.knowing(game.catalogue)
    return {key: told.say(key) for key in sorted(keys)}


def _plain(message: Message) -> dict[str, Any]:
    values = {name: _plain(value) if isinstance(value, Message) else value for name, value in message.values.items()}
    return {"key": message.key, "values": values}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
