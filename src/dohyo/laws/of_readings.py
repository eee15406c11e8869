"""Laws of what bots are sent: prompts are as they are described and read to their end, and tell nothing hidden."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import msgspec

from dohyo.core.described import ACTIONS, Description, Values, description_of, found_in, names_of
from dohyo.core.game import Game
from dohyo.core.observation import Observation, prompt_lines
from dohyo.core.options import told
from dohyo.core.reader import Reader
from dohyo.core.referee import Referee
from dohyo.core.starter import Line, NamedLine, NamedRows, Number, Part, Places, Records, Starter, TextRows, Word
from dohyo.laws.matches import about, begin, general_unseen, legal_answer
from dohyo.laws.tally import Tally

TURNS, PAIRS = 600, 100
MATCHES = 4  # at least, so that several setups have their turn


def observed(game: Game, reader: Reader, prompt: bytes) -> Observation:
    """The observation of one prompt; fails if it is complete before its last line, or not by that."""
    lines = prompt_lines(game, prompt)
    *early, found = [reader.take(line) for line in lines]
    assert early == [None] * (len(lines) - 1), "a prompt was taken for whole before its end"
    assert found is not None, "a whole prompt was not seen as one"
    assert reader.is_between
    return found


def every_prompt_is_as_the_game_describes_it(game: Game, tally: Tally) -> None:
    """What `starter.py` describes is what the protocol writes: what is read of a prompt makes its lines again."""
    if game.starter is None:
        tally.note = "the game does not describe what it sends"
        return
    for seed in range(1000):
        if tally["prompts"] >= TURNS * tally.part:
            break
        referee, _ = begin(game, seed)
        chooser = random.Random(seed)
        description = description_of(game, told(game.options, referee.setup))
        starts: dict[int, Values] = {}
        most = tally["prompts"] + TURNS * tally.part / MATCHES
        while not referee.over and tally["prompts"] < most:
            answers = {seat: legal_answer(referee, seat, chooser) for seat in referee.pending()}
            for seat in answers:
                lines = prompt_lines(game, referee.prompt(seat))
                values = described(description, starts.get(seat), lines)
                assert description.is_answered(values), f"{lines} is described as wanting no answer"
                starts.setdefault(seat, {name: values[name] for name in description.start_names})
                tally["prompts"] += 1
            referee.submit(answers)
    tally.reach(prompts=TURNS)


def described(description: Description, start: Values | None, lines: list[str]) -> Values:
    """What a description finds in the lines of a prompt; `start`: what it found before the first turn, none there.

    Fails if these are not the lines of such a prompt, whole and within the bounds that it names.
    """
    values = dict(start or ())
    taking = description.take(values, start is None)
    next(taking)
    for number, line in enumerate(lines, 1):
        try:
            taking.send(line)
        except StopIteration:
            assert number == len(lines), f"described as ending before {lines[number]!r}"
            break
    else:
        raise AssertionError(f"described as going on after {lines}")
    assert list(description.lines(values, start is None)) == lines
    for part in (*description.starter.start, *description.starter.turn):
        check_bounds(part, values, description.starter)
    return values


def check_bounds(part: Part, values: Values, starter: Starter) -> None:
    """Texts are no longer, and lists no larger, than the part says: programs in C keep them in so much room."""
    names = names_of(part, starter)
    match part:
        case TextRows():
            rows = values[part.name]
            assert len(rows) <= part.most
            assert all(len(row) <= part.width for row in rows), f"a row has more than {part.width} characters"
        case Records():
            assert len(values[names[0]]) <= part.most, f"more than {part.most} {part.name}"
            records = [each.split() for each in values[names[0]]] if names == [ACTIONS] else values[names[0]]
            for record in records:
                check_words(part.record.items, record)
        case Line():
            check_words(part.items, [values[name] for name in names])
        case NamedLine():
            check_words((part.item,), [values[name] for name in names])
        case NamedRows():
            rows = [values[name] for name in names] if part.rows == 1 else values[names[0]]
            assert all(len(row) <= part.columns for row in rows), f"a row has more than {part.columns}"
            assert not part.width or all(len(word) <= part.width for row in rows for word in row)
        case Places():
            found = found_in(values[part.of], part)
            assert len(found) <= part.most, f"more than {part.most} {part.name}"


def check_words(items: Sequence[Number | Word], values: Sequence[Any]) -> None:
    """Words are no longer than they may be."""
    for item, value in zip(items, values, strict=True):
        assert isinstance(item, Number) or 0 < len(value) <= item.most, f"{item.name}: {value!r}"


def every_prompt_is_read_to_its_end_and_lists_the_legal_actions(game: Game, tally: Tally) -> None:
    """Line by line, each prompt of a match becomes one observation, with the rules' own list of actions if any."""
    texts = game.protocol.text
    for seed in range(1000):
        if tally["turns"] >= TURNS * tally.part:
            break
        referee, _ = begin(game, seed)
        chooser = random.Random(seed)
        readers = [Reader(game, referee.setup) for _ in range(referee.seats)]
        turns = [0] * referee.seats
        most = tally["turns"] + TURNS * tally.part / MATCHES
        while not referee.over and tally["turns"] < most:
            answers = {seat: legal_answer(referee, seat, chooser) for seat in referee.pending()}
            for seat, answer in answers.items():
                seen = observed(game, readers[seat], referee.prompt(seat))
                readers[seat].answered(answer.reply or "")
                assert seen.own_turn == turns[seat]
                turns[seat] += 1
                if seen.legal_actions:
                    listed = [action.number for action in seen.legal_actions]
                    assert sorted(listed) == sorted(game.legal_actions(referee.state, seat))  # each in its own order
                    assert list(seen.legal_actions) == list(map(texts, listed))
                    tally["lists"] += 1
                check_state(game, seen, referee, seat, chooser)
            referee.submit(answers)
            tally["turns"] += 1
    tally.reach(turns=TURNS)


