"""Chess: all of it, with draws by threefold repetition, fifty moves, and too little material."""

from dohyo.core.cheap_random import mixed
from dohyo.core.flat import Layout
from dohyo.core.game import Plane

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6  # white's; black's are 6 more
PLAIN = (
    64 * 64
)  # moves from * 64 + to; then promotions: seat * 256 + (queen - piece) * 64 + from column * 8 + to column
ACTIONS = PLAIN + 512
FIFTY = 100  # turns without a capture or a pawn's move
LAYOUT = Layout(
    "Chess",
    ("key", "i8", 0),  # of the position
    ("keys", "i8", FIFTY + 1),  # of those since the last capture or pawn's move
    ("turn", "i2", 0),
    ("quiet", "i2", 0),  # turns since then
    ("board", "i1", (8, 8)),  # from a8 to h1
    ("kings", "i1", 2),  # where they are
    ("castling", "i1", 0),  # bits: white's short and long, black's short and long
    ("en_passant", "i1", 0),  # the square that a pawn has just jumped over, if another may take it there
    ("ended", "i1", 0),
)
SIGNS = {"board": ".PNBRQKpnbrqk"}
RANGES = {"turn": (0, 20000), "quiet": (0, 100), "kings": (0, 63), "castling": (0, 15), "en_passant": (0, 63)}
MATE, STALEMATE, REPETITION, FIFTY_MOVES, MATERIAL = 1, 2, 3, 4, 5
REASONS = {
    MATE: "checkmate",
    STALEMATE: "stalemate",
    REPETITION: "the same position for the third time",
    FIFTY_MOVES: "fifty moves without a capture or a pawn's move",
    MATERIAL: "neither side can mate",
}
KIND, SHAPE = "i1", (8, 8)
PLANES = (
    *(
        Plane(f"{whose}_{piece}", 0, 1, f"the {piece} squares of the {whose} side; black sees the board turned over")
        for whose in ("own", "other")
        for piece in ("pawn", "knight", "bishop", "rook", "queen", "king")
    ),
    *(
        Plane(f"{whose}_{side}", 0, 1, f"whether the {whose} king may still castle on the {side} side")
        for whose in ("own", "other")
        for side in ("short", "long")
    ),
    Plane("en_passant", 0, 1, "the square on which a pawn may be taken in passing"),
    Plane("quiet", 0, FIFTY, "turns without a capture or a pawn's move"),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
)
FIRST = (4, 2, 3, 5, 6, 3, 2, 4)
DOWN = (-1, 1, 0, 0, -1, -1, 1, 1)  # four straight directions, then four diagonal ones
RIGHT = (0, 0, -1, 1, -1, 1, -1, 1)
JUMP_DOWN = (-2, -2, -1, -1, 1, 1, 2, 2)
JUMP_RIGHT = (-1, 1, -2, 2, -2, 2, -1, 1)


def start(s, setup, seats):
    """The usual position."""
    for column in range(8):
        s.board[column] = FIRST[column] + 6
        s.board[8 + column] = PAWN + 6
        s.board[48 + column] = PAWN
        s.board[56 + column] = FIRST[column]
    s.castling = 15
    settle(s)


def settle(s):
    """Fill in what follows from the board."""
    s.key = 0
    for at in range(64):
        if s.board[at] != 0:
            s.key ^= key_of(s.board[at], at)
        if kind_of(s.board[at]) == KING:
            s.kings[owner(s.board[at])] = at
    s.keys[0] = whole_key(s)


def key_of(piece, square):
    """A number of 62 bits for a piece on a square."""
    return mixed(piece * 64 + square) << 30 ^ mixed(piece * 64 + square + 5000)


def whole_key(s):
    """A number for the position, with who moves and what may be done."""
    return s.key ^ mixed(9000 + s.castling * 128 + s.en_passant * 2 + s.turn % 2)


def owner(piece):
    """Whose piece it is; -1 for none."""
    return -1 if piece == 0 else 0 if piece <= KING else 1


def kind_of(piece):
    """What it is, as white's number."""
    return piece if piece <= KING else piece - 6


