"""`dohyo contest`: many matches, who is better, and how sure that is."""

from __future__ import annotations

import importlib
import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.guests import WithGuests, epilog_of
from dohyo.cli.options import Language, application, command_of, sandbox_for
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.asked import fields, says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import STRICT, AsJson, ClusterAddress, Keys, PlainTcp, Trust
from dohyo.i18n import Speaker
from dohyo.series.request import ContestRequest

if TYPE_CHECKING:
    from dohyo.executors.choice import Elsewhere
    from dohyo.executors.messages import Executor
    from dohyo.executors.played_again import CountsAgain
    from dohyo.series.session import ContestSession


# The groups of the commands below this one, as `listing.GROUPS` are.
GROUPS = {
    "look": "Play and look",
    "part": "Who takes part",
    "change": "Results that have to change",
    "out": "Results for others",
    "store": "The store",
}
# These commands: each is a function of its name in one of the modules beside this one, and is in a group.
OURS = {
    "run": ("contest", "look"),
    **dict.fromkeys(("standings", "show", "matches", "replay"), ("contest_looks", "look")),
    **dict.fromkeys(("add", "remove", "pause", "resume", "rename"), ("contest_changes", "part")),
    **dict.fromkeys(("rejudge", "annul", "disqualify"), ("contest_rulings", "change")),
    "export": ("contest_looks", "out"),
    "files": ("contest_looks", "store"),
    "delete": ("contest_changes", "store"),
}
WAITING = {"contest.building", "contest.trying"}  # said to a person who waits, and to nobody else
# Of those with many options: which come first in their help.
USUAL = {
    "run": "game format rounds folder names store",
    "replay": "html watch save verify faults",
    "rejudge": "bot where everything because undo workers",
}


def _made(name: str) -> Any:
    where, group = OURS[name]
    module = importlib.import_module(f"dohyo.cli.{where}")
    told: dict[str, Any] = {"usual": USUAL.get(name, ""), "rich_help_panel": group}
    if name == "run":
        told |= {"kind": ContestRequest, "whole": False, "without": ("bots",)}
    one = application()
    asks(one, **told, epilog=module.EXAMPLES if name in ("run", "rejudge") else None)(getattr(module, name))
    return command_of(one)


class Contests(WithGuests):
    """The commands below `dohyo contest`."""

    parent = "contest"
    headings = GROUPS
    ours: ClassVar = {name: partial(_made, name) for name in OURS}


app = application(cls=Contests, epilog=epilog_of("contest"))

NAMED = 8  # bots in a command that is printed; in the place of more it has two words for them
ONWARD = "To stop, and to go on"  # the heading of options
Words = Annotated[
    list[str] | None, says("A contest file, a store, or, with --game, bots.", "FILE.toml|STORE|BOT", is_bare=True)
]
RefereeFile = Annotated[
    str | None,
    says("The file of the program that referees, to go on with a store.", "FILE", option="--referee", group=ONWARD),
]
MostBatches = Annotated[
    int | None, says("Stop after so many batches; a ladder has no end of its own.", "N", group=ONWARD)
]
TypedAgain = Annotated[
    list[str] | None,
    says("To go on with a store: a bot that is no file, typed again.", "NAME=BOT", group=ONWARD),
]
Frozen = Annotated[bool, says("Refuse bots whose files have changed.", group=ONWARD)]
Replaces = Annotated[
    bool,
    says(
        "After a round-robin's end, let new versions of bots replace the matches of older ones.",
        option="--replace",
        group=ONWARD,
    ),
]

EXAMPLES = """\b
Examples:
  dohyo contest run class.toml
  dohyo contest run --game drop-block hunter random mine.cpp old=mine-old.cpp --rounds 10
  dohyo contest run --game drop-block --folder hand-ins --format swiss --rounds 7 --store class.db
  dohyo contest run class.db

The same command again goes on where it was, and every match counts exactly once. So does the store alone; for a
contest that was begun in layer 3 of the sandbox, add --sandbox auto.
'dohyo help docs/contests.md' has all that a contest file may say."""


