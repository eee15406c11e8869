"""`dohyo contest rejudge|annul|disqualify`: one result put right, or taken out, at any time; each can be undone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo import clean
from dohyo.cli.contest_changes import Bot, Name, StoreWord
from dohyo.cli.options import AsJson, ContestSandboxOption, Interpreter, Language, Trust, sandbox_for
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.core.contest import Fixture, Result
    from dohyo.core.rulings import Ruling
    from dohyo.series.rulings import RuledResult, Wanted
    from dohyo.series.session import ContestSession, ContestView
    from dohyo.series.store.records import Progress

MatchWords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MATCH", help="Numbers of matches, as 17 or 20-25. Without them: --bot or --where says which."
    ),
]
OfBot = Annotated[
    str | None, typer.Option("--bot", metavar="NAME", help="The matches in which this bot had a fault; see --all.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="NAME|NAME=BOT",
        help="The matches in which this bot had a fault; see --all. NAME=BOT: a bot that is no file, typed again.",
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="fault=KIND", help='Matches with such a fault, as "fault=time-out"; with --bot, of that bot.'
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="With --bot: all its matches, not only those with a fault.")]
Because = Annotated[str | None, typer.Option(metavar="TEXT", help="Why; it is shown wherever the result is.")]
Undo = Annotated[bool, typer.Option("--undo", help="Take it back; the earlier result counts again.")]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Matches at once. Without it: one a core.")]
RefereeFile = Annotated[
    str | None,
    typer.Option("--referee", metavar="FILE", help="The file of the program that referees, where one does."),
]
Stay = Annotated[bool, typer.Option("--matches-count", help="Its matches go on counting for the others.")]
Drop = Annotated[bool, typer.Option("--matches-drop", help="Its matches count for nobody, as if it had not played.")]

EXAMPLES = """\b
Examples:
  dohyo contest rejudge class.db 17 --because "ann says that she was not late"
  dohyo contest rejudge class.db --bot ann
  dohyo contest rejudge class.db --where "fault=time-out"
  dohyo contest rejudge class.db 17 --undo

Same bots, seed, seats, setup and clock as kept in the store. Both results are kept; the new one counts. If it is
stopped, the same command without matches, or 'dohyo contest run', plays what is left."""


def mount(app: typer.Typer) -> None:
    """Make these commands of `app`."""
    app.command(epilog=EXAMPLES)(rejudge)
    for command in (annul, disqualify):
        app.command()(command)


def rejudge(
    store: StoreWord,
    match: MatchWords = None,
    bot: Bots = None,
    where: Where = None,
    everything: Everything = False,
    because: Because = None,
    undo: Undo = False,
    name: Name = None,
    workers: Workers = None,
    sandbox: ContestSandboxOption = None,
    trust: Trust = False,
    python: Interpreter = None,
    referee: RefereeFile = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Play matches again: the new result counts, the old one is kept."""
    from dohyo.core.rulings import REJUDGE
    from dohyo.series.request import MAX_WORKERS, USUAL
    from dohyo.series.rulings import reason

    language = str(lang)
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise OperatorError("contest-workers", workers=workers, most=MAX_WORKERS)
    told = reason(because, needed=False)
    wanted, typed = _wanted(store, name, match or [], bot or [], where or [], everything)
    if undo:
        _take_back(store, name, REJUDGE, wanted, told, language)
        return
    wish = sandbox or USUAL
    sandbox_for(sandbox if trust else wish, trust, language)
    ours = {"sandbox": "none" if trust else wish, "python": python, "typed": typed, "referee": referee}
    _rejudge(store, name, wanted, told, ours, workers, as_json, language)


def annul(
    store: StoreWord,
    match: MatchWords = None,
    bot: OfBot = None,
    where: Where = None,
    everything: Everything = False,
    because: Because = None,
    undo: Undo = False,
    name: Name = None,
    lang: Language = None,
) -> None:
    """Let the results of matches count for nobody; they are kept."""
    from dohyo.core.rulings import ANNUL
    from dohyo.series import rulings

    language = str(lang)
    wanted, _ = _wanted(store, name, match or [], [bot] if bot else [], where or [], everything)
    if wanted.says_nothing:
        raise OperatorError("ruling-which", command="annul")
    if undo:
        _take_back(store, name, ANNUL, wanted, rulings.reason(because, needed=False), language)
        return

    def act(view: ContestView) -> Ruling:
        numbers = rulings.chosen(view, wanted)  # first whether they are there: why is asked for what can be done
        return rulings.annul(view, numbers, rulings.reason(because, needed=True))

    _decide(store, name, act, language)


