"""`dohyo contest`: many matches, who is better, and how sure that is."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo import clean
from dohyo.cli import contest_changes, contest_looks, contest_report, contest_rulings, contest_site, contest_verify
from dohyo.cli.guests import WithGuests, epilog_of
from dohyo.cli.options import (
    ClockWord,
    ClusterAddress,
    ContestSandboxOption,
    Interpreter,
    Keys,
    Language,
    PlainTcp,
    Pondering,
    Setup,
    Trust,
    application,
    read_seed,
    read_setup,
    sandbox_for,
)
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker, say

if TYPE_CHECKING:
    from dohyo.executors.choice import Elsewhere
    from dohyo.executors.played_again import CountsAgain
    from dohyo.series.request import ContestRequest
    from dohyo.series.session import ContestSession


class Contests(WithGuests):
    """The commands below `dohyo contest`."""

    parent = "contest"


app = application(cls=Contests, epilog=epilog_of("contest"))

STORE = "contest.db"
NAME = "contest"

Words = Annotated[
    list[str] | None, typer.Argument(metavar="FILE.toml|STORE|BOT", help="A contest file, a store, or bots.")
]
GameName = Annotated[str | None, typer.Option(metavar="GAME", help="The game; the words are bots then.")]
RefereeFile = Annotated[
    str | None,
    typer.Option("--referee", metavar="FILE", help="The file of the program that referees, to go on with a store."),
]
Folder = Annotated[str | None, typer.Option(metavar="DIR", help="Every bot in this folder takes part.")]
NamesFile = Annotated[
    str | None,
    typer.Option("--names", metavar="FILE", help="Who handed in what: a CSV or TOML file of hand-ins and names."),
]
FormatName = Annotated[
    str | None, typer.Option("--format", metavar="FORMAT", help="Who plays whom. Without it: round-robin.")
]
Rounds = Annotated[int | None, typer.Option(metavar="N", help="How much is played. Without it: 1.")]
Options = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the format. May be repeated.")
]
Seed = Annotated[str | None, typer.Option(metavar="N", help="Decides all dice. Without it: a new one.")]
StoreUrl = Annotated[
    str | None, typer.Option(metavar="URL", help=f"Where results are kept. Without it: {STORE}, or FILE.db.")
]
ContestName = Annotated[str | None, typer.Option(metavar="NAME", help="The contest's name in its store.")]
FaultIsLast = Annotated[
    bool, typer.Option("--fault-is-last", help="A bot with a fault has the last place in that match.")
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Matches at once. Without it: one a core.")]
MostBatches = Annotated[
    int | None, typer.Option(metavar="N", help="Stop after so many batches; a ladder has no end of its own.")
]
TypedAgain = Annotated[
    list[str] | None,
    typer.Option("--bot", metavar="NAME=BOT", help="To go on with a store: a bot that is no file, typed again."),
]
Frozen = Annotated[bool, typer.Option("--frozen", help="Refuse bots whose files have changed.")]

EXAMPLES = """\b
Examples:
  dohyo contest run class.toml
  dohyo contest run --game drop-block hunter random mine.cpp old=mine-old.cpp --rounds 10
  dohyo contest run --game drop-block --folder hand-ins --format swiss --rounds 7 --store class.db
  dohyo contest run class.db

The same command again, or the store alone, goes on where it was: every match counts exactly once.
'docs/contests.md' has all that a contest file may say."""


@app.callback(invoke_without_command=True)
def contest(context: typer.Context, lang: Language = None) -> None:
    """Hold contests between bots, go on where one was stopped, look at the results."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(epilog=EXAMPLES)
def run(
    words: Words = None,
    game: GameName = None,
    folder: Folder = None,
    names: NamesFile = None,
    format_: FormatName = None,
    rounds: Rounds = None,
    option: Options = None,
    seed: Seed = None,
    setup: Setup = None,
    clock: ClockWord = None,
    pondering: Pondering = False,
    fault_is_last: FaultIsLast = False,
    python: Interpreter = None,
    store: StoreUrl = None,
    name: ContestName = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    batches: MostBatches = None,
    frozen: Frozen = False,
    bot: TypedAgain = None,
    referee: RefereeFile = None,
    as_json: contest_looks.AsJson = False,
    sandbox: ContestSandboxOption = None,
    trust: Trust = False,
    lang: Language = None,
) -> None:
    """Begin a contest, or go on with it."""
    flags = {
        "--folder": folder,
        "--names": names,
        "--format": format_,
        "--rounds": rounds,
        "--option": option,
        "--seed": seed,
        "--setup": setup,
        "--clock": clock,
        "--pondering": pondering or None,
        "--fault-is-last": fault_is_last or None,
        "--python": python,
    }
    request = _request(words or [], game, flags, store, name)
    wanted, language = sandbox or _usual(request), str(lang)
    sandbox_for(sandbox if trust else wanted, trust, language)
    ours = _ours(request, "none" if trust else wanted, bot or [], python, referee)
    workers, found = _workers(workers, request), _elsewhere(cluster, keys, plain_tcp)
    with _open(request, (words or [""])[0], name, frozen, as_json, ours, language) as session:
        _run(session, workers, found, batches, as_json, language)


