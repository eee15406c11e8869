"""The law of recorded inputs: a replay gives back every byte that a seat was sent, in every game."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo.bots import Bot
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.match.found_bots import find_bots
from dohyo.match.play import play_match
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import sandbox_of
from tests.laws.matches import every_game
from tests.laws.test_samples import UNHURRIED

FLEETING = [game for game in all_games().values() if "turn" in game.lifetimes]
QUITTING = "head -c 1 >/dev/null; exit 3"  # reads something, and ends


def teeing(game: Game, log: Path) -> Bot:
    """The game's random bot, with all that comes to its input written to a file."""
    (plain,) = find_bots(game, ["random"], None, sandbox_of("none"))
    script = f"tee {shlex.quote(str(log))} | {shlex.join(plain.command)}"
    return replace(plain, command=("/bin/sh", "-c", script), form=(), lifetime="match")


def script(text: str, folder: Path, lifetime: str = "match") -> Bot:
    """A bot that is a line for the shell."""
    return Bot("script", ("/bin/sh", "-c", text, "sh"), str(folder), "0" * 64, "", lifetime)


def match(game: Game, first: Bot, seed: int = 3, **options: object) -> Replay:
    """A match of `first` on seat 0; random bots sit on the others."""
    others = ["random"] * (max(2, game.seats[0]) - 1)
    options = {"setup": dict(game.demo), "clock": UNHURRIED, "sandbox": "none", **options}
    return play_match(game, [first, *others], seed=seed, **options)  # type: ignore[arg-type]


def sent(game: Game, replay: Replay, seat: int = 0) -> bytes:
    """All that the seat was sent, says the replay."""
    return b"".join(recorded.inputs(game, replay, seat))


@every_game
def test_a_replay_has_every_byte_that_a_seat_was_sent(game: Game, tmp_path: Path) -> None:
    """All that comes to a program's input, with the farewell, is what the replay tells; also of a continued match."""
    log = tmp_path / "input"
    replay = match(game, teeing(game, log))
    assert log.read_bytes() == sent(game, replay)
    assert log.stat().st_size > 0
    log.unlink()
    middle = replay.header.first + replay.played // 2
    resumed = match(game, teeing(game, log), resume=(replay, middle), setup=None)
    assert log.read_bytes() == sent(game, resumed)


@every_game
def test_one_turn_is_a_part_of_the_whole(game: Game, tmp_path: Path) -> None:
    """The inputs of single turns, and what follows a prompt to a program that lives on, make the whole."""
    replay = match(game, teeing(game, tmp_path / "input"))
    turns = [found.turn for found in recorded.asked(game, replay, 0)]
    closing = game.protocol.CLOSING if "turn" in game.lifetimes else b""
    parts = b"".join(recorded.input_of_turn(game, replay, 0, turn) + closing for turn in turns)
    whole = sent(game, replay)
    assert whole.startswith(parts)
    assert len(whole) - len(parts) == len(whole.removeprefix(parts))
    until = turns[len(turns) // 2]
    assert whole.startswith(b"".join(recorded.inputs(game, replay, 0, until)))


@every_game
def test_who_has_ended_is_sent_no_farewell(game: Game, tmp_path: Path) -> None:
    """To a program that ended in its first turn only prompts were sent: one, where that fault stops it."""
    replay = match(game, script("echo READY; " + QUITTING, tmp_path))
    turns = list(recorded.asked(game, replay, 0))
    assert recorded.stopped_by(game, turns[0]) == (len(turns) == 1)
    assert sent(game, replay) == b"".join(found.prompt + game.protocol.CLOSING for found in turns)


@every_game
def test_who_never_was_ready_is_sent_nothing(game: Game, tmp_path: Path) -> None:
    """To a program that could not be started nothing was sent, not even the end of the match."""
    missing = Bot("missing", (str(tmp_path / "missing"),), str(tmp_path), "0" * 64, "")
    assert sent(game, match(game, missing)) == b""


@pytest.mark.parametrize("game", FLEETING, ids=[game.name for game in FLEETING])
def test_the_prompt_of_a_program_that_lives_for_a_turn(game: Game, tmp_path: Path) -> None:
    """A program that is started for each turn got, as its last argument, what the replay tells of that turn."""
    keeping = f'printf %s "$1" > {shlex.quote(str(tmp_path))}/$DOHYO_TURN; echo rest'
    replay = match(game, script(keeping, tmp_path, "turn"))
    turns = [found.turn for found in recorded.asked(game, replay, 0)]
    assert sorted(int(path.name) for path in tmp_path.iterdir()) == turns
    for turn in turns:
        assert recorded.input_of_turn(game, replay, 0, turn) == (tmp_path / str(turn)).read_bytes()
