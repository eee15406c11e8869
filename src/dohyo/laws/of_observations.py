"""Laws of what learners see: its numbers, its planes, and that it is compiled as it is written."""

from __future__ import annotations

from math import prod

from dohyo.core import playback
from dohyo.core.game import Game, State
from dohyo.laws.matches import Played, numbers, observed, several
from dohyo.laws.tally import Tally
from dohyo.one_file.fields import values_of

RANGES = {"i1": (-128, 127), "i2": (-(1 << 15), (1 << 15) - 1), "f4": (-3.4e38, 3.4e38)}
STRIDE = 4  # turns from one that is looked at to the next
FIRST = 200  # turns of which each is looked at: a small game has few between its first and its last


def every_number_is_written_and_within_its_planes_bounds(game: Game, tally: Tally) -> None:
    """An observation is written whole, each number between its plane's low and high, which the kind can hold."""
    if game.observation is None:
        tally.note = "learners see nothing of this game"
        return
    planes, size = game.observation.PLANES, prod(game.observation.SHAPE)
    assert len({plane.name for plane in planes}) == len(planes)
    assert all(plane.meaning for plane in planes)
    least, most = RANGES[game.observation.KIND]
    assert all(least <= plane.low < plane.high <= most for plane in planes)
    extremes: dict[str, set[float]] = {plane.name: set() for plane in planes}
    for played in several(game, tally, 600, first_seed=900):
        for state in states_seen(game, played)[:: STRIDE if tally["turns"] > FIRST else 1]:
            for seat in range(len(played.replay.header.seats)):
                row = observed(game, state, seat)
                assert None not in row, "a number was not written"
                for at, plane in enumerate(planes):
                    seen = set(row[at * size : (at + 1) * size])
                    assert plane.low <= min(seen)
                    assert max(seen) <= plane.high, plane.name
                    extremes[plane.name] |= seen
                tally["observations"] += 1
    if not getattr(game.observation, "is_general", False):  # the general one has every field, whatever is in it
        same = [name for name, seen in extremes.items() if len(seen) == 1]
        assert not same, f"a plane that is always the same tells nothing: {', '.join(same)}"
    tally.reach(turns=600, observations=150)


def states_seen(game: Game, played: Played) -> list[State]:
    """Every state of a match in which somebody was asked, so that the dice have moved, and the last one."""
    moments = list(playback.moments(game, played.replay))
    return [*(moment.before for moment in moments if moment.turn.moves), *(moment.after for moment in moments[-1:])]


def what_belongs_to_seats_is_seen_from_the_observing_one(game: Game, tally: Tally) -> None:
    """If all that belongs to seats moves on by a seat, the next seat sees what the seat saw: by the default alone."""
    if not getattr(game.observation, "is_general", False):
        tally.note = "this game says itself what learners see"
        return
    assert game.observation is not None
    size = prod(game.observation.SHAPE)  # of the first plane, which is the seat's number
    for played in several(game, tally, 200, first_seed=970):
        seats = len(played.replay.header.seats)
        for moment in list(playback.moments(game, played.replay))[::STRIDE]:
            moved = moved_on(game, moment.after, seats)
            for seat in range(seats):
                seen, next_seen = observed(game, moment.after, seat), observed(game, moved, (seat + 1) % seats)
                assert seen[size:] == next_seen[size:]
                tally["observations"] += 1
    tally.reach(observations=100)


def what_looks_owned_belongs_to_who_put_it_there(game: Game, tally: Tally) -> None:
    """Where only its form suggests that a field has owners, whoever moves alone takes nobody's places for itself.

    Otherwise its values are words or kinds of things, and a learner would see them exchanged from the other seat.
    """
    guessed = [field for field in game.fields if field.guessed]
    if not guessed:
        tally.note = "no field is taken for owners by its form"
        return
    for played in several(game, tally, 400, first_seed=980):
        for moment in playback.moments(game, played.replay):
            movers = [seat for seat, action in enumerate(moment.actions) if action is not None]
            for field in guessed if len(movers) == 1 else ():
                known = zip(values_of(field, moment.before), values_of(field, moment.after), strict=True)
                taken = {now for was, now in known if was == 0 and now != 0}
                declared = f'OWNERS = (), or OWNERS = ("{field.name}",) if it has'
                assert taken <= {movers[0] + 1}, f"the field {field.name} has no owners: write {declared}"
                tally["places"] += len(taken)
    tally.reach(places=20)


def moved_on(game: Game, state: State, seats: int) -> State:
    """A state in which what belongs to seat 0 belongs to seat 1, and so on, and what to the last one to seat 0."""
    moved = game.rules.LAYOUT.copy(state)
    for field in game.fields:
        values = list(values_of(field, state))
        if field.by_seat:
            own, rest = values[: seats * field.part], values[seats * field.part :]
            values = [*own[len(own) - field.part :], *own[: len(own) - field.part], *rest]
        if field.owners:
            values = [value % seats + 1 if 1 <= value <= seats else value for value in values]
        if field.shape:
            getattr(moved, field.name)[:] = values
        else:
            setattr(moved, field.name, values[0])
    return moved


def a_compiled_observation_is_the_plain_one(game: Game, tally: Tally) -> None:
    """Compiled, `observe` writes the same numbers into an array of the observation's kind."""
    if game.observation is None:
        tally.note = "learners see nothing of this game"
        return
    import numpy

    from dohyo.sim import records
    from dohyo.sim.loops import observation_parts
    from dohyo.sim.turns import Games, observe_span
    from dohyo.sim.whole_program import compile_loops

    (look,) = compile_loops([observe_span], observation_parts(game))

    for played in several(game, tally, 200, first_seed=950):
        seats = len(played.replay.header.seats)
        moments = list(playback.moments(game, played.replay))[::STRIDE]
        states = records.blank(game.rules.LAYOUT, len(moments))
        for n, moment in enumerate(moments):
            records.write(game.rules.LAYOUT, states, n, moment.after)
        out = numpy.full((len(moments), seats, numbers(game)), 77, game.observation.KIND)
        rewards = numpy.zeros((len(moments), seats), "f4")  # which says how many seats there are
        look(0, len(moments), Games(states, None, None, None, rewards, None, 0, 0), None, out)
        for n, moment in enumerate(moments):
            for seat in range(seats):
                plain = numpy.array(observed(game, moment.after, seat), game.observation.KIND)  # 64 bits are rounded
                assert out[n, seat].tolist() == plain.tolist()
                tally["observations"] += 1
    tally.reach(observations=100)
