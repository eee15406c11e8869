"""A match with people at a page: played in a thread of its own, told as data, and moved on by small requests.

Theory of operation
-------------------
The thread plays the match (`play_with_people`), and waits in `ask` when a person is asked. Requests come in other
threads: `told` says what is known now, and `act`, `back`, `resign` answer the question that is open. A question has a
number, and an answer names it: one that comes twice, or too late, changes nothing. A line that the rules refuse
changes nothing either, and is told why.

Nothing is told but what a seat may see. A sitting ends when its match does, when it is closed, or when nobody has
asked for so long that nobody is there any more; what was played is passed to `on_end` in each case.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.i18n import Message, Speaker
from dohyo.match.choices import MAX_LINE, Choice, choices, understood, why_in_words
from dohyo.match.people.desk import (
    Desk,
    LateError,
    LeftError,
    Question,
    ResignedError,
    TakenBackError,
    at,
    earlier_turn,
)
from dohyo.match.people.hints import Hint, Hints, so_far
from dohyo.match.people.seen import Steps, eyes_of
from dohyo.match.people.turns_back import Played, play_with_people
from dohyo.system.defects import print_defect

BEAT = 1.0  # seconds between two looks whether anybody is there
MAX_STEPS = 400  # that are told at once; of more, the last ones
ENDING = 20.0  # seconds for a match to end that was closed: as long as a bot may think


class Terms(NamedTuple):
    """What people may do beside playing, and after how many silent seconds of a page they are gone (none: never).

    Whoever gives `hints` closes them.
    """

    may_take_back: bool = True
    hints: Hints | None = None
    hint_seconds: float = 3.0
    idle: float | None = None


USUAL = Terms()


class _Asked(NamedTuple):
    """An open question: its number, what is asked, what may be done, and when time is over by the monotonic clock."""

    number: int
    question: Question
    choices: list[Choice]
    back: int | None
    end: float | None
    match: bytes  # so far, for a hint; empty where nobody gives any


class RefusedError(Exception):
    """What was asked for cannot be done; `said` is why, in the person's words."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


