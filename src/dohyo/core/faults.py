"""How a bot can misbehave. A fault is a value, not an exception: the game's rules answer for the bot."""

from __future__ import annotations

import enum
import re
from typing import Annotated

import msgspec
from msgspec import Meta

from dohyo.i18n import Message
from dohyo.i18n.catalogue import has
from dohyo.i18n.messages import Text, Values, kept, text_of


class FaultKind(enum.StrEnum):
    """Every way in which a bot can fail its turn, each clearly distinguished from the others."""

    NOT_READY = "not-ready"  # it never said that it is ready, within the time for that
    TIMEOUT = "timeout"  # no complete reply within the time limit
    EXITED = "exited"  # the process ended by itself; `status` is its exit status
    KILLED = "killed"  # a signal ended the process; `status` is the signal's number
    CLOSED = "closed"  # it closed its standard output and lives on
    NO_CONNECTION = "no-connection"  # a server, or a bot that stays at home, cannot be talked to
    MALFORMED = "malformed"  # the reply cannot be read
    ILLEGAL = "illegal"  # the reply can be read, but the rules do not allow it
    OUTPUT = "output"  # it wrote more than is allowed without being read
    MEMORY = "memory"  # it went over its memory limit
    TASKS = "tasks"  # it started more processes or threads than allowed
    DISK = "disk"  # it filled its disk
    FILES = "files"  # it has removed, closed or replaced its own folder
    NOT_ENDED = "not-ended"  # it, or what it had started, went on for long after it had been killed


REPORTED = "reported"  # what a referee that is another program calls an error of a bot: Dohyo knows no more of it
KINDS = frozenset({*(kind.value for kind in FaultKind), REPORTED})  # as results, stores and records have them

# Faults that are only notes if the player is already out: its answers do not count any more.
OF_ANSWERS = frozenset(
    {
        *(FaultKind.TIMEOUT, FaultKind.EXITED, FaultKind.KILLED, FaultKind.CLOSED),
        *(FaultKind.NO_CONNECTION, FaultKind.MALFORMED, FaultKind.ILLEGAL),
    }
)


class FaultCode(enum.StrEnum):
    """What exactly happened. Programs compare codes; people read the sentence `detail.<code>` of the catalogues.

    A game has codes of its own, for what its rules do not allow and what it cannot read: keys of its sentences.
    """

    # It did not answer in time.
    NO_ANSWER = "no-answer"
    ANSWER_LATE = "answer-late"
    BEHIND = "behind"
    NO_LINE = "no-line"
    NO_READY = "no-ready"
    READY_LATE = "ready-late"
    NO_OPTION = "no-option"  # of a UCI engine
    BAD_OPTION = "bad-option"
    NO_SETBOARD = "no-setboard"  # of an XBoard engine
    NO_VARIANT = "no-variant"  # of an XBoard engine
    CASTLING = "castling"  # written as in Chess960: a note
    NO_CONNECTION = "no-connection"  # of a server
    NOT_SECURE = "not-secure"
    BROKEN_OFF = "broken-off"
    NOT_HTTP = "not-http"
    NO_RESPONSE = "no-response"
    RESPONSE_LATE = "response-late"
    BAD_STATUS = "bad-status"
    RESPONSE_TOO_LONG = "response-too-long"
    RESPONSE_EMPTY = "response-empty"
    BAD_RESPONSE = "bad-response"
    DISTANT_NOT_READY = "distant-not-ready"  # of a bot that stays at home
    DISTANT_LOST = "distant-lost"
    DISTANT_LEFT = "distant-left"
    DISTANT_FAILED = "distant-failed"
    NO_END = "no-end"
    END_LATE = "end-late"
    STRIKE = "strike"
    NO_LINE_ANY_MORE = "no-line-any-more"
    # It answered before it was asked, or wrote too much.
    EARLY = "early"
    FLOOD = "flood"
    FLOOD_LINES = "flood-lines"
    LONG_LINE = "long-line"
    HELD = "held"  # it kept a pipe between it and the referee locked
    # It has ended, or its output has.
    EXIT = "exit"
    SIGNAL = "signal"
    CLOSED = "closed"
    CANNOT_START = "cannot-start"
    NO_START = "no-start"
    KILL_SLOW = "kill-slow"
    KILL_VERY_SLOW = "kill-very-slow"
    # A limit of its sandbox, or its folder.
    MEMORY = "memory"
    TASKS = "tasks"
    DISK = "disk"
    FOLDER_GONE = "folder-gone"
    FOLDER_MOVED = "folder-moved"
    FOLDER_CLOSED = "folder-closed"
    NEEDS_GONE = "needs-gone"
    FOLDER_NONE = "folder-none"
    RESIGNED = "resigned"  # a person
    # What its reply says.
    EMPTY_LINE = "empty-line"
    NO_ACTION = "no-action"
    NOT_LEGAL = "not-legal"  # and the game does not say why


