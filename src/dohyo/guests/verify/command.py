"""`dohyo verify`: whether results can be trusted: a store, a bundle of results, or a replay."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
import typer

from dohyo import clean, doors
from dohyo.cli.asking import asks
from dohyo.cli.options import application, sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.request_fields import STRICT, AsJson, ContestSandbox, Interpreter, Trust, Workers
from dohyo.guests.verify.findings import (
    as_data,
    progress,
    refusal,
    tell_findings,
    tell_others,
    tell_removed,
    tell_report,
)
from dohyo.i18n import ENGLISH, Message, Speaker

if TYPE_CHECKING:
    from dohyo.guests.verify.again import MatchAgain, PlayingAgain, Report

app = application()

OF_STORE, OF_RESULTS = "Of a store", "Of signed results"  # headings of options

DIFFERS = 1  # the exit status where bots answered differently, or could not play
HEAD = 512  # bytes at a file's beginning

EXAMPLES = """\b
Examples:
  dohyo verify contest.db
  dohyo verify contest.db --matches 200 --seed 7
  dohyo verify contest.db 17
  dohyo verify results.tar --key key.pub
  dohyo verify m.replay

Exit status: 0 where all is as it was written and every match that was played again is the same; 1 where a bot
answered differently, or a match could not be played again; 2 for anything worse.
'dohyo help docs/verify.md' says more."""

What = Annotated[
    str, says("What to verify; the word last for the last match.", "STORE|RESULTS.tar|REPLAY", is_bare=True)
]
MatchWords = Annotated[
    list[str] | None, says("Of a store: only these matches, each by its number.", "MATCH", is_bare=True)
]
Matches = Annotated[
    int | None,
    says(
        "Of a store: play so many matches again. Without it: about a minute's worth.", "N", at_least=0, group=OF_STORE
    ),
]
Every = Annotated[bool, says("Play every match again.", option="--all", group=OF_STORE)]
Seed = Annotated[int | None, says("Which matches are chosen. Without it: a new one.", "N", group=OF_STORE)]
Name = Annotated[str | None, says("Only this contest of the store.", "NAME", group=OF_STORE)]
TypedAgain = Annotated[
    list[str] | None,
    says("Of a store: a bot that is no file, typed again. May be repeated.", "NAME=BOT", group=OF_STORE),
]
Key = Annotated[
    str | None, says("Of results: the public key of minisign, a file or the key itself.", "KEY", group=OF_RESULTS)
]
SignatureFile = Annotated[
    str | None, says("Their signature. Without it: RESULTS.tar.minisig.", "FILE", group=OF_RESULTS)
]


@asks(app, epilog=EXAMPLES, usual="matches every workers")
def verify(
    what: What,
    match: MatchWords = None,
    matches: Matches = None,
    every: Every = False,
    seed: Seed = None,
    name: Name = None,
    workers: Workers = None,
    sandbox: ContestSandbox = STRICT,
    trust: Trust = False,
    python: Interpreter = None,
    bot: TypedAgain = None,
    key: Key = None,
    signature: SignatureFile = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Tell whether results can be trusted: a store, results, a replay.

    Matches of a store are played again, the moves of a replay too; of results the signature is checked.
    """
    kind = _kind(what)
    of_stores = {
        "--matches": matches,
        "--all": every or None,
        "--seed": seed,
        "--name": name,
        "--workers": workers,
        "--bot": bot or None,
        "MATCH": match or None,
    }
    of_results = {"--key": key, "--signature": signature}
    foreign = {**({} if kind == "store" else of_stores), **({} if kind not in ("store", "replay") else of_results)}
    if flags := [flag for flag, value in foreign.items() if value is not None]:
        raise OperatorError("verify-flag", flag=flags[0], what=what)
    if kind == "replay":
        _replay(what, as_json, speaker)
    elif kind != "store":
        _export(kind, what, key, signature, as_json, speaker)
    else:
        if matches is not None and every:
            raise OperatorError("verify-all-and-some")
        if match and (matches is not None or every or seed is not None):
            raise OperatorError("verify-matches-and-some")
        sandbox_for(sandbox, trust, speaker)
        ours = _Ours(sandbox, python, bot or [], workers, speaker)
        _store(what, name, match or [], matches, every, seed, ours, as_json)


class _Ours(NamedTuple):
    """What the operator alone decides, whatever a store says."""

    sandbox: str
    python: str | None
    typed: list[str]
    workers: int | None
    speaker: Speaker


def _kind(what: str) -> str:
    """What a word means: a store, a replay, or an export that a guest brings, by its name.

    Raises `OperatorError` if there is nothing to read.
    """
    from dohyo.match.files import SQLITE, read_bounded
    from dohyo.match.replays.last import is_meant

    if is_meant(what):
        return "replay"
    if "://" in what:
        return "store"
    start = read_bounded(what, HEAD)
    if start.startswith(SQLITE):
        return "store"
    for name, each in doors.brought("exports").items():
        if each.is_one and each.verify and doors.says_yes(each.is_one, start):
            return name
    return "replay"


# --- a replay


def _replay(what: str, as_json: bool, speaker: Speaker) -> None:
    from dohyo.match.replays import replays

    try:
        match = replays.find(what)
    except ReplayError as error:
        if error.key != "not-a-replay":
            raise
        raise OperatorError("verify-what", path=what) from error
    turns = replays.verify(match)
    if as_json:
        sys.stdout.write(clean.document({"what": "replay", "turns": turns, "unfinished": match.result.unfinished}))
        return
    key = "verified-unfinished" if match.result.unfinished else "verified"
    typer.echo(speaker.say(key, path=what, turns=turns))


