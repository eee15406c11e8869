"""From what the operator typed to a tuning that can be played: bots found, defaults known, the record agreed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dohyo import bots
from dohyo.bots import Bot, archive
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.executors.version import rules_of
from dohyo.guests.tune.record import Question, Record
from dohyo.guests.tune.space import Parameter, read
from dohyo.guests.tune.tuning import Terms, Tuning
from dohyo.match.found_bots import find_named
from dohyo.sandbox import Sandbox
from dohyo.series.compare import seats_of


class Request(msgspec.Struct):
    """What the operator typed. `params` are NAME=RANGE each; no `seed` means the record's, or a new one."""

    game: Game
    bot: str
    params: Sequence[str]
    against: Sequence[str]
    terms: Terms
    seats: int | None = None
    seed: int | None = None
    clock: str | float | None = None
    python: str | None = None


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


def prepare(request: Request, sandbox: Sandbox, record: Record, new_seed: Callable[[], int]) -> Prepared:
    """Make all ready. Raises `OperatorError` for whatever is wrong, before anything is written or played."""
    game, words = request.game, [request.bot, *request.against]
    space = read(request.params)
    seats = seats_of(game, max(len(request.against), 1), request.seats)
    bot, *opponents = find_named(game, words, request.python, sandbox, setup=request.terms.setup)
    space = with_known_defaults(space, bot)
    default = bot.given(parameters.words({one.name: one.default for one in space if one.default}))
    stored = record.question
    seed = request.seed if request.seed is not None else new_seed() if stored is None else stored.seed
    terms = msgspec.structs.replace(request.terms, seed=seed, seats=seats)
    tuning = Tuning(game, bot, opponents or [default], space, terms, record)
    record.ask(_question(request, tuning, default if not opponents else None))
    return Prepared(tuning, default, words if opponents else [request.bot, request.bot])


def _question(request: Request, tuning: Tuning, default: Bot | None) -> Question:
    terms: Any = tuning.terms
    return Question(
        tuning.game.name,
        rules_of(tuning.game),
        tuning.bot.digest,
        tuple(one.digest for one in tuning.opponents) if default is None else (),
        tuning.space,
        terms.seats,
        terms.seed,
        terms.setup,
        str(request.clock or ""),
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
