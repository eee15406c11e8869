"""One seat of each game on a graphics card: the caller plays it, policies or networks the others; nothing comes back.

As `one_seat` on a processor, with the bookkeeping of a vector environment: see `seat_kernels`. All arrays are on the
card, and are the games' own memory: each step writes them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from dohyo.core.game import Game, Turns
from dohyo.core.policies import room_of
from dohyo.core.rewards import PLACE, Payoff, Rewards
from dohyo.sim import records, seat_kernels, turns
from dohyo.sim.batch import BatchMatch, IllegalActionError, booleans, learners_actions
from dohyo.sim.cuda import Kernels
from dohyo.sim.kernels import NO_ANSWER, roomy_luck
from dohyo.sim.loops import Policy, observation_parts, pay_parts
from dohyo.sim.one_seat import opponent_parts, score_parts

Network = Callable[[Any, Any], Any]  # (observations, masks) -> actions, all of them arrays of the card
WAYS = {
    "NextStep": seat_kernels.NEXT_STEP,
    "SameStep": seat_kernels.SAME_STEP,
    "Disabled": seat_kernels.DISABLED,
}
KEPT = ("_episodes", "_rows", "mask", "rewards", "seeds", "_ends", "ranks", "points", "reasons", "_last", "last_mask")
WITH_NETWORKS = ("receive", "see", "answer", "turn", "finish", "look")


class CardSeat:
    """`n` games, of each of which the caller plays one seat.

    `policies` are flat functions, one for all opponents or one each, which play inside the kernel. `networks` are
    functions instead, one for all or one each: `network(observations, masks)` gets arrays of the card, (n, planes,
    ...) and (n, ACTIONS) int8, and returns (n,) actions there. It is asked for all n games each time; where it is not
    to move its answer is not looked at, and the mask allows everything. With networks a learner that is out of its
    match is not waited for: its mask is then all 0, and its action is not read.

    `way` says when the next match begins, as Gymnasium's autoreset modes: NextStep, SameStep, Disabled.

    Arrays: `seen` (n, planes, ...) of the game's kind, or float32 with `scale`; `mask` (n, ACTIONS) int8, `rewards`
    (n,) float32, `terminated`, `truncated`, `ended` (n,) bool; of matches that this step has ended `ranks` (n,
    seats), from 1, `points` (n, seats) in a game that has some, and `reasons` (n,); `seeds` (n,); with SameStep
    `last_seen`, `last_mask`; `learners` (n,); `all_games` (n,) of True.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        setup: Mapping[str, Any] | None = None,
        seat: int | None = 0,
        seats: int,
        policies: Sequence[Policy] = (),
        networks: Sequence[Network] = (),
        way: str = "NextStep",
        faulty: bool = True,
        most_steps: int = 0,
        scale: Any = None,
        reward: Payoff = PLACE,
        device: str = "cuda",
        stream: Any = None,
    ) -> None:
        """`faulty`: the game's own answer is played for an illegal action; else it is an error, which `check` raises.

        Raises `TypeError` and `ValueError` for what cannot play, and what `BatchMatch` raises.
        """
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"the learner's seat is one of 0 .. {seats - 1}, not {seat}")
        self.batch = BatchMatch(
            game,
            n,
            0,
            setup,
            seats=seats,
            renew=False,
            illegal="trust",
            reward=reward,
            device=device,
            stream=stream,
        )
        self.game = game
        self.n = n
        self.seats = seats
        self.networks = tuple(networks)
        self._place = self.batch.place
        made: Kernels = self._place.loops
        if faulty and made.answer == NO_ANSWER:
            raise ValueError(f"the answer of {game.name} to an illegal action depends on the state: illegal='raise'")
        self._way = WAYS[way]
        self._faulty = int(faulty)
        self._most_steps = most_steps
        self._kernels = _kernels(made, self.batch.reward, tuple(policies), bool(networks))
        self._make_arrays(seat, scale)

    def _make_arrays(self, seat: int | None, scale: Any) -> None:
        import numpy

        sight, place, n = self.game.observation, self._place, self.n
        assert sight is not None
        self._shape = (n, len(sight.PLANES), *sight.SHAPE)
        self._size = prod(self._shape[1:])
        each = numpy.arange(n) % self.seats if seat is None else numpy.full(n, seat)
        self.learners = place.array(each.astype(numpy.int64))
        self._episodes = place.array(records.blank(seat_kernels.EPISODE, n))
        self._flag, self._flag_there = place.flag()
        self.all_games = place.array(numpy.ones(n, numpy.bool_))
        self._rows = self._place.zeros((n, self._size), sight.KIND)
        self.mask = self._place.zeros((n, self.game.rules.ACTIONS), "i1")
        self.rewards = self._place.zeros((n,), "f4")
        self.seeds = self._place.zeros((n,), "i8")
        self._ends = self._place.zeros((3, n), "?")
        self.terminated, self.truncated, self.ended = (self._ends[k] for k in range(3))
        self.ranks = self._place.zeros((n, self.seats), "i8")
        self.points = self._place.zeros((n, self.seats), "f8")
        self.reasons = self._place.zeros((n,), "i8")
        same_step = self._way == seat_kernels.SAME_STEP
        self._last = self._place.zeros((n, self._size) if same_step else (1, 1), sight.KIND)
        self.last_mask = self._place.zeros((n, self.game.rules.ACTIONS) if same_step else (1, 1), "i1")
        self._scale = None if scale is None else place.array(numpy.ascontiguousarray(scale.reshape(-1)))
        shapes = ((n, self._size), tuple(self._last.shape))
        self._scaled: list[Any] = [None if scale is None else self._place.zeros(shape, "f4") for shape in shapes]
        self.seen, self.last_seen = self._shown(0, self._rows), self._shown(1, self._last)
        if self.networks:
            self._make_arrays_of_networks(sight.KIND, scale is not None)

    def _make_arrays_of_networks(self, kind: str, is_scaled: bool) -> None:
        """Arrays for what networks see and answer."""
        self._proposed = self._place.zeros((self.n, self.seats), "i8")
        self._seats = self._place.zeros((self.n,), "i8")
        self._was_over = self._place.zeros((self.n,), "i8")
        self._theirs = self._place.zeros((self.n, self._size), kind)
        self._their_scaled = self._place.zeros((self.n, self._size), "f4") if is_scaled else None
        self._their_mask = self._place.zeros(self.mask.shape, "i1")

    def _shown(self, which: int, rows: Any) -> Any:
        """What is seen, as the caller gets it: of its own shape, scaled or not."""
        found = rows if self._scaled[which] is None else self._scaled[which]
        return found.reshape(self._shape) if found.size == prod(self._shape) else None

    # --- playing

    def reset(self, which: Any = None, seed: int | Sequence[int] | None = None) -> None:
        """Begin new matches as `BatchMatch.reset`, and play until the learners are asked. Raises what that raises."""
        self.check()
        place = self._place
        self.batch.reset(which, seed)
        chosen = self.all_games if which is None else booleans(place, which)
        place.run(self._kernels["open_matches"], self.batch.games, self._learners(), self._told(), chosen)
        if self.networks:
            self._lead_in()
        self._scale_rows(0)

    def move(self, actions: Any) -> None:
        """Play the learners' actions, (n,) whole numbers, the opponents', and what follows from an end.

        Actions of games that wait are not read. Raises what an earlier step has found: see `check`.
        """
        self._notice(wait=False)
        given = learners_actions(self._place, actions, self.n)
        games, learners, told = self.batch.games, self._learners(), self._told()
        run, made = self._place.run, self._kernels
        if not self.networks:
            run(made["play"], games, learners, told, given, self._most_steps, self._faulty, self._way)
        else:
            run(made["receive"], games, learners, given, self._was_over, self._faulty)
            self._others_move()
            run(made["finish"], games, learners, told, self._was_over, self._most_steps, self._way)
            if self._way != seat_kernels.DISABLED:
                self._lead_in()
        self._scale_rows(0)
        if self._way == seat_kernels.SAME_STEP:
            self._scale_rows(1)

    def check(self) -> None:
        """Wait for the card. Raises `IllegalActionError` for an action that could not be played, and `ValueError`
        where the learner is never asked."""
        self._notice(wait=True)

    def _notice(self, wait: bool) -> None:
        if wait:
            self._place.wait()
        if not self._flag[0]:
            return
        episodes = self._place.fetch(self._episodes)
        at = int(episodes["stuck"].argmax())
        kind, action = int(episodes["stuck"][at]), int(episodes["action"][at])
        more = int((episodes["stuck"] == kind).sum()) - 1
        episodes["stuck"] = 0
        self._place.write(self._episodes, episodes)
        self._flag[0] = 0
        if kind == seat_kernels.NEVER_ASKED:
            raise ValueError("the learner is never asked: its games end before its first turn")
        is_known = 0 <= action < self.game.rules.ACTIONS
        text = repr(self.game.protocol.text(action)) if is_known else f"{action}, which is no action"
        seat = int(self._place.fetch(self.learners)[at])
        raise IllegalActionError(at, seat, action, text, more, "that game")

    # --- copies

    def saved(self) -> dict[str, Any]:
        """All games and what was last told of them, for `load`, in NumPy's memory. Raises what `check` raises."""
        self.check()
        return {"batch": self.batch.save(), **{name: self._place.fetch(getattr(self, name)) for name in KEPT}}

    def load(self, kept: dict[str, Any]) -> None:
        """Go on from what was saved of games that were made alike."""
        self.batch.load(kept["batch"])
        for name in KEPT:
            self._place.write(getattr(self, name), kept[name])
        self._scale_rows(0)
        if self._way == seat_kernels.SAME_STEP:
            self._scale_rows(1)

    # --- networks

    def _others_move(self) -> None:
        """The learners' actions are in: they are played, and all others' until the learners are asked again."""
        if self.game.turns is Turns.ALTERNATING:
            self._turn(learners_alone=True)
            for _ in range(self.seats - 1):
                self._ask_movers()
                self._turn()
        else:
            self._ask_all()
            self._turn()

    def _lead_in(self) -> None:
        """Matches have begun: play until the learners are asked, and show what they see."""
        if self.game.turns is Turns.ALTERNATING:
            for _ in range(self.seats - 1):
                self._ask_movers()
                self._turn()
        self._place.run(self._kernels["look"], self.batch.games, self._learners(), self._told())

    def _turn(self, learners_alone: bool = False) -> None:
        turn, games = self._kernels["turn"], self.batch.games
        self._place.run(turn, games, self._learners(), self._proposed, int(learners_alone))

    def _ask_movers(self) -> None:
        self._see(-1)
        for place, network in enumerate(self.networks):
            self._answer(network, -1 if len(self.networks) == 1 else place)

    def _ask_all(self) -> None:
        for place in range(self.seats - 1):
            self._see(place)
            self._answer(self.networks[min(place, len(self.networks) - 1)], place)

    def _see(self, place: int) -> None:
        """Let the opponent so many places behind the learner see; with -1 whoever moves."""
        arrays = (self._seats, self._theirs, self._their_mask)
        self._place.run(self._kernels["see"], self.batch.games, self._learners(), *arrays, place)
        if self._scale is not None:
            sizes = (self._theirs, self._scale, self._their_scaled)
            self._place.launch(self._kernels["scale_rows"], sizes, self.n * self._size)

    def _answer(self, network: Network, place: int) -> None:
        seen = self._theirs if self._their_scaled is None else self._their_scaled
        answers = learners_actions(self._place, network(seen.reshape(self._shape), self._their_mask), self.n)
        arguments = (self._learners(), self._seats, answers, self._proposed, place)
        self._place.launch(self._kernels["answer"], arguments)

    # --- what kernels are given

    def _learners(self) -> seat_kernels.Learners:
        return seat_kernels.Learners(self.learners, self._episodes, self._flag_there, self.all_games)

    def _told(self) -> seat_kernels.StepResults:
        return seat_kernels.StepResults(
            rewards=self.rewards,
            ends=self._ends,
            ranks=self.ranks,
            points=self.points,
            reasons=self.reasons,
            seen=self._rows,
            mask=self.mask,
            seeds=self.seeds,
            known=self.batch.given_seeds,
            last=self._last,
            last_mask=self.last_mask,
        )

    def _scale_rows(self, which: int) -> None:
        if self._scale is not None:
            rows = self._last if which else self._rows
            arrays = (rows, self._scale, self._scaled[which])
            self._place.launch(self._kernels["scale_rows"], arrays, self.n * self._size)


