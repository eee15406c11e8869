"""Laws of dice: what they may show can be counted, and is what they show."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from dohyo.core.chance import Dice
from dohyo.core.errors import OperatorError
from dohyo.core.flat import row_of
from dohyo.core.game import Chance, Game, State
from dohyo.laws.matches import MAX_TURNS, seat_counts, setups
from dohyo.laws.tally import Tally

COUNTED = 25  # states whose dice are counted
MATCHES = 30  # that they are taken from, at most
PER_MATCH = 3  # of them, at least: what comes first may be too much to be counted
ROLLS = 50  # that are made in each of these states
MAX_OUTCOMES = 1000  # with more, a state's dice are passed over
UNMARKED = "its dice were not counted: the roll draws by a function without the mark @draws of dohyo.core.flat"
MAX_PASSED = 3  # states that are passed over: each takes a second


def what_dice_show_is_among_what_was_counted(game: Game, tally: Tally) -> None:
    """The probabilities of what dice may show are above 0, their sum is exactly 1, and each roll is one of them.

    To roll changes nothing of the state. What dice may show is passed over where it is too much to be counted, or
    where the roll draws by an unmarked function of the game's own: no match needs the count.
    """
    if game.chance is Chance.NEVER:
        tally.note = "there are no dice"
        return
    dice, pack = Dice(game, MAX_OUTCOMES), game.rules.LAYOUT.pack
    row, source = row_of(game.rules.DICE), game.source(1)
    for state in rolled(game, tally):
        before = pack(state)
        shown = counted(dice, state, tally)
        for _ in range(ROLLS):
            count = game.rules.roll(state, source, row)
            assert shown is None or tuple(row[:count]) in shown, f"{row[:count]} was rolled, and not counted"
            assert pack(state) == before, "a roll has changed the state"
            tally["rolls"] += 1
        if tally["uncounted"] >= MAX_PASSED:
            break
    tally.reach(rolls=ROLLS)


def counted(dice: Dice, state: State, tally: Tally) -> set[tuple[int, ...]] | None:
    """What dice may show in a state, held to the law; none where it cannot be counted, which is noted."""
    try:
        outcomes = dice.outcomes(state)
    except OperatorError as error:
        if error.key == "chance-unmarked":
            tally.note = UNMARKED
        elif error.key == "chance-too-many":
            tally["uncounted"] += 1
        else:
            raise AssertionError(str(error)) from error
        return None
    assert sum(each.probability for each in outcomes) == 1
    assert all(each.probability > 0 for each in outcomes)
    shown = [each.dice for each in outcomes]
    assert shown == sorted(set(shown)), "an outcome is listed twice"
    tally["counted"] += 1
    return set(shown)


def rolled(game: Game, tally: Tally) -> Iterator[State]:
    """States of random matches in which the dice move next."""
    kinds, rules = list(itertools.product(setups(game), seat_counts(game))), game.rules
    found, wanted = 0, COUNTED * tally.part
    for seed in range(max(len(kinds), int(MATCHES * tally.part))):
        (setup, seats), chooser, source = kinds[seed % len(kinds)], random.Random(seed), game.source(seed)
        state, dice = game.new_state(setup, seats), row_of(rules.DICE)
        tally["matches"] += 1
        enough = found + max(PER_MATCH, wanted / len(kinds))
        for turn in range(MAX_TURNS):
            if rules.needs_dice(state):
                yield state
                found += 1
                source.turn, source.draw = turn, 0
                rules.roll(state, source, dice)
                rules.deal(state, dice, None)
            if rules.over(state) or found >= enough:
                break
            actions = row_of(seats)
            for seat in game.acting(state, seats):
                actions[seat] = chooser.choice(game.legal_actions(state, seat) or rules.CONCESSIONS)
            rules.step(state, actions, None)
        if seed + 1 >= len(kinds) and found >= wanted:
            break
