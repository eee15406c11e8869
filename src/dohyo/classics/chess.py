"""Chess: all of it, with draws by threefold repetition, fifty moves, and too little material; also Chess960."""

from dohyo.classics.chess_notation import adjudication, fen, openings, san
from dohyo.classics.chess_notation.chess960 import COLUMNS, IS_CHESS960, MOST_CASTLING
from dohyo.core.cheap_random import mixed
from dohyo.core.flat import Layout, bit, count_of, nth_of, shifted_down, shifted_up

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6  # white's; black's are 6 more
# moves from * 64 + to; then promotions: seat * 256 + (queen - piece) * 64 + from column * 8 + to column
PLAIN = 64 * 64
ACTIONS = PLAIN + 512
FIFTY = 100  # turns without a capture or a pawn's move
# Legal moves are sets of target squares, one for each way to go: a target and its way tell which piece goes there.
KNIGHTS, KINGS, PUSH, JUMP, WEST, EAST, WAYS = 8, 16, 17, 18, 19, 20, 21  # the first eight: lines, as in STEP
VERSION = 3
LAYOUT = Layout(
    "Chess",
    ("key", "i8", 0),  # of the position
    ("keys", "i8", FIFTY + 1),  # of those since the last capture or pawn's move
    ("sides", "i8", 2),  # squares of each seat's pieces; square 63 is the sign
    ("kinds", "i8", 6),  # squares of pawns, knights, bishops, rooks, queens, kings, of both seats
    ("moves", "i8", WAYS),  # where the seat that is to move may go, by the way there
    ("turn", "i2", 0),
    ("count", "i2", 0),  # how many legal moves there are
    ("quiet", "i2", 0),  # turns since then
    ("board", "i1", (8, 8)),  # from a8 to h1
    ("kings", "i1", 2),  # where they are
    ("castling", "i4", 0),  # bits: white's short and long, black's short and long; then what Chess960 has besides
    ("en_passant", "i1", 0),  # the square that a pawn has just jumped over, if it is legal to take it there
    ("ended", "i1", 0),
)
SIGNS = {"board": ".PNBRQKpnbrqk"}
PIECES = {"board": " ♙♘♗♖♕♔♟♞♝♜♛♚"}
EDGES = {"board": ("87654321", "abcdefgh")}
DRAWN = ("turn", "quiet", "board")
RANGES = {"turn": (0, 20000), "quiet": (0, 100), "kings": (0, 63), "count": (0, 218)}
RANGES |= {"castling": (0, MOST_CASTLING), "en_passant": (0, 63), "ended": (0, 5)}
MATE, STALEMATE, REPETITION, FIFTY_MOVES, MATERIAL = 1, 2, 3, 4, 5
REASONS = {
    MATE: "checkmate",
    STALEMATE: "stalemate",
    REPETITION: "the same position for the third time",
    FIFTY_MOVES: "fifty moves without a capture or a pawn's move",
    MATERIAL: "neither side can mate",
}
OPTIONS = (*openings.options(lambda: globals()["GAME"]), *adjudication.options())
STEP = (-8, 8, -1, 1, -9, 9, -7, 7)  # squares are numbered by rows from a8; each odd way is the one before it, back
LEAP = (-17, 17, -15, 15, -10, 10, -6, 6)  # a knight's
NOT_A, NOT_H = ~0x0101010101010101, 0x7F7F7F7F7F7F7F7F
NOT_AB, NOT_GH = NOT_A << 1 & NOT_A, 0x3F3F3F3F3F3F3F3F
DARK = 0x55AA55AA55AA55AA
LAST = 0xFF | -1 << 56  # the rows where pawns are promoted


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
            put(s, at, piece)
    find_moves(s)
    s.keys[s.quiet] = whole_key(s)
    s.ended = MATERIAL if cannot_mate(s) else 0


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


# --- sets of squares


def line_up(pieces, empty, by, inside):
    """What pieces see to the next one, it included, in a way that goes to higher squares.

    `inside` are the squares on which a step does not end beyond the other edge.
    """
    empty &= inside
    pieces |= empty & shifted_up(pieces, by)
    empty &= shifted_up(empty, by)
    pieces |= empty & shifted_up(pieces, 2 * by)
    empty &= shifted_up(empty, 2 * by)
    pieces |= empty & shifted_up(pieces, 4 * by)
    return shifted_up(pieces, by) & inside


