"""Recorded matches played again, many together: compiled where that can be, one in plain Python where it cannot."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from math import prod
from typing import Any, NamedTuple

import numpy
from msgspec.structs import replace

from dohyo.core import playback
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game, State
from dohyo.core.referee import outcome
from dohyo.core.replay import Header, Move, Replay, Seat, Turn
from dohyo.core.rewards import PLACE, Rewards, rewards_of
from dohyo.data import loop
from dohyo.data.columns import Columns, Reader
from dohyo.data.loop import Recorded, Written
from dohyo.data.reading import Scan
from dohyo.data.scanning import NOW, ScannedReplay, Scanner, scan_loop
from dohyo.data.sources import Found, of_object
from dohyo.data.wish import Wish
from dohyo.sim import loops, records
from dohyo.sim.one_seat import score_parts
from dohyo.sim.planes import Planes, observation_of
from dohyo.sim.whole_program import compile_loops

MAX_ENDINGS = 1 << 12  # results that are kept as rows
EXACT = 1 << 53  # from here on, not every whole number is a float


class Match(NamedTuple):
    """A replay as columns; `replay`, as `without_texts` leaves it, only of one that the loop may not try."""

    found: Found
    columns: Columns
    replay: Replay | None = None


class Ending(NamedTuple):
    """A result as the loop writes it, and what it is worth; see `Written.endings`."""

    row: tuple[int, ...]
    payoffs: tuple[float, ...]  # 0 for no seat; nothing where points count


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
        each = max(self.planes.kind.itemsize, 4 if wish.scaled else 1)
        self.bytes_a_row = self._numbers * each + game.rules.ACTIONS
        self._rewards: dict[int, Rewards] = {}
        self._scanner: Scanner | None = None
        self._endings: dict[tuple[Any, ...], Ending] = {}
        self._reasons = {key: number for number, key in game.rules.REASONS.items()}
        usual = self._reward(game.seats[0])  # refused now, where it is refused at all
        self._loop = loops.once(game, ("replays", wish.reward.shaping), lambda: _compiled(game, usual))
        most = game.seats[1]
        self._rest = (records.blank(game.rules.SOURCE, 1), loops.scratch_rows(game.rules, most), numpy.zeros(most))

    def arrays(self, matches: Sequence[Match]) -> Arrays:
        """The arrays of these matches."""
        order = _Order(matches, self.game.seats[1], self.game.rules.ACTIONS)
        recorded, written = self._recorded(matches, order), self._written(order)
        if any(match.columns.is_usual for match in matches):  # otherwise nothing need be compiled
            self._run(0, len(matches), recorded, written, *self._rest)
        settled, payoffs = self._settled(matches, recorded, written)
        plain, failed = 0, {}
        for at in (~settled).nonzero()[0].tolist():
            columns = matches[at].columns
            try:
                if columns.is_usual and not written.wrong[at]:
                    end = self._checked(columns, recorded.packed[at])
                else:
                    plain += 1
                    end = self._plainly(at, matches[at], order, written)
                payoffs[at, : columns.players] = self._worth(columns, end)
            except OperatorError as error:
                failed[at] = error.with_traceback(None)  # which holds this frame, with all arrays, in a circle
        return self._gathered(order, written, payoffs, plain, failed)

    def match(self, found: Found, replay: Replay | ScannedReplay) -> Match:
        """A replay as a match. Raises what `Reader.columns` raises."""
        columns = self.reader.columns(replay, found.seats)
        if columns.is_usual:
            return Match(found, columns)
        decoded = replay.replay() if isinstance(replay, ScannedReplay) else replay
        return Match(found, columns, without_texts(self.game, decoded))

    def scan_of(self, replays: int) -> Scan | None:
        """What reads so many replays together; none while it does not pay to compile it."""
        if self._scanner is None and (loop := scan_loop(self.game, replays)) is not None:
            self._scanner = Scanner(self.game, loop)
        return None if self._scanner is None else self._scanner.told

    def ready(self) -> None:
        """Compile the loops, if nobody has, by reading and playing no match."""
        if (scan := self.scan_of(NOW)) is not None:
            scan(())
        order = _Order((), self.game.seats[1], self.game.rules.ACTIONS)
        self._run(0, 0, self._recorded((), order), self._written(order), *self._rest)

    def matched(self, replays: Sequence[Replay]) -> list[Match]:
        """Replays as matches. Raises what `Reader.columns` raises."""
        return [self.match(of_object(number, replay), replay) for number, replay in enumerate(replays)]

    # --- compiled

    def _run(self, *arguments: Any) -> None:
        self._loop(*arguments)

    def _recorded(self, matches: Sequence[Match], order: _Order) -> Recorded:
        """The matches as the loop takes them. One that it should not try is one without seats."""
        every, layout = [match.columns for match in matches], self.game.rules.LAYOUT
        states = records.blank(layout, len(matches))
        packed = states.view("u1").reshape(len(matches), states.dtype.itemsize)
        starts = b"".join(columns.beginning.start for columns in every)
        packed[:, : layout.size] = numpy.frombuffer(starts, "u1").reshape(len(matches), layout.size)
        return Recorded(
            states=states,
            packed=packed,
            seeds=_whole([columns.seed for columns in every]),
            firsts=order.firsts,
            seats=_whole([columns.players * columns.is_usual for columns in every]),
            turns_from=order.turns_from,
            digests=_joined((columns.digests for columns in every), ">u4"),
            dice_from=_offsets(_joined((columns.dice_counts for columns in every), "u2")),
            dice=_joined(columns.dice for columns in every),
            moves_from=_offsets(order.move_counts),
            movers=order.movers,
            actions=order.actions,
            rows=order.rows,
            ends=order.ends,
        )

    def _written(self, order: _Order) -> Written:
        """Arrays for what the loop writes."""
        rows, kind, wish = len(order.taken), self.planes.kind, self.wish
        matches, most = order.ends.shape
        return Written(
            seen=numpy.zeros((rows, self._numbers), kind),
            masks=numpy.zeros((rows if wish.masks else 0, self.game.rules.ACTIONS), numpy.int8),
            promised=numpy.zeros(rows if self._is_shaped else 1),
            finals=numpy.zeros((len(order.seat), self._numbers), kind),
            endings=numpy.zeros((matches, most + 2), numpy.int64),
            points=numpy.zeros((matches, most)),
            wrong=numpy.zeros(matches, numpy.int64),
        )

    def _settled(self, matches: Sequence[Match], recorded: Recorded, written: Written) -> tuple[Any, Any]:
        """Which matches the loop has played to the recorded result, (matches,) bool, and what these are worth."""
        most, is_scored = self.game.seats[1], self.game.rules.scores is not None
        endings = [self._ending(match.columns) for match in matches]
        rows = numpy.array([ending.row for ending in endings], numpy.int64).reshape(-1, most + 2)
        settled = (written.wrong == 0) & (rows == written.endings).all(1)
        settled &= numpy.array([match.columns.is_usual for match in matches], bool)
        unknown = (numpy.nan,) * most
        scores = [match.columns.result.scores for match in matches]
        if is_scored:
            padded = [(*each, *unknown)[:most] for each in scores]
            points = numpy.array(padded, float).reshape(-1, most)
            is_seat = numpy.arange(most) < recorded.seats[:, None]  # none of what was not tried
            # A larger whole number may be another one as a float: such are compared in Python.
            settled &= (((points == written.points) & (abs(points) < EXACT)) | ~is_seat).all(1)
        settled &= numpy.array(list(map(len, scores)), int) == (recorded.seats if is_scored else 0)
        if self.wish.reward.payoff == PLACE:
            return settled, numpy.array([ending.payoffs for ending in endings]).reshape(-1, most)
        payoffs = numpy.zeros((len(matches), most))
        for at in settled.nonzero()[0].tolist():
            columns = matches[at].columns
            state = self.game.rules.LAYOUT.unpack(recorded.packed[at].data)
            payoffs[at, : columns.players] = self._worth(columns, state)
        return settled, payoffs

    def _ending(self, columns: Columns) -> Ending:
        """How a match has ended by its replay."""
        result, players, most = columns.result, columns.players, self.game.seats[1]
        key = players, result.places, result.winner, result.reason_key, result.unfinished, result.adjudicated
        found = self._endings.get(key)
        if found is None:
            is_ours = len(result.places) == players and not result.unfinished and not result.adjudicated
            reason = self._reasons.get(result.reason_key, -1) if is_ours else -1
            places, rest = (*result.places, *(0,) * most)[:most], (0.0,) * (most - players)
            by_place = is_ours and self.wish.reward.payoff == PLACE
            worth = self._reward(players).payoffs_of(None, result.places) if by_place else (0.0,) * players
            winner = -1 if result.winner is None else result.winner
            found = Ending((*places, reason, winner), (*worth, *rest))
            if len(self._endings) >= MAX_ENDINGS:
                self._endings.clear()
            self._endings[key] = found
        return found

    def _worth(self, columns: Columns, end: State) -> list[float]:
        """What a match is worth to each seat."""
        return self._reward(columns.players).payoffs_of(end, columns.result.places)

    def _checked(self, columns: Columns, packed: Any) -> State:
        """The last state of a match; raises `ReplayError` where its result is not what the rules say."""
        state = self.game.rules.LAYOUT.unpack(packed.data)
        played = sum(map(bool, columns.move_counts))
        if outcome(self.game, state, columns.players, (), columns.first + played) != columns.result:
            raise ReplayError("replay-result-differs")
        return state

    # --- plain

    def _plainly(self, at: int, match: Match, order: _Order, written: Written) -> State:
        """Play a match in Python, and write its rows; its last state. Raises `OperatorError` where it differs."""
        game, replay, move = self.game, match.replay or self._rebuilt(match.columns), int(order.first_moves[at])
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

    def _rebuilt(self, columns: Columns) -> Replay:
        """The replay that these are the columns of, as `without_texts` leaves it. Raises `ReplayError`."""
        text, turns = self.game.protocol.text, []
        moves, dice = zip(columns.movers, columns.actions, strict=True), iter(columns.dice)
        counts = zip(array("H", columns.dice_counts), columns.move_counts, strict=True)
        try:
            for at, (rolled, moved) in enumerate(counts):
                line = tuple(Move(seat, text(action)) for seat, action in islice(moves, moved))
                digest = columns.digests[4 * at : 4 * at + 4]
                turns.append(Turn(columns.first + at, tuple(islice(dice, rolled)), line, digest.hex()))
        except playback.OUT_OF_THE_RULES as error:
            raise ReplayError("replay-malformed", error="action") from error
        header = Header(
            game=self.game.name,
            rules=self.game.version,
            setup=dict(columns.beginning.setup),
            seats=(Seat(""),) * columns.players,
            seed=columns.seed,
            software="",
            first=columns.first,
        )
        return Replay(header, turns, columns.result)

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
        every = [match.columns for match in matches]
        self.players, self.firsts = _whole([each.players for each in every]), _whole([each.first for each in every])
        self.move_counts = _joined((columns.move_counts for columns in every), "u1")
        self.movers = _joined((columns.movers for columns in every), "u1")
        self.actions = _joined(columns.actions for columns in every)
        counts = [len(columns.movers) for columns in every]
        self.first_moves = _offsets(counts)[:-1]
        self.turns_from = _offsets([len(columns.move_counts) for columns in every])
        numbers = numpy.arange(len(self.move_counts))
        numbers += numpy.repeat(self.firsts - self.turns_from[:-1], numpy.diff(self.turns_from))
        self.turns = numpy.repeat(numbers, self.move_counts)
        is_wanted = numpy.arange(most) < self.players[:, None]
        for at, columns in enumerate(every):
            if len(columns.seats) != columns.players:
                is_wanted[at] = [seat in columns.seats for seat in range(most)]
        of_match = numpy.repeat(numpy.arange(len(matches)), counts)
        kept = _joined((columns.kept for columns in every), "u1") > 0
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
    parts |= {"ACTIONS": game.rules.ACTIONS, "SIZE": game.rules.LAYOUT.size, **score_parts(game)}
    (found,) = compile_loops([loop.replay_span], parts)
    return found


def _whole(numbers: Sequence[int]) -> Any:
    return numpy.array(numbers, numpy.int64)


def _joined(parts: Iterable[array[int] | bytes], kind: str = "i8") -> Any:
    """The numbers of all these, of the kind that they are, as one array of int64."""
    return numpy.frombuffer(b"".join(parts), kind).astype(numpy.int64, copy=False)


def _offsets(lengths: Any) -> Any:
    """Where each of some parts begins, and where the last one ends."""
    return numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int64)
