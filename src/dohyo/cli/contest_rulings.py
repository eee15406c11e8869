"""`dohyo contest rejudge|annul|disqualify`: one result put right, or taken out, at any time; each can be undone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo import clean
from dohyo.cli.contest_changes import Because, Bot, Name, StoreWord
from dohyo.cli.options import sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import STRICT, AsJson, ContestSandbox, Interpreter, Trust, Workers
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from dohyo.core.rulings_in_force import Ruling
    from dohyo.series.rulings import RuledResult, Wanted
    from dohyo.series.session import ContestView

    Act = Callable[[ContestView], Ruling]

MatchWords = Annotated[
    list[str] | None,
    says("Numbers of matches, as 17 or 20-25. Without them: --bot or --where says which.", "MATCH", is_bare=True),
]
OfBot = Annotated[str | None, says("The matches in which this bot had a fault; see --all.", "NAME")]
Bots = Annotated[
    list[str] | None,
    says(
        "The matches in which this bot had a fault; see --all. NAME=BOT: a bot that is no file, typed again.",
        "NAME|NAME=BOT",
    ),
]
Where = Annotated[
    list[str] | None,
    says('Matches with such a fault, as "fault=time-out"; with --bot, of that bot.', "fault=KIND"),
]
Everything = Annotated[bool, says("With --bot: all its matches, not only those with a fault.", option="--all")]
Undo = Annotated[bool, says("Take it back; the earlier result counts again.")]
RefereeFile = Annotated[
    str | None,
    says("The file of the program that referees, where one does.", "FILE"),
]
Stay = Annotated[bool, says("Its matches go on counting for the others.", option="--matches-count")]
Drop = Annotated[bool, says("Its matches count for nobody, as if it had not played.", option="--matches-drop")]

EXAMPLES = """\b
Examples:
  dohyo contest rejudge class.db 17 --because "ann says that she was not late"
  dohyo contest rejudge class.db --bot ann
  dohyo contest rejudge class.db --where "fault=time-out"
  dohyo contest rejudge class.db 17 --undo

Same bots, seed, seats, setup and clock as kept in the store. Both results are kept; the new one counts. If it is
stopped, the same command without matches, or 'dohyo contest run', plays what is left."""


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
    sandbox: ContestSandbox = STRICT,
    trust: Trust = False,
    python: Interpreter = None,
    referee: RefereeFile = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Play matches again: the new result counts, the old one is kept."""
    from dohyo.core.rulings_in_force import REJUDGE
    from dohyo.series.rulings import reason

    told = reason(because, needed=False)
    wanted, typed = _wanted(store, name, match or [], bot or [], where or [], everything)
    if undo:
        _take_back(store, name, REJUDGE, wanted, told, as_json, speaker)
        return
    sandbox_for(sandbox, trust, speaker)
    ours = {"sandbox": sandbox, "python": python, "typed": typed, "referee": referee}
    _rejudge(store, name, wanted, told, ours, workers, as_json, speaker)


