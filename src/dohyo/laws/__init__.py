"""Laws: what must hold for every game, each a function that plays thousands of turns and raises `AssertionError`.

`hold(game, law)` holds a game to one of them. `PLAIN` are the laws that need no compiler; `COMPILED` need the extra
`fast`; `LAWS` are all of them. A file beside a game that pytest runs:

    @pytest.mark.parametrize("law", laws.LAWS, ids=laws.name)
    def test_the_game_keeps_every_law(law):
        laws.hold(GAME, law)

A game may tell the laws more about itself, by `matches.tell(game, known)`, where `known` is a module or an object
with some of

    SETUPS                        setups to hold the laws under; without it, the default one alone
    MARKS                         kinds of special events (a frame's marks), and how often the laws must have met them
    unseen(state, seat, random)   a changed copy of a state that looks the same to the seat, or none where nothing is
                                  hidden there; a game of imperfect information must have it, unless its file of rules
                                  says by `HIDDEN` what is hidden

Every law counts what it exercised (matches, turns, faults, special events), in a `Tally`.
"""

from __future__ import annotations

from collections.abc import Callable

from dohyo.core.game import Game
from dohyo.laws import (
    of_actions,
    of_batches,
    of_chance,
    of_faults,
    of_frames,
    of_matches,
    of_observations,
    of_readings,
    of_states,
)
from dohyo.laws.tally import Tally

Law = Callable[[Game, Tally], None]

PART = 0.1  # of the sizes that stand in the laws, where somebody holds a game of their own to them

PLAIN: tuple[Law, ...] = (
    of_matches.a_random_match_ends,
    of_matches.the_same_seed_plays_the_same_match,
    of_matches.a_replay_reproduces_every_state,
    of_matches.a_compressed_replay_reproduces_every_state,
    of_matches.a_changed_move_is_found,
    of_matches.a_match_can_be_taken_up_anywhere,
    of_matches.a_match_that_is_taken_up_can_go_as_it_went,
    of_matches.an_interrupted_match_is_kept,
    of_matches.setups_for_the_laws_are_known,
    of_actions.action_text_round_trips,
    of_actions.legal_actions_are_never_empty,
    of_actions.what_is_legal_is_what_is_listed,
    of_actions.the_kth_legal_action_is_the_kth_of_the_list,
    of_actions.what_is_illegal_is_explained,
    of_actions.somebody_is_asked_in_every_turn,
    of_actions.what_a_seat_cannot_see_changes_nothing_for_it,
    of_faults.any_fault_in_any_turn_is_survived,
    of_faults.faults_before_the_first_turn_are_survived,
    of_faults.a_stopped_player_is_not_asked_again,
    of_faults.nothing_hangs_on_what_is_only_noted,
    of_frames.every_frame_is_json,
    of_frames.every_frame_can_be_drawn_in_a_terminal,
    of_states.every_state_of_a_match_is_possible,
    of_states.numbers_outside_their_ranges_are_refused,
    of_states.rules_stay_within_their_rows,
    of_chance.what_dice_show_is_among_what_was_counted,
    of_readings.every_prompt_is_as_the_game_describes_it,
    of_readings.every_prompt_is_read_to_its_end_and_lists_the_legal_actions,
    of_readings.an_observation_holds_plain_values_alone,
    of_readings.what_looks_the_same_to_a_seat_is_observed_the_same,
    of_observations.what_belongs_to_seats_is_seen_from_the_observing_one,
    of_observations.what_looks_owned_belongs_to_who_put_it_there,
)
COMPILED: tuple[Law, ...] = (
    of_observations.every_number_is_written_and_within_its_planes_bounds,
    of_observations.a_compiled_observation_is_the_plain_one,
    of_batches.a_batch_plays_the_matches_of_its_seeds,
)
LAWS = (*PLAIN, *COMPILED)


def name(law: Law) -> str:
    """A law's name, as a test is named."""
    return getattr(law, "__name__", "law")


def hold(game: Game, law: Law) -> Tally:
    """Hold a game to a law; what was exercised. Raises `AssertionError` where the game breaks it."""
    tally = Tally()
    tally.part, tally.is_strict = PART, False
    law(game, tally)
    return tally
