"""The challenge's own leaderboard, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dohyo import clean

NAME_WIDTH = 20
SCORE_WIDTH = 3


def leaderboard(scores: Mapping[str, Sequence[int]]) -> list[str]:
    """One line for each bot: name, score in each game, sum; the highest sum first, equal ones in the given order."""
    ranked = sorted(scores.items(), key=lambda entry: -sum(entry[1]))
    return [line(name, games) for name, games in ranked]


def line(name: str, games: Sequence[int]) -> str:
    """One bot's line, whatever its name holds."""
    summands = "+".join(str(score).rjust(SCORE_WIDTH) for score in games)
    return f"{clean.line(name).ljust(NAME_WIDTH)} -> {summands} = {sum(games)}"
