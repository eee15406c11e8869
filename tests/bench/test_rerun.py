"""A bot is fed what a seat was sent: as in the match, and where it answers something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import dohyo
from dohyo.bench.rerun import Compared, Rerun, bot_of, said
from dohyo.core.bot_spec import HandIn
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import DEBUG, Replay
from dohyo.games import all_games, find
from dohyo.match.clocks import slower
from dohyo.match.found_bots import find_bots
from dohyo.match.play import play_match
from dohyo.match.players.players import Players
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import sandbox_of
from tests.laws.matches import every_game
from tests.laws.test_recorded import match, script
from tests.match.conftest import Bot

LONG = Clock(turn=60.0, ready=60.0)
FLEETING = [game for game in all_games().values() if "turn" in game.lifetimes]
# It counts its turns, and says so.
COUNTING = (
    'count=$((count + 1)); echo "turn $count" >&2; case $((count % 3)) in 0) echo U;; 1) echo R;; 2) echo A;; esac'
)


def fed(replay: Replay, seat: int, word: str | Any, **options: Any) -> list[Compared]:
    """What comes of feeding a bot, without a sandbox."""
    game, box = find(replay.header.game), sandbox_of("none")
    (bot,) = find_bots(game, [word], None, box)
    with Rerun(game, replay, seat, bot, box) as again:
        return again.feed(**options)


def drop_block(*names: str, seed: int = 5, turns: int = 24) -> Replay:
    """A match between four bots."""
    given = {"seed": seed, "setup": {"turns": turns}, "clock": LONG, "sandbox": "none"}
    return play_match("drop-block", list(names), **given)  # type: ignore[arg-type]


def test_a_debug_build_has_more_time_than_an_ordinary_one_had() -> None:
    """Where the match was played with a debug build, its clock was meant for that."""
    game, replay = find("drop-block"), drop_block("random", "random", "random", "random", turns=4)
    (bot,) = find_bots(game, ["random"], None, box := sandbox_of("none"))
    debug = replace(bot, debug=True)
    assert Rerun(game, replay, 0, debug, box).clock == slower(LONG)
    seats = (replace(replay.header.seats[0], build=DEBUG), *replay.header.seats[1:])
    replay.header = replace(replay.header, seats=seats)
    assert [Rerun(game, replay, 0, one, box).clock for one in (bot, debug)] == [LONG, LONG]
    assert Rerun(game, replay, 1, debug, box).clock == slower(LONG)


@every_game
def test_a_bot_that_its_seed_decides_answers_the_same_again(game: Game) -> None:
    """In every game: fed what its seat was sent, with its seed, the random bot writes what it wrote in the match."""
    (random,) = find_bots(game, ["random"], None, sandbox_of("none"))
    replay = match(game, random, seed=8)
    compared = fed(replay, 0, random)
    assert [turn.turn for turn in compared] == [found.turn for found in recorded.asked(game, replay, 0)]
    assert [said(turn.now) for turn in compared] == [said(turn.before) for turn in compared]
    assert all(turn.is_same and not turn.differs for turn in compared)
    again = match(game, random, seed=8, resume=(replay, replay.played // 2), setup=None)
    assert all(turn.is_same for turn in fed(again, 0, random))


@pytest.mark.parametrize("game", FLEETING, ids=[game.name for game in FLEETING])
def test_a_bot_that_lives_for_a_turn_keeps_its_files(game: Game, tmp_path: Path) -> None:
    """Its files stay from turn to turn, in a copy of its folder as in a match: it finds what it found there."""
    folder = tmp_path / "counter"
    folder.mkdir()
    (folder / "bot.sh").write_text(
        'echo x >> kept; [ $(wc -l < kept) -gt 3 ] && echo "rest" || echo "move up"; wc -l < kept >&2\n'
    )
    (folder / "bot.toml").write_text('run = "sh bot.sh"\nlifetime = "turn"\n')
    (bot,) = find_bots(game, [str(folder)], None, sandbox_of("none"))
    replay = dohyo.play(game.name, [str(folder), "random"], seed=2, clock=LONG, sandbox="none")
    compared = fed(replay, 0, bot)
    assert len(compared) > 4
    assert all(turn.is_same for turn in compared)
    assert [turn.now.stderr.strip() for turn in compared] == [str(number) for number in range(1, len(compared) + 1)]
    assert [turn.turn for turn in fed(replay, 0, bot, until=3)] == [0, 1, 2, 3]
    assert not (folder / "kept").exists()


def test_where_the_answers_differ(bot: Bot) -> None:
    """Each turn tells both answers; after a difference the bot is still sent what was recorded."""
    old, new = bot(COUNTING), bot('[ "$count" = 2 ] && echo "$input" >&2; ' + COUNTING)
    replay = drop_block(old, "random", "random", "random")
    assert all(turn.is_same for turn in fed(replay, 0, old))
    other = bot(COUNTING.replace("0) echo U", "0) echo L"))
    compared = fed(replay, 0, other)
    assert [turn.differs for turn in compared] == [False, False, True] * 2
    assert (said(compared[2].before), said(compared[2].now)) == ("U", "L")
    assert [turn.prompt for turn in compared] == [
        found.prompt for found in recorded.asked(find("drop-block"), replay, 0)
    ]
    assert compared[2].now.stderr == "turn 3\n"
    assert fed(replay, 0, new)[2].now.stderr.startswith("0/8/")


def test_another_spelling_of_the_same_action(bot: Bot) -> None:
    """An answer in other words that means the same action does not count as another one."""
    compared = fed(drop_block(bot("echo U"), *[bot()] * 3), 0, bot("echo 'U '"))
    assert {said(turn.now) for turn in compared} == {"U "}
    assert [(turn.is_same, turn.is_reworded, turn.differs) for turn in compared] == [(False, True, False)] * 6


def test_faults_are_judged_as_in_a_match(bot: Bot, tmp_path: Path) -> None:
    """What stops a bot in a match stops it here, with the same fault; also one that is not ready."""
    replay = drop_block(bot(), "random", "random", "random")
    ending = fed(replay, 0, bot("exit 3"))
    assert [fault.kind for turn in ending for fault in turn.now.faults] == [FaultKind.EXITED]
    assert (len(ending), ending[0].now.faults[0].status, said(ending[0].now)) == (1, 3, None)
    mumbling = fed(replay, 0, bot("echo mumble"))
    assert [fault.kind for fault in mumbling[0].now.faults] == [FaultKind.MALFORMED]
    assert (said(mumbling[0].now), mumbling[0].differs) == ("mumble", True)
    unready = fed(replay, 0, script("exit 4", tmp_path))
    assert len(unready) == 1
    assert unready[0].now.faults[0].status == 4
    assert unready[0].differs
    missing = replace(script("", tmp_path), command=(str(tmp_path / "missing"),))
    assert fed(replay, 0, missing)[0].now.faults[0].code == "cannot-start"


def test_at_the_pace_of_the_match(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the recording's pace, each prompt waits until all thinking that was before it has passed."""
    replay = drop_block(*[bot()] * 4, turns=12)
    for turn in replay.turns:
        turn.moves[0].seconds = 1000.0
    waited: list[float] = []
    monkeypatch.setattr(Players, "rest", lambda self, seconds: waited.append(seconds))
    fed(replay, 2, bot(), paced=True)
    assert [round(seconds / 1000) for seconds in waited] == [2, 6, 10]
    fed(replay, 2, bot())
    assert len(waited) == 3


