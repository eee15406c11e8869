"""`dohyo play --until`: matches, several at a time, until one ends as the operator wants to see it.

Found is the match with the lowest number of those that fit, whichever ends first: the one that would be found if they
were played one after another. So a match that fits is the one only when all before it have ended and do not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo.cli.options import Outputs
from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.replay import Replay

if TYPE_CHECKING:
    from dohyo.bots.typed_words import Named
    from dohyo.core.bot_spec import BotSpec
    from dohyo.executors.messages import Executor, MatchOrder

Played = tuple[Replay, State, OperatorError | None]
Play = Callable[[dict[str, Any], Outputs, bool], Played]

MOST = 100  # matches, unless the operator says otherwise
FAULT, LOSS, WIN = "fault", "loss", "win"


class Series(NamedTuple):
    """The matches to look through: at most so many, the first with this seed, `order` making each."""

    seed: int
    most: int
    order: Callable[[int, int], MatchOrder]

    def seed_of(self, number: int) -> int:
        """The seed of a match, by its number from 1 on."""
        return self.seed if number == 1 else seeds.derived(self.seed, "until", number)


def fits(replay: Replay, until: str) -> bool:
    """Whether a match is one that the operator waits for; the bot is the one on seat 0."""
    if until == WIN:
        return replay.result.winner == 0
    if until == LOSS:
        return bool(replay.result.places) and replay.result.places[0] > 1
    moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
    return any(move.seat == 0 and move.faults for move in moves)


def play_until(
    until: str,
    most: int | None,
    watch: bool,
    game: Game,
    bots: Sequence[Named | BotSpec | str],
    options: dict[str, Any],
    outputs: Outputs,
    play: Play,
) -> Played:
    """Play matches until the first bot has one of this kind, and write that one's files.

    `options` are those of `play_match`. The first match has the seed in them, the others seeds that follow from it.
    `play` plays a match of which a worker had no report in this process. Without a file in `outputs`, the replay gets
    a name that says the game and the seed. Returns the replay, the state after its last turn, and why a file could
    not be written. Raises `OperatorError` if none of `most` matches (100 without it) is of this kind.
    """
    from dohyo.executors.pool import Pool
    from dohyo.match.replays.last import keep

    most = MOST if most is None else most
    if watch:
        raise OperatorError("until-with-watch")
    series = Series(options["seed"], most, _orders(game, bots, options))

    def again(number: int) -> Replay:
        return play({**options, "seed": series.seed_of(number)}, Outputs(None, None, outputs.speaker), False)[0]

    with Pool() as pool:
        found = look_through(series, pool, until, again, outputs)
    if found is None:
        raise OperatorError(f"until-no-{until}", most=most, seed=series.seed)
    number, replay = found
    outputs.kept = keep(replay, bots)
    if outputs.save is None and outputs.html is None:
        outputs.save = f"{replay.header.game}-{replay.header.seed}.replay"
    sys.stderr.write(outputs.speaker.say("until-found", number=number, seed=replay.header.seed) + "\n")
    end = _end(game, replay)
    try:
        outputs.check()
        outputs.write(replay)
    except OperatorError as error:
        return replay, end, error
    return replay, end, None


def look_through(
    series: Series, executor: Executor, until: str, again: Callable[[int], Replay], outputs: Outputs
) -> tuple[int, Replay] | None:
    """The first match that fits, with its number; none if no one does.

    `again` plays a match by its number once more, where the executor has only an error to tell of it. What goes on
    when the match is known is given up.
    """
    from dohyo.core.replay_format import decode
    from dohyo.terminal.screen import Progress

    speaker = outputs.speaker
    done: dict[
        int, Replay | None
    ] = {}  # the matches behind the first that is still played; none for one that is not it
    first = 1  # the lowest number that may be the one
    with Progress(speaker) as progress, closing(executor.play(_supply(series, done))) as reports:  # type: ignore[type-var]
        progress.show(speaker.say("until-progress", done=0, of=series.most))
        for count, report in enumerate(reports, 1):
            progress.show(speaker.say("until-progress", done=count, of=series.most))
            number = int(report.key)
            replay = again(number) if report.error else decode(report.replay)
            done[number] = replay if fits(replay, until) else None
            while first in done:
                if (it := done.pop(first)) is not None:
                    return first, it
                first += 1
    return None


def _supply(series: Series, done: dict[int, Replay | None]) -> Iterator[MatchOrder]:
    """The matches in order, until one fits: those behind it are not needed."""
    for number in range(1, series.most + 1):
        if any(replay is not None for replay in done.values()):
            return
        yield series.order(number, series.seed_of(number))


def _orders(
    game: Game, bots: Sequence[Named | BotSpec | str], options: dict[str, Any]
) -> Callable[[int, int], MatchOrder]:
    """What makes an order of a number and a seed: the match that `play_match` plays with these options."""
    from dohyo.executors.messages import MatchOrder
    from dohyo.match.found_bots import find_named
    from dohyo.match.play import beginning, match_clock, usual_clock

    clock, mode = options["clock"], options["mode"]
    resume = options.get("resume")
    state, full = beginning(game, options["setup"], len(bots), resume, options.get("first"), options["seed"])
    given = None if clock is None else match_clock(game, clock, mode=mode)
    found = tuple(find_named(game, list(bots), options["python"], options["sandbox"], options["debug"], full))
    return lambda number, seed: MatchOrder(
        str(number),
        game.name,
        found,
        seed,
        setup=dict(options["setup"]) if resume is None else full,
        clock=given or usual_clock(game, found, mode),
        sandbox="none" if options["sandbox"].is_none else "auto",
        pondering=options["pondering"],
        asks_where=options["asks_where"],
        start=None if resume is None else game.rules.LAYOUT.as_dict(state),
        first=0 if resume is None else resume[1] + bool(options.get("first")),
    )


def _end(game: Game, replay: Replay) -> State:
    """The state after the last turn."""
    from dohyo.core import playback

    return playback.state_at(game, replay, replay.header.first + replay.played)