def _kernels(made: Kernels, reward: Rewards, policies: tuple[Policy, ...], with_networks: bool) -> dict[str, Any]:
    """The kernels by name, made once for a game and what it is worth, its opponents and the kind of them."""
    key = (policies, with_networks, reward.discount)
    if key not in made.of_seats:
        game = reward.game
        sight = game.observation
        if sight is None:
            raise ValueError(f"{game.name} does not say what a learner sees: its GAME has no observation")
        theirs, own = opponent_parts(game, policies or (turns.uniform_legal,))
        size = len(sight.PLANES) * prod(sight.SHAPE)
        parts = {**made.parts, **observation_parts(game), **theirs, "SEATS": made.seats, "ANSWER": made.answer}
        parts |= {"INSIDE": int(not with_networks), "SIZE": size, **pay_parts(reward)}
        parts |= {"SHAPED": int(reward.is_shaped), **score_parts(game)}
        names = ("open_matches", *(WITH_NETWORKS if with_networks else ("play",)))
        room = room_of(*policies)
        parts |= {"luck_of": roomy_luck} if room else {}
        functions = (own, *(getattr(seat_kernels, name) for name in names))
        found = made.made(parts, *functions, room=room, DISCOUNT=reward.discount)[1:]
        (scale_rows,) = made.made({}, seat_kernels.scale_rows)
        made.of_seats[key] = {**dict(zip(names, found, strict=True)), "scale_rows": scale_rows}
    return made.of_seats[key]
