"""Whether it is noticed that the referee stood still, on a clock of the test's own."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.referee import Answer, Referee
from dohyo.interrupts import DeferSignals
from dohyo.match.players.players import Players
from dohyo.match.processes.heartbeat import BEAT, LONG, Heartbeat
from dohyo.match.processes.watchdog import NANO

MILLI = 1_000_000


class World:
    """A clock, and what the referee's thread did; both go on as the test says."""

    def __init__(self) -> None:
        self.now = self.busy = 0
        self.heartbeat = Heartbeat(lambda: self.now, lambda: self.busy)

    def wait(self, allowed: int, took: int, busy: int = 0) -> int:
        """A wait that took so long, of which the thread ran or was ready to run for `busy`; what was missed."""
        self.now, self.busy = self.now + took, self.busy + busy
        self.heartbeat.check(allowed)
        return self.heartbeat.missed


@pytest.fixture
def world() -> World:
    """Programs are awaited from now on."""
    found = World()
    found.heartbeat.start()
    return found


def test_what_is_missed(world: World) -> None:
    """Only time counts in which the thread was not to sleep, and neither ran nor waited for a processor."""
    assert world.wait(BEAT, BEAT) == 0
    assert world.wait(BEAT, BEAT + MILLI) == 0
    assert world.wait(BEAT, BEAT + 2 * NANO, busy=2 * NANO) == 0
    assert world.wait(BEAT, BEAT + 3 * NANO, busy=NANO) == 2 * NANO
    assert world.wait(BEAT, BEAT + NANO) == 3 * NANO
    world.heartbeat.start()
    assert world.heartbeat.missed == 0


def test_work_before_is_no_excuse(world: World) -> None:
    """What the thread ran long before the wait explains nothing."""
    for _ in range(100):
        world.wait(BEAT, BEAT + NANO, busy=NANO)
    world.now += NANO
    world.busy += NANO
    world.heartbeat.start()
    assert world.wait(BEAT, BEAT + NANO) == NANO


def test_other_waiting_is_left_out(world: World) -> None:
    """What is waited for besides does not count."""
    world.now += 5 * NANO
    world.heartbeat.resume()
    assert world.wait(BEAT, BEAT) == 0


@pytest.mark.parametrize(("busy", "seen", "missed"), [(0, 500, 500), (480, 500, 0), (200, 500, 300), (0, 100, 100)])
def test_between_two_waits_a_busy_machine_is_no_standstill(busy: int, seen: int, missed: int) -> None:
    """The witness has no processor then, either: what our threads wanted to run is not what they stood still."""
    world = World()
    world.heartbeat = Heartbeat(lambda: world.now, lambda: world.busy, lambda since, until: seen * MILLI)
    world.heartbeat.start()
    world.now, world.busy = world.now + 500 * MILLI, world.busy + busy * MILLI
    world.heartbeat.go_on()
    assert world.heartbeat.missed == missed * MILLI


def test_a_turn_that_was_begun(world: World) -> None:
    """The wait of a turn that somebody else began counts from its beginning."""
    world.now += 7 * NANO
    world.heartbeat.start(ago=2 * NANO)
    assert world.wait(MILLI, 0) == 2 * NANO - MILLI


@pytest.mark.parametrize(
    ("missed", "seconds", "disturbed"),
    [
        (200 * MILLI, [0.5], False),  # in time all the same
        (200 * MILLI, [0.5, 1.1], True),  # late, and in time without it
        (200 * MILLI, [1.3], False),  # late in any case
        (LONG, [0.5], True),  # less time to think, for whoever looks at a watch
        (0, [1.1], False),
    ],
)
def test_whether_it_matters(world: World, missed: int, seconds: list[float], disturbed: bool) -> None:
    """A match is disturbed where somebody would have been in time without it, and where it was long."""
    world.wait(BEAT, BEAT + missed)
    world.heartbeat.judge((each, 1.0) for each in seconds)
    assert world.heartbeat.disturbed == (missed if disturbed else 0)


@pytest.mark.parametrize(
    ("clock", "answered", "seconds", "matters"),
    [
        (Clock(turn=0.0, bank=10.0), True, 0.2, False),
        (Clock(turn=0.0, bank=10.0), False, 10.0, True),
        (Clock(turn=1.0, bank=10.0), True, 1.2, True),
        (Clock(turn=1.0, bank=10.0), True, 0.2, False),
    ],
)
def test_a_standstill_matters_to_who_used_a_reserve_because_of_it(
    clock: Clock, answered: bool, seconds: float, matters: bool
) -> None:
    """With time for the whole match every answer takes of that, and none is late because of a moment."""
    game = games.find("othello")
    with DeferSignals() as signals:
        players = Players(Referee(game, {}, 2, 1), {}, clock, signals)
        players.heartbeat.missed = int(0.3 * NANO)
        players._judge({0: Answer("d3" if answered else None, (), seconds)}, {0: clock.turn + clock.bank})
    assert bool(players.disturbed) is matters
