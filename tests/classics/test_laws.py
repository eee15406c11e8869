"""The classic games keep every law, at a small size; compiled, and chess in all of them, with `--full`."""

from __future__ import annotations

import pytest

from dohyo import laws
from dohyo.laws import of_actions, of_frames, of_matches, of_observations, of_readings
from dohyo.laws.tally import Tally
from tests.classics.games import classic

SIZES = {
    "backgammon": 0.01,
    "chess": 0.005,
    "go": 0.005,
    "hex": 0.01,
    "kuhn_poker": 0.05,
    "leduc_poker": 0.05,
    "othello": 0.01,
}

OF_CHESS = (  # in a usual run: a match of chess has some 300 turns, and each lists its actions out of 4608
    of_actions.action_text_round_trips,
    of_actions.legal_actions_are_never_empty,
    of_frames.every_frame_can_be_drawn_in_a_terminal,
    of_matches.a_compressed_replay_reproduces_every_state,
    of_observations.what_belongs_to_seats_is_seen_from_the_observing_one,
    of_readings.an_observation_holds_plain_values_alone,
)


@pytest.mark.parametrize("law", laws.PLAIN, ids=laws.name)
@pytest.mark.parametrize("name", SIZES)
def test_a_classic_game_keeps_every_law(name: str, law: laws.Law, full: bool) -> None:
    """A few matches of each."""
    if name == "chess" and law not in OF_CHESS and not full:
        return
    tally = Tally()
    tally.part, tally.is_strict = (laws.PART if full else SIZES[name]), False
    law(classic(name), tally)


@pytest.mark.process
@pytest.mark.xdist_group("one-file-compiled")
@pytest.mark.parametrize("law", laws.COMPILED, ids=laws.name)
@pytest.mark.parametrize("name", SIZES)
def test_compiled_it_keeps_every_law(name: str, law: laws.Law, full: bool) -> None:
    """A compiler takes five to thirty seconds for each: only with `--full`."""
    if full:
        pytest.importorskip("numba")
        laws.hold(classic(name), law)
