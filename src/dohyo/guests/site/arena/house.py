"""The bots that a ladder begins with: a game's sample bots, so that who hands in first has somebody to meet."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

from dohyo import bots, games
from dohyo.core.bot_spec import BotSpec, Sample
from dohyo.core.game import Chance, Game
from dohyo.core.options import Value, resolve

TABLE = 4  # bots of a ladder's match, where a game allows several numbers
SLOW = frozenset({"sensei", "searcher"})  # samples that think: a ladder needs no such measure in each match


LONGEST_TURN = 1.0  # seconds: with ten, a slow bot would keep a ladder's matches for an hour


def clock_of(name: str, own: str = "") -> str | None:
    """The clock of a ladder: its own one, or the game's usual one, at most one second a turn."""
    if own:
        return own
    usual = games.find(name).usual_clock(())
    return None if usual.limit(is_first=False) <= LONGEST_TURN else str(LONGEST_TURN)


def table_of(game: Game) -> int:
    """How many bots meet in a ladder's match."""
    return max(game.seats[0], min(TABLE, game.seats[1]))


def begins_alike(game: Game, given: Mapping[str, Value] | None = None) -> bool:
    """Whether all matches with this setup (by default the usual one) begin alike, and no dice move in them."""
    setup = resolve(game.options, given or {}, game.catalogue)
    return game.chance is Chance.NEVER and all(game.draw_setup(setup, seed) == setup for seed in range(2))


def is_doubled(game: Game) -> bool:
    """Whether a ladder begins with a sample bot more than once, as its matches have more seats."""
    return any(isinstance(bot, Sample) and bot.name != name for name, bot in house(game.name).items())


def house(name: str) -> dict[str, BotSpec]:
    """The bots that every ladder of a game begins with, by name: its sample bots, each of them once.

    Where a match has more seats, some play under several names: a ladder begins with as many as a match has.
    """
    game = games.find(name)
    samples = [one for one in bots.samples_of(game) if "." not in one and one not in SLOW]
    table = table_of(game)
    found: dict[str, BotSpec] = {}
    for number, sample in zip(range(max(len(samples), table)), cycle(samples), strict=False):
        again = number // len(samples)
        found[f"{sample} {again + 1}" if again else sample] = Sample(sample)
    return found
