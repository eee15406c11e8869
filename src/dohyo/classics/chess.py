"""Chess: all of it, with draws by threefold repetition, fifty moves, and too little material; also Chess960."""

from dohyo.classics.chess_bitboards import (
    DARK_SQUARES,
    DIRECTIONS,
    KNIGHT_JUMPS,
    PROMOTION_RANKS,
    between,
    jump,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    pawn_attacks_east,
    pawn_attacks_west,
    pushed,
    slide,
)
from dohyo.classics.chess_notation import adjudication, fen, openings, san
from dohyo.classics.chess_notation.chess960 import IS_CHESS960, MAX_CASTLING, ROOK_FILES
from dohyo.core.cheap_random import mixed
from dohyo.core.flat import Layout, bit, count_of, nth_of

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6  # white's; black's are 6 more
# moves from * 64 + to; then promotions: seat * 256 + (queen - piece) * 64 + from file * 8 + to file
PROMOTIONS = 64 * 64
ACTIONS = PROMOTIONS + 512
MAX_HALFMOVES = 100  # plies without a capture or a pawn's move
# Legal moves are bitboards of target squares, one for each group: a target and its group tell which piece moves.
# First come the sliders' groups, by `DIRECTIONS`, then the knights', by `KNIGHT_JUMPS`.
KNIGHT_MOVES, KING_MOVES, PUSH, DOUBLE_PUSH, CAPTURE_WEST, CAPTURE_EAST, GROUPS = 8, 16, 17, 18, 19, 20, 21
LAYOUT = Layout(
    "Chess",
    ("key", "i8", 0),  # Zobrist's, of the board
    ("keys", "i8", MAX_HALFMOVES + 1),  # of the positions since the last capture or pawn's move
    ("sides", "i8", 2),  # bitboards of white's and black's pieces; square 63 is the sign
    ("pieces", "i8", 6),  # bitboards of pawns, knights, bishops, rooks, queens, kings, of both sides
    ("moves", "i8", GROUPS),  # target squares of the legal moves of the side to move, by group
    ("turn", "i2", 0),  # plies
    ("count", "i2", 0),  # how many legal moves there are
    ("halfmove_clock", "i2", 0),  # plies since the last capture or pawn's move
    ("board", "i1", (8, 8)),  # from a8 to h1
    ("kings", "i1", 2),  # where they are
    ("castling", "i4", 0),  # bits: white's short and long, black's short and long; then what Chess960 has besides
    ("en_passant", "i1", 0),  # the square that a pawn has just passed over, if it may be captured there
    ("ended", "i1", 0),
)
SIGNS = {"board": ".PNBRQKpnbrqk"}
PIECES = {"board": " ♙♘♗♖♕♔♟♞♝♜♛♚"}
EDGES = {"board": ("87654321", "abcdefgh")}
CHECKERED = ("board",)
DRAWN = ("turn", "halfmove_clock", "board")
RANGES = {"turn": (0, 20000), "halfmove_clock": (0, 100), "kings": (0, 63), "count": (0, 218)}
RANGES |= {"castling": (0, MAX_CASTLING), "en_passant": (0, 63), "ended": (0, 5)}
MATE, STALEMATE, REPETITION, FIFTY_MOVES, MATERIAL = 1, 2, 3, 4, 5
REASONS = {
    MATE: "checkmate",
    STALEMATE: "stalemate",
    REPETITION: "the same position for the third time",
    FIFTY_MOVES: "fifty moves without a capture or a pawn's move",
    MATERIAL: "neither side can mate",
}
OPTIONS = (*openings.options(lambda: globals()["GAME"]), *adjudication.options())


def start(s, setup, seats):
    """The usual position, or another one, of chess or of Chess960."""
    openings.begin(s, setup, settle)


def draw_setup(setup, seed):
    """The opening of one match."""
    return openings.drawn(setup, seed, globals()["GAME"])


uci = fen.for_engines  # how a UCI engine is told where a match starts
engine_variant = openings.engine_variant  # which variant engines must be told of
xboard_move = san.for_xboard  # how an XBoard engine is told a move of one
adjudicator = adjudication.of_setup  # what ends a match by its engines' scores, if the operator has such a rule


def settle(s):
    """Fill in what follows from the board, the turn, and what may be done; too little material ends it at once."""
    s.key = 0
    for at in range(64):
        piece = s.board[at]
        if piece != 0:
            s.board[at] = 0
            put_piece(s, at, piece)
    generate_moves(s)
    s.keys[s.halfmove_clock] = position_key(s)
    s.ended = MATERIAL if insufficient_material(s) else 0


