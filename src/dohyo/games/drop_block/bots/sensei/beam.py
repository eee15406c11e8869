"""How the sensei finds a way to catch those whose every answer it knows: a beam search over its own letters.

While all others answer as expected, what happens follows from my letters alone. Each letter is tried after each of
the best beginnings so far, the others answer, and the best of what comes of it are the beginnings of the next layer.
What makes one better: somebody fell, the others have few squares left to stand on, and I have many. A little luck is
in it, so that another turn's search finds other ways.

Written flat (see `dohyo.core.flat`), as `plans` is.
"""

from __future__ import annotations

from typing import Any

from plans import ALIVE, LENGTH, OPEN, TRAPPER, answer_as, consider, copy, is_reliable, model_of

from dohyo.core.flat import Layout, flat, index
from dohyo.games.drop_block.rules import ACTIONS, NOTHING, SEATS, over, standing, step
from dohyo.games.drop_block.trapping import freedom, mark_space
from dohyo.sim import below

WIDTH = 100  # beginnings that a layer keeps
TRIED = WIDTH * ACTIONS  # and what may come of them

FELL = 5.0  # what it is worth that somebody fell
SPACE = 4.0  # my freedom: so much is lost, by the squares that I have
CAGE, ALMOST = 6.0, 3.0  # an enemy's: so much is won, by the squares that it has and some more
PREY = 10.0  # an enemy that is caught
LUCK = 0.5
CAUGHT = -100.0  # I am caught: never tried further

NEW, GOING_ON, WON, STUCK = 0, 1, 2, 3
ENOUGH = 0.9 * ALIVE[1]  # what a plan that wins is worth, or more

BEAM = Layout(
    "Beam",
    ("state", "i4", 0),
    ("nodes", "i4", 0),  # beginnings of this layer
    ("layer", "i4", 0),  # letters that they have
    ("worth", "f8", TRIED),  # of what came of them
    ("parent", "i2", TRIED),  # which beginning it came of
    ("last", "i1", TRIED),  # by which letter
    ("origin", "i2", LENGTH * WIDTH),  # by layers: which beginning of the layer before a beginning goes on
    ("letter", "i1", LENGTH * WIDTH),  # and by which letter
)


@flat
def hunt(s: Any, me: int, board: Any, pool: Any, beam: Any, mind: Any) -> None:
    """Search one layer further, or the first when `beam.state` is `NEW`. What is found may become my plan."""
    if beam.state == NEW:
        if mind.worth >= ENOUGH or not is_reliable(s, me, mind):
            beam.state = STUCK
            return
        begin(pool, s, beam)
    mind.doubtful = TRAPPER  # whose way to play is not known is taken for the harder one to catch; plans take both
    beam.state = widen(pool, me, beam, mind)
    consider(s, me, board, mind, False)


@flat
def begin(pool: Any, s: Any, beam: Any) -> None:
    """Begin with the board as it is. `pool` has room for `WIDTH + TRIED` boards, the beginnings first."""
    copy(pool[0], s)
    beam.nodes, beam.layer = 1, 0


@flat
def widen(pool: Any, me: int, beam: Any, mind: Any) -> int:
    """Go on by one layer: `GOING_ON`, `WON` once a way leaves me as the only one, `STUCK` if there is none to go.

    The best way so far is written into `mind.trial` then.
    """
    tried = 0
    for node in range(beam.nodes):
        stunned = pool[node].stun[me] > 0
        for letter in range(ACTIONS):
            if letter == NOTHING or not stunned:
                now = pool[WIDTH + tried]
                copy(now, pool[node])
                answer_all(now, me, letter, mind)
                worth = worth_of_board(now, me, mind)
                beam.parent[tried], beam.last[tried], beam.worth[tried] = node, letter, worth
                if now.row[me] >= 0 and standing(now) == 1:
                    write_down(beam, tried, mind)
                    return WON
                if worth > CAUGHT and not over(now) and not is_known(pool, tried, beam):
                    tried += 1
    if tried == 0:
        return STUCK
    for at in range(tried):
        beam.worth[at] += LUCK * below(mind, 1024) / 1024
    keep(pool, tried, beam, mind)
    return GOING_ON if beam.layer < LENGTH else STUCK


@flat
def answer_all(s: Any, me: int, letter: int, mind: Any) -> None:
    """Play my letter, and what the others answer, up to my next turn or the end."""
    mind.actions[me] = letter
    step(s, mind.actions, None)
    while not over(s) and s.turn % SEATS != me and s.row[me] >= 0:
        p = s.turn % SEATS
        mind.actions[p] = answer_as(model_of(p, mind), s, p, mind)
        step(s, mind.actions, None)


@flat
def worth_of_board(s: Any, me: int, mind: Any) -> float:
    """How good a board before a turn of mine is as a beginning; `CAUGHT` if I can not get away."""
    if s.row[me] < 0:
        return CAUGHT
    for p in range(SEATS):
        mark_space(s, p, mind)
    mine = freedom(s, me, SEATS * s.stun[me], mind.kept, mind)
    if mine == 0:
        return CAUGHT
    worth = FELL * (SEATS - standing(s)) - SPACE / mine
    for p in range(SEATS):
        if p != me and s.row[p] >= 0:
            its = freedom(s, p, (p - s.turn) % SEATS + SEATS * s.stun[p], mind.kept, mind)
            worth += CAGE / (its + ALMOST) + PREY * (its == 0)
    return worth  # type: ignore[no-any-return]


@flat
def is_known(pool: Any, tried: int, beam: Any) -> bool:
    """Whether the last board that came out came out before, by other letters."""
    for at in range(tried):
        if beam.worth[at] == beam.worth[tried]:
            one, other = pool[WIDTH + at], pool[WIDTH + tried]
            same = 0
            for p in range(SEATS):
                same += one.row[p] == other.row[p] and one.column[p] == other.column[p]
                same += one.facing[p] == other.facing[p] and one.stun[p] == other.stun[p]
            if same == 2 * SEATS:
                return True
    return False


@flat
def keep(pool: Any, tried: int, beam: Any, mind: Any) -> None:
    """Make the best of what came out the beginnings of the next layer, and the very best my plan."""
    beam.nodes = 0
    while beam.nodes < min(tried, WIDTH):
        best = 0
        for at in range(tried):
            if beam.worth[at] > beam.worth[best]:
                best = at
        if beam.nodes == 0:
            write_down(beam, best, mind)
        copy(pool[beam.nodes], pool[WIDTH + best])
        place = index(beam.layer, beam.nodes, WIDTH)
        beam.origin[place], beam.letter[place] = beam.parent[best], beam.last[best]
        beam.worth[best] = CAUGHT
        beam.nodes += 1
    beam.layer += 1


@flat
def write_down(beam: Any, tried: int, mind: Any) -> None:
    """Write the letters that led to a board into `mind.trial`; what is behind them stays open."""
    for k in range(LENGTH):
        mind.trial[k] = OPEN
    node, k = beam.parent[tried], beam.layer
    mind.trial[k] = beam.last[tried]
    while k > 0:
        k -= 1
        place = index(k, node, WIDTH)
        mind.trial[k], node = beam.letter[place], beam.origin[place]
