"""What a participant of a ladder gets to know: what he handed in, what the check found, where his bots stand and why.

It is what he may see himself at this moment, whoever asks for it: while standings are frozen, a mail gives nothing
away.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from email.message import EmailMessage
from email.policy import SMTP

import msgspec
from sqlalchemy import select

from dohyo import clean
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.bot_facts import Opponent
from dohyo.guests.site.arena.contest_page import contest_lines
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.outs import with_outs
from dohyo.guests.site.arena.own_faults import BotFaults, faults_of, told
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import BotPage, Line, Played, bot_page
from dohyo.guests.site.judging.examine import Examined
from dohyo.guests.site.people.accounts import Person
from dohyo.i18n import Speaker
from dohyo.series.store.database import Database

OPPONENTS = 3  # of the best and of the worst
WATCHED = 3  # matches that were lost
HANDED_IN = 20  # hand-ins, the newest ones
FOUND = 10  # of what the check found


class Item(msgspec.Struct, frozen=True):
    """A line: what it says, and the path below the site's address that it leads to; empty for none."""

    text: str
    path: str = ""


class Section(msgspec.Struct, frozen=True):
    """Lines about one thing."""

    title: str
    items: list[Item]


class Letter(msgspec.Struct, frozen=True):
    """A file for one participant: `mail` is empty where no address is known."""

    name: str
    mail: str
    text: str
    subject: str


def participants(database: Database, ladder: Ladder) -> list[Person]:
    """Who has a bot in a ladder, by name."""
    people, bots = tables.people, tables.bots
    mine = select(bots.c.person).where(bots.c.ladder == ladder.id, bots.c.house == 0)
    asked = select(people.c.id, people.c.name, people.c.role).where(people.c.id.in_(mine)).order_by(people.c.key)
    rows = database.read(lambda connection: connection.execute(asked).all())
    return [Person(*row) for row in rows]


def feedback(
    database: Database, arena: Arena, ladder: Ladder, person: Person, speaker: Speaker, *, own: bool = False
) -> list[Section]:
    """All of it for one participant, his faults first; empty for somebody without a bot.

    What his bots wrote to standard error is in it only where he reads it as his `own`.
    """
    mine = with_outs(arena, hand_ins.of_person(database, person, ladder, HANDED_IN), person)
    lines = None if ladder.terms is None else contest_lines(arena, database, ladder, person)
    found = []
    with seen(arena, ladder, person) as store:
        names = hand_ins.bots_of(database, person, ladder)
        faults = faults_of(store, ladder.slug, names, whole=own)
        for name in names:
            page, wrong = bot_page(store, ladder.slug, name), faults.get(name, BotFaults())
            found += _faults(speaker, ladder, name, wrong, page)
            found += _of_bot(speaker, ladder, name, page, lines)
            paused = wrong.paused is not None
            handed_in = [one for one in mine if one.bot == name]
            last = hand_ins.find(database, handed_in[0].id) if handed_in else None
            found += _handed_in(speaker, name, handed_in, last, paused)
    return found


def how_sure(speaker: Speaker, line: Line, count: int) -> str:
    """Which places are possible by the interval, in words."""
    if line.first is None or line.last is None or line.low is None:
        return speaker.say("serve.sure-unknown")
    if line.first == line.last:
        return speaker.say("serve.sure-place", place=line.first, count=count)
    if (line.first, line.last) == (1, count):
        return speaker.say("serve.sure-any", count=count)
    return speaker.say("serve.sure-between", first=line.first, last=line.last, count=count)


def _stands(speaker: Speaker, page: BotPage, lines: Sequence[Line] | None) -> str:
    """Where a bot stands: on a ladder how sure its place is, among the `lines` of a contest the one it has there."""
    if page.out is not None:
        return speaker.labelled(speaker.say("serve.disqualified"), page.out.because)
    if page.pauses:
        return speaker.say("serve.pauses-placeless")
    if lines is None:
        return how_sure(speaker, page.line, page.placed)
    place = next((line.place for line in lines if line.bot == page.line.bot), None)
    if place is None:
        return speaker.say("serve.place-by-format")
    return speaker.say("serve.feedback.place", place=place, count=len(lines))


def _faults(speaker: Speaker, ladder: Ladder, name: str, wrong: BotFaults, page: BotPage | None) -> list[Section]:
    """What it did wrong: that it pauses, how often it failed, the last times, and how often of which kind."""
    say = speaker.say
    items = []
    if wrong.paused is not None:
        count = len(wrong.paused)
        items.append(Item(say("serve.pauses-since", count=count) if count else say("serve.pauses")))
    if wrong.faulty:
        items.append(Item(say("serve.had-faults", faulty=wrong.faulty, matches=wrong.matches)))
    for one in wrong.last:
        said = speaker.labelled(say("serve.match", number=one.match), told(one, ladder.game, speaker))
        items.append(Item(said, _match(ladder, one.match)))
    for kind, count, last in () if page is None else page.facts.faults:
        items.append(
            Item(speaker.labelled(say(f"fault.{kind}"), str(count)), "" if last is None else _match(ladder, last))
        )
    return [Section(say("serve.feedback.faults", bot=name), items)] if items else []


