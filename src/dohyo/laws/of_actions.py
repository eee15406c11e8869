"""Laws of actions and observation: what is legal can be said and read; what is unseen changes nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from dohyo.core import playback
from dohyo.core.game import Game, Information, listed_legal
from dohyo.i18n import ENGLISH, Speaker
from dohyo.laws.matches import about, general_unseen, observed, several
from dohyo.laws.tally import Tally

SOME = 8  # actions of a state that are looked at one by one, where it offers more


def action_text_round_trips(game: Game, tally: Tally) -> None:
    """Every legal action has a text of its own, which is read back from a replay and from a bot alike.

    The text and what a replay says do not know the state: each action is tried once. What a bot says is read in a
    state: each action is tried where it is first offered, and some of those offered in every state.
    """
    protocol, chooser = game.protocol, random.Random(9)
    texts: dict[int, str] = {}
    for played in several(game, tally, 5000, first_seed=400):
        for state, seat in asked(game, played.replay):
            legal = list(game.legal_actions(state, seat))
            new = [action for action in legal if action not in texts]
            for action in new:
                texts[action] = protocol.text(action)
                assert protocol.read(texts[action]) == action, "a replay's text is another action"
            if (forced := protocol.forced(state, seat)) >= 0:
                assert forced in legal, "a seat without a choice is given an action that is not legal"
                words = ["", "?", *texts.values()]
                assert {protocol.parse(word, state, seat) for word in words} == {forced}, "a line counts all the same"
            for action in [*new, *some(legal, chooser)]:
                assert protocol.parse(texts[action], state, seat) == action, "a bot's text is another action"
                tally["actions"] += 1
    assert len(set(texts.values())) == len(texts)
    tally["different actions"] = len(texts)
    tally.reach(turns=5000, actions=5000)  # one a turn: somebody has always something to do


def legal_actions_are_never_empty(game: Game, tally: Tally) -> None:
    """Whoever is asked has a legal action, or one that is always accepted; each is offered once and is `in`."""
    actions, chooser = range(game.rules.ACTIONS), random.Random(9)
    for played in several(game, tally, 5000, first_seed=500):
        for state, seat in asked(game, played.replay):
            legal = game.legal_actions(state, seat)
            offered = set(legal)
            assert len(legal) > 0 or game.rules.CONCESSIONS, "there is nothing that the player may do"
            assert len(offered) == len(legal)
            assert all(action in actions for action in offered)
            assert all(action in legal for action in some(list(legal), chooser))
            assert all((action in legal) == (action in offered) for action in some(actions, chooser))
            tally["offers"] += 1
            tally["refusals"] += len(actions) - len(legal)
    tally.reach(offers=5000)


def what_is_legal_is_what_is_listed(game: Game, tally: Tally) -> None:
    """The rules say of every number, and of those just outside the range, what the list says, whoever is asked."""
    rules = game.rules
    numbers = range(-1, rules.ACTIONS + 1)
    for played in several(game, tally, 400, first_seed=550):
        for state, seat in asked(game, played.replay):
            listed = set(game.legal_actions(state, seat))
            found = {number for number in numbers if rules.is_legal(state, seat, number)}
            assert found == listed, "what is legal is not what is listed"
            tally["numbers"] += len(numbers)
    tally.reach(turns=400, numbers=min(2000, 400 * len(numbers)))


def the_kth_legal_action_is_the_kth_of_the_list(game: Game, tally: Tally) -> None:
    """Rules that count what is legal, and find one action by its place, agree with the list, and change no state."""
    rules = game.rules
    if rules.kth_legal is listed_legal:
        tally.note = "the list itself is counted"
        return
    chooser = random.Random(9)
    for played in several(game, tally, 400, first_seed=570):
        for state, seat in asked(game, played.replay):
            listed = list(game.legal_actions(state, seat))
            notes = [chooser.randrange(100) for _ in range(rules.ACTIONS)]  # what others left there
            packed = rules.LAYOUT.pack(state)
            assert rules.count_legal(state, seat, notes) == len(listed), "another number than is listed"
            for k in some(range(len(listed)), chooser):
                assert rules.kth_legal(state, seat, k, list(notes)) == listed[k], "another action than the list's"
                tally["places"] += 1
            assert rules.LAYOUT.pack(state) == packed, "the state is another one"
    tally.reach(turns=400, places=400)


def what_is_illegal_is_explained(game: Game, tally: Tally) -> None:
    """Where a game says why actions are illegal, it has a reason for each that is, and for no other.

    Of many actions some are looked at in a state, half of them legal.
    """
    rules, chooser = game.rules, random.Random(9)
    for played in several(game, tally, 400, first_seed=560):
        for state, seat in asked(game, played.replay):
            legal = list(game.legal_actions(state, seat))
            numbers = {*some(legal, chooser), *some(range(rules.ACTIONS), chooser)}.difference(rules.CONCESSIONS)
            for action in numbers:
                is_legal = rules.is_legal(state, seat, action)
                why = game.why_illegal(state, seat, action)
                assert why is None or not is_legal, f"there is a reason against {game.protocol.text(action)}"
                tally["explained"] += why is not None
                tally["unexplained"] += why is None and not is_legal
                if why is not None:  # as a fault says it, in every language
                    told = game.refusal(state, seat, action).told
                    english = ENGLISH.knowing(game.catalogue).say(told)
                    assert english.startswith(game.protocol.text(action))
                    if not isinstance(why, str):
                        assert Speaker("ja", game.catalogue).say(told) != english, "it is not said in Japanese"
    assert not tally["explained"] or not tally["unexplained"], "some illegal actions have no reason"
    tally.reach(turns=400)


def some(actions: Sequence[int], chooser: random.Random) -> Sequence[int]:
    """All of a few actions, some by chance of many."""
    return actions if len(actions) <= SOME else chooser.sample(actions, SOME)


def somebody_is_asked_in_every_turn(game: Game, tally: Tally) -> None:
    """A turn has at least one player to move, and its line one move for each of them."""
    for played in several(game, tally, 5000, first_seed=600):
        seats = len(played.replay.header.seats)
        # The dice alone may stand in the last line.
        assert all(turn.moves for turn in played.replay.turns[:-1]), "nobody is asked"
        for moment in playback.moments(game, played.replay):
            acting = game.acting(moment.before, seats)
            if moment.turn.moves:
                assert [move.seat for move in moment.turn.moves] == acting
                assert [seat for seat, action in enumerate(moment.actions) if action is not None] == acting
    tally.reach(turns=5000)


def what_a_seat_cannot_see_changes_nothing_for_it(game: Game, tally: Tally) -> None:
    """States that look the same to a seat give it the same input, legal actions, frame, and numbers for a learner.

    In a game of perfect information nothing is hidden, so there is nothing to change; the law then holds every
    seat's frame against everybody's.
    """
    chooser = random.Random(8)
    unseen = getattr(about(game), "unseen", None) or general_unseen(game)
    if game.information is Information.PERFECT:
        tally.note = "perfect information: nothing is hidden"
        assert unseen is None, "this game says that it hides nothing, and names something hidden"
    else:
        assert unseen is not None, f"tests/games/{game.name.replace('-', '_')}/laws.py needs `unseen`"
    for played in several(game, tally, 2000, first_seed=700):
        seats = range(len(played.replay.header.seats))
        for moment in playback.moments(game, played.replay):
            drawn = moment.before, moment.actions, moment.events, moment.after
            for seat in seats:
                if unseen is None:
                    assert game.frame(*drawn, seat) == game.frame(*drawn, None)
                elif (other := unseen(moment.before, seat, chooser)) is not None:
                    assert game.rules.LAYOUT.pack(other) != game.rules.LAYOUT.pack(moment.before)
                    same_for(game, moment.before, other, seat)
                    if tally["hidden changes"] % 7 == 0:  # a large view takes its time
                        assert_same_observation(game, moment.before, other, seat)
                        assert_same_frame(game, moment.before, other, seat, len(seats))
                    tally["hidden changes"] += 1
    tally.reach(turns=2000, **{"hidden changes": 0 if unseen is None else 200})


def same_for(game: Game, state: Any, other: Any, seat: int) -> None:
    """Fail unless both states are the same to a seat."""
    assert bool(game.rules.acts(state, seat)) == bool(game.rules.acts(other, seat))
    if game.rules.acts(state, seat):
        assert game.prompt(state, seat) == game.prompt(other, seat), "its input tells what is hidden"
        legal, other_legal = list(game.legal_actions(state, seat)), list(game.legal_actions(other, seat))
        assert legal == other_legal, "what is legal hangs on what is hidden"


def assert_same_observation(game: Game, state: Any, other: Any, seat: int) -> None:
    """A learner on the seat sees the same in both states."""
    if game.observation is not None:
        assert observed(game, state, seat) == observed(game, other, seat), "a learner sees what is hidden"


def assert_same_frame(game: Game, state: Any, other: Any, seat: int, seats: int) -> None:
    """Both states are drawn alike for the seat, as they are before anybody has acted."""
    nobody = [None] * seats
    frames = [game.frame(each, nobody, (), each, seat) for each in (state, other)]
    assert frames[0] == frames[1], "its frame tells what is hidden"


def asked(game: Game, replay: Any) -> list[tuple[Any, int]]:
    """Every state of a match with each seat that was asked in it."""
    seats = len(replay.header.seats)
    return [
        (moment.before, seat)
        for moment in playback.moments(game, replay)
        if moment.turn.moves
        for seat in game.acting(moment.before, seats)
    ]