@app.callback(invoke_without_command=True)
def contest(context: typer.Context, lang: Language = None) -> None:
    """Hold contests between bots, go on with them, look at the results."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(
    asked: dict[str, Any],
    words: Words = None,
    cluster: ClusterAddress = None,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    batches: MostBatches = None,
    frozen: Frozen = False,
    replaces: Replaces = False,
    bot: TypedAgain = None,
    referee: RefereeFile = None,
    as_json: AsJson = False,
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> None:
    """Begin a contest, or go on with it."""
    from dohyo.executors.choice import elsewhere

    sandbox, workers, name = asked.pop("sandbox", None), asked.pop("workers", None), asked.get("name")
    python = asked.get("python")
    request = _request(words or [], asked, bot or [])
    found = elsewhere(cluster, keys, plain_tcp)
    wanted = sandbox or (None if request is None else request.sandbox) or _usual(request, found, speaker)
    sandbox_for(wanted, trust, speaker)
    ours: dict[str, Any] = {"sandbox": wanted}  # what is never taken from a store, but from this command line
    if request is None:
        ours |= {"python": python, "referee": referee, "typed": bot or []}
    elif referee is not None:
        raise OperatorError("referee-with-game")
    elif bot and "game" in asked:
        raise OperatorError("contest-bot-with-game", right=_line(asked, [*(words or []), *bot]))
    elif bot:
        raise OperatorError("contest-bot-with-file", bot=bot[0])
    else:
        request.sandbox = wanted
        workers = request.workers if workers is None else workers
    if frozen and replaces:
        raise OperatorError("contest-frozen-replace")
    changed = {"frozen": frozen, "replaces": replaces}
    with _open(request, (words or [""])[0], name, changed, as_json, ours, speaker) as session:
        _run(session, workers, found, batches, as_json, speaker)


def _usual(request: ContestRequest | None, place: Elsewhere | None, speaker: Speaker) -> str:
    """The sandbox where none is named: the strict one on other machines, and for bots that a store alone holds."""
    if request is None or place is not None:
        return STRICT
    from dohyo.series.own_bots import usual_sandbox

    return usual_sandbox(request, lambda key, **details: _note(speaker.say(key, **details)))


def _request(words: list[str], given: dict[str, Any], again: list[str]) -> ContestRequest | None:
    """The request, by what was `given` of it, or by a file; none if the word is a store. `again` are --bot's bots."""
    from dohyo.bots.typed_words import named
    from dohyo.series.contest_file import read_file

    if "game" in given:
        return ContestRequest(bots=list(map(named, words)), is_named="name" in given, **given)
    if not words and "folder" in given:
        raise OperatorError("contest-folder-alone", typed=shlex.quote(given["folder"]))
    if not words and again:
        raise OperatorError("contest-bot-alone", bot=shlex.quote(again[0]), right=_line({"game": "GAME"}, again))
    if not words:
        raise OperatorError("contest-without-file")
    if _is_game(words[0]):
        raise OperatorError(
            "contest-of-game", game=words[0], right=_line({**given, "game": words[0]}, [*words[1:], *again])
        )
    if len(words) > 1:
        raise OperatorError("contest-several-files", words=" ".join(words))
    is_store = not words[0].endswith(".toml")
    if os.path.isdir(words[0]):
        raise OperatorError("contest-of-folder", folder=words[0], typed=shlex.quote(words[0]))
    # A store cannot decide about the interpreter; a file can be kept elsewhere.
    free = ("name", "python") if is_store else ("name", "store")
    if wrong := [field.option for field in fields(ContestRequest) if field.name in given and field.name not in free]:
        raise OperatorError("contest-flag-with-file", flag=wrong[0])
    if is_store:
        return None
    request = read_file(words[0])
    request.store, request.name = given.get("store", request.store), given.get("name", request.name)
    return request


def _is_game(word: str) -> bool:
    """Whether a game is called so, which other commands take as their first word, and nothing else here is."""
    if os.path.lexists(word) or not word.replace("-", "").replace("_", "").isalnum():
        return False
    from dohyo import games

    try:
        return games.find(word) is not None
    except OperatorError:
        return False


def _line(given: dict[str, Any], bots: list[str]) -> str:
    """What begins a contest of the game that was `given`: between these bots, or those in a folder.

    Other options are left to who reads it, and so are the names of more bots than a line is read for.
    """
    from dohyo.bots.bot import declares
    from dohyo.match.command_lines import command

    folder = ["--folder", given["folder"]] if "folder" in given else []
    if not folder and len(bots) == 1 and os.path.isdir(bots[0]) and not declares(Path(bots[0])):
        folder, bots = ["--folder", bots[0]], []
    if len(bots) > NAMED or any(word.startswith("-") for word in [*folder[1:], *bots]):
        folder, bots = [], []
    return command("contest", "run", "--game", given["game"], *(folder + bots or ["BOT", "BOT"]))


