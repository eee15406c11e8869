"""The program `koth`: a folder of bots, some games with all of them, the challenge's leaderboard.

Theory of operation
-------------------
A pure state machine (see `dohyo.core.dialogue`). No bot is excluded for playing badly: a bot that fails in its test
game is reported and plays, and rests in the turns in which it fails; only a bot that cannot be built or started is
omitted.

After each game the leaderboard so far is stored as a file, so that an interrupted contest has one. An interrupted
game does not count, and neither does one in which Dohyo itself was stopped for a time at every attempt.

Each game has a seed of its own, which follows from the contest's seed and the game's number (`seed_of`). With it,
`dohyo play` repeats a single game.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from dohyo import clean
from dohyo.core.dialogue import (
    Command,
    Entrants,
    Examine,
    Keep,
    Lapse,
    Machine,
    Play,
    Played,
    Print,
    Request,
    Takes,
)
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, Value, one_of, whole
from dohyo.core.seeds import derived
from dohyo.games.abotcalypse.outcome import CATALOGUE
from dohyo.games.abotcalypse.setup import MAX_TURNS
from dohyo.i18n import Message

LEADERBOARD = "leaderboard.txt"
NAME_WIDTH = 20
SCORE_WIDTH = 3
MAX_GAMES = 1000
SURVIVED = "abotcalypse.survived"  # the result of a bot that still lives
EXAMINED = 5  # turns of a game that shows whether a bot works at all
EARLY = 5  # who dies within the first fifth of the turns dies early

Steps = Generator[Request, Any, None]


def seed_of(contest: int, number: int) -> int:
    """The seed of a contest's game, 0 to 2**63 - 1; games count from 1."""
    return derived(contest, "koth", number)


def leaderboard(scores: Mapping[str, Sequence[int]]) -> list[str]:
    """The challenge's own: for each bot name, score in each game, sum; the highest sum first, equal ones as given."""
    ranked = sorted(scores.items(), key=lambda entry: -sum(entry[1]))
    return [_line(name, games) for name, games in ranked]


def _line(name: str, games: Sequence[int]) -> str:
    summands = "+".join(str(score).rjust(SCORE_WIDTH) for score in games)
    return f"{clean.line(name).ljust(NAME_WIDTH)} -> {summands} = {sum(games)}"


class Hill:
    """The state of the contest: who takes part, what they scored, how often they failed."""

    def __init__(self, seed: int, options: Mapping[str, Value]) -> None:
        self.seed = seed
        self.games: int = options["n"]
        self.setup = {"turns": options["turns"], "rules": options["rules"]}
        self.scores: dict[str, list[int]] = {}
        self.lapses: dict[tuple[str, str, bool], list[tuple[int, int]]] = {}  # (game, turn) by bot, kind, answered
        self.survivors = 0  # over all games
        self.early = 0

    def run(self) -> Machine:
        """The whole contest; the exit status."""
        yield from self.gather()
        for number in range(1, self.games + 1):
            played = yield Play(tuple(self.scores), number, seed_of(self.seed, number), self.setup)
            if played is None:
                break
            if played.disturbed:
                yield Message("koth.disturbed", {"number": number, "games": self.games})
            else:
                yield from self.count(number, played)
        yield from self.close()
        return 0

    def gather(self) -> Steps:
        """Find out who takes part: everybody whose bot can be started."""
        for entrant in (yield Entrants()):
            if entrant.refusal:
                yield Message("koth.left-out", {"bot": entrant.name, "reason": entrant.refusal})
                for line in entrant.log:
                    yield Print(f"    {line}")
            else:
                self.scores[entrant.name] = []
        if not self.scores:
            raise OperatorError("koth.nobody")
        for name in self.scores:
            for finding in (yield Examine(name, {**self.setup, "turns": EXAMINED})):
                yield Message("koth.finding", {"bot": name, "finding": finding})
        yield Message("koth.begins", {"bots": len(self.scores), "games": self.games, "turns": self.setup["turns"]})

    def count(self, number: int, played: Played) -> Steps:
        """Count one game, report it, and store the leaderboard so far."""
        for name, scores in self.scores.items():
            score = int(played.scores[name])
            lives = played.fates[name] == SURVIVED
            scores.append(score)
            self.survivors += lives
            self.early += not lives and score * EARLY <= self.setup["turns"]
        for lapse in played.lapses:
            self.note(number, lapse)
        scored = ", ".join(f"{name} {scores[-1]}" for name, scores in self.scores.items())
        yield Message("koth.game", {"number": number, "games": self.games, "scores": scored})
        yield Keep(LEADERBOARD, "".join(f"{line}\n" for line in leaderboard(self.scores)))

    def note(self, number: int, lapse: Lapse) -> None:
        """Remember a fault."""
        self.lapses.setdefault((lapse.bot, lapse.kind, lapse.answered), []).append((number, lapse.turn))

    def close(self) -> Steps:
        """The faults, advice for the next contest, and the leaderboard; of games that were finished."""
        if not self.played:
            return
        for (bot, kind, answered), places in sorted(self.lapses.items()):
            game, turn = places[0]
            key = f"koth.{'lapse' if len(places) == 1 else 'lapses'}{'-answered' if answered else ''}"
            fault = Message(f"fault.{kind}")
            yield Message(key, {"bot": bot, "turns": len(places), "fault": fault, "game": game, "turn": turn})
        lives = self.played * len(self.scores)
        if self.survivors * 2 > lives and self.setup["turns"] < MAX_TURNS:
            turns = min(MAX_TURNS, 2 * self.setup["turns"])
            yield Message("koth.more-turns", {"survived": self.survivors, "lives": lives, "turns": turns})
        if self.early * 2 > lives and self.games < MAX_GAMES:
            early = self.setup["turns"] // EARLY
            games = min(MAX_GAMES, 2 * self.games)
            yield Message("koth.more-games", {"died": self.early, "lives": lives, "early": early, "games": games})
        yield Print("")
        for line in leaderboard(self.scores):
            yield Print(line)

    @property
    def played(self) -> int:
        """Games that were finished."""
        return min(len(scores) for scores in self.scores.values())


KOTH = Command(
    "koth",
    "every bot of a folder in some games, and the challenge's leaderboard",
    lambda seed, options: Hill(seed, options).run(),
    takes=Takes.FOLDER,
    options=(
        Option("n", 10, f"1 to {MAX_GAMES}", "games", whole(1, MAX_GAMES)),
        Option("turns", 500, f"1 to {MAX_TURNS}", "turns of a game", whole(1, MAX_TURNS)),
        Option("rules", "post", "post or classic", "which rules", one_of("post", "classic")),
    ),
    clock="challenge",
    catalogue=CATALOGUE,
)
