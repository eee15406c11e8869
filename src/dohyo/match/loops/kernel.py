"""The loop that plays ordinary turns, compiled together with the game's rules.

Theory of operation
-------------------
When both programs behave well, a turn is a write, a read and a step of the rules. The loop below plays such turns
without returning to Python. It writes the prompt, waits for the line in a blocking read, and accepts the line only if
nothing about it is doubtful: it is one whole line within the limit, it is exactly an action's own text, and that
action is legal, or the seat has no choice, so that no line counts. Then the referee would judge it in the same way
(every game is tested for that). Anything else ends the loop, which reports all that is known: how much was sent, what
was received, and when. The caller continues from there as if it had begun the turn itself (`driver.py`).

The clock is read where the caller would read it: right before the write, and right after the read. While
`watch_stderr` is set, which is until a few turns were quiet, the loop looks for output on standard error after each
answer; later it looks only when it ends.

A line that is already there when its seat is asked ends the loop, too. Looking for one costs a system call, a tenth
of the turn; without it, such a line could not be distinguished from an answer that came at once.

A blocking read has no time limit, and does not see what other programs do. So a timer's signal interrupts it at every
tick. When the loop has waited longer than `PATIENCE` for a program, it ends, and the caller waits for all programs at
once. (Returning an unfinished turn to the caller costs as much as fifty turns.)

The loop is written in the rules' common language (`dohyo.core.flat`). What it calls is supplied when it is compiled:
the game's functions, and the functions of the C library in `FOREIGN`.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat
from dohyo.core.text import NEWLINE, put_digest
from dohyo.match.loops import (
    ASKED,
    CHANNEL_LENGTH,
    DIGEST,
    FIONREAD,
    FORCED,
    GROUP,
    INCOMPLETE,
    LENGTH,
    LIMIT_REACHED,
    LONGEST,
    NOT_ORDINARY,
    NOW,
    PATIENCE,
    PROMPT,
    RECEIVED,
    RUNNING,
    SEAT,
    SECOND,
    SENT,
    START,
    STDERR,
    STDERR_SEEN,
    STDIN,
    STDOUT,
    TOGETHER,
    TRIAL_TURNS,
    TURNS,
    WATCH_STDERR,
    WHY,
    WROTE,
)

# Functions of the system's C library: name -> result and arguments, as Numba writes types.
FOREIGN = {
    "write": "intp(intc, voidptr, uintp)",
    "read": "intp(intc, voidptr, uintp)",
    "ioctl": "intc(intc, uintp, voidptr)",
    "kill": "intc(intc, intc)",
    "clock_gettime": "intc(intc, voidptr)",
}
# The game's functions that the loop calls: of its rules, and of its protocol.
RULES, PROTOCOL = ("acts", "is_legal", "needs_dice", "over", "step"), ("forced", "prompt")

# These have no value here; they are supplied when the loop is compiled.
write: Any = None
read: Any = None
ioctl: Any = None
kill: Any = None
clock_gettime: Any = None
acts: Any = None
is_legal: Any = None
needs_dice: Any = None
over: Any = None
step: Any = None
forced: Any = None
prompt: Any = None

CLOCK_MONOTONIC = 1  # Linux
SIGCONT, SIGSTOP = 18, 19  # Linux

Fields = list[tuple[str, str, int]]  # of a record: name, kind and length, as NumPy writes them


def text_fields(longest: int, actions: int, slots: int) -> Fields:
    """The record of the actions' texts, for `find_action`: the longest has so many letters; `slots`: a power of 2."""
    return [
        ("longest", "<i4", 1),
        ("lengths", "<i4", actions),  # of each text
        ("slots", "<i4", slots),  # actions by the hash of their texts, -1 where there is none
        ("letters", "u1", actions * longest),  # each action's text, `longest` wide
    ]


def io_fields(seats: int, turns: int, prompt: int, line: int) -> Fields:
    """The record of everything else that goes in and out: one record, because Numba unpacks arrays at every call.

    `prompt` and `line` are the lengths of their buffers, in bytes.
    """
    return [
        ("end", "<i8", LENGTH),
        ("time", "<i8", 2),  # seconds and nanoseconds
        ("channels", "<i8", seats * CHANNEL_LENGTH),  # a row for each seat
        ("actions", "<i8", seats),
        # Of each turn
        ("seconds", "<f8", turns),
        ("acted", "<i4", turns),
        ("said", "<i4", turns),  # the action in the line; another one where the seat has no choice
        ("seats", "u1", turns),
        ("count", "<i4", 1),
        ("digests", "u1", turns * DIGEST),  # of the state after it
        ("prompt", "u1", prompt),
        ("input", "u1", line),
    ]


@flat
def play_turns(
    states: Any, packed: Any, io_records: Any, texts: Any, seats: int, max_turns: int, limit: int, watch_stderr: int
) -> None:
    """Play at most `max_turns` turns, until one is not ordinary.

    `states`, `io_records` and `texts` hold one record each; `packed` is the bytes of the state itself. `limit` is how
    many nanoseconds a turn may take. The reason why it ended is in `end` of the record for input and output.

    While `watch_stderr` is set, it looks for output on standard error after each turn; it stops looking once
    `TRIAL_TURNS` turns were quiet.
    """
    s = states[0]
    io = io_records[0]
    end = io.end
    end[TURNS] = 0
    end[SENT] = 0
    end[RECEIVED] = 0
    end[FORCED] = 0
    end[LONGEST] = 0
    end[TOGETHER] = 0
    end[WHY] = LIMIT_REACHED
    while end[WHY] == LIMIT_REACHED and end[TURNS] < max_turns:
        play_turn(s, packed, io, texts[0], seats, limit)
        if watch_stderr and end[WHY] == LIMIT_REACHED:
            if bytes_waiting(io.channels[end[SEAT] * CHANNEL_LENGTH + STDERR], io.count) > 0:
                end[WHY] = STDERR_SEEN
            elif end[TURNS] == TRIAL_TURNS and stderr_bytes(io, seats) == 0:
                watch_stderr = 0
    end[WROTE] = stderr_bytes(io, seats)
    end[WATCH_STDERR] = watch_stderr


