"""A rally: ordinary turns, one after the other, in a loop that is compiled together with the game's rules.

Theory of operation
-------------------
Between two programs that behave, a turn is a write, a read and a step of the rules. The loop below plays such turns
without coming back to Python: it writes the prompt, waits in a blocking read for the line, and judges it only if that
takes no judgement: the line is one, whole, within the limit, letter by letter an action's own text, and the action is
legal. It is the referee's own judgement then (a law of every game says so). Anything else ends the rally, with all
that is known: how much was sent, what came, and when. The ring takes the turn up from there, as if it had begun it
(but a whole line in which there is no fault is read where the rally ended, `rallies.py`).

The clock's moments lie where the ring has them: right before the write, and right after the read. What programs write
to standard error is looked for after each answer, as long as the rally is `watchful`: until a few turns were quiet;
otherwise when it ends.

A line that waits already when its seat is asked belongs to the ring, too. To look for one costs a system call, a
tenth of the turn; nothing less tells it from an answer that came at once.

A read that blocks has no time limit, and does not see what other programs do. So a timer's signal ends it at every
tick; once a program has been waited for so long that it is not the first one, the ring, which waits for everybody at
once, goes on. (Handing a turn over costs as much as fifty turns.)

The loop is written in the rules' common language (`dohyo.core.flat`). What it calls is supplied when it is compiled:
the game's functions, and those of the system's library that stand in `FOREIGN`.
"""

from __future__ import annotations

from typing import Any

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
# The game's functions that the loop calls: those of its rules, and of its protocol.
RULES, PROTOCOL = ("acts", "is_legal", "needs_dice", "over", "step"), ("prompt",)

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

PATIENCE = 5_000_000  # nanoseconds, at least, that a program is waited for without looking at the others
FIRST = 8  # turns in which it is learnt whether programs write to standard error

# Why a rally ended
FULL, NOT_ORDINARY, ASIDE, OPEN = 0, 1, 2, 3

# What it leaves behind, by place in `end`
WHY, TURNS, SEAT, SENT, CAME, START, NOW, WROTE = 0, 1, 2, 3, 4, 5, 6, 7
PROMPT = 8  # the length of the last prompt
WATCHFUL = 9  # whether it was still watchful
LENGTH = 10
DIGEST = 8  # characters

# A seat's row in `ways`: its descriptors; its process group if it is to be paused, or 0; whether it may be asked
STDIN, STDOUT, STDERR, GROUP, ASKED = 0, 1, 2, 3, 4
WAY = 5  # the length of a row
NOBODY = -1  # in the place of a descriptor


Fields = list[tuple[str, str, int]]  # of a record: name, kind and length, as NumPy writes them


def text_fields(longest: int, actions: int, slots: int) -> Fields:
    """The record of the actions' texts, for `find`: the longest has so many letters; `slots` is a power of two."""
    return [
        ("longest", "<i4", 1),
        ("lengths", "<i4", actions),  # of each text
        ("slots", "<i4", slots),  # actions by the hash of their texts, -1 where there is none
        ("letters", "u1", actions * longest),  # each action's text, `longest` wide
    ]


def desk_fields(seats: int, turns: int, prompt: int, line: int) -> Fields:
    """Where the loop finds and puts everything else: one record, because Numba unpacks arrays at every call.

    `prompt` and `line` are the lengths of their buffers, in bytes.
    """
    return [
        ("end", "<i8", LENGTH),
        ("time", "<i8", 2),  # seconds and nanoseconds
        ("ways", "<i8", seats * WAY),  # a row a seat
        ("actions", "<i8", seats),
        # What is written down of the turns
        ("seconds", "<f8", turns),
        ("acted", "<i4", turns),
        ("seats", "<i4", turns),
        ("count", "<i4", 1),
        ("digests", "u1", turns * DIGEST),  # of the states after them
        ("prompt", "u1", prompt),
        ("input", "u1", line),
    ]


@flat
def rally(states: Any, packed: Any, desks: Any, texts: Any, seats: int, most: int, limit: int, watchful: int) -> None:
    """Play at most so many turns, until one is not ordinary.

    `states`, `desks` and `texts` hold one record each; `packed` is the bytes of the state itself. `limit` is what a
    turn may take in nanoseconds. The desk's `end` says how it ended.

    A watchful one looks for words on standard error after each turn; it goes on without, once `FIRST` turns were
    quiet.
    """
    s, desk = states[0], desks[0]
    end = desk.end
    end[TURNS] = end[SENT] = end[CAME] = 0
    end[WHY] = FULL
    while end[WHY] == FULL and end[TURNS] < most:
        play_turn(s, packed, desk, texts[0], seats, limit)
        if watchful and end[WHY] == FULL:
            if waiting(desk.ways[end[SEAT] * WAY + STDERR], desk.count) > 0:
                end[WHY] = ASIDE
            elif end[TURNS] == FIRST and written(desk, seats) == 0:
                watchful = 0
    end[WROTE] = written(desk, seats)
    end[WATCHFUL] = watchful


