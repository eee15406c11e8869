"""What is tried: one action that holds what all others give away, said twice; never what chance could say."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

import pytest

from dohyo import games
from dohyo.core.playback import moments
from dohyo.guests.puzzles.trying import PAIRS, Proposal, Proposer, Trying
from dohyo.series.branches import Branch, End
from tests.laws import matches

GAME = games.find("backgammon")
Chance = Callable[[Branch], float]


class Fixed:
    """Plays on by a chance: with which seat 0 wins after a branch."""

    names = "fixed", "fixed"
    error = ""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.played = 0

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """How each ends."""
        self.played += len(branches)
        won = [float(random.Random(one.seed).random() < self.chance(one)) for one in branches]
        return [End((one, 1 - one), str(at)) for at, one in enumerate(won)]


@pytest.fixture(scope="module")
def proposal() -> Proposal:
    """A decision of seat 0 with three actions and more."""
    replay = matches.play(GAME, 3).replay
    for moment in moments(GAME, replay):
        if moment.turn.moves and moment.actions[0] is not None:
            legal = list(GAME.legal_actions(moment.before, 0))
            if 3 <= len(legal) <= 12:
                return Proposal(moment, 0, legal[0], 0.5, [moment.before])
    raise AssertionError


def tried(proposal: Proposal, first: Chance, second: Chance) -> tuple[object, Fixed, Fixed]:
    """What comes of it by such players."""
    players = Fixed(first), Fixed(second)
    trying = Trying(Proposer(GAME, 2, compiled=False), *players, seed=1)
    return trying.look(proposal, time.monotonic() + 600), *players


def by_action(proposal: Proposal, holds: float, leaves: float) -> Chance:
    """A chance for what follows on the proposed action, and another one for all others."""
    after = GAME.rules.LAYOUT.copy(proposal.moment.before)
    GAME.rules.step(after, [proposal.action] * 2, None)
    digest = GAME.rules.LAYOUT.digest(after)
    return lambda branch: holds if GAME.rules.LAYOUT.digest(branch.state) == digest else leaves


def test_what_is_said_twice_is_a_puzzle(proposal: Proposal) -> None:
    """It holds in nearly all matches, all others are lost in nearly all: told with the matches of the second look."""
    found, first, second = tried(proposal, by_action(proposal, 1, 0.05), by_action(proposal, 1, 0.05))
    legal = len(GAME.legal_actions(proposal.moment.before, 0))
    assert found is not None
    assert (found.solution, found.times, found.won) == (proposal.action, 2 * PAIRS, 2 * PAIRS)  # type: ignore[attr-defined]
    assert len(found.others) == legal - 1  # type: ignore[attr-defined]
    assert first.played == legal * PAIRS
    assert second.played == legal * 2 * PAIRS


def test_what_is_not_said_again_is_none(proposal: Proposal) -> None:
    """Players who think longer find that it is no better, or that another action holds the win too."""
    sure = by_action(proposal, 1, 0.05)
    assert tried(proposal, sure, by_action(proposal, 0.5, 0.5))[0] is None
    assert tried(proposal, sure, by_action(proposal, 1, 0.8))[0] is None


def test_a_small_advantage_is_none(proposal: Proposal) -> None:
    """An action that only wins a little more often is no puzzle, and few matches are played for it."""
    found, first, _ = tried(proposal, by_action(proposal, 0.6, 0.5), by_action(proposal, 1, 0))
    assert found is None
    assert first.played <= len(GAME.legal_actions(proposal.moment.before, 0)) * PAIRS
