"""Bots that stay at home as a kind of player, where there is no site: nobody types one, and none is run again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dohyo import games
from dohyo.bench.rerun import bot_of
from dohyo.core import playback
from dohyo.core.contest import Fixture, Version
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.replay import Replay
from dohyo.guests.site.distant.kind import LANGUAGE, bot_at_home, digest_of, place_of
from dohyo.match.play import play_match
from dohyo.match.replays.sent import Sent
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.results import match_seed


@pytest.fixture
def recorded() -> Replay:
    """A match whose seat 0 was a bot that stayed at home, as its replay has it."""
    replay = play_match("connectx", ["random", "random"], seed=3, sandbox="none")
    first, second = replay.header.seats
    seats = (msgspec.structs.replace(first, name="Far", digest=digest_of(1), protocol="distant"), second)
    replay.header = msgspec.structs.replace(replay.header, seats=seats)
    return replay


@pytest.mark.parametrize("word", ["distant:1@/tmp", "distant:", "Mine=distant:7"])
def test_nobody_types_such_a_bot(word: str) -> None:
    """The word of an operator never becomes a bot that stays at home: the sentence names what does."""
    with pytest.raises(OperatorError) as raised:
        play_match("connectx", [word, "random"], sandbox="none")
    assert raised.value.key == "distant-typed"


def test_a_match_does_not_begin_without_its_bot(tmp_path: Path) -> None:
    """Where no web server has the bot, the match is no match, and nobody has a fault."""
    with pytest.raises(HandInError) as raised:
        play_match("connectx", [bot_at_home(tmp_path, 1, "Far"), "random"], sandbox="none")
    assert raised.value.key == "distant-away"


def test_a_bot_at_home_meets_no_luck_that_it_has_seen() -> None:
    """It may remember a match: so those of one set, with the seats swapped, have dice and cards of their own."""
    here, far = Version("Near", "a" * 64, "python"), Version("Far", "b" * 64, LANGUAGE)
    swapped = [Fixture(0, number, seats, 77) for number, seats in enumerate(((0, 1), (1, 0)))]
    assert [match_seed(each, [here, here]) for each in swapped] == [77, 77]
    for versions in ([here, far], [far, here]):
        assert len({77, *(match_seed(each, versions) for each in swapped)}) == 3


def test_a_bots_place_is_read_as_it_was_written(tmp_path: Path) -> None:
    """The address of a bot names its number and its site's folder, whatever signs that has."""
    folder = tmp_path / "a:b@c d"
    assert place_of(bot_at_home(folder, 12, "Far").address) == (12, folder)


def test_what_it_was_sent_is_its_games_own_text(recorded: Replay) -> None:
    """In a recorded match such a seat was sent what any program is sent."""
    game = games.find("connectx")
    sent = Sent(game, recorded)
    assert sent.is_known(0)
    moment = next(playback.moments(game, recorded))
    assert sent.prompt(moment, 0) == game.prompt(moment.before, 0)


def test_rerun_says_that_it_cannot_be_run_here(recorded: Replay) -> None:
    """Nothing of that name is taken for it: to run it again needs a program of the operator's."""
    with pytest.raises(OperatorError) as raised:
        bot_of(recorded, 0, None, None, sandbox_of("none"))
    assert raised.value.key == "rerun-distant"
