"""An analysis as the terminal shows it: each seat's curve, the turning points in words, and how all is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dohyo.guests.analysis.falls import largest_fall
from dohyo.series.analysed import Chances
from dohyo.terminal.screen import bot_names

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.i18n import Speaker
    from dohyo.series.analysed import Analysis, TurningPoint

POINTS = 10  # turning points that are printed; the page and --json have all
WIDTH = 60  # of the curve, in characters
BARS = "▁▂▃▄▅▆▇█"


def print_analysis(found: Analysis, match: Replay, file: str, game: Game, out: Console, speaker: Speaker) -> None:
    """Each seat's curve, and the turning points in words."""
    from dohyo.guests.analysis.sentences import facts_in_words, percent, point_in_words, stopped_in_words

    names = bot_names(match.header.seats)
    if not found.chances:
        out.print(speaker.say("analysis.nothing"))
        return
    course = with_result(found, match)
    turns = [one.turn for one in course]
    key = "analysis.chances" if len(course) == len(found.chances) else "analysis.chances-end"
    out.print(speaker.say(key, first=turns[0], last=found.chances[-1].turn), style="bold")
    for seat, name in enumerate(names):
        curve = [one.chance[seat] for one in course]
        bounds = f"{percent(curve[0]):>4} {drawn(at_every_turn(turns, curve))} {percent(curve[-1])}"
        out.print(f"  {seat}  {name}")
        out.print(f"     {bounds}")
    out.print()
    if stopped := stopped_in_words(found, names, speaker):
        out.print(stopped, style="bold", soft_wrap=True)
    judge = "" if found.judge is None else found.judge.name
    said = "-said" if judge else ""
    if not found.points:
        out.print(speaker.say(f"analysis.no-points{said}", judge=judge))
    else:
        out.print(speaker.say(f"analysis.points{said}", judge=judge), style="bold")
    for point in found.points[:POINTS]:
        out.print("  " + point_in_words(point, names[point.seat], speaker, judge), soft_wrap=True)
    if len(found.points) > POINTS:
        out.print("  " + speaker.say("analysis.more", more=len(found.points) - POINTS))
    for seat in range(len(names)):
        if sentence := fall_in_words(found, match, seat, speaker):
            out.print("  " + sentence, soft_wrap=True)
    if facts := facts_in_words(found.facts, names, game, speaker):
        out.print("\n" + speaker.say("analysis.facts"), style="bold")
    for fact in facts:
        out.print("  " + fact.text, soft_wrap=True)
    if found.points:
        again = better_command(found.points[0], match, file, game)
        out.print("\n" + speaker.say("analysis.try", command=again), soft_wrap=True)
    out.print()
    _print_how(found, match, file, game, out, speaker)


def _print_how(found: Analysis, match: Replay, file: str, game: Game, out: Console, speaker: Speaker) -> None:
    """How all of that is known, and what would say more."""
    from dohyo.guests.analysis.by_judge import is_worth_a_hint, judging_words
    from dohyo.guests.analysis.sentences import how_in_words, tried_in_words
    from dohyo.series.onward import MAX_SEATS

    out.print(tried_in_words(found, speaker), style="dim", soft_wrap=True)
    if found.absent or (found.judge is None and not found.by and len(found.seats) <= MAX_SEATS):
        out.print(speaker.say("analysis.looked-in", folders=_looked_in(file)), style="dim", soft_wrap=True)
        if not any(found.by):  # nobody plays on, or the search does
            out.print(speaker.say("analysis.bot-for-each"), style="dim", soft_wrap=True)
    out.print(how_in_words(found, speaker), style="dim", soft_wrap=True)
    if found.seen:
        unknown = sum(one.is_true for one in found.seen)
        said = [speaker.say("analysis.seen")]
        if unknown:
            said.append(speaker.say("analysis.seen-unknown", unknown=unknown, of=len(found.seen)))
        out.print(speaker.sentences(said), style="dim", soft_wrap=True)
    if found.judge is None and is_worth_a_hint(game, match, found):
        words = ", ".join(judging_words(game))
        out.print(speaker.say("analysis.by-hint", words=words), style="dim", soft_wrap=True)


