"""A batch in which the caller plays one seat of each game, and policies the others, inside the compiled loop.

That seat is the learner's. Between two of its decisions the others make all their moves without returning to Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dohyo.core.flat import flat
from dohyo.core.game import Game, State
from dohyo.core.policies import room_of
from dohyo.core.rewards import PLACE, Payoff, Rewards
from dohyo.sim import turns
from dohyo.sim.batch import BatchMatch, Totals, learners_actions
from dohyo.sim.loops import Policy, observation_parts, once, policy_parts
from dohyo.sim.turns import Games, begin, by_place, is_allowed, keep_luck, play, uniform_legal
from dohyo.sim.whole_program import compile_loops

MAX_IDLE = 100  # games in a row that may end before the learner is asked

# Names that are left open here, and supplied when it is compiled; the rules' own are those of `turns`.
acts: Any = None
candidates: Any = None
legal: Any = None
places: Any = None
payoffs: Any = None
scores: Any = None
SCORED: Any = None  # 1 in a game with points
observe: Any = None
luck_of: Any = None
opponent: Any = None  # opponent(place, s, seat, options, count, luck) -> action
policy: Any = None
taken: Any = None


# --- the loops -----------------------------------------------------------------------------------------------------


@flat
def the_same(place: int, s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """What an opponent does, where all play alike."""
    return policy(s, seat, options, count, luck)  # type: ignore[no-any-return]


@flat
def until_asked(at: int, games: Games, buffers: Any, seats: int, learner: int, action: int, left: int) -> bool:
    """Play on in a slot until the learner is asked and has no action left; whether the game is over.

    `left` is 1 while it has one.
    """
    s, source, slot = games.states[at], games.sources[at], games.slots[at]
    options, actions = buffers.options, buffers.actions
    while True:
        if acts(s, learner):
            if left == 0:
                return False
            actions[learner] = action
            left = 0
        for k in range(seats - 1):
            seat = (learner + 1 + k) % seats
            if acts(s, seat):
                count = candidates(s, seat, options)
                luck = luck_of(slot, buffers)
                actions[seat] = taken(s, seat, opponent(k, s, seat, options, count, luck), options)
                keep_luck(slot, luck)
        if play(s, source, slot, buffers.dice, actions):
            return True


@flat
def move_span(
    first: int, last: int, games: Games, scratch: Any, learners: Any, given: Any, endings: Any, points: Any
) -> None:
    """Play the learners' actions, and on until they are asked again; what has ended waits.

    `endings` has a row a slot, for games that end: each seat's place, and the reason; `points` each seat's points.
    """
    states, slots, rewards, done = games.states, games.slots, games.rewards, games.done
    seats = rewards.shape[1]
    buffers = scratch[0]
    for at in range(first, last):
        done[at] = False
        for seat in range(seats):
            rewards[at, seat] = 0.0
        slot = slots[at]
        if slot.ended == 0 and until_asked(at, games, buffers, seats, learners[at], given[at], 1):
            done[at] = True
            endings[at, seats] = places(states[at], buffers.ranks)
            payoffs(states[at], seats, buffers.ranks, buffers.points)
            for seat in range(seats):
                endings[at, seat] = buffers.ranks[seat]
                rewards[at, seat] = buffers.points[seat]
            if SCORED:
                scores(states[at], buffers.points)
                for seat in range(seats):
                    points[at, seat] = buffers.points[seat]
            slot.game += 1
            slot.ended = 1


@flat
def lead_in_span(first: int, last: int, games: Games, scratch: Any, which: Any, learners: Any) -> int:
    """Play games that have just begun until the learner is asked; one that ends before gives way to the next.

    Returns in how many slots that did not help.
    """
    seats = games.rewards.shape[1]
    buffers = scratch[0]
    stuck = 0
    for at in range(first, last):
        if which[at]:
            tries = 0
            while tries < MAX_IDLE and until_asked(at, games, buffers, seats, learners[at], 0, 0):
                games.slots[at].game += 1
                begin(at, games, buffers.dice)
                tries += 1
            if tries == MAX_IDLE:
                stuck += 1
    return stuck


@flat
def wrong_span(
    first: int, last: int, games: Games, scratch: Any, learners: Any, given: Any, wrong: Any, trusted: int
) -> int:
    """Note in `wrong` which learners act against the rules; how many do."""
    states, slots = games.states, games.slots
    found = 0
    for at in range(first, last):
        is_wrong = slots[at].ended == 0 and not is_allowed(states[at], learners[at], given[at], scratch[0], trusted)
        wrong[at] = is_wrong
        if is_wrong:
            found += 1
    return found


@flat
def look_span(first: int, last: int, games: Games, scratch: Any, which: Any, learners: Any, out: Any) -> None:
    """Write to `out`, a row a slot, what the learners see in the slots that `which` names."""
    states = games.states
    for at in range(first, last):
        if which[at]:
            observe(states[at], learners[at], out[at])


@flat
def mask_span(first: int, last: int, games: Games, scratch: Any, learners: Any, out: Any) -> None:
    """Write to `out`, a row a slot, 1 for each action that the learner may do now."""
    states, slots = games.states, games.slots
    options = scratch[0].options
    for at in range(first, last):
        for action in range(out.shape[1]):
            out[at, action] = 0
        if slots[at].ended == 0 and acts(states[at], learners[at]):
            for k in range(legal(states[at], learners[at], options)):
                out[at, options[k]] = 1


class _Loops(NamedTuple):
    """The loops of a game; in the last two its opponents play."""

    wrong: Any
    look: Any
    mask: Any
    move: Any
    lead_in: Any


def _loops_of(game: Game, policies: tuple[Policy, ...], rewards: Rewards) -> _Loops:
    """The loops for these opponents and rewards.

    Raises `ValueError` for a game that does not say what a learner sees.
    """
    rules = {name: getattr(game.rules, name) for name in (*turns.RULES, "reseed")}
    seen = {**{name: rules[name] for name in ("is_legal", "legal")}, **observation_parts(game)}
    wrong, look, mask = once(game, OneSeat, lambda: compile_loops([wrong_span, look_span, mask_span], seen))
    theirs, own = opponent_parts(game, policies)
    parts = {**rules, **theirs}
    room = room_of(*policies)
    (move,) = compile_loops([move_span], {**parts, "payoffs": rewards.payoffs, **score_parts(game)}, [own], room)
    (lead_in,) = once(game, (lead_in_span, policies), lambda: compile_loops([lead_in_span], parts, [own], room))
    return _Loops(wrong, look, mask, move, lead_in)


def score_parts(game: Game) -> dict[str, Any]:
    """What stands for the names of points."""
    return {"scores": game.rules.scores or no_scores, "SCORED": int(game.rules.scores is not None)}


@flat
def no_scores(s: Any, out: Any) -> None:
    """The points of a game without any; never called."""


def opponent_parts(
    game: Game, policies: tuple[Policy, ...]
) -> tuple[dict[str, Callable[..., Any]], Callable[..., Any]]:
    """What stands for the opponents' names in `until_asked`, and the function that tells them apart.

    Raises what `policy_parts` raises.
    """
    parts, told_apart = policy_parts(game, policies)
    own: Callable[..., Any] = by_place if told_apart else the_same
    if told_apart:
        del parts["policy"]
    return {**parts, "opponent": own}, own


# --- the batch -----------------------------------------------------------------------------------------------------


class OneSeat(BatchMatch):
    """`n` games, of each of which the caller plays one seat; `learners` (n,) says which.

    `endings` (n, seats + 1), int64, holds of games that have ended each seat's place, and the reason's number;
    `points` (n, seats), float64, their points, in a game that has some.

    `seat` is that seat in all games, or none: seats take turns from slot to slot. `policies` are flat functions as
    `BatchMatch.rollout` takes them: one for all opponents, or one each, the first for who sits behind the learner.
    Games that end wait for `reset`. Everything else is as in `BatchMatch`.
    """

    _of_slots = (*BatchMatch._of_slots, "learners", "endings", "points", "_wrong_learners", "_all")
    _made_anew = (*BatchMatch._made_anew, "_loops")

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        setup: Mapping[str, Any] | None = None,
        *,
        seat: int | None = 0,
        policies: Sequence[Policy] = (uniform_legal,),
        seats: int | None = None,
        threads: int | None = None,
        illegal: str = "raise",
        reward: Payoff = PLACE,
    ) -> None:
        """Raises `TypeError` for a policy that is not flat, `ValueError` for too many, and what `BatchMatch` does."""
        self._policies = tuple(policies)
        self._seat = seat
        self._is_laid_out = False
        options: dict[str, Any] = {"seats": seats, "threads": threads, "illegal": illegal, "reward": reward}
        super().__init__(game, n, seed, setup, renew=False, **options)

    def _placed(self) -> Any:
        """Where these games are played; finds the loops, too."""
        game, policies, reward = self.game, self._policies, self.reward
        key = (OneSeat, policies, reward.key)
        self._loops: _Loops = once(game, key, lambda: _loops_of(game, policies, reward))
        return super()._placed()

    def reset(self, which: Any = None, seed: int | Sequence[int] | None = None) -> None:
        """Begin new games, as `BatchMatch.reset`, and play them until the learner is asked.

        Raises `ValueError` where games always end before that.
        """
        import numpy

        if not self._is_laid_out:
            self._is_laid_out = True
            if self._seat is not None and not 0 <= self._seat < self.seats:
                raise ValueError(f"the learner's seat is one of 0 .. {self.seats - 1}, not {self._seat}")
            each = numpy.arange(self.n) % self.seats
            self.learners = each if self._seat is None else numpy.full(self.n, self._seat)
            self.learners = self.learners.astype(numpy.int64)
            self._wrong_learners = numpy.zeros(self.n, numpy.bool_)
            self._all = numpy.ones(self.n, numpy.bool_)
            self.endings = numpy.zeros((self.n, self.seats + 1), numpy.int64)
            self.points = numpy.zeros((self.n, self.seats))
        super().reset(which, seed)
        chosen = self._all if which is None else numpy.asarray(which)
        if self._lead_in(chosen):
            raise ValueError("the learner is never asked: its games end before its first turn")

    def _lead_in(self, chosen: Any) -> int:
        """Play games that have just begun until the learner is asked; in how many slots that did not help."""
        return self._run(self._loops.lead_in, chosen, self.learners)

    def move(self, actions: Any) -> None:
        """Play the learners' actions, (n,) integers, and on until each is asked again or its game is over.

        Actions of games that wait for `reset` are not read. Raises what `BatchMatch.step` raises.
        """
        given = learners_actions(self.place, actions, self.n)
        trusted = int(self._illegal == "trust")
        if self._run(self._loops.wrong, self.learners, given, self._wrong_learners, trusted):
            given = self._put_right(given)
        self.place.promise(self.games)
        self._moved(given)
        self.place.shape(self.games)

    def _moved(self, given: Any) -> None:
        """Play the learners' actions, which are legal, and on until each is asked again or its game is over."""
        self._run(self._loops.move, self.learners, given, self.endings, self.points, turns_a_slot=self.seats)

    def stop(self, which: Any) -> None:
        """Stop the games that `which` (n,), bool, names: nobody has won, and they wait for `reset`."""
        _check(which, "bool", (self.n,))
        slots = self.games.slots
        going = which & (slots["ended"] == 0)
        slots["game"] += going
        slots["ended"] |= going

    def look(self, out: Any, which: Any = None) -> None:
        """Write what the learners see into `out`, (n, planes, ...) of the game's kind; only in slots of `which`."""
        observation = self.game.observation
        assert observation is not None
        _check(out, observation.KIND, (self.n, len(observation.PLANES), *observation.SHAPE))
        if which is not None:
            _check(which, "bool", (self.n,))
        rows = out.reshape(self.n, -1)
        self._run(self._loops.look, self._all if which is None else which, self.learners, rows)

    def mask(self, out: Any) -> None:
        """Write what the learners may do into `out`, (n, ACTIONS) int8: 1 for a legal action."""
        _check(out, "int8", (self.n, self.game.rules.ACTIONS))
        self._run(self._loops.mask, self.learners, out)

    def step(self, actions: Any, *, observe: Any = None, legal: Any = None) -> None:
        """Not here: a learner plays by `move`, which the opponents follow. Raises `TypeError`."""
        raise TypeError("one seat is played by move(actions); all seats by the step of a BatchMatch")

    def rollout(self, steps: int, policy: Policy | Sequence[Policy] | None = None) -> Totals:
        """Not here: it could end in the middle of the others' turns. Raises `TypeError`."""
        raise TypeError("one seat is played by move(actions); whole games by the rollout of a BatchMatch")

    def pack(self, i: int, state: State, turn: int = 0) -> None:
        """As `BatchMatch.pack`, for a state in which the learner is asked. Raises `ValueError` for another one."""
        if not self.game.rules.over(state) and not self.game.rules.acts(state, int(self.learners[i])):
            raise ValueError("the learner is not asked in this state")
        super().pack(i, state, turn)

    def _put_right(self, given: Any) -> Any:
        """The actions with the game's own answers in the place of illegal ones. Raises `IllegalActionError`."""
        import numpy

        slots = numpy.arange(self.n)
        wrong = numpy.zeros((self.n, self.seats), numpy.bool_)
        wrong[slots, self.learners] = self._wrong_learners
        return self._answered(wrong, given[:, None].repeat(self.seats, 1))[slots, self.learners]


def _check(array: Any, kind: str, shape: tuple[int, ...]) -> None:
    """Raises `ValueError` for an array that the loops cannot use: they look at nothing."""
    import numpy

    if not isinstance(array, numpy.ndarray) or array.shape != shape or array.dtype != numpy.dtype(kind):
        raise ValueError(f"an array of shape {shape} and type {numpy.dtype(kind)} is wanted")
    if not array.flags.c_contiguous:
        raise ValueError("an array is wanted whose rows lie one after the other")
