"""`dohyo play --from`: from a turn of a replay on, perhaps with another action in it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker

MAX_DIGITS = 18  # of a number that stands for a turn


def read_start(word: str, game: Game) -> tuple[Replay, int]:
    """A replay of `game` and one of its turns, from FILE@TURN."""
    from dohyo.match.replays.replays import find

    path, _, turn = word.rpartition("@")
    if not path or not turn.isdecimal() or len(turn) > MAX_DIGITS:
        raise OperatorError("from-not-file-turn", given=word)
    replay = find(path)
    if replay.header.game != game.name:
        raise OperatorError("from-other-game", path=path, found=replay.header.game, game=game.name)
    return replay, int(turn)


def read_first(words: Sequence[str], start: str | None) -> dict[int, str]:
    """What seats do in the turn of --from, from words SEAT=ACTION."""
    found: dict[int, str] = {}
    for word in words:
        seat, equals, action = word.partition("=")
        if not equals or not action.strip() or not seat.isdecimal() or len(seat) > MAX_DIGITS:
            raise OperatorError("first-not-seat-action", given=word)
        if int(seat) in found:
            raise OperatorError("first-twice", seat=int(seat))
        found[int(seat)] = action
    if found and start is None:
        raise OperatorError("first-without-from")
    return found


def tell_first(first: Mapping[int, str], then: int, speaker: Speaker) -> None:
    """Print what was played by --first; the bots were asked from turn `then` on."""
    said = [speaker.say("first-action", seat=seat, action=line.strip()) for seat, line in first.items()]
    sys.stdout.write(speaker.say("first-played", actions=", ".join(said), turn=then - 1, next=then) + "\n")