# The awaited line came, but too late.
CAME_LATE = frozenset({FaultCode.ANSWER_LATE, FaultCode.READY_LATE, FaultCode.RESPONSE_LATE})
# A server, or a bot that stays at home, could not be talked to; in older replays their kind is `CLOSED`.
UNCONNECTED = frozenset(
    {
        *(FaultCode.NO_CONNECTION, FaultCode.NOT_SECURE, FaultCode.BROKEN_OFF, FaultCode.NOT_HTTP),
        *(FaultCode.DISTANT_LOST, FaultCode.DISTANT_LEFT),
    }
)
CODES = frozenset(FaultCode)
KEPT = 200  # characters of what a bot wrote, among the values of a fault
MAX_ALSO = 4


Span = Annotated[float, Meta(ge=0.0, le=1e9)]


class Proof(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a turn's time consisted of when its player was judged by `fair` or `cpu`, in seconds.

    `charged` decided, and `limit` is what was allowed; `wall` is what a watch showed, up to the answer or to the last
    moment without one; `cpu` the time that the program, with all that it started, ran on processors, at most: of it,
    `doubt` may have been shortly before this turn. Of the rest, it `waited` for a processor, was `stalled` until the
    machine brought pages of its memory, or waited for what was `ours`: the referee's own waits, and what a hypervisor
    took. What is left it slept. `load` is no time: the machine's load average of a minute.
    """

    charged: Span
    limit: Span
    wall: Span
    cpu: Span = 0.0
    waited: Span = 0.0
    stalled: Span = 0.0
    ours: Span = 0.0
    load: Span = 0.0
    doubt: Span = 0.0


class Fault(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One misbehaviour: its kind, what exactly happened, and the exit status or signal, if any.

    `code` says what happened: a `FaultCode`, the key of one of the game's sentences, or a text of a game that has no
    sentences. `values` fill the places of its sentence. `also` are messages about what else was seen. A `note` is
    reported but does not count against the player: it was already out, or what it meant was clear, and the result is
    the same. `proof` is there if it was late by a clock that measures more than wall time.
    """

    kind: FaultKind
    code: Text = ""
    values: Values = {}
    status: int | None = None
    note: bool = False
    also: Annotated[tuple[Message, ...], Meta(max_length=MAX_ALSO)] = ()
    proof: Proof | None = None

    def __hash__(self) -> int:
        return hash((self.kind, self.code, self.status))

    def __post_init__(self) -> None:
        """Make of it what can be kept."""
        if self.code and (code := text_of(self.code)) != self.code:
            msgspec.structs.force_setattr(self, "code", code)
        if self.values:
            msgspec.structs.force_setattr(self, "values", kept(self.values))

    @property
    def happened(self) -> Message:
        """What exactly happened, without what else was seen."""
        values = self.values
        if self.code in (FaultCode.EXIT, FaultCode.SIGNAL):
            values = {"status": self.status}
        return Message(f"detail.{self.code}" if self.code in CODES else self.code, values)

    @property
    def reason(self) -> Message | None:
        """Why an action is not legal, as the game says it; none for another fault, or if the game does not."""
        if self.kind is not FaultKind.ILLEGAL or "action" not in self.values or self.code in CODES:
            return None
        return Message(self.code, {name: value for name, value in self.values.items() if name != "action"})

    @property
    def told(self) -> Message:
        """What exactly happened, with what else was seen; the key is empty if nothing is known."""
        whole = _of_faults(self.happened)
        if self.reason is not None:
            whole = Message("detail.refused", {"action": self.values["action"], "why": _of_faults(self.reason)})
        for other in map(_of_faults, self.also):
            whole = (
                Message(other.key, {"what": whole})
                if other.key in ENDS
                else Message("detail.and", {"first": whole, "then": other})
            )
        return whole

    @property
    def says_more(self) -> bool:
        """Whether more is known than its kind and its status say."""
        return bool(self.also) or self.code not in ("", FaultCode.EXIT, FaultCode.SIGNAL, FaultCode.RESIGNED)


def _of_faults(message: Message) -> Message:
    """The message, if its sentence is one about faults; otherwise its key is shown as a text.

    A stranger's replay may name any sentence of ours, such as one that asks the operator for something. Within a
    sentence about faults, an error may be told (why a program could not be started).
    """
    if not message.key or not has(message.key) or OF_FAULTS.search(message.key):
        return message
    return Message("detail.text", {"text": message.key})


OF_FAULTS = re.compile(r"(^|\.)detail\.|^system\.")  # keys of such sentences

# Messages that follow the others in one sentence, which is their value `what`.
BEFORE_READY = Message("detail.before-ready")
BY_WALL = Message("detail.by-wall")
ENDS = frozenset({BEFORE_READY.key, BY_WALL.key})
