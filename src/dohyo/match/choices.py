"""What a seat may do now, in words, with the board's cells by which each action can be pointed at.

Theory of operation
-------------------
No game needs a line of code for it. Cells are found in this order:

1. In the action's text: the names that a grid has at its edges, as e2e4 of a chess board.
2. In its directions: from the seat's own piece, as the seat's own frame has it, step by step. What is one step in the
   frame, and where up is there, is learned by trying such actions.
3. Where nothing is hidden: by playing the action on a copy, and looking which cells of the first grid are others.

In a game with secrets only the first two count: what a played action does could tell what the seat cannot know. Of
the tries for the second, only the sense of two axes is kept, which is the same for all matches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core.faults import Fault
from dohyo.core.game import Frame, Game, Information, State
from dohyo.core.referee import read_reply
from dohyo.i18n import Message, Speaker

MAX_CHOICES = 500  # actions that are told; of a game with more, the first ones
MAX_TRIED = 128  # actions that are played on a copy, for their cells
MAX_CELLS = 4  # of one action
MAX_LINE = 200  # characters of a line that somebody typed

Cell = tuple[int, int]  # column, row

SCREEN: Mapping[str, Cell] = {
    **dict.fromkeys(("U", "up"), (0, -1)),
    **dict.fromkeys(("D", "down"), (0, 1)),
    **dict.fromkeys(("L", "left"), (-1, 0)),
    **dict.fromkeys(("R", "right"), (1, 0)),
}
COMPASS: Mapping[str, Cell] = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "NW": (-1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
}
NUMBER = re.compile(r"-?[0-9]{1,4}")


class Choice(msgspec.Struct, frozen=True):
    """One legal action.

    `text` is the line that a program would answer, `words` what it does, in the reader's words, `cells` the columns
    and rows of the board by which it can be pointed at, in this order; there may be none.
    """

    text: str
    words: str
    cells: list[Cell] = []


def choices(
    game: Game, state: State, seat: int, speaker: Speaker, most: int = MAX_CHOICES, seats: int | None = None
) -> list[Choice]:
    """The seat's legal actions, at most so many of them, in the order of the rules.

    `seats` is how many play, by default as many as the game has at most. `state` stays as it is.
    """
    legal = [action for _, action in zip(range(most), game.legal_actions(state, seat), strict=False)]
    texts = [str(game.protocol.text(action)) for action in legal]
    seats = game.seats[1] if seats is None else seats
    found = _cells(game, state, seat, seats, legal, texts)
    return [
        Choice(text, _words(game, text, cells, named, speaker), cells)
        for text, (cells, named) in zip(texts, found, strict=True)
    ]


def why_not(game: Game, state: State, seat: int, line: str) -> Message | None:
    """Why a line is no legal action of the seat now, as a person may be told it; none if it is one.

    It is judged exactly as a program's line would be, before it counts.
    """
    judged = read_reply(game, state, seat, line[:MAX_LINE])
    return judged.told if isinstance(judged, Fault) else None


def why_in_words(game: Game, state: State, seat: int, line: str, speaker: Speaker) -> str:
    """The sentence for why a line is no legal action of the seat now; empty if it is one."""
    reason = why_not(game, state, seat, line)
    if reason is None:
        return ""
    own = speaker.knowing(game.catalogue)
    return clean.line(own.say_any(reason) if reason.key else own.say("sitting.refused", line=line[:MAX_LINE]))


def understood(game: Game, state: State, seat: int, line: str) -> str:
    """The text of the action that a line means; empty if it means none that is legal."""
    judged = read_reply(game, state, seat, line[:MAX_LINE])
    return "" if isinstance(judged, Fault) else str(game.protocol.text(judged))


def _words(game: Game, text: str, cells: Sequence[Cell], named: bool, speaker: Speaker) -> str:
    """What an action does: the game's own words for it; where there are none, where it is done."""
    words = game.action_in_words(text, speaker)
    if words != text or named or not cells:
        return words
    column, row = cells[-1]
    return speaker.say("choice.at", action=text, row=row, column=column)


# --- cells


