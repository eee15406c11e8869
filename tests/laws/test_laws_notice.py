"""The laws have teeth: a game with all that can go wrong passes them, and fails when it is broken in one way."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dohyo.core.errors import DohyoError
from dohyo.core.game import Game
from dohyo.core.text import put
from dohyo.laws import of_actions, of_chance, of_faults, of_frames, of_matches, of_states
from dohyo.laws.tally import Tally
from tests.core import heap
from tests.core.heap import HEAP
from tests.core.test_smallest_game import NIM

COUNTER = itertools.count()

Law = Callable[..., None]


def unseen(state: Any, seat: int, chooser: random.Random) -> Any:
    """The other player's secret is another one."""
    other = heap.LAYOUT.copy(state)
    other.secret[1 - seat] = (other.secret[1 - seat] + chooser.randrange(1, 1000)) % 1000
    return other


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws know of the game what they need."""
    knowledge = SimpleNamespace(
        __doc__="What the laws need to know.",
        SETUPS=[
            {},
            {"windy": True},
            {"together": True, "sticks": 9},
            {"windy": True, "together": True},
            {"sticks": 2},
        ],
        unseen=unseen,
    )
    for module in ("matches", "of_actions", "of_matches"):
        monkeypatch.setattr(f"dohyo.laws.{module}.about", lambda game: knowledge)


def with_rules(**changed: Any) -> Game:
    """The game with other rules in place of some."""
    return msgspec.structs.replace(HEAP, rules=SimpleNamespace(**{**vars(HEAP.rules), **changed}))


def with_protocol(**changed: Any) -> Game:
    """The game with another protocol in place of a part."""
    return msgspec.structs.replace(HEAP, protocol=SimpleNamespace(**{**vars(HEAP.protocol), **changed}))


def leaky_prompt(s: Any, seat: int, buffer: Any) -> int:
    return put(buffer, 0, s.secret[1 - seat] % 2)


def knowing_legal(s: Any, seat: int, out: Any) -> int:
    return min(heap.legal(s, seat, out), 1 + s.secret[1 - seat] % 3)


def random_deal(s: Any, dice: Any, events: Any) -> None:
    heap.deal(s, dice, events)
    s.sticks += next(COUNTER) % 2


def random_roll(s: Any, source: Any, dice: Any) -> int:
    count = heap.roll(s, source, dice)
    dice[count - 1] = next(COUNTER) % 2
    return count


def counting_roll(s: Any, source: Any, dice: Any) -> int:
    count = heap.roll(s, source, dice)
    dice[0] += 2 * next(COUNTER)
    return count


def great_roll(s: Any, source: Any, dice: Any) -> int:
    count = heap.roll(s, source, dice)
    dice[0] += 70_000
    return count


def great_deal(s: Any, dice: Any, events: Any) -> None:
    heap.deal(s, [dice[0] - 70_000, *dice[1:]], events)


def changing_roll(s: Any, source: Any, dice: Any) -> int:
    s.last = 1 - s.last
    return heap.roll(s, source, dice)


def own_draw(source: Any, count: int) -> int:
    source.draw += 1
    return int(source.draw % count)


def own_roll(s: Any, source: Any, dice: Any) -> int:
    count = heap.roll(s, source, dice)
    dice[0] = own_draw(source, 2)
    return count


def own_changing_roll(s: Any, source: Any, dice: Any) -> int:
    s.last = 1 - s.last
    return own_roll(s, source, dice)


def wrong_places(s: Any, out: Any) -> int:
    reason = heap.places(s, out)
    out[0] += 1
    return reason


def answer_nobody_knows(s: Any, seat: int, fault: Any) -> int:
    raise ValueError("what nobody knows")


def unchecked_step(s: Any, actions: Any, events: Any) -> None:
    s.secret[s.last] += 0
    heap.step(s, actions, events)


def endless_step(s: Any, actions: Any, events: Any) -> None:
    turn = s.turn
    while turn < 0:
        turn -= 1
    heap.step(s, actions, events)


def any_state(s: Any) -> bool:
    return True


def tuple_frame(*drawn: Any) -> dict[str, Any]:
    return {**heap.frame(*drawn), "size": (1, 2)}


def spoiling_frame(before: Any, actions: Any, events: Any, after: Any, seat: int | None = None) -> dict[str, Any]:
    after.secret[0] = 0
    return heap.frame(before, actions, events, after, seat)


BROKEN: list[tuple[str, Law, str, Game]] = [
    (
        "its prompt tells the other's secret",
        of_actions.what_a_seat_cannot_see_changes_nothing_for_it,
        "its input tells what is hidden",
        with_protocol(prompt=leaky_prompt),
    ),
    (
        "what is legal hangs on the other's secret",
        of_actions.what_a_seat_cannot_see_changes_nothing_for_it,
        "what is legal hangs on what is hidden",
        with_rules(legal=knowing_legal),
    ),
    (
        "it offers nothing, and accepts nothing else",
        of_actions.legal_actions_are_never_empty,
        "there is nothing that the player may do",
        with_rules(legal=lambda s, seat, out: 0, CONCESSIONS=()),
    ),
    (
        "it allows what it does not list",
        of_actions.what_is_legal_is_what_is_listed,
        "what is legal is not what is listed",
        with_rules(is_legal=lambda s, seat, action: 1 <= action <= s.sticks),
    ),
    (
        "it counts other actions than it lists",
        of_actions.the_kth_legal_action_is_the_kth_of_the_list,
        "another number than is listed",
        with_rules(count_legal=lambda s, seat, notes: 9, kth_legal=lambda s, seat, k, notes: k),
    ),
    (
        "it finds another action at a place",
        of_actions.the_kth_legal_action_is_the_kth_of_the_list,
        "another action than the list's",
        with_rules(count_legal=heap.legal, kth_legal=lambda s, seat, k, notes: notes[0]),
    ),
    (
        "two actions have one text",
        of_actions.action_text_round_trips,
        "a replay's text is another action",
        with_protocol(text=lambda action: "take 1"),
    ),
    (
        "a bot's text is read otherwise than a replay's",
        of_actions.action_text_round_trips,
        "a bot's text is another action",
        with_protocol(parse=lambda reply, s, seat: 1),
    ),
    (
        "nobody is asked",
        of_actions.somebody_is_asked_in_every_turn,
        "nobody is asked",
        with_rules(acts=lambda s, seat: False, over=lambda s: s.turn > 5),
    ),
    (
        "it does not end",
        of_matches.a_random_match_ends,
        "the match does not end",
        with_rules(over=lambda s: False),
    ),
    (
        "it has a winner at the second place",
        of_matches.a_random_match_ends,
        "places ",
        with_rules(places=wrong_places),
    ),
    (
        "its dice come from elsewhere",
        of_matches.the_same_seed_plays_the_same_match,
        "the same seed played another match",
        with_rules(roll=random_roll),
    ),
    (
        "its dice go on elsewhere when it is taken up",
        of_matches.a_match_that_is_taken_up_can_go_as_it_went,
        "the same seed and replies led to another future",
        with_rules(roll=random_roll),
    ),
    (
        "its rules remember what is not in the state",
        of_matches.a_replay_reproduces_every_state,
        "Turn .* of the replay is not what the rules say",
        with_rules(deal=random_deal),
    ),
    (
        "its dice show more than it says",
        of_matches.a_replay_reproduces_every_state,
        r"a die has shown \d+: the rules need MAX_DIE",
        with_rules(roll=great_roll, deal=great_deal),
    ),
    (
        "it has no answer to a fault",
        of_faults.any_fault_in_any_turn_is_survived,
        "what nobody knows",
        with_protocol(answer=answer_nobody_knows),
    ),
    (
        "it refuses what comes up in a match",
        of_states.every_state_of_a_match_is_possible,
        "a match came to a state that is refused",
        msgspec.structs.replace(HEAP, possible=lambda s: s.turn < 2),
    ),
    (
        "it takes any numbers",
        of_states.rules_stay_within_their_rows,
        "rules went wrong with a state that neither RANGES nor possible.s. refuse .*IndexError",
        msgspec.structs.replace(with_rules(step=unchecked_step), possible=lambda s: True),
    ),
    (
        "it goes on for ever",
        of_states.rules_stay_within_their_rows,
        "rules went wrong with a state that neither RANGES nor possible.s. refuse .they do not end",
        msgspec.structs.replace(with_rules(step=endless_step), possible=lambda s: 0 <= s.dealt <= 1),
    ),
    (
        "it takes what its ranges refuse",
        of_states.numbers_outside_their_ranges_are_refused,
        "sticks is -1",
        msgspec.structs.replace(
            HEAP, fields=(SimpleNamespace(name="sticks", low=0.0, high=1e5),), possible=any_state
        ),
    ),
    (
        "its dice go by something else than their source",
        of_chance.what_dice_show_is_among_what_was_counted,
        r"\[\d+\] was rolled, and not counted",
        with_rules(roll=counting_roll),
    ),
    (
        "rolling changes the state",
        of_chance.what_dice_show_is_among_what_was_counted,
        "a roll has changed the state",
        with_rules(roll=changing_roll),
    ),
    (
        "its frames are not JSON",
        of_frames.every_frame_is_json,
        "a frame is not JSON",
        msgspec.structs.replace(HEAP, frame=tuple_frame),
    ),
    (
        "drawing changes the state",
        of_frames.every_frame_is_json,
        "drawing changes the state",
        msgspec.structs.replace(HEAP, frame=spoiling_frame),
    ),
]


@pytest.mark.parametrize(
    ("law", "said", "game"), [pytest.param(law, said, game, id=name) for name, law, said, game in BROKEN]
)
def test_a_broken_law_is_noticed(law: Law, said: str, game: Game, tally: Tally) -> None:
    """A game that breaks one law fails it, at the very point that it breaks."""
    with pytest.raises((AssertionError, DohyoError, ValueError), match=f"^{said}"):
        follow(law, game, tally)


@pytest.mark.parametrize("law", sorted({law for _, law, _, _ in BROKEN}, key=lambda law: law.__name__))
def test_the_unbroken_game_follows_every_law(law: Law, tally: Tally) -> None:
    """The same game as it should be passes: hidden numbers, dice every turn, both moving at once and all."""
    follow(law, HEAP, tally)


def test_dice_that_cannot_be_counted_are_passed_over(tally: Tally) -> None:
    """A roll that draws by a function of its own, without the mark, is no mistake: the law says so."""
    of_chance.what_dice_show_is_among_what_was_counted(with_rules(roll=own_roll), tally)
    assert "@draws" in tally.note
    assert tally["counted"] == 0
    with pytest.raises(AssertionError, match="a roll has changed the state"):
        of_chance.what_dice_show_is_among_what_was_counted(with_rules(roll=own_changing_roll), tally)


@pytest.mark.parametrize("law", sorted({law for _, law, _, _ in BROKEN}, key=lambda law: law.__name__))
def test_the_smallest_game_follows_every_law(law: Law, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that writes only what it has passes with the defaults: no dice, no events, nothing hidden."""
    for module in ("matches", "of_actions", "of_matches"):
        monkeypatch.setattr(f"dohyo.laws.{module}.about", lambda game: None)
    follow(law, NIM, tally)


def follow(law: Law, game: Game, tally: Tally) -> None:
    """Hold a game to a law."""
    wanted = law.__code__.co_varnames[: law.__code__.co_argcount]
    given = {"game": game, "tally": tally}
    law(**{name: given[name] for name in wanted})
