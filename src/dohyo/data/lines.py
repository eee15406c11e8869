"""The lines of ordinary turns, read in one compiled loop, without an object for each turn and move.

Theory of operation
-------------------
A line as Dohyo writes it itself has its fields in one order, without spaces, and small numbers; nearly all lines are
such ones. The loop reads these and no others: where a byte stands that it does not expect, it leaves the whole
replay, which is then decoded as any other reader decodes it (`dohyo.core.replay_format`). So it need not know all of
JSON, only never take for good what the decoder would refuse, or read otherwise; a test compares both.

It never reads beyond a replay's lines: they end with a newline, which no word, number or text has.

Texts of actions become numbers by a table of those that were met before, whose probes are bounded: strangers may
write texts that all want one place.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

from dohyo.core.flat import flat

# What stands between numbers and texts: each of these begins at its place in `AT`.
EACH: tuple[bytes, ...] = (
    b'{"turn":',
    b',"dice":[',
    b',"moves":[',
    b'{"seat":',
    b',"action":"',
    b',"seconds":',
    b',"reply":"',
)
EACH += (b',"stderr":"', b',"stderr_dropped":', b',"comments":"', b',"comments_dropped":', b',"cpu":', b',"wall":')
EACH += (b',"bank":', b',"ponder":"', b',"digest":"', b'"}\n')
WORDS, AT = b"".join(EACH), (0, *accumulate(map(len, EACH)))
TURN, DICE, MOVES, SEAT, ACTION, SECONDS, REPLY, STDERR, STDERR_DROPPED, COMMENTS, COMMENTS_DROPPED = range(11)
CPU, WALL, BANK, PONDER, DIGEST, END = range(11, 17)
ESCAPES = b'"\\/bfnrt'

NEWLINE, SPACE, QUOTE, COMMA, MINUS, POINT, ZERO, NINE = 10, 32, 34, 44, 45, 46, 48, 57
BACKSLASH, CLOSE, SMALL_A, SMALL_E, SMALL_F, SMALL_Z, CLOSED, DELETE = 92, 93, 97, 101, 102, 122, 125, 127
MAX_SEATS = 255
MAX_DICE = 0xFFFF  # of a turn
MAX_DIGITS = 18
MAX_WHOLE = 9  # digits of seconds before the point
MAX_EXPONENT = 2  # its digits
MAX_TEXT = 64  # bytes of an action's text
MAX_GUESS = 10
PROBES = 16
SLOTS = 1 << 14
SPREAD = 2654435761  # 2^32 by the golden ratio: what is alike comes to places far from each other
MAX_TEXTS = SLOTS // 4

# Places of `Table.counts`, and of a row of `Scanned.ends`.
TEXTS, POOL, CROWDED = range(3)
TURNS, DICE_OF, MOVES_OF, TAKEN = range(4)


class Table(NamedTuple):
    """Texts of actions that were met, by number; each array is int64 where nothing else is said."""

    slots: Any  # (SLOTS,): 0, or a text's number and 1
    starts: Any  # (MAX_TEXTS + 1,): where each begins in `pool`
    pool: Any  # (MAX_TEXTS * MAX_TEXT,) uint8
    counts: Any  # (3,): how many texts there are, their bytes, and 1 if there was no room for another


class Scanned(NamedTuple):
    """What the loop writes: columns of all replays one after the other, and where those of each end."""

    digests: Any  # (turns, 4) uint8
    dice_counts: Any  # (turns,) uint16
    dice: Any  # (dice,) int64: a replay that has more of them is left
    move_counts: Any  # (turns,) uint8
    movers: Any  # (moves,) uint8
    texts: Any  # (moves,) int64: numbers of the table
    kept: Any  # (moves,) uint8: 1 if the player was asked
    ends: Any  # (replays + 1, 4) int64: turns, dice, moves up to there, and whether the replay was taken


@flat
def scan_span(text: Any, bounds: Any, firsts: Any, seats: Any, table: Table, scanned: Scanned, cursor: Any) -> int:
    """Read the lines of replays; how many were left.

    Those of each are in `text` (bytes,) uint8 from `bounds` at its number to the next one; `firsts` are the numbers
    of their first turns, `seats` how many there are. `cursor` (1,) int64 is scratch.
    """
    left = 0
    for at in range(len(firsts)):
        start_row(scanned.ends, at + 1, 1)
        if not scan_one(text, bounds[at], bounds[at + 1], firsts[at], seats[at], table, scanned, at + 1, cursor):
            start_row(scanned.ends, at + 1, 0)
            left += 1
    return left


@flat
def start_row(ends: Any, at: int, taken: int) -> None:
    """Let a replay's columns end where those of the one before do."""
    for k in range(TAKEN):
        ends[at, k] = ends[at - 1, k]
    ends[at, TAKEN] = taken