def zobrist(piece, square):
    """The number, of 62 bits, of a piece on a square, of which a Zobrist key is made."""
    return mixed(piece * 64 + square) << 30 ^ mixed(piece * 64 + square + 5000)


def position_key(s):
    """A number for the position: its board, the side to move, castling rights, and the en passant square."""
    return s.key ^ mixed(9000 + s.castling * 128 + s.en_passant * 2 + s.turn % 2)


def owner(piece):
    """Whose piece it is; -1 for none."""
    return -1 if piece == 0 else 0 if piece <= KING else 1


def type_of(piece):
    """The type of a piece, as white's number."""
    return piece if piece <= KING else piece - 6


# --- legal moves


def sliders(s, seat, direction):
    """A side's queens, and its rooks or bishops: what slides in this direction."""
    return s.sides[seat] & (s.pieces[QUEEN - 1] | s.pieces[(ROOK if direction < 4 else BISHOP) - 1])


def nonslider_checkers(s, seat):
    """Knights and pawns that give check to a side's king."""
    king = bit(s.kings[seat])
    knights = knight_attacks(king) & s.pieces[KNIGHT - 1]
    return s.sides[1 - seat] & (knights | pawn_attacks(king, seat) & s.pieces[PAWN - 1])


def generate_moves(s):
    """Write down all legal moves of the side to move; whether it is in check.

    A pinned piece stays on its line. In check, pieces capture the checker or block it: `check_mask` has the squares.
    An en passant square where nobody may capture is forgotten.
    """
    seat = s.turn % 2
    own, other = s.sides[seat], s.sides[1 - seat]
    king = bit(s.kings[seat])
    empty = ~(own | other)
    attacked = knight_attacks(other & s.pieces[KNIGHT - 1]) | king_attacks(other & s.pieces[KING - 1])
    attacked |= pawn_attacks(other & s.pieces[PAWN - 1], 1 - seat)
    for direction in range(8):
        s.moves[direction] = slide(sliders(s, 1 - seat, direction), empty | king, direction)
        attacked |= s.moves[direction]
    nonsliders = nonslider_checkers(s, seat)
    checkers, check_mask = count_of(nonsliders), nonsliders if nonsliders != 0 else -1
    pinned = 0
    for direction in range(8):
        seen = slide(king, empty, direction)
        if seen & sliders(s, 1 - seat, direction):
            checkers += 1
            check_mask = seen
        pinned_here = seen & own & s.moves[direction ^ 1]
        s.moves[KNIGHT_MOVES + direction] = pinned_here
        pinned |= pinned_here
    if checkers > 1:
        check_mask = 0
    generate_sliders(s, seat, empty, pinned, check_mask & ~own)
    generate_pawns(s, seat, empty, pinned, check_mask)
    knights = own & s.pieces[KNIGHT - 1] & ~pinned
    for which in range(8):
        s.moves[KNIGHT_MOVES + which] = jump(knights, which) & ~own & check_mask
    s.moves[KING_MOVES] = king_attacks(king) & ~own & ~attacked
    if checkers == 0 and s.castling >> 2 * seat & 3:
        generate_castling(s, seat, empty, attacked)
    if s.en_passant != 0:
        generate_en_passant(s, seat, nonsliders)
    s.count = 0
    for group in range(GROUPS):
        s.count += count_in(s, group)
    return checkers > 0


def unpinned(s, pinned, direction):
    """Squares of which no piece is pinned, but along this line: `moves` has the pinned ones, by direction."""
    return ~pinned | s.moves[KNIGHT_MOVES + direction] | s.moves[KNIGHT_MOVES + (direction ^ 1)]


def generate_sliders(s, seat, empty, pinned, allowed):
    """The moves of bishops, rooks and queens."""
    for direction in range(8):
        movable = sliders(s, seat, direction) & unpinned(s, pinned, direction)
        s.moves[direction] = slide(movable, empty, direction) & allowed


