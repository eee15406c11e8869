"""One match in which agents play: by the same referee, with actions instead of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from dohyo.core.adjudication import places_of
from dohyo.core.errors import OperatorError
from dohyo.core.flat import row_of
from dohyo.core.game import Game, State, usual_seats
from dohyo.core.given import check_begins, checked_seed
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.rewards import PLACE, Payoff, rewards_of
from dohyo.match.telling.words import board_markup, text_board
from dohyo.match.telling.words import reason as sentence_of
from dohyo.rl.observer import Observer

Illegal = Literal["fault", "raise"]
RENDER_MODES = ("ansi", "rgb_array")


class AgentMatch:
    """One match at a time, of `game` with a `setup`, for `seats` players.

    An action against the rules is a fault, as for a bot, and the rules say what follows; with `illegal` "raise" it is
    a `ValueError`, and the match does not change.
    """

    def __init__(
        self,
        game: Game,
        seats: int | None,
        setup: Mapping[str, object] | None,
        illegal: Illegal,
        scaled: bool,
        reward: Payoff = PLACE,
    ) -> None:
        """Raises `OperatorError` for a setup, a number of seats or a reward that the game does not have, and for a
        setup with which no turn is played."""
        if illegal not in ("fault", "raise"):
            raise ValueError(f"illegal is 'fault' or 'raise', not {illegal!r}")
        self.game = game
        self.seats = usual_seats(game) if seats is None else seats
        fewest, most = game.seats
        if not fewest <= self.seats <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
            raise OperatorError("rl-seats", game=game.name, wanted=wanted, given=self.seats)
        self.reward = rewards_of(game, self.seats, reward)
        self._promised: dict[int, float] = {}
        self.setup = resolve(game.options, setup or {}, game.catalogue)
        self.observer = Observer(game, scaled)
        self.seed = 0
        self._illegal = illegal
        self._picture_size: tuple[int, int] | None = None
        self.referee = Referee(game, self.setup, self.seats, 0)
        check_begins(game, self.state)

    @property
    def state(self) -> State:
        """The state of the match."""
        return self.referee.state

    def begin(self, seed: int) -> None:
        """Begin a match whose start and dice come from `seed`, the same as those of `dohyo play --seed`.

        Raises `ValueError` for a seed that is not from 0 to 2**63 - 1, `TypeError` for one that is no whole number.
        """
        self.seed = checked_seed(seed)
        self._promised = {}
        self.referee = Referee(self.game, self.game.draw_setup(self.setup, seed), self.seats, seed)

    def observe(self, seat: int) -> Any:
        """What the seat sees, as a new array."""
        return self.observer.observe(self.state, seat)

    def mask(self, seat: int) -> Any:
        """What the seat may do, as a new array; nothing when it is not asked."""
        return self.observer.mask(self.state, seat)

    def answer(self, seat: int, given: Any) -> Answer:
        """An agent's action, as the referee takes it. Raises `TypeError` or `ValueError` if it is not an action."""
        action = self.observer.action(given)
        if self._illegal == "raise":
            rules = self.game.rules
            if not rules.is_legal(self.state, seat, action) and action not in rules.CONCESSIONS:
                text = self.game.protocol.text(action)
                raise ValueError(f"action {action} ({text}) is not legal for seat {seat} in turn {self.referee.turn}")
        return Answer(self.game.protocol.text(action))

    def promise(self, seats: Iterable[int]) -> None:
        """Note that these seats decide now, where steps are paid by what they add to a potential."""
        if self.reward.is_shaped:
            potentials = self.reward.potentials_of(self.state, self.referee.over)
            self._promised.update((seat, potentials[seat]) for seat in seats)

    def rewards(self, asked: Iterable[int] = ()) -> list[float]:
        """What comes to each seat now: in a match that is over what it is worth, else 0.

        Where steps are paid, those of seats that have decided are paid when they are `asked` again, or at the end.
        """
        over = self.referee.over
        found = self.reward.payoffs_of(self.state, self._placed()[0]) if over else [0.0] * self.seats
        if self._promised:
            potentials = self.reward.potentials_of(self.state, over)
            for seat in range(self.seats) if over else asked:
                if seat in self._promised:
                    found[seat] += self.reward.discount * potentials[seat] - self._promised.pop(seat)
        return found

    def ending(self) -> dict[str, Any]:
        """How a match that is over has ended: places, points if there are any, and why, as a sentence and a key."""
        places, key = self._placed()
        reason = sentence_of(key, self.game.name, self.game.catalogue)
        told = {"places": tuple(places), "reason": reason, "reason_key": key}
        return {**told, "scores": points} if (points := self.game.score(self.state, self.seats)) else told

    def _placed(self) -> tuple[Sequence[int], str]:
        """The places of a match that is over, and the key of why it ended."""
        if (verdict := self.referee.verdict) is not None:
            return places_of(verdict, self.seats), verdict.reason
        places = row_of(self.seats)
        return places, self.game.rules.REASONS[self.game.rules.places(self.state, places)]

    def draw(self, mode: str | None) -> Any:
        """The match as its `render_mode` wants it: as text, as a picture (height, width, 3) of uint8, or not at all.

        It shows what a spectator sees, hidden things included. A picture is never smaller than the one before.
        """
        if mode is None:
            return None
        found = drawn(self.game, self.state, self.seats, mode, self._picture_size)
        if mode == "rgb_array":
            self._picture_size = found.shape[:2]
        return found


def drawn(game: Game, state: State, seats: int, mode: str, least: tuple[int, int] | None = None) -> Any:
    """A state as text ("ansi") or as a picture (height, width, 3) of uint8, no smaller than `least`."""
    if mode == "ansi":
        return text_board(game, state, seats)
    from dohyo.rl.picture import picture

    markup = board_markup(game, state, seats)
    return picture(markup, least) if least else picture(markup)


def checked_mode(mode: str | None) -> str | None:
    """A `render_mode`. Raises `ValueError` for another one."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {' or '.join(map(repr, RENDER_MODES))} or none, not {mode!r}")
    return mode
