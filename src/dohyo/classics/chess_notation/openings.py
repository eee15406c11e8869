"""Where matches of chess begin: the options `variant` and `opening`, Dohyo's own openings, and books of others.

Engines play the same match again from the same start, so that matches between them need different ones. What the
option holds when a match begins is one position, which is in its replay: that stands alone, whatever book there was.
Matches of Chess960 begin with one of its 960 starts instead, by their seed, and a number is that of such a start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dohyo.classics.chess_notation import chess960, san
from dohyo.classics.chess_notation.fen import USUAL, fen, is_fen, place
from dohyo.core import seeds
from dohyo.core.game import Game
from dohyo.core.options import Option, Value, one_of

FILE = Path(__file__).with_name("openings.txt")
VARIANT, STANDARD = "variant", "standard"
NAME = "opening"
AS_USUAL, RANDOM = "usual", "random"
MOST = 500  # openings of a book; of more, so many are taken, evenly
PLIES = 16  # of a game in a book at most
MAX_MOVES = 32 * MOST  # of all lines of a book: some seconds
LONGEST_BOOK = 1 << 20  # characters
TAKES = (
    "usual, random, a number from 1 (of Chess960 from 0 to 959), a position in FEN that is not over, "
    "or @FILE with such positions (EPD, FEN) or games (PGN)"
)
ABOUT = "where a match begins; random: one of Dohyo's own openings (of Chess960 of all starts), by the match's seed"
_ASIDE = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*|^%[^\n]*|^\[[^\n]*\]\s*$|\$\d+", re.MULTILINE)
_NUMBER = re.compile(r"^\d+\.(?:\.\.)?")
_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})

Settle = Callable[[Any], None]


def options(game: Callable[[], Game]) -> tuple[Option, Option]:
    """The options `variant` and `opening` of the game that is asked for when a value is read."""
    variants = one_of(STANDARD, chess960.NAME)
    about = "which chess; in chess960 the pieces behind the pawns stand in one of 960 orders, by the match's seed"
    return (
        Option(VARIANT, STANDARD, f"{STANDARD} or {chess960.NAME}", about, variants, left_out=True),
        Option(
            NAME, AS_USUAL, TAKES, ABOUT, lambda value, setup=None: read(value, game(), setup or {}), takes_setup=True
        ),
    )


def is_chess960(setup: Mapping[str, Value]) -> bool:
    """Whether a setup is one of Chess960."""
    return setup.get(VARIANT) == chess960.NAME


def engine_variant(setup: Mapping[str, Value]) -> str:
    """The variant that engines must be told of, by XBoard's name; empty for chess."""
    return chess960.XBOARD if is_chess960(setup) else ""


def read(value: Value, game: Game, setup: Mapping[str, Value]) -> Value:
    """The value that a setup holds, whose variant is there: a word, a position, or a list of positions.

    Raises `ValueError`.
    """
    is_960 = is_chess960(setup)
    if isinstance(value, list):
        if not 0 < len(value) <= MOST or not all(isinstance(each, str) and is_fen(each, is_960) for each in value):
            raise ValueError
        return value
    if isinstance(value, bool) or not isinstance(value, str | int) or len(str(value)) > LONGEST_BOOK:
        raise ValueError
    word = str(value).strip()
    if word in (AS_USUAL, RANDOM):
        return word
    if word.isdecimal() and len(word) < 4:
        if is_960:
            return chess960.start(int(word))
        return _own_at(game, int(word) - 1) if 0 < int(word) <= len(_lines()) else _refuse()
    if is_fen(word, is_960):
        return checked(game, word, is_960)
    if (word, is_960) not in _books:
        _books.clear()  # one is kept: it is asked for again in every match
        _books[word, is_960] = _evenly(positions(game, word, is_960))
    book = _books[word, is_960]
    return (list(book) if len(book) > 1 else book[0]) if book else _refuse()


def drawn(setup: Mapping[str, Value], seed: int, game: Game) -> dict[str, Value]:
    """The setup of one match: where several positions were given, one of them, by the match's seed."""
    given, is_960 = setup.get(NAME, AS_USUAL), is_chess960(setup)
    if is_960 and given in (AS_USUAL, RANDOM):
        return {**setup, NAME: chess960.start(seeds.derived(seed, NAME) % chess960.STARTS)}
    if given != RANDOM and not isinstance(given, list):
        return dict(setup)
    number = seeds.derived(seed, NAME)
    text = _own_at(game, number % len(_lines())) if given == RANDOM else given[number % len(given)]
    return {**setup, NAME: checked(game, text, is_960)}


