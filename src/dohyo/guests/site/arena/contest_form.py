"""The form for a contest, read: the values are those of a contest's request, and each error is beside its field."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from dohyo.core import asked
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import Option, resolve
from dohyo.guests.site.arena.ladders import shown_title
from dohyo.guests.site.arena.terms import Played, Terms
from dohyo.guests.site.people.accounts import key_of, plain_name
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.guests.site.whole_numbers import in_ascii, whole
from dohyo.match.clocks import read_clock
from dohyo.series import formats
from dohyo.series.request import ContestRequest
from dohyo.system.proc import fair_mode

MAX_EACH = 20  # bots of one person
MAX_DELAY = 1000  # turns
MAX_LISTED = 2000  # names
LONGEST_WORD = 60
ENTRANTS = 64  # for how many a format's options are tried: how many there will be, nobody knows yet
MANY = 200_000  # matches that a contest may have, with so many bots
DAY = 86_400.0
WEEK = 7 * DAY
FIRST_YEAR, LAST_YEAR = 2000, 2200


class Draft(msgspec.Struct):
    """What was written into the form, and what is wrong with it: by field, a sentence."""

    title: str = ""
    terms: Terms | None = None
    listed: dict[str, str] = {}  # names by keys
    errors: dict[str, OperatorError] = {}


class _Reader:
    """Reads one field after the other; what is wrong with one does not hide what is wrong with the next."""

    def __init__(self, game: Game, written: Mapping[str, str]) -> None:
        self.game = game
        self.written = written
        self.errors: dict[str, OperatorError] = {}

    def text(self, name: str) -> str:
        return self.written.get(name, "").strip()

    def number(self, name: str, least: int, most: int) -> int:
        number = whole(self.text(name) or str(least), least, most)
        if number is not None:
            return number
        self.errors[name] = OperatorError("serve-number", least=least, most=most)
        return least

    def moment(self, name: str, usual: float | None) -> float | None:
        word = self.text(name)
        if not word:
            return usual
        try:
            found = read_moment(word)
        except OperatorError as error:
            self.errors[name] = error
            return usual
        return found

    def title(self) -> str:
        try:
            return shown_title(self.text("title")) or self.game.title
        except OperatorError as error:
            self.errors["title"] = error
            return ""

    def setup(self) -> dict[str, Any]:
        given = self._given("setup", self.game.options)
        for key, value in list(given.items()):
            try:
                resolve(self.game.options, {key: value}, self.game.catalogue)
            except OperatorError as error:
                self.errors[f"setup.{key}"] = error
                del given[key]
        return given

    def format(self) -> str:
        name = self.text("format") or formats.USUAL
        try:
            return formats.chosen(name).info.name
        except OperatorError as error:
            self.errors["format"] = error
            return formats.USUAL

    def options(self, name: str, rounds: int) -> dict[str, Any]:
        given = self._given(f"option.{name}", formats.find(name).info.options)
        terms: dict[str, Any] = {"seats": self.game.seats, "seed": 0, "entrants": ENTRANTS}
        for key, value in list(given.items()):
            try:
                formats.make(name, rounds=rounds, options={key: value}, **terms)
            except OperatorError as error:
                if error.key in ("format-option-value", "format-option-unknown"):
                    self.errors[f"option.{name}.{key}"] = error
                    del given[key]
        try:
            made = formats.make(name, rounds=rounds, options=given, **terms)
            made.check_new()
        except OperatorError as error:
            self.errors.setdefault("format", error)
        return given

    def _given(self, prefix: str, options: tuple[Option, ...]) -> dict[str, Any]:
        """What was written for options; nothing where it is what is usual."""
        found = {}
        for option in options:
            word = self.text(f"{prefix}.{option.name}")
            if word and word != shown_value(option.default):
                found[option.name] = word
        return found

    def clock(self) -> str:
        word = in_ascii(self.text("clock"))
        if word:
            try:
                read_clock(self.game, word, mode=fair_mode())
            except OperatorError as error:
                self.errors["clock"] = error
                return ""
        return word

    def rounds(self) -> int:
        field = next(each for each in asked.fields(ContestRequest) if each.name == "rounds")
        word = self.text("rounds") or str(field.default)
        number = whole(word, 0, MAX_NUMBER)
        try:
            asked.check(field, word if number is None else number, "rounds")
        except OperatorError as error:
            self.errors["rounds"] = error
            return 1
        assert number is not None
        return number

    def listed(self) -> dict[str, str]:
        if self.text("entry") != "list":
            return {}
        try:
            found = read_list(self.written.get("listed", ""))
        except OperatorError as error:
            self.errors["listed"] = error
            return {}
        if not found:
            self.errors["listed"] = OperatorError("serve-list-empty")
        return found

    def word(self) -> str:
        if self.text("entry") != "word":
            return ""
        try:
            return digest_of(self.text("word"))
        except OperatorError as error:
            self.errors["word"] = error
            return ""


def read_played(game: Game, written: Mapping[str, str]) -> tuple[Played, dict[str, OperatorError]]:
    """Read what a ladder is to play; and what is wrong with it, by field."""
    reader = _Reader(game, written)
    return Played(setup=reader.setup(), clock=reader.clock()), reader.errors


def read_form(game: Game, written: Mapping[str, str], now: float) -> Draft:
    """Read what was written; a draft without errors has terms that can be played."""
    reader = _Reader(game, written)
    opens = reader.moment("opens", now) or now
    closes = reader.moment("closes", opens + WEEK) or opens + WEEK
    starts = reader.moment("starts", closes) or closes
    ends = reader.moment("ends", None)
    _in_order(reader.errors, opens, closes, starts, ends)
    format_, rounds, entry = reader.format(), reader.rounds(), reader.text("entry") or "all"
    if entry not in ("all", "list", "word"):
        reader.errors["entry"] = OperatorError("serve-entry")
        entry = "all"
    if ends is None and not formats.find(format_).info.ends:
        reader.errors.setdefault("ends", OperatorError("serve-needs-end"))
    draft = Draft(reader.title(), listed=reader.listed())
    terms = Terms(
        opens=opens,
        closes=closes,
        starts=starts,
        ends=ends,
        format=format_,
        rounds=rounds,
        setup=reader.setup(),
        options=reader.options(format_, rounds),
        clock=reader.clock(),
        entry=entry,  # type: ignore[arg-type]  # one of these words, as was looked at
        word=reader.word(),
        said=reader.text("word") if entry == "word" else "",
        each=reader.number("each", 1, MAX_EACH),
        delay=reader.number("delay", 0, MAX_DELAY),
        readable=reader.text("readable") == "yes",
        samples=reader.text("samples") == "yes",
    )
    draft.errors = reader.errors
    draft.terms = None if reader.errors else terms
    return draft


def _in_order(
    errors: dict[str, OperatorError], opens: float, closes: float, starts: float, ends: float | None
) -> None:
    """Note times that come before those that have to be earlier."""
    if closes <= opens:
        errors.setdefault("closes", OperatorError("serve-closes-early"))
    if starts < closes:
        errors.setdefault("starts", OperatorError("serve-starts-early"))
    if ends is not None and ends <= starts:
        errors.setdefault("ends", OperatorError("serve-ends-early"))


def read_moment(word: str) -> float:
    """A moment as browsers write it, in UTC unless it says otherwise. Raises `OperatorError` for anything else."""
    try:
        found = datetime.fromisoformat(word[:40])
    except ValueError as error:
        raise OperatorError("serve-moment") from error
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise OperatorError("serve-moment")
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def written_moment(at: float | None) -> str:
    """A moment as a form's field has it, in UTC; empty for none."""
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M")


def shown_value(value: Any) -> str:
    """An option's value as somebody would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def read_list(text: str) -> dict[str, str]:
    """Names of people, a line each, by the keys by which names are compared. Raises `OperatorError` for others."""
    found = {}
    for line in text.splitlines():
        if line.strip():
            name = plain_name(line, "serve-listed-name")
            found[key_of(name)] = name
        if len(found) > MAX_LISTED:
            raise OperatorError("serve-list-long", most=MAX_LISTED)
    return found


def digest_of(word: str) -> str:
    """What is kept of the word by which people enter: two that differ in capitals or blanks are one.

    Raises `OperatorError` for an empty or a long one.
    """
    if not 4 <= len(word) <= LONGEST_WORD:
        raise OperatorError("serve-word", least=4, most=LONGEST_WORD)
    return hashlib.sha256(key_of(word).encode("utf-8", "replace")).hexdigest()


def is_word(terms: Terms, word: str) -> bool:
    """Whether this is the word by which people enter."""
    try:
        return bool(terms.word) and hmac.compare_digest(terms.word, digest_of(word))
    except OperatorError:
        return False
