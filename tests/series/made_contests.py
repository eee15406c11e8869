"""Contests to be shown: made by a real format, stored as they are when they are run, ended by dice."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.core.options import resolve
from dohyo.series import formats
from dohyo.series.spec import Contender, Spec, as_stored
from dohyo.series.standings import fitted
from dohyo.series.store import open_store
from dohyo.series.store.records import PublishedRating

BEGUN = 1_800_000_000.0
HOSTILE = "<img src=x onerror=alert(1)>"
NAMES = ("yokozuna", "ozeki", HOSTILE, "狼と香辛料の賢い狼のボット", "a" * 40, "sekiwake", "komusubi", "lazy")


def hold(
    where: Path,
    *,
    game: str = "wondev-woman",
    kind: str = "round-robin",
    names: Sequence[str] = NAMES,
    rounds: int = 6,
    batches: int | None = None,
    calm: bool = False,
    clock: Clock | None = None,
    seed: int = 7,
    late: Mapping[str, int] | None = None,
) -> None:
    """Hold a contest, or its first batches; earlier names are better, the last one runs out of time unless `calm`.

    Those who are `late` enter with the batch given.
    """
    since = late or {}
    spec = Spec(
        game=game,
        format=kind,
        rounds=rounds,
        seed=seed,
        setup=resolve(games.find(game).options, {}),
        options={},
        clock=clock,
        bots=tuple(Contender(name) for name in names if name not in since),
    )
    dice = random.Random(seed)
    with open_store(str(where), create=True) as store:
        contest = store.begin("spring", game, as_stored(spec), BEGUN)
        versions = [Version(name, f"{n:064x}", "python") for n, name in enumerate(names)]
        entrants = [Entrant(n, version, since.get(version.name, 0)) for n, version in enumerate(versions)]
        store.enter(contest.id, entrants, BEGUN)
        format_ = formats.make(
            kind, seats=games.find(game).seats, rounds=rounds, seed=seed, entrants=len(names) - len(since)
        )
        batch = 0
        while (fixtures := format_.next(entrants)) and (batches is None or batch < batches):
            store.schedule(contest.id, fixtures)
            results = [_result(fixture, len(names), dice, calm) for fixture in fixtures]
            store.record(contest.id, results)
            format_.take(results)
            ratings = fitted(store, contest, len(names)).ratings
            store.rate(contest.id, batch, [PublishedRating(each.number, each.rating) for each in ratings])
            batch += 1
        store.set_state(contest.id, "stopped" if batches else "over")


def _result(fixture: Fixture, bots: int, dice: random.Random, calm: bool) -> Result:
    luck = [bots - entrant + dice.gauss(0, bots / 2.5) - seat / 4 for seat, entrant in enumerate(fixture.seats)]
    places = [1 + sum(other > own + 0.2 for other in luck) for own in luck]
    lazy = [entrant == bots - 1 and not calm and dice.random() < 0.3 for entrant in fixture.seats]
    thought = list(zip(fixture.seats, lazy, strict=True))
    return Result(
        fixture,
        places=tuple(places),
        faults=tuple((("timeout",) if each else ()) for each in lazy) if any(lazy) else (),
        longest=tuple(0.0512 if late else 0.004 * (1 + dice.random() * (1 + entrant)) for entrant, late in thought),
        at=BEGUN + fixture.number,
        seconds=0.5,
    )
