"""Bitboards of chess: sets of squares as whole numbers of 64 bits, and what pieces on them attack.

Bit 0 is a8, bit 7 h8, bit 63 h1, which is also the sign.
"""

from dohyo.core.flat import flat, shifted_down, shifted_up

DIRECTIONS = (-8, 8, -1, 1, -9, 9, -7, 7)  # of sliders, the first four a rook's; each odd one leads back
KNIGHT_JUMPS = (-17, 17, -15, 15, -10, 10, -6, 6)
NOT_FILE_A, NOT_FILE_H = ~0x0101010101010101, 0x7F7F7F7F7F7F7F7F
NOT_FILES_AB, NOT_FILES_GH = NOT_FILE_A << 1 & NOT_FILE_A, 0x3F3F3F3F3F3F3F3F
# The squares on which such a step does not wrap round the edge of the board.
SLIDE_INSIDE = (-1, -1, NOT_FILE_H, NOT_FILE_A, NOT_FILE_H, NOT_FILE_A, NOT_FILE_A, NOT_FILE_H)
JUMP_INSIDE = (
    NOT_FILE_H,
    NOT_FILE_A,
    NOT_FILE_A,
    NOT_FILE_H,
    NOT_FILES_GH,
    NOT_FILES_AB,
    NOT_FILES_AB,
    NOT_FILES_GH,
)
DARK_SQUARES = 0x55AA55AA55AA55AA
PROMOTION_RANKS = 0xFF | -1 << 56


@flat
def slide_up(pieces: int, empty: int, by: int, inside: int) -> int:
    """The squares that sliders attack, up to the next piece and with it, in a direction to higher squares.

    `inside` are the squares on which a step does not wrap round the edge of the board.
    """
    empty &= inside
    pieces |= empty & shifted_up(pieces, by)
    empty &= shifted_up(empty, by)
    pieces |= empty & shifted_up(pieces, 2 * by)
    empty &= shifted_up(empty, 2 * by)
    pieces |= empty & shifted_up(pieces, 4 * by)
    return shifted_up(pieces, by) & inside


@flat
def slide_down(pieces: int, empty: int, by: int, inside: int) -> int:
    """The squares that sliders attack, up to the next piece and with it, in a direction to lower squares."""
    empty &= inside
    pieces |= empty & shifted_down(pieces, by)
    empty &= shifted_down(empty, by)
    pieces |= empty & shifted_down(pieces, 2 * by)
    empty &= shifted_down(empty, 2 * by)
    pieces |= empty & shifted_down(pieces, 4 * by)
    return shifted_down(pieces, by) & inside


@flat
def slide(pieces: int, empty: int, direction: int) -> int:
    """The squares that sliders attack in one of `DIRECTIONS`."""
    by = DIRECTIONS[direction]
    if by < 0:
        return slide_down(pieces, empty, -by, SLIDE_INSIDE[direction])
    return slide_up(pieces, empty, by, SLIDE_INSIDE[direction])


@flat
def jump(knights: int, which: int) -> int:
    """The squares that knights attack by one of `KNIGHT_JUMPS`."""
    by = KNIGHT_JUMPS[which]
    return (shifted_down(knights, -by) if by < 0 else shifted_up(knights, by)) & JUMP_INSIDE[which]


@flat
def knight_attacks(knights: int) -> int:
    """The squares that knights attack."""
    found = 0
    for which in range(8):
        found |= jump(knights, which)
    return found


@flat
def king_attacks(king: int) -> int:
    """The squares that a king attacks."""
    rank = king | shifted_down(king, 1) & NOT_FILE_H | shifted_up(king, 1) & NOT_FILE_A
    return (rank | shifted_down(rank, 8) | shifted_up(rank, 8)) & ~king


@flat
def pawn_attacks_west(pawns: int, seat: int) -> int:
    """The squares that a side's pawns attack towards the a-file."""
    return (shifted_down(pawns, 9) if seat == 0 else shifted_up(pawns, 7)) & NOT_FILE_H


@flat
def pawn_attacks_east(pawns: int, seat: int) -> int:
    """The squares that a side's pawns attack towards the h-file."""
    return (shifted_down(pawns, 7) if seat == 0 else shifted_up(pawns, 9)) & NOT_FILE_A


@flat
def pawn_attacks(pawns: int, seat: int) -> int:
    """The squares that a side's pawns attack."""
    return pawn_attacks_west(pawns, seat) | pawn_attacks_east(pawns, seat)


@flat
def pushed(pawns: int, seat: int) -> int:
    """The squares before a side's pawns."""
    return shifted_down(pawns, 8) if seat == 0 else shifted_up(pawns, 8)


@flat
def between(one: int, other: int) -> int:
    """The squares from one to another of the same rank, both included."""
    return shifted_up(255 >> (7 - abs(one - other)), min(one, other))
