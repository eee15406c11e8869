"""`dohyo compare`: its table of parts, and the matches that were kept, with what to type to look at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from rich.cells import cell_len

from dohyo import clean, doors
from dohyo.bots.typed_words import named, revision
from dohyo.i18n import Speaker
from dohyo.match.command_lines import command
from dohyo.match.git_trees import with_path

if TYPE_CHECKING:
    from dohyo.series.compare import Trial
    from dohyo.series.compare_folder import ComparisonFolder, KeptMatch

SHOWN = 3  # matches; all are in the folder
LONGEST = 40  # characters of an answer
GAP = "   "


def lined_up(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines of text, with their columns one below the other; rows may have fewer cells than others."""
    widths = [max(cell_len(row[at]) for row in rows if at < len(row)) for at in range(max(len(row) for row in rows))]
    return [
        GAP.join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]


def kept_lines(
    trial: Trial,
    folder: ComparisonFolder,
    names: Sequence[str],
    typed: Sequence[str],
    speaker: Speaker,
    python: str | None,
) -> Iterator[tuple[str, bool]]:
    """What was kept, and of the first matches where the bots disagree, with what to type to look at them.

    Each line comes with whether it is to be typed, and so must not be broken in two. Matches with a fault of the
    candidate come first, then those in which the older version answers differently. `typed` are the words for the
    bots, `python` is the interpreter for bots in Python.
    """
    kept = sorted(trial.kept, key=lambda row: (not row.faulty, row.disagreement is None, row.number))
    yield "", False
    if not kept:
        key = "compare.kept-none" if trial.game.referee is None else "compare.kept-refereed"
        yield speaker.say(key, path=folder.path), False
        return
    yield speaker.say("compare.kept", path=folder.path, count=len(kept)), False
    by_seed = {row.seed: row for row in reversed(kept)}  # two lost matches of a seed part at the same turn
    for row in [row for row in kept if by_seed[row.seed] is row][:SHOWN]:
        opponents = speaker.listed(names[baseline] for baseline in trial.opponents(row.number))
        result = speaker.say(f"compare.result.{row.result}")
        faulty = speaker.say("compare.result.faulty") if row.faulty else ""
        match = {"number": row.number, "result": result, "seat": row.seat, "opponents": opponents}
        yield speaker.say("compare.kept-match", **match) + faulty, False
        found = row.disagreement
        if found is not None and row.baseline is not None:
            answers = {"new": _answer(found.new, speaker), "old": _answer(found.old, speaker)}
            bots = {"candidate": names[0], "baseline": names[row.baseline]}
            key = "compare.disagree" if found.is_own else "compare.disagree-there"
            yield "  " + speaker.say(key, turn=found.turn, seat=found.seat, **answers, **bots), False
        options: dict[str, Any] = {"python": python, "trust": trial.terms.sandbox == "none"}
        yield from ((f"  {line}", True) for line in _commands(row, folder, typed[:1], options))
        if found is None and doors.has_command("rerun") and (older := _older(trial.older, typed)):
            line = command("rerun", str(folder.path / row.file), str(row.seat), older, **options)
            yield "  " + speaker.say("compare.older-there", baseline=names[trial.older]), False
            yield f"  {line}", True


def _commands(
    row: KeptMatch, folder: ComparisonFolder, candidate: Sequence[str], options: dict[str, Any]
) -> Iterator[str]:
    """What to type: the match, or its faults; and the candidate under what was sent there."""
    file, found = str(folder.path / row.file), row.disagreement
    yield command("replay", file, "--faults" if row.faulty else "--watch")
    if not doors.has_command("rerun"):
        return
    seat, until = (row.seat, []) if found is None else (found.seat, ["--until", str(found.turn)])
    yield command("rerun", file, str(seat), *candidate, *until, **options)


def _older(number: int, typed: Sequence[str]) -> str | None:
    """The word for the older version, as it can stand alone; none if no word can say that."""
    if len(typed) <= number:
        return None
    meant = named(typed[number])
    asked = revision(meant.bot)
    if asked is None:
        return typed[number]
    whole = with_path(asked, named(typed[0]).text)
    return f"{meant.name}={whole}" if meant.name and whole else whole


def _answer(text: str | None, speaker: Speaker) -> str:
    return speaker.say("rerun-nothing") if text is None else repr(clean.line(text, LONGEST))


def document(trial: Trial, names: Sequence[str]) -> list[dict[str, Any]]:
    """The kept matches for a script, in the order of their numbers."""
    found = []
    for row in trial.kept:
        plain = msgspec.to_builtins(row)
        parted = plain.pop("disagreement", None)
        baseline = plain.pop("baseline", None)
        if parted is not None and baseline is not None:
            parted = {**parted, "baseline": names[baseline]}
        usual = {"faulty": False, "opponent_faulty": False}
        found.append({**usual, **plain, "disagreement": parted})
    return found
