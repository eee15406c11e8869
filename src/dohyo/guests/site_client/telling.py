"""What came of a hand-in, as it stands in a terminal: the examiner's words, cleaned."""

from __future__ import annotations

from collections.abc import Iterator

from dohyo import clean
from dohyo.guests.site_client.values import ExaminedHandIn, SiteFinding, SiteStanding
from dohyo.i18n import Speaker

SEVERITIES = ("wrong", "warning", "fine")
STATES = ("waiting", "checking", "refused", "entered", "replaced", "retired", "disqualified")
SCOPES = ("read", "hand-in", "play-distant", "organise")
LONGEST = 20_000  # characters of a text of several lines


def outcome(found: ExaminedHandIn, speaker: Speaker) -> Iterator[str]:
    """What the examiner says, line by line."""
    if found.reason:
        yield clean.line(found.reason)
    if found.log:
        yield from _indented(found.log)
    for each in found.findings:
        yield from _finding(each, speaker)
    yield state(found.state, speaker, bot=found.bot, ladder=found.ladder, why=found.disqualified)


def state(name: str, speaker: Speaker, **values: object) -> str:
    """A hand-in's state in words; one that this version does not know as it is called."""
    return speaker.say(f"site-state-{name}", **values) if name in STATES else clean.line(name)


def scope(name: str, speaker: Speaker) -> str:
    """What a token may do, in words; as it is called where this version does not know it."""
    return speaker.say(f"site-scope-{name}") if name in SCOPES else clean.line(name)


def standing(found: SiteStanding, speaker: Speaker) -> str:
    """Where a bot stands, in words; some formats have no ratings, and some ratings are not known yet."""
    values = {"place": found.place, "matches": found.matches}
    if found.rating is None or found.low is None:
        return speaker.say("site-placed", **values)
    return speaker.say("site-stands", rating=found.rating, low=found.low, high=found.high, **values)


def _finding(found: SiteFinding, speaker: Speaker) -> Iterator[str]:
    severity = speaker.say(f"site-{found.severity}") if found.severity in SEVERITIES else clean.line(found.severity)
    where = f"{clean.line(found.where)}: " if found.where else ""
    count = speaker.say("site-times", count=found.count) if found.count > 1 else ""
    yield f"{severity} {where}{clean.line(found.said)}{count}"
    if found.advice:
        yield f"  {clean.line(found.advice)}"
    for title, text in (("sent", found.input), ("wrote", found.written), ("errors", found.errors)):
        if text:
            yield f"  {speaker.say(f'site-{title}')}"
            yield from _indented(text)


def _indented(text: str) -> Iterator[str]:
    for line in clean.block(text.rstrip(), LONGEST).split("\n"):
        yield f"    {line}"