def begin(state: Any, setup: Mapping[str, Value], settle: Settle) -> None:
    """Write the start that a setup names into a new state; of several the usual one. Raises `ValueError`."""
    given, is_960 = setup.get(NAME, AS_USUAL), is_chess960(setup)
    place(state, given if isinstance(given, str) and given not in (AS_USUAL, RANDOM) else USUAL, is_960)
    settle(state)


def _begun(game: Game, text: str, is_960: bool) -> Any:
    """The state with which a match begins at a position."""
    return game.new_state({NAME: text, **({VARIANT: chess960.NAME} if is_960 else {})}, 2)


def checked(game: Game, text: str, is_960: bool = False) -> str:
    """The position, if a match can begin with it. Raises `ValueError`."""
    state = _begun(game, text, is_960)
    if not game.possible(state) or game.rules.over(state):
        raise ValueError
    return fen(state)


def _refuse() -> Value:
    raise ValueError


_books: dict[tuple[str, bool], list[str]] = {}  # of the last text that was read
_own: dict[int, str] = {}  # by number, once they are needed: to play all of them takes as long as many turns


def own(game: Game) -> Sequence[str]:
    """The positions of Dohyo's own openings."""
    return [_own_at(game, number) for number in range(len(_lines()))]


@cache
def _lines() -> list[str]:
    """The moves of Dohyo's own openings."""
    lines = FILE.read_text(encoding="ascii").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _own_at(game: Game, number: int) -> str:
    """The position of one of them; the first is 0."""
    if number not in _own:
        _own[number] = after(game, _lines()[number].split())
    return _own[number]


def after(game: Game, words: Sequence[str], is_960: bool = False) -> str:
    """The position after these moves from the usual start. Raises `ValueError` for one that is not legal."""
    return fen(_played(game, words, is_960)[0])


def _played(game: Game, words: Sequence[str], is_960: bool, start: str = USUAL) -> tuple[Any, int]:
    """The state after these moves, and how many they were: it ends before the match does."""
    state = _begun(game, start, is_960)
    for count, word in enumerate(words):
        action = san.read(game, state, word)
        if action is None:
            raise ValueError
        following = game.rules.LAYOUT.copy(state)
        game.rules.step(following, [action, action], None)
        if game.rules.over(following):
            return state, count
        state = following
    return state, len(words)


def positions(game: Game, text: str, is_960: bool = False) -> list[str]:
    """The positions that a text holds: a line each in EPD or FEN, a line of moves each, or games in PGN.

    Raises `ValueError` for a text that is none of these.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if "[Event" in text or any(_NUMBER.match(line) for line in lines):
        return _of_games(game, text, is_960)
    if len(lines) > MOST:
        lines = _evenly(lines)
    found: list[str] = []
    left = MAX_MOVES
    for line in lines:
        words = line.split()
        if len(words) >= 4 and "/" in words[0]:
            counts = words[4:6] if len(words) >= 6 and words[4].isdecimal() and words[5].isdecimal() else ["0", "1"]
            found.append(checked(game, " ".join([*words[:4], *counts]), is_960))
        else:
            left -= len(words)
            found.append(after(game, words, is_960) if left >= 0 else _refuse())
    return found


def _of_games(game: Game, text: str, is_960: bool) -> list[str]:
    """The positions after the first moves of games in PGN."""
    parts = [part for part in re.split(r"(?=^\[Event )", text, flags=re.MULTILINE) if part.strip()]
    found = []
    for part in _evenly(parts):
        start = re.search(r'^\[FEN "([^"\n]{1,100})"\]', part, re.MULTILINE)
        words = _words(part)
        state, _ = _played(game, words[:PLIES], is_960, checked(game, start[1], is_960) if start else USUAL)
        found.append(fen(state))
    return found


def _words(part: str) -> list[str]:
    """The moves of a game, without what stands between them; variations are left out."""
    depth, found = 0, []
    for word in re.split(r"(\(|\))|\s+", _ASIDE.sub(" ", part)):
        if word in ("(", ")"):
            depth = max(0, depth + (1 if word == "(" else -1))
        elif word and not depth and word not in _RESULTS and (move := _NUMBER.sub("", word)):
            found.append(move)
    return found


def _evenly(book: list[str]) -> list[str]:
    """At most `MOST` of a list, from all of it alike."""
    return book if len(book) <= MOST else [book[at * len(book) // MOST] for at in range(MOST)]