def line_down(pieces, empty, by, inside):
    """The same in a way to lower squares."""
    empty &= inside
    pieces |= empty & shifted_down(pieces, by)
    empty &= shifted_down(empty, by)
    pieces |= empty & shifted_down(pieces, 2 * by)
    empty &= shifted_down(empty, 2 * by)
    pieces |= empty & shifted_down(pieces, 4 * by)
    return shifted_down(pieces, by) & inside


def line(pieces, empty, way):
    """What pieces see in this way."""
    if way == 0:
        return line_down(pieces, empty, 8, -1)
    if way == 1:
        return line_up(pieces, empty, 8, -1)
    if way == 2:
        return line_down(pieces, empty, 1, NOT_H)
    if way == 3:
        return line_up(pieces, empty, 1, NOT_A)
    if way == 4:
        return line_down(pieces, empty, 9, NOT_H)
    if way == 5:
        return line_up(pieces, empty, 9, NOT_A)
    if way == 6:
        return line_down(pieces, empty, 7, NOT_A)
    return line_up(pieces, empty, 7, NOT_H)


def leap(knights, way):
    """Where knights come in this way."""
    if way == 0:
        return shifted_down(knights, 17) & NOT_H
    if way == 1:
        return shifted_up(knights, 17) & NOT_A
    if way == 2:
        return shifted_down(knights, 15) & NOT_A
    if way == 3:
        return shifted_up(knights, 15) & NOT_H
    if way == 4:
        return shifted_down(knights, 10) & NOT_GH
    if way == 5:
        return shifted_up(knights, 10) & NOT_AB
    if way == 6:
        return shifted_down(knights, 6) & NOT_AB
    return shifted_up(knights, 6) & NOT_GH


def leaps(knights):
    """Where knights come."""
    found = 0
    for way in range(8):
        found |= leap(knights, way)
    return found


def steps(king):
    """The squares around."""
    row = king | shifted_down(king, 1) & NOT_H | shifted_up(king, 1) & NOT_A
    return (row | shifted_down(row, 8) | shifted_up(row, 8)) & ~king


def takes_west(pawns, seat):
    """Where a seat's pawns take, to the left of the board."""
    return (shifted_down(pawns, 9) if seat == 0 else shifted_up(pawns, 7)) & NOT_H


def takes_east(pawns, seat):
    """Where they take to the right."""
    return (shifted_down(pawns, 7) if seat == 0 else shifted_up(pawns, 9)) & NOT_A


def forward(pawns, seat):
    """The squares before a seat's pawns."""
    return shifted_down(pawns, 8) if seat == 0 else shifted_up(pawns, 8)


# --- legal moves


def sliders(s, seat, way):
    """The seat's pieces that go in lines of this way."""
    return s.sides[seat] & (s.kinds[QUEEN - 1] | s.kinds[(ROOK if way < 4 else BISHOP) - 1])


def near_checks(s, seat):
    """Knights and pawns that attack the seat's king."""
    king = bit(s.kings[seat])
    pawns = takes_west(king, seat) | takes_east(king, seat)
    return s.sides[1 - seat] & (leaps(king) & s.kinds[KNIGHT - 1] | pawns & s.kinds[PAWN - 1])


def find_moves(s):
    """Write down all legal moves of the seat that is to move; whether its king is attacked.

    A piece between its king and an attacker stays in that line. Out of check, pieces go between or take the attacker.
    The square of a pawn that nobody may take in passing is forgotten.
    """
    seat = s.turn % 2
    own, other = s.sides[seat], s.sides[1 - seat]
    king = bit(s.kings[seat])
    empty = ~(own | other)
    danger = leaps(other & s.kinds[KNIGHT - 1]) | steps(other & s.kinds[KING - 1])
    danger |= takes_west(other & s.kinds[PAWN - 1], 1 - seat) | takes_east(other & s.kinds[PAWN - 1], 1 - seat)
    for way in range(8):
        s.moves[way] = line(sliders(s, 1 - seat, way), empty | king, way)
        danger |= s.moves[way]
    near = near_checks(s, seat)
    checks, answers = count_of(near), near if near != 0 else -1
    pinned = 0
    for way in range(8):
        seen = line(king, empty, way)
        if seen & sliders(s, 1 - seat, way):
            checks += 1
            answers = seen
        held = seen & own & s.moves[way ^ 1]
        s.moves[KNIGHTS + way] = held
        pinned |= held
    if checks > 1:
        answers = 0
    find_lines(s, seat, empty, pinned, answers & ~own)
    find_pawns(s, seat, empty, pinned, answers)
    knights = own & s.kinds[KNIGHT - 1] & ~pinned
    for way in range(8):
        s.moves[KNIGHTS + way] = leap(knights, way) & ~own & answers
    s.moves[KINGS] = steps(king) & ~own & ~danger
    if checks == 0 and s.castling >> 2 * seat & 3:
        find_castling(s, seat, empty, danger)
    if s.en_passant != 0:
        find_passing(s, seat, near)
    s.count = 0
    for way in range(WAYS):
        s.count += count_in(s, way)
    return checks > 0


