"""What engines write of their search, read as a chance. No input or output.

A chance is what the seat to move may expect: a win is 1, a draw one half. Where an engine tells `wdl` (how many of
1000 games it would win, draw and lose, `UCI_ShowWDL`), it is that. Otherwise it comes from the score in hundredths of
a pawn: 1 / (1 + 10 ** (-score / 400)), which Sune Fischer and Pradu Kannan found for an advantage in material in
405,460 games of engines (https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo). Curves that were
fitted to games of people are flatter: between engines a pawn is worth more. A mate is 1 or 0.
"""

from __future__ import annotations

import re
from collections import deque
from typing import NamedTuple

from dohyo.guests.engines import xboard_protocol
from dohyo.guests.engines.xboard_protocol import THOUGHT

TENFOLD = 400  # hundredths of a pawn by which the odds are ten times as good
FAR = 20_000  # hundredths of a pawn: whatever is beyond is as good as won
LATEST = 3  # scores of a search, of different depths, between whose chances its bounds lie
IN_ALL = 1000  # games of a `wdl`
_DEPTH = re.compile(rb"\bdepth (\d{1,4})\b")
_SCORE = re.compile(rb"\bscore (cp|mate) (-?\d{1,9})\b( (?:lower|upper)bound\b)?")
_WDL = re.compile(rb"\bwdl (\d{1,4}) (\d{1,4}) (\d{1,4})\b")
_NUMBER = re.compile(rb"\d{1,4}\.*")


class Score(NamedTuple):
    """A score of a search: the chance that it means, how deep the search was, the mate if it is one; and whether the
    chance may be more or less than that (`is_bound`)."""

    chance: float
    depth: int
    mate: int | None = None
    is_bound: bool = False


def chance_of(hundredths: int) -> float:
    """The chance that a score in hundredths of a pawn means."""
    return 1 / (1 + 10 ** (-max(-FAR, min(FAR, hundredths)) / TENFOLD))


def of_uci(line: bytes) -> Score | None:
    """The score of an `info` line, of the main line only; none if it has none."""
    told = line.partition(b" pv ")[0]
    if b" multipv " in told and b" multipv 1 " not in told + b" ":
        return None
    found, depth = _SCORE.search(told), _DEPTH.search(told)
    if found is None:
        return None
    deep, value, is_bound = int(depth[1]) if depth else 0, int(found[2]), found[3] is not None
    if found[1] == b"mate":
        return Score(float(value > 0), deep, value, is_bound)
    if wdl := _WDL.search(told):
        won, drawn, lost = map(int, wdl.groups())
        if won + drawn + lost == IN_ALL:
            return Score((won + drawn / 2) / IN_ALL, deep, None, is_bound)
    return Score(chance_of(value), deep, None, is_bound)


def of_xboard(line: bytes) -> tuple[Score, bytes] | None:
    """The score of a line of thought, and the first move of its main line; none if it is no such line."""
    found = THOUGHT.match(line)
    if found is None:
        return None
    depth, value = int(found[1]), int(found[2])
    words = [word for word in found[5].split(maxsplit=4)[:4] if not _NUMBER.fullmatch(word)]
    first = words[0] if words else b""
    if (far := abs(value) - xboard_protocol.MATE) > 0:
        return Score(float(value > 0), depth, far if value > 0 else -far), first
    return Score(chance_of(value), depth), first


class Search:
    """The latest scores of one search, one for each depth."""

    def __init__(self) -> None:
        self._scores: deque[Score] = deque(maxlen=LATEST)

    def add(self, score: Score) -> None:
        """A score came. Of a depth the last one counts, but one that is no bound before one that is."""
        if self._scores and self._scores[-1].depth == score.depth:
            if score.is_bound and not self._scores[-1].is_bound:
                return
            self._scores.pop()
        self._scores.append(score)

    @property
    def last(self) -> Score | None:
        """What it said last; a bound only where there is nothing else."""
        whole = [score for score in self._scores if not score.is_bound] or [*self._scores]
        return whole[-1] if whole else None

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which chances the latest ones lie; only if there is a `last` one."""
        chances = [score.chance for score in self._scores]
        return min(chances), max(chances)
