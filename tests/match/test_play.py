"""One match from names to its replay: what is decided by the seed, by the setup, by a replay to go on from."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest

import dohyo
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.game import State
from dohyo.core.replay import Replay
from dohyo.games.drop_block import GAME
from dohyo.match.clocks import read_clock
from dohyo.match.play import MAX_SEED, play_match
from tests.match.conftest import Bot

LONG = 60.0
# A random walk that only the seed decides: a pseudo-random generator in the shell's arithmetic.
WALK = """seed=$(( (${seed:-$DOHYO_SEED} * 1103515245 + 12345) % 2147483648 ))
    case $(( seed / 65536 % 5 )) in 0) echo U;; 1) echo R;; 2) echo D;; 3) echo L;; 4) echo A;; esac"""


def played(replay: Replay) -> list[tuple[list[str], str]]:
    """Moves and digests, turn by turn."""
    return [([move.action for move in turn.moves], turn.digest) for turn in replay.turns]


def play(bots: list[str], **options: object) -> Replay:
    """A match of Drop-Block with all the time in the world; its replay, which verifies."""
    replay = play_match("drop-block", bots, **{"clock": Clock(turn=LONG, ready=LONG), **options})  # type: ignore[arg-type]
    assert dohyo.verify(replay) == len(replay.turns)
    return replay


def test_a_match_has_a_whole_replay(bot: Bot) -> None:
    """The replay names the game, its setup, everybody's bot, the clock and the seed, and how it ended."""
    first, second = bot(), bot("echo U")
    replay = play([first, second, second, second], seed=5, setup={"turns": "40"}, clock="online")
    header = replay.header
    assert (header.game, header.rules, header.seed, header.setup["turns"]) == ("drop-block", 1, 5, 40)
    assert header.clock == Clock(turn=1.0, ready=1.0, preset="online")
    assert [seat.name for seat in header.seats] == ["bot0", "bot1", "bot1", "bot1"]
    assert len(header.seats[0].digest) == 64
    assert len({seat.digest for seat in header.seats}) == 2
    assert header.software == f"dohyo {dohyo.__version__}"
    assert header.start is None
    assert not replay.result.unfinished
    assert len(replay.result.places) == 4


def test_the_seed_decides_the_match(bot: Bot) -> None:
    """The same seed and bots that draw from DOHYO_SEED give the same moves and states; another seed gives others."""
    bots = [bot(WALK) for _ in range(4)]
    one, again, other = (play(bots, seed=seed, setup={"turns": 60}) for seed in (7, 7, 8))
    assert played(one) == played(again)
    assert one.turns[0].dice != other.turns[0].dice
    assert [moves for moves, _ in played(one)] != [moves for moves, _ in played(other)]
    assert (
        len(
            {
                tuple(move.action for turn in one.turns for move in turn.moves if move.seat == seat)
                for seat in range(4)
            }
        )
        > 1
    )


def test_every_seat_has_a_seed_of_its_own(bot: Bot) -> None:
    """Four copies of one bot are told four numbers, again the same ones for the same seed."""
    bots = [bot('printf %s "$DOHYO_SEED" >&2; echo N')] * 4
    replays = [play(bots, seed=seed, setup={"turns": 4}) for seed in (0, 0, MAX_SEED)]
    told = [[move.stderr for turn in replay.turns for move in turn.moves] for replay in replays]
    assert told[0] == told[1]
    assert len({*told[0], *told[2]}) == 8
    assert all(0 <= int(number) < 1 << 31 for numbers in told for number in numbers)


def test_bots_see_the_setup(bot: Bot) -> None:
    """The setup reaches the rules and what bots are sent: here the players' places, column first."""
    setup = {"players": "1,2,U/1,16,R/16,2,D/16,16,L", "position_order": "column-row", "turns": 1}
    replay = play([bot('printf %s "$input" >&2; echo N')] * 4, setup=setup)
    assert replay.turns[0].moves[0].stderr.endswith("/2 1 U 0/16 1 R 0/2 16 D 0/16 16 L 0/EOD/")


def test_the_caller_sees_every_turn(bot: Bot) -> None:
    """After each turn the caller is given the replay so far, which is the one that is returned in the end."""
    seen = []

    def on_turn(replay: Replay) -> None:
        assert replay.result.unfinished
        seen.append((replay, len(replay.turns)))

    replay = play([bot()] * 4, setup={"turns": 8}, on_turn=on_turn)
    assert [turns for _, turns in seen] == list(range(1, 9))
    assert all(so_far is replay for so_far, _ in seen)


@pytest.mark.parametrize("turns", [0, 8])
def test_the_caller_is_given_the_end(bot: Bot, turns: int) -> None:
    """The state at the end, for which nobody has to play the match again, is the one that the replay leads to."""
    ends: list[State] = []
    replay = play([bot()] * 4, setup={"turns": turns}, on_end=ends.append)
    layout = GAME.rules.LAYOUT
    (end,) = ends
    assert layout.as_dict(end) == layout.as_dict(playback.state_at(GAME, replay, turns))


def test_a_match_outside_the_main_thread(bot: Bot) -> None:
    """Where Python has no signals, a match is played as anywhere."""
    replays = []
    thread = threading.Thread(target=lambda: replays.append(play([bot()] * 4, setup={"turns": 8})))
    thread.start()
    thread.join()
    assert len(replays[0].turns) == 8


# --- going on from a replay


