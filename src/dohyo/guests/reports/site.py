"""A contest as a site of plain files: the report, a page for each bot, a page for each match with its replay.

    index.html          the report; names lead to the bots' pages
    bots/3.html         entrant 3: its line, its matches, the latest first (bots/3-2.html: further ones)
    matches/17.html     match 17 to watch; matches/17.replay.zst is its replay, matches/17-0.replay.zst that of its
                        first result, where it was played again and another one counts
    matches/viewer-1a2b3c4d.js  what draws the matches, for all of them

Every file name is made of numbers and every link is relative. No page needs a server: the site can be opened from a
disk, and from any file server.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from dohyo.core import replay_format
from dohyo.core.contest import Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.game import title_in
from dohyo.guests.reports import page
from dohyo.guests.reports.content import Content, content
from dohyo.guests.reports.matches import Recorded, Viewer
from dohyo.guests.reports.matches import pages as match_pages
from dohyo.i18n import Speaker
from dohyo.series.fault_reasons import reasons_by_kind
from dohyo.series.renaming import under_names
from dohyo.series.rulings import Book, RuledResult, in_words, sentence
from dohyo.series.session import ContestView
from dohyo.series.standings import STATES, Row
from dohyo.series.versions import shown_names
from dohyo.web.plain.markup import (
    Markup,
    Part,
    bot_of,
    element,
    head,
    header,
    joined,
    linked,
    listed,
    name_of,
    table,
    wide,
)
from dohyo.web.plain.page import foot

MATCHES_A_PAGE = 500
MARK = ".dohyo-site"  # marks a folder as a site of ours, which may be written again
FOLDERS = ("bots", "matches")
OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class File(NamedTuple):
    """A file of the site: its folder (empty for the site's own), its name, its content."""

    folder: str
    name: str
    content: bytes


class _Played(NamedTuple):
    """A match in a bot's list: its seats and places, and how often each misbehaved; whether it can be watched.

    `ruled` says what was ruled about it.
    """

    match: Fixture
    places: tuple[int, ...]
    faults: tuple[int, ...]
    watched: bool
    ruled: str = ""


def files(view: ContestView, speaker: Speaker, hand_ins: bool = False, title: str = "") -> Iterator[File]:
    """All files of the site, one after the other. A missing or damaged replay gets no page.

    `hand_ins` and `title` as for `Content`.
    """
    book = Book(view)
    shown: dict[int, str] = {}
    if view.game.referee is None:
        viewer = Viewer.of(view.game, speaker)
        yield File("matches", viewer.name, viewer.content)
        for match, page_ in match_pages(view.game, viewer.name, speaker, _recorded(view, book, speaker, title)):
            if page_ is not None:
                yield File("matches", f"{match.number}.html", page_)
                yield File("matches", f"{match.number}.replay.zst", match.replay)
                yield from _other_replays(view, book, match.number)
                shown[match.number] = f"matches/{match.number}.html"
    own = _played(view, book, shown, speaker)
    known = content(view, speaker)
    known.links = {entrant.number: f"bots/{entrant.number}.html" for entrant in view.entrants}
    known.pages, known.hand_ins, known.title = shown, hand_ins, title
    yield File("", "index.html", page.html_of(known, speaker).encode())
    for row in known.rows:
        matches = own.get(row.entrant, [])[::-1]
        parts = [matches[at : at + MATCHES_A_PAGE] for at in range(0, len(matches), MATCHES_A_PAGE)] or [[]]
        for number in range(len(parts)):
            text = _bot(view, known, row, parts, number, speaker)
            yield File("bots", _name(row.entrant, number), text.encode())


def _name(entrant: int, number: int) -> str:
    return f"{entrant}.html" if number == 0 else f"{entrant}-{number + 1}.html"


def _recorded(view: ContestView, book: Book, speaker: Speaker, title: str) -> Iterator[Recorded]:
    """Each match whose replay is there, with what stands above it."""
    names = shown_names(((each.number, each.name) for each in view.entrants), speaker, str)
    for known in book.standing(view.store.played(view.contest.id)):
        result = known.result
        if result.replay is not None:
            try:
                replay = _as_called(view, result)
            except OperatorError:
                continue
            yield Recorded(
                result.fixture.number, replay, _around(book, known, title or view.contest.name, names, speaker)
            )


def _as_called(view: ContestView, result: Result) -> bytes:
    """A match's replay as it is kept, or, where bots were renamed, with the names that they have now.

    Raises `OperatorError` where it is not there, or is none.
    """
    kept = view.store.files.get(str(result.replay))
    if not view.spec.renamed:
        return kept
    recorded = replay_format.decode(kept)
    shown = under_names(recorded, [view.name(each) for each in result.fixture.seats])
    return kept if shown is recorded else replay_format.encode(shown, compressed=True)


def _others(book: Book, number: int) -> dict[int, RuledResult]:
    """The results of a match that its page does not show, by the ruling that made each."""
    found = book.of(number)
    shown = next((each for each in found if each.counts), found[-1] if found else None)
    return {each.ruling: each for each in found if each is not shown}


def _other_replays(view: ContestView, book: Book, number: int) -> Iterator[File]:
    for ruling, other in _others(book, number).items():
        with suppress(OperatorError):
            if other.result.replay is not None:
                yield File("matches", f"{number}-{ruling}.replay.zst", _as_called(view, other.result))


def _played(view: ContestView, book: Book, shown: Container[int], speaker: Speaker) -> dict[int, list[_Played]]:
    """The matches of each entrant, ascending; those `shown` can be watched."""
    own: dict[int, list[_Played]] = {}
    for known in book.standing(view.store.played(view.contest.id)):
        result = known.result
        match = result.fixture
        faults = tuple(map(len, result.faults)) or (0,) * len(match.seats)
        played = _Played(match, result.places, faults, match.number in shown, _ruled(known, speaker))
        for entrant in set(match.seats):
            own.setdefault(entrant, []).append(played)
    return own


def _ruled(known: RuledResult, speaker: Speaker) -> str:
    """Whether a result counts, and why, where somebody has ruled about it; empty for any other."""
    if known.counts and not known.ruling:
        return ""
    return in_words(known.counts, known.why, known.by, known.because, speaker)


def _around(book: Book, known: RuledResult, title: str, names: dict[int, str], speaker: Speaker) -> Markup:
    """The links from a match to the contest, to the bots that played and to its replay; what was ruled about it."""
    match = known.result.fixture
    links: list[Part] = [element("a", speaker.say("site.back", contest=title), href="../index.html")]
    for entrant in dict.fromkeys(match.seats):
        links.append(element("a", name_of(names[entrant]), href=f"../bots/{entrant}.html"))
    replay = f"{match.number}.replay.zst"
    links.append(element("a", speaker.say("site.download"), href=replay, download=replay))
    label = speaker.say("site.around")
    return joined(element("nav", *links, class_="around", aria_label=label), _rulings(book, known, speaker))


def _rulings(book: Book, known: RuledResult, speaker: Speaker) -> Markup | None:
    """What was ruled about the result that a page shows, and about others of this match, which have their replays."""
    number = known.result.fixture.number
    others = _others(book, number)
    if not others and not _ruled(known, speaker):
        return None
    told = in_words(known.counts, known.why, known.by, known.because, speaker)
    lines = [element("p", speaker.say("site.this", ruled=told))]
    for ruling, each in others.items():
        told = in_words(each.counts, each.why, each.by, each.because, speaker)
        name = f"{number}-{ruling}.replay.zst"
        before, _, after = speaker.say("site.other", replay=name, ruled=told).partition(name)
        link = name if each.result.replay is None else element("a", name, href=name, download=name)
        lines.append(element("p", before, link, after))
    label = speaker.say("site.column.ruling")
    return element("div", *lines, class_="rulings", role="region", tabindex="0", aria_label=label)


def _bot(
    view: ContestView, known: Content, row: Row, parts: list[list[_Played]], number: int, speaker: Speaker
) -> str:
    """A bot's page: its line of the standings, and the part of its matches with this number."""
    names, watched = known.names, known.pages
    title = speaker.say("report.title", contest=names[row.entrant], game=title_in(view.game, speaker))
    facts = {
        "place": row.place_told,
        "elo": "-" if row.elo is None else f"{row.elo:.0f}",
        "points": f"{row.points:.1f}".removesuffix(".0"),
        "matches": str(row.matches),
        "record" if known.are_duels else "opponents": f"{row.won} - {row.drawn} - {row.lost}",
    }
    told = {speaker.say(f"report.column.{key}"): value for key, value in facts.items()}
    if row.state in STATES:
        told = {speaker.say("report.fact.state"): speaker.say(f"report.state.{row.state}"), **told}
    faults = speaker.listed(f"{speaker.say(f'fault.{kind}')} ({count})" for kind, count in row.faults.items())
    if row.faulty:
        faults += speaker.say("joined.items") + speaker.say("report.faulty", count=row.faulty, matches=row.matches)
    told[speaker.say("report.faults")] = faults or "-"
    back = element(
        "p", element("a", speaker.say("site.back", contest=known.title or view.contest.name), href="../index.html")
    )
    heading = element("h2", speaker.say("site.matches"), id="matches")
    ruled = [element("p", each, class_="ruling") for each in _of_bot(known, row, speaker)]
    links = {entrant.number: f"{entrant.number}.html" for entrant in view.entrants if entrant.number != row.entrant}
    reasons = _reasons(view, row, watched, speaker) if number == 0 else None
    section = element("section", *ruled, reasons, heading, _matches(names, links, row, parts[number], speaker),
                      _further(row, len(parts), number, speaker), aria_labelledby="matches")  # fmt: skip
    body = joined(header(title, told, back), element("main", section), foot(speaker))
    return page.in_style(title, body, speaker)


def _of_bot(known: Content, row: Row, speaker: Speaker) -> list[str]:
    """That a bot is disqualified, and why; nothing for any other."""
    out = known.book.in_force.disqualified.get(row.bot)
    return [] if out is None else [sentence(out, speaker)]


def _reasons(view: ContestView, row: Row, pages: dict[int, str], speaker: Speaker) -> Markup | None:
    """Why it failed: for each kind of its faults what one match recorded, with a link to that turn of the match."""
    items = []
    for kind, each in reasons_by_kind(view, row.entrant, row.faults).items():
        where = speaker.say("site.fault-at", match=each.match, turn=each.turn)
        place = f"../{pages[each.match]}#t={each.turn}&seat={each.seat}" if each.match in pages else None
        count = speaker.say("site.fault-count", count=row.faults[kind])
        items.append(element("li", each.say(view.game, speaker), " ", linked(where, place), " ", count))
    if not items:
        return None
    return joined(element("h2", speaker.say("site.faults"), id="faults"), element("ul", *items, class_="reasons"))


def _matches(
    names: dict[int, str], links: dict[int, str], row: Row, matches: list[_Played], speaker: Speaker
) -> Markup:
    """One line for each match: its number, links to it and its replay, this bot's place, the others' places."""
    is_faulty = any(played.faults[at] for played in matches for at, who in enumerate(played.match.seats)
                    if who == row.entrant)  # fmt: skip
    is_ruled = any(played.ruled for played in matches)
    columns = ("match", "place", *(("faults",) if is_faulty else ()), "others", "replay",
               *(("ruling",) if is_ruled else ()))  # fmt: skip
    heads = [head(speaker.say(f"site.column.{name}")) for name in columns]
    lines = []
    for played in matches:
        number = str(played.match.number)
        shown = linked(number, f"../matches/{number}.html" if played.watched else None)
        mine = [at for at, entrant in enumerate(played.match.seats) if entrant == row.entrant]
        others = listed(
            (bot_of(names, links, entrant), f" {played.places[at]}")
            for at, entrant in enumerate(played.match.seats)
            if at not in mine[:1]
        )
        faults = sum(played.faults[at] for at in mine)
        cells = [
            element("th", shown, scope="row"),
            element("td", " ".join(str(played.places[at]) for at in mine)),
            element("td", str(faults) if faults else "", class_="bad" if faults else None) if is_faulty else None,
            element("td", *others),
            element("td", _download(played.match.number, speaker) if played.watched else None),
            element("td", played.ruled) if is_ruled else None,
        ]
        lines.append(element("tr", *cells))
    if not lines:
        return element("p", speaker.say("report.sure.nothing"))
    return wide(table(heads, lines), speaker.say("site.matches"))


def _download(match: int, speaker: Speaker) -> Markup:
    """The link to a match's replay."""
    name = f"{match}.replay.zst"
    label = speaker.say("site.download-of", match=match)
    return element("a", name, href=f"../matches/{name}", download=name, aria_label=label)


def _further(row: Row, parts: int, number: int, speaker: Speaker) -> Markup | None:
    """The links to the other parts of a long list."""
    if parts == 1:
        return None
    links: list[Part] = []
    for part in range(parts):
        links += [" ", linked(str(part + 1), None if part == number else _name(row.entrant, part))]
    return element("p", speaker.say("site.parts"), *links, class_="note")


class SiteFolder:
    """A site's folder. Files are opened from its descriptor and no link is followed, so none is written outside.

    At the end, files of an earlier site that were not written again are removed. Raises `OperatorError` for a folder
    that is not empty and not a site of ours.
    """

    def __init__(self, path: str) -> None:
        os.makedirs(path, exist_ok=True)
        self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY)  # the path that the operator gives may be a link
        self._written: dict[str, set[str]] = {name: set() for name in FOLDERS}
        self._places: dict[str, int] = {}
        try:
            there = os.listdir(self._root)
            if there and MARK not in there:
                raise OperatorError("site-not-empty", path=path)
            self._put(self._root, MARK, b"")
            for name in FOLDERS:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=self._root)
                self._places[name] = os.open(name, OPEN, dir_fd=self._root)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> SiteFolder:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._closing():
            if kind is None:
                for name, place in self._places.items():
                    for old in set(os.listdir(place)) - self._written[name]:
                        with suppress(IsADirectoryError, PermissionError):
                            os.unlink(old, dir_fd=place)

    def write(self, folder: str, name: str, content: bytes) -> None:
        """Write a file completely or not at all; it replaces one of this name."""
        if folder:
            self._written[folder].add(name)
        self._put(self._places[folder] if folder else self._root, name, content)

    def _put(self, place: int, name: str, content: bytes) -> None:
        beside = f".new-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        try:
            with open(os.open(beside, flags, 0o666, dir_fd=place), "wb") as file:
                file.write(content)
            os.rename(beside, name, src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place)
            raise

    @contextmanager
    def _closing(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._close()

    def _close(self) -> None:
        for place in (*self._places.values(), self._root):
            os.close(place)
