"""Why an action is not legal: a reason for each number that the rules refuse, and for no other."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dohyo import games
from dohyo.core.faults import FaultKind
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.wondev_woman import GAME
from dohyo.games.wondev_woman.protocol import ACTION_OF
from dohyo.i18n import Message
from tests.told import detail

FULL = "/".join(["0123012"] * 7)  # up to the board's corners, where a step leads out of every row
REASONS = 17


def begun(seed: int, **setup: object) -> Referee:
    """A match before its first turn."""
    return Referee(GAME, resolve(GAME.options, setup, GAME.catalogue), 2, seed)


def test_there_is_a_reason_exactly_where_the_rules_refuse() -> None:
    """Over every number in the positions of random matches, in every league; every reason occurs."""
    found: Counter[str] = Counter()
    for seed, league in enumerate(("wood3", "wood2", "wood1", "bronze") * 2):
        referee = begun(seed, league=league, **({"grid": FULL} if seed < 4 else {}))
        chooser = random.Random(seed)
        while not referee.over:
            (seat,) = referee.pending()
            for action in set(range(-1, GAME.rules.ACTIONS + 1)).difference(GAME.rules.CONCESSIONS):
                why: Message | None = GAME.why_illegal(referee.state, seat, action)  # type: ignore[assignment]
                assert (why is None) == GAME.rules.is_legal(referee.state, seat, action), action
                if why is not None:
                    found[why.key] += 1
            action = chooser.choice(list(GAME.legal_actions(referee.state, seat)))
            referee.submit({seat: Answer(GAME.protocol.text(action))})
    assert len(found) == REASONS
    assert {key for key in GAME.catalogue["en"] if key in found} == set(found)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("MOVE&BUILD 0 SE N", "the cell SE of unit 0 has height 2, and it stands on 0: one level up is the most"),
        ("MOVE&BUILD 0 N S", "there is no cell N of unit 0"),
        ("MOVE&BUILD 0 E E", "after the move E, a unit stands E of unit 0, where it would build"),
        ("MOVE&BUILD 1 E NE", "after the move E, there is no cell NE of unit 1 to build on"),
        ("MOVE&BUILD 0 S S", "after the move S, the cell S of unit 0 has height 4 and is out of play"),
        ("PUSH&BUILD 0 E E", "no enemy stands E of unit 0"),
        ("PUSH&BUILD 1 S N", "an enemy S of a unit is pushed S, SE, SW, not N"),
        (
            "PUSH&BUILD 1 S S",
            "the cell S of the enemy that unit 1 would push has height 3, and the enemy stands on 0: ",
        ),
    ],
)
def test_the_sentence_says_what_is_in_the_way(line: str, why: str) -> None:
    """The fault has the action as a bot writes it, and what on the board forbids it."""
    referee = begun(1, grid="00000/02000/40300/00000/00000", units="0,0/2,0/2,1/4,4", league="wood1")
    (move,) = referee.submit({0: Answer(line)}).moves
    (fault,) = move.faults
    assert fault.kind is FaultKind.ILLEGAL
    assert detail(fault, own=GAME.catalogue).startswith(f"{line}: {why}")


def test_an_enemy_in_the_fog_is_no_reason() -> None:
    """Who is not seen forbids nothing, and is not told of."""
    referee = begun(1, grid="00000/00000/00000/00000/00000", units="0,0/0,1/2,0/4,4", league="bronze")
    assert GAME.why_illegal(referee.state, 0, ACTION_OF["MOVE&BUILD 0 E E"]) is None


def test_what_can_be_illegal_in_our_games_has_a_reason() -> None:
    """In the other three whatever can be read can be played; what cannot be read has its sentence already."""
    for name in ("drop-block", "shoot-em-up", "abotcalypse"):
        game = games.find(name)
        referee = Referee(game, resolve(game.options, {}, game.catalogue), max(game.seats[0], 2), 1)
        for line in ("", "X", "9", "S 0 0", "M 2 2", "MOVE UP UP", "throw", "U"):
            for seat in referee.pending():
                read = game.protocol.parse(line, referee.state, seat)
                assert not isinstance(read, int) or read in (
                    *game.legal_actions(referee.state, seat),
                    *game.rules.CONCESSIONS,
                )
                assert isinstance(read, int) or read.code
