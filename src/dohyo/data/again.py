"""Recorded matches played again, many together: compiled where that can be, one in plain Python where it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import prod
from typing import Any, NamedTuple

import numpy
from msgspec.structs import replace

from dohyo.core import playback
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game, State
from dohyo.core.referee import outcome
from dohyo.core.replay import Move, Replay, Seat, Turn
from dohyo.core.rewards import Rewards, rewards_of
from dohyo.data import loop
from dohyo.data.columns import Columns, Reader
from dohyo.data.loop import Recorded, Written
from dohyo.data.sources import Found, of_object
from dohyo.data.wish import Wish
from dohyo.sim import loops, records
from dohyo.sim.planes import Planes, observation_of
from dohyo.sim.whole_program import compile_loops


class Match(NamedTuple):
    """A replay that was read, with its columns; `replay` is as `without_texts` leaves it, where many wait."""

    found: Found
    replay: Replay
    columns: Columns


def without_texts(game: Game, replay: Replay) -> Replay:
    """The replay with all that the rules need, and nothing of what bots wrote and are called: that may be long.

    Comments stay where an adjudicator reads them.
    """
    judged = game.adjudicator(replay.header.setup) is not None
    header = replace(replay.header, seats=(Seat(""),) * len(replay.header.seats), software="")
    result = replace(replay.result, last=())
    return replace(replay, header=header, turns=[_bare(turn, judged) for turn in replay.turns], result=result)


def _bare(turn: Turn, judged: bool) -> Turn:
    if any(move.stderr or move.comments or move.reply or move.faults for move in turn.moves):
        moves = (Move(one.seat, one.action, comments=one.comments if judged else "") for one in turn.moves)
        return replace(turn, moves=tuple(moves))
    return turn


class Arrays(NamedTuple):
    """What many matches became: rows of decisions, those of an episode (a seat of a match) together and in order."""

    seen: Any  # (rows, planes, ...)
    masks: Any  # (rows, ACTIONS) int8, or none
    actions: Any  # (rows,)
    turns: Any  # (rows,)
    promised: Any  # (rows,) float64: potentials
    match: Any  # (episodes,)
    seat: Any  # (episodes,)
    start: Any  # (episodes + 1,): where the rows of each begin
    finals: Any  # (episodes, planes, ...)
    payoff: Any  # (episodes,) float64
    plain: int  # how many matches were played in plain Python
    failed: dict[int, OperatorError]  # matches that do not follow from the rules, by their number: they have no rows


class Again:
    """Plays matches of a game again, and makes arrays of them."""

    def __init__(self, game: Game, wish: Wish) -> None:
        """Raises `OperatorError` where NumPy or Numba is not installed, for a game without an observation, and for a
        reward that it does not have."""
        records.import_numpy()
        self.game, self.wish = game, wish
        self.planes = Planes(game, wish.scaled)
        self.reader = Reader(game, wish)
        self._numbers = prod(self.planes.shape)
        self._rewards: dict[int, Rewards] = {}
        usual = self._reward(game.seats[0])  # refused now, where it is refused at all
        self._loop = loops.once(game, ("replays", wish.reward.shaping), lambda: _compiled(game, usual))
        most = game.seats[1]
        self._rest = (records.blank(game.rules.SOURCE, 1), loops.scratch_rows(game.rules, most), numpy.zeros(most))

    def arrays(self, matches: Sequence[Match]) -> Arrays:
        """The arrays of these matches."""
        order = _Order(matches, self.game.seats[1], self.game.rules.ACTIONS)
        recorded, written = self._recorded(matches, order), self._written(order)
        if matches:
            self._run(0, len(matches), recorded, written, *self._rest)
        plain, failed, payoffs = 0, {}, numpy.zeros((len(matches), self.game.seats[1]))
        for at, match in enumerate(matches):
            seats = len(match.replay.header.seats)
            try:
                if match.columns.is_usual and not written.wrong[at]:
                    end = self._checked(match.replay, recorded.packed[at])
                else:
                    plain += 1
                    end = self._plainly(at, match, order, written)
                payoffs[at, :seats] = self._reward(seats).payoffs_of(end, match.replay.result.places)
            except OperatorError as error:
                failed[at] = error
        return self._gathered(order, written, payoffs, plain, failed)

    def ready(self) -> None:
        """Compile the loop, if nobody has, by playing no match."""
        order = _Order((), self.game.seats[1], self.game.rules.ACTIONS)
        self._run(0, 0, self._recorded((), order), self._written(order), *self._rest)

    def matched(self, replays: Sequence[Replay]) -> list[Match]:
        """Replays as matches. Raises what `Reader.columns` raises."""
        return [
            Match(of_object(number, replay), replay, self.reader.columns(replay))
            for number, replay in enumerate(replays)
        ]

    # --- compiled

    def _run(self, *arguments: Any) -> None:
        self._loop(*arguments)

    def _recorded(self, matches: Sequence[Match], order: _Order) -> Recorded:
        """The matches as the loop takes them. One that it should not try is one without turns."""
        layout, digests = self.game.rules.LAYOUT, "".join(match.columns.digests for match in matches)
        states = records.blank(layout, len(matches))
        packed = states.view("u1").reshape(len(matches), states.dtype.itemsize)
        for at, match in enumerate(matches):
            packed[at, : layout.size] = memoryview(match.columns.start)
        return Recorded(
            states=states,
            packed=packed,
            seeds=_whole([match.replay.header.seed for match in matches]),
            firsts=_whole([match.replay.header.first for match in matches]),
            seats=_whole([len(match.replay.header.seats) for match in matches]),
            turns_from=_offsets([len(match.columns.move_counts) for match in matches]),
            digests=numpy.frombuffer(bytes.fromhex(digests), ">u4").astype(numpy.int64),
            dice_from=_offsets(_joined(match.columns.dice_counts for match in matches)),
            dice=_joined(match.columns.dice for match in matches),
            moves_from=_offsets(order.move_counts),
            movers=order.movers,
            actions=order.actions,
            rows=order.rows,
            ends=order.ends,
        )

    def _written(self, order: _Order) -> Written:
        """Arrays for what the loop writes."""
        rows, kind, wish = len(order.taken), self.planes.kind, self.wish
        return Written(
            seen=numpy.zeros((rows, self._numbers), kind),
            masks=numpy.zeros((rows if wish.masks else 0, self.game.rules.ACTIONS), numpy.int8),
            promised=numpy.zeros(rows if self._is_shaped else 1),
            finals=numpy.zeros((len(order.seat), self._numbers), kind),
            wrong=numpy.zeros(len(order.first_moves), numpy.int64),
        )

    def _checked(self, replay: Replay, packed: Any) -> State:
        """The last state of a match; raises `ReplayError` where its result is not what the rules say."""
        state = self.game.rules.LAYOUT.unpack(packed.data)
        result, seats = replay.result, len(replay.header.seats)
        if not self.game.rules.over(state):
            raise ReplayError("replay-result-differs")
        last = result.last, replay.header.first + replay.played
        if outcome(self.game, state, seats, *last) != result:
            raise ReplayError("replay-result-differs")
        return state

    # --- plain

    def _plainly(self, at: int, match: Match, order: _Order, written: Written) -> State:
        """Play a match in Python, and write its rows; its last state. Raises `OperatorError` where it differs."""
        game, replay, move = self.game, match.replay, int(order.first_moves[at])
        observe, options = observation_of(game).observe, [0] * game.rules.ACTIONS
        rewards, row = self._reward(len(replay.header.seats)), [0] * self._numbers
        state = playback.beginning(game, replay)
        for moment in playback.verified(game, replay):
            for seat in (each.seat for each in moment.turn.moves):
                to = order.rows[move]
                if to >= 0:
                    observe(moment.before, seat, row)
                    written.seen[to] = row
                    if self.wish.masks:
                        written.masks[to] = 0
                        written.masks[to, options[: game.rules.legal(moment.before, seat, options)]] = 1
                    if self._is_shaped:
                        written.promised[to] = rewards.potentials_of(moment.before, False)[seat]
                move += 1
            state = moment.after
        for seat, to in enumerate(order.ends[at]):
            if to >= 0:
                observe(state, seat, row)
                written.finals[to] = row
        return state

    # --- together

    def _gathered(
        self, order: _Order, written: Written, payoffs: Any, plain: int, failed: dict[int, OperatorError]
    ) -> Arrays:
        """The arrays, without the rows of matches that failed."""
        of_rows = numpy.repeat(order.match, numpy.diff(order.start))
        kept_rows, kept = (~numpy.isin(each, list(failed)) for each in (of_rows, order.match))
        taken, shape = order.taken[kept_rows], self.planes.shape
        lengths = numpy.diff(order.start)[kept]

        def rows(array: Any) -> Any:
            return array[kept_rows] if failed else array

        return Arrays(
            seen=self.planes.scaled(rows(written.seen).reshape(-1, *shape)),
            masks=rows(written.masks) if self.wish.masks else None,
            actions=order.actions[taken],
            turns=order.turns[taken],
            promised=rows(written.promised) if self._is_shaped else numpy.zeros(len(taken)),
            match=order.match[kept],
            seat=order.seat[kept],
            start=_offsets(lengths),
            finals=self.planes.scaled(written.finals[kept].reshape(-1, *shape)),
            payoff=payoffs[order.match[kept], order.seat[kept]],
            plain=plain,
            failed=failed,
        )

    @property
    def _is_shaped(self) -> bool:
        return self.wish.reward.shaping is not None

    def _reward(self, seats: int) -> Rewards:
        """What matches between so many seats are worth."""
        if seats not in self._rewards:
            self._rewards[seats] = rewards_of(self.game, seats, self.wish.reward)
        return self._rewards[seats]


class _Order:
    """Which row each move fills: those of an episode are together, episodes by match and seat."""

    def __init__(self, matches: Sequence[Match], most: int, actions: int) -> None:
        """In a game of at most so many seats, and so many actions."""
        self.move_counts = _joined(match.columns.move_counts for match in matches)
        self.movers = _joined(match.columns.movers for match in matches)
        self.actions = _joined(match.columns.actions for match in matches)
        counts = [len(match.columns.movers) for match in matches]
        self.first_moves = _offsets(counts)[:-1]
        numbers = (turn.turn for match in matches for turn in match.replay.turns)
        self.turns = numpy.repeat(numpy.fromiter(numbers, numpy.int64), self.move_counts)
        is_wanted = numpy.zeros((len(matches), most), bool)
        for at, match in enumerate(matches):
            is_wanted[at, list(match.columns.seats)] = True
        of_match = numpy.repeat(numpy.arange(len(matches)), counts)
        kept = _joined((match.columns.kept for match in matches), bool)
        kept &= is_wanted[of_match, self.movers] & (self.actions >= 0) & (self.actions < actions)
        wanted = kept.nonzero()[0]
        key = of_match[wanted] * most + self.movers[wanted]
        by_episode = numpy.argsort(key, kind="stable")
        self.taken = wanted[by_episode]  # the move of each row
        self.rows = numpy.full(len(self.movers), -1, numpy.int64)
        self.rows[self.taken] = numpy.arange(len(self.taken))
        episodes, lengths = numpy.unique(key, return_counts=True)
        self.match, self.seat = episodes // most, episodes % most
        self.start = _offsets(lengths)
        self.ends = numpy.full((len(matches), most), -1, numpy.int64)
        self.ends[self.match, self.seat] = numpy.arange(len(episodes))


def _compiled(game: Game, rewards: Rewards) -> Any:
    """The loop for a game."""
    parts: dict[str, Any] = {name: getattr(game.rules, name) for name in loop.RULES}
    parts |= {"reseed": game.rules.reseed, "observe": observation_of(game).observe}
    parts |= {"potentials": rewards.potentials, "SHAPED": int(rewards.is_shaped)}
    parts |= {"ACTIONS": game.rules.ACTIONS, "SIZE": game.rules.LAYOUT.size}
    (found,) = compile_loops([loop.replay_span], parts)
    return found


def _whole(numbers: Sequence[int]) -> Any:
    return numpy.array(numbers, numpy.int64)


def _joined(lists: Iterable[list[Any]], kind: Any = numpy.int64) -> Any:
    """The items of all these lists, as one array."""
    return numpy.fromiter(chain.from_iterable(lists), kind)


def _offsets(lengths: Any) -> Any:
    """Where each of some parts begins, and where the last one ends."""
    return numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int64)