# --- an export that a guest brings


def _export(kind: str, what: str, key: str | None, signature: str | None, as_json: bool, speaker: Speaker) -> None:
    verified: doors.Verified = doors.load(doors.find("exports", kind).verify)(
        Path(what), key, signature, progress(speaker)
    )
    if as_json:
        sys.stdout.write(clean.document({**verified.about, "findings": as_data(verified.findings)}))
    else:
        for message in verified.before:
            typer.echo(speaker.say(message))
        tell_findings(verified.findings, speaker)
        for message in verified.after:
            typer.echo(speaker.say(message))
    if verified.refusal is not None:
        raise verified.refusal


# --- a store


def _store(
    what: str,
    name: str | None,
    only: list[str],
    matches: int | None,
    every: bool,
    seed: int | None,
    ours: _Ours,
    as_json: bool,
) -> None:
    from dohyo.guests.verify import stored
    from dohyo.guests.verify.again import PlayingAgain
    from dohyo.match.play import new_seed
    from dohyo.series.rulings import numbers_of
    from dohyo.series.store import open_store

    speaker = ours.speaker
    with open_store(what) as store:
        shown = store.database.address.shown
        contests = [store.contest(name)] if name is not None or only else store.contests()
        numbers = numbers_of(only)
        for number in numbers:  # each has a result that counts
            store.result(contests[0], number)
        if only:
            found = stored.verify_matches(store, contests[0], numbers)
        else:
            found = stored.verify(store, False, progress(speaker))
        if findings := list(found):
            _damaged(findings, shown, as_json, speaker)
        said = ENGLISH if as_json else speaker
        playing = PlayingAgain(store, contests, ours.sandbox, ours.python, ours.typed, said)
        population = [(contests[0].id, number) for number in numbers] if only else playing.population()
        if not as_json:
            _tell_whole(playing, population, shown, len(contests), bool(only), speaker)
            tell_removed(0 if only else stored.without_code(store), speaker)
        chosen = new_seed() if seed is None else seed
        report = _play(playing, population, matches, every or bool(only), chosen, ours, as_json)
    if as_json:
        again = msgspec.to_builtins(report)
        sys.stdout.write(clean.document({"what": "store", "store": shown, "findings": [], "again": again}))
    elif report is not None:
        tell_report(report, speaker)
    if report is not None:
        _end(report, shown)


def _tell_whole(
    playing: PlayingAgain,
    population: list[tuple[int, int]],
    shown: str,
    contests: int,
    is_chosen: bool,
    speaker: Speaker,
) -> None:
    """Tell that a store, or the matches that were chosen, are as they were played, and which are not played again."""
    refereed = {contest.name: len(playing.numbers(contest.id)) for contest in playing.refereed}
    made = {contest.name: len(playing.numbers(contest.id)) for contest in playing.made}
    if is_chosen:
        typer.echo(speaker.say("verify.these", store=shown, count=len(population)))
    else:
        played = len(population) + sum(refereed.values()) + sum(made.values())
        typer.echo(speaker.say("verify.whole", store=shown, contests=contests, matches=played))
    for key, alone in (("verify.refereed", refereed), ("verify.made", made)):
        for contest, count in alone.items():
            typer.echo(speaker.say(key, name=contest, count=count))


def _damaged(findings: list[Message], shown: str, as_json: bool, speaker: Speaker) -> None:
    """Tell what is wrong with a store; matches of such a one are not played again."""
    if as_json:
        found = {"what": "store", "store": shown, "findings": as_data(findings), "again": None}
        sys.stdout.write(clean.document(found))
    else:
        tell_findings(findings, speaker)
    raise refusal(findings, shown)


def _play(
    playing: PlayingAgain,
    population: list[tuple[int, int]],
    matches: int | None,
    every: bool,
    seed: int,
    ours: _Ours,
    as_json: bool,
) -> Report | None:
    """Play the sample again; nothing if there is none."""
    from dohyo.executors.pool import Pool

    is_watched, done = sys.stderr.isatty() and not as_json, 0
    others: list[MatchAgain] = []
    with Pool(ours.workers) as pool:
        count = matches if matches is not None else playing.usual_number(population, seed, pool.workers)
        count = len(population) if every else min(count, len(population))
        if count == 0:
            return None

        def told(found: MatchAgain) -> None:
            nonlocal done
            done += 1
            if found.verdict != "same":
                others.append(found)
            if is_watched:
                sys.stderr.write("\r" + ours.speaker.say("verify.again-so-far", count=done, total=count))
                sys.stderr.flush()

        try:
            return playing.play(population, count, seed, pool, told)
        except KeyboardInterrupt:  # what a night has found is not lost
            if not as_json:
                typer.echo(ours.speaker.say("verify.again-so-far", count=done, total=count))
                tell_others(others, ours.speaker)
            raise
        finally:
            if is_watched:
                sys.stderr.write("\n")


def _end(report: Report, shown: str) -> None:
    """The exit status: see `EXAMPLES`."""
    if count := report.verdicts.get("rules", 0):
        raise OperatorError("verify-rules-differ", store=shown, count=count)
    if report.verdicts.get("bot", 0) or report.verdicts.get("unplayable", 0):
        raise typer.Exit(DIFFERS)