def _cells(
    game: Game, state: State, seat: int, seats: int, legal: Sequence[int], texts: Sequence[str]
) -> list[tuple[list[Cell], bool]]:
    """By action: its cells, and whether its text names them."""
    frame = game.frame(state, [None] * seats, (), state, seat)
    grid = _grid(frame)
    if grid is not None and (labelled := _labelled(grid, texts)) is not None:
        return [(cells, True) for cells in labelled]
    tried = _Tries(game, state, seat, seats, legal)
    if (steps := _by_steps(frame, tried, texts)) is not None:
        return [(cells, True) for cells in steps]
    if grid is None or game.information is Information.IMPERFECT:
        return [([], False)] * len(legal)
    return [(_changed(grid, _grid(after)) if after else [], False) for after in map(tried.frame, range(len(legal)))]


class _Tries:
    """Frames after actions that are played on copies, as the seat would see them; the first few only."""

    def __init__(self, game: Game, state: State, seat: int, seats: int, legal: Sequence[int]) -> None:
        self._game, self._state, self._seats, self._legal = game, state, seats, legal
        self.seat = seat
        self._others = [0] * seats
        for other in range(seats):
            if other != seat and game.rules.acts(state, other) and (may := game.legal_actions(state, other)):
                self._others[other] = may[0]

    def frame(self, at: int) -> Frame | None:
        """The frame after the action at this place; none behind the first few."""
        if at >= MAX_TRIED:
            return None
        actions = list(self._others)
        actions[self.seat] = self._legal[at]
        after = self._game.rules.LAYOUT.copy(self._state)
        self._game.rules.step(after, actions, None)
        done: list[int | None] = [None] * self._seats
        done[self.seat] = self._legal[at]
        return self._game.frame(self._state, done, (), after, self.seat)


# --- names at a board's edges


def _grid(frame: Frame) -> Mapping[str, Any] | None:
    """The field that a page's board is: the first grid, or the first layer of one; see the general drawing."""
    fields = frame.get("fields")
    if not isinstance(fields, Mapping):
        return None
    for field in fields.values():
        shape = field["shape"]
        if len(shape) == 3 or (len(shape) == 2 and not field.get("bySeat")):
            return field  # type: ignore[no-any-return]
    return None


def _labelled(grid: Mapping[str, Any], texts: Sequence[str]) -> list[list[Cell]] | None:
    """The cells that the actions' texts name by the grid's edges; none if most name none."""
    if not (edges := grid.get("edges")):
        return None
    rows, columns = ({str(label): at for at, label in enumerate(edge)} for edge in edges)
    if columns.keys() & rows.keys():  # a number could be either
        return None
    column, row = ("|".join(sorted(map(re.escape, names), key=len, reverse=True)) for names in (columns, rows))
    name = re.compile(f"({column})({row})(?![0-9])")
    found = [[(columns[left], rows[right]) for left, right in name.findall(text)][:MAX_CELLS] for text in texts]
    return found if sum(map(bool, found)) * 2 > len(found) else None


# --- directions


def _pieces(frame: Frame, seat: int) -> list[Cell]:
    """Where the seat's own pieces are in its frame: in the first list that has a place for each seat."""
    for value in frame.values():
        if isinstance(value, list) and len(value) > seat and (found := _places(value[seat])):
            return found
    return []


def _places(value: Any) -> list[Cell]:
    """The places in what a frame has for a seat: named, as pairs, or the first of a body."""
    if isinstance(value, Mapping):
        for first, second in (("x", "y"), ("column", "row")):
            if _is_place([value.get(first), value.get(second)]):
                return [(value[first], value[second])]
        bodies = [each for each in value.values() if isinstance(each, list) and each and _is_place(each[0])]
        return [(bodies[0][0][0], bodies[0][0][1])] if bodies else []
    if isinstance(value, list) and value and all(_is_place(each) for each in value):
        return [(each[0], each[1]) for each in value]
    return []


def _is_place(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)


class _Path(msgspec.Struct, frozen=True):
    """What a text says of directions: the number of the piece, and steps one after the other."""

    piece: int
    steps: tuple[Cell, ...]