def free_in(s, pinned, way):
    """Squares of which no piece is held away from this way or its opposite: `moves` has those held, by the way."""
    return ~pinned | s.moves[KNIGHTS + way] | s.moves[KNIGHTS + (way ^ 1)]


def find_lines(s, seat, empty, pinned, allowed):
    """The moves of bishops, rooks and queens."""
    for way in range(8):
        s.moves[way] = line(sliders(s, seat, way) & free_in(s, pinned, way), empty, way) & allowed


def find_pawns(s, seat, empty, pinned, answers):
    """The moves of pawns, but for taking in passing."""
    pawns, other = s.sides[seat] & s.kinds[PAWN - 1], s.sides[1 - seat]
    pushed = forward(pawns & free_in(s, pinned, 0), seat) & empty
    s.moves[PUSH] = pushed & answers
    s.moves[JUMP] = forward(pushed & (0xFF0000 << 24 * (1 - seat)), seat) & empty & answers
    s.moves[WEST] = takes_west(pawns & free_in(s, pinned, 4 if seat == 0 else 6), seat) & other & answers
    s.moves[EAST] = takes_east(pawns & free_in(s, pinned, 6 if seat == 0 else 4), seat) & other & answers


def find_castling(s, seat, empty, danger):
    """The king goes two squares towards a rook; what it crosses is empty and not attacked."""
    if s.castling & IS_CHESS960:
        find_castling_960(s, seat, empty, danger)
        return
    king, rights = s.kings[seat], s.castling >> 2 * seat
    if rights & 1 and ~empty >> king + 1 & 3 == 0 and danger >> king + 1 & 3 == 0:
        s.moves[KINGS] |= bit(king + 2)
    if rights & 2 and ~empty >> king - 3 & 7 == 0 and danger >> king - 2 & 3 == 0:
        s.moves[KINGS] |= bit(king - 2)


def find_castling_960(s, seat, empty, danger):
    """The king takes its own rook, and both go where they do in chess, from wherever they stand.

    All that they cross is empty but for themselves, and what the king crosses is not attacked; nor is it where it
    comes to stand once its rook has left.
    """
    king, home = s.kings[seat], 56 * (1 - seat)
    for long in range(2):
        rook = home + rook_column(s, 2 * seat + long)
        if s.castling >> 2 * seat + long & 1:
            king_to, rook_to = home + (2 if long else 6), home + (3 if long else 5)
            left = empty | bit(king) | bit(rook)
            crossed = between(king, king_to)
            if (crossed | between(rook, rook_to)) & ~left == 0 and crossed & danger == 0:
                left &= ~(bit(king_to) | bit(rook_to))
                seen = line(bit(king_to), left, 2) | line(bit(king_to), left, 3)
                if seen & sliders(s, 1 - seat, 2) == 0:
                    s.moves[KINGS] |= bit(rook)


def rook_column(s, right):
    """In Chess960, in which column the rook of a right to castle stands: white's short and long, black's."""
    return s.castling >> COLUMNS + 3 * right & 7


def between(one, other):
    """The squares from one to another of the same row, both included."""
    far = abs(one - other)
    return shifted_up(255 >> (7 - far), min(one, other))


