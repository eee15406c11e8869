"""Sentences about a contest: what is played, how far it is, what is open, why bots fail."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.contest import MAX_ROUNDS
from dohyo.core.game import title_in
from dohyo.i18n import Speaker, has
from dohyo.series.spans import MAX_SPANS, numbers
from dohyo.series.telling.cells import shortened

if TYPE_CHECKING:
    from dohyo.core.contest import Entrant
    from dohyo.core.game import Game
    from dohyo.series.fault_reasons import FaultReason
    from dohyo.series.rulings import Book
    from dohyo.series.session import ContestView
    from dohyo.series.spec import Spec
    from dohyo.series.store.records import Aside

MAX_REASONS = 12  # bots of whom it is told why they fail


def format_in(name: str, speaker: Speaker) -> str:
    """What people call a format in the speaker's language; a format of somebody else's by its own name."""
    key = f"format.name.{name}"
    return speaker.say(key) if has(key) else name


def entrant_names(entrants: Sequence[Entrant], speaker: Speaker, out: Collection[str] = ()) -> list[str]:
    """The names of entrants as a list shows them, with their versions, and whether one pauses, has left, or is older.

    Those who are `out` are disqualified.
    """
    from dohyo.series.standings import STATES, entrant_state
    from dohyo.series.versions import version_numbers

    numbers = version_numbers((each.number, each.name) for each in entrants)
    told = []
    for each in entrants:
        state = entrant_state(each, entrants, each.name in out)
        more = [speaker.say("contest.version", number=numbers[each.number])] if each.number in numbers else []
        more += [speaker.say(STATES[state])] if state in STATES else []
        name = shortened(each.name)
        told.append(f"{name} ({speaker.listed(more)})" if more else name)
    return told


def how_far(view: ContestView, speaker: Speaker) -> str:
    """How many matches were played, and of how many; how many of them count for nobody."""
    from dohyo.series.standings import matches_of

    progress = view.progress
    total = matches_of(view.format, progress, view.contest.state == "over")
    void, played = view.voided, view.played
    aside, missed = map(len, view.asides())
    if total is None:
        words = speaker.say("contest.done-open", played=played, batch=max(0, len(progress) - 1))
    else:
        words = speaker.say("contest.done", played=played, total=total)
    more = [speaker.say("contest.voided", count=void)] if void else []
    more += [speaker.say("contest.aside", count=aside)] if aside else []
    more += [speaker.say("contest.missed", count=missed)] if missed else []
    return speaker.listed([words, *more])


def passed_over(view: ContestView, again: str, speaker: Speaker) -> str:
    """How many matches were not played and why, and whether they still can be; empty without any."""
    missed = view.asides()[1]
    out, others = _by_disqualified(view, missed)
    gone = {each.number for each in view.entrants if each.until is not None}
    told = not_played(view, missed, speaker)
    if out:
        told.insert(1, speaker.say("contest.passed-over-undo"))
    if all(not gone.isdisjoint(each.fixture.seats) for each in others):
        return speaker.sentences(told)
    return speaker.sentences((*told, speaker.say("contest.passed-over-again", again=again)))


def not_played(view: ContestView, missed: Sequence[Aside], speaker: Speaker) -> list[str]:
    """How many of these matches were passed over as a bot is disqualified, and how many as one left or paused."""
    told = []
    parts = zip(("contest.passed-over-out", "contest.passed-over"), _by_disqualified(view, missed), strict=True)
    banned = _disqualified(view)
    for key, found in parts:
        if not found:
            continue
        seated = {number for each in found for number in each.fixture.seats}
        is_out = key == "contest.passed-over-out"
        away = [each for each in view.entrants if each.number in seated and each.is_away]
        shown = [shortened(each.name) for each in away if (each.number in banned) == is_out]
        names = speaker.listed([*shown[:MAX_SPANS], *(["..."] if len(shown) > MAX_SPANS else [])])
        told.append(speaker.say(key, count=len(found), bots=names or "-"))
    return told


def _by_disqualified(view: ContestView, missed: Sequence[Aside]) -> tuple[list[Aside], list[Aside]]:
    """The matches among these of bots that are disqualified, and the others."""
    banned = _disqualified(view)
    parts: tuple[list[Aside], list[Aside]] = [], []
    for each in missed:
        parts[banned.isdisjoint(each.fixture.seats)].append(each)
    return parts


def _disqualified(view: ContestView) -> set[int]:
    """The numbers of the entrants that are disqualified."""
    from dohyo.core.rulings_in_force import InForce

    out = InForce(view.store.rulings_of_bots(view.contest.id)).disqualified
    return {each.number for each in view.entrants if each.name in out}


def left_open(view: ContestView, again: str, speaker: Speaker) -> str:
    """How many matches are open after errors, and the words that resume the contest; empty without any."""
    from dohyo.series import formats

    spec, progress = view.spec, view.progress
    count = len(view.asides()[0])
    if not count:
        return ""
    waits = formats.find(spec.format).info.waits and progress[-1].set_aside
    if spec.referee is not None:
        key = "contest.open-waits-refereed" if waits else "contest.open-refereed"
    else:
        key = "contest.open-waits" if waits else "contest.open"
    return speaker.say(key, count=count, again=again)


def asides(found: Sequence[Aside], speaker: Speaker) -> list[str]:
    """Why matches are open: a sentence for each reason, with the numbers of all matches that have it."""
    alike: dict[str, list[int]] = {}
    for each in found:
        alike.setdefault(last_line(each.error), []).append(each.fixture.number)
    return [
        speaker.say("contest.aside-line", number=of[0], error=error)
        if len(of) == 1
        else speaker.say("contest.aside-lines", numbers=numbers(sorted(of), speaker), error=error)
        for error, of in alike.items()
    ]


def ruling_lines(view: ContestView, speaker: Speaker) -> list[str]:
    """What was decided about results and is in force, a line for each ruling; nothing where nobody has ruled."""
    from dohyo.series.rulings import Book, sentences

    return [clean.line(each) for each in sentences(Book(view), speaker, shortened)]


def audit_lines(book: Book, speaker: Speaker) -> list[str]:
    """Every ruling that was ever made, with its day, oldest first."""
    from datetime import UTC, datetime

    lines = []
    for each in book.rulings:
        kind = "newer-version" if each.is_of_version else each.kind
        what = speaker.say(f"ruling.kind.{kind}{'-undo' if each.undoes else ''}")
        whom = shortened(each.bot) if each.bot else numbers(each.matches, speaker)
        day = datetime.fromtimestamp(each.at, UTC).strftime("%Y-%m-%d %H:%M")
        line = speaker.say("ruling.audit", number=each.number, at=day, what=what, whom=whom)
        because = "" if each.is_of_version else each.because
        lines.append(speaker.labelled(line, because) if because else line)
    return lines


def reason_lines(
    found: Sequence[FaultReason], view: ContestView, names: Mapping[int, str], speaker: Speaker
) -> list[str]:
    """Why bots fail, a line for each, and the command that shows the whole of it; nothing without any."""
    if not found:
        return []
    lines = [
        speaker.say(
            "contest.reason",
            bot=names[each.entrant],
            reason=each.say(view.game, speaker),
            match=each.match,
        )
        for each in found[:MAX_REASONS]
    ]
    if len(found) > MAX_REASONS:
        lines.append(speaker.say("contest.more-rows", count=len(found) - MAX_REASONS))
    return [*lines, speaker.say("contest.reason-more", command=replay_command(view, found[0].match))]


def replay_command(view: ContestView, match: int) -> str:
    """The command that shows the faults of a match, as it can be typed here."""
    import shlex

    store, place = view.store, view.store.database.address.path
    where = store.database.address.shown
    if place is not None and place.is_relative_to(Path.cwd()):
        where = str(place.relative_to(Path.cwd()))
    name = ["--name", view.contest.name] if len(store.contests()) > 1 else []
    return clean.line(shlex.join(["dohyo", "contest", "replay", where, str(match), *name, "--faults"]))


def last_line(error: str) -> str:
    """What an error says, without where in our source it happened."""
    return (error.strip().splitlines()[-1:] or [""])[0]


def facts(game: Game, spec: Spec, speaker: Speaker) -> list[tuple[str, str]]:
    """Facts about a contest, apart from its results."""
    from dohyo.match.telling.words import clock_name
    from dohyo.series.formats import find
    from dohyo.series.spec import typed

    defaults = {option.name: option.default for option in game.options}
    changed = [f"{key}={typed(value)}" for key, value in spec.setup.items() if defaults.get(key) != value]
    untold = find(spec.format).info.untold
    known = {key: value for key, value in spec.options.items() if key not in untold}
    options = [f"{key}={typed(value)}" for key, value in known.items() if value not in ("", None, [], 0)]
    rounds = [f"rounds={spec.rounds}"] if spec.rounds < MAX_ROUNDS else []  # a comparison may go on without a limit
    clock = clock_name(spec.clock, speaker)
    if spec.clock is None:
        usual = speaker.say("contest.fact.usual")
        clock = usual if spec.mode is None else speaker.say("fact.and").join((usual, f"mode={spec.mode}"))
    last = (speaker.say("contest.fact.clock"), clock)
    if spec.referee is not None:
        told = speaker.say("contest.fact.refereed", result=spec.referee["result"])
        last = (speaker.say("contest.fact.referee"), told)
    return [
        (speaker.say("contest.fact.game"), " ".join([title_in(game, speaker), *changed])),
        (speaker.say("contest.fact.format"), " ".join([format_in(spec.format, speaker), *rounds, *options])),
        (speaker.say("contest.fact.seed"), str(spec.seed)),
        last,
        *([(speaker.say("contest.fact.faults"), speaker.say("contest.fault-is-last"))] * spec.fault_is_last),
    ]


def time_left(seconds: float, speaker: Speaker) -> str:
    """A remaining time, to the second, or to the minute of hours."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return speaker.say("time.h", hours=hours, minutes=f"{minutes_left:02}")
    if minutes:
        return speaker.say("time.min", minutes=minutes, seconds=f"{rest:02}")
    return speaker.say("time.s", value=rest)
