"""aBOTcalypse, what a bot's class sees: its view, with itself as the origin of all places."""

from __future__ import annotations

from typing import Any

from dohyo.core import observation
from dohyo.core.described import found_in
from dohyo.core.flat import row_of
from dohyo.core.observation import all_actions
from dohyo.core.starter import Places
from dohyo.games.abotcalypse.protocol import EDGE as EDGE_BYTE
from dohyo.games.abotcalypse.protocol import SIGHT, text
from dohyo.games.abotcalypse.rules import ACTIONS, legal
from dohyo.games.abotcalypse.starter import ENEMIES, METEORS

EDGE = chr(EDGE_BYTE)
ALL = all_actions(tuple(map(text, range(ACTIONS))))
_LISTED = row_of(ACTIONS)
LEGAL = tuple(ALL[action] for action in _LISTED[: legal(None, 0, _LISTED)])  # the same in every state


class AbotcalypseObservation(observation.Observation, frozen=True, kw_only=True):
    """The view: `rows` of signs, the top one first, and where in them the bot is, from the left and from the top.

    Signs: `.` air, `#` the board's edge, `&` a rock, `@` a meteor, `s` itself, `e` an enemy; `S` and `E` on a rock.
    """

    rows: tuple[str, ...]
    column: int
    row: int

    def sign(self, right: int, up: int) -> str:
        """The sign of a square, so many to the right of the bot and above it; an edge where the view has ended."""
        column, row = self.column + right, self.row - up
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row]):
            return self.rows[row][column]
        return EDGE

    @property
    def enemies(self) -> list[tuple[int, int]]:
        """The enemies in sight: how far to the right and how far above. Not one in the bot's own square."""
        return self._from_here(ENEMIES)

    @property
    def meteors(self) -> list[tuple[int, int]]:
        """The meteors in sight, in the same way."""
        return self._from_here(METEORS)

    def _from_here(self, places: Places) -> list[tuple[int, int]]:
        return [(column - self.column, self.row - row) for row, column in found_in(self.rows, places)]


def observation_of(sent: Any, before: AbotcalypseObservation | None, answered: str) -> AbotcalypseObservation:
    """The rows of the view.

    They end one square outside the board. A meteor may hide the bot itself, so its place is found by the edges: it is
    `SIGHT` squares from the left and the top, unless the view was cut there; then it is so far from the other side.
    """
    rows = sent.rows
    cut_left = all(row[0] == EDGE for row in rows)
    cut_above = set(rows[0]) == {EDGE}
    return AbotcalypseObservation(
        lines=rows,
        own_turn=sent.own_turn,
        legal_actions=LEGAL,
        rows=rows,
        column=len(rows[0]) - 1 - SIGHT if cut_left else SIGHT,
        row=len(rows) - 1 - SIGHT if cut_above else SIGHT,
    )
