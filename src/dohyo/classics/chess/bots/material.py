"""A player of chess that knows the rules and a table of pieces, and leaves the rest to `dohyo.search`.

The table says what a piece is worth on a square, in hundredths of a pawn: while all pieces stand, and when none is
left but pawns; what is in between counts in proportion. `help(dohyo.search.AlphaBeta)` says what the search makes of
that. It is compiled by the build.
"""

import dohyo
from dohyo import games
from dohyo.core.flat import bit, flat, lowest, without_lowest
from dohyo.search import AlphaBeta

GAME = games.find("chess")  # before the rules' own functions are asked for

from dohyo.classics.chess import (  # noqa: E402
    PROMOTIONS,
    QUEEN,
    generate_moves,
    origin_of,
    owner,
    position_key,
    sliders,
    target_of,
    type_of,
)
from dohyo.classics.chess_bitboards import king_attacks, knight_attacks, pawn_attacks, slide  # noqa: E402

WORTH = (0, 100, 320, 330, 500, 950, 0)  # of nothing, a pawn, knight, bishop, rook, queen, king
OFFICERS = (0, 0, 1, 1, 2, 4, 0, 0, 1, 1, 2, 4, 0)  # by the board's numbers: how much each makes of `ALL`
ALL = 24
BY_RANK = (-10, -10, -4, 2, 12, 30, -10), (0, 5, 15, 30, 60, 100, 0)  # of pawns: early, late
BY_CENTRE = (0, 0, 8, 5, 1, 1, -12), (0, 0, 8, 5, 0, 4, 9)  # of each piece, for a step from the edge to the centre
IN_CENTRE, AT_HOME = 5, 8  # of early pawns: in the middle of the board, and before a castled king


def table(late):
    """What each piece is worth on each square, white's above 0: at piece * 64 + square."""
    found = [0] * (13 * 64)
    for piece in range(1, 7):
        for at in range(64):
            rank, file, steps = 7 - at // 8, at % 8, 7 - (abs(at // 8 * 2 - 7) + abs(at % 8 * 2 - 7)) // 2
            worth = WORTH[piece] + BY_CENTRE[late][piece] * (steps - 3)
            if piece == 1:
                worth += BY_RANK[late][max(rank - 1, 0)]
                if not late:
                    worth += IN_CENTRE * (3 <= rank <= 4 and 2 <= file <= 5) + AT_HOME * (
                        rank == 1 and file not in (3, 4)
                    )
            found[piece * 64 + at] = worth
            found[(piece + 6) * 64 + (at ^ 56)] = -worth
    return tuple(found)


EARLY, LATE = table(0), table(1)


@flat
def value(s, seat):
    """What the pieces are worth for a seat."""
    early, late, left, rest = 0, 0, 0, s.sides[0] | s.sides[1]
    while rest != 0:
        at = lowest(rest)
        rest = without_lowest(rest)
        piece = s.board[at]
        early += EARLY[piece * 64 + at]
        late += LATE[piece * 64 + at]
        left += OFFICERS[piece]
    left = ALL if left > ALL else left
    found = (early * left + late * (ALL - left)) / ALL
    return found if seat == 0 else -found


@flat
def is_guarded(s, square, seat):
    """Whether pieces of a seat attack a square."""
    at, empty = bit(square), ~(s.sides[0] | s.sides[1])
    found = pawn_attacks(at, 1 - seat) & s.pieces[0] | knight_attacks(at) & s.pieces[1]
    found |= king_attacks(at) & s.pieces[5]
    for direction in range(8):
        found |= slide(at, empty, direction) & sliders(s, seat, direction)
    return found & s.sides[seat] != 0


@flat
def gain(s, seat, action):
    """What a move captures, less what it loses to a guard; or a pawn becomes a queen."""
    target, found = target_of(action), 0.0
    if owner(s.board[target]) == 1 - seat:
        taken, by = WORTH[type_of(s.board[target])], WORTH[type_of(s.board[origin_of(action)])]
        found += taken - by / 64  # the cheaper piece first
        if by > taken + 50 and is_guarded(s, target, 1 - seat):
            found = taken - by
    if action >= PROMOTIONS and (action - PROMOTIONS) // 64 % 4 == 0:
        found += WORTH[QUEEN] - WORTH[1]
    return found


@flat
def skip(s):
    """Let the other side move: that says nothing in check, or where only pawns could move."""
    if s.sides[s.turn % 2] & ~(s.pieces[0] | s.pieces[5]) == 0 or generate_moves(s):
        return False
    s.turn += 1
    s.en_passant = 0
    generate_moves(s)
    return s.count > 0


TOLD = {"value": value, "gain": gain, "identity": position_key, "skip": skip}
TOLD |= {"loud": 50, "margin": 100, "entries": 1 << 18}


class Material(dohyo.Bot):
    """Looks some nine turns ahead in a tenth of a second."""

    def begin(self):
        """Make the search before the first turn comes."""
        self.search = AlphaBeta(GAME, compiled=True, **TOLD)

    def act(self, observation):
        """What the search says."""
        return self.search.choose(observation.state(), observation.seat, until=self.deadline).action


if __name__ == "__main__":
    Material.run()