def test_going_on_from_a_turn(bot: Bot) -> None:
    """A match taken up at a turn begins with the state that the players saw then, and keeps the setup."""
    first = play([bot(WALK) for _ in range(4)], seed=3, setup={"turns": 60, "position_order": "column-row"})
    others = [bot('printf %s "$input" >&2; echo R')] * 4
    second = play(others, seed=9, resume=(first, 21))
    state = playback.state_at(GAME, first, 21)
    assert second.header.start == GAME.rules.LAYOUT.as_dict(state)
    assert second.header.setup == first.header.setup
    assert second.header.seed == 9
    assert second.turns[0].dice == ()
    assert [move.seat for move in second.turns[0].moves] == [21 % 4]
    assert second.turns[0].moves[0].stderr == GAME.prompt(state, 21 % 4).decode().replace("\n", "/")
    assert len(second.turns) <= 39
    assert {move.action for turn in second.turns for move in turn.moves} == {"R"}


def test_going_on_again_and_again(bot: Bot) -> None:
    """The same bots take up what they had begun and come to the same end, also over two such steps and a file."""
    whole = play([bot()] * 4, setup={"turns": 30})
    second = play([bot()] * 4, resume=(whole, 10))
    third = play([bot()] * 4, resume=(second, 20))
    assert played(second) == played(whole)[10:]
    assert played(third) == played(whole)[20:]
    assert third.result == whole.result


def test_going_on_from_the_beginning_and_from_the_end(bot: Bot) -> None:
    """Turn 0 is the deal and all that follows; the turn after the last one is a match that is over."""
    whole = play([bot()] * 4, setup={"turns": 12})
    again, over = (play([bot()] * 4, resume=(whole, turn)) for turn in (0, 12))
    assert played(again) == played(whole)
    assert over.turns == []
    assert over.result == whole.result


# --- what the operator got wrong


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"game": "drop-blok"}, "There is no game 'drop-blok' ('drop-block'?)"),
        ({"seed": -1}, "A seed is a whole number from 0 to 9223372036854775807, not -1"),
        ({"seed": 1 << 63}, "not 9223372036854775808"),
        ({"seed": "7"}, "not 7; give another seed."),
        ({"setup": {"turn": 5}}, "There is no setup option 'turn' ('turns'?)"),
        ({"setup": {"turns": -5}}, "The setup option 'turns' does not take '-5'"),
        ({"clock": "onlin"}, "There is no clock 'onlin' ('online'?)"),
        ({"clock": 0}, "There is no clock '0'"),
        ({"clock": "nan"}, "There is no clock 'nan'"),
        ({"clock": float("inf")}, "There is no clock 'inf'"),
        ({"clock": Clock(turn=1.0, ready=float("nan"))}, "There is no clock"),
        ({"clock": [1]}, "There is no clock '[1]'"),
        ({"bots": ["nowhere.py"] * 3}, "drop-block is played by 4 bots, not by 3"),
    ],
)
def test_one_sentence_for_each_mistake(options: dict[str, object], sentence: str) -> None:
    """What the operator got wrong is said before any bot is looked for."""
    given = {"game": "drop-block", "bots": ["nowhere.py"] * 4, **options}
    with pytest.raises(dohyo.OperatorError) as caught:
        play_match(given.pop("game"), given.pop("bots"), **given)  # type: ignore[arg-type]
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"turn": 9}, "The replay has no turn 9; take one from 0 to 8."),
        ({"turn": -1}, "The replay has no turn -1"),
        ({"setup": {"turns": 9}}, "omit --setup"),
        ({"bots": 3}, "4 bots, not by 3"),
    ],
)
def test_what_cannot_be_gone_on_from(bot: Bot, options: dict[str, object], sentence: str) -> None:
    """A turn that is not there, a setup beside the replay's own, or another number of bots is refused."""
    replay = play([bot()] * 4, setup={"turns": 8})
    wanted = {"turn": 4, "setup": None, "bots": 4, **options}
    with pytest.raises(dohyo.OperatorError) as caught:
        play_match("drop-block", ["no"] * wanted["bots"], setup=wanted["setup"], resume=(replay, wanted["turn"]))  # type: ignore
    assert sentence in str(caught.value)


def test_a_replay_of_another_game_is_refused(bot: Bot) -> None:
    """A match cannot be taken up with other rules than it was begun with."""
    replay = play([bot()] * 4, setup={"turns": 8})
    replay.header = msgspec.structs.replace(replay.header, rules=2)
    with pytest.raises(dohyo.OperatorError, match="with rules version 2"):
        play_match("drop-block", ["no"] * 4, resume=(replay, 4))


@pytest.mark.parametrize(
    ("clock", "read"),
    [
        (None, Clock(turn=1.0, preset="online")),
        ("finals", Clock(turn=0.1, preset="finals")),
        ("2.5", Clock(turn=2.5)),
        (3, Clock(turn=3.0)),
        (Clock(turn=4.0, first=5.0), Clock(turn=4.0, first=5.0)),
    ],
)
def test_clocks(clock: object, read: Clock) -> None:
    """No word is the first preset, a preset's name that preset, a number the seconds of a turn."""
    assert read_clock(GAME, clock) == read  # type: ignore[arg-type]


def test_the_game_itself_may_be_given(bot: Bot) -> None:
    """A game that no folder holds can be played, too."""
    replay = play_match(GAME, [bot()] * 4, setup={"turns": 4}, clock=LONG)
    assert len(replay.turns) == 4


def test_names_may_be_paths(bot: Bot) -> None:
    """A bot's place may be told as a path."""
    assert play([Path(bot())] * 4, setup={"turns": 4}).header.seats[0].name == "bot0"  # type: ignore[list-item]