def attacked(s, seat, king, origin, target, taken):
    """Whether the seat's king would be attacked on a square, had a piece gone from `origin` to `target`.

    `taken` is the square of a pawn that was taken in passing. -1 stands for none.
    """
    row, column = king // 8, king % 8
    forward = -1 if seat == 0 else 1
    for d in range(8):
        r, c = row + DOWN[d], column + RIGHT[d]
        near = True
        while 0 <= r < 8 and 0 <= c < 8:
            at = r * 8 + c
            if at == target:
                break
            piece = s.board[at]
            if piece != 0 and at != origin and at != taken:
                if owner(piece) != seat:
                    kind = kind_of(piece)
                    if kind == QUEEN or kind == (ROOK if d < 4 else BISHOP):
                        return True
                    if near and (kind == KING or (kind == PAWN and d >= 4 and DOWN[d] == forward)):
                        return True
                break
            near = False
            r += DOWN[d]
            c += RIGHT[d]
    for d in range(8):
        r, c = row + JUMP_DOWN[d], column + JUMP_RIGHT[d]
        if (
            0 <= r < 8
            and 0 <= c < 8
            and r * 8 + c != target
            and s.board[r * 8 + c] == (KNIGHT + 6 if seat == 0 else KNIGHT)
        ):
            return True
    return False


def may_castle(s, seat, long):
    """Whether the king may go two squares towards a rook now."""
    if s.castling >> (2 * seat + long) & 1 == 0:
        return False
    king = s.kings[seat]
    way = -1 if long else 1
    for k in range(1, 4 if long else 3):
        if s.board[king + way * k] != 0:
            return False
    for k in range(3):
        if attacked(s, seat, king + way * k, king, -1, -1):
            return False
    return True


def reaches(s, seat, origin, target):
    """Whether the piece there goes to the target, whatever becomes of the king."""
    kind = kind_of(s.board[origin])
    rows, columns = target // 8 - origin // 8, target % 8 - origin % 8
    far, wide = abs(rows), abs(columns)
    if kind == PAWN:
        forward = -1 if seat == 0 else 1
        if wide == 1:
            takes = owner(s.board[target]) == 1 - seat or (target == s.en_passant and target != 0)
            return rows == forward and takes
        if wide != 0 or s.board[target] != 0:
            return False
        jumps = rows == 2 * forward and origin // 8 == (6 if seat == 0 else 1) and s.board[origin + 8 * forward] == 0
        return rows == forward or jumps
    if kind == KNIGHT:
        return far * wide == 2
    if kind == KING and rows == 0 and wide == 2:
        return may_castle(s, seat, 1 if columns < 0 else 0)
    if kind == KING:
        return far <= 1 and wide <= 1
    straight = far == 0 or wide == 0
    if not (straight and kind != BISHOP) and not (far == wide and kind != ROOK):
        return False
    down = 0 if rows == 0 else 1 if rows > 0 else -1
    right = 0 if columns == 0 else 1 if columns > 0 else -1
    for k in range(1, max(far, wide)):
        if s.board[origin + k * (8 * down + right)] != 0:
            return False
    return True


def origin_of(action):
    """The square that a piece leaves by it."""
    if action < PLAIN:
        return action // 64
    return (8 if action < PLAIN + 256 else 48) + (action - PLAIN) // 8 % 8


def target_of(action):
    """The square that it goes to."""
    if action < PLAIN:
        return action % 64
    return (0 if action < PLAIN + 256 else 56) + action % 8


def is_safe(s, seat, origin, target):
    """Whether the seat's own king is not attacked after that move."""
    king = s.kings[seat]
    passed = -1
    if kind_of(s.board[origin]) == PAWN and target == s.en_passant and target != 0 and origin % 8 != target % 8:
        passed = origin // 8 * 8 + target % 8
    return not attacked(s, seat, target if origin == king else king, origin, target, passed)


