"""A contest's report as one HTML file that makes no requests and can be opened from a disk."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from dohyo.core.game import title_in
from dohyo.guests.reports.brackets import bracket, hill
from dohyo.guests.reports.certainty import sentences
from dohyo.guests.reports.content import Content, content
from dohyo.guests.reports.sections import SECTIONS
from dohyo.guests.reports.standings import standings
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series import formats
from dohyo.series.best import how_many
from dohyo.series.rulings import sentences as ruled
from dohyo.series.session import ContestView
from dohyo.series.spec import typed
from dohyo.series.standings import TOLD, has_untold, share_note, why_not_by_elo
from dohyo.series.telling.words import format_in
from dohyo.web.plain.markup import Markup, element, header, joined, section
from dohyo.web.plain.page import foot, whole

FOLDER = Path(__file__).parent
STYLES = tuple(FOLDER / f"{name}.css" for name in ("tables", "report", "standings", "charts", "brackets"))
NOTHING: tuple[object, ...] = ("", None, [], (), {})  # values of options that are not given


def html(view: ContestView, speaker: Speaker = ENGLISH, hand_ins: bool = False, title: str = "") -> str:
    """The report of the contest in its present state, in the language of `speaker`.

    `hand_ins` and `title` as for `Content`.
    """
    known = content(view, speaker)
    known.hand_ins, known.title = hand_ins, title
    return html_of(known, speaker)


def html_of(known: Content, speaker: Speaker = ENGLISH) -> str:
    """A contest's report, from content that was read already."""
    return in_style(_title(known, speaker), _body(known, speaker), speaker)


def in_style(title: str, body: Markup, speaker: Speaker) -> str:
    """A page of a contest's, the report or one beside it."""
    return whole(title, body, speaker, *STYLES)


def _title(known: Content, speaker: Speaker) -> str:
    view = known.view
    return known.title or speaker.say("report.title", contest=view.contest.name, game=title_in(view.game, speaker))


def _body(known: Content, speaker: Speaker) -> Markup:
    parts = [part(known, speaker) for part in (bracket, hill, *SECTIONS)]
    first = section("standings", speaker.say("report.standings"), _table(known, speaker))
    return joined(_head(known, speaker), element("main", _sure(known, speaker), first, *parts), foot(speaker))


def _head(known: Content, speaker: Speaker) -> Markup:
    view = known.view
    defaults = {option.name: option.default for option in view.game.options}
    setup = [f"{key}={typed(value)}" for key, value in view.spec.setup.items() if defaults.get(key) != value]
    usual = {option.name: option.default for option in formats.find(view.spec.format).info.options}
    given = {key: value for key, value in view.spec.options.items() if value not in NOTHING}
    options = [f"{key}={typed(value)}" for key, value in given.items() if usual.get(key) != value]
    begun = datetime.fromtimestamp(view.contest.begun, UTC).strftime("%Y-%m-%d")
    facts = {
        "game": " ".join([title_in(view.game, speaker), *setup]),
        "format": " ".join([format_in(view.spec.format, speaker), f"rounds={view.spec.rounds}", *options]),
        "bots": how_many([row.state for row in known.rows], speaker),
        "matches": _how_many_matches(known, speaker),
        "state": speaker.say(f"report.state.{view.contest.state}"),
        "begun": begun,
        "seed": str(view.spec.seed),
    }
    if view.spec.fault_is_last:
        facts["faults"] = speaker.say("contest.fault-is-last")
    told = {speaker.say(f"report.fact.{key}"): value for key, value in facts.items()}
    return header(_title(known, speaker), told)


def _how_many_matches(known: Content, speaker: Speaker) -> str:
    """How many matches were played, and how many of them count for nobody."""
    played = f"{known.view.played:,}".replace(",", " ")
    return speaker.listed([played, speaker.say("contest.voided", count=known.voided)]) if known.voided else played


def _sure(known: Content, speaker: Speaker) -> Markup:
    told = [element("p", sentence) for sentence in sentences(known, speaker)]
    return section("sure", speaker.say("report.sure"), *told)


def _table(known: Content, speaker: Speaker) -> Markup:
    key = "report.standings.note" if known.standings.rated else "report.standings.plain"
    order = why_not_by_elo(known.standings, known.names, speaker)
    notes = [element("p", order, class_="note")] if order else []
    notes += [element("p", each, class_="note ruling") for each in ruled(known.book, speaker)]
    if known.standings.placed_by == formats.BY_SHARE:
        notes.insert(0, element("p", speaker.say(share_note(known.view.format)), class_="note"))
    if known.standings.rated and known.standings.placed_by == formats.BY_RATING:
        notes.append(element("p", speaker.say("contest.points-low"), class_="note"))
    if known.standings.rated and has_untold(known.standings):
        notes.append(element("p", speaker.say("report.untold.note", far=TOLD), class_="note"))
    if any(row.fails for row in known.rows):
        notes.append(element("p", speaker.say("report.fails"), class_="note"))
    notes.append(element("p", speaker.say(key), class_="note"))
    is_site = any(not link.startswith("#") for link in known.links.values())
    if known.links:
        where = "report.matches.site" if is_site else "report.matches.here"
        notes.append(element("p", speaker.say(where), class_="note"))
    return joined(standings(known, speaker), *notes)