def disqualify(
    store: StoreWord,
    bot: Bot,
    because: Because = None,
    stay: Stay = False,
    drop: Drop = False,
    undo: Undo = False,
    name: Name = None,
    lang: Language = None,
) -> None:
    """Take a bot out, also after the end: it plays no more and has no place.

    Where all meet all, its matches count for nobody; elsewhere they count for the others.
    """
    from dohyo.core.rulings import DISQUALIFY
    from dohyo.series import rulings

    if stay and drop:
        raise OperatorError("ruling-stay-and-drop")

    def act(view: ContestView) -> Ruling:
        rulings.check_bot(view, bot)  # first whether it is there: why is asked for what can be done
        told = rulings.reason(because, needed=not undo)
        if undo:
            return rulings.take_back(view, DISQUALIFY, told, bot=bot)
        return rulings.disqualify(view, bot, told, drops=False if stay else True if drop else None)

    _decide(store, name, act, str(lang), back=bot if undo else None)


def _wanted(
    store: str, name: str | None, matches: list[str], bots: list[str], where: list[str], everything: bool
) -> tuple[Wanted, list[str]]:
    """Which matches are meant, and the bots that are typed again: what begins with a name and `=`, and is none."""
    from dohyo.series.rulings import Wanted, kinds_of, numbers_of
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        names = {each.name for each in opened.entrants(opened.contest(name).id)}
    typed = [word for word in bots if word not in names and "=" in word]
    own = [word for word in bots if word not in typed]
    if len(own) > 1:
        raise OperatorError("rejudge-bots", bots=", ".join(own))
    if everything and not own:
        raise OperatorError("rejudge-all-of-whom")
    if matches and (own or where):
        raise OperatorError("rejudge-both")
    bot = own[0] if own else None
    return Wanted(numbers=numbers_of(matches), bot=bot, kinds=kinds_of(where), everything=everything), typed


def _take_back(store: str, name: str | None, kind: str, wanted: Wanted, because: str, language: str) -> None:
    """Undo what was ruled about these matches."""
    from dohyo.series import rulings

    if wanted.kinds:
        raise OperatorError("ruling-undo-where")
    if wanted.says_nothing:
        raise OperatorError("ruling-which", command=f"{kind} --undo")

    def act(view: ContestView) -> Ruling:
        numbers = wanted.numbers or rulings.in_force(view, kind, str(wanted.bot))
        return rulings.take_back(view, kind, because, numbers)

    _decide(store, name, act, language)


def _decide(store: str, name: str | None, act: Act, language: str, back: str | None = None) -> None:
    """Store a ruling that takes effect at once, and show the standings that follow from it.

    A bot that is `back` by it may lack matches that others have; then it is said how they are played.
    """
    from dohyo.cli.contest_looks import print_standing
    from dohyo.series import rulings
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.terminal.standings import words_again

    with open_store(store) as opened:
        opened.database.check_writable()
        lacked = back is None or look(opened, name).lacks_matches()
        act(look(opened, name, results=False))
        view = look(opened, name)
        rulings.publish(view)
        lacks = not lacked and look(opened, name).lacks_matches()
        if lacks and rulings.reopen(view):
            view = look(opened, name)
        print_standing(view, language)
        if lacks:
            again = words_again(opened, store, view.contest, view.spec)
            typer.echo(clean.line(say("contest.lacks-matches", language, bot=back, again=again)))


# --- matches that are played again


def _rejudge(
    store: str,
    name: str | None,
    wanted: Wanted,
    because: str,
    ours: dict[str, Any],
    workers: int | None,
    as_json: bool,
    language: str,
) -> None:
    """Ask for the matches, and play them unless another process runs the contest and will."""
    from dohyo.series import rulings
    from dohyo.series.session import ContestView, go_on

    try:
        session = go_on(store, name, **ours)
    except OperatorError as error:
        if error.key != "contest-runs" or wanted.says_nothing:
            raise
        _ask_only(store, name, wanted, because, language)
        typer.echo(say("rejudge.running", language))
        return
    with session:
        skipped = rulings.chosen_void(ContestView.of(session), wanted)
        ruling = _ask(session, wanted, because)
        before = _now(ContestView.of(session))
        if not as_json:
            _announce(before, skipped, language)
        failed = _play(session, workers, as_json, language)
        _tell(session, ruling, before, failed, as_json, language)


def _ask_only(store: str, name: str | None, wanted: Wanted, because: str, language: str) -> None:
    from dohyo.series import rulings
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        view = look(opened, name, results=False)
        skipped = rulings.chosen_void(view, wanted)
        rulings.ask_again(view, rulings.chosen(view, wanted), because)
        _announce(_now(view), skipped, language)


def _ask(session: ContestSession, wanted: Wanted, because: str) -> int | None:
    """Store the ruling; none where only what was asked for before is to be played."""
    from dohyo.series import rulings
    from dohyo.series.session import ContestView

    if wanted.says_nothing:
        if not session.store.pending(session.contest.id):
            raise OperatorError("ruling-which", command="rejudge")
        return None
    view = ContestView.of(session)
    return rulings.ask_again(view, rulings.chosen(view, wanted), because).number