def generate_pawns(s, seat, empty, pinned, check_mask):
    """The moves of pawns, but for captures en passant."""
    pawns, other = s.sides[seat] & s.pieces[PAWN - 1], s.sides[1 - seat]
    once = pushed(pawns & unpinned(s, pinned, 0), seat) & empty
    s.moves[PUSH] = once & check_mask
    s.moves[DOUBLE_PUSH] = pushed(once & (0xFF0000 << 24 * (1 - seat)), seat) & empty & check_mask
    west, east = unpinned(s, pinned, 4 if seat == 0 else 6), unpinned(s, pinned, 6 if seat == 0 else 4)
    s.moves[CAPTURE_WEST] = pawn_attacks_west(pawns & west, seat) & other & check_mask
    s.moves[CAPTURE_EAST] = pawn_attacks_east(pawns & east, seat) & other & check_mask


def generate_castling(s, seat, empty, attacked):
    """The king goes two squares towards a rook; what it crosses is empty and not attacked."""
    if s.castling & IS_CHESS960:
        generate_castling_960(s, seat, empty, attacked)
        return
    king, rights = s.kings[seat], s.castling >> 2 * seat
    if rights & 1 and ~empty >> king + 1 & 3 == 0 and attacked >> king + 1 & 3 == 0:
        s.moves[KING_MOVES] |= bit(king + 2)
    if rights & 2 and ~empty >> king - 3 & 7 == 0 and attacked >> king - 2 & 3 == 0:
        s.moves[KING_MOVES] |= bit(king - 2)


def generate_castling_960(s, seat, empty, attacked):
    """The king captures its own rook, and both go where they do in chess, from wherever they stand.

    All that they cross is empty but for themselves, and what the king crosses is not attacked; nor is it where it
    comes to stand once its rook has left.
    """
    king, home = s.kings[seat], 56 * (1 - seat)
    for long in range(2):
        rook = home + rook_file(s, 2 * seat + long)
        if s.castling >> 2 * seat + long & 1:
            king_to, rook_to = home + (2 if long else 6), home + (3 if long else 5)
            left = empty | bit(king) | bit(rook)
            crossed = between(king, king_to)
            if (crossed | between(rook, rook_to)) & ~left == 0 and crossed & attacked == 0:
                left &= ~(bit(king_to) | bit(rook_to))
                seen = slide(bit(king_to), left, 2) | slide(bit(king_to), left, 3)
                if seen & sliders(s, 1 - seat, 2) == 0:
                    s.moves[KING_MOVES] |= bit(rook)


def rook_file(s, right):
    """In Chess960, the file of the rook of a castling right: white's short and long, black's."""
    return s.castling >> ROOK_FILES + 3 * right & 7


def generate_en_passant(s, seat, nonsliders):
    """A pawn captures one that has just made a double push, unless that leaves the king in check.

    If none may, the square is forgotten: positions are the same where the same moves are legal.
    """
    target = bit(s.en_passant)
    passed = pushed(target, 1 - seat)
    pawns = s.sides[seat] & s.pieces[PAWN - 1]
    for group in range(CAPTURE_WEST, CAPTURE_EAST + 1):
        is_west = group == CAPTURE_WEST
        pawn = pawns & (pawn_attacks_east(target, 1 - seat) if is_west else pawn_attacks_west(target, 1 - seat))
        if pawn != 0 and nonsliders & ~passed == 0:
            empty = ~(s.sides[0] | s.sides[1]) ^ pawn ^ passed ^ target
            safe = True
            for direction in range(8):
                if slide(bit(s.kings[seat]), empty, direction) & sliders(s, 1 - seat, direction):
                    safe = False
            if safe:
                s.moves[group] |= target
    if (s.moves[CAPTURE_WEST] | s.moves[CAPTURE_EAST]) & target == 0:
        s.en_passant = 0


def count_in(s, group):
    """How many moves there are in a group: a pawn may be promoted to four pieces."""
    targets = s.moves[group]
    return count_of(targets) + (3 * count_of(targets & PROMOTION_RANKS) if group >= PUSH else 0)


def origin_in(s, seat, group, target):
    """The square of the piece that moves to the target by a move of this group."""
    if group < KNIGHT_MOVES:
        at = target - DIRECTIONS[group]
        while s.board[at] == 0:
            at -= DIRECTIONS[group]
        return at
    if group < KING_MOVES:
        return target - KNIGHT_JUMPS[group - KNIGHT_MOVES]
    if group == KING_MOVES:
        return s.kings[seat]
    if group == CAPTURE_WEST:
        return target + (9 if seat == 0 else -7)
    if group == CAPTURE_EAST:
        return target + (7 if seat == 0 else -9)
    return target + (8 if seat == 0 else -8) * (2 if group == DOUBLE_PUSH else 1)