def _looked_in(file: str) -> str:
    """The folders in which bots were looked for by their names; `file` is what was typed for the replay."""
    from dohyo import clean
    from dohyo.bench.rerun import looked_in
    from dohyo.match.replays import last

    beside = os.path.join(last.load(file)[1].folder, file) if last.is_meant(file) else file
    return ", ".join(clean.line(str(folder)) for folder in dict.fromkeys(looked_in(beside)))


def better_command(point: TurningPoint, match: Replay, file: str, game: Game) -> str:
    """The command that plays on after the better action of a turning point, with the dice of the match.

    The bots are those that were typed, if the match is the last one and was played from this folder; otherwise only
    sample bots are named: a name in a replay is a stranger's text.
    """
    from dohyo import bots
    from dohyo.match.command_lines import command
    from dohyo.match.replays import last

    samples = bots.samples_of(game)
    words = [one.name if one.name in samples else "BOT" for one in match.header.seats]
    if last.is_meant(file):
        replay, typed = last.load(file)
        if replay.header == match.header and typed.folder == os.getcwd():
            words = list(typed.words)
    first = f"{point.seat}={point.better}"
    place = f"{file}@{point.turn}"
    return command("play", game.name, *words, "--from", place, "--first", first, "--seed", str(match.header.seed))


def fall_in_words(found: Analysis, match: Replay, seat: int, speaker: Speaker) -> str:
    """Where a seat's chance fell the most, and by which action if one of one seat did most of it.

    Empty where it did not fall, or may not have by the bounds of what is known.
    """
    from dohyo.guests.analysis.analysis import fault_of
    from dohyo.guests.analysis.sentences import done_in_words, percent

    course = with_result(found, match)
    curve = [one.chance[seat] for one in course]
    if (fall := largest_fall(curve)) is None:
        return ""
    begin, end, before, after = fall
    if course[begin].low[seat] <= course[end].high[seat]:  # by their bounds it may not have fallen at all
        return ""
    names = bot_names(match.header.seats)
    told: dict[str, Any] = {"name": names[seat], "seat": seat, "before": percent(before), "after": percent(after)}
    told |= {"first": course[begin].turn, "last": min(course[end].turn, found.chances[-1].turn)}
    at = max(range(begin, end), key=lambda one: curve[one] - curve[one + 1])
    turn = course[at].turn
    played = next(one for one in match.turns if one.turn == turn)
    moves = played.moves
    told["turn"] = turn
    is_narrow = course[end].turn == course[begin].turn + 1
    wide = "analysis.fall-to-end" if end == len(found.chances) else "analysis.fall"
    if course[at + 1].turn > turn + 1:  # nobody knows in which of the turns between
        return speaker.say(wide, **told)
    if len(moves) != 1 or curve[at] - curve[at + 1] < (before - after) / 2:
        return speaker.say("analysis.fall-in" if is_narrow else wide, **told)
    action = done_in_words(moves[0].action, fault_of(played, moves[0].seat), speaker)
    told |= {"mover": names[moves[0].seat], "of": moves[0].seat, "action": action}
    return speaker.say("analysis.fall-in-by" if is_narrow else "analysis.fall-by", **told)


def with_result(found: Analysis, match: Replay) -> list[Chances]:
    """The curve, with the result behind it, as of the turn after the last one, if the analysis goes that far."""
    from dohyo.guests.analysis.chances import result_of

    if (result := result_of(found, match)) is None:
        return list(found.chances)
    shares = tuple(result)
    return [*found.chances, Chances(found.chances[-1].turn + 1, shares, shares, shares, proven=True)]


def at_every_turn(turns: Sequence[int], curve: Sequence[float]) -> list[float]:
    """A curve at every turn from the first of `turns` to the last, joined between these."""
    joined = [curve[0]]
    for (begin, before), (end, after) in pairwise(zip(turns, curve, strict=True)):
        joined += [before + (after - before) * (turn - begin) / (end - begin) for turn in range(begin + 1, end + 1)]
    return joined


def drawn(curve: Sequence[float]) -> str:
    """A curve of chances in one line of characters."""
    columns = min(WIDTH, len(curve))
    bounds = [len(curve) * at // columns for at in range(columns + 1)]
    means = [sum(curve[begin:end]) / (end - begin) for begin, end in pairwise(bounds)]
    return "".join(BARS[min(int(mean * len(BARS)), len(BARS) - 1)] for mean in means)
