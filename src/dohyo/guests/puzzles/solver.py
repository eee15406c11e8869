"""Somebody solves the puzzles of a file: which one is next, and what was tried, which is written at once."""

from __future__ import annotations

from typing import Any

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.i18n import Speaker
from dohyo.series.puzzles.file import Attempt, Written
from dohyo.series.puzzles.puzzle import Position, Puzzle, position_of
from dohyo.series.puzzles.ratings import PuzzleRatings, Rating
from dohyo.series.puzzles.telling import NAME, given_up, judged, question, rated


class Solver:
    """One solver and the puzzles of one file. Raises `OperatorError` where there is none that can be set."""

    def __init__(self, written: Written, game: str | None, name: str, speaker: Speaker) -> None:
        self._written, self.speaker = written, speaker
        self.name = clean.line(clean.storable(name), NAME)
        self._ratings = PuzzleRatings(written.known.attempts)
        self._by_game: dict[str, dict[str, Position]] = {}
        for puzzle in written.known.puzzles:
            if game in (None, puzzle.game):
                self._take(puzzle)
        if not self._by_game:
            raise OperatorError("puzzles-none", file=clean.line(written.path))
        own = [one for one in written.known.attempts if one.by == self.name and not one.is_bot]
        self._tried = {one.puzzle: None for one in own}  # in the order of the first try
        self.streak = 0
        for one in own:
            self.streak = self.streak + 1 if one.solved else 0

    def _take(self, puzzle: Puzzle) -> None:
        try:
            position = position_of(puzzle)
        except OperatorError:
            return
        self._by_game.setdefault(position.game.name, {})[position.id] = position

    @property
    def games(self) -> list[Game]:
        """The games of which there are puzzles."""
        return [next(iter(each.values())).game for _, each in sorted(self._by_game.items())]

    def next(self, game: str, after: str = "") -> dict[str, Any]:
        """The next puzzle of a game: one that was not tried, as hard as the solver is good; else the oldest try."""
        known = self._by_game[game]
        fresh = [one for key, one in known.items() if key not in self._tried]
        if fresh:
            own = self._ratings.of_solver(self.name)
            chosen = min(fresh, key=lambda one: self._far(one, own)) if own is not None and own.is_known else fresh[0]
        else:
            rest = [key for key in self._tried if key in known and key != after]
            chosen = known[rest[0]] if rest else next(iter(known.values()))
        again = chosen.id in self._tried
        told = {"tried": len(known) - len(fresh), "of": len(known), "again": again}
        if again:  # the next time, another one
            del self._tried[chosen.id]
            self._tried[chosen.id] = None
        return {**question(chosen, self.speaker), **told, **self._standing(chosen)}

    def _far(self, one: Position, own: Rating) -> float:
        rating = self._ratings.of_puzzle(one.id)
        return 1e6 if rating is None else abs(rating.points - own.points)

    def _standing(self, one: Position) -> dict[str, Any]:
        """The streak and the ratings, in words."""
        return {
            "streak": self.streak,
            "rating": rated(self._ratings.of_solver(self.name), self.speaker),
            "hard": rated(self._ratings.of_puzzle(one.id), self.speaker),
        }

    def answer(self, game: str, puzzle: str, line: str) -> dict[str, Any] | None:
        """What is said of an answer; the first one counts. None where there is no such puzzle."""
        one = self._by_game.get(game, {}).get(puzzle)
        if one is None:
            return None
        found = judged(one, line, self.speaker)
        if found.counts:
            self._note(one, found.solved)
        return {"counts": found.counts, "solved": found.solved, **found.told, **self._standing(one)}

    def solution(self, game: str, puzzle: str) -> dict[str, Any] | None:
        """The solution, for whoever gives up: that counts as a wrong answer. None where there is no such puzzle."""
        one = self._by_game.get(game, {}).get(puzzle)
        if one is None:
            return None
        self._note(one, False)
        return {"counts": False, "solved": False, **given_up(one, self.speaker), **self._standing(one)}

    def _note(self, one: Position, solved: bool) -> None:
        """Keep a first answer."""
        if one.id in self._tried:
            return
        self._tried[one.id] = None
        self.streak = self.streak + 1 if solved else 0
        attempt = Attempt(one.id, self.name, solved)
        self._written.add_attempt(attempt)
        self._ratings.take(attempt)