@flat
def scan_one(
    text: Any, start: int, end: int, first: int, seats: int, table: Table, scanned: Scanned, at: int, cursor: Any
) -> bool:
    """Read the lines of one replay, whose columns end at row `at` of `ends`; whether all are ordinary."""
    if first < 0:  # which no match has: `whole` says so of what is no number
        return False
    cursor[0] = start
    number = first
    while cursor[0] < end:
        if not follows(text, cursor, TURN) or whole(text, cursor) != number:
            return False
        if not takes_dice(text, cursor, scanned, at) or not takes_moves(text, cursor, seats, table, scanned, at):
            return False
        if not follows(text, cursor, DIGEST) or not takes_digest(text, cursor, scanned, at):
            return False
        if not follows(text, cursor, END):
            return False
        scanned.ends[at, TURNS] += 1
        number += 1
    return True


@flat
def follows(text: Any, cursor: Any, word: int) -> bool:
    """Go behind a word, if it stands here."""
    begin, at = AT[word], cursor[0]
    count = AT[word + 1] - begin
    for k in range(count):
        if text[at + k] != WORDS[begin + k]:
            return False
    cursor[0] = at + count
    return True


@flat
def whole(text: Any, cursor: Any) -> int:
    """Go behind a whole number that is not negative; -1 where none of at most 18 digits stands here."""
    start = cursor[0]
    at, value = start, 0
    while at - start < MAX_DIGITS and text[at] >= ZERO and text[at] <= NINE:
        value = 10 * value + (text[at] - ZERO)
        at += 1
    if at == start or (text[start] == ZERO and at - start > 1):
        return -1
    cursor[0] = at
    return value


@flat
def passes_seconds(text: Any, cursor: Any) -> bool:
    """Go behind seconds below 10^9, if there are some here."""
    start = cursor[0]
    if whole(text, cursor) < 0 or cursor[0] - start > MAX_WHOLE:
        return False
    if text[cursor[0]] == POINT:
        at = cursor[0] + 1
        start = at
        while at - start < MAX_DIGITS and text[at] >= ZERO and text[at] <= NINE:
            at += 1
        if at == start:
            return False
        cursor[0] = at
    if text[cursor[0]] == SMALL_E:
        if text[cursor[0] + 1] != MINUS:
            return False
        cursor[0] += 2
        start = cursor[0]
        return whole(text, cursor) >= 0 and cursor[0] - start <= MAX_EXPONENT
    return True


@flat
def passes_text(text: Any, cursor: Any) -> bool:
    """Go behind a text of ASCII and its quote, if it has no escape but of one character."""
    at = cursor[0]
    while text[at] != QUOTE:
        if text[at] < SPACE or text[at] >= DELETE:
            return False
        if text[at] == BACKSLASH:
            at += 1
            if not is_escape(text[at]):
                return False
        at += 1
    cursor[0] = at + 1
    return True


@flat
def is_escape(sign: int) -> bool:
    """Whether this may stand behind a backslash, and is all of an escape."""
    found = False
    for k in range(len(ESCAPES)):
        found = found or sign == ESCAPES[k]
    return found


@flat
def passes_guess(text: Any, cursor: Any) -> bool:
    """Go behind small letters and digits and their quote, at most `MAX_GUESS`."""
    at = cursor[0]
    while text[at] != QUOTE:
        is_digit = text[at] >= ZERO and text[at] <= NINE
        is_letter = text[at] >= SMALL_A and text[at] <= SMALL_Z
        if not (is_digit or is_letter) or at - cursor[0] == MAX_GUESS:
            return False
        at += 1
    cursor[0] = at + 1
    return True


@flat
def takes_dice(text: Any, cursor: Any, scanned: Scanned, at: int) -> bool:
    """Read a turn's dice, if there are some; whether they are ordinary."""
    turn, count = scanned.ends[at, TURNS], 0
    if follows(text, cursor, DICE):
        is_last = False
        while not is_last:
            sign = 1
            if text[cursor[0]] == MINUS:
                cursor[0] += 1
                sign = -1
            value = whole(text, cursor)
            place = scanned.ends[at, DICE_OF]
            if value < 0 or (sign < 0 and value == 0) or count == MAX_DICE or place == len(scanned.dice):
                return False
            scanned.dice[place] = sign * value
            scanned.ends[at, DICE_OF] += 1
            count += 1
            is_last = text[cursor[0]] == CLOSE
            if not is_last and text[cursor[0]] != COMMA:
                return False
            cursor[0] += 1
    scanned.dice_counts[turn] = count
    return True