class Sitting(Desk):
    """One match with people at a page. `people` are their seats; the other words are those of `play_match`."""

    def __init__(
        self,
        game: Game,
        specs: Sequence[Any],
        people: Sequence[int],
        speaker: Speaker,
        *,
        terms: Terms = USUAL,
        on_end: Callable[[Replay], object] = lambda replay: None,
        **options: Any,
    ) -> None:
        self.game, self.people, self.terms = game, tuple(people), terms
        self.speaker = speaker.knowing(game.catalogue)
        self.names: list[str] = []
        self._specs, self._options, self._on_end = specs, options, on_end
        self._changed = threading.Condition()
        self._played = Played(game)
        self._steps: dict[int | None, Steps] = {}
        self._version = self._epoch = self._questions = 0
        self._asked: _Asked | None = None
        self._answer: str | Exception | None = None
        self._over: Replay | None = None
        self._failed = ""
        self._is_closed = False
        self._heard = self._acted = time.monotonic()
        self._thread = threading.Thread(target=self._play, name="sitting", daemon=True)

    def start(self) -> None:
        """Begin the match."""
        self._thread.start()

    # --- the match's thread

    def _play(self) -> None:
        failed = ""
        try:
            with at(self):
                play_with_people(
                    self.game,
                    self._specs,
                    played=self._played,
                    on_turn=self._look,
                    on_back=self._forget,
                    **self._options,
                )
        except LeftError:
            pass
        except OperatorError as error:
            failed = error.say(self.speaker)
        except Exception:
            failed = self.speaker.say("sitting.failed")
            print_defect()
        self._end(failed)

    def _end(self, failed: str) -> None:
        """The match is over, or nobody plays it any more."""
        whole = self._played.whole()
        try:
            if whole is not None:
                self._on_end(whole)
        finally:
            with self._changed:
                self._over, self._asked, self._failed = whole, None, failed
                self._is_closed = self._is_closed or whole is None or whole.result.unfinished
                self._tell()

    def _look(self, replay: Replay) -> None:
        """A turn was played."""
        with self._changed:
            if self._is_closed:
                raise LeftError
            self.names = [seat.name for seat in replay.header.seats]
            for steps in self._steps.values():
                steps.follow(replay)
            self._tell()

    def _forget(self) -> None:
        """Turns were taken back: all steps are told anew."""
        with self._changed:
            self._steps, self._epoch = {}, self._epoch + 1

    def ask(self, question: Question) -> str:
        """Wait for the person at the page."""
        seats = question.referee.seats
        found = choices(self.game, question.referee.state, question.seat, self.speaker, seats=seats)
        end = None if question.seconds is None else time.monotonic() + question.seconds
        back = earlier_turn(question, self.kept) if self.terms.may_take_back else None
        match = so_far(question) if self.terms.hints is not None else b""
        with self._changed:
            self._questions += 1
            self._answer = None
            self._asked = _Asked(self._questions, question, found, back, end, match)
            self._steps_of(question.seat, question)
            self._tell()
            try:
                return self._wait(end)
            finally:
                self._asked = None
                self._tell()

    def _wait(self, end: float | None) -> str:
        """The answer; called with the lock held."""
        while self._answer is None:
            now = time.monotonic()
            idle = self.terms.idle
            if self._is_closed or (idle is not None and now - self._heard > idle):
                raise LeftError
            if end is not None and now >= end:
                raise LateError
            self._changed.wait(BEAT if end is None else max(0.0, min(BEAT, end - now)))
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def _steps_of(self, seat: int | None, question: Question | None = None) -> Steps:
        """The steps by the eyes of who sees now."""
        eyes = eyes_of(self.game, self.people, seat)
        if eyes not in self._steps:
            self._steps[eyes] = Steps(self.game, eyes)
            for part in self._played.parts():
                self._steps[eyes].follow(part)
        if question is not None:
            self._steps[eyes].begin(question.referee.state, question.referee.seats)
        return self._steps[eyes]

    def _tell(self) -> None:
        """Something is other than it was."""
        self._version += 1
        self._changed.notify_all()

    # --- requests

    def told(
        self, version: int = -1, epoch: int = 0, count: int = 0, eyes: int | None = None, wait: float = 0.0
    ) -> dict[str, Any]:
        """What is known now, as data; with a `version` that is known already, at most `wait` seconds later.

        `count` steps of this `epoch`, by these `eyes`, are there already and not told again.
        """
        with self._changed:
            self._heard = time.monotonic()
            until = self._heard + wait
            while self._version == version and (left := until - time.monotonic()) > 0:
                self._changed.wait(min(BEAT, left))
                self._heard = time.monotonic()
            return self._state(epoch, count, eyes)

    def _state(self, epoch: int, count: int, eyes: int | None) -> dict[str, Any]:
        asked = self._asked
        steps = self._steps_of(None if asked is None else asked.question.seat)
        known = count if (epoch, eyes) == (self._epoch, steps.eyes) and count <= len(steps.told) else 0
        first = max(known, len(steps.told) - MAX_STEPS)
        return {
            "version": self._version,
            "epoch": self._epoch,
            "eyes": steps.eyes,
            "first": first,
            "count": len(steps.told),
            "steps": steps.told[first:],
            "ask": None if asked is None else self._question(asked, steps.eyes),
            "over": None if self._over is None else self._outcome(self._over),
            "failed": self._failed,
            "closed": self._is_closed,
        }

    def _question(self, asked: _Asked, eyes: int | None) -> dict[str, Any]:
        referee, seat = asked.question.referee, asked.question.seat
        state, nobody = referee.state, [None] * referee.seats
        return {
            "number": asked.number,
            "seat": seat,
            "turn": referee.turn,
            "choices": asked.choices,
            "left": None if asked.end is None else round(max(0.0, asked.end - time.monotonic()), 1),
            "back": asked.back is not None,
            "hint": bool(asked.match),
            # What the dice showed after the last step is only to be seen now.
            "now": self.game.frame(state, nobody, (), state, eyes) if referee.rolled else None,
        }

    def _outcome(self, replay: Replay) -> dict[str, Any]:
        result = replay.result
        return {
            "unfinished": result.unfinished,
            "places": list(result.places),
            "winner": result.winner,
            "reason": clean.line(self.speaker.say_any(Message(result.reason_key))),
        }

    def act(self, number: int, line: str) -> None:
        """Answer a question with a line. Raises `RefusedError` for one that the rules do not take now."""
        with self._changed:
            asked = self._open(number)
            state, seat = asked.question.referee.state, asked.question.seat
            if not understood(self.game, state, seat, line):
                raise RefusedError(why_in_words(self.game, state, seat, line, self.speaker))
            self._give(line[:MAX_LINE])

    def why_not(self, number: int, line: str) -> str:
        """Why a line is no action now, in words; that it is one, if it is."""
        with self._changed:
            asked = self._open(number)
            state, seat = asked.question.referee.state, asked.question.seat
            why = why_in_words(self.game, state, seat, line, self.speaker)
            return why or clean.line(self.speaker.say("sitting.legal", line=line[:MAX_LINE]))

    def back(self, number: int) -> None:
        """Take back the last action of the person who is asked."""
        with self._changed:
            asked = self._open(number)
            if asked.back is None:
                raise RefusedError(self.speaker.say("sitting.no-back"))
            self._give(TakenBackError(asked.back))

    def resign(self, number: int) -> None:
        """Give up for the person who is asked."""
        with self._changed:
            self._open(number)
            self._give(ResignedError())

    def hint(self, number: int) -> Hint:
        """What a search would do; takes some seconds, and others may ask meanwhile."""
        with self._changed:
            asked = self._open(number)
        if self.terms.hints is None or not asked.match:
            raise RefusedError(self.speaker.say("hint.none"))
        return self.terms.hints.ask_of(asked.match, asked.question.seat, self.terms.hint_seconds, self.speaker)

    def _open(self, number: int) -> _Asked:
        self._heard = self._acted = time.monotonic()
        if self._asked is None or self._asked.number != number or self._answer is not None:
            raise RefusedError(self.speaker.say("sitting.not-asked"))
        return self._asked

    def _give(self, answer: str | Exception) -> None:
        self._answer, self._asked = answer, None
        self._tell()

    # --- the end

    @property
    def is_over(self) -> bool:
        """Whether nothing is played any more."""
        return not self._thread.is_alive() and self._thread.ident is not None

    @property
    def silent(self) -> float:
        """Seconds since anybody asked for anything."""
        return time.monotonic() - self._heard

    @property
    def untouched(self) -> float:
        """Seconds since somebody acted, or it began; a page that is only open does not."""
        return time.monotonic() - self._acted

    @property
    def replay(self) -> Replay | None:
        """The match, once nothing is played any more."""
        return self._over

    def close(self, wait: float = ENDING) -> None:
        """End the match, unfinished if it is not over, and wait for its programs to end."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(wait)
