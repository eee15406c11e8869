"""Examining a hand-in: it is built and checked as by `dohyo check`, and plays a match that its author watches.

A fault in the match that is watched is a finding like those of the check. It is a warning, though: the check's own
matches decide whether a bot may play, here as at home, and a bot that fails again and again on its ladder pauses.

What was found is kept in every language, because who reads it later chooses one. Paths of this machine are not in it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from dohyo import bots, clean, games
from dohyo.bench.check.check import TimeIsUp, check_bot, findings_of_match
from dohyo.bench.check.findings import CheckReport, Finding, fine
from dohyo.bots import Bot, archive, newly_kept
from dohyo.core.bot_spec import BotSpec, HandIn, Sample
from dohyo.core.errors import BuildError, MachineError, OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import encode
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.house import clock_of
from dohyo.guests.site.folder import SiteFolder
from dohyo.i18n import LANGUAGES, Speaker
from dohyo.match.found_bots import find_bots
from dohyo.match.play import Interrupted, play_match
from dohyo.match.replays.turn_file import TurnFile
from dohyo.match.sandboxing import sandbox_of
from dohyo.sandbox import Sandbox
from dohyo.system import disk

SHOWN_SECONDS = 15.0  # the match that its author watches ends after so long
LONGEST_LOG = 20_000  # characters of a compiler's output: the first half and the last
LONGEST_TEXT = 4000  # characters of what a bot was sent or wrote
MAX_FINDINGS = 50
OPPONENT = "random"
WATCHED_MATCH = 0  # its number among those of the check, which count from 1
# What is said of the check's own matches where the one that is watched had a fault.
OTHERS = {"check.played": "serve.check-others", "check.played-part": "serve.check-others-part"}
MAX_KEPT = 32 << 20  # bytes of a version that plays, which are kept as long as its results
MAX_BUILT = 128 << 20  # bytes of what is built of it, which stay in the cache for a day at least

Said = dict[str, str]
"""A sentence by language."""


class Told(msgspec.Struct, omit_defaults=True):
    """One finding, in words: `severity` is wrong, warning or fine."""

    severity: str
    said: Said
    where: Said = {}
    advice: Said = {}
    count: int = 1
    input: str = ""
    written: str = ""
    errors: str = ""


class Examined(msgspec.Struct, omit_defaults=True):
    """What is known of a hand-in after it was examined.

    `reason` says why it cannot be used at all, and `log` is then what the compiler printed. `longest` is its longest
    turn and `limit` what it may take, in seconds. `faulty`: it had a fault in the match that its author watches.
    """

    fit: bool
    language: str = ""
    reason: Said = {}
    log: str = ""
    findings: list[Told] = []
    longest: float | None = None
    limit: float = 0.0
    faulty: bool = False


class Outcome(msgspec.Struct):
    """What came of it: what is told, the bot if it can play, the replay of its match, encoded, and the bytes that
    are kept of it where it plays.
    """

    examined: Examined
    bot: Bot | None = None
    replay: bytes = b""
    size: int = 0


class Place(msgspec.Struct, frozen=True):
    """Where a hand-in lies while it is examined; texts about it are told without that path."""

    folder: Path
    path: str

    def plain(self, text: str) -> str:
        """A text without the path."""
        return text.replace(f"{clean.line(os.fspath(self.folder))}/", "").replace(f"{self.folder}/", "")

    def said(self, say: Callable[[Speaker], str]) -> Said:
        """What somebody says, in every language; empty where it says nothing."""
        told = {language: self.plain(say(Speaker(language))) for language in LANGUAGES}
        return told if any(told.values()) else {}


def examine(site: SiteFolder, hand_in: HandInRow, sandbox: str = "require") -> Outcome:
    """Build and check a hand-in, and play its match.

    Raises `MachineError` for what no hand-in is to blame for; then it has to be examined again. No program is left
    running, and nothing of it is left in the folder of work, however this ends; of one that may not play, nothing in
    the cache either, unless another judge examines the same files or lets them play.
    """
    folder = site.work / str(hand_in.id)
    place = Place(folder, os.fspath(folder / hand_in.filename))
    shutil.rmtree(folder, ignore_errors=True)
    with newly_kept.noting() as noted:
        try:
            folder.mkdir(mode=0o700)
            Path(place.path).write_bytes(site.files().get(hand_in.file))
            outcome = _examine(site, hand_in, place, sandbox_of(sandbox))
            if outcome.examined.fit:
                noted.accept()
            return outcome
        except OSError as error:
            raise MachineError("cannot-write", path=folder, reason=error) from error
        finally:
            disk.remove(folder)
            noted.remove()


def _examine(site: SiteFolder, hand_in: HandInRow, place: Place, sandbox: Sandbox) -> Outcome:
    game = games.find(hand_in.ladder.game)
    spec = HandIn(place.path, entry=True)
    try:
        (bot,) = find_bots(game, [spec], None, sandbox, follow=False)  # once: a process of its own reads it
        report = check_bot(game, bot, **_terms(hand_in), sandbox=sandbox)
    except MachineError:
        raise
    except OperatorError as error:
        log = clean.block(error.log.rstrip()) if isinstance(error, BuildError) else ""
        examined = Examined(False, reason=place.said(error.say), log=_bounded(place.plain(log), LONGEST_LOG))
        return Outcome(examined)
    examined = _told(report, game, place)
    if not report.fit:
        return Outcome(examined)
    named = msgspec.structs.replace(bot, name=hand_in.bot)
    size = len(archive.pack(named, dict(bots.samples_of(game))))
    too_large = _too_large(bot, size)
    if too_large:
        return Outcome(Examined(False, reason=too_large))
    replay = _play(site, hand_in, game, named, sandbox)
    _add_watched(examined, report, game, named, replay, place)
    return Outcome(examined, bot, encode(replay), size)


def _too_large(bot: Bot, size: int) -> Said:
    """Why the site does not keep it: a small zip may hold very much, and a short source may become very large."""
    if size > MAX_KEPT:
        return {one: Speaker(one).say("serve-unpacked-large", most=MAX_KEPT >> 20) for one in LANGUAGES}
    if bot.built and disk.size_of(bot.built) > MAX_BUILT:
        return {one: Speaker(one).say("serve-built-large", most=MAX_BUILT >> 20) for one in LANGUAGES}
    return {}


def _terms(hand_in: HandInRow) -> dict[str, Any]:
    """The clock and the setup of its ladder or contest."""
    played = hand_in.ladder.played
    return {"clock": clock_of(hand_in.ladder.game, played.clock), "setup": played.setup}


def _told(report: CheckReport, game: Game, place: Place) -> Examined:
    """The examiner's report in words."""
    findings = [_finding(each, game, place) for each in report.findings[:MAX_FINDINGS]]
    return Examined(
        report.fit, report.language, findings=findings, longest=report.longest or report.first, limit=report.limit
    )


