"""`dohyo contest add|remove|pause|resume|rename`: who takes part while a contest runs; `delete`: a contest goes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo import clean
from dohyo.cli.options import sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import STRICT, AsJson, ContestSandbox, Interpreter, Trust
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from dohyo.series.store import Store
    from dohyo.series.store.records import Contest

    Change = Callable[[Store, Contest, str], int]

StoreWord = Annotated[str, says("Where the contest is kept: a file or a URL.", "STORE", is_bare=True)]
Bot = Annotated[str, says("A bot's name in the contest.", "BOT", is_bare=True)]
Because = Annotated[str | None, says("Why; it is shown wherever the result is.", "TEXT")]
Name = Annotated[str | None, says("Which contest, where the store holds several.", "NAME")]

ALREADY = {
    "contest-over",
    "contest-has-left",
    "contest-has-left-for-good",
}  # why a bot that plays no more cannot leave


def add(
    store: StoreWord,
    bot: Annotated[str, says("The bot, as for 'dohyo play', or NAME=BOT.", "BOT", is_bare=True)],
    name: Name = None,
    python: Interpreter = None,
    sandbox: ContestSandbox = STRICT,
    trust: Trust = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Let a bot join, or the next version of one that takes part."""
    from dohyo.bots.typed_words import named
    from dohyo.match.found_bots import check_name, find_bots
    from dohyo.series import formats, roster
    from dohyo.series.hand_ins import note_newcomer
    from dohyo.series.replaced import lost_by_new_version
    from dohyo.series.spec import Contender, Difference, terms_of
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        contest = opened.contest(name)
        spec, game = terms_of(contest)
        if not formats.find(spec.format).info.joins:
            raise OperatorError("contest-closed", name=contest.name, format=spec.format)
        meant = named(bot)
        if spec.python != python:
            if spec.python is None:
                raise Difference("python", None, python).error(contest.name)
            raise OperatorError("contest-own-word", name=contest.name, key="python", value=spec.python)
        box = sandbox_for(sandbox, trust, speaker)  # what the store says is no matter; by default the strongest
        (built,) = find_bots(game, [meant.bot], python, box, follow=False, setup=spec.setup)
        called = check_name(meant.name or built.name)
        known = roster.BuiltBot(Contender(called, roster.lasting(built.spec)), built)
        version = roster.version_of(opened, game, known)
        lost = lost_by_new_version(opened, contest, [called], version.digest)
        batch = roster.enter_version(opened, contest, version)
        alike: tuple[str, ...] = ()
        try:
            roster.note_joined(opened, contest, known.contender)
            alike = note_newcomer(opened, contest, version, (called, os.path.basename(meant.text)))
        except Exception as error:  # whatever it is: the bot has joined
            reason = error if isinstance(error, OperatorError) else str(error) or type(error).__name__
            typer.echo(speaker.say("contest.not-noted", bot=called, reason=reason), err=True)
    if as_json:
        _print_json(contest, called, "joined", batch, replaces=lost, alike=list(alike))
    else:
        _tell_joined(called, batch, lost, alike, speaker)


def _tell_joined(called: str, batch: int, lost: int, alike: tuple[str, ...], speaker: Speaker) -> None:
    """From when on a bot plays, whose files hold the same, and what its new version takes out."""
    from dohyo.bots.content import listed

    if alike:
        typer.echo(speaker.say("contest.alike", bots=listed(alike)), err=True)
    typer.echo(speaker.say("contest.added", bot=called, batch=batch))
    if lost:
        typer.echo(speaker.say("contest.replaces", bot=called, count=lost))


