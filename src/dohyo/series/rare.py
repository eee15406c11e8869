"""Matches in which a bot meets what it seldom meets: other setups and sizes, late positions, others' matches.

Theory of operation
-------------------
A fault that takes one position of a thousand is found by meeting many positions, and different ones, not by long
matches from the same beginning. So each match begins somewhere else: at its beginning under a setup that was drawn,
after a random match whose last third is the likeliest, or in the middle of a recorded match. From there programs play
on as in any match that is taken up. Everything follows from one seed, so the same search finds the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dohyo.bots import Bot
from dohyo.core import playback, seeds
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import Option, resolve, takes_in, takes_of
from dohyo.core.referee import Referee
from dohyo.core.replay import Replay
from dohyo.executors.messages import MatchOrder
from dohyo.i18n import ENGLISH, Message
from dohyo.laws.matches import MAX_SEATS, finish

LATE = 2 / 3  # of a match: most positions are taken from behind there
FROM_BEGINNING = 0.25  # of the matches without a recorded one
FROM_RECORDED = 0.5  # of the matches, where there are recorded ones
CHANGED = 2  # options that are drawn, at most
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
MAX_WORDS = 20  # of what an option takes, that are tried
SMALL = 20  # what part of a default is a small number
MANY = 10  # times the default of a number: larger ones make matches that nobody waits for


class RareMatches:
    """Orders of such matches, of `bot` against `others` on a seat that is drawn.

    `recorded` are matches of this game, whoever played them. `setup` are the options that the operator has chosen:
    they stay. Options that bots are told of stay as they are, too: another input is another game to a bot.
    """

    def __init__(
        self,
        game: Game,
        bot: Bot,
        others: Sequence[Bot],
        *,
        seed: int = 0,
        setup: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        sandbox: str = "auto",
        recorded: Sequence[Replay] = (),
    ) -> None:
        self.game, self.bot, self.others = game, bot, tuple(others)
        self.seats: dict[int, int] = {}  # by a match's number, where the bot sits
        self._seed, self._setup, self._clock, self._sandbox = seed, dict(setup or {}), clock, sandbox
        self._recorded = tuple(recorded)
        free = [one for one in game.options if not one.told and one.name not in self._setup]
        self._words = {one.name: words for one in free if (words := words_of(one, game))}

    def orders(self, count: int) -> Iterator[MatchOrder]:
        """So many matches, each made when it is asked for; their keys are their numbers from 1 on."""
        for number in range(1, count + 1):
            yield self._order(number)

    def _order(self, number: int) -> MatchOrder:
        seed = seeds.derived(self._seed, "rare", number)
        chance = random.Random(seed)
        if self._recorded and chance.random() < FROM_RECORDED:
            place = self._in_recorded(chance)
        else:
            place = self._in_random(chance, seed)
        setup, seats, start, first, acting = place
        self.seats[number] = own = chance.choice(acting)
        bots = [self.others[at % len(self.others)] for at in range(seats)]
        bots[own] = self.bot
        return MatchOrder(
            str(number),
            self.game.name,
            tuple(bots),
            seed,
            setup=setup,
            clock=self._clock,
            sandbox=self._sandbox,
            start=start,
            first=first,
            asks_where=True,
        )

    def _in_random(self, chance: random.Random, seed: int) -> tuple[Any, ...]:
        """At the beginning of a match under a setup that was drawn, or late in a random one."""
        given = self._drawn(chance)
        fewest, most = self.game.seats
        seats = chance.randint(fewest, max(fewest, min(most, MAX_SEATS)))
        full = self.game.draw_setup(resolve(self.game.options, given, self.game.catalogue), seed)
        referee = Referee(self.game, full, seats, seed)
        from_beginning = chance.random() < FROM_BEGINNING
        pending = tuple(referee.pending()) or tuple(range(seats))
        if not from_beginning:
            try:
                played = finish(referee, full, seed)
            except AssertionError:  # a match that does not end, by chance: its beginning will do
                return given, seats, None, 0, pending
            if place := self._late(played.seen[:-1], seats, chance):
                at, state, acting = place
                return full, seats, self.game.rules.LAYOUT.as_dict(state), at, acting
        return given, seats, None, 0, pending

    def _late(self, seen: Sequence[bytes], seats: int, chance: random.Random) -> tuple[Any, ...] | None:
        """A position of a match, more likely one of the last third; none if nobody acts in it."""
        if len(seen) < 2:
            return None
        from_late = int(len(seen) * LATE) if chance.random() < LATE else 1
        at = chance.randrange(min(from_late, len(seen) - 1), len(seen))
        state = self.game.rules.LAYOUT.unpack(seen[at])
        self.game.reseat(state)
        acting = () if self.game.rules.over(state) else tuple(self.game.acting(state, seats))
        return (at, state, acting) if acting else None

    def _in_recorded(self, chance: random.Random) -> tuple[Any, ...]:
        """Anywhere in a recorded match, more likely in its last third; at its beginning where nobody acts there."""
        replay = chance.choice(self._recorded)
        header = replay.header
        turns = [turn.turn for turn in replay.turns if turn.moves] or [header.first]
        late = turns[int(len(turns) * LATE) :] if chance.random() < LATE else turns
        at = chance.choice(late)
        state = playback.state_at(self.game, replay, at)
        acting = tuple(self.game.acting(state, len(header.seats))) or (0,)
        self.game.reseat(state)
        return dict(header.setup), len(header.seats), self.game.rules.LAYOUT.as_dict(state), at, acting

    def _drawn(self, chance: random.Random) -> dict[str, Any]:
        """The operator's setup, with some of the other options as chance has it, if the game can be played so."""
        names = chance.sample(sorted(self._words), min(len(self._words), chance.randint(0, CHANGED)))
        drawn = {**self._setup, **{name: chance.choice(self._words[name]) for name in names}}
        try:
            full = resolve(self.game.options, drawn, self.game.catalogue)
            state = self.game.new_state(self.game.draw_setup(full, 0), self.game.seats[0])
        except (OperatorError, ValueError):
            return self._setup
        return self._setup if self.game.rules.over(state) else drawn


def words_of(option: Option, game: Game) -> tuple[str, ...]:
    """Words that the option takes, as far as what is said of it has them: its choices, its least and its greatest.

    Of a number, a small part of its default is one, too.
    """
    takes = takes_of(option, game.catalogue)
    told = ENGLISH.knowing(game.catalogue).say(takes) if isinstance(takes, Message) else takes_in(option, ENGLISH)
    found = []
    default = option.default
    is_number = isinstance(default, int) and not isinstance(default, bool)
    for word in dict.fromkeys([*WORD.findall(told), *([str(default // SMALL)] if is_number else [])]):
        try:
            resolve(game.options, {option.name: word}, game.catalogue)
        except (OperatorError, ValueError):
            continue
        if word.isdecimal() and is_number and int(word) > MANY * max(1, default):
            continue
        found.append(word)
    return tuple(found[:MAX_WORDS])
