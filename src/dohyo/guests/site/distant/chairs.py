"""A seat of a match whose bot is somewhere else: what it is asked, by when it has answered, what became of its way.

Theory of operation
-------------------
A turn's clock runs from the moment at which its message was given to the system until the moment at which the bytes
of the answer came, less the way's delay, as far as that is given back (`delays.py`). The delay is what a ping takes
that is sent right behind the turn.

When the time is over, another ping follows. What comes over one connection comes in order: where its pong is there
and no answer, the bot had been asked, the way was open, and it is late. As long as neither comes, nobody knows, and
that is the way's matter. So is a connection that is lost: then the clock counts what it showed when something was
last heard, stops, and goes on with the next connection, over which the turn is sent again. All such time, of which
nobody knows what the bot did in it, comes off the match's `PATIENCE` with this seat, which does not grow again. When
nothing of it is left the bot is out, and the verdict says that its connection was lost, not that it was slow. A bot
that leaves in good order is not waited for. One that has not said yet that it is ready has no verdict in either
case: the match does not begin.

An answer counts once: for the turn that is asked, when it comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from dohyo.guests.site.distant.delays import PATIENCE, Forgiveness
from dohyo.guests.site.distant.wire import End, Start, Turn, written

LEAST_LOSS = 1.0  # seconds that each lost connection costs of it
AGAIN = 1.0  # seconds in which a bot sends again at least what it had answered already
READY = 0  # the number of the question whether it is ready
INSTANT = 1e-6

Came = Literal["counts", "late", "stale", "never-asked"]


class Way(Protocol):
    """What a seat needs of its bot's connection."""

    @property
    def is_open(self) -> bool:
        """Whether there is a connection."""

    @property
    def delay(self) -> float:
        """How long a ping took last."""

    @property
    def heard_at(self) -> float:
        """When something was last heard."""

    def say(self, content: bytes) -> float:
        """Send a message; the moment."""

    def ping(self) -> bytes:
        """Send a ping; what is in it."""

    def rest(self) -> None:
        """The bot was silent, or went, when its match began: others are not to wait for it soon again."""


class Question(msgspec.Struct):
    """What is asked: its number, the seconds that there are, and the message.

    `used` are seconds of connections that were lost since; `sent` is the moment on the present one. `delay` is how
    long the ping behind it took; `last` is in the ping that was sent when its time was over, at `expired`.
    """

    number: int
    limit: float
    message: bytes
    used: float = 0.0
    sent: float = 0.0
    ping: bytes = b""
    delay: float | None = None
    last: bytes = b""
    expired: float = 0.0
    lost: float = 0.0  # seconds of lost connections
    is_again: bool = False


