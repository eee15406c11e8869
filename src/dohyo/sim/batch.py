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
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game, State, Turns, usual_seats
from dohyo.core.options import resolve
from dohyo.core.possible import check_possible
from dohyo.sim import aligned, copies, records, seeds, turns
from dohyo.sim.loops import Cores, Policy, cores

MAX_SEED = 1 << 63
ILLEGAL = ("raise", "fault", "trust")


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

    `device` "cuda" or "cuda:1" plays on a graphics card (docs/gpu.md), in its default stream or in `stream`: one of
    PyTorch's, CuPy's or Numba's, or a function that says which one now, as `torch.cuda.current_stream`.

    `states` (n,) are the states, records with the fields of the game's LAYOUT; `done` (n,), bool, says which games
    ended in the last step. Both are the batch's own memory: to be read.

    Raises `OperatorError` where the extra `fast` is not installed or the setup is wrong, `ValueError` for other
    wrong numbers.
    """

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
        device: str = "cpu",
        stream: Any = None,
    ) -> None:
        records.import_numpy()
        if not isinstance(game, Game):
            raise TypeError(f"the first argument is a game: dohyo.games.find(NAME), not {game!r}")
        if setup is not None and not isinstance(setup, Mapping):
            raise TypeError(f"setup maps options to values, as {{'turns': 400}}, not {setup!r}")
        self.game = game
        self.n = _whole("n", n, 1, None)
        self.seats = usual_seats(game) if seats is None else _whole("seats", seats, *game.seats)
        self.threads = cores() if threads is None else _whole("threads", threads, 1, None)
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal is one of {', '.join(ILLEGAL)}, not {illegal!r}")
        self._illegal = illegal
        self._renew = bool(renew)
        self.device = device
        self._stream = stream
        start = game.new_state(resolve(game.options, setup or {}, game.catalogue), self.seats)
        if game.rules.over(start):
            raise ValueError("with this setup a match is over before its first turn")
        self._place = self._placed(self.n)
        self._run, self._loops, array = self._place.run, self._place.loops, self._place.array
        blank = records.blank(game.rules.LAYOUT, 1)
        records.write(game.rules.LAYOUT, blank, 0, start)
        self._blank = array(blank)
        self.states = array(records.blank(game.rules.LAYOUT, n))
        self._sources = array(records.blank(game.rules.SOURCE, n))
        self._slots = array(records.blank(turns.SLOT, n))
        self.done = array(aligned.zeros((n,), "?"))
        self._rewards = array(aligned.zeros((n, self.seats), "f4"))
        self._wrong = array(aligned.zeros((n, self.seats), "?"))
        self._given_seeds: Any = None  # (n, 2) int64: a seed, and the number of the slot's game that has it
        self.reset(seed=seed)
        if game.rules.over(self.unpack(0)):
            raise ValueError("with this setup a match is over before its first turn")

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
        self._place.step(self, given, seen, mask)

    @property
    def stream(self) -> Any:
        """The stream of a graphics card in which this works, as it was given; work in an earlier one must be done."""
        return self._stream

    @stream.setter
    def stream(self, stream: Any) -> None:
        self._place.given_stream = self._stream = checked_stream(self.device, stream)

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
            out = self._place.empty((self.n,) if mover else (self.n, self.seats), "i8")
        rows, out = self._rows(out, "int64", (), mover)
        rows = rows.reshape(self.n, 1 if mover else self.seats)
        self._run(self._loops.sample, (self.states, self._slots, rows, self.seats), scratch=3)
        return out

    def rewards(self) -> Any:
        """What the last step brought each seat, (n, seats) float32: 0 unless the game ended with it.

        Then (seats that it left behind - seats that came before it) / (seats - 1): 1 for a duel won, -1 for one lost,
        0 for a draw. The batch's own memory, until the next step.
        """
        return self._rewards

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
        if not policies or not all(getattr(one, "__flat__", False) for one in policies):
            raise TypeError("a policy is a function that bears the mark `flat` of dohyo.core.flat")
        loop = self._loops.roll(policies)
        wins = self._place.array(aligned.zeros((self._place.rows_of_wins, self.seats + 1), "i8"))
        arrays = (self.states, self._blank, self._sources, self._slots, wins, self.done, self._rewards)
        self._run(loop, (*arrays, *self._words, steps), steps, scratch=7)
        *won, draws = self._place.fetch(wins).sum(axis=0).tolist()
        return Totals(steps * self.n, sum(won) + draws, tuple(won), draws)

    def reset(self, which: Any = None, seed: int | Sequence[int] | None = None) -> None:
        """Begin new games: in all slots, or in those that `which` (n,), bool, names.

        With a seed, whole numbers from 0 to 2**63 - 1, the batch begins anew, as one made with it. A sequence has the
        seed of each slot's first match; all later ones follow from the whole sequence.
        """
        import numpy

        self._notice()
        if which is None:
            chosen = self._place.array(numpy.ones(self.n, numpy.bool_))
        elif self._place.is_array(which):
            chosen = self._place.view(which)
        else:
            chosen = self._place.array(numpy.asarray(which))
        if chosen.shape != (self.n,) or chosen.dtype != numpy.bool_:
            raise ValueError(f"which games to reset is told by {self.n} booleans")
        if seed is not None and which is not None:
            raise ValueError("a new seed is for all games")
        each = None if seed is None else seeds.of_slots(seed, self.n)
        if seed is not None:
            self._words = words_of(seeds.of_all(each) if each is not None else _whole("seed", seed, 0, MAX_SEED - 1))
            self._given_seeds = None
        arrays = (chosen, self.states, self._blank, self._sources, self._slots, self.done, self._rewards)
        self._run(self._loops.begin, (*arrays, *self._words, int(seed is not None)), scratch=7)
        if each is not None:
            self._given_seeds = seeds.begin(self, each)

    # --- looking

    def acting(self) -> Any:
        """Which seats must act now, (n, seats) bool."""
        out = self._place.empty((self.n, self.seats), "?")
        self._run(self._loops.acting, (self.states, self._slots, out))
        return out

    def legal(self, out: Any = None, *, mover: bool = False) -> Any:
        """Which actions are legal, (n, seats, ACTIONS) bool, none for seats that need not act; into `out`, if given.

        With `mover`, (n, ACTIONS): those of the seat that acts, in a game in which one moves at a time.
        """
        rows, out = self._rows(out, "bool", (self.game.rules.ACTIONS,), mover)
        self._run(self._loops.legal, (self.states, self._slots, rows, self.seats), scratch=3)
        return out

    def observe(self, out: Any = None, *, mover: bool = False) -> Any:
        """What each seat sees, (n, seats, planes, ...) as the game's observation says; into `out`, if given.

        With `mover`, (n, planes, ...): what the seat sees that acts, in a game in which one moves at a time.

        Raises `ValueError` for a game that does not say what a learner sees.
        """
        loop = self._loops.observe()
        rows, out = self._rows(out, *self._observed(), mover)
        self._run(loop, (self.states, rows, self.seats))
        return out

    def seed_of(self, i: int) -> int:
        """The seed of the match that is played in slot i: `dohyo play --seed` has the same dice."""
        slot = self._place.one(self._slots, self._slot(i))[0]
        game = int(slot["game"] - slot["ended"])
        if self._given_seeds is not None:
            seed, of_game = self._place.one(self._given_seeds, i)[0].tolist()
            if of_game == game:
                return int(seed)
        return match_seed(*self._words, i, game)

    # --- states from and to elsewhere

    def unpack(self, i: int) -> State:
        """The state in slot i as a plain one of its own, as the referee has it."""
        self.check()
        return records.read(self.game.rules.LAYOUT, self._place.one(self.states, self._slot(i)), 0)

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
        record, slot = records.blank(rules.LAYOUT, 1), self._place.one(self._slots, i)
        records.write(rules.LAYOUT, record, 0, state)
        over = int(rules.over(state))
        slot["game"] += over - int(slot["ended"][0])
        slot["ended"] = over
        slot["turn"] = turn
        self._place.put(self.states, i, record)
        self._place.put(self._slots, i, slot)

    def copy(self) -> BatchMatch:
        """An independent batch in the same state."""
        self.check()
        twin: BatchMatch = copies.blank_twin(self)
        twin._place = self._place.again()
        twin._run = twin._place.run
        for name, value in vars(self).items():
            if self._place.is_array(value):
                setattr(twin, name, self._place.copy(value))
        return twin

    def take(self, indices: Any) -> Any:
        """A batch of its own with the games in these slots, whole numbers or n booleans; a slot may come repeatedly.

        They go on exactly as they would here; games that follow them are new ones. Raises `IndexError`, `TypeError`.
        """
        return copies.take(self, indices)

    def put(self, indices: Any, other: BatchMatch) -> None:
        """Write another batch's games into these slots, in its order. Raises `ValueError` for what does not fit."""
        copies.put(self, indices, other)

    def save(self) -> copies.Saved:
        """All games as they are now, for `load`: a value that can be pickled."""
        return copies.saved(self)

    def load(self, saved: copies.Saved) -> None:
        """Go on from what was saved here, or in another batch of the same game, size and seats.

        Raises `ValueError` for what was saved elsewhere.
        """
        copies.load(self, saved)

    def _placed(self, count: int) -> Any:
        """Where so many games are played as these are."""
        return _place(self.device, self.game, count, self.seats, self.threads, self._stream)

    def __getstate__(self) -> dict[str, Any]:
        """For pickles: everything but what is compiled."""
        return copies.packed(self)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """From a pickle."""
        copies.unpack(self, kept)

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

        found = self._place.view(actions) if self._place.is_array(actions) else numpy.asarray(actions)
        if found.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {found.dtype}")
        one = self.game.turns is Turns.ALTERNATING and found.shape == (self.n,)
        if not one and found.shape != (self.n, self.seats):
            also = f" or ({self.n},)" if self.game.turns is Turns.ALTERNATING else ""
            raise ValueError(f"actions have the shape ({self.n}, {self.seats}){also}, not {found.shape}")
        return self._place.rows(found)

    def _notice(self, wait: bool = False) -> None:
        """Raise what a step has left to be found, unless it is still under way and nobody is to `wait`."""
        if self._place.has_refused(wait):
            wrong, given = self._place.fetch(self._wrong), self._place.refused()
            self._place.forget(self)
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
            state = records.read(self.game.rules.LAYOUT, self._place.one(self.states, slot), 0)
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
            out = self._place.array(aligned.zeros(wanted, kind))
        found = self._place.view(out) if self._place.is_array(out) else None
        if found is None or found.shape != wanted or found.dtype != numpy.dtype(kind):
            raise ValueError(f"out is an array of shape {wanted} and type {numpy.dtype(kind)}{self._where()}")
        if not self._place.is_whole(found):
            raise ValueError("out is an array that can be written, with its rows one after the other")
        return found.reshape(self.n, rows := 1 if mover else self.seats, found.size // (self.n * rows)), out

    def _where(self) -> str:
        return "" if self.device == "cpu" else f", on {self.device}"

    def _slot(self, i: int) -> int:
        if not 0 <= i < self.n:
            raise IndexError(f"there are {self.n} games, from 0 to {self.n - 1}; there is no {i}")
        return i


def _whole(name: str, value: Any, least: int, most: int | None) -> int:
    """A whole number within limits. Raises `TypeError` or `ValueError`."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" + (f" and at most {most}" if most is not None else "")
        raise ValueError(f"{name} is {least if least == most else limits}, not {value}")
    return int(value)


def checked_stream(device: str, stream: Any) -> Any:
    """The stream. Raises `ValueError` where there are none, and `TypeError` for what is none."""
    if stream is not None:
        if device == "cpu":
            raise ValueError("streams are a graphics card's: device='cuda'")
        from dohyo.sim.cuda import handle_of

        handle_of(stream)
    return stream


def _place(device: str, game: Game, n: int, seats: int, threads: int, stream: Any) -> Any:
    """Where a batch is played. Raises `OperatorError` where it cannot be played there."""
    checked_stream(device, stream)
    if device == "cpu":
        return Cores(game, n, seats, threads)
    from dohyo.sim.cuda import Card, number_of

    number_of(device)
    return Card(game, n, seats, device, stream)
