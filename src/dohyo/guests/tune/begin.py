"""From what the operator typed to a tuning that can be played: bots found, defaults known, the record agreed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dohyo import bots
from dohyo.bots import Bot, archive
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.executors.version import rules_of
from dohyo.guests.tune.record import Question, Record
from dohyo.guests.tune.request import TuneRequest
from dohyo.guests.tune.space import Parameter, read
from dohyo.guests.tune.tuning import Terms, Tuning
from dohyo.match.command_lines import command, with_values
from dohyo.match.found_bots import find_named
from dohyo.match.play import new_seed
from dohyo.sandbox import Sandbox
from dohyo.series.compare import seats_of


class Prepared(msgspec.Struct):
    """A tuning, the bot as it is without tuning, and the words for the bots (the tuned one's first)."""

    tuning: Tuning
    default: Bot
    words: list[str]

    def archive_of(self, bot: Bot) -> bytes:
        """What was handed in of a bot that plays, for machines that build it themselves."""
        for one in (self.tuning.bot, *self.tuning.opponents):
            if one.digest == bot.digest:
                return archive.pack(one, dict(bots.samples_of(self.tuning.game)))
        raise OperatorError("contest-bot-lost", bot=bot.name, spec=bot.digest[:12])

    def line(self, *words: str, python: str | None = None) -> str:
        """A command of `dohyo play` with these words for the bots, on the tuning's terms."""
        terms, question = self.tuning.terms, self.tuning.record.question
        clock = (question.clock if question is not None else "") or None
        again: dict[str, Any] = {"setup": terms.setup, "clock": clock, "trust": terms.sandbox == "none"}
        return command("play", self.tuning.game.name, *words, python=python, **again)

    def alone(self, seated: Sequence[Bot], seed: int, python: str | None = None) -> str:
        """What plays one match of the tuning alone; empty where a bot is at a revision, which takes no values."""
        words = [self._word(bot) for bot in seated]
        found = [word for word in words if word is not None]
        return self.line(*found, "--seed", str(seed), python=python) if len(found) == len(words) else ""

    def _word(self, bot: Bot) -> str | None:
        """What an operator types for a bot of a match."""
        _, known = parameters.parted(bot.command)
        space = self.tuning.space
        values = {
            one.name: known[parameters.variable(one.name)] for one in space if parameters.variable(one.name) in known
        }
        bots = [self.tuning.bot.digest, *(one.digest for one in self.tuning.opponents)]
        word = self.words[bots.index(bot.digest)] if bot.digest in bots else bot.name
        is_own = bot.digest == self.tuning.bot.digest and values
        return with_values(word, values) if is_own else word


def prepare(asked: TuneRequest, game: Game, terms: Terms, sandbox: Sandbox, record: Record) -> Prepared:
    """Make all ready; `terms` are without seed and seats. Without a seed it is the record's, or a new one.

    Raises `OperatorError` for whatever is wrong, before anything is written or played.
    """
    words = [asked.bot, *asked.against]
    space = read(asked.param)
    seats = seats_of(game, max(len(asked.against), 1), asked.seats)
    bot, *opponents = find_named(game, words, asked.python, sandbox, setup=terms.setup)
    space = with_known_defaults(space, bot)
    default = bot.given(parameters.words({one.name: one.default for one in space if one.default}))
    stored = record.question
    seed = asked.seed if asked.seed is not None else new_seed() if stored is None else stored.seed
    terms = msgspec.structs.replace(terms, seed=seed, seats=seats)
    tuning = Tuning(game, bot, opponents or [default], space, terms, record, plays_itself=not opponents)
    record.ask(_question(tuning, asked.clock, plays_itself=not opponents))
    return Prepared(tuning, default, words if opponents else [asked.bot, asked.bot])


def _question(tuning: Tuning, clock: str | float | None, plays_itself: bool) -> Question:
    terms = tuning.terms
    return Question(
        tuning.game.name,
        rules_of(tuning.game),
        tuning.bot.digest,
        () if plays_itself else tuple(one.digest for one in tuning.opponents),
        tuning.space,
        terms.seats,
        terms.seed,
        terms.setup,
        str(clock or ""),
        terms.pondering,
    )


def with_known_defaults(space: Sequence[Parameter], bot: Bot) -> tuple[Parameter, ...]:
    """The parameters, with the defaults that the bot's own command gives.

    Raises `OperatorError` where the command has a place for a value and nobody says what stands there by default.
    """
    _, own = parameters.parted(bot.command)
    places = parameters.places(bot.command)
    found = []
    for one in space:
        said = own.get(parameters.variable(one.name), "")
        if not one.default and not said and one.name.lower() in places:
            raise OperatorError("tune-no-default", name=one.name, range=one.range)
        found.append(_with(one, said) if said and not one.default else one)
    return tuple(found)


def _with(one: Parameter, value: str) -> Parameter:
    """The parameter with this default, if that is one of its values; otherwise the bot keeps it unsaid."""
    try:
        place = one.place(value)
    except ValueError:
        return one
    inside = bool(one.words) or (0 <= place <= 1)
    return msgspec.structs.replace(one, default=value) if inside else one
