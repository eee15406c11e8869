"""`dohyo check --fuzz N`: a bot in positions that it seldom meets, until it misbehaves in each way that it can."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Move, Replay
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.executors.messages import MatchReport

ENDINGS = (".replay", ".replay.zst")
MAX_RECORDED = 200  # replays that are used
MAX_MOVES = 1_000_000  # in all of them together; the last one is used, too
MAX_KEPT = 5  # faults that are told, each with a replay
OPPONENT = "random"


class Found(NamedTuple):
    """A fault that was found: in which match, of whom, and its move."""

    number: int
    replay: Replay
    seat: int
    turn: int
    move: Move


class Looked(NamedTuple):
    """What came of all matches: the faults, one of each kind, and how many matches say anything.

    `reason` is why one of the others could not be played, if one could not.
    """

    found: list[Found]
    played: int
    reason: str = ""


def recorded_in(paths: Sequence[str], game: Game, setup: Mapping[str, Any]) -> list[Replay]:
    """The replays of this game in files and folders, as many as are used; others are left out.

    So are those in which bots are told things in another way than under this `setup`: to a bot that is another game.
    Raises `OperatorError` for a file that is no replay, and where there is none of this game.
    """
    from dohyo.core import playback
    from dohyo.core.options import resolve
    from dohyo.match.replays import replays

    def told(given: Mapping[str, Any]) -> list[Any]:
        whole = resolve(game.options, given, game.catalogue)
        return [whole.get(option.name) for option in game.options if option.told]

    as_here = told(setup)
    found: list[Replay] = []
    moves = 0
    for path in paths:
        folder = sorted(Path(path).rglob("*")) if os.path.isdir(path) else None
        for file in [str(one) for one in folder if one.name.endswith(ENDINGS)] if folder is not None else [path]:
            if len(found) == MAX_RECORDED or moves >= MAX_MOVES:
                break
            try:
                replay = replays.find(file)
                if replay.header.game == game.name and replay.turns and told(replay.header.setup) == as_here:
                    for _ in playback.moments(game, replay):  # one that contradicts the rules is left out here
                        pass
                    found.append(_without_texts(replay))
                    moves += sum(len(turn.moves) for turn in replay.turns)
            except OperatorError:
                if folder is None:
                    raise
    if paths and not found:
        raise OperatorError("fuzz-no-replays", paths=", ".join(paths), game=game.name)
    return found


def _without_texts(replay: Replay) -> Replay:
    """The replay with what it takes to play it again: what strangers' bots wrote may be very long."""
    import msgspec

    plain = msgspec.structs.replace
    turns = [plain(turn, moves=tuple(Move(move.seat, move.action) for move in turn.moves)) for turn in replay.turns]
    return plain(replay, turns=turns, result=plain(replay.result, last=()))


def look(
    game: Game, word: str, options: dict[str, Any], count: int, positions: Sequence[str], speaker: Speaker
) -> Looked:
    """Play so many matches from rare positions; the faults that were found, one of each kind, with a replay each.

    `options` are those of the check. Raises `OperatorError` where none of the matches could be played: nothing is
    known of the bot then.
    """
    from dohyo.core.replay_format import decode
    from dohyo.executors.pool import Pool
    from dohyo.match.found_bots import find_named
    from dohyo.match.play import match_clock, usual_clock
    from dohyo.series.rare import RareMatches
    from dohyo.system.proc import fair_mode
    from dohyo.terminal.screen import Progress

    recorded = recorded_in(positions, game, options["setup"] or {})
    sandbox, mode = options["sandbox"], fair_mode()
    bot, *others = find_named(game, [word, OPPONENT], options["python"], sandbox, options["debug"], options["setup"])
    clock = options["clock"]
    matches = RareMatches(
        game,
        bot,
        others,
        seed=options["seed"],
        setup=options["setup"],
        clock=usual_clock(game, [bot], mode) if clock is None else match_clock(game, clock, mode=mode),
        sandbox="none" if sandbox.is_none else "auto",
        recorded=recorded,
    )
    found: dict[tuple[str, str], Found] = {}
    played, reason = 0, ""
    with (
        Pool() as pool,
        Progress(speaker) as progress,
        closing(pool.play(matches.orders(count))) as reports,  # type: ignore[type-var]
    ):
        for done, report in enumerate(reports, 1):
            progress.show(speaker.say("fuzz-progress", done=done, of=count, found=len(found)))
            played += bool(report.places)
            reason = reason or report.error
            for one in _faults(report, matches.seats[int(report.key)], decode):
                kind = str(one.move.faults[0].kind.value), str(one.move.faults[0].code)
                if kind not in found or one.number < found[kind].number:
                    found[kind] = one
    if not played and not found:
        raise OperatorError("fuzz-none-played", reason=reason)
    return Looked(sorted(found.values(), key=lambda one: one.number)[:MAX_KEPT], played, reason)


def tell(looked: Looked, game: Game, word: str, count: int, speaker: Speaker) -> None:
    """Print what was found, each with the replay that has it, and with what shows it again."""
    from dohyo.match.command_lines import command
    from dohyo.match.replays import replays
    from dohyo.match.telling.fault_words import kind_and_detail
    from dohyo.terminal.screen import console

    out = console()
    if not looked.found:
        out.print(speaker.say("fuzz-nothing", count=looked.played), soft_wrap=True)
    if looked.played < count:
        left = {"count": count - looked.played, "reason": looked.reason or "-"}
        out.print(speaker.say("fuzz-unplayed", **left), soft_wrap=True, markup=False)
    for one in looked.found:
        kind, happened = kind_and_detail(one.move.faults[0], game, speaker)
        file = f"{game.name}-{one.replay.header.seed}.replay"
        replays.save(one.replay, file)
        usual = {option.name: option.default for option in game.options}
        other = {key: value for key, value in one.replay.header.setup.items() if usual.get(key) != value}
        setup = clean.line(", ".join(f"{key}={value}" for key, value in other.items()))
        found = {"number": one.number, "turn": one.turn, "seats": len(one.replay.header.seats), "setup": setup or "-"}
        out.print(speaker.say("fuzz-found", fault=kind, **found), soft_wrap=True, markup=False)
        if happened:
            out.print(f"  {happened}", soft_wrap=True, markup=False)
        again = command("rerun", file, str(one.seat), word)
        out.print(f"  {again}", soft_wrap=True, markup=False)
    sys.stdout.flush()


def _faults(report: MatchReport, seat: int, decode: Any) -> list[Found]:
    """The first fault of the bot's in a match, if it has one that is more than noted."""
    if report.error or not report.faults or not report.faults[seat]:
        return []
    replay = decode(report.replay)
    moves = [(turn.turn, move) for turn in replay.turns for move in turn.moves]
    moves += [(replay.header.first + replay.played, move) for move in replay.result.last]
    for turn, move in moves:
        kept = tuple(fault for fault in move.faults if not fault.note)
        if move.seat == seat and kept:
            import msgspec

            only = msgspec.structs.replace(move, faults=kept)
            return [Found(int(report.key), replay, seat, turn, only)]
    return []
