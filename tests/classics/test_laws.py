"""The classic games keep every law, at a small size; compiled, most of them with `--full`, and so is all of chess."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo import laws
from dohyo.core.game import Turns
from dohyo.core.options import resolve
from dohyo.laws import matches, of_actions, of_batches, of_frames, of_matches, of_readings, of_states
from dohyo.laws.tally import Tally
from tests.classics.games import classic

LONG = 350  # turns: a random match of chess has about as many
SIZES = {
    "backgammon": 0.01,
    "battlesnake": 0.005,
    "chess": 0.005,
    "connect_four": 0.01,
    "connectx": 0.01,
    "go": 0.005,
    "hex": 0.01,
    "kuhn_poker": 0.05,
    "leduc_poker": 0.05,
    "othello": 0.01,
}

# Of chess also Chess960: a start of it, and a position in which both sides may soon castle.
SETUPS_OF_CHESS = [
    {},
    {"variant": "chess960", "opening": "959"},
    {"variant": "chess960", "opening": "1r2k1r1/p5pp/8/8/8/8/P5PP/1R2K1R1 w GBgb - 0 1"},
]
matches.tell(classic("chess"), SimpleNamespace(SETUPS=SETUPS_OF_CHESS))

FORGED = 0.2  # of the states that strangers write: ten of them would show nothing
OF_CHESS = (  # in a usual run: a match of chess has some 300 turns
    of_actions.action_text_round_trips,
    of_actions.legal_actions_are_never_empty,
    of_actions.what_is_legal_is_what_is_listed,
    of_actions.the_kth_legal_action_is_the_kth_of_the_list,
    of_frames.every_frame_can_be_drawn_in_a_terminal,
    of_matches.a_compressed_replay_reproduces_every_state,
    of_readings.every_prompt_is_read_to_its_end_and_lists_the_legal_actions,
    of_readings.an_observation_holds_plain_values_alone,
    of_states.rules_stay_within_their_rows,
)


def pairs(every: Sequence[laws.Law], usual: Callable[[str, laws.Law], bool]) -> list[Any]:
    """Each game with each law; those that no usual run has are marked."""
    return [
        pytest.param(name, law, id=f"{name}-{laws.name(law)}", marks=() if usual(name, law) else pytest.mark.full)
        for name in SIZES
        for law in every
    ]


@pytest.mark.parametrize(("name", "law"), pairs(laws.PLAIN, lambda name, law: name != "chess" or law in OF_CHESS))
def test_a_classic_game_keeps_every_law(name: str, law: laws.Law, full: bool) -> None:
    """A few matches of each."""
    tally = Tally()
    part = FORGED if law is of_states.rules_stay_within_their_rows else SIZES[name]
    tally.part, tally.is_strict = (laws.PART if full else part), False
    law(classic(name), tally)


@pytest.mark.process
@pytest.mark.xdist_group("one-file-compiled")
@pytest.mark.parametrize(
    ("name", "law"),
    pairs(
        laws.COMPILED,
        lambda name, law: name == "othello" and law is of_batches.a_batch_plays_the_matches_of_its_seeds,
    ),
)
def test_compiled_it_keeps_every_law(name: str, law: laws.Law) -> None:
    """A compiler takes five to ten seconds for each: without `--full`, one that has sets of squares."""
    pytest.importorskip("numba")
    laws.hold(classic(name), law)


@pytest.mark.full
@pytest.mark.process
@pytest.mark.xdist_group("one-file-compiled")
@pytest.mark.parametrize("name", SIZES)
def test_batches_play_whole_matches(name: str) -> None:
    """In many slots, each turn as it is played alone, until matches have ended."""
    pytest.importorskip("numba")
    from dohyo.sim import BatchMatch

    game, tally = classic(name), Tally()
    setup = resolve(game.options, {})
    batch = BatchMatch(game, 60, 7, setup, seats=2, threads=1)
    of_batches.play_beside(batch, setup, LONG, 11, tally)
    assert tally["games"] >= 20
    for _ in range(
        LONG if game.turns is Turns.ALTERNATING else 0
    ):  # what random play takes, without a list, is listed
        drawn, masks = batch.sample(), batch.legal(mover=True)
        assert masks[range(batch.n), drawn].all()
        batch.step(drawn)
