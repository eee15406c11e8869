"""A contest that is asked for again: its folder may lack a bot by now, or hold one that was mended or is new.

A class hands in late, mends what did not build, and takes files away. None of that is a reason not to go on.
"""

from __future__ import annotations

import os

from msgspec.structs import replace

from dohyo.app.contest.asking import Asked, Tell
from dohyo.app.contest.changes import enter_version
from dohyo.app.contest.field import Known, version_of
from dohyo.app.contest.spec import Contender, Spec, of_stored
from dohyo.contest.formats import find
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.store import Store, open_store
from dohyo.store.records import Contest


def stored_terms(asked: Asked) -> Spec | None:
    """The terms of the contest that is asked for, where it was begun before; nothing is written."""
    try:
        store = open_store(asked.store)
    except OperatorError:
        return None  # there is none; or it cannot be opened, and whoever wants to write to it is told why
    with store:
        found = [contest for contest in store.contests() if contest.name == asked.name]
        return of_stored(found[0].spec) if found and store.entrants(found[0].id) else None


def under_old_names(stored: Spec, known: list[Known], tell: Tell) -> list[Known]:
    """A file of the folder is called as it was: two with one name in a folder change each other's names.

    `tell` is told of those who would now be called otherwise.
    """
    names = {each.bot: each.name for each in stored.bots}
    called = [names.get(each.contender.bot, each.contender.name) for each in known]
    if len(set(called)) < len(called):
        return known
    for name, each in zip(called, known, strict=True):
        if each.of_folder and name != each.contender.name:
            tell("names.stay", bot=name, name=each.contender.name)
    return [
        each._replace(contender=Contender(name, each.contender.bot)) if each.of_folder else each
        for name, each in zip(called, known, strict=True)
    ]


def without_strangers(
    stored: Spec, asked: Asked, known: list[Known], closed: str, tell: Tell
) -> tuple[Contender, ...]:
    """The bots that are asked for, to be compared with those that began; the folder's share is as it was then.

    Of a bot whose file is gone from the folder, or does not build now, the store has the version that plays. Where
    no version may change, `closed` is the error's key for that; a file that does not build is not what it was.
    """
    began = {each.name for each in stored.bots}
    given = {each.contender.name: each for each in known}
    folder = None if asked.folder is None else os.path.abspath(asked.folder)
    bots = []
    for each in stored.bots:
        if each.name in given:
            bots.append(given[each.name].contender)
        elif folder is not None and os.path.dirname(each.bot) == folder:
            gone = not os.path.lexists(each.bot)
            if closed and not gone:
                raise OperatorError(closed, bot=each.name, name=asked.name, format=stored.format)
            tell("contest.gone" if gone else "contest.broken", bot=each.name)
            bots.append(each)
    return (*bots, *(each.contender for name, each in given.items() if name not in began and not each.of_folder))


def with_more_rounds(stored: Spec, given: Spec) -> Spec:
    """The stored terms; with as many rounds as are given where those are more, and begin with the ones there are."""
    more = given.rounds > stored.rounds and stored.format == given.format and find(stored.format).info.extends
    return replace(stored, rounds=given.rounds) if more else stored


def enter_newcomers(
    store: Store, contest: Contest, game: Game, known: list[Known], stored: Spec, joins: bool, tell: Tell
) -> None:
    """Let bots of the folder enter that did not take part so far, where the format takes any."""
    began = {each.name for each in stored.bots}
    entered = {entry.version.name for entry in store.entrants(contest.id)}
    for each in known:
        name = each.contender.name
        if name in began or name in entered:
            continue
        if not joins:
            tell("contest.too-late", bot=name)
            continue
        batch = enter_version(store, contest, version_of(store, game, each))
        tell("contest.added", bot=name, batch=batch)