def _of_bot(
    speaker: Speaker, ladder: Ladder, name: str, page: BotPage | None, lines: Sequence[Line] | None
) -> list[Section]:
    say = speaker.say
    if page is None:
        return [Section(name, [Item(say("serve.feedback.not-there"))])]
    line, facts = page.line, page.facts
    items = [Item(_stands(speaker, page, lines))]
    if line.rating is not None and line.low is not None and line.high is not None:
        items.append(Item(say("serve.feedback.rating", rating=line.rating, low=line.low, high=line.high)))
    score = {"matches": line.matches, "won": line.won, "drawn": line.drawn, "lost": line.lost}
    items.append(Item(say("serve.feedback.score", **score)))
    ordered = sorted(facts.opponents, key=lambda one: one.score.share, reverse=True)
    best = [one for one in ordered if one.score.share >= 0.5][:OPPONENTS]
    worst = [one for one in reversed(ordered) if one.score.share < 0.5][:OPPONENTS]
    lost = [one for one in page.recent if _place(one, name) > 1][:WATCHED]
    parts = (
        ("best", [_against(speaker, one) for one in best]),
        ("worst", [_against(speaker, one) for one in worst]),
        ("watch", [_watched(speaker, ladder, one, name) for one in lost]),
    )
    more = [Section(say(f"serve.feedback.{what}", bot=name), own) for what, own in parts if own]
    return [Section(name, items), *more]


def _against(speaker: Speaker, one: Opponent) -> Item:
    score = one.score
    values = {"bot": one.bot, "won": score.won, "drawn": score.drawn, "lost": score.lost}
    return Item(speaker.say("serve.feedback.against", **values))


def _place(played: Played, name: str) -> int:
    return min((place for bot, place in played.bots if bot == name), default=1)


def _watched(speaker: Speaker, ladder: Ladder, one: Played, name: str) -> Item:
    others = ", ".join(bot for bot, _ in one.bots if bot != name)
    place = _place(one, name)
    told = speaker.say("serve.feedback.match", number=one.number, place=place, others=others)
    return Item(told, _match(ladder, one.number))


def _match(ladder: Ladder, number: int) -> str:
    return f"ladders/{ladder.slug}/matches/{number}"


def _handed_in(
    speaker: Speaker, name: str, mine: Sequence[HandInRow], last: HandInRow | None, paused: bool
) -> list[Section]:
    if not mine:
        return []
    items = []
    for one in mine:
        state = "pauses" if paused and one.shown == "entered" else one.shown
        number = speaker.say("serve.version", number=one.version)
        version = speaker.labelled(number, speaker.say(f"serve.state.{state}"))
        items.append(Item(f"{version} ({one.filename})", f"hand-ins/{one.id}"))
    found = []
    if last is not None and last.found:
        examined = msgspec.json.decode(last.found, type=Examined)
        said = [examined.reason] if examined.reason else []
        said += [one.said for one in examined.findings[:FOUND]]
        found = [Item(clean.line(one.get(speaker.language) or next(iter(one.values()), ""))) for one in said]
    sections = [Section(speaker.say("serve.feedback.handed-in", bot=name), items)]
    return [*sections, Section(speaker.say("serve.feedback.found", bot=name), found)] if found else sections


# --- as files


def as_text(
    speaker: Speaker, name: str, ladder: Ladder, sections: Iterable[Section], url: Callable[[str], str]
) -> str:
    """Feedback as the text of a mail, with whole addresses."""
    lines = [speaker.say("serve.feedback.dear", name=name), ""]
    lines += [speaker.say("serve.feedback.about", ladder=ladder.title), url(f"/ladders/{ladder.slug}"), ""]
    for section in sections:
        lines.append(section.title)
        for item in section.items:
            lines.append(f"- {item.text}" + (f"\n  {url(f'/{item.path}')}" if item.path else ""))
        lines.append("")
    return "\n".join(lines)


def packed(letters: Iterable[Letter]) -> bytes:
    """A zip with a mail for each that has an address, and a text for each other one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, letter in enumerate(letters, 1):
            stem = f"{number:03d}-{clean.file_name(letter.name) or 'student'}"
            if letter.mail:
                archive.writestr(f"{stem}.eml", _mail(letter))
            else:
                archive.writestr(f"{stem}.txt", letter.text)
    return out.getvalue()


def _mail(letter: Letter) -> bytes:
    """A mail that a program opens as a draft."""
    mail = EmailMessage(policy=SMTP)
    mail["To"] = letter.mail
    mail["Subject"] = clean.line(letter.subject, 200)
    mail["X-Unsent"] = "1"
    mail.set_content(letter.text)
    return mail.as_bytes()
