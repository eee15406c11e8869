"""A puzzle for people: what is shown of it, and what is said of an answer; nothing of the solution before that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from dohyo import clean
from dohyo.core.flat import read_events
from dohyo.core.game import Frame, State
from dohyo.i18n import Speaker
from dohyo.match.choices import choices, understood, why_in_words
from dohyo.series.puzzles.puzzle import Identifier, Other, Position
from dohyo.series.puzzles.ratings import Rating

NAME = 60
MAX_CHOICES = 500
MAX_ASKED = 2000  # bytes of a request


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What a page of puzzles asks for: the next one `after` another, or what is said of an `action` in one."""

    id: Identifier = ""
    action: str = ""
    after: Identifier = ""


def read_asked(body: bytes) -> Asked | None:
    """What a page asks for; none where it is nothing that a page of ours asks."""
    try:
        return msgspec.json.decode(body, type=Asked) if len(body) <= MAX_ASKED else None
    except msgspec.MsgspecError:
        return None


class Judged(NamedTuple):
    """What is said of an answer, and whether it counts: a line that is no legal action does not."""

    counts: bool
    solved: bool
    told: dict[str, Any]


def question(one: Position, speaker: Speaker) -> dict[str, Any]:
    """What is shown of a puzzle: the position as its seat sees it, what is asked, what may be done."""
    puzzle = one.puzzle
    say = speaker.knowing(one.game.catalogue).say
    within = None if puzzle.within is None else (puzzle.within + 1) // 2
    given = choices(one.game, one.state, puzzle.seat, speaker, MAX_CHOICES, puzzle.seats)
    nobody = [None] * puzzle.seats
    return {
        "id": one.id,
        "seat": puzzle.seat,
        "names": [say("puzzles.seat", seat=seat) for seat in range(puzzle.seats)],
        "frame": one.game.frame(one.state, nobody, (), one.state, puzzle.seat),
        "aim": say("puzzles.win") if within is None else say("puzzles.within", turns=within),
        "choices": [{"text": each.text, "words": each.words, "cells": each.cells} for each in given],
        "source": _source(one, speaker),
    }


def _source(one: Position, speaker: Speaker) -> str:
    source = one.puzzle.source
    names = ", ".join(clean.line(name, NAME) for name in source.names)
    told = {"match": clean.line(source.match, 2 * NAME) or "-", "turn": one.puzzle.turn}
    return speaker.say("puzzles.source", names=names, **told) if names else speaker.say("puzzles.from", **told)


def judged(one: Position, line: str, speaker: Speaker) -> Judged:
    """What is said of an answer, a line as a bot would write it."""
    text = understood(one.game, one.state, one.puzzle.seat, line)
    if not text:
        return Judged(False, False, {"said": why_in_words(one.game, one.state, one.puzzle.seat, line, speaker)})
    solved, is_win = text == one.puzzle.solution, one.puzzle.within is None
    said = speaker.say("puzzles.right" if solved else "puzzles.wrong" if is_win else "puzzles.not-it")
    return Judged(True, solved, {"said": said, "why": _why(one, text, solved, speaker), "frame": _after(one, text)})


def given_up(one: Position, speaker: Speaker) -> dict[str, Any]:
    """The solution, for whoever gives up."""
    text = one.puzzle.solution
    said = speaker.say("puzzles.solution", action=_words(one, text, speaker))
    return {"said": said, "why": _why(one, text, True, speaker), "frame": _after(one, text)}


def rated(rating: Rating | None, speaker: Speaker) -> str:
    """A rating with how sure it is; empty where it is not known well enough to be told."""
    if rating is None or not rating.is_known:
        return ""
    return speaker.say("puzzles.rated", points=rating.points, off=(rating.high - rating.low) // 2)


# --- why


def _words(one: Position, text: str, speaker: Speaker, state: State | None = None, seat: int | None = None) -> str:
    """An action in the reader's words; where it is answered, in the state after that."""
    where = one.state if state is None else state
    own = one.puzzle.seat if seat is None else seat
    offered = choices(one.game, where, own, speaker, MAX_CHOICES, one.puzzle.seats)
    known = next((each.words for each in offered if each.text == text), None)
    return clean.line(known or one.game.action_in_words(text, speaker.knowing(one.game.catalogue)), 200)


def _why(one: Position, text: str, solved: bool, speaker: Speaker) -> str:
    """Why an answer is right, or what takes the win after it, as far as it is known."""
    puzzle, say = one.puzzle, speaker.say
    told: dict[str, object] = {"action": _words(one, text, speaker)}
    if solved:
        if puzzle.within is not None:
            return say("puzzles.why-within", turns=(puzzle.within + 1) // 2, **told)
        if puzzle.how == "proven":
            return say("puzzles.why-proven", **told)
        return say("puzzles.why-tried", won=_number(puzzle.won), times=puzzle.times, **told)
    other = next((each for each in puzzle.others if each.action == text), None)
    if other is None:
        return ""
    if puzzle.within is not None:
        return say("puzzles.not-within", turns=(puzzle.within + 1) // 2, **told)
    if other.result:
        return _refuted(one, other, told, speaker)
    return say("puzzles.not-tried", won=_number(other.won), times=other.times, **told) if other.times else ""


def _refuted(one: Position, other: Other, told: dict[str, object], speaker: Speaker) -> str:
    end = speaker.say("puzzles.then-draw" if other.result == "draw" else "puzzles.then-loss")
    alone = one.game.acting(one.state, one.puzzle.seats) == [one.puzzle.seat]  # else an action is no other seat's
    if not other.reply or not alone:
        return speaker.say("puzzles.refuted", end=end, **told)
    rules, seats = one.game.rules, one.puzzle.seats
    after = rules.LAYOUT.copy(one.state)
    action = one.game.protocol.read(other.action)
    if action is not None and action in one.game.legal_actions(one.state, one.puzzle.seat):
        rules.step(after, [action] * seats, None)
    acting = [] if rules.over(after) else one.game.acting(after, seats)
    reply = _words(one, other.reply, speaker, after, acting[0]) if acting else clean.line(other.reply, 200)
    return speaker.say("puzzles.refuted-by", reply=reply, end=end, **told)


def _after(one: Position, text: str) -> Frame | None:
    """What the seat sees after its action; none where others act at the same time."""
    game, puzzle = one.game, one.puzzle
    if game.acting(one.state, puzzle.seats) != [puzzle.seat]:
        return None
    action = game.protocol.read(text)
    actions: Sequence[int | None] = [action if seat == puzzle.seat else None for seat in range(puzzle.seats)]
    after, events = game.rules.LAYOUT.copy(one.state), game.new_events()
    game.rules.step(after, [each or 0 for each in actions], events)
    return game.frame(one.state, actions, read_events(events), after, puzzle.seat)


def _number(won: float) -> str:
    return f"{won:.1f}".removesuffix(".0")
