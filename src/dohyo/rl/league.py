"""A league of opponents for a learner: who plays is drawn by rating, anew for each match, and ratings follow results.

    league = League({"random": "random", "first": flat_policy, "net": Batched(network)}, draw="close")
    envs = dohyo.rl.VectorEnv("drop-block", 256, opponents=league)
    ...
    league.add("after 1M steps", Batched(snapshot))

Ratings are Elo's, of the learner against its opponents in this training, and only there to draw by: for strength that
can be published, play a contest. Results count one by one, so a learner that improves is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from dohyo.rl.opponents import Opponent, can_play

START = 1000.0
STEP = 16.0  # Elo points that a surprise of 1 moves both
DRAWS = ("close", "hard", "even")


class Batched:
    """An opponent that decides for many games at once: `function(observations, masks)` returns their actions.

    `observations` are (k, planes, ...), `masks` (k, actions) int8, the actions (k,) whole numbers.
    """

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self.many = function

    def __call__(self, observation: Any, mask: Any) -> int:
        """The action in one game: so it plays wherever a policy does."""
        return int(numpy.asarray(self.many(observation[None], mask[None]))[0])


class League:
    """Opponents by name, with ratings; given as `opponents`, it draws one for each other seat of each match.

    `draw` says how: "close" those that are as strong as the learner (odds p (1 - p), where p is how often it should
    win), "hard" those that beat it (odds (1 - p) squared: prioritised fictitious self-play), "even" all alike.
    """

    def __init__(self, members: Mapping[str, Opponent], draw: str = "close") -> None:
        """Raises `ValueError` without members or for another `draw`, `TypeError` for who cannot play."""
        if draw not in DRAWS:
            raise ValueError(f"draw is one of {', '.join(DRAWS)}, not {draw!r}")
        if not members:
            raise ValueError("a league has at least one member")
        self.draw_by = draw
        self.players: dict[str, Opponent] = {}
        self.ratings: dict[str, float] = {}
        self.matches: dict[str, int] = {}
        self.learner = START
        for name, player in members.items():
            self.add(name, player, START)

    def add(self, name: str, player: Opponent, rating: float | None = None) -> None:
        """Another member, from the next match on; without a `rating`, it has the learner's, as a copy of it should.

        Raises `ValueError` for a name that is taken, `TypeError` for who cannot play.
        """
        if name in self.players:
            raise ValueError(f"the league has a member {name!r} already")
        if not can_play(player):
            raise TypeError(f"an opponent is 'random', a function, a bot by its name, or a dohyo.Bot, not {player!r}")
        self.players[name] = player
        self.ratings[name] = self.learner if rating is None else rating
        self.matches[name] = 0

    def expected(self, name: str) -> float:
        """The share of points that the learner should win against this member."""
        return float(1 / (1 + 10 ** ((self.ratings[name] - self.learner) / 400)))

    def odds(self) -> dict[str, float]:
        """How likely each member is to be drawn."""
        shares = {name: self.expected(name) for name in self.players}
        weights = {
            name: {"close": p * (1 - p), "hard": (1 - p) ** 2, "even": 1.0}[self.draw_by] + 1e-6
            for name, p in shares.items()
        }
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}

    def draw(self, count: int, chance: Any) -> list[str]:
        """`count` members, drawn with NumPy's generator `chance`; one may be drawn repeatedly."""
        odds = self.odds()
        return [str(name) for name in chance.choice(list(odds), count, p=list(odds.values()))]

    def record(self, names: Sequence[str], scores: Sequence[float]) -> None:
        """What the learner scored against each: 1 before it, 0 behind it, a half beside it."""
        surprises = [score - self.expected(name) for name, score in zip(names, scores, strict=True)]
        for name, surprise in zip(names, surprises, strict=True):
            self.ratings[name] -= STEP * surprise / len(names)
            self.matches[name] += 1
        self.learner += STEP * sum(surprises) / len(names)


def scores_by(places: Sequence[int], learner: int) -> list[float]:
    """What the learner's seat scored against the others, in the order of seats behind it."""
    mine, count = places[learner], len(places)
    others = [places[(learner + 1 + k) % count] for k in range(count - 1)]
    return [float(mine < other) + 0.5 * (mine == other) for other in others]