def test_players_rest_and_are_read(bot: Bot) -> None:
    """While nobody is asked, what a bot writes is read: it never blocks on a full pipe."""
    flooding = (
        "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789 >&2; i=$((i + 1)); done; echo A"
    )
    replay = drop_block(bot(flooding), *[bot()] * 3, turns=8)
    assert all(turn.is_same for turn in fed(replay, 0, bot(flooding), paced=True))


# --- the bot that played


def test_the_bot_that_played_is_found(bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name and the digest of its content: here, then beside the replay, then among the sample bots."""
    box, word = sandbox_of("none"), bot()
    replay = drop_block(word, "random", "random", "random", turns=4)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    beside = str(tmp_path / "m.replay")
    digest = replay.header.seats[0].digest
    assert bot_of(replay, 0, beside, None, box).digest == digest
    (elsewhere / "bot0").write_text("#!/bin/sh\necho another\n")
    (elsewhere / "bot0").chmod(0o755)
    assert bot_of(replay, 0, beside, None, box).digest == digest
    assert bot_of(replay, 0, "m.replay", None, box).digest != digest  # it has changed, and is told apart
    assert bot_of(replay, 1, "m.replay", None, box).digest == replay.header.seats[1].digest
    (elsewhere / "bot0").unlink()
    with pytest.raises(OperatorError, match="bot0"):
        bot_of(replay, 0, "m.replay", None, box)


@pytest.mark.parametrize("name", ["/bin/true", "../bot0", "true", "sh -c 'echo A'", "", "'", "-x", "a\0b"])
def test_a_name_in_a_replay_is_neither_a_path_nor_a_command(name: str, bot: Bot, tmp_path: Path) -> None:
    """A replay's names are strangers' texts: none makes a program run that is no bot here."""
    replay = drop_block(bot(), "random", "random", "random", turns=4)
    seats = (replace(replay.header.seats[0], name=name), *replay.header.seats[1:])
    replay.header = replace(replay.header, seats=seats)
    with pytest.raises(OperatorError, match="is not here"):
        bot_of(replay, 0, str(tmp_path / "m.replay"), None, sandbox_of("none"))


def with_name(replay: Replay, name: str, digest: str = "") -> Replay:
    """The same match, whose first bot is called something else; with another digest if one is given."""
    first = replay.header.seats[0]
    seats = (replace(first, name=name, digest=digest or first.digest), *replay.header.seats[1:])
    return replace(replay, header=replace(replay.header, seats=seats))


@pytest.mark.parametrize("name", ["bot0 --deep 3", "'bot0' --deep '3'", "b'ot0' --deep 3"])
def test_arguments_of_a_replay_are_for_the_same_bot_only(
    name: str, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay may be a stranger's: his arguments do not reach a program of ours that he has never seen."""
    monkeypatch.chdir(tmp_path)
    box, path = sandbox_of("none"), bot()
    word = f"{path} --deep 3"
    (mine,) = find_bots(find("drop-block"), [HandIn(path, ("--deep", "3"))], None, box)
    replay = with_name(drop_block(*["random"] * 4, turns=4), name, mine.digest)
    assert bot_of(replay, 0, "m.replay", None, box).command == mine.command
    (typed,) = find_bots(find("drop-block"), [word], None, box)  # a command line: nobody but the operator types one
    with pytest.raises(OperatorError, match="arguments"):
        bot_of(with_name(replay, name, typed.digest), 0, "m.replay", None, box)
    (tmp_path / "bot0").write_text("#!/bin/sh\necho another\n")
    with pytest.raises(OperatorError, match="arguments"):
        bot_of(replay, 0, "m.replay", None, box)
    assert bot_of(replay, 0, "m.replay", None, box, (word,)).command[-2:] == ("--deep", "3")  # the operator's word


@pytest.mark.parametrize("place", ["{}", "secret", "../{folder}/secret"])
def test_arguments_of_a_replay_show_no_files(
    place: str, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sandbox shows a bot the files that its arguments name: a stranger's replay does not choose them."""
    monkeypatch.chdir(tmp_path)
    secret = tmp_path / "secret"
    secret.write_text("mine")
    box, argument = sandbox_of("none"), place.format(secret, folder=tmp_path.name)
    word = f"{bot()} {argument}"
    (mine,) = find_bots(find("drop-block"), [word], None, box)
    replay = with_name(drop_block(*["random"] * 4, turns=4), f"bot0 {argument}", mine.digest)
    with pytest.raises(OperatorError, match="arguments"):
        bot_of(replay, 0, "m.replay", None, box)
    assert bot_of(replay, 0, "m.replay", None, box, (word,)).digest == mine.digest


def test_without_a_path_nothing_beside_the_replay_is_taken(
    bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is before a debugger, which has no sandbox."""
    replay = drop_block(bot(), *["random"] * 3, turns=4)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(OperatorError, match="is not here"):
        bot_of(replay, 0, None, None, sandbox_of("none"))
