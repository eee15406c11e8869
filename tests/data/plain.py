"""What the arrays of a replay must be, by the plain way: state by state in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.core import playback
from dohyo.core.game import Game, usual_seats
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import Replay
from dohyo.data import Decisions
from dohyo.data.wish import is_own
from dohyo.laws.matches import finish, legal_answer, observed


def usual_match(game: Game, seed: int) -> Replay:
    """A match of random play in the usual setup, whatever setups the laws were told of in this process."""
    setup = resolve(game.options, {}, game.catalogue)
    return finish(Referee(game, setup, usual_seats(game), seed), setup, seed, legal_answer).replay


class Row(NamedTuple):
    """One decision."""

    turn: int
    seen: list[float]
    legal: list[int]
    action: int


def rows_of(game: Game, replay: Replay, faulty: bool = False) -> dict[int, list[Row]]:
    """The decisions of each seat that has some, in order; with `faulty`, also what the rules answered for it."""
    found: dict[int, list[Row]] = {}
    for moment in playback.verified(game, replay):
        for move in moment.turn.moves:
            action = moment.actions[move.seat]
            assert action is not None
            if action in range(game.rules.ACTIONS) and (faulty or is_own(move)):
                seen, legal = observed(game, moment.before, move.seat), game.legal_actions(moment.before, move.seat)
                found.setdefault(move.seat, []).append(Row(moment.turn.turn, seen, sorted(legal), action))
    return found


def last_state(game: Game, replay: Replay) -> Any:
    """The state in which a match has ended."""
    state = playback.beginning(game, replay)
    for moment in playback.moments(game, replay):
        state = moment.after
    return state


def check(game: Game, replays: list[Replay], found: Decisions, faulty: bool = False) -> int:
    """Compare the arrays of these replays, all that were given, number by number; how many decisions there are."""
    wanted = [
        (at, seat, rows) for at, replay in enumerate(replays) for seat, rows in rows_of(game, replay, faulty).items()
    ]
    wanted.sort(key=lambda each: each[:2])
    episodes = found.episodes
    numbers = [int(label.removeprefix("replay ")) for label in found.matches]
    matches = [numbers[at] for at in episodes.match.tolist()]
    assert list(zip(matches, episodes.seat.tolist(), strict=True)) == [each[:2] for each in wanted]
    assert episodes.start.tolist()[-1] == len(found) == sum(len(rows) for _, _, rows in wanted)
    assert found.masks is not None
    ends = [last_state(game, replay) for replay in replays]
    for number, (at, seat, rows) in enumerate(wanted):
        part = found.episode(number)
        assert found.turns[part].tolist() == [row.turn for row in rows]
        assert found.actions[part].tolist() == [row.action for row in rows]
        assert (found.observations[part].reshape(len(rows), -1) == [row.seen for row in rows]).all()
        legal = [mask.nonzero()[0].tolist() for mask in found.masks[part]]
        assert legal == [row.legal for row in rows]
        assert episodes.final[number].reshape(-1).tolist() == observed(game, ends[at], seat)
    return len(found)
