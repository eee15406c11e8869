"""A program that plays by `dohyo.play`, interrupted for real: nothing runs on, and what was played is a replay."""

from __future__ import annotations

import random
import select
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from time import monotonic

import pytest

import dohyo
from tests.match.conftest import Bot
from tests.processes import marked

MARK = "DOHYO_TEST_MARK"

# Plays one match for each line that it reads; handlers raise only while it does.
PLAYER = """
import os, signal, sys
import dohyo
from dohyo.core.clock import Clock

os.environ["DOHYO_TEST_MARK"] = sys.argv[1]
playing = False

def stop(number, frame):
    if playing:
        raise KeyboardInterrupt

signal.signal(signal.SIGINT, stop)
signal.signal(signal.SIGTERM, stop)

for line in sys.stdin:
    turns, bots = line.split()[0], line.split()[1:]
    replay = None
    print("go", flush=True)
    try:
        try:
            playing = True
            clock = Clock(turn=600.0, ready=600.0)
            replay = dohyo.play("drop-block", bots, seed=0, setup={"turns": turns}, clock=clock, sandbox="none")
        finally:
            playing = False
    except dohyo.Interrupted as interrupted:
        replay = interrupted.replay
        dohyo.verify(replay)
    except KeyboardInterrupt:
        playing = False  # the match had not begun, or was over
    print("none" if replay is None else "unfinished" if replay.result.unfinished else "whole", flush=True)
"""


def said(player: subprocess.Popen[bytes]) -> str:
    """The player's next line."""
    assert player.stdout is not None
    return player.stdout.readline().decode().strip()


def test_random_moments(bot: Bot, tmp_path: Path, full: bool) -> None:
    """Ctrl-C and SIGTERM, once or twice, before READY, in a turn, between turns and at the end, leave no process."""
    mark = uuid.uuid4().hex
    never_ready = tmp_path / "never"
    never_ready.write_text("#!/bin/sh\ncat > /dev/null &\nwait\n")
    stays = tmp_path / "stays"
    stays.write_text("#!/bin/sh\necho READY\nexec sleep 1000\n")
    for path in (never_ready, stays):
        path.chmod(0o755)
    quick, slow = bot(), bot("sleep 1000")
    kinds = (
        f"8 {never_ready} {quick} {quick} {quick}",
        f"8 {quick} {quick} {slow} {quick}",
        f"100000 {quick} {quick} {quick} {quick}",
        f"0 {stays} {stays} {stays} {stays}",
    )
    seen = set()
    draw = random.Random()
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER, mark], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as player:
        assert player.stdin is not None
        player.stdin.write(f"8 {quick} {quick} {quick} {quick}\n".encode())
        assert said(player) == "go"
        since = monotonic()
        assert said(player) == "whole"
        span = 2 * (monotonic() - since)  # so that some moments lie in a match, however slow the machine is
        for number in range(400 if full else 12):
            kind = kinds[number % 4]
            player.stdin.write(f"{kind}\n".encode())
            assert said(player) == "go"
            # The moment is what is random here; whatever it is, what follows must hold.
            select.select([player.stdout], [], [], draw.random() * span)
            player.send_signal(draw.choice([signal.SIGINT, signal.SIGTERM]))
            while not select.select([player.stdout], [], [], 0.5)[0]:
                player.send_signal(draw.choice([signal.SIGINT, signal.SIGTERM]))
            seen.add(said(player))
            assert marked(MARK, mark) == [], kind
        player.stdin.close()
        assert player.wait() == 0
    assert "unfinished" in seen


def test_what_was_played_so_far_can_be_saved_and_gone_on_from(bot: Bot, tmp_path: Path) -> None:
    """The replay of an interrupted match is marked, is saved and read, and the match can be taken up at its end."""

    def on_turn(replay: dohyo.Replay) -> None:
        if len(replay.turns) == 10:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(dohyo.Interrupted) as caught:
        dohyo.play("drop-block", [bot()] * 4, seed=0, setup={"turns": 20}, clock=600, on_turn=on_turn)
    replay = dohyo.load(dohyo.save(caught.value.replay, tmp_path / "m.replay.zst"))
    assert type(caught.value.__cause__) is KeyboardInterrupt
    assert (len(replay.turns), replay.result.unfinished, replay.result.places) == (10, True, ())
    assert dohyo.verify(replay) == 10
    rest = dohyo.play("drop-block", [bot()] * 4, seed=0, clock=600, resume=(replay, 10))
    assert (len(rest.turns), rest.result.unfinished) == (10, False)
