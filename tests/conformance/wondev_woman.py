"""Wondev Woman against recorded games of the contest's referee: every input, every verdict, every result."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import row_of
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.wondev_woman import GAME
from dohyo.games.wondev_woman.board import SEATS


def compare(path: Path) -> tuple[int, int, list[str]]:
    """How many games and inputs a file of recordings has, and a sentence for each difference."""
    games = inputs = 0
    differences = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            recorded = json.loads(line)
            differences += [f"{path.name}, game {games}, {what}" for what in replayed(recorded)]
            inputs += len(recorded["turns"])
            games += 1
    return games, inputs, differences


def replayed(recorded: dict[str, Any]) -> Iterator[str]:
    """Play a recorded game again through the referee; what differs from the record."""
    units = [unit for player in recorded["units"] for unit in player]
    given = {"league": recorded["league"], "grid": recorded["grid"], "units": units}
    referee = Referee(GAME, resolve(GAME.options, given), SEATS, seed=0)
    greeted: set[int] = set()
    for number, turn in enumerate(recorded["turns"]):
        player = turn["player"]
        if referee.pending() != [player]:
            yield f"turn {number}: {player} was asked, here {referee.pending()}"
            return
        first = [] if player in greeted else recorded["init"]
        greeted.add(player)
        wanted = "".join(f"{line}\n" for line in [*first, *turn["input"]]).encode()
        if referee.prompt(player) != wanted:
            yield f"turn {number}: the input was {wanted!r}, here {referee.prompt(player)!r}"
        late = (Fault(FaultKind.TIMEOUT),) if turn["output"] is None else ()
        referee.submit({player: Answer(turn["output"], late)})
        if bool(referee.state.out[player]) != ("out" in turn):
            yield f"turn {number}: out was {turn.get('out')}, here {referee.state.out}, after {turn['output']!r}"
    final = row_of(SEATS)
    GAME.rules.scores(referee.state, final)
    if not referee.over or final != recorded["final"] or referee.state.rounds != recorded["rounds"]:
        yield (
            f"the end was {recorded['final']} after {recorded['rounds']} rounds, "
            f"here {final} after {referee.state.rounds}, over: {referee.over}"
        )
