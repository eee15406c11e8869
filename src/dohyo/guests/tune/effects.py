"""Which parameters change nothing that the bot answers: perhaps a name is misspelt, and the bot never reads it.

Before the search, the bot plays the same match with a parameter's lowest value and with its highest (with several
words, if it is one of words): the same seed, seat and opponents, and the same values of the other parameters. Where
it answers differently although it was sent the same, the parameter has an effect. Otherwise it is tried in further
matches, on other seats and seeds, with other values of the other parameters. The matches count for nothing else.

A bot whose answers depend on the machine's speed, or on dice of its own, answers differently without any parameter,
so nothing is said of it. A parameter that matters in rare positions only may be named wrongly: it is told as a
question, and tuned like the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from dohyo.bench.disagreement import first_disagreement
from dohyo.core import replay_format
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay
from dohyo.core.seeds import derived
from dohyo.executors import Executor
from dohyo.guests.tune.record import EFFECTS, TUNE, CandidateSeries, Values
from dohyo.guests.tune.space import Parameter, values_at
from dohyo.guests.tune.tuning import Tuning, spread_evenly
from dohyo.series.formats.comparison import CANDIDATE

TRIES = 4  # matches with each value, before a parameter is named
MAX_WORDS = 4  # of a parameter that is one of words


def without_effect(tuning: Tuning, executor: Executor) -> tuple[str, ...]:
    """The parameters that seem to change nothing, by name, from the record if it knows; none of a tuning under way.

    Raises `OperatorError` for a match that cannot be played.
    """
    if not is_open(tuning) and EFFECTS not in tuning.record.names():
        return ()
    series = tuning.series(EFFECTS, derived(tuning.terms.seed, "tune-effects"), whole=False)
    left = list(tuning.space)
    clean = {one.name for one in left}  # those that were seen to answer the same, without a fault
    for number in range(TRIES):
        if not left or not (is_open(tuning) or series.progress(number)[1]):
            break
        changed, untold = _tried(tuning, series, executor, left, number)
        left = [one for one in left if one.name not in changed]
        clean -= untold
    series.end()
    return tuple(one.name for one in left if one.name in clean)


def is_open(tuning: Tuning) -> bool:
    """Whether nobody has looked yet, or not to the end, so that matches are to be played for it.

    What another program referees says nothing of single answers.
    """
    return tuning.game.referee is None and TUNE not in tuning.record.names()


def values_tried(one: Parameter) -> tuple[str, ...]:
    """The values with which it is tried."""
    return one.words[:MAX_WORDS] if one.words else (one.value(0.0), one.value(1.0))


def _tried(
    tuning: Tuning, series: CandidateSeries, executor: Executor, left: Sequence[Parameter], number: int
) -> tuple[set[str], set[str]]:
    """Of the parameters, those that changed an answer in this match, and those of which it tells nothing."""
    wanted = [{**_others(tuning, number), one.name: value} for one in left for value in values_tried(one)]
    if series.values(number) is None:
        series.enter(number, wanted, tuning.bot)
    if series.values(number) != wanted:
        raise OperatorError("tune-store-differs", path=tuning.record.path, what="parameters")
    if not series.progress(number)[1]:
        for _ in series.play(executor, number, tuning.candidate):
            """Each match is looked at when all are there."""
    seat = tuning.round[number % len(tuning.round)].index(CANDIDATE)
    replays = iter([_replay(series, played, seat) for played in series.results(number)])
    changed, untold = set(), set()
    for one in left:
        first, *others = islice(replays, len(values_tried(one)))
        told = [_changes(first, other, seat) for other in others]
        if any(told):
            changed.add(one.name)
        elif None in told:
            untold.add(one.name)
    return changed, untold


def _changes(one: Replay | None, other: Replay | None, seat: int) -> bool | None:
    """Whether the seat answers differently to the same; None if that is not known."""
    if one is None or other is None:
        return None
    if first_disagreement(one, other, seat, None) is not None:
        return True
    # Where the matches differ all the same, somebody else was the first to answer differently.
    is_same = [turn.digest for turn in one.turns] == [turn.digest for turn in other.turns]
    return False if is_same else None


def _others(tuning: Tuning, number: int) -> Values:
    """The values of all parameters but the one that is tried: first the bot's own, then some all over the space."""
    if not number:
        return {one.name: one.default for one in tuning.space if one.default}
    return values_at(tuning.space, spread_evenly(tuning.space, TRIES)[number])


def _replay(series: CandidateSeries, played: Result, seat: int) -> Replay | None:
    """The match; none if it tells nothing: it was disturbed, the candidate had a fault, or was never asked."""
    if not played.places or played.replay is None or (played.faults and played.faults[seat]):
        return None
    try:
        replay = replay_format.decode(series.store.files.get(played.replay))
    except (ReplayError, OperatorError):
        return None
    return replay if any(move.seat == seat for turn in replay.turns for move in turn.moves) else None