@flat
def play_turn(s: Any, packed: Any, desk: Any, texts: Any, seats: int, limit: int) -> None:
    """Play one turn, if it is ordinary; otherwise leave in `end` how far it came."""
    end, ways = desk.end, desk.ways
    seat = mover(s, ways, seats)
    if seat < 0 or waiting(ways[seat * WAY + STDOUT], desk.count) != 0:
        end[WHY] = NOT_ORDINARY
        return
    end[SEAT] = seat
    exchange(s, seat, desk)
    action = find(desk.input, end[CAME] - 1, texts)
    took = end[NOW] - end[START]
    if action < 0 or took >= limit or not is_legal(s, seat, action):
        end[WHY] = OPEN
        return
    if ways[seat * WAY + GROUP]:
        kill(-ways[seat * WAY + GROUP], SIGSTOP)
    desk.actions[seat] = action
    step(s, desk.actions, None)
    turn = end[TURNS]
    desk.seats[turn] = seat
    desk.acted[turn] = action
    desk.seconds[turn] = (took + 500) // 1000 / 1e6
    put_digest(packed, len(packed), desk.digests, DIGEST * turn)
    end[TURNS] = turn + 1


@flat
def mover(s: Any, ways: Any, seats: int) -> int:
    """The one seat that acts now, if it may be asked; -1 where this is no ordinary turn."""
    if over(s) or needs_dice(s):
        return -1
    found = -1
    for seat in range(seats):
        if acts(s, seat):
            if found >= 0 or not ways[seat * WAY + ASKED]:
                return -1
            found = seat
    return found


@flat
def exchange(s: Any, seat: int, desk: Any) -> None:
    """Send a seat its prompt, and wait for what it answers."""
    end, way = desk.end, seat * WAY
    if desk.ways[way + GROUP]:
        kill(-desk.ways[way + GROUP], SIGCONT)
    length = prompt(s, seat, desk.prompt)
    end[START] = end[NOW] = moment(desk.time)
    end[PROMPT] = length
    end[SENT] = write(desk.ways[way + STDIN], desk.prompt.ctypes, length)
    end[CAME] = 0 if end[SENT] < length else -1
    while end[CAME] < 0 and end[NOW] - end[START] < PATIENCE:  # a tick may end a read that has only begun
        end[CAME] = read(desk.ways[way + STDOUT], desk.input.ctypes, len(desk.input))
        end[NOW] = moment(desk.time)


@flat
def written(desk: Any, seats: int) -> int:
    """How many bytes wait on the standard error of the seat with most of them."""
    most = 0
    for seat in range(seats):
        if desk.ways[seat * WAY + ASKED]:
            most = max(most, waiting(desk.ways[seat * WAY + STDERR], desk.count))
    return most


@flat
def moment(time: Any) -> int:
    """Nanoseconds of the monotonic clock."""
    clock_gettime(CLOCK_MONOTONIC, time.ctypes)
    return time[0] * SECOND + time[1]  # type: ignore[no-any-return]


@flat
def waiting(descriptor: int, count: Any) -> int:
    """How many bytes wait to be read; -1 where nobody can tell. The number goes through `count`."""
    count[0] = 0
    if ioctl(descriptor, FIONREAD, count.ctypes) != 0:
        return -1
    return count[0]  # type: ignore[no-any-return]


# --- the actions' texts ---------------------------------------------------------------------------------------------

FNV_START, FNV_PRIME, MASK32 = 2166136261, 16777619, 0xFFFFFFFF


@flat
def find(line: Any, length: int, texts: Any) -> int:
    """The action whose text, with a newline behind it, is all of `line`; -1 if it is none's."""
    if length < 0 or length > texts.longest[0] or line[length] != NEWLINE:
        return -1
    place = hashed(line, length) & (len(texts.slots) - 1)
    while texts.slots[place] >= 0:
        action = texts.slots[place]
        if texts.lengths[action] == length and is_same(line, texts.letters, action * texts.longest[0], length):
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