def check_state(game: Game, seen: Observation, referee: Referee, seat: int, chooser: random.Random) -> None:
    """A state that an observation makes looks to the seat like the true one, and so does what follows on it."""
    try:
        made = seen.state()
    except NotImplementedError:
        return
    rules, state, seats = game.rules, game.rules.LAYOUT.copy(referee.state), referee.seats
    assert game.prompt(made, seat) == game.prompt(state, seat)
    actions = [0] * seats
    for each in game.acting(state, seats):
        actions[each] = chooser.choice(list(game.legal_actions(state, each)) or list(rules.CONCESSIONS))
    for one in (made, state):
        rules.step(one, list(actions), game.new_events())
    if not rules.over(state) and not rules.needs_dice(state):
        told = "after one more turn it is another state than the true one"
        assert game.prompt(made, seat) == game.prompt(state, seat), told


def an_observation_holds_plain_values_alone(game: Game, tally: Tally) -> None:
    """Whoever walks through an observation finds text and numbers: no state, no game, no referee."""
    referee, _ = begin(game, 5)
    for seat in referee.pending():
        walk(observed(game, Reader(game, referee.setup), referee.prompt(seat)), game.rules.LAYOUT.new(), 0)
        tally["observations"] += 1
    tally.reach(observations=1)


def walk(value: Any, state: Any, depth: int) -> None:
    """Fail for what is neither a plain value nor made of such."""
    assert depth < 10
    assert not isinstance(value, type(state) | ModuleType | Game)
    if isinstance(value, msgspec.Struct):
        assert not hasattr(value, "__dict__")
        for name in value.__struct_fields__:
            walk(getattr(value, name), state, depth + 1)
    elif isinstance(value, tuple):
        for part in value:
            walk(part, state, depth + 1)
    else:
        assert value is None or isinstance(value, str | int), value


def what_looks_the_same_to_a_seat_is_observed_the_same(game: Game, tally: Tally) -> None:
    """Where a game hides something, a state that differs only in that gives the same observation."""
    unseen = getattr(about(game), "unseen", None) or general_unseen(game)
    if unseen is None:
        tally.note = "nothing is hidden in this game"
        return
    chooser = random.Random(1)
    for seed in range(1000):
        if tally["pairs"] >= PAIRS * tally.part:
            break
        referee, _ = begin(game, seed)
        while not referee.over and tally["pairs"] < PAIRS * tally.part:
            for seat in referee.pending():
                other = unseen(referee.state, seat, chooser)
                if other is not None:
                    first, second = (
                        observed(game, Reader(game, referee.setup), game.prompt(freshly(game, state), seat))
                        for state in (referee.state, other)
                    )
                    assert first == second
                    tally["pairs"] += 1
            referee.submit({seat: legal_answer(referee, seat, chooser) for seat in referee.pending()})
    tally.reach(pairs=PAIRS)


def freshly(game: Game, state: Any) -> Any:
    """The state, for a program that was told nothing yet."""
    copy = game.rules.LAYOUT.copy(state)
    game.reseat(copy)
    return copy