def _by_steps(frame: Frame, tried: _Tries, texts: Sequence[str]) -> list[list[Cell]] | None:
    """The cells of actions that go in directions from the seat's own piece; none where actions do not."""
    pieces = _pieces(frame, tried.seat)
    if not pieces:
        return None
    words = [re.findall(r"[A-Za-z]+|-?[0-9]+", text) for text in texts]
    known = SCREEN if any(word in SCREEN for each in words for word in each) else COMPASS
    paths = [_path(each, known, len(pieces)) for each in words]
    if not any(path.steps for path in paths):
        return None
    axes = _axes(pieces, paths, tried)
    return [_walked(pieces, path, axes) for path in paths]


def _path(words: Sequence[str], known: Mapping[str, Cell], pieces: int) -> _Path:
    """The path in the words of a text: "0 NE N" of piece 0, "throw up 5", "M -1 0"."""
    if not any(word in known for word in words):
        numbers = [int(word) for word in words if NUMBER.fullmatch(word)]
        is_step = len(numbers) == 2 and all(-1 <= each <= 1 for each in numbers)
        return _Path(0, ((numbers[0], numbers[1]),) if is_step and any(numbers) else ())
    piece, steps, is_first = 0, list[Cell](), True
    for word in words:
        if (step := known.get(word)) is not None:
            steps.append(step)
            is_first = False
        elif NUMBER.fullmatch(word):
            if is_first and 0 <= int(word) < pieces:
                piece = int(word)
            elif steps:
                steps[-1] = (steps[-1][0] * int(word), steps[-1][1] * int(word))
    return _Path(piece, tuple(steps[: MAX_CELLS - 1]))


def _axes(pieces: Sequence[Cell], paths: Sequence[_Path], tried: _Tries) -> tuple[bool, int]:
    """Whether a frame's pairs are row before column; 1 where its rows grow downwards, -1 upwards, 0: not known."""
    swaps, signs = Counter[bool](), Counter[int]()
    for at, path in enumerate(paths):
        if len(path.steps) == 0 or 0 not in path.steps[0] or (after := tried.frame(at)) is None:
            continue
        then = _pieces(after, tried.seat)
        if len(then) != len(pieces):
            continue
        moved = (then[path.piece][0] - pieces[path.piece][0], then[path.piece][1] - pieces[path.piece][1])
        if moved == (0, 0) or 0 not in moved:
            continue
        is_across = path.steps[0][1] == 0
        swaps[(moved[0] == 0) == is_across] += 1
        if not is_across:
            signs[1 if (moved[0] + moved[1]) * path.steps[0][1] > 0 else -1] += 1
    return swaps[True] > swaps[False], (signs[1] > signs[-1]) - (signs[-1] > signs[1])


def _walked(pieces: Sequence[Cell], path: _Path, axes: tuple[bool, int]) -> list[Cell]:
    """The cells on a path; first the piece's own, if there are several pieces to choose from."""
    is_swapped, sign = axes
    if not path.steps or (not sign and any(down for _, down in path.steps)):
        return []
    at = pieces[path.piece]
    column, row = (at[1], at[0]) if is_swapped else at
    cells = [(column, row)] if len(pieces) > 1 else []
    for across, down in path.steps:
        column, row = column + across, row + down * sign
        cells.append((column, row))
    return cells


# --- what an action changes


def _changed(before: Mapping[str, Any], grid: Mapping[str, Any] | None) -> list[Cell]:
    """The cells of a grid by which an action that has changed them can be pointed at.

    That is where something came to an empty cell, behind the one that something has left; else all, if they are few.
    """
    if grid is None or grid["shape"] != before["shape"]:
        return []
    columns, size = before["shape"][-1], before["shape"][-1] * before["shape"][-2]
    old, new = before["values"][:size], grid["values"][:size]
    changed = [at for at in range(size) if old[at] != new[at]]
    came = [at for at in changed if not old[at]]
    left = [at for at in changed if not new[at]]
    chosen = [*left, *came] if len(left) == len(came) == 1 else came if len(came) == 1 else changed
    return _as_cells(chosen if len(chosen) <= MAX_CELLS else [], columns)


def _as_cells(places: Iterable[int], columns: int) -> list[Cell]:
    return [(at % columns, at // columns) for at in places]