def _open(
    request: ContestRequest | None,
    where: str,
    name: str | None,
    changed: dict[str, Any],
    as_json: bool,
    ours: dict[str, Any],
    speaker: Speaker,
) -> ContestSession:
    """Begin the contest, or go on with that of the store `where`.

    `changed` says what becomes of bots whose files have changed, `ours` are the values that no store decides.
    """
    from dohyo.series.roster import stored_terms
    from dohyo.series.session import begin, go_on
    from dohyo.series.spec import compiler_lines

    def leave_out(bot: str, error: OperatorError) -> None:
        told, place = error.say(speaker), os.path.join("" if request is None else request.folder or "", bot)
        for path in (os.path.abspath(place), place):  # the sentence begins with the bot, and whoever reads it is here
            told = told.replace(clean.line(path), bot)
        _note(speaker.say("contest.left-out", bot=bot, error=told))
        for line in compiler_lines(error):
            _note(f"  {line}")

    def tell(key: str, **details: object) -> None:
        if key not in WAITING or (sys.stderr.isatty() and not as_json):
            _note(speaker.say(key, **details))

    try:
        if request is None:
            return go_on(where, name, **ours)
        return begin(request, **changed, leave_out=leave_out, tell=tell)
    except KeyboardInterrupt as interrupt:
        is_new = request is not None and stored_terms(request) is None
        sentence = speaker.say("contest.nothing-begun" if is_new else "contest.nothing-more")
        raise Ended(exit_status(interrupt), sentence) from interrupt


def _run(
    session: ContestSession,
    workers: int | None,
    place: Elsewhere | None,
    batches: int | None,
    as_json: bool,
    speaker: Speaker,
) -> None:
    """Play, and print the result; also if a signal ends it."""
    from dohyo.executors.played_again import CountsAgain
    from dohyo.series.results import Publisher
    from dohyo.series.session import ContestView, leave_over
    from dohyo.series.telling.words import left_open, passed_over
    from dohyo.terminal.contest_live import onlooker

    if place is not None and session.game.referee is not None:
        raise OperatorError("referee-no-cluster", game=session.game.name)
    roster = session.loop.roster
    interrupt: KeyboardInterrupt | None = None
    counts: CountsAgain | None = None
    over = False
    state = "stopped"
    leave_over(session.store, session.contest, "running")
    try:
        with (
            _executor(session, workers, place) as executor,
            onlooker(session, speaker, as_json) as looks,
        ):
            publisher = Publisher(session.store, session.contest, lambda: session.loop.format, roster, looks)
            looks.counts = counts = CountsAgain(executor)
            over = session.loop.run(counts, publisher, batches)
            publisher.finish()
        state = "over" if over and session.loop.format.info.ends else "stopped"
    except KeyboardInterrupt as caught:
        interrupt = caught
    finally:
        session.store.set_state(session.contest.id, state)
    _tell(session, state, as_json, speaker, counts, is_here=place is None)
    if interrupt is not None:
        played = ContestView.of(session).played
        key = "contest.stopped-one" if played == 1 else "contest.stopped"
        sentence = speaker.say(key, played=played, again=_again(session))
        raise Ended(exit_status(interrupt), sentence) from interrupt
    if over and state != "over":
        _note(speaker.say("contest.waits", again=_again(session)))
    view = ContestView.of(session)
    for sentence in (left_open(view, _again(session), speaker), passed_over(view, _again(session), speaker)):
        if sentence:
            _note(sentence)


def _executor(session: ContestSession, workers: int | None, place: Elsewhere | None) -> Executor:
    """What plays the matches; here, a few of them are written turn by turn while `dohyo watch` looks on."""
    from dohyo.executors.choice import executor_for
    from dohyo.executors.told import Told
    from dohyo.series.watched import AT_ONCE, live_folder, series_of

    executor = executor_for(workers, place, session.loop.roster.archive_of, session.spec.python)
    live = live_folder(session.store)
    if live is None or place is not None:
        return executor
    return Told(executor, live, series_of(session.contest), AT_ONCE)


def _tell(
    session: ContestSession,
    state: str,
    as_json: bool,
    speaker: Speaker,
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
        from dohyo.series.telling.document import document

        sys.stdout.write(clean.document(document(view, state)))
    else:
        from dohyo.terminal.standings import print_standing

        print_standing(view, speaker)
        if state == "over":
            sys.stdout.write(speaker.say("contest.over") + "\n")
    if counts is not None and counts.again:
        _note(again_in_words(counts.again, session.spec.clock, session.spec.mode, speaker))
    if counts is not None and is_here:
        busy = busy_in_words(counts, os.cpu_count() or 1, session.spec.clock, session.spec.mode, speaker)
        if busy:
            _note(busy)


def _again(session: ContestSession) -> str:
    """The words after `dohyo contest run` that resume this contest."""
    from dohyo.series.typed_again import words_again

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
