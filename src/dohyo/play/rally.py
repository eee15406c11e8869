"""A rally: ordinary turns, one after the other, in a loop that is compiled together with the game's rules.

Theory of operation
-------------------
Between two programs that behave, a turn is a write, a read and a step of the rules. The loop below plays such turns
without coming back to Python: it writes the prompt, waits in a blocking read for the line, and judges it only if that
takes no judgement: the line is one, whole, within the limit, letter by letter an action's own text, and the action is
legal. It is the referee's own judgement then (a law of every game says so). Anything else ends the rally, with all
that is known: how much was sent, what came, and when. The ring takes the turn up from there, as if it had begun it.

The clock's moments lie where the ring has them: right before the write, and right after the read. What programs write
to standard error is looked for after each answer, as long as the rally is `watchful`; otherwise when it ends.

A line that waits already when its seat is asked belongs to the ring, too. To look for one costs a system call, a
tenth of the turn; nothing less tells it from an answer that came at once.

A read that blocks has no time limit, and does not see what other programs do. So a timer's signal ends it after a few
milliseconds at most, and the ring, which waits for everybody at once, goes on.

The loop is written in the rules' common language (`dohyo.core.flat`). What it calls is supplied when it is compiled:
the game's functions, and those of the system's library that stand in `FOREIGN`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.core.flat import flat
from dohyo.core.text import NEWLINE, put_digest

# Functions of the system's C library: name -> result and arguments, as Numba writes types.
FOREIGN = {
    "write": "intp(intc, voidptr, uintp)",
    "read": "intp(intc, voidptr, uintp)",
    "ioctl": "intc(intc, uintp, voidptr)",
    "kill": "intc(intc, intc)",
    "clock_gettime": "intc(intc, voidptr)",
}
# The game's functions that the loop calls: those of its rules, and of its wire.
RULES, WIRE = ("acts", "is_legal", "needs_dice", "over", "step"), ("prompt",)

# Left open here, and supplied when the loop is compiled.
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
prompt: Any = None

FIONREAD = 0x541B  # Linux: how many bytes wait in a pipe
CLOCK_MONOTONIC = 1  # Linux
SIGCONT, SIGSTOP = 18, 19  # Linux
SECOND = 1_000_000_000

# Why a rally ended
FULL, NOT_ORDINARY, ASIDE, OPEN = 0, 1, 2, 3

# What it leaves behind, by place in `end`
WHY, TURNS, SEAT, SENT, CAME, START, NOW, WROTE = 0, 1, 2, 3, 4, 5, 6, 7
PROMPT = 8  # the length of the last prompt
LENGTH = 9
DIGEST = 8  # characters

# A seat's row in `ways`: its descriptors; its process group if it is to be paused, or 0; whether it may be asked
STDIN, STDOUT, STDERR, GROUP, ASKED = 0, 1, 2, 3, 4
NOBODY = -1  # in the place of a descriptor


class Texts(NamedTuple):
    """The actions' texts, for `find`: arrays of NumPy's."""

    letters: Any  # bytes: each action's text, `longest` wide
    lengths: Any  # bytes of each
    slots: Any  # a table of actions by the hash of their texts, -1 where there is none; its length is a power of two
    longest: int


class Rooms(NamedTuple):
    """Where the loop puts things meanwhile: arrays of NumPy's."""

    prompt: Any  # bytes
    input: Any  # bytes
    actions: Any  # int64, one a seat
    time: Any  # int64, seconds and nanoseconds
    count: Any  # int32, one


class Book(NamedTuple):
    """What is written down of the turns: arrays of NumPy's."""

    packed: Any  # the bytes of the state itself
    told: Any  # int64, 3 x turns: seat, action, nanoseconds
    digests: Any  # bytes, 8 a turn: the digest of the state after it


