"""The process that says what a search would do in a person's place.

    python -P -m dohyo.guests.analysis.hint_worker HERE

On the standard input come a `HintOrder`, as a line of JSON, and the bytes of the match so far; on the standard output
goes a `Hint`. In a game with secrets the search knows what the seat was told, and nothing else.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import msgspec

from dohyo import clean, games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Information, State
from dohyo.core.playback import Moment, beginning, moments
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.i18n import Speaker
from dohyo.match.people.hints import Hint, HintOrder
from dohyo.one_file import of_a_game
from dohyo.series.analyst import Analyst, Judged, chances_of
from dohyo.system import interpreter
from dohyo.system.defects import print_defect

if TYPE_CHECKING:
    from collections.abc import Sequence

SEARCHING = 0.4  # of the time
# Besides, where something is hidden, at most: for the worlds that a seat may take for true in its first turn ...
BEGINNING = 1.0
FINDING = 0.4  # ... and in all that follow
LEAST = 20  # playouts of all actions, below which nothing is said
OFTEN = 4  # times less often tried than the best, and nothing can be said of it
CLOSE = 0.02  # of a chance: nearer ones are told as as good as each other
SAME = 1e-6  # of a chance: values that do not differ, such as those of actions that all lose
MAX_ALIKE = 3  # of those that are told


def hint(replay: Replay, order: HintOrder) -> Hint:
    """What the seat should do in the turn behind the match's last one."""
    game, seats = games.find(replay.header.game), len(replay.header.seats)
    speaker = Speaker(order.language).knowing(game.catalogue)
    played = list(moments(game, replay))
    state = played[-1].after if played else beginning(game, replay)
    legal = list(game.legal_actions(state, order.seat))
    if len(legal) == 1:
        return _named(game, legal[:1], "hint.only", speaker)
    worlds = worlds_of(game, replay, played, state, order)
    if not worlds:
        return Hint(speaker.say("hint.hidden"))
    analyst = Analyst(game, seats, compiled=order.compiled)
    judged = analyst.judge(worlds, seconds=order.seconds * SEARCHING)
    return _told(game, analyst, judged, order.seat, speaker)


def _told(game: Game, analyst: Analyst, judged: Judged, seat: int, speaker: Speaker) -> Hint:
    """The best of the actions that were tried, and those that are as good; a sentence where none can be told."""
    options = judged.options.get(seat, {})
    tried = {action: value for action, (value, visits) in options.items() if visits > 0}
    if not tried or (judged.proven is None and sum(visits for _, visits in options.values()) < LEAST):
        return Hint(speaker.say("hint.short"))
    chance = {
        action: chances_of(_as_row(value, seat, analyst.seats), analyst.by.sharpness)[seat]
        for action, value in tried.items()
    }
    ways = list(chance.values())
    if len(tried) == len(options) > 1 and max(ways) - min(ways) <= SAME:
        return _named(game, [max(tried, key=lambda action: options[action][1])], "hint.equal", speaker)
    best = max(tried, key=lambda action: (options[action][1], tried[action]))
    chance = {one: known for one, known in chance.items() if options[one][1] * OFTEN >= options[best][1]}
    alike = [best, *(one for one in chance if one != best and chance[best] - CLOSE <= chance[one])]
    if len(alike) > MAX_ALIKE:
        return _named(game, alike[:1], "hint.any", speaker)
    return _named(game, alike, "hint.best" if len(alike) == 1 else "hint.alike", speaker)


def _as_row(value: float, seat: int, seats: int) -> tuple[float, ...]:
    """Values of all seats in which this one has its own, and the others share the rest."""
    other = -value / max(1, seats - 1)
    return tuple(value if each == seat else other for each in range(seats))


def _named(game: Game, actions: Sequence[int], key: str, speaker: Speaker) -> Hint:
    texts = [str(game.protocol.text(action)) for action in actions]
    said = [clean.line(game.action_in_words(text, speaker)) for text in texts]
    return Hint(speaker.say(key, action=said[0], others=", ".join(said[1:])), texts[0])


def worlds_of(game: Game, replay: Replay, played: Sequence[Moment], state: State, order: HintOrder) -> list[State]:
    """The states that the seat may take for the true one, by what it was sent and did; none where none were found.

    None either where something is hidden and the match began elsewhere: its first state is the true one.
    """
    if game.information is Information.PERFECT:
        return [state]
    if replay.header.start is not None:
        return []
    from dohyo.search.belief import Belief

    seats, seat = len(replay.header.seats), order.seat
    belief = Belief(game, seats, seat, setup=replay.header.setup, compiled=order.compiled)
    own = [(moment.before, moment.actions[seat]) for moment in played]
    turns = [(before, action) for before, action in own if action is not None]
    share = BEGINNING
    for before, action in turns:
        belief.observe(game.prompt(before, seat), seconds=order.seconds * share)
        belief.act(action)
        share = FINDING / len(turns)
    return belief.observe(game.prompt(state, seat), seconds=order.seconds * share)


def main() -> None:
    """Carry out the order of the standard input."""
    interpreter.enter(sys.argv[1])
    ours = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is not the answer
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=HintOrder)
    try:
        found = hint(decode(sys.stdin.buffer.read(order.size)), order)
    except Exception as error:
        speaker = Speaker(order.language)
        mistake = error if isinstance(error, OperatorError) else of_a_game(error)
        if mistake is None:
            print_defect()
        found = Hint(speaker.say("hint.none") if mistake is None else mistake.say(speaker))
    ours.write(msgspec.json.encode(found) + b"\n")
    ours.flush()


if __name__ == "__main__":
    main()