def action_in(s, seat, group, k):
    """The move at place k of a group: promotions last, those on one square together."""
    targets = s.moves[group]
    if group >= PUSH and targets & PROMOTION_RANKS != 0:
        plain = count_of(targets & ~PROMOTION_RANKS)
        if k >= plain:
            target = nth_of(targets & PROMOTION_RANKS, (k - plain) // 4)
            origin = origin_in(s, seat, group, target)
            return PROMOTIONS + seat * 256 + (k - plain) % 4 * 64 + origin % 8 * 8 + target % 8
        targets &= ~PROMOTION_RANKS
    target = nth_of(targets, k)
    return origin_in(s, seat, group, target) * 64 + target


def count_legal(s, seat, notes):
    """How many moves the seat has."""
    return s.count if s.turn % 2 == seat else 0


def kth_legal(s, seat, k, notes):
    """The move at place k: by group, then by target."""
    group = 0
    found = count_in(s, group)
    while k >= found:
        k -= found
        group += 1
        found = count_in(s, group)
    return action_in(s, seat, group, k)


def legal(s, seat, out):
    """All moves, by group, then by target."""
    count = 0
    if s.turn % 2 == seat:
        for group in range(GROUPS):
            for k in range(count_in(s, group)):
                out[count] = action_in(s, seat, group, k)
                count += 1
    return count


def group_of(s, origin, target):
    """The group of a move of the piece on one square to another square; -1 for none."""
    piece, by = type_of(s.board[origin]), target - origin
    ranks, files = target // 8 - origin // 8, target % 8 - origin % 8
    if piece == PAWN:
        if abs(files) == 1:
            return CAPTURE_EAST if files == 1 else CAPTURE_WEST
        return PUSH if abs(by) == 8 else DOUBLE_PUSH if abs(by) == 16 else -1
    if piece == KING:
        return KING_MOVES
    if piece == KNIGHT:
        for which in range(8):
            if KNIGHT_JUMPS[which] == by:
                return KNIGHT_MOVES + which
        return -1
    if ranks == 0 or files == 0 or abs(ranks) == abs(files):
        for direction in range(8):
            if DIRECTIONS[direction] == 8 * ((ranks > 0) - (ranks < 0)) + (files > 0) - (files < 0):
                return direction
    return -1


def is_legal(s, seat, action):
    """Whether this is a move by the rules, and does not leave the king in check."""
    if action < 0 or action >= ACTIONS or s.turn % 2 != seat:
        return False
    origin, target = origin_of(action), target_of(action)
    if owner(s.board[origin]) != seat:
        return False
    promotes = type_of(s.board[origin]) == PAWN and (target < 8 or target >= 56)
    if promotes != (action >= PROMOTIONS) or (promotes and (action - PROMOTIONS) // 256 != seat):
        return False
    group = group_of(s, origin, target)
    return group >= 0 and s.moves[group] >> target & 1 == 1 and origin_in(s, seat, group, target) == origin


def origin_of(action):
    """The square from which a move goes."""
    if action < PROMOTIONS:
        return action // 64
    return (8 if action < PROMOTIONS + 256 else 48) + (action - PROMOTIONS) // 8 % 8


def target_of(action):
    """The square to which a move goes."""
    if action < PROMOTIONS:
        return action % 64
    return (0 if action < PROMOTIONS + 256 else 56) + action % 8


# --- a turn


def put_piece(s, square, piece):
    """Put a piece on a square, or none."""
    before = s.board[square]
    if before != 0:
        s.key ^= zobrist(before, square)
        s.sides[owner(before)] ^= bit(square)
        s.pieces[type_of(before) - 1] ^= bit(square)
    s.board[square] = piece
    if piece != 0:
        s.key ^= zobrist(piece, square)
        s.sides[owner(piece)] |= bit(square)
        s.pieces[type_of(piece) - 1] |= bit(square)
        if type_of(piece) == KING:
            s.kings[owner(piece)] = square


def lost_rights(square):
    """The castling rights that are lost when a piece has left this square, or was captured there."""
    if square == 60:
        return 3
    if square == 4:
        return 12
    return 1 if square == 63 else 2 if square == 56 else 4 if square == 7 else 8 if square == 0 else 0


def lost_rights_960(s, square):
    """In Chess960, the rights that are lost with a rook that has left this square, or was captured there."""
    lost = 0
    for right in range(4):
        if square == rook_file(s, right) + (56 if right < 2 else 0):
            lost |= 1 << right
    return lost


def castle_960(s, seat, origin, target):
    """The king and the rook that it captures go where they do in chess."""
    home, is_short = 56 * (1 - seat), target > origin
    put_piece(s, origin, 0)
    put_piece(s, target, 0)
    put_piece(s, home + (6 if is_short else 2), KING + 6 * seat)
    put_piece(s, home + (5 if is_short else 3), ROOK + 6 * seat)


def make_move(s, seat, action):
    """Move the pieces; whether that was a capture or a pawn's move."""
    origin, target = origin_of(action), target_of(action)
    piece = s.board[origin]
    moved = type_of(piece)
    if s.castling & IS_CHESS960:
        s.castling &= ~(lost_rights_960(s, origin) | lost_rights_960(s, target))
        if moved == KING:
            s.castling &= ~(3 << 2 * seat)
            if owner(s.board[target]) == seat:
                castle_960(s, seat, origin, target)
                s.en_passant = 0
                return False
    is_zeroing = moved == PAWN or s.board[target] != 0
    if moved == PAWN and target == s.en_passant and target != 0 and origin % 8 != target % 8:
        put_piece(s, origin // 8 * 8 + target % 8, 0)
    put_piece(s, origin, 0)
    if action >= PROMOTIONS:
        piece = QUEEN - (action - PROMOTIONS) // 64 % 4 + 6 * seat
    put_piece(s, target, piece)
    s.en_passant = 0
    if moved == KING:  # in Chess960 it never goes two squares
        if target - origin == 2:
            put_piece(s, target + 1, 0)
            put_piece(s, target - 1, ROOK + 6 * seat)
        elif target - origin == -2:
            put_piece(s, target - 2, 0)
            put_piece(s, target + 1, ROOK + 6 * seat)
    elif moved == PAWN and abs(target - origin) == 16:
        other = PAWN + 6 * (1 - seat)
        file = target % 8
        if (file > 0 and s.board[target - 1] == other) or (file < 7 and s.board[target + 1] == other):
            s.en_passant = (origin + target) // 2
    if s.castling & IS_CHESS960 == 0:
        s.castling &= ~(lost_rights(origin) | lost_rights(target))
    return is_zeroing


def insufficient_material(s):
    """Whether there are, beside the kings, only one knight, or bishops on squares of one colour, or nothing."""
    if s.pieces[PAWN - 1] | s.pieces[ROOK - 1] | s.pieces[QUEEN - 1]:
        return False
    knights, bishops = s.pieces[KNIGHT - 1], s.pieces[BISHOP - 1]
    if bishops == 0:
        return count_of(knights) <= 1
    return knights == 0 and (bishops & DARK_SQUARES == 0 or bishops & ~DARK_SQUARES == 0)


def step(s, actions, events):
    """Play a move, and see whether the match ends with it."""
    seat = s.turn % 2
    is_zeroing = make_move(s, seat, actions[seat])
    s.turn += 1
    s.halfmove_clock = 0 if is_zeroing else s.halfmove_clock + 1
    is_check = generate_moves(s)  # before the key, which has the square of a pawn that may be captured en passant
    s.keys[s.halfmove_clock] = position_key(s)
    if s.count == 0:
        s.ended = MATE if is_check else STALEMATE
    elif s.halfmove_clock >= MAX_HALFMOVES:
        s.ended = FIFTY_MOVES
    elif is_zeroing and insufficient_material(s):
        s.ended = MATERIAL
    elif s.halfmove_clock >= 8:
        times = 0
        for ago in range(4, s.halfmove_clock + 1, 2):
            if s.keys[s.halfmove_clock - ago] == s.keys[s.halfmove_clock]:
                times += 1
        if times >= 2:
            s.ended = REPETITION


def winner(s):
    """Who has mated, or nobody."""
    return 1 - s.turn % 2 if s.ended == MATE else -1


def text(action):
    """The squares, and what a pawn is promoted to: e2e4, e7e8q."""
    origin, target = origin_of(action), target_of(action)
    squares = "".join(f"{'abcdefgh'[at % 8]}{8 - at // 8}" for at in (origin, target))
    return squares if action < PROMOTIONS else squares + "qrbn"[(action - PROMOTIONS) // 64 % 4]


def meant(s, word):
    """The move that a word in algebraic notation means: e2e4 for e4."""
    return "" if (action := san.read(globals()["GAME"], s, word)) is None else text(action)


def pgn(replay):
    """A match as others read it."""
    from dohyo.classics.chess_notation.pgn import pgn

    return pgn(globals()["GAME"], replay)