@flat
def rally(
    s: Any, book: Any, ways: Any, texts: Any, rooms: Any, end: Any, most: int, limit: int, watchful: int
) -> None:
    """Play at most so many turns, until one is not ordinary.

    `book`, `texts` and `rooms` are a `Book`, `Texts` and `Rooms`. `ways` holds a row a seat, `end` says how it ended;
    `limit` is what a turn may take in nanoseconds.
    """
    end[TURNS] = end[SENT] = end[CAME] = 0
    end[WHY] = FULL
    while end[WHY] == FULL and end[TURNS] < most:
        play_turn(s, book, ways, texts, rooms, end, limit)
        if watchful and end[WHY] == FULL and waiting(ways[end[SEAT], STDERR], rooms) > 0:
            end[WHY] = ASIDE
    end[WROTE] = 0
    for seat in range(len(ways)):
        if ways[seat, ASKED]:
            end[WROTE] = max(end[WROTE], waiting(ways[seat, STDERR], rooms))


@flat
def play_turn(s: Any, book: Any, ways: Any, texts: Any, rooms: Any, end: Any, limit: int) -> None:
    """Play one turn, if it is ordinary; otherwise leave in `end` how far it came."""
    seat = mover(s, ways)
    if seat < 0 or waiting(ways[seat, STDOUT], rooms) != 0:
        end[WHY] = NOT_ORDINARY
        return
    end[SEAT] = seat
    exchange(s, seat, ways, rooms, end)
    action = find(rooms.input, end[CAME] - 1, texts)
    if action < 0 or end[NOW] - end[START] >= limit or not is_legal(s, seat, action):
        end[WHY] = OPEN
        return
    if ways[seat, GROUP]:
        kill(-ways[seat, GROUP], SIGSTOP)
    rooms.actions[seat] = action
    step(s, rooms.actions, None)
    turn = end[TURNS]
    book.told[0, turn] = seat
    book.told[1, turn] = action
    book.told[2, turn] = end[NOW] - end[START]
    put_digest(book.packed, len(book.packed), book.digests, DIGEST * turn)
    end[TURNS] = turn + 1


@flat
def mover(s: Any, ways: Any) -> int:
    """The one seat that acts now, if it may be asked; -1 where this is no ordinary turn."""
    if over(s) or needs_dice(s):
        return -1
    found = -1
    for seat in range(len(ways)):
        if acts(s, seat):
            if found >= 0 or not ways[seat, ASKED]:
                return -1
            found = seat
    return found


@flat
def exchange(s: Any, seat: int, ways: Any, rooms: Any, end: Any) -> None:
    """Send a seat its prompt, and wait for what it answers."""
    if ways[seat, GROUP]:
        kill(-ways[seat, GROUP], SIGCONT)
    length = prompt(s, seat, rooms.prompt)
    end[START] = end[NOW] = moment(rooms.time)
    end[PROMPT] = length
    end[SENT] = write(ways[seat, STDIN], rooms.prompt.ctypes, length)
    end[CAME] = 0
    if end[SENT] == length:
        end[CAME] = read(ways[seat, STDOUT], rooms.input.ctypes, len(rooms.input))
        end[NOW] = moment(rooms.time)


@flat
def moment(time: Any) -> int:
    """Nanoseconds of the monotonic clock."""
    clock_gettime(CLOCK_MONOTONIC, time.ctypes)
    return time[0] * SECOND + time[1]  # type: ignore[no-any-return]


@flat
def waiting(descriptor: int, rooms: Any) -> int:
    """How many bytes wait to be read; -1 where nobody can tell."""
    rooms.count[0] = 0
    if ioctl(descriptor, FIONREAD, rooms.count.ctypes) != 0:
        return -1
    return rooms.count[0]  # type: ignore[no-any-return]


# --- the actions' texts ---------------------------------------------------------------------------------------------

FNV_START, FNV_PRIME, MASK32 = 2166136261, 16777619, 0xFFFFFFFF


@flat
def find(line: Any, length: int, texts: Any) -> int:
    """The action whose text, with a newline behind it, is all of `line`; -1 if it is none's."""
    if length < 0 or length > texts.longest or line[length] != NEWLINE:
        return -1
    place = hashed(line, length) & (len(texts.slots) - 1)
    while texts.slots[place] >= 0:
        action = texts.slots[place]
        if texts.lengths[action] == length and is_same(line, texts.letters, action * texts.longest, length):
            return action  # type: ignore[no-any-return]
        place = (place + 1) & (len(texts.slots) - 1)
    return -1


@flat
def hashed(line: Any, length: int) -> int:
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