def find_passing(s, seat, near):
    """A pawn takes one that has just jumped, unless that leaves the king attacked.

    If none may, the square is forgotten: positions are the same where the same moves are legal.
    """
    target = bit(s.en_passant)
    passed = forward(target, 1 - seat)
    pawns = s.sides[seat] & s.kinds[PAWN - 1]
    for way in range(WEST, EAST + 1):
        pawn = pawns & (takes_east(target, 1 - seat) if way == WEST else takes_west(target, 1 - seat))
        if pawn != 0 and near & ~passed == 0:
            empty = ~(s.sides[0] | s.sides[1]) ^ pawn ^ passed ^ target
            safe = True
            for d in range(8):
                if line(bit(s.kings[seat]), empty, d) & sliders(s, 1 - seat, d):
                    safe = False
            if safe:
                s.moves[way] |= target
    if (s.moves[WEST] | s.moves[EAST]) & target == 0:
        s.en_passant = 0


def count_in(s, way):
    """How many moves there are in this way: a pawn may become four things."""
    targets = s.moves[way]
    return count_of(targets) + (3 * count_of(targets & LAST) if way >= PUSH else 0)


def origin_in(s, seat, way, target):
    """The square of the piece that goes to the target in this way."""
    if way < KNIGHTS:
        at = target - STEP[way]
        while s.board[at] == 0:
            at -= STEP[way]
        return at
    if way < KINGS:
        return target - LEAP[way - KNIGHTS]
    if way == KINGS:
        return s.kings[seat]
    if way == WEST:
        return target + (9 if seat == 0 else -7)
    if way == EAST:
        return target + (7 if seat == 0 else -9)
    return target + (8 if seat == 0 else -8) * (2 if way == JUMP else 1)