def _usual(request: ContestRequest | None) -> str:
    """The sandbox if no flag names one."""
    from dohyo.series.request import USUAL

    return USUAL if request is None else request.sandbox


def _ours(
    request: ContestRequest | None, sandbox: str, typed: list[str], python: str | None, referee: str | None
) -> dict[str, Any]:
    """What is never taken from a store: the options of this command line; they are also written into the request."""
    ours: dict[str, Any] = {"sandbox": sandbox}
    if request is None:
        ours |= {"python": python, "referee": referee, "typed": typed}
    else:
        if referee is not None:
            raise OperatorError("referee-with-game")
        if typed:
            raise OperatorError("contest-bot-without-store")
        request.sandbox = sandbox
    return ours


def _request(
    words: list[str], game: str | None, given: dict[str, Any], store: str | None, name: str | None
) -> ContestRequest | None:
    """The request, by flags (those not `given` are none) or by a file; none if the word is a store."""
    from dohyo.bots.resolution import named
    from dohyo.series import formats
    from dohyo.series.request import ContestRequest, read_file

    flags = {key: value for key, value in given.items() if value is not None}
    if game is not None:
        return ContestRequest(
            name=name or NAME,
            store=store or STORE,
            game=game,
            format=flags.get("--format", formats.USUAL),
            rounds=flags.get("--rounds", 1),
            seed=read_seed(flags["--seed"]) if "--seed" in flags else None,
            setup=dict(read_setup(flags.get("--setup", ()))),
            options=dict(read_setup(flags.get("--option", ()))),
            bots=list(map(named, words)),
            folder=flags.get("--folder"),
            names=flags.get("--names"),
            clock=flags.get("--clock"),
            pondering=flags.get("--pondering", False),
            fault_is_last=flags.get("--fault-is-last", False),
            python=flags.get("--python"),
            is_named=name is not None,
        )
    if not words:
        raise OperatorError("contest-without-file")
    if len(words) > 1:
        raise OperatorError("contest-several-files", words=" ".join(words))
    is_store = not words[0].endswith(".toml")
    if os.path.isdir(words[0]):
        raise OperatorError("contest-of-folder", folder=words[0], typed=shlex.quote(words[0]))
    if is_store:  # a store cannot decide that
        flags.pop("--python", None)
    if flags:
        raise OperatorError("contest-flag-with-file", flag=next(iter(flags)))
    if is_store:
        if store is not None:
            raise OperatorError("contest-flag-with-file", flag="--store")
        return None
    request = read_file(words[0])
    request.store, request.name = store or request.store, name or request.name
    return request


def _open(
    request: ContestRequest | None,
    where: str,
    name: str | None,
    frozen: bool,
    as_json: bool,
    ours: dict[str, Any],
    language: str,
) -> ContestSession:
    """Begin the contest, or go on with that of the store `where`; `ours` are the values that no store decides."""
    from dohyo.series.roster import stored_terms
    from dohyo.series.session import begin, go_on
    from dohyo.series.spec import last_lines

    def leave_out(bot: str, error: OperatorError) -> None:
        told, place = error.say(Speaker(language)), os.path.join("" if request is None else request.folder or "", bot)
        for path in (os.path.abspath(place), place):  # the sentence begins with the bot, and whoever reads it is here
            told = told.replace(clean.line(path), bot)
        _note(say("contest.left-out", language, bot=bot, error=told))
        for line in last_lines(error):
            _note(f"  {line}")

    def tell(key: str, **details: object) -> None:
        if key != "contest.building" or (sys.stderr.isatty() and not as_json):
            _note(say(key, language, **details))

    def join(bot: str) -> None:
        _note(say("contest.joins", language, bot=bot))

    try:
        if request is None:
            return go_on(where, name, **ours)
        return begin(request, frozen=frozen, leave_out=leave_out, join=join, tell=tell)
    except KeyboardInterrupt as interrupt:
        is_new = request is not None and stored_terms(request) is None
        sentence = say("contest.nothing-begun" if is_new else "contest.nothing-more", language)
        raise Ended(exit_status(interrupt), sentence) from interrupt


