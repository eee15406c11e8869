"""Random matches of any game, for the laws: through the referee, as living players would play them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Result, Seat
from dohyo.laws.tally import Tally

MAX_TURNS = 20_000  # of a match; one that goes on longer does not end
MAX_SEATS = 8  # of a random match, where a game takes more

_TOLD: dict[str, Any] = {}


class Played(NamedTuple):
    """A match that is over; `seen` holds, turn by turn, the packed state that the players saw, and the last one."""

    replay: Replay
    seen: list[bytes]


Answering = Callable[[Referee, int, random.Random], Answer]


def tell(game: Game, known: Any) -> None:
    """Tell the laws more about a game than it says itself: an object with what `dohyo.laws` lists, or none of it."""
    _TOLD[game.name] = known


def about(game: Game) -> Any:
    """What the laws were told of the game, or none."""
    return _TOLD.get(game.name)


def setups(game: Game) -> list[dict[str, Any]]:
    """The setups under which the laws are to hold, resolved."""
    return [resolve(game.options, given) for given in getattr(about(game), "SETUPS", [{}])]


def seat_counts(game: Game) -> list[int]:
    """How many players a random match may have."""
    fewest, most = game.seats
    return sorted({fewest, min(most, max(fewest, MAX_SEATS))})


def begin(game: Game, seed: int) -> tuple[Referee, Mapping[str, Any]]:
    """A match before its first turn; setup and number of seats go by the seed. With its setup."""
    kinds = list(itertools.product(setups(game), seat_counts(game)))
    setup, seats = kinds[seed % len(kinds)]
    return Referee(game, setup, seats, seed), setup


def legal_answer(referee: Referee, seat: int, chooser: random.Random) -> Answer:
    """A reply with a legal action, every one as likely."""
    game, state = referee.game, referee.state
    legal = game.legal_actions(state, seat) or game.rules.CONCESSIONS
    assert legal, "there is nothing that the player may do"
    if _gives_up_by_default(game) and not state.gave_up[seat]:
        assert legal is not game.rules.CONCESSIONS, (
            f"seat {seat} must act in turn {referee.turn} of seed {referee.seed} and has no legal action: it could "
            "only give up; end the match there, or let acts pass over the seat"
        )
    return Answer(referee.game.protocol.text(chooser.choice(legal)), seconds=chooser.randrange(1, 90000) / 1_000_000)


def _gives_up_by_default(game: Game) -> bool:
    """Whether giving up is not the game's own action, but the general one of a file of rules."""
    added = "stand_ins"
    return added in game.rules.LAYOUT.shapes and bool(game.fields) and all(each.name != added for each in game.fields)


def play(game: Game, seed: int, answer: Answering = legal_answer) -> Played:
    """Play a whole match. Fails when the match does not end."""
    referee, setup = begin(game, seed)
    return finish(referee, setup, seed, answer)


def finish(
    referee: Referee,
    setup: Mapping[str, Any],
    seed: int,
    answer: Answering = legal_answer,
    start: dict[str, Any] | None = None,
) -> Played:
    """Play a match to its end. `start` holds the state's fields, where it was taken up from another match."""
    chooser = random.Random(seed)
    pack = referee.game.rules.LAYOUT.pack
    seen = [pack(referee.state)]
    while not referee.over:
        assert referee.turn < MAX_TURNS, "the match does not end"
        referee.submit({seat: answer(referee, seat, chooser) for seat in referee.pending()})
        seen.append(pack(referee.state))
    result = referee.result()
    return Played(Replay(header(referee, setup, seed, start), referee.turns, result), seen)


def header(referee: Referee, setup: Mapping[str, Any], seed: int, start: dict[str, Any] | None = None) -> Header:
    """What stands at the top of a match's replay."""
    return Header(
        game=referee.game.name,
        rules=referee.game.version,
        setup=dict(setup),
        seats=tuple(Seat(f"random {seat}") for seat in range(referee.seats)),
        seed=seed,
        software="the laws",
        start=start,
        first=referee.first,
    )


def several(
    game: Game, tally: Tally, turns: int, first_seed: int = 0, answer: Answering = legal_answer
) -> Iterator[Played]:
    """Random matches until `turns` turns were played, each setup and number of seats at least once; all counted."""
    kinds = len(setups(game)) * len(seat_counts(game))
    for seed in itertools.count(first_seed):
        if tally["turns"] >= turns * tally.part and tally["matches"] >= kinds:
            return
        assert tally["matches"] < max(turns, kinds), "the matches have no turns"
        played = play(game, seed, answer)
        tally["matches"] += 1
        tally["turns"] += len([turn for turn in played.replay.turns if turn.moves])
        yield played


def check_result(game: Game, result: Result, seats: int) -> None:
    """The result of a finished match is one: places that can be, a winner at the first place, a reason with words."""
    assert not result.unfinished
    assert len(result.places) == seats
    for place in result.places:
        assert place == 1 + sum(other < place for other in result.places), f"places {result.places}"
    if result.winner is not None:
        assert result.places[result.winner] == 1
        assert result.places.count(1) == 1
    assert result.reason_key in game.rules.REASONS.values()


def general_unseen(game: Game) -> Callable[[Any, int, random.Random], Any] | None:
    """What `unseen` is for a game whose file says by fields what is hidden: there stands what another match has."""
    if not any(field.hidden for field in game.fields):
        return None
    pool: dict[int, list[Any]] = {}

    def unseen(state: Any, seat: int, chooser: random.Random) -> Any:
        count = getattr(state, "seats", game.seats[1])
        if count not in pool:
            pool[count] = states_of(game, count)
        layout = game.rules.LAYOUT
        changed, other = layout.copy(state), chooser.choice(pool[count])
        for field in game.fields:
            hidden = [at for at in range(field.size) if at not in field.seen_by(seat)]
            if not field.shape and hidden:
                setattr(changed, field.name, getattr(other, field.name))
            elif hidden:
                row, given = getattr(changed, field.name), getattr(other, field.name)
                for at in hidden:
                    row[at] = given[at]
        return None if layout.pack(changed) == layout.pack(state) else changed

    return unseen


def states_of(game: Game, seats: int) -> list[Any]:
    """States of random matches between so many players."""
    layout, found = game.rules.LAYOUT, []
    for seed in range(20):
        referee, chooser = Referee(game, resolve(game.options, {}), seats, seed), random.Random(seed)
        while not referee.over and referee.turn < MAX_TURNS:
            found.append(layout.copy(referee.state))
            referee.submit({seat: legal_answer(referee, seat, chooser) for seat in referee.pending()})
        found.append(layout.copy(referee.state))
    return found


def numbers(game: Game) -> int:
    """How many numbers a learner's observation has."""
    assert game.observation is not None
    return len(game.observation.PLANES) * prod(game.observation.SHAPE)


def observed(game: Game, state: Any, seat: int) -> list[float]:
    """What a learner on the seat sees; a number that was not written is none, and fails where it is compared."""
    assert game.observation is not None
    out: list[Any] = [None] * numbers(game)
    game.observation.observe(state, seat, out)
    return out