def action_in(s, seat, way, k):
    """The move at place k of this way: promotions last, those to one square together."""
    targets = s.moves[way]
    if way >= PUSH and targets & LAST != 0:
        plain = count_of(targets & ~LAST)
        if k >= plain:
            target = nth_of(targets & LAST, (k - plain) // 4)
            origin = origin_in(s, seat, way, target)
            return PLAIN + seat * 256 + (k - plain) % 4 * 64 + origin % 8 * 8 + target % 8
        targets &= ~LAST
    target = nth_of(targets, k)
    return origin_in(s, seat, way, target) * 64 + target


def count_legal(s, seat, notes):
    """How many moves the seat has."""
    return s.count if s.turn % 2 == seat else 0


def kth_legal(s, seat, k, notes):
    """The move at place k: by the way, then by the target."""
    way = 0
    found = count_in(s, way)
    while k >= found:
        k -= found
        way += 1
        found = count_in(s, way)
    return action_in(s, seat, way, k)


def legal(s, seat, out):
    """All moves, by the way, then by the target."""
    count = 0
    if s.turn % 2 == seat:
        for way in range(WAYS):
            for k in range(count_in(s, way)):
                out[count] = action_in(s, seat, way, k)
                count += 1
    return count


def way_of(s, origin, target):
    """The way from one square to another of the piece that stands on the first; -1 for none."""
    kind, by = kind_of(s.board[origin]), target - origin
    if kind == PAWN:
        far, right = abs(by), target % 8 - origin % 8
        return WEST if right == -1 else EAST if right == 1 else PUSH if far == 8 else JUMP if far == 16 else -1
    if kind == KING:
        return KINGS
    if kind == KNIGHT:
        for k in range(8):
            if LEAP[k] == by:
                return KNIGHTS + k
        return -1
    down, right = target // 8 - origin // 8, target % 8 - origin % 8
    if down == 0 or right == 0 or abs(down) == abs(right):
        for way in range(8):
            if STEP[way] == 8 * ((down > 0) - (down < 0)) + (right > 0) - (right < 0):
                return way
    return -1


def is_legal(s, seat, action):
    """Whether this is a move by the rules, and does not leave the king attacked."""
    if action < 0 or action >= ACTIONS or s.turn % 2 != seat:
        return False
    origin, target = origin_of(action), target_of(action)
    if owner(s.board[origin]) != seat:
        return False
    promotes = kind_of(s.board[origin]) == PAWN and (target < 8 or target >= 56)
    if promotes != (action >= PLAIN) or (promotes and (action - PLAIN) // 256 != seat):
        return False
    way = way_of(s, origin, target)
    return way >= 0 and s.moves[way] >> target & 1 == 1 and origin_in(s, seat, way, target) == origin


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


# --- a turn


def put(s, square, piece):
    """Put a piece on a square, or none."""
    before = s.board[square]
    if before != 0:
        s.key ^= key_of(before, square)
        s.sides[owner(before)] ^= bit(square)
        s.kinds[kind_of(before) - 1] ^= bit(square)
    s.board[square] = piece
    if piece != 0:
        s.key ^= key_of(piece, square)
        s.sides[owner(piece)] |= bit(square)
        s.kinds[kind_of(piece) - 1] |= bit(square)
        if kind_of(piece) == KING:
            s.kings[owner(piece)] = square


def lost_castling(square):
    """What nobody may do any more when a piece has left this square, or was taken there."""
    if square == 60:
        return 3
    if square == 4:
        return 12
    return 1 if square == 63 else 2 if square == 56 else 4 if square == 7 else 8 if square == 0 else 0


def lost_castling_960(s, square):
    """The same in Chess960, but for what a king has lost that has moved."""
    lost = 0
    for right in range(4):
        if square == rook_column(s, right) + (56 if right < 2 else 0):
            lost |= 1 << right
    return lost


def castle_960(s, seat, origin, target):
    """The king and the rook that it takes go where they do in chess."""
    home, is_short = 56 * (1 - seat), target > origin
    put(s, origin, 0)
    put(s, target, 0)
    put(s, home + (6 if is_short else 2), KING + 6 * seat)
    put(s, home + (5 if is_short else 3), ROOK + 6 * seat)


def move(s, seat, action):
    """Move the pieces; whether that was a capture or a pawn's move."""
    origin, target = origin_of(action), target_of(action)
    piece = s.board[origin]
    kind = kind_of(piece)
    if s.castling & IS_CHESS960:
        s.castling &= ~(lost_castling_960(s, origin) | lost_castling_960(s, target))
        if kind == KING:
            s.castling &= ~(3 << 2 * seat)
            if owner(s.board[target]) == seat:
                castle_960(s, seat, origin, target)
                s.en_passant = 0
                return False
    changes = kind == PAWN or s.board[target] != 0
    if kind == PAWN and target == s.en_passant and target != 0 and origin % 8 != target % 8:
        put(s, origin // 8 * 8 + target % 8, 0)
    put(s, origin, 0)
    if action >= PLAIN:
        piece = QUEEN - (action - PLAIN) // 64 % 4 + 6 * seat
    put(s, target, piece)
    s.en_passant = 0
    if kind == KING:  # in Chess960 it never goes two squares
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
    if s.castling & IS_CHESS960 == 0:
        s.castling &= ~(lost_castling(origin) | lost_castling(target))
    return changes


def cannot_mate(s):
    """Whether there are, beside the kings, only one knight, or bishops on squares of one colour, or nothing."""
    if s.kinds[PAWN - 1] | s.kinds[ROOK - 1] | s.kinds[QUEEN - 1]:
        return False
    knights, bishops = s.kinds[KNIGHT - 1], s.kinds[BISHOP - 1]
    if bishops == 0:
        return count_of(knights) <= 1
    return knights == 0 and (bishops & DARK == 0 or bishops & ~DARK == 0)


def step(s, actions, events):
    """Play a move, and see whether the match ends with it."""
    seat = s.turn % 2
    changes = move(s, seat, actions[seat])
    s.turn += 1
    s.quiet = 0 if changes else s.quiet + 1
    check = find_moves(s)  # before the key, which has the square of a pawn that may be taken in passing
    s.keys[s.quiet] = whole_key(s)
    if s.count == 0:
        s.ended = MATE if check else STALEMATE
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


def text(action):
    """The squares, and what a pawn becomes: e2e4, e7e8q."""
    origin, target = origin_of(action), target_of(action)
    squares = "".join(f"{'abcdefgh'[at % 8]}{8 - at // 8}" for at in (origin, target))
    return squares if action < PLAIN else squares + "qrbn"[(action - PLAIN) // 64 % 4]


def meant(s, word):
    """The move that a word in algebraic notation means: e2e4 for e4."""
    return "" if (action := san.read(globals()["GAME"], s, word)) is None else text(action)


def pgn(replay):
    """A match as others read it."""
    from dohyo.classics.chess_notation.pgn import pgn

    return pgn(globals()["GAME"], replay)
