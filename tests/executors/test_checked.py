"""A worker that lies: what cannot be the match that was ordered is refused, and its match is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from dohyo.core import replay_format as replays
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.checked import Checked, what_is_wrong
from dohyo.executors.in_process import InProcess
from dohyo.executors.one_match import play_order, report_of
from tests.executors.test_executors import order
from tests.match.conftest import Bot

changed = msgspec.structs.replace


class Liar(InProcess):
    """Plays, and reports something else."""

    def __init__(self, lie: Callable[[MatchReport], MatchReport]) -> None:
        super().__init__()
        self._lie = lie

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """What it says of the orders."""
        yield from map(self._lie, super().play(orders))


def forged(change: Callable[[Replay], Replay]) -> Callable[[MatchReport], MatchReport]:
    """A lie that is consistent in itself: replay and result are both of what was changed."""

    def lie(report: MatchReport) -> MatchReport:
        replay = change(replays.decode(report.replay))
        return report_of(report.key, replay, replays.encode(replay, compressed=True), (), report.seconds, "liar")

    return lie


def other_moves(replay: Replay) -> Replay:
    """Another action in the first turn in which somebody moves."""
    turns = [*replay.turns]
    at = next(at for at, turn in enumerate(turns) if turn.moves)
    first, *others = turns[at].moves
    turns[at] = changed(turns[at], moves=(changed(first, action="5" if first.action != "5" else "4"), *others))
    return changed(replay, turns=turns)


def other_places(replay: Replay) -> Replay:
    """One wins who did not."""
    return changed(replay, result=changed(replay.result, places=(1, 2, 3, 4)))


LIES: dict[str, Callable[[MatchReport], MatchReport]] = {
    "no replay": lambda report: changed(report, replay=b""),
    "half a replay": lambda report: changed(report, replay=report.replay[:-40]),
    "other places": lambda report: changed(report, places=(1, 2, 3, 4)),
    "other faults": lambda report: changed(report, faults=((), ("late",), (), ())),
    "other scores": lambda report: changed(report, scores=(1, 2, 3, 4)),
    "other moves": forged(other_moves),
    "other winners": forged(other_places),
    "another seed": forged(lambda replay: changed(replay, header=changed(replay.header, seed=2))),
    "another setup": forged(lambda replay: changed(replay, header=changed(replay.header, setup={"turns": 9}))),
    "other bots": forged(
        lambda replay: changed(replay, header=changed(replay.header, seats=tuple(reversed(replay.header.seats))))
    ),
    "another game": forged(lambda replay: changed(replay, header=changed(replay.header, game="wondev-woman"))),
}


def test_every_lie_is_found(bot: Bot) -> None:
    """What a worker reports otherwise than it was cannot be taken for the match; what it was can."""
    sent = order("k", bot(), bot("echo nonsense"), bot("exit 3"), bot())
    report = play_order(sent, "w")
    assert what_is_wrong(sent, report) is None
    for name, lie in LIES.items():
        assert what_is_wrong(sent, lie(report)) is not None, name


def test_a_lie_is_refused_and_told(bot: Bot) -> None:
    """Instead of it there is an error, which counts as a try; the other matches' reports come through."""
    told: list[tuple[str, str]] = []

    def only_b(report: MatchReport) -> MatchReport:
        return LIES["other winners"](report) if report.key == "b" else report

    with Checked(Liar(only_b), lambda key, error: told.append((key, error.key))) as executor:
        reports = {report.key: report for report in executor.play(order(key, bot()) for key in "ab")}
    assert told == [("b", "report-refused")]
    assert reports["b"].error
    assert not reports["b"].replay
    assert not reports["a"].error
    assert reports["a"].replay


class Twice(InProcess):
    """Plays, and reports each match twice."""

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """What it says of the orders."""
        for report in super().play(orders):
            yield from (report, report)


def test_what_is_reported_twice_counts_once(bot: Bot) -> None:
    """A second report of the same match is refused and told, and changes nothing of the first."""
    told: list[tuple[str, str]] = []
    with Checked(Twice(), lambda key, error: told.append((key, error.key))) as executor:
        reports = [*executor.play([order("a", bot())])]
    assert [(report.key, report.error) for report in reports] == [("a", "")]
    assert told == [("a", "report-refused")]


def test_an_error_is_passed_on(bot: Bot) -> None:
    """What could not be played has no replay, and is reported as it is."""
    refused: list[OperatorError] = []
    with Checked(InProcess(), lambda key, error: refused.append(error)) as executor:
        (report,) = executor.play([order("a", bot(), seed=-1)])
    assert report.error == play_order(order("a", bot(), seed=-1)).error
    assert not refused