@flat
def takes_moves(text: Any, cursor: Any, seats: int, table: Table, scanned: Scanned, at: int) -> bool:
    """Read a turn's moves, if there are some; whether they are ordinary."""
    turn, count = scanned.ends[at, TURNS], 0
    if follows(text, cursor, MOVES):
        is_last = False
        while not is_last:
            if count >= min(seats, MAX_SEATS) or not takes_move(text, cursor, seats, table, scanned, at):
                return False
            count += 1
            is_last = text[cursor[0]] == CLOSE
            if not is_last and text[cursor[0]] != COMMA:
                return False
            cursor[0] += 1
    scanned.move_counts[turn] = count
    return True


@flat
def takes_move(text: Any, cursor: Any, seats: int, table: Table, scanned: Scanned, at: int) -> bool:
    """Read a move; whether it is an ordinary one."""
    if not follows(text, cursor, SEAT):
        return False
    seat = whole(text, cursor)
    if seat < 0 or seat >= seats or seat >= MAX_SEATS or not follows(text, cursor, ACTION):
        return False
    number = known(text, cursor, table)
    if number < 0:
        return False
    move = scanned.ends[at, MOVES_OF]
    scanned.movers[move] = seat
    scanned.texts[move] = number
    scanned.kept[move] = 0
    if follows(text, cursor, SECONDS):
        scanned.kept[move] = 1
        if not passes_seconds(text, cursor):
            return False
    scanned.ends[at, MOVES_OF] = move + 1
    if not passes_rest(text, cursor) or text[cursor[0]] != CLOSED:
        return False
    cursor[0] += 1
    return True


@flat
def passes_rest(text: Any, cursor: Any) -> bool:
    """Go behind what a move has after its seconds, if that is ordinary: no faults."""
    for word in range(REPLY, DIGEST):
        if text[cursor[0]] != COMMA:
            return True
        if follows(text, cursor, word):
            if word in (REPLY, STDERR, COMMENTS):
                passed = passes_text(text, cursor)
            elif word in (STDERR_DROPPED, COMMENTS_DROPPED):
                passed = whole(text, cursor) >= 0
            elif word == PONDER:
                passed = passes_guess(text, cursor)
            else:
                passed = passes_seconds(text, cursor)
            if not passed:
                return False
    return True


@flat
def takes_digest(text: Any, cursor: Any, scanned: Scanned, at: int) -> bool:
    """Read eight hex digits; whether they are some."""
    turn, begin = scanned.ends[at, TURNS], cursor[0]
    for byte in range(4):
        value = 0
        for k in range(2):
            sign = text[begin + 2 * byte + k]
            if sign >= ZERO and sign <= NINE:
                value = 16 * value + (sign - ZERO)
            elif sign >= SMALL_A and sign <= SMALL_F:
                value = 16 * value + (sign - SMALL_A + 10)
            else:
                return False
        scanned.digests[turn, byte] = value
    cursor[0] = begin + 8
    return True


@flat
def known(text: Any, cursor: Any, table: Table) -> int:
    """Go behind an action's text and its quote; the text's number in the table, where it may be new; -1 for none."""
    begin = cursor[0]
    at, mixed = begin, 7
    while text[at] != QUOTE:
        if text[at] < SPACE or text[at] >= DELETE or text[at] == BACKSLASH or at - begin == MAX_TEXT:
            return -1
        mixed = (mixed * 31 + text[at]) & 0xFFFFFFF
        at += 1
    cursor[0] = at + 1
    count = at - begin
    slot = (mixed * SPREAD >> 16) % SLOTS
    for _ in range(PROBES):
        number = table.slots[slot] - 1
        if number < 0:
            return added(text, begin, count, slot, table)
        if table.starts[number + 1] - table.starts[number] == count:
            start = table.starts[number]
            same = 0
            while same < count and table.pool[start + same] == text[begin + same]:
                same += 1
            if same == count:
                return number  # type: ignore[no-any-return]
        slot = (slot + 1) % SLOTS
    table.counts[CROWDED] = 1
    return -1


@flat
def added(text: Any, begin: int, count: int, slot: int, table: Table) -> int:
    """Put a text into an empty slot; its number, -1 where there is no room."""
    number = table.counts[TEXTS]
    if number == MAX_TEXTS:
        table.counts[CROWDED] = 1
        return -1
    start = table.counts[POOL]
    for k in range(count):
        table.pool[start + k] = text[begin + k]
    table.counts[POOL] = start + count
    table.counts[TEXTS] = number + 1
    table.starts[number] = start
    table.starts[number + 1] = start + count
    table.slots[slot] = number + 1
    return number  # type: ignore[no-any-return]
