"""What the check of a bot found: values, each with its sentence in the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from dohyo.i18n import ENGLISH, Speaker, has

Severity = Literal["wrong", "warning", "fine"]


class Finding(msgspec.Struct, omit_defaults=True):
    """One thing that was seen.

    `key` is the key of a sentence in the catalogue, `details` are its placeholders' values; `remedy` is the key of
    the sentence that says what to do about it. A time in `details` is a float, in seconds; `place` is where it was
    when its time was over, empty if only a debug build says that. `turn` counts the bot's own turns from 1, `line`
    the lines of its standard output from 1, both within one process of it; `match` is the match in which it happened,
    none in the protocol check. `count` says how often the same was seen.

    `input` is the exact text that the bot had been sent in that turn, `written` what it wrote, `errors` the last
    lines of its standard error. `replay_turn` is the same turn as the match's replay counts it, from 0; none in the
    protocol check, which has no replay.
    """

    key: str
    severity: Severity
    details: dict[str, Any] = {}
    remedy: str = ""
    turn: int | None = None
    line: int | None = None
    match: int | None = None
    count: int = 1
    input: str | None = None
    written: str | None = None
    errors: str = ""
    replay_turn: int | None = None

    def say(self, speaker: Speaker = ENGLISH) -> str:
        """What was seen, and what was expected; the speaker knows the game's own sentences."""
        seen = speaker.say(self.key, **_for_sentence(self.details, speaker))
        if (place := self.details.get("place")) is None:
            return seen
        return speaker.sentences((seen, speaker.say("check.was-at" if place else "check.was-at.debug", place=place)))

    def where(self, speaker: Speaker = ENGLISH) -> str:
        """In which turn, at which line; empty where neither is known."""
        in_match = None if self.turn is None else self.replay_turn
        own = self.turn if in_match is None else None
        places = {"match": self.match, "replay-turn": in_match, "turn": own, "line": self.line}
        named = [
            speaker.say(f"check.at.{name}", number=at, own=self.turn) for name, at in places.items() if at is not None
        ]
        return speaker.listed(named)

    def advice(self, speaker: Speaker = ENGLISH) -> str:
        """What to do about it; empty where there is nothing to do."""
        return speaker.say(self.remedy, **_for_sentence(self.details, speaker)) if self.remedy else ""


class FailedMatch(msgspec.Struct):
    """A match in which something was wrong: its number, its seed, and the command that plays it again."""

    match: int
    seed: int
    command: str


class CheckReport(msgspec.Struct):
    """What is known of one bot.

    `findings` are in the order in which they were made. `turns` is how often the bot was asked in all, `matches` how
    many matches were played. The times are in seconds: the `median` of all turns; the `longest` turn, without the
    first one of a process, which has its own limit; and the longest `first` turn. `limit` is the limit of a turn,
    `first_limit` that of a first turn (0 where the clock gives time for the whole match); `share` is the greatest
    part of its limit that any turn took. `failed` are the matches in which something was found to be wrong.

    `person` is who handed it in, if the operator has told. `digest` is that of its files by name and content, as in a
    contest; `likeness` that of their content alone, of a bot in a folder of hand-ins. Both are empty if it does not
    build.
    """

    game: str
    name: str
    language: str = ""
    findings: list[Finding] = []
    turns: int = 0
    matches: int = 0
    median: float | None = None
    longest: float | None = None
    first: float | None = None
    limit: float = 0.0
    first_limit: float = 0.0
    share: float | None = None
    failed: list[FailedMatch] = []
    person: str = ""
    digest: str = ""
    likeness: str = ""

    @property
    def called(self) -> str:
        """Who handed it in; otherwise its own name."""
        return self.person or self.name

    @property
    def fit(self) -> bool:
        """Whether nothing was found that should keep it out of a contest."""
        return not self.wrong

    @property
    def wrong(self) -> list[Finding]:
        """What is wrong, in the order in which it was found."""
        return [finding for finding in self.findings if finding.severity == "wrong"]

    def add(self, found: Sequence[Finding]) -> None:
        """Add what was found; if the same was found before, it is only counted."""
        for finding in found:
            for known in self.findings:
                if (known.key, known.severity) == (finding.key, finding.severity):
                    known.count += finding.count
                    break
            else:
                self.findings.append(finding)


def wrong(key: str, severity: Severity = "wrong", /, **details: object) -> Finding:
    """A finding with the remedy that belongs to it, if there is one in the catalogue."""
    remedy = f"{key}.do"
    return Finding(key, severity, details, remedy if has(remedy) else "")


def fine(key: str, /, **details: object) -> Finding:
    """Something that is as it should be."""
    return Finding(key, "fine", details)


def _for_sentence(details: dict[str, Any], speaker: Speaker) -> dict[str, Any]:
    """The details with times as people read them."""
    return {
        name: speaker.duration(value, ".3g") if isinstance(value, float) else value for name, value in details.items()
    }