def is_legal(s, seat, action):
    """Whether this is a move by the rules, and does not leave the king attacked."""
    if action < 0 or action >= ACTIONS:
        return False
    origin, target = origin_of(action), target_of(action)
    if owner(s.board[origin]) != seat or owner(s.board[target]) == seat:
        return False
    promotes = kind_of(s.board[origin]) == PAWN and (target < 8 or target >= 56)
    if promotes != (action >= PLAIN) or (promotes and (action - PLAIN) // 256 != seat):
        return False
    return reaches(s, seat, origin, target) and is_safe(s, seat, origin, target)


def add(out, count, action):
    """Keep an action, all of them in order."""
    if out is not None:
        at = count
        while at > 0 and out[at - 1] > action:
            out[at] = out[at - 1]
            at -= 1
        out[at] = action
    return count + 1


def try_move(s, seat, origin, target, careful, out, count):
    """Keep a move, if the king is safe then, with all that a pawn may become."""
    if careful and not is_safe(s, seat, origin, target):
        return count
    if kind_of(s.board[origin]) == PAWN and (target < 8 or target >= 56):
        for k in range(4):
            count = add(out, count, PLAIN + seat * 256 + k * 64 + origin % 8 * 8 + target % 8)
        return count
    return add(out, count, origin * 64 + target)


def pawn_moves(s, seat, origin, careful, out, count):
    """Keep the moves of a pawn."""
    forward = -1 if seat == 0 else 1
    ahead = origin + 8 * forward
    column = origin % 8
    for side in range(-1, 2, 2):
        if 0 <= column + side < 8:
            target = ahead + side
            passing = target == s.en_passant and target != 0
            if passing or owner(s.board[target]) == 1 - seat:
                count = try_move(s, seat, origin, target, careful or passing, out, count)
    if s.board[ahead] == 0:
        count = try_move(s, seat, origin, ahead, careful, out, count)
        if origin // 8 == (6 if seat == 0 else 1) and s.board[ahead + 8 * forward] == 0:
            count = try_move(s, seat, origin, ahead + 8 * forward, careful, out, count)
    return count


def jumps(s, seat, origin, careful, out, count):
    """Keep the moves of a knight."""
    for d in range(8):
        r, c = origin // 8 + JUMP_DOWN[d], origin % 8 + JUMP_RIGHT[d]
        if 0 <= r < 8 and 0 <= c < 8 and owner(s.board[r * 8 + c]) != seat:
            count = try_move(s, seat, origin, r * 8 + c, careful, out, count)
    return count


def slides(s, seat, origin, kind, careful, out, count):
    """Keep the moves of a bishop, rook, queen or king, without castling."""
    for d in range(4 if kind == BISHOP else 0, 4 if kind == ROOK else 8):
        r, c = origin // 8 + DOWN[d], origin % 8 + RIGHT[d]
        while 0 <= r < 8 and 0 <= c < 8:
            piece = s.board[r * 8 + c]
            if owner(piece) != seat:
                count = try_move(s, seat, origin, r * 8 + c, careful, out, count)
            if piece != 0 or kind == KING:
                break
            r += DOWN[d]
            c += RIGHT[d]
    return count


def find(s, seat, out):
    """Write all moves to `out`, in order; without it, stop at the first. How many there are."""
    king = s.kings[seat]
    check = attacked(s, seat, king, -1, -1, -1)
    count = 0
    for origin in range(64):
        piece = s.board[origin]
        if owner(piece) == seat:
            kind = kind_of(piece)
            down, right = origin // 8 - king // 8, origin % 8 - king % 8
            careful = check or down == 0 or right == 0 or down == right or down == -right  # it may be pinned
            if kind == PAWN:
                count = pawn_moves(s, seat, origin, careful, out, count)
            elif kind == KNIGHT:
                count = jumps(s, seat, origin, careful, out, count)
            else:
                count = slides(s, seat, origin, kind, careful, out, count)
            if out is None and count > 0:
                return count
    if not check and s.castling >> 2 * seat & 3:
        for long in range(2):
            if may_castle(s, seat, long):
                count = add(out, count, king * 64 + king + (-2 if long else 2))
    return count


def legal(s, seat, out):
    """All moves, in order."""
    return find(s, seat, out)


def put(s, square, piece):
    """Put a piece on a square, or none."""
    if s.board[square] != 0:
        s.key ^= key_of(s.board[square], square)
    s.board[square] = piece
    if piece != 0:
        s.key ^= key_of(piece, square)


def lost_castling(square):
    """What nobody may do any more when a piece has left this square, or was taken there."""
    if square == 60:
        return 3
    if square == 4:
        return 12
    return 1 if square == 63 else 2 if square == 56 else 4 if square == 7 else 8 if square == 0 else 0


def move(s, seat, action):
    """Move the pieces; whether that was a capture or a pawn's move."""
    origin, target = origin_of(action), target_of(action)
    piece = s.board[origin]
    kind = kind_of(piece)
    changes = kind == PAWN or s.board[target] != 0
    if kind == PAWN and target == s.en_passant and target != 0 and origin % 8 != target % 8:
        put(s, origin // 8 * 8 + target % 8, 0)
    put(s, origin, 0)
    if action >= PLAIN:
        piece = QUEEN - (action - PLAIN) // 64 % 4 + 6 * seat
    put(s, target, piece)
    s.en_passant = 0
    if kind == KING:
        s.kings[seat] = target
        if target - origin == 2:
            put(s, target + 1, 0)
            put(s, target - 1, ROOK + 6 * seat)
        elif target - origin == -2:
            put(s, target - 2, 0)
            put(s, target + 1, ROOK + 6 * seat)
    elif kind == PAWN and abs(target - origin) == 16:
        other = PAWN + 6 * (1 - seat)
        column = target % 8
        if (column > 0 and s.board[target - 1] == other) or (column < 7 and s.board[target + 1] == other):
            s.en_passant = (origin + target) // 2
    s.castling &= ~(lost_castling(origin) | lost_castling(target))
    return changes


def cannot_mate(s):
    """Whether there is nothing but kings and at most one bishop or knight."""
    minor = 0
    for at in range(64):
        kind = kind_of(s.board[at])
        if kind == PAWN or kind == ROOK or kind == QUEEN:
            return False
        if kind == KNIGHT or kind == BISHOP:
            minor += 1
    return minor <= 1


def step(s, actions, events):
    """Play a move, and see whether the match ends with it."""
    seat = s.turn % 2
    changes = move(s, seat, actions[seat])
    s.turn += 1
    s.quiet = 0 if changes else s.quiet + 1
    s.keys[s.quiet] = whole_key(s)
    if find(s, 1 - seat, None) == 0:
        s.ended = MATE if attacked(s, 1 - seat, s.kings[1 - seat], -1, -1, -1) else STALEMATE
    elif s.quiet >= FIFTY:
        s.ended = FIFTY_MOVES
    elif changes and cannot_mate(s):
        s.ended = MATERIAL
    elif s.quiet >= 8:
        times = 0
        for ago in range(4, s.quiet + 1, 2):
            if s.keys[s.quiet - ago] == s.keys[s.quiet]:
                times += 1
        if times >= 2:
            s.ended = REPETITION


def winner(s):
    """Who has mated, or nobody."""
    return 1 - s.turn % 2 if s.ended == MATE else -1


def observe(s, seat, out):
    """Pieces by kind, rights and counts; black sees the board from its own side."""
    for at in range(64):
        seen = at if seat == 0 else at ^ 56
        piece = s.board[seen]
        for k in range(6):
            out[k * 64 + at] = piece == 1 + k + 6 * seat
            out[(6 + k) * 64 + at] = piece == 1 + k + 6 * (1 - seat)
        for k in range(4):
            out[(12 + k) * 64 + at] = s.castling >> (k + 2 * seat & 3) & 1
        out[16 * 64 + at] = s.en_passant == seen and seen != 0
        out[17 * 64 + at] = s.quiet
        out[18 * 64 + at] = s.turn % 2 == seat


def text(action):
    """The squares, and what a pawn becomes: e2e4, e7e8q."""
    origin, target = origin_of(action), target_of(action)
    squares = "".join(f"{'abcdefgh'[at % 8]}{8 - at // 8}" for at in (origin, target))
    return squares if action < PLAIN else squares + "qrbn"[(action - PLAIN) // 64 % 4]