def _now(view: ContestView) -> dict[int, RuledResult]:
    """What stands for the matches that are to be played again."""
    from dohyo.series.rulings import Book

    book = Book(view)
    found: dict[int, RuledResult] = {}
    for _, fixture in view.store.pending(view.contest.id):
        own = book.of(fixture.number)
        found[fixture.number] = next((each for each in own if each.counts), own[-1])
    return found


def _announce(before: dict[int, RuledResult], skipped: list[RuledResult], language: str) -> None:
    """Say, before anything is played, what will be, and which of it cannot count; and what is `skipped`, and why."""
    from dohyo.series.spans import numbers

    void = [each for each in before.values() if not each.counts]
    told = [say("rejudge.begins", language, count=len(before), numbers=numbers(sorted(before), language))]
    for key, found in (("rejudge.void", void), ("rejudge.skipped", skipped)):
        alike: dict[tuple[str, int, str], list[int]] = {}
        for each in found:
            alike.setdefault((each.why, each.by, each.because), []).append(each.result.fixture.number)
        for (why, by, because), of in alike.items():
            reason = say(f"rejudge.{why}", language, by=by) + (f": {because}" if because else "")
            told.append(say(key, language, count=len(of), numbers=numbers(of, language), why=reason))
    sys.stdout.writelines(f"{clean.line(line)}\n" for line in told)
    sys.stdout.flush()


def _play(session: ContestSession, workers: int | None, as_json: bool, language: str) -> list[int]:
    from dohyo.executors.choice import executor_for
    from dohyo.series.rulings import publish
    from dohyo.series.session import ContestView

    listener = _Progress(len(session.store.pending(session.contest.id)), as_json, language)
    with executor_for(workers, None, session.loop.roster.archive_of, session.spec.python) as executor:
        failed = session.loop.play_again(executor, listener)
    publish(ContestView.of(session))
    return failed


class _Progress:
    """Tells a person at a terminal how many matches were played again."""

    def __init__(self, total: int, as_json: bool, language: str) -> None:
        self._total, self._done, self._language = total, 0, language
        self._is_watched = sys.stderr.isatty() and not as_json

    def on_batch(self, batch: Progress) -> None:
        """Nothing begins here."""

    def on_batch_over(self, batch: int) -> None:
        """Nothing ends here."""

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """It failed each time; `_tell` says so."""

    def on_result(self, result: Result) -> None:
        """One more."""
        self._done += 1
        if self._is_watched:
            sys.stderr.write("\r" + say("verify.again-so-far", self._language, count=self._done, total=self._total))
            sys.stderr.write("\n" if self._done == self._total else "")
            sys.stderr.flush()


def _tell(
    session: ContestSession,
    ruling: int | None,
    before: dict[int, RuledResult],
    failed: list[int],
    as_json: bool,
    language: str,
) -> None:
    """Each match, as it was and as it is; then the standings."""
    from dohyo.cli.contest_looks import print_standing
    from dohyo.series.rulings import Book
    from dohyo.series.session import ContestView

    view = ContestView.of(session)
    book = Book(view)
    after = {number: book.of(number)[-1] for number in before if number not in failed}
    if as_json:
        matches = [
            {"match": number, "before": _plain(view, old.result), "counts": after[number].counts,
             "after": _plain(view, after[number].result)}
            for number, old in before.items() if number in after
        ]  # fmt: skip
        sys.stdout.write(clean.document({"ruling": ruling, "matches": matches, "failed": failed}))
        return
    for number, old in before.items():
        if number in after:
            details = {"match": number, "before": _shown(view, old.result, language)}
            line = say("rejudge.match", language, **details, after=_shown(view, after[number].result, language))
            sys.stdout.write(clean.line(line) + "\n")
    if failed:
        from dohyo.series.spans import numbers

        sys.stdout.write(say("rejudge.failed", language, count=len(failed), numbers=numbers(failed, language)) + "\n")
    sys.stdout.write("\n")
    print_standing(view, language)


def _plain(view: ContestView, result: Result) -> dict[str, Any]:
    bots = [view.name(entrant) for entrant in result.fixture.seats]
    return {"bots": bots, "places": result.places, "scores": result.scores, "faults": result.faults,
            "replay": result.replay}  # fmt: skip


def _shown(view: ContestView, result: Result, language: str) -> str:
    """A result in a line: who had which place, and which faults."""
    from collections import Counter

    from dohyo.series.versions import shown_names
    from dohyo.terminal.standings import shortened
    from dohyo.terminal.summary import counted

    names = shown_names(((each.number, each.name) for each in view.entrants), language, shortened)
    faults = result.faults or ((),) * len(result.places)
    told = []
    for entrant, place, kinds in zip(result.fixture.seats, result.places, faults, strict=True):
        what = f" ({counted(Counter(kinds), language)})" if kinds else ""
        told.append(f"{names[entrant]} {place}{what}")
    return ", ".join(told)


# --- one match of which there are several results


if TYPE_CHECKING:
    from collections.abc import Callable

    Act = Callable[[ContestView], Ruling]