@flat
def play_turn(s: Any, packed: Any, io: Any, texts: Any, seats: int, limit: int) -> None:
    """Play one turn, if it is ordinary; otherwise report in `end` how far the turn has come."""
    end, channels = io.end, io.channels
    seat = mover(s, channels, seats)
    if seat < 0 or bytes_waiting(channels[seat * CHANNEL_LENGTH + STDOUT], io.count) != 0:
        end[WHY] = NOT_ORDINARY
        return
    end[SEAT] = seat
    exchange(s, seat, io)
    action = said = find_action(io.input, end[RECEIVED] - 1, texts)
    if said >= 0 and not is_legal(s, seat, said):
        action = forced(s, seat)
        end[FORCED] = 1
    took = end[NOW] - end[START]
    if action < 0 or took >= limit:
        end[WHY] = INCOMPLETE
        return
    if channels[seat * CHANNEL_LENGTH + GROUP]:
        kill(-channels[seat * CHANNEL_LENGTH + GROUP], SIGSTOP)
    io.actions[seat] = action
    step(s, io.actions, None)
    turn = end[TURNS]
    io.seats[turn] = seat
    io.acted[turn] = action
    io.said[turn] = said
    io.seconds[turn] = (took + 500) // 1000 / 1e6
    end[LONGEST] = max(end[LONGEST], took)
    end[TOGETHER] += took
    put_digest(packed, len(packed), io.digests, DIGEST * turn)
    end[TURNS] = turn + 1


@flat
def mover(s: Any, channels: Any, seats: int) -> int:
    """The one seat that acts now, if its program is running; -1 if this is not an ordinary turn."""
    if over(s) or needs_dice(s):
        return -1
    found = -1
    for seat in range(seats):
        if acts(s, seat):
            if found >= 0 or not channels[seat * CHANNEL_LENGTH + RUNNING]:
                return -1
            found = seat
    return found


@flat
def exchange(s: Any, seat: int, io: Any) -> None:
    """Send a seat its prompt, and wait for its answer."""
    end, channel = io.end, seat * CHANNEL_LENGTH
    if io.channels[channel + GROUP]:
        kill(-io.channels[channel + GROUP], SIGCONT)
    length = prompt(s, seat, io.prompt)
    end[START] = end[NOW] = monotonic_ns(io.time)
    end[PROMPT] = length
    end[SENT] = write(io.channels[channel + STDIN], io.prompt.ctypes, length)
    end[ASKED] = monotonic_ns(io.time)
    end[RECEIVED] = 0 if end[SENT] < length else -1
    while end[RECEIVED] < 0 and end[NOW] - end[START] < PATIENCE:  # a tick may end a read that has only begun
        end[RECEIVED] = read(io.channels[channel + STDOUT], io.input.ctypes, len(io.input))
        end[NOW] = monotonic_ns(io.time)


@flat
def stderr_bytes(io: Any, seats: int) -> int:
    """The number of bytes waiting on standard error, of the seat that has the most."""
    most = 0
    for seat in range(seats):
        if io.channels[seat * CHANNEL_LENGTH + RUNNING]:
            most = max(most, bytes_waiting(io.channels[seat * CHANNEL_LENGTH + STDERR], io.count))
    return most


@flat
def monotonic_ns(time: Any) -> int:
    """Nanoseconds of the monotonic clock."""
    clock_gettime(CLOCK_MONOTONIC, time.ctypes)
    return time[0] * SECOND + time[1]  # type: ignore[no-any-return]


@flat
def bytes_waiting(descriptor: int, count: Any) -> int:
    """How many bytes wait to be read; -1 if unknown. The system writes the number into `count`."""
    count[0] = 0
    if ioctl(descriptor, FIONREAD, count.ctypes) != 0:
        return -1
    return count[0]  # type: ignore[no-any-return]


# --- the actions' texts ---------------------------------------------------------------------------------------------

FNV_START, FNV_PRIME, MASK32 = 2166136261, 16777619, 0xFFFFFFFF


@flat
def find_action(line: Any, length: int, texts: Any) -> int:
    """The action whose text plus a newline is exactly `line`; -1 if there is none."""
    if length < 0 or length > texts.longest[0] or line[length] != NEWLINE:
        return -1
    place = hash_line(line, length) & (len(texts.slots) - 1)
    while texts.slots[place] >= 0:
        action = texts.slots[place]
        if texts.lengths[action] == length and is_same(line, texts.letters, action * texts.longest[0], length):
            return action  # type: ignore[no-any-return]
        place = (place + 1) & (len(texts.slots) - 1)
    return -1


@flat
def hash_line(line: Any, length: int) -> int:
    """FNV-1a of the line's first bytes."""
    number = FNV_START
    for i in range(length):
        number = ((number ^ line[i]) * FNV_PRIME) & MASK32
    return number


@flat
def is_same(line: Any, letters: Any, start: int, length: int) -> bool:
    """Whether the line's first bytes are the letters from `start` on."""
    for i in range(length):
        if line[i] != letters[start + i]:
            return False
    return True
