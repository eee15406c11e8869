"""A batch: many games of one kind in arrays, played one turn at a time by all cores.

    from dohyo import games
    from dohyo.sim import BatchMatch

    batch = BatchMatch(games.find("drop-block"), 4096, seed=1)
    while True:
        actions = choose(batch.observe(), batch.legal())  # an integer a game: the mover's
        batch.step(actions)
        learn_from(batch.rewards(), batch.done)

The rules and the dice are the game's own, compiled (see `compiled`): slot i's games are the matches that
`dohyo play --seed` plays with `seed_of(i)`. The result does not depend on which thread plays a slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dohyo.core.cheap_random import match_seed, words_of
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game, State, Turns, check_seats, usual_seats
from dohyo.core.given import check_begins, check_game, checked_seed, draws_start
from dohyo.core.options import resolve
from dohyo.core.possible import check_possible
from dohyo.core.rewards import PLACE, Payoff, rewards_of
from dohyo.sim import copies, records, turns
from dohyo.sim.loops import Cores, Policy, cores
from dohyo.sim.turns import Games

ILLEGAL = ("raise", "fault", "trust")
OF_GAMES = ("states", "sources", "slots", "rewards", "done")  # in `Games`: arrays with an item for each slot


class IllegalActionError(ValueError):
    """An action that the rules do not allow: number `action`, of `seat` in the game of `slot`. No game has moved,
    or on a graphics card with `illegal="trust"`: not that one."""

    def __init__(self, slot: int, seat: int, action: int, text: str, more: int, stood: str = "no game") -> None:
        others = f", and {more} more" if more else ""
        super().__init__(f"in game {slot}, seat {seat} may not play {text}{others}; {stood} has moved")
        self.slot, self.seat, self.action = slot, seat, action


class Totals(NamedTuple):
    """What a rollout has played: turns, games that ended, of them won by each seat (`wins`, seats) and by nobody."""

    turns: int
    games: int
    wins: tuple[int, ...]
    draws: int


class BatchMatch:
    """`n` games of one kind, in slots from 0 to n - 1; see above.

    `seats` is the number of players (the fewest with which the game is a match). `threads` is how many threads play
    (all cores). With `renew` a game that ends gives way to the next one within the same step; else it waits for
    `reset`.
    `illegal` says what an action against the rules does: "raise" an error, or "fault": the game's own answer to it is
    played; with "trust" the caller vouches for them, and only numbers that are no actions at all are noticed.
    `reward` is "place", "score", "margin", a flat function, or a `dohyo.sim.Reward`: see `dohyo.core.rewards`.

    `device` "cuda" or "cuda:1" plays on a graphics card (docs/gpu.md), in its default stream or in `stream`: one of
    PyTorch's, CuPy's or Numba's, or a function that says which one now, as `torch.cuda.current_stream`.

    `states` (n,) are the states, records with the fields of the game's LAYOUT; `done` (n,), bool, says which games
    ended in the last step. Both are the batch's own memory: to be read. They are part of `games`, which is what loops
    and kernels are given; `place` is where that is, and runs them.

    Raises `OperatorError` where the extra `fast` is not installed or the setup is wrong, also if with it no turn is
    played, or starts are drawn by the seed (chess960): all games begin alike. `ValueError` for other wrong numbers.
    """

    _of_slots: tuple[str, ...] = ("given_seeds",)  # attributes with an array of an item a slot, beside `games`
    _made_anew: tuple[str, ...] = ("place", "_stream")  # what a pickle has not: each process makes its own

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | Sequence[int] = 0,
        setup: Mapping[str, Any] | None = None,
        *,
        seats: int | None = None,
        threads: int | None = None,
        renew: bool = True,
        illegal: str = "raise",
        reward: Payoff = PLACE,
        device: str = "cpu",
        stream: Any = None,
    ) -> None:
        records.import_numpy()
        check_game(game)
        if setup is not None and not isinstance(setup, Mapping):
            raise TypeError(f"setup maps options to values, as {{'turns': 400}}, not {setup!r}")
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal is one of {', '.join(ILLEGAL)}, not {illegal!r}")
        self.game = game
        self.n = _whole("n", n, 1, None)
        self.seats = usual_seats(game) if seats is None else _whole("seats", seats, 0, None)
        check_seats(game, self.seats)
        self.reward = rewards_of(game, self.seats, reward)
        self.threads = cores() if threads is None else _whole("threads", threads, 1, None)
        self.device = device
        self._illegal = illegal
        self._renew = bool(renew)
        self._stream = stream
        full = resolve(game.options, setup or {}, game.catalogue)
        if draws_start(game, full):  # games are renewed within the compiled loop, which has one blank state
            raise OperatorError("batch-drawn-start", game=game.name)
        start = game.new_state(full, self.seats)
        check_begins(game, start)
        self.place: Any = self._placed()
        self.games = self._new_games(start)
        self.given_seeds = self.place.zeros((self.n, 2), "i8")
        self.reset(seed=seed)
        check_begins(game, self.unpack(0))

    def _placed(self) -> Any:
        """Where these games are played. Raises `OperatorError` where they cannot be played there."""
        checked_stream(self.device, self._stream)
        if self.device == "cpu":
            return Cores(self.game, self.n, self.reward, self.threads, self._illegal, self._renew)
        from dohyo.sim.cuda import Card, number_of

        number_of(self.device)
        return Card(self.game, self.n, self.reward, self._illegal, self._renew, self.device, self._stream)

    def _new_games(self, start: State) -> Games:
        """Arrays for games that begin in this state; `reset` begins them."""
        rules, place = self.game.rules, self.place
        blank = records.blank(rules.LAYOUT, 1)
        records.write(rules.LAYOUT, blank, 0, start)
        return Games(
            states=place.array(records.blank(rules.LAYOUT, self.n)),
            blank=place.array(blank),
            sources=place.array(records.blank(rules.SOURCE, self.n)),
            slots=place.array(records.blank(turns.SLOT, self.n)),
            rewards=place.zeros((self.n, self.seats), "f4"),
            done=place.zeros((self.n,), "?"),
            low=0,
            high=0,
        )

    @property
    def states(self) -> Any:
        """(n,) records: the games' states."""
        return self.games.states

    @property
    def done(self) -> Any:
        """(n,) bool: which games ended in the last step."""
        return self.games.done

    # --- playing

    def step(self, actions: Any, *, observe: Any = None, legal: Any = None) -> None:
        """Play one turn in every game, and leave in these arrays what `observe` and `legal` would then write to them.

        `actions` are integers of shape (n, seats), read for the seats that act; or (n,), the movers', in a game in
        which one moves at a time. What stands for games that wait for `reset` is not read.

        Raises `IllegalActionError`, `ValueError` for another shape, and `TypeError` for what is not whole numbers; in
        all these cases no game has moved.

        On a graphics card a step does not wait: games stand still from the first illegal action on, and the next
        call that can know it raises the error; `check` does.
        """
        self._notice()
        given = self._given(actions)
        seen = None if observe is None else self._filled(observe, *self._observed())
        mask = None if legal is None else self._filled(legal, "bool", (self.game.rules.ACTIONS,))
        self.place.promise(self.games)
        self.place.step(self.games, given, seen, mask, self._answered)
        self.place.shape(self.games)

    @property
    def stream(self) -> Any:
        """The stream of a graphics card in which this works, as it was given; work in an earlier one must be done."""
        return self._stream

    @stream.setter
    def stream(self, stream: Any) -> None:
        self.place.given_stream = self._stream = checked_stream(self.device, stream)

    def check(self) -> None:
        """Wait until a graphics card has played all steps. Raises `IllegalActionError` if one could not be played."""
        self._notice(wait=True)

    def sample(self, out: Any = None) -> Any:
        """Actions drawn uniformly from the legal ones; into `out`, if given.

        That is (n,) int64, the movers', in a game in which one moves at a time, else (n, seats); 0 for who does not
        act. They come from the batch's own random numbers: `step(sample())` plays as `rollout(1)` does.
        """
        mover = self.game.turns is Turns.ALTERNATING
        if out is None:
            out = self.place.empty((self.n,) if mover else (self.n, self.seats), "i8")
        rows, out = self._rows(out, "int64", (), mover)
        rows = rows.reshape(self.n, 1 if mover else self.seats)
        self._run(self.place.loops.sample, rows)
        return out

    def rewards(self) -> Any:
        """What the last step brought each seat, (n, seats) float32; 0 unless its game ended, or `reward` pays steps.

        By default (seats that it left behind - seats that came before it) / (seats - 1): 1 for a duel won, -1 for one
        lost, 0 for a draw; else what `reward` says. The batch's own memory, until the next step.
        """
        return self.games.rewards

    def rollout(self, steps: int, policy: Policy | Sequence[Policy] | None = None) -> Totals:
        """Play `steps` turns in every game without coming back to Python; games that end are always renewed.

        A policy is a flat function `policy(s, seat, options, count, luck)`: it returns one of the `count` legal
        actions in `options`, drawing lots with `dohyo.sim.below(luck, n)`. By default all are as likely. A sequence
        holds a policy a seat, the last one for all seats that follow (at most four).

        What a policy returns that is no action at all counts as the first legal one. Raises `TypeError` for a policy
        that is not flat.
        """

        self._notice()
        steps = _whole("steps", steps, 0, None)
        policies = (turns.uniform_legal,) if policy is None else policy
        policies = tuple(policies) if isinstance(policies, Sequence) else (policies,)
        wins = self.place.zeros((self.place.rows_of_wins, self.seats + 1), "i8")
        self._run(self.place.loops.roll(policies, steps * self.n), wins, steps, turns_a_slot=steps)
        *won, draws = self.place.fetch(wins).sum(axis=0).tolist()
        return Totals(steps * self.n, sum(won) + draws, tuple(won), draws)

    def decide(self, policy: Policy, seats: Any, out: Any = None) -> Any:
        """What a policy does in each game, (n,) int64, on the seat that `seats` (n,) says; 0 where that is -1.

        The seat must act there. The games stay as they are, but for the random numbers that the policy draws. `out`
        is an array to be filled, which keeps what stands where `seats` is -1. Raises what `rollout` raises.
        """
        self._notice()
        wanted, last = self.place.array(seats), self.seats - 1
        if wanted.shape != (self.n,) or wanted.dtype != "int64" or (wanted < -1).any() or (wanted > last).any():
            raise ValueError(f"{self.n} seats are wanted, whole numbers of 64 bits from -1 to {last}")
        found = self.place.zeros((self.n,), "i8") if out is None else out
        self._run(self.place.loops.choose(policy), wanted, found)
        return found

    def reset(self, which: Any = None, seed: int | Sequence[int] | None = None) -> None:
        """Begin new games: in all slots, or in those that `which` (n,), bool, names.

        With a seed, whole numbers from 0 to 2**63 - 1, the batch begins anew, as one made with it. A sequence has the
        seed of each slot's first match; all later ones follow from the whole sequence.
        """
        import numpy

        self._notice()
        chosen = booleans(self.place, numpy.ones(self.n, numpy.bool_) if which is None else which)
        if chosen.shape != (self.n,) or chosen.dtype != numpy.bool_:
            raise ValueError(f"which games to reset is told by {self.n} booleans")
        if seed is not None and which is not None:
            raise ValueError("a new seed is for all games")
        each = None if seed is None else copies.seeds_of_slots(seed, self.n)
        if seed is not None:
            one = copies.seed_of_all(each) if each is not None else checked_seed(seed)
            low, high = words_of(one)
            self.games = self.games._replace(low=low, high=high)
            self.place.write(self.given_seeds, copies.given_seeds(numpy.zeros(self.n, numpy.int64), -1))
        self._run(self.place.loops.begin, chosen, int(seed is not None))
        if each is not None:
            self._run(self.place.loops.begin_each, self.place.array(each))
            self.place.write(self.given_seeds, copies.given_seeds(each))

    def _run(self, loop: Any, *rest: Any, turns_a_slot: int = 1) -> int:
        """Run a loop over all games, with what else it takes; the sum of what it returns, on a card 0."""
        return self.place.run(loop, self.games, *rest, turns_a_slot=turns_a_slot)  # type: ignore[no-any-return]

    # --- looking

    def acting(self) -> Any:
        """Which seats must act now, (n, seats) bool."""
        out = self.place.empty((self.n, self.seats), "?")
        self._run(self.place.loops.acting, out)
        return out

    def legal(self, out: Any = None, *, mover: bool = False) -> Any:
        """Which actions are legal, (n, seats, ACTIONS) bool, none for seats that need not act; into `out`, if given.

        With `mover`, (n, ACTIONS): those of the seat that acts, in a game in which one moves at a time.
        """
        rows, out = self._rows(out, "bool", (self.game.rules.ACTIONS,), mover)
        self._run(self.place.loops.legal, rows)
        return out

    def observe(self, out: Any = None, *, mover: bool = False) -> Any:
        """What each seat sees, (n, seats, planes, ...) as the game's observation says; into `out`, if given.

        With `mover`, (n, planes, ...): what the seat sees that acts, in a game in which one moves at a time.

        Raises `ValueError` for a game that does not say what a learner sees.
        """
        loop = self.place.loops.observe()
        rows, out = self._rows(out, *self._observed(), mover)
        self._run(loop, rows)
        return out

    def seed_of(self, i: int) -> int:
        """The seed of the match that is played in slot i: `dohyo play --seed` has the same dice."""
        slot = self.place.one(self.games.slots, self._slot(i))[0]
        game = int(slot["game"] - slot["ended"])
        seed, of_game = self.place.one(self.given_seeds, i)[0].tolist()
        return int(seed) if of_game == game else match_seed(self.games.low, self.games.high, i, game)

    # --- states from and to elsewhere

    def unpack(self, i: int) -> State:
        """The state in slot i as a plain one of its own, as the referee has it."""
        self.check()
        return records.read(self.game.rules.LAYOUT, self.place.one(self.states, self._slot(i)), 0)

    def pack(self, i: int, state: State, turn: int = 0) -> None:
        """Go on from this plain state in slot i; `turn` is how many turns came before, for dice yet to be cast.

        Raises `ValueError` for what is no state that the rules can lead to with so many seats, and for one in which
        the dice are to move.
        """
        rules = self.game.rules
        self._slot(i)
        try:
            rules.LAYOUT.pack(state)
        except Exception as error:  # struct.error, and whatever comes of what is no state at all
            raise ValueError(f"no state of {self.game.name}: {error}") from error
        check_possible(self.game, state, self.seats)
        if rules.needs_dice(state):
            raise ValueError("the dice are to move in this state: let them, with the rules' roll and deal")
        record, slot = records.blank(rules.LAYOUT, 1), self.place.one(self.games.slots, i)
        records.write(rules.LAYOUT, record, 0, state)
        over = int(rules.over(state))
        slot["game"] += over - int(slot["ended"][0])
        slot["ended"] = over
        slot["turn"] = turn
        self.place.put(self.states, i, record)
        self.place.put(self.games.slots, i, slot)

    # --- copies

    def _arrays(self) -> dict[str, Any]:
        """All arrays with an item for each slot, by name."""
        found = {name: getattr(self.games, name) for name in OF_GAMES}
        return {**found, **{name: getattr(self, name) for name in self._of_slots}}

    def _twin(self, n: int, arrays: Mapping[str, Any]) -> BatchMatch:
        """A batch with the same attributes, of so many games in these arrays."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin.n = n
        twin.place = self.place.again(n)
        twin.games = self.games._replace(**{name: arrays[name] for name in OF_GAMES})
        for name in self._of_slots:
            setattr(twin, name, arrays[name])
        return twin

    def copy(self) -> BatchMatch:
        """An independent batch in the same state."""
        self.check()
        return self._twin(self.n, {name: self.place.copy(array) for name, array in self._arrays().items()})

    def take(self, indices: Any) -> Any:
        """A batch of its own with the games in these slots, whole numbers or n booleans; a slot may come repeatedly.

        They go on exactly as they would here; games that follow them are new ones. Raises `IndexError`, `TypeError`.
        """
        which = copies.checked_slots(indices, self.n)
        self.check()
        arrays = {name: self.place.take_rows(array, which) for name, array in self._arrays().items()}
        arrays["given_seeds"] = self.place.seeds_of(self.games, which, self.given_seeds)
        return self._twin(len(which), arrays)

    def put(self, indices: Any, other: BatchMatch) -> None:
        """Write another batch's games into these slots, in its order. Raises `ValueError` for what does not fit."""
        import numpy

        which = copies.checked_slots(indices, self.n)
        if len(set(which.tolist())) < len(which):
            raise ValueError("each slot is named once: two games cannot be in the same")
        fits = type(other) is type(self) and copies.kind_of(other) == copies.kind_of(self)
        if not fits or other.n != len(which):
            wanted = f"{len(which)} games of {self.game.name} for {self.seats}"
            raise ValueError(f"{wanted} are wanted, as `take` makes them")
        self.check()
        other.check()
        given = other._arrays()
        given["given_seeds"] = other.place.seeds_of(other.games, numpy.arange(other.n), other.given_seeds)
        for name, array in self._arrays().items():
            self.place.put_rows(array, which, self._here(given[name]))

    def save(self) -> copies.Saved:
        """All games as they are now, for `load`: a value that can be pickled."""
        self.check()
        arrays = {name: self.place.copy(array) for name, array in self._arrays().items()}
        found = copies.Saved(copies.about(self), (self.games.low, self.games.high), arrays)
        found.is_known = True
        return found

    def load(self, saved: copies.Saved) -> None:
        """Go on from what was saved here, or in another batch of the same game, size and seats.

        Raises `ValueError` for what was saved elsewhere.
        """
        copies.check_fits(self, saved)
        self.check()
        own = self._arrays()
        copies.check_arrays(self, saved, own)
        for name, array in own.items():  # in the same memory: others may hold it
            self.place.write(array, self._here(saved.arrays[name]))
        low, high = saved.words
        self.games = self.games._replace(low=low, high=high)

    def _here(self, array: Any) -> Any:
        """An array of another batch, or of something saved, where this one's are: a copy if it is elsewhere."""
        return array if self.place.is_array(array) else self.place.array(copies.of_host(array))

    def __getstate__(self) -> dict[str, Any]:
        """For pickles: everything but what is compiled, arrays as NumPy's."""
        self.check()
        kept = {name: value for name, value in vars(self).items() if name not in self._made_anew}
        for name in self._of_slots:
            kept[name] = self.place.fetch(kept[name])
        kept["games"] = Games(*(self.place.fetch(part) if self.place.is_array(part) else part for part in self.games))
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """From a pickle. Raises what making a batch raises."""
        vars(self).update({"_stream": None, **kept})
        self.place = self._placed()
        for name in self._of_slots:
            setattr(self, name, self.place.array(kept[name]))
        self.games = Games(*(part if isinstance(part, int) else self.place.array(part) for part in kept["games"]))

    def __copy__(self) -> BatchMatch:
        """As `copy`: games cannot be shared by two batches."""
        return self.copy()

    def __deepcopy__(self, memo: Any) -> BatchMatch:
        """As `copy`."""
        return self.copy()

    # --- what callers give

    def _given(self, actions: Any) -> Any:
        """The actions as rows of whole numbers."""
        import numpy

        found = self.place.view(actions) if self.place.is_array(actions) else numpy.asarray(actions)
        if found.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {found.dtype}")
        one = self.game.turns is Turns.ALTERNATING and found.shape == (self.n,)
        if not one and found.shape != (self.n, self.seats):
            also = f" or ({self.n},)" if self.game.turns is Turns.ALTERNATING else ""
            raise ValueError(f"actions have the shape ({self.n}, {self.seats}){also}, not {found.shape}")
        return self.place.rows(found)

    def _notice(self, wait: bool = False) -> None:
        """Raise what a step has left to be found, unless it is still under way and nobody is to `wait`."""
        if self.place.has_refused(wait):
            wrong, given = self.place.refused()
            self.place.forget()
            self._answered(wrong, given)

    def _answered(self, wrong: Any, given: Any) -> Any:
        """The actions with the game's own answers in the place of illegal ones. Raises `IllegalActionError`."""
        import numpy

        spots = numpy.argwhere(wrong).tolist()
        given = numpy.array(given)
        for slot, seat in spots:
            column = seat if given.shape[1] > 1 else 0
            action = int(given[slot, column])
            known = 0 <= action < self.game.rules.ACTIONS
            text = repr(self.game.protocol.text(action)) if known else f"{action}, which is no action"
            if self._illegal != "fault":
                stood = "no game" if self.device == "cpu" or self._illegal == "raise" else "that game"
                raise IllegalActionError(slot, seat, action, text, len(spots) - 1, stood)
            state = records.read(self.game.rules.LAYOUT, self.place.one(self.states, slot), 0)
            fault = Fault(FaultKind.ILLEGAL, FaultCode.NOT_LEGAL, {"action": text})
            given[slot, column] = self.game.protocol.answer(state, seat, fault)
        return given

    def _observed(self) -> tuple[str, tuple[int, ...]]:
        """Kind and shape of what a seat sees. Raises `ValueError` for a game that does not say it."""
        observation = self.game.observation
        if observation is None:
            raise ValueError(f"{self.game.name} does not say what a learner sees: its GAME has no observation")
        return observation.KIND, (len(observation.PLANES), *observation.SHAPE)

    def _filled(self, out: Any, kind: str, shape: tuple[int, ...]) -> Any:
        """An array that a step is to fill, as the loops take it; for the mover alone if it has no place for seats."""
        mover = self.game.turns is Turns.ALTERNATING and len(getattr(out, "shape", ())) == 1 + len(shape)
        return self._rows(out, kind, shape, mover)[0]

    def _rows(self, out: Any, kind: str, shape: tuple[int, ...], mover: bool) -> tuple[Any, Any]:
        """An array for a table a slot, made or looked at: as the loops take it, and as the caller does."""
        import numpy

        if mover and self.game.turns is not Turns.ALTERNATING:
            raise ValueError(f"in {self.game.name} several seats may act in a turn")
        wanted = (self.n, *shape) if mover else (self.n, self.seats, *shape)
        if out is None:
            out = self.place.zeros(wanted, kind)
        found = self.place.view(out) if self.place.is_array(out) else None
        if found is None or found.shape != wanted or found.dtype != numpy.dtype(kind):
            raise ValueError(f"out is an array of shape {wanted} and type {numpy.dtype(kind)}{self._where()}")
        if not self.place.is_whole(found):
            raise ValueError("out is an array that can be written, with its rows one after the other")
        rows = 1 if mover else self.seats
        return found.reshape(self.n, rows, found.size // (self.n * rows)), out

    def _where(self) -> str:
        return "" if self.device == "cpu" else f", on {self.device}"

    def _slot(self, i: int) -> int:
        if not 0 <= i < self.n:
            raise IndexError(f"there are {self.n} games, from 0 to {self.n - 1}; there is no {i}")
        return i


def _whole(name: str, value: Any, least: int, most: int | None) -> int:
    """A whole number within limits. Raises `TypeError` or `ValueError`."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" + (f" and at most {most}" if most is not None else "")
        raise ValueError(f"{name} must be {least if least == most else limits}, not {value}")
    return int(value)


def booleans(place: Any, which: Any) -> Any:
    """A caller's array that says which games are meant, in the memory of the place where the games are."""
    import numpy

    return place.view(which) if place.is_array(which) else place.array(numpy.asarray(which))


def learners_actions(place: Any, actions: Any, n: int) -> Any:
    """Actions, one a game, as a row of int64 where the games are. Raises `TypeError` and `ValueError` for others."""
    import numpy

    found = place.view(actions) if place.is_array(actions) else numpy.asarray(actions)
    if found.dtype.kind not in "iu":
        raise TypeError(f"actions are whole numbers, not {found.dtype}")
    if tuple(found.shape) != (n,):
        raise ValueError(f"the learners' actions have the shape ({n},), not {found.shape}")
    return place.rows(found).reshape(n)


def checked_stream(device: str, stream: Any) -> Any:
    """The stream. Raises `ValueError` where there are none, and `TypeError` for what is none."""
    if stream is not None:
        if device == "cpu":
            raise ValueError("streams are a graphics card's: device='cuda'")
        from dohyo.sim.cuda import handle_of

        handle_of(stream)
    return stream
