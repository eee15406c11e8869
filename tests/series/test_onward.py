"""Who plays a match on: the bots that played it, strong ones in their place, or the search."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dohyo import games
from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.match.play import play_match
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.branches import Branch
from dohyo.series.onward import MAX_SEATS, BySearch, finder, onward
from tests.guests.analysis.test_analysis import LOST, played


@pytest.fixture(scope="module")
def climbed() -> Replay:
    """A match of two sample bots."""
    return play_match("wondev-woman", ["climber", "random"], seed=3)


def test_the_bots_that_played_go_on(climbed: Replay) -> None:
    """Sample bots are at hand: they play on from a turn, and a match that is over there needs nobody."""
    game, box = games.find("wondev-woman"), sandbox_of("auto")
    with onward(game, climbed, finder(climbed, None, None, box, None, trust=True), compiled=False) as by:
        assert by is not None
        assert (by.is_own, by.by.names) == (True, ("climber", "random"))
        turn = climbed.played - 3
        late = Branch(playback.state_at(game, climbed, turn), turn, 1)
        over = Branch(playback.state_at(game, climbed, climbed.played), climbed.played, 1)
        first, second = by.by.ends([late, over])
        assert first is not None
        assert sum(first.shares) == pytest.approx(1)
        assert second is not None
        assert second.shares == tuple(float(place == 1) for place in climbed.result.places)
        assert second.digest == climbed.turns[-1].digest


def test_no_stranger_runs_without_a_sandbox(climbed: Replay) -> None:
    """Where there is no sandbox, bots are looked for only if the operator typed them, or trusts them."""
    box = sandbox_of("none")
    assert finder(climbed, None, None, box, None, trust=False) is None
    assert finder(climbed, None, None, box, None, trust=True) is not None


def test_a_name_in_a_replay_runs_no_other_file(
    climbed: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay may call a bot like a file that lies here: it is not run unless it is the program that played."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "backup.py").write_text("raise SystemExit")
    seats = [msgspec.structs.replace(one, name="backup.py") for one in climbed.header.seats]
    replay = Replay(msgspec.structs.replace(climbed.header, seats=tuple(seats)), climbed.turns, climbed.result)
    find = finder(replay, None, None, sandbox_of("auto"), None, trust=True)
    assert find is not None
    assert find(0) is None


def test_the_operator_names_a_bot_that_lies_elsewhere(
    climbed: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the operator names for a seat sits there, and where it is not the program that played, that is known."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text("input()\n")
    game, box = games.find("wondev-woman"), sandbox_of("none")
    for words, own, named in (({0: "bots/mine.py"}, False, (0,)), ({0: "climber"}, True, ())):
        find = finder(climbed, None, None, box, None, True, words)
        with onward(game, climbed, find, compiled=False, named=words) as by:
            assert by is not None
            assert (by.is_own, by.absent, by.named) == (own, (), named)
            assert by.by.names == (("mine" if named else "climber"), "random")
    find = finder(climbed, None, None, box, None, False, {1: "climber"})
    assert find is not None
    assert find(0) is None, "a stranger's name means nothing without a sandbox"
    assert find(1) is not None
    with pytest.raises(OperatorError):
        finder(climbed, None, None, box, None, True, {0: "bots/gone.py"})(0)  # type: ignore[misc]


def test_a_stranger_s_match_of_many_seats_starts_no_programs(climbed: Replay) -> None:
    """A replay of 1 kB may name a hundred sample bots; a match that the operator played here is played on."""
    game, asked = games.find("abotcalypse"), list[int]()
    seats = climbed.header.seats[:1] * (MAX_SEATS + 1)
    header = msgspec.structs.replace(climbed.header, game="abotcalypse", rules=game.version, seats=seats)
    crowd = Replay(header, [], climbed.result)
    with onward(game, crowd, asked.append, compiled=False) as by:  # type: ignore[arg-type]
        assert (by, asked) == (None, [])
    with onward(game, crowd, asked.append, compiled=False, most=None) as by:  # type: ignore[arg-type]
        assert by is not None
        assert len(asked) == len(seats)


def test_the_search_plays_on_where_there_is_no_strong_bot() -> None:
    """In a game that hides nothing and has simple bots only, the search plays for all seats, to the end."""
    game, replay = games.find("connect-four"), played(LOST)
    with onward(game, replay, None, compiled=False) as by:
        assert by is not None
        assert (by.is_own, by.absent) == (False, (0, 1))
        assert isinstance(by.by, BySearch)
        (end,) = by.by.ends([Branch(playback.state_at(game, replay, 5), 5, 1)])
        assert end is not None
        assert end.shares == (0.0, 1.0)  # who can make four does
        assert by.by.ends([Branch(playback.state_at(game, replay, 0), 0, 1)], until=0.0) == [None]


def test_who_was_named_and_does_not_play_is_not_said_to(climbed: Replay) -> None:
    """Where another seat's bot is gone and no bot is strong, the search plays for all seats, the named one's, too."""
    game, replay, box = games.find("connect-four"), played(LOST), sandbox_of("none")
    find = finder(replay, None, None, box, None, False, {1: "random"})
    with onward(game, replay, find, compiled=False, named=(1,)) as by:
        assert by is not None
        assert isinstance(by.by, BySearch)
        assert (by.absent, by.named) == ((0,), ())


def test_nobody_plays_on_where_much_is_hidden_and_no_bot_is_strong() -> None:
    """The search would see what nobody sees: so it does not play on in such a game."""
    game = games.find("kuhn-poker")
    replay = play_match(game, ["random", "random"], seed=1)
    with onward(game, replay, None, compiled=False) as by:
        assert by is None