def _add_watched(examined: Examined, report: CheckReport, game: Game, bot: Bot, replay: Replay, place: Place) -> None:
    """Add what went wrong in the match that its author watches, before all else."""
    clock = replay.header.clock
    per_turn = bot.lifetime == "turn" and "turn" in game.lifetimes
    seen = CheckReport(game.name, bot.name)
    if clock is not None and not replay.disturbed:  # a match that the machine disturbed says nothing of its bots
        seen.add([*findings_of_match(game, replay, 0, WATCHED_MATCH, clock, per_turn, bot)])
    if not seen.findings:
        return
    examined.faulty = any(one.severity == "wrong" for one in seen.findings)
    told = []
    for one in seen.findings:
        one.severity, one.match = "warning", None
        said = _finding(one, game, place)
        shown = place.said(lambda speaker: speaker.say("serve.check-match"))
        where = {each: ", ".join(filter(None, (first, said.where.get(each, "")))) for each, first in shown.items()}
        told.append(msgspec.structs.replace(said, where=where))
    for at, one in enumerate(report.findings[:MAX_FINDINGS]):
        if one.key in OTHERS:  # those were other matches: both sentences stand on one page
            examined.findings[at] = _finding(fine(OTHERS[one.key], **one.details), game, place)
    examined.findings = [*told, *examined.findings][:MAX_FINDINGS]


def _finding(found: Finding, game: Game, place: Place) -> Told:
    def in_words(say: Callable[[Speaker], str]) -> Said:
        return place.said(lambda speaker: say(speaker.knowing(game.catalogue)))

    def text(given: str | None) -> str:
        return _bounded(place.plain(clean.block(given or "")), LONGEST_TEXT)

    return Told(
        found.severity,
        in_words(found.say),
        in_words(found.where),
        in_words(found.advice),
        found.count,
        text(found.input),
        text(found.written),
        text(found.errors),
    )


def _bounded(text: str, most: int) -> str:
    """A text of at most so many characters: of a longer one the beginning, where a first error is, and the end."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n[...]\n{text[-half:]}"


def _play(site: SiteFolder, hand_in: HandInRow, game: Game, bot: Bot, sandbox: Sandbox) -> Replay:
    """Play its first match, which its author can watch; the replay."""
    samples = bots.samples_of(game)
    other = OPPONENT if OPPONENT in samples else next(iter(samples), "")
    seats = max(2, game.seats[0])
    specs: list[BotSpec | Bot] = [bot, *([Sample(other) if other else bot] * (seats - 1))]
    end = monotonic() + SHOWN_SECONDS
    with TurnFile(site.live / str(hand_in.id)) as live:

        def look(replay: Replay) -> None:
            live.on_turn(replay)
            if monotonic() > end:
                raise TimeIsUp

        options: dict[str, Any] = {"seed": hand_in.id, **_terms(hand_in), "sandbox": sandbox}
        options["asks_where"] = True
        try:
            return play_match(game, specs[: game.seats[1]], on_turn=look, **options)
        except Interrupted as interrupt:
            if isinstance(interrupt.__cause__, TimeIsUp):
                return interrupt.replay
            raise