class Chair:
    """One seat of one match, at the site's end; `tell` hands on what becomes of a question."""

    def __init__(
        self, way: Way, start: Start, tell: Callable[[dict[str, Any]], None], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._way, self._start, self._tell, self._loop = way, start, tell, loop
        self._forgiveness = Forgiveness()
        self._patience = PATIENCE
        self._question: Question | None = None
        self._next = READY + 1  # the number of the next question
        self._owed = 0  # answers that may still come, too late to count
        self._has_left = False  # whether the bot went in good order, and is not back
        self._lost_at = 0.0  # since when there is no connection
        self._timer: asyncio.TimerHandle | None = None

    @property
    def limit(self) -> float:
        """Seconds that there are for what is asked now; 0 where nothing is."""
        return 0.0 if self._question is None else self._question.limit

    # --- as the match says

    def begin(self) -> None:
        """Tell the bot that its match begins, and wait until it is ready."""
        self._ask(Question(READY, self._start.ready, written(self._start)))

    def ask(self, text: str, limit: float) -> None:
        """Ask for an answer to this input, within so many seconds."""
        number, self._next = self._next, self._next + 1
        turn = Turn(self._start.match, number, round(limit, 6), text)
        self._ask(Question(number, limit, written(turn)))

    def end(self, end: End) -> None:
        """It is over for the bot."""
        self._stop()
        self._question = None
        if self._way.is_open:
            self._way.say(written(end))

    # --- as the way does

    def answered(self, number: int, line: str, at: float) -> Came:
        """An answer has come, or (to the first question) that the bot is ready."""
        question = self._question
        if question is None or number != question.number:
            if number >= self._next:
                return "never-asked"
            if number == READY:
                return "stale"
            self._owed -= 1
            return "late" if self._owed >= 0 else "stale"
        took = question.used + max(0.0, at - question.sent)
        delay = self._way.delay if question.delay is None else question.delay
        given = self._forgiveness.take(min(delay, took)) if number != READY else 0.0
        charged = took - given
        if charged >= question.limit and (question.last or question.is_again):
            charged -= self._excused(charged - question.limit + INSTANT)
        self._settle(
            {"answer": line, "took": took, "charged": max(0.0, charged), "delay": delay, "lost": question.lost}
        )
        return "counts"

    def failed(self, said: str) -> None:
        """The bot's machine says that it plays no more."""
        if self._question is not None:
            self._settle({"failed": said, "took": self._took()})

    def ponged(self, content: bytes, delay: float) -> None:
        """The pong to a ping has come, after so long."""
        question = self._question
        if question is None:
            return
        if content == question.ping:
            question.delay = delay
        elif content == question.last:
            self._owed += 1
            self._settle({"late": True, "took": self._took()})

    def lost(self, *, left: bool = False) -> None:
        """The connection is lost, or the bot has left in good order: then nobody waits for it."""
        self._stop()
        question, now = self._question, self._loop.time()
        self._lost_at, self._has_left = now, left
        if question is None:
            return
        if left:
            self._leave(question)
            return
        known = self._way.heard_at if not question.last else min(self._way.heard_at, question.expired)
        question.used += max(0.0, known - question.sent)
        self._lost_at = max(known, question.sent)
        self._await_way()

    def back(self) -> None:
        """There is a connection again: the match is told, and what is unanswered is sent again."""
        self._stop()
        self._has_left = False
        question = self._question
        again = written(msgspec.structs.replace(self._start, again=True))
        if question is None:
            self._way.say(again)
            return
        gone = max(LEAST_LOSS, self._loop.time() - self._lost_at)
        self._patience -= gone
        question.lost += gone
        if self._patience < 0:
            self._give_up()
            return
        question.is_again, question.last, question.delay = True, b"", None
        if question.number == READY:
            question.message = again
        else:
            self._way.say(again)
        self._send(question)

    # --- within

    def _ask(self, question: Question) -> None:
        self._question = question
        if self._way.is_open:
            self._send(question)
        elif self._has_left:
            self._leave(question)
        else:
            self._lost_at = self._loop.time()
            question.is_again = True
            self._await_way()

    def _send(self, question: Question) -> None:
        question.sent = self._way.say(question.message)
        question.ping = self._way.ping()
        self._await_answer(question)

    def _await_answer(self, question: Question) -> None:
        self._timer = self._loop.call_at(question.sent + self._allowed(question), self._expire)

    def _allowed(self, question: Question) -> float:
        """Seconds for the answer over this connection, with what may be given back of the delay."""
        delay = self._way.delay if question.delay is None else max(self._way.delay, question.delay)
        left = max(0.0, question.limit - question.used) + min(delay, self._forgiveness.left)
        return max(left, AGAIN) if question.is_again else left

    def _expire(self) -> None:
        """The time is over: ask the way whether it is open."""
        question = self._question
        if question is None:
            return
        now = self._loop.time()
        if now < question.sent + self._allowed(question):  # the delay has grown meanwhile
            self._await_answer(question)
            return
        question.expired, question.last = now, self._way.ping()
        self._timer = self._loop.call_later(max(0.0, self._patience), self._give_up)

    def _await_way(self) -> None:
        left = self._patience - (self._loop.time() - self._lost_at)
        self._timer = self._loop.call_later(max(0.0, left), self._give_up)

    def _leave(self, question: Question) -> None:
        """The bot has gone. One that goes before its match begins could choose what it plays, and so it rests."""
        if question.number == READY:
            self._way.rest()
        self._settle({"left": True, "took": self._took()})

    def _give_up(self) -> None:
        """The bot's connection was lost for too long."""
        question = self._question
        if question is not None:
            self._patience = 0.0
            if question.number == READY:
                self._way.rest()
            self._settle({"gone": PATIENCE, "took": self._took()})

    def _excused(self, seconds: float) -> float:
        """Take seconds off the patience, for time in which nobody knows what became of the way."""
        if seconds > self._patience:
            return 0.0
        self._patience -= seconds
        return seconds

    def _took(self) -> float:
        """What the clock of the question shows."""
        question = self._question
        assert question is not None
        until = question.expired if question.last else self._loop.time()
        is_on = self._way.is_open and question.sent
        return question.used + (max(0.0, until - question.sent) if is_on else 0.0)

    def _settle(self, told: dict[str, Any]) -> None:
        self._stop()
        question, self._question = self._question, None
        assert question is not None
        self._tell({"number": question.number, **told})

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
