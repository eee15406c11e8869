"""Bots that a store holds as words alone play when the operator types them, and never because the store says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots import archive
from dohyo.core.bot_spec import CommandLine, HandIn
from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.guests.verify.again import PlayingAgain
from dohyo.match.found_bots import find_bots
from dohyo.match.sandboxing import sandbox_of
from dohyo.series import roster, session
from dohyo.series.spec import Contender
from dohyo.series.store import open_store
from dohyo.series.typed_again import words_again
from tests.core.matches import GAME
from tests.series.contests import ContestListener, asked, write_bot, write_bots


def refuse(name: str, error: OperatorError) -> None:
    """All of them can be used."""
    raise AssertionError(name) from error


def joined(store: Path, word: str, name: str) -> None:
    """Let a bot join, as `contest add` does."""
    with open_store(str(store)) as opened:
        (bot,) = find_bots(GAME, [word], None, sandbox_of("none"))
        known = roster.BuiltBot(Contender(name, bot.spec), bot)
        roster.enter_version(opened, opened.contest(None), roster.version_of(opened, GAME, known))


def test_who_joins_as_words_waits_for_the_operator(tmp_path: Path) -> None:
    """A command line that somebody has added is an error, which says what to type; typed, it plays."""
    write_bots(tmp_path / "bots")
    own = write_bot(tmp_path / "own")
    store = tmp_path / "c.db"
    request = asked(store, tmp_path / "bots", "ladder", options={"batch": 4})
    with session.begin(request, frozen=False, leave_out=refuse) as opened:
        opened.loop.run(InProcess(), ContestListener(), 1)
    joined(store, f"sh {own}", "late=r")
    with session.go_on(str(store), None, sandbox="none") as opened:
        number = next(each.number for each in opened.loop.roster.entrants if each.version.name == "late=r")
        with pytest.raises(OperatorError) as caught:
            opened.loop.roster.bot(number)
    assert caught.value.key == "contest-type-again"
    assert f"--bot 'late=r=sh {own}'" in caught.value.say()
    with session.go_on(str(store), None, sandbox="none", typed=[f"late=r=sh {own}"]) as opened:
        bot = opened.loop.roster.bot(number)
        assert bot.spec == CommandLine(("sh", own))
        assert archive.unpack_ours(opened.loop.roster.archive_of(bot)) == bot.spec  # for a cluster's members
        opened.loop.run(InProcess(), ContestListener(), 1)


def test_the_same_words_again_need_no_more(tmp_path: Path) -> None:
    """A contest that was stopped, and is started with the words that began it, goes on with its command lines."""
    write_bots(tmp_path / "bots")
    own = write_bot(tmp_path / "own")
    request = asked(tmp_path / "c.db", tmp_path / "bots")
    request.bots = [*request.bots[:3], ("mine", f"sh {own}")]
    for _ in range(2):
        with session.begin(request, frozen=False, leave_out=refuse) as opened:
            opened.loop.run(InProcess(), ContestListener(), 1)
            found = {each.version.name: opened.loop.roster.bot(each.number) for each in opened.loop.roster.entrants}
    assert found["mine"].spec == CommandLine(("sh", own))


def test_files_that_arguments_name_are_the_operators(tmp_path: Path) -> None:
    """A hand-in with an argument that names a file is not started from a store: what to type has the bot's path."""
    write_bots(tmp_path / "bots")
    own, book = str(tmp_path / "own.sh"), tmp_path / "book"
    Path(write_bot(Path(own))).chmod(0o644)  # an executable with words behind it is a command line
    book.write_text("x")
    request = asked(tmp_path / "c.db", tmp_path / "bots")
    request.bots = [*request.bots[:3], ("mine", f"{own} {book}")]
    with session.begin(request, frozen=False, leave_out=refuse) as opened:
        opened.loop.run(InProcess(), ContestListener(), 1)
    with session.go_on(request.store, None, sandbox="none") as opened:
        number = next(each.number for each in opened.loop.roster.entrants if each.version.name == "mine")
        with pytest.raises(OperatorError) as caught:
            opened.loop.roster.bot(number)
        again = words_again(opened.store, request.store, opened.contest, opened.spec)
    option = f"mine={own} {book}"
    assert caught.value.key == "contest-type-again-files"
    assert f"--bot '{option}'" in caught.value.say()
    assert f"--bot '{option}'" in again
    with session.go_on(request.store, None, sandbox="none", typed=[option]) as opened:
        assert opened.loop.roster.bot(number).spec == HandIn(own, (str(book),), names_files=True)


def test_a_misspelt_name_among_several_contests(tmp_path: Path) -> None:
    """Who plays some contests of a store again and misspells a bot's name is told so, whichever contest it is in."""
    write_bots(tmp_path / "bots")
    for name in ("c", "d"):
        request = asked(tmp_path / "c.db", tmp_path / "bots", name=name)
        with session.begin(request, frozen=False, leave_out=refuse) as opened:
            opened.loop.run(InProcess(), ContestListener(), 1)
    with open_store(str(tmp_path / "c.db")) as store:
        known = {entrant.name for entrant in opened.loop.roster.entrants}
        word = f"{min(known)}={tmp_path / 'bots' / 'x'}"
        with pytest.raises(OperatorError) as caught:
            PlayingAgain(store, store.contests(), "none", None, [f"x{word}"])
    assert caught.value.key == "contest-typed-nobody"
