"""What is said of a match while it is shown: sentences as data, each with what it is about.

They come from the rules' own events as a game marks them, faults, points, chances where these are known, and from the
ratings. Only what is known is said, and not too much: so many lines of one kind, and none twice within a few turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dohyo.core.game import Game
from dohyo.core.playback import Moment
from dohyo.i18n import Message, has
from dohyo.match.telling.fault_words import kind_word
from dohyo.series.broadcast.interest import Candidate, Interest, Known, favourite, upset_by

EACH = 12  # lines of one kind in a match
AGAIN = 15  # turns after which the same may be said of the same seat again
HOLDS = 3  # rounds of all seats for which a lead has to last before it is one
OFTEN = (3, 6, 10)  # changes of the lead that are counted aloud
SWING = 0.35  # of a chance, within `BACK` positions: a turning point
BACK = 8
LIKELY = 0.8  # a chance that makes an upset likely


class Line(NamedTuple):
    """Something that is said: what, of which kind, about which seat of the match that is shown, in which turn.

    Kinds: match, event, fault, lead, chance, end, table.
    """

    said: Message
    kind: str
    seat: int | None = None
    turn: int | None = None


class Lines:
    """Says what happens in one match."""

    def __init__(self, game: Game, match: Candidate, names: Sequence[str], known: Mapping[int, Known]) -> None:
        self._game = game
        self._match = match
        self._names = names
        self._known = known
        self._counts: Counter[str] = Counter()
        self._said: dict[tuple[str, int], int] = {}  # by what was said and of whom: in which turn
        self._leader: int | None = None
        self._ahead: tuple[int | None, int] = None, 0  # who is ahead now, and since which turn
        self._changes = 0
        self._chances: list[tuple[float, ...]] = []
        self._favourite = favourite(match.seats, known)

    def beginning(self, why: Interest) -> list[Line]:
        """Who plays, and why this match is shown; nothing of how it ended."""
        first, *others = self._names
        names: dict[str, Any] = {"name": first, "other": others[0] if others else first, "count": len(self._names)}
        said = [Message("broadcast.meet" if len(self._names) == 2 else "broadcast.meet-many", names)]
        if why.why in ("final", "close", "top"):
            said.append(Message(f"broadcast.why-{why.why}", names))
        if self._favourite is not None and why.why != "close":
            said.append(Message("broadcast.favourite", {"name": self._names[self._favourite]}))
        return [Line(each, "match") for each in said]

    def turn(self, moment: Moment, frame: Mapping[str, Any]) -> list[Line]:
        """What is worth a sentence in this turn."""
        number = moment.turn.turn
        found = [*self._events(frame, number), *self._faults(moment, number)]
        more = self._lead(moment, number), self._left(moment, number)
        return [*found, *(line for line in more if line is not None)]

    def chances(self, chances: Sequence[float], turn: int) -> list[Line]:
        """What chances that are known say."""
        self._chances = [*self._chances[-BACK:], tuple(chances)]
        found = []
        before = self._chances[0]
        for seat, chance in enumerate(chances):
            if chance - before[seat] >= SWING and self._may("chance", "swing", seat, turn):
                values = {
                    "name": self._names[seat],
                    "before": round(100 * before[seat]),
                    "after": round(100 * chance),
                }
                found.append(Line(Message("broadcast.swing", values), "chance", seat, turn))
            is_outsider = self._favourite is not None and seat != self._favourite
            if is_outsider and chance >= LIKELY and self._may("chance", "upset", seat, turn, once=True):
                assert self._favourite is not None
                names = {"name": self._names[seat], "other": self._names[self._favourite]}
                found.append(Line(Message("broadcast.upset-looms", names), "chance", seat, turn))
        return found

    def ending(self, places: Sequence[int], reason: Message, turn: int) -> list[Line]:
        """How it ended, and what that means by the ratings."""
        winners = [seat for seat, place in enumerate(places) if place == 1]
        if len(winners) == 1:
            said = Message("broadcast.won", {"name": self._names[winners[0]], "reason": reason})
        elif len(winners) == len(self._names):
            said = Message("broadcast.drawn", {"reason": reason})
        elif not winners:  # all had a fault, and a fault is last
            said = Message("broadcast.nobody", {"reason": reason})
        else:
            said = Message("broadcast.shared", {"count": len(winners), "reason": reason})
        found = [Line(said, "end", winners[0] if len(winners) == 1 else None, turn)]
        seat = upset_by(self._match.seats, places, self._known)
        if seat is not None and self._favourite is not None:
            names = {"name": self._names[seat], "other": self._names[self._favourite]}
            found.append(Line(Message("broadcast.upset", names), "end", seat, turn))
        return found

    def _events(self, frame: Mapping[str, Any], turn: int) -> list[Line]:
        """What the game marks in its own frame."""
        found = []
        for kind, seat in frame.get("highlights", ()):
            key = f"{self._game.name}.mark.{kind}"
            if has(key, self._game.catalogue) and self._may("event", kind, seat, turn):
                values = {"name": self._names[seat], "what": Message(key)}
                found.append(Line(Message("broadcast.event", values), "event", seat, turn))
        return found

    def _faults(self, moment: Moment, turn: int) -> list[Line]:
        found = []
        for move in moment.turn.moves:
            for fault in move.faults:
                kind = kind_word(fault)
                if not fault.note and self._may("fault", kind, move.seat, turn):
                    values = {"name": self._names[move.seat], "what": Message(f"fault.{kind}")}
                    found.append(Line(Message("broadcast.event", values), "fault", move.seat, turn))
        return found

    def _lead(self, moment: Moment, turn: int) -> Line | None:
        """Who has taken the lead by points, once that has lasted for some turns."""
        points = self._game.score(moment.after, len(self._names))
        best = sorted(points, reverse=True)
        ahead = points.index(best[0]) if len(best) > 1 and best[0] > best[1] else None
        if ahead != self._ahead[0]:
            self._ahead = ahead, turn
        lasted = turn - self._ahead[1] >= HOLDS * len(self._names)
        if ahead is None or ahead == self._leader or not lasted:
            return None
        is_first, self._leader = self._leader is None, ahead
        self._changes += not is_first
        if not self._may("lead", "lead", ahead, turn):
            return None
        values: dict[str, Any] = {"name": self._names[ahead], "count": self._changes}
        values |= {"points": _short(best[0]), "other_points": _short(best[1])}
        key = "lead-often" if self._changes in OFTEN else "leads" if is_first else "takes-lead"
        return Line(Message(f"broadcast.{key}", values), "lead", ahead, turn)

    def _left(self, moment: Moment, turn: int) -> Line | None:
        """That two are left, of more."""
        if len(self._names) < 3 or "two-left" in self._counts:
            return None
        left = [seat for seat in range(len(self._names)) if not self._game.out(moment.after, seat)]
        if len(left) != 2:
            return None
        self._counts["two-left"] += 1
        names = {"name": self._names[left[0]], "other": self._names[left[1]]}
        return Line(Message("broadcast.two-left", names), "lead", None, turn)

    def _may(self, kind: str, what: str, seat: int, turn: int, once: bool = False) -> bool:
        """Whether this may be said now; then it was."""
        before = self._said.get((what, seat))
        if self._counts[kind] >= EACH or (before is not None and (once or turn - before < AGAIN)):
            return False
        self._counts[kind] += 1
        self._said[what, seat] = turn
        return True


def _short(points: float) -> str:
    """Points as people write them."""
    return f"{points:g}"