def remove(
    store: StoreWord,
    bot: Bot,
    annul: Annotated[bool, says("Its matches count for nobody, also where it has left already.")] = False,
    because: Because = None,
    name: Name = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Let a bot leave; what it played stays, unless it is annulled."""
    from dohyo.series import taking_part

    if annul:
        _remove_with_matches(store, bot, because, name, as_json, speaker)
        return
    if because is not None:
        raise OperatorError("remove-because")
    said = ("contest.removed", "contest.removed-at-once")
    _change(store, bot, name, taking_part.leave, said, "left", as_json, speaker)


def _remove_with_matches(
    store: str, bot: str, because: str | None, name: str | None, as_json: bool, speaker: Speaker
) -> None:
    """Let a bot leave, unless it has, or the contest is over, and let no match of it count."""
    from dohyo.series import rulings, taking_part
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    gone: OperatorError | None = None
    batch = None
    with open_store(store) as opened:
        contest, told = opened.contest(name), rulings.reason(because, needed=False)
        view = look(opened, name, results=False)
        rulings.check_bot(view, bot)
        try:
            batch = taking_part.leave(opened, contest, bot)
        except OperatorError as error:
            if error.key not in ALREADY:
                raise
            gone = error
        count = rulings.annul_all(view, bot, told)
        if count:
            rulings.publish(look(opened, name))
        elif gone is not None:
            raise gone
        drawn = rulings.still_drawn(view, bot)
    if as_json:
        _print_json(contest, bot, "left", batch, annulled=count, drawn=drawn)
        return
    key = "contest.removed-annulled-at-once" if view.format.info.passes_over else "contest.removed-annulled"
    if gone is not None:
        key = "contest.annulled"
    typer.echo(speaker.say(key, bot=bot, batch=batch, count=count))
    if drawn:
        typer.echo(speaker.say("contest.removed-drawn", count=drawn))


def pause(store: StoreWord, bot: Bot, name: Name = None, as_json: AsJson = False, *, speaker: Speaker) -> None:
    """Let a bot pause."""
    from dohyo.series import taking_part

    said = ("contest.paused", "contest.paused-at-once")
    _change(store, bot, name, taking_part.pause, said, "paused", as_json, speaker)


def resume(store: StoreWord, bot: Bot, name: Name = None, as_json: AsJson = False, *, speaker: Speaker) -> None:
    """Let a bot play again that pauses."""
    from dohyo.series import taking_part

    said = ("contest.resumed", "contest.resumed-at-once")
    _change(store, bot, name, taking_part.resume, said, "resumed", as_json, speaker)


def rename(
    store: StoreWord,
    bot: Bot,
    to: Annotated[str, says("What it is called from now on.", "NAME", is_bare=True)],
    name: Name = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Give a bot another name; what it played stays.

    In a folder of hand-ins a corrected list of names does the same.
    """
    from dohyo.series import renaming
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        contest = opened.contest(name)
        ((old, new),) = renaming.rename(opened, contest, bot, to).items()
    if as_json:
        told = {"contest": contest.name, "bot": new, "change": "renamed", "before": old}
        sys.stdout.write(clean.document(told))
        return
    typer.echo(speaker.say("contest.renamed", bot=old, now=new))


def delete(
    store: StoreWord,
    name: Annotated[str, says("The contest's name.", "NAME", is_bare=True)],
    force: Annotated[bool, says("Yes, delete it; without this, it stays.")] = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Delete a contest from its store, with its matches.

    That is for one that was begun by mistake.
    """
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        contest = opened.contest(name)
        count = sum(batch.played for batch in opened.progress(contest.id)) + len(opened.voided(contest.id))
        if not force:
            raise OperatorError("contest-delete", name=contest.name, count=count, game=clean.line(contest.game))
        opened.lease(contest.id)
        opened.delete(contest.id)
    if as_json:
        sys.stdout.write(clean.document({"contest": contest.name, "change": "deleted", "matches": count}))
        return
    typer.echo(speaker.say("contest.deleted", name=contest.name, count=count))


def _change(
    store: str,
    bot: str,
    name: str | None,
    change: Change,
    keys: tuple[str, str],
    done: str,
    as_json: bool,
    speaker: Speaker,
) -> None:
    """Change when a bot plays; `keys` say it with the next batch, or at once, and `done` in a document."""
    from dohyo.series import formats
    from dohyo.series.spec import of_stored
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        contest = opened.contest(name)
        at_once = formats.find(of_stored(contest.spec).format).info.passes_over
        batch = change(opened, contest, bot)
    if as_json:
        _print_json(contest, bot, done, batch)
        return
    typer.echo(speaker.say(keys[at_once], bot=bot, batch=batch))


def _print_json(contest: Contest, bot: str, done: str, batch: int | None, **more: object) -> None:
    """One document: what was done, and from which batch on it holds (none: since earlier)."""
    told = {"contest": contest.name, "bot": bot, "change": done, "batch": batch, **more}
    sys.stdout.write(clean.document(told))
