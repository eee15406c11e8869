"""`dohyo play --from REPLAY@TURN --first 0=A --first 0=B --times N`: which of two actions wins more often?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo import clean
from dohyo.cli.options import is_debug, sandbox_for
from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.bots import Bot
    from dohyo.core.clock import Clock
    from dohyo.core.game import Game
    from dohyo.match.request import PlayRequest
    from dohyo.series.branches import Tally


class TwoWays(NamedTuple):
    """What is compared: a replay's turn, the seat with two actions, and by way what all seats do in that turn."""

    replay: Replay
    turn: int
    seat: int
    lines: tuple[dict[int, str], dict[int, str]]


def read_ways(words: Sequence[str], start: str | None, game: Game) -> TwoWays:
    """The two ways in words SEAT=ACTION, of which two are for the same seat.

    Raises `OperatorError` where they are not.
    """
    from dohyo.cli.play_from import read_first, read_start

    if start is None:
        raise OperatorError("times-two-ways")
    lines: list[dict[int, str]] = [{}, {}]
    seat = None
    for word in words:
        ((who, line),) = read_first([word], start).items()
        if who not in lines[0]:
            lines[0][who] = lines[1][who] = line
        elif seat is None and line != lines[0][who]:
            seat, lines[1][who] = who, line
        else:
            raise OperatorError("times-two-ways")
    if seat is None:
        raise OperatorError("times-two-ways")
    replay, turn = read_start(start, game)
    return TwoWays(replay, turn, seat, (lines[0], lines[1]))


def play_ways(
    game: Game,
    bots: Sequence[Bot],
    ways: TwoWays,
    times: int,
    *,
    seed: int,
    clock: Clock | None,
    sandbox: str,
    as_json: bool,
    speaker: Speaker,
) -> None:
    """Play on after each of the two actions so often, with the same luck, and say which one wins more."""
    from dohyo.executors.pool import Pool
    from dohyo.match.first_turn import state_after
    from dohyo.series.branches import STEP, Branch, ByBots, Tally
    from dohyo.terminal.screen import Progress

    states = [state_after(game, ways.replay, ways.turn, lines) for lines in ways.lines]
    for state in states:
        game.reseat(state)
    tally = Tally()
    with Pool() as pool, Progress(speaker) as progress:
        setup = dict(ways.replay.header.setup)
        by = ByBots(game, bots, pool, setup=setup, clock=clock, sandbox=sandbox)
        for begin in range(0, times, STEP):
            lucks = [seeds.derived(seed, "played on", luck) for luck in range(begin, min(begin + STEP, times))]
            ends = by.ends([Branch(state, ways.turn + 1, luck) for luck in lucks for state in states])
            for pair in zip(ends[::2], ends[1::2], strict=True):
                tally.add(*pair, ways.seat)
            progress.show(speaker.say("times.progress", done=min(begin + STEP, times), of=times))
    if not tally.times:
        raise OperatorError("times-none", reason=by.error)
    told = _told(ways, tally)
    if as_json:
        sys.stdout.write(clean.document({**told, "seed": seed}))
        return
    _print(told, tally, speaker)


def _told(ways: TwoWays, tally: Tally) -> dict[str, Any]:
    """What came of it, as JSON."""
    gain, error = tally.gain, tally.error
    actions = [lines[ways.seat].strip() for lines in ways.lines]
    return {
        "turn": ways.turn,
        "seat": ways.seat,
        "times": tally.times,
        "actions": [{"action": action, "won": won} for action, won in zip(actions, tally.won, strict=True)],
        "gain": gain,
        "low": max(-1.0, gain - error),
        "high": min(1.0, gain + error),
        "always": tally.is_always_alike,
    }


def _print(told: dict[str, Any], tally: Tally, speaker: Speaker) -> None:
    """Both counts, and which action is better, if that is known."""
    from dohyo.terminal.screen import console

    out = console()
    out.print(speaker.say("times.head", turn=told["turn"], seat=told["seat"], times=told["times"]), style="bold")
    for one in told["actions"]:
        won = one["won"]
        count = f"{won:.0f}" if won == int(won) else f"{won:.1f}"
        line = speaker.say("times.won", action=one["action"], won=count, share=f"{100 * won / told['times']:.0f} %")
        out.print("  " + line, soft_wrap=True)
    better = told["actions"][1 if told["gain"] > 0 else 0]["action"]
    low, high = sorted((abs(told["low"]), abs(told["high"])))
    if told["always"]:
        key = "times.always" if told["gain"] else "times.always-same"
    else:
        key = "times.better" if told["low"] > 0 or told["high"] < 0 else "times.unclear"
    bounds = {"low": f"{100 * low:.0f} %", "high": f"{100 * high:.0f} %"}
    if key == "times.unclear":
        bounds = {"low": f"{100 * told['low']:+.0f} %", "high": f"{100 * told['high']:+.0f} %"}
    out.print(speaker.say(key, better=better, **bounds), soft_wrap=True)


def compare(asked: PlayRequest, game: Game, trust: bool, as_json: bool, speaker: Speaker) -> None:
    """Compare the two actions of --first."""
    from dohyo.match.found_bots import find_named
    from dohyo.match.play import match_clock, new_seed
    from dohyo.system.proc import fair_mode

    ways = read_ways(asked.first, asked.start, game)
    box = sandbox_for(asked.sandbox, trust, speaker)
    debug = is_debug(asked.build, asked.clock, speaker)
    bots = find_named(game, list(asked.bots), asked.python, box, debug, ways.replay.header.setup)
    seats = len(ways.replay.header.seats)
    if len(bots) != seats:
        raise OperatorError("wrong-number-of-bots", game=game.name, wanted=seats, given=len(bots))
    play_ways(
        game,
        bots,
        ways,
        asked.times or 1,
        seed=new_seed() if asked.seed is None else asked.seed,
        clock=match_clock(game, asked.clock, [bot.lifetime for bot in bots], fair_mode()),
        sandbox="none" if trust else asked.sandbox,
        as_json=as_json,
        speaker=speaker,
    )
