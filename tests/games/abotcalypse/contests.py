"""The program `koth` with matches that are a script: no bots, no processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dohyo.core.dialogue import Entrant, Entrants, Examine, Keep, Lapse, Play, Played, Print
from dohyo.core.faults import FaultKind
from dohyo.games.abotcalypse.koth import KOTH, SURVIVED
from dohyo.i18n import Message, Speaker

DEAD = "abotcalypse.died-by-meteor"


def played(scores: Mapping[str, int], survivors: Sequence[str] = (), lapses: Sequence[Lapse] = ()) -> Played:
    """What came of a game."""
    fates = {name: SURVIVED if name in survivors else DEAD for name in scores}
    return Played(scores, fates, tuple(lapses))


def lapse(bot: str, turn: int, kind: FaultKind = FaultKind.TIMEOUT, answered: bool = False) -> Lapse:
    """A bot's fault."""
    return Lapse(bot, turn, kind, answered)


class Scripted:
    """A contest in which `match` says what comes of each game; what was told, kept and asked for."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        match: Callable[[Play], Played | None],
        findings: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._entrants = entrants
        self._match = match
        self._findings = findings or {}
        self.lines: list[str] = []
        self.kept: list[tuple[str, str]] = []
        self.plays: list[Play] = []
        self.examined: list[Examine] = []
        self.status = -1

    def run(self, seed: int = 7, **options: object) -> Scripted:
        """Hold the contest, with the program's own defaults for what `options` leave out."""
        values = {option.name: option.default for option in KOTH.options}
        machine = KOTH.machine(seed, {**values, **options})
        try:
            request = next(machine)
            while True:
                request = machine.send(self._answer(request))
        except StopIteration as end:
            self.status = end.value
        return self

    def _answer(self, request: object) -> object:
        match request:
            case Entrants():
                return self._entrants
            case Examine(name):
                self.examined.append(request)
                return self._findings.get(name, ())
            case Play():
                self.plays.append(request)
                return self._match(request)
            case Message():
                self.lines.append(Speaker("en", KOTH.catalogue).say(request))
            case Print(line):
                self.lines.append(line)
            case Keep(name, text):
                self.kept.append((name, text))
            case _:
                raise AssertionError(request)
        return None