def annul(
    store: StoreWord,
    match: MatchWords = None,
    bot: OfBot = None,
    where: Where = None,
    everything: Everything = False,
    because: Because = None,
    undo: Undo = False,
    name: Name = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Let the results of matches count for nobody; they are kept."""
    from dohyo.core.rulings_in_force import ANNUL
    from dohyo.series import rulings

    wanted, _ = _wanted(store, name, match or [], [bot] if bot else [], where or [], everything)
    if wanted.says_nothing:
        raise OperatorError("ruling-which", command="annul")
    if undo:
        _take_back(store, name, ANNUL, wanted, rulings.reason(because, needed=False), as_json, speaker)
        return

    def act(view: ContestView) -> Ruling:
        numbers = rulings.chosen(view, wanted)  # first whether they are there: why is asked for what can be done
        return rulings.annul(view, numbers, rulings.reason(because, needed=True))

    _decide(store, name, act, as_json, speaker)


def disqualify(
    store: StoreWord,
    bot: Bot,
    because: Because = None,
    stay: Stay = False,
    drop: Drop = False,
    undo: Undo = False,
    name: Name = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Take a bot out, also after the end: it has no place any more.

    Where all meet all, its matches count for nobody; elsewhere they count for the others.
    """
    from dohyo.core.rulings_in_force import DISQUALIFY
    from dohyo.series import rulings

    if stay and drop:
        raise OperatorError("ruling-stay-and-drop")

    def act(view: ContestView) -> Ruling:
        rulings.check_bot(view, bot)  # first whether it is there: why is asked for what can be done
        told = rulings.reason(because, needed=not undo)
        if undo:
            return rulings.take_back(view, DISQUALIFY, told, bot=bot)
        return rulings.disqualify(view, bot, told, drops=False if stay else True if drop else None)

    _decide(store, name, act, as_json, speaker, back=bot if undo else None)


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


def _take_back(
    store: str, name: str | None, kind: str, wanted: Wanted, because: str, as_json: bool, speaker: Speaker
) -> None:
    """Undo what was ruled about these matches."""
    from dohyo.series import rulings

    if wanted.kinds:
        raise OperatorError("ruling-undo-where")
    if wanted.says_nothing:
        raise OperatorError("ruling-which", command=f"{kind} --undo")

    def act(view: ContestView) -> Ruling:
        numbers = wanted.numbers or rulings.in_force(view, kind, str(wanted.bot))
        return rulings.take_back(view, kind, because, numbers)

    _decide(store, name, act, as_json, speaker)


def _decide(store: str, name: str | None, act: Act, as_json: bool, speaker: Speaker, back: str | None = None) -> None:
    """Store a ruling that takes effect at once, and show the standings that follow from it.

    As a document that is what `dohyo contest standings --json` prints, whose `rulings` end with this one.

    A bot that is `back` by it may lack matches that others have; then it is said how they are played.
    """
    from dohyo.series import rulings
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.series.typed_again import words_again
    from dohyo.terminal.standings import print_standing

    with open_store(store) as opened:
        opened.database.check_writable()
        lacked = back is None or look(opened, name).lacks_matches()
        act(look(opened, name, results=False))
        view = look(opened, name)
        rulings.publish(view)
        lacks = not lacked and look(opened, name).lacks_matches()
        if lacks and rulings.reopen(view):
            view = look(opened, name)
        if as_json:
            from dohyo.series.telling.document import document

            sys.stdout.write(clean.document(document(view, view.contest.state)))
            return
        print_standing(view, speaker)
        if lacks:
            again = words_again(opened, store, view.contest, view.spec)
            typer.echo(speaker.say("contest.lacks-matches", bot=back, again=again))


# --- matches that are played again


def _rejudge(
    store: str,
    name: str | None,
    wanted: Wanted,
    because: str,
    ours: dict[str, Any],
    workers: int | None,
    as_json: bool,
    speaker: Speaker,
) -> None:
    """Ask for the matches, and play them unless another process runs the contest and will."""
    from dohyo.executors.choice import executor_for
    from dohyo.series import rulings
    from dohyo.series.session import ContestView, go_on, look
    from dohyo.series.store import open_store
    from dohyo.terminal.played_again import PlayedAgain, announce, tell_again

    try:
        session = go_on(store, name, **ours)
    except OperatorError as error:
        if error.key != "contest-runs" or wanted.says_nothing:
            raise
        with open_store(store) as opened:
            view = look(opened, name, results=False)
            skipped = rulings.chosen_void(view, wanted)
            rulings.ask_again(view, rulings.chosen(view, wanted), because)
            announce(_now(view), skipped, speaker)
        typer.echo(speaker.say("rejudge.running"))
        return
    with session:
        view = ContestView.of(session)
        skipped = rulings.chosen_void(view, wanted)
        ruling = None  # where only what was asked for before is to be played
        if not wanted.says_nothing:
            ruling = rulings.ask_again(view, rulings.chosen(view, wanted), because).number
        elif not session.store.pending(session.contest.id):
            raise OperatorError("ruling-which", command="rejudge")
        before = _now(ContestView.of(session))
        if not as_json:
            announce(before, skipped, speaker)
        listener = PlayedAgain(len(session.store.pending(session.contest.id)), as_json, speaker)
        with executor_for(workers, None, session.loop.roster.archive_of, session.spec.python) as executor:
            failed = session.loop.play_again(executor, listener)
        rulings.publish(ContestView.of(session))
        tell_again(session, ruling, before, failed, as_json, speaker)


def _now(view: ContestView) -> dict[int, RuledResult]:
    """What stands for the matches that are to be played again."""
    from dohyo.series.rulings import Book

    book = Book(view)
    found: dict[int, RuledResult] = {}
    for _, fixture in view.store.pending(view.contest.id):
        own = book.of(fixture.number)
        found[fixture.number] = next((each for each in own if each.counts), own[-1])
    return found
