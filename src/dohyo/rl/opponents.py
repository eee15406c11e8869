"""Who plays on the seats that do not learn.

"random"               every legal action with the same probability, drawn by us
a function             `policy(observation, action_mask)` returns an action
a flat function        `policy(s, seat, options, count, luck)`, as compiled loops take it; `policy_of(game, "hunter")`
                       of `dohyo.games.policies` is the sample bot without its process
a name or a path       a bot, as `dohyo play` takes it: a process of its own, in the sandbox, asked in its protocol
"hunter@40"            a weaker form of a sample bot that is a policy (`dohyo.games.policies`), without a process
a `dohyo.bots.Bot`     one that was resolved before
a `dohyo.Bot`          a bot as an object, or its class: asked in this process, with what a program would be sent
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Sequence
from typing import Any

from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.core.policies import Asked
from dohyo.core.referee import Answer
from dohyo.core.replay import Turn
from dohyo.games.policies import SHARE, find_policy
from dohyo.match.clocks import read_clock
from dohyo.match.found_bots import find_bots
from dohyo.match.python_bot import Bot as PythonBot
from dohyo.match.python_bot import Owned, is_bot, owned
from dohyo.match.sandboxing import sandbox_of
from dohyo.rl.agent_match import AgentMatch
from dohyo.rl.bot_opponents import BotOpponents
from dohyo.sandbox import Sandbox

RANDOM = "random"

Policy = Callable[[Any, Any], Any]
Named = str | os.PathLike[str] | Bot
Opponent = Named | Policy | PythonBot | type[PythonBot]


def read_opponents(given: Opponent | Sequence[Opponent], count: int) -> list[Opponent]:
    """One opponent for each seat: the same one for all seats, or a list with as many as there are seats.

    Raises `ValueError` for another number, `TypeError` for what cannot play.
    """
    is_one = can_play(given)
    found = [given] * count if is_one else list(given)  # type: ignore[arg-type]
    if len(found) != count:
        raise ValueError(f"{count} opponents are needed, one for each other seat (or one for all), not {len(found)}")
    for opponent in found:
        if not can_play(opponent):
            raise TypeError(
                f"an opponent is 'random', a function, a bot by its name, or a dohyo.Bot, not {opponent!r}"
            )
    return found  # type: ignore[return-value]


def can_play(given: object) -> bool:
    """Whether this is one opponent."""
    return isinstance(given, str | os.PathLike | Bot) or is_bot(given) or callable(given)


class Opponents:
    """Those who play against the learner, in one match after the other.

    The first has the seat after the learner's, and so on in the order of seats.
    """

    def __init__(
        self,
        match: AgentMatch,
        given: Any,
        clock: str | float | Clock | None,
        sandbox: str | Sandbox,
        python: str | None,
    ) -> None:
        """Bots are found and built here, objects copied. Raises what `read_opponents` raises, and `OperatorError`."""
        self._match = match
        self.league = given if hasattr(given, "record") else None
        self.drawn: list[str] = []
        if self.league is not None:
            self._names = list(self.league.players)
            self._given: list[Opponent] = list(self.league.players.values())
        else:
            self._given = read_opponents(given, match.seats - 1)
        self._python = python
        is_any_program = any(_is_program(weaker_form(match.game, one)) for one in self._given)
        self._sandbox = sandbox_of(sandbox if is_any_program else "none")
        self._players = [made_ready(match.game, one, python, self._sandbox) for one in self._given]
        lifetimes = [player.lifetime for player in self._players if isinstance(player, Bot)]
        self._clock = read_clock(match.game, clock, lifetimes)
        self._policies: dict[int, Policy | Asked | None] = {}
        self._bots: BotOpponents | None = None

    def begin(self, learner: int, chance: Any) -> None:
        """Begin a match; `chance` is a NumPy generator, for random play."""
        self.close()
        self._chance = chance
        players = self._players if self.league is None else self._drawn(self.league, chance)
        seats = [(learner + 1 + k) % self._match.seats for k in range(len(players))]
        seated = dict(zip(seats, players, strict=True))
        bots = {seat: one for seat, one in seated.items() if isinstance(one, Bot | Owned)}
        self._policies = {seat: one for seat, one in seated.items() if seat not in bots}
        for policy in {id(one): one for one in players if isinstance(one, Asked)}.values():
            policy.reseed(int(chance.integers(1 << 62)))
        if bots:
            match = self._match
            self._bots = BotOpponents(match.referee, bots, self._clock, self._sandbox, match.seed)

    def _drawn(self, league: Any, chance: Any) -> list[Any]:
        """Members of the league, one for each seat; those that were added since are made ready first."""
        for name, player in list(league.players.items())[len(self._names) :]:
            self._players.append(made_ready(self._match.game, player, self._python, self._sandbox))
            self._names.append(name)
        self.drawn = league.draw(self._match.seats - 1, chance)
        return [self._players[self._names.index(name)] for name in self.drawn]

    def answer(self, seats: Sequence[int]) -> dict[int, Answer]:
        """The actions of the given seats now."""
        answers = {seat: self._decide(seat) for seat in seats if seat in self._policies}
        asked = [seat for seat in seats if seat not in answers]
        if asked:
            assert self._bots is not None
            answers.update(self._bots.ask(asked))
        return answers

    def play_until_asked(
        self, seat: int, mine: Answer | None, on_turn: Callable[[Turn], None] = lambda turn: None
    ) -> None:
        """Play turns until the learner's `seat` is asked and has no answer left, or the match is over.

        `mine` is its answer to the first turn in which it is asked; `on_turn` is called after each turn.
        """
        referee = self._match.referee
        while not referee.over:
            asked = referee.pending()
            answers: dict[int, Answer] = {}
            if seat in asked:
                if mine is None:
                    return
                answers[seat], mine = mine, None
            answers.update(self.answer([other for other in asked if other != seat]))
            turn = referee.submit(answers)
            self.see()
            on_turn(turn)

    def see(self) -> None:
        """After a turn: end the programs of seats that the referee has stopped."""
        if self._bots is not None:
            self._bots.see()

    def close(self) -> None:
        """End all programs; those of a match that is over may read its end."""
        bots, self._bots = self._bots, None
        if bots is not None:
            bots.close()

    def _decide(self, seat: int) -> Answer:
        policy, match = self._policies[seat], self._match
        if isinstance(policy, Asked):
            return match.answer(seat, policy.choose(match.state, seat))
        if policy is None:
            legal = match.game.legal_actions(match.state, seat)
            return Answer(match.game.protocol.text(legal[int(self._chance.integers(len(legal)))]))
        return match.answer(seat, policy(match.observe(seat), match.mask(seat)))


Ready = Bot | Owned | Policy | Asked | None  # none plays at random


def made_ready(game: Game, given: Opponent, python: str | None, sandbox: Sandbox) -> Ready:
    """An opponent, ready to play: found and built if it is a program, none if it plays at random.

    Of an object it is a copy: several environments may be given the same one, and play at the same time. Raises
    `OperatorError` for a program that is not there or cannot be built, `ValueError` for a weaker form that is none.
    """
    given = weaker_form(game, given)
    if is_bot(given):
        return owned(copy.deepcopy(given))  # type: ignore[arg-type]
    if _is_program(given):
        return find_bots(game, [given], python, sandbox)[0]  # type: ignore[list-item]
    if getattr(given, "__flat__", False):
        return Asked(game, given)  # type: ignore[arg-type]
    return None if given == RANDOM else given  # type: ignore[return-value]


def weaker_form(game: Game, opponent: Opponent) -> Opponent:
    """The flat policy that a word such as "hunter@40" names, of which there is no program; any other as it is given.

    What is there under exactly this name is meant rather. Raises `ValueError` for a share of decisions that is none.
    """
    if not isinstance(opponent, str) or SHARE not in opponent or os.path.lexists(opponent):
        return opponent
    return find_policy(game, opponent) or opponent


def _is_program(opponent: Opponent) -> bool:
    return opponent != RANDOM and isinstance(opponent, str | os.PathLike | Bot)
