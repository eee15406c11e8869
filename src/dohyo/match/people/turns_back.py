"""A match in which turns are taken back: played again from an earlier turn, and told as one replay.

The programs begin anew at that turn, as in `dohyo play --from`; the dice stay, as they follow from the match's seed
and the number of the turn. What is left of the match is one replay: the turns that count, from its first one on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import Replay, Turn
from dohyo.match.people.desk import TakenBackError, here
from dohyo.match.play import play_match
from dohyo.match.running import UNFINISHED
from dohyo.system.proc import fair_mode

MAX_BACK = 1000  # of a match


class Played:
    """The turns of a match that count so far, whatever was taken back."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.replay: Replay | None = None  # since it was begun, or taken back for the last time
        self._before: Replay | None = None  # what counts of the time before that, and the first turn taken back
        self._kept = 0  # turns of it that count

    def whole(self) -> Replay | None:
        """The match so far; none before it has begun."""
        if self.replay is None:
            return None if self._before is None else self.parts()[0]
        return self.replay if self._before is None else joined(self.game, self._before, self.replay)

    def parts(self) -> list[Replay]:
        """The match so far as replays that continue each other; the last one grows."""
        before = self._before
        if before is None:
            return [] if self.replay is None else [self.replay]
        kept = Replay(before.header, self.kept(), UNFINISHED)
        return [kept] if self.replay is None else [kept, self.replay]

    def kept(self) -> list[Turn]:
        """The turns that count from before the last one that was taken back."""
        return [] if self._before is None else list(self._before.turns[: self._kept])

    def back_to(self, turn: int) -> tuple[Replay, int]:
        """Keep what was played before a turn: from where `play_match` goes on."""
        whole = self.whole()
        assert whole is not None
        self._kept = count = turn - whole.header.first
        self._before = Replay(whole.header, list(whole.turns[: count + 1]), UNFINISHED)
        self.replay = None
        return self._before, turn


def play_with_people(
    game: Game,
    specs: Sequence[Any],
    *,
    played: Played,
    on_turn: Callable[[Replay], None] | None = None,
    on_back: Callable[[], None] = lambda: None,
    resume: tuple[Replay, int] | None = None,
    **options: Any,
) -> Replay:
    """Play a match whose people may take back turns; the replay of what counts.

    The words are those of `play_match`, which is called anew after each turn that is taken back. `played` knows at
    any moment what counts so far; `on_back` is called when something was taken back. Without a `mode`, time is
    counted as fairly as the system can: bots do not pay for the browser in which somebody plays against them.
    """
    options.setdefault("mode", fair_mode())

    def look(replay: Replay) -> None:
        played.replay = replay
        if on_turn is not None:
            on_turn(replay)

    for _ in range(MAX_BACK):
        try:
            played.replay = play_match(game, specs, resume=resume, on_turn=look, **options)
        except TakenBackError as back:
            resume = played.back_to(back.turn)
            if (desk := here()) is not None:
                desk.kept = played.kept()
            for given in ("setup", "first"):  # they stand in what is continued
                options.pop(given, None)
            on_back()
        else:
            break
    whole = played.whole()
    assert whole is not None
    return whole


def joined(game: Game, before: Replay, after: Replay) -> Replay:
    """One replay of the turns before the first of `after`, and of these.

    The digests are made anew: some games note in their state what a program was sent, and a program that begins
    anew is sent it once more. Where the rules do not join them, `after` alone is what was played.
    """
    count = after.header.first - before.header.first
    turns = list(before.turns[:count])
    rest = list(after.turns)
    if rest and count < len(before.turns):
        rest[0] = msgspec.structs.replace(rest[0], dice=before.turns[count].dice)
    try:
        told = _with_digests(game, Replay(before.header, [*turns, *rest], UNFINISHED))
    except ReplayError:
        return after
    return msgspec.structs.replace(after, header=before.header, turns=told)


def _with_digests(game: Game, replay: Replay) -> list[Turn]:
    """The turns with the digests of the states that the rules come to."""
    state = playback.beginning(game, replay)
    found = []
    for turn in replay.turns:
        moment = playback.replayed(game, state, turn, len(replay.header.seats))
        found.append(msgspec.structs.replace(turn, digest=game.rules.LAYOUT.digest(moment.after)))
    return found