def _elsewhere(address: str | None, keys: str | None, plain_tcp: bool) -> Elsewhere | None:
    from dohyo.executors.choice import elsewhere

    return elsewhere(address, keys, plain_tcp)


def _workers(given: int | None, request: ContestRequest | None) -> int | None:
    from dohyo.series.request import MAX_WORKERS

    workers = given if given is not None or request is None else request.workers
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise OperatorError("contest-workers", workers=workers, most=MAX_WORKERS)
    return workers


def _run(
    session: ContestSession,
    workers: int | None,
    place: Elsewhere | None,
    batches: int | None,
    as_json: bool,
    language: str,
) -> None:
    """Play, and print the result; also if a signal ends it."""
    from dohyo.executors.choice import executor_for
    from dohyo.executors.played_again import CountsAgain
    from dohyo.series.results import Publisher
    from dohyo.series.session import ContestView
    from dohyo.terminal.contest_live import onlooker
    from dohyo.terminal.standings import left_open, passed_over

    if place is not None and session.game.referee is not None:
        raise OperatorError("referee-no-cluster", game=session.game.name)
    roster = session.loop.roster
    interrupt: KeyboardInterrupt | None = None
    counts: CountsAgain | None = None
    over = False
    state = "stopped"
    session.store.set_state(session.contest.id, "running")
    try:
        with (
            executor_for(workers, place, roster.archive_of, session.spec.python) as executor,
            onlooker(session, language, as_json) as looks,
        ):
            publisher = Publisher(session.store, session.contest, lambda: session.loop.format, roster, looks)
            looks.counts = counts = CountsAgain(executor)
            over = session.loop.run(counts, publisher, batches)
            publisher.finish()
        state = "over" if over and _ends(session) else "stopped"
    except KeyboardInterrupt as caught:
        interrupt = caught
    finally:
        session.store.set_state(session.contest.id, state)
    _tell(session, state, as_json, language, counts, is_here=place is None)
    if interrupt is not None:
        played = ContestView.of(session).played
        key = "contest.stopped-one" if played == 1 else "contest.stopped"
        sentence = say(key, language, played=played, again=_again(session))
        raise Ended(exit_status(interrupt), sentence) from interrupt
    if over and state != "over":
        _note(say("contest.waits", language, again=_again(session)))
    view = ContestView.of(session)
    for sentence in (left_open(view, _again(session), language), passed_over(view, _again(session), language)):
        if sentence:
            _note(sentence)


def _ends(session: ContestSession) -> bool:
    return session.loop.format.info.ends


def _tell(
    session: ContestSession,
    state: str,
    as_json: bool,
    language: str,
    counts: CountsAgain | None = None,
    is_here: bool = True,
) -> None:
    """The standings, at the end, and how many matches `counts` had to play again.

    If all of them were played on this machine (`is_here`), also whether it was busy meanwhile.
    """
    from dohyo.executors.played_again import again_in_words, busy_in_words
    from dohyo.series.session import ContestView

    view = ContestView.of(session)
    if as_json:
        contest_looks.print_document(view, state)
    else:
        contest_looks.print_standing(view, language)
        if state == "over":
            sys.stdout.write(say("contest.over", language) + "\n")
    if counts is not None and counts.again:
        _note(again_in_words(counts.again, session.spec.clock, session.spec.mode, Speaker(language)))
    if counts is not None and is_here:
        busy = busy_in_words(counts, os.cpu_count() or 1, session.spec.clock, session.spec.mode, Speaker(language))
        if busy:
            _note(busy)


def _again(session: ContestSession) -> str:
    """The words after `dohyo contest run` that resume this contest."""
    from dohyo.terminal.standings import words_again

    where = session.where
    beside = Path(where)
    if "://" not in where and beside.is_absolute() and beside.is_relative_to(Path.cwd()):
        where = str(beside.relative_to(Path.cwd()))
    referee = session.game.referee
    file = "" if referee is None else os.path.relpath(referee.file)
    return words_again(session.store, where, session.contest, session.spec, file)


def _note(line: str) -> None:
    """A line for the person alone, not a part of the output."""
    sys.stderr.write(clean.line(line) + "\n")
    sys.stderr.flush()


contest_looks.mount(app)
contest_report.mount(app)
contest_site.mount(app)
contest_verify.mount(app)
contest_changes.mount(app)
contest_rulings.mount(app)
