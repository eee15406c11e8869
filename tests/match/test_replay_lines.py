"""A replay as JSON Lines: every field of docs/replay-lines.md, for every game, and nothing that a terminal obeys."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import INTERRUPTED, Header, Replay, Result, Seat
from dohyo.match.replays.replay_lines import lines
from tests.cli.conftest import Type, folder, typed  # noqa: F401

PAGE = Path(__file__).parents[2] / "docs" / "replay-lines.md"
FIELD = re.compile(r"`([a-z]+)`")


def played(game: Game, turns: int = 30) -> Replay:
    """The beginning of a match in which everybody draws legal actions; the whole match, if it is short."""
    seats = max(game.seats[0], min(2, game.seats[1]))
    setup, chooser = resolve(game.options, {}, game.catalogue), random.Random(7)
    match = Referee(game, setup, seats, 7)
    while not match.over and match.turn < turns:
        asked = {seat: chooser.choice(list(game.legal_actions(match.state, seat))) for seat in match.pending()}
        match.submit({seat: Answer(game.protocol.text(action), seconds=0.25) for seat, action in asked.items()})
    names = tuple(Seat(f"bot{seat}") for seat in range(seats))
    header = Header(game=game.name, rules=game.version, setup=setup, seats=names, seed=7, software="test")
    result = match.result() if match.over else Result((), None, INTERRUPTED, unfinished=True)
    return Replay(header, match.turns, result)


def documented() -> dict[str, set[str]]:
    """The fields of each table of the page, by the heading or the word above it."""
    found: dict[str, set[str]] = {}
    table = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith(("## ", "A move:")):
            table = line
        elif line.startswith("| `"):
            found.setdefault(table, set()).update(FIELD.findall(line.split("|")[1]))
    return found


def read(replay: Replay) -> list[dict[str, Any]]:
    """The objects of a replay's lines."""
    text = "".join(lines(games.find(replay.header.game), replay))
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", games.all_games())
def test_lines_of_every_game(name: str) -> None:
    """The states are those that the rules give; the tables of the page name exactly the fields that there are."""
    game = games.find(name)
    replay = played(game)
    match, *turns, result = read(replay)
    moments = list(playback.moments(game, replay))
    assert [turn["turn"] for turn in turns] == [moment.turn.turn for moment in moments]
    for turn, moment in zip(turns, moments, strict=True):
        assert game.rules.LAYOUT.pack(game.rules.LAYOUT.from_dict(turn["state"])) == game.rules.LAYOUT.pack(
            moment.after
        )
        for move in turn["moves"]:
            assert game.protocol.text(move["number"]) == move["action"]
    assert result["places"] == list(replay.result.places)
    tables = documented()
    moves = [move for turn in turns for move in turn["moves"]]
    for heading, ours in zip(tables, (match, turns[0], moves[0], result), strict=True):
        assert tables[heading] == set(ours), heading


def test_what_was_sent_and_what_strangers_wrote(typed: Type, folder: Path) -> None:  # noqa: F811
    """Inputs are what `--inputs` prints; control signs are escaped, and the values stay what they were."""
    (folder / "painter").write_text("#!/bin/sh\necho READY\nwhile read w; do printf 'N\\033[31m\\n'; done\n")
    (folder / "painter").chmod(0o755)
    bots = ("./painter", "./still", "./still", "./quitter")
    typed("play", "drop-block", *bots, "--setup", "turns=8", "--trust", "--seed", "3", "--save", "m.replay")
    assert typed("replay", "m.replay", "--jsonl", "m.jsonl").out == "JSON Lines: m.jsonl\n"
    text = (folder / "m.jsonl").read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert typed("replay", "m.replay", "--jsonl", "-").out == text
    match, *turns, result = map(json.loads, text.splitlines())
    assert [seat["name"] for seat in match["seats"]] == ["painter", "still", "still", "quitter"]
    moves = [move for turn in turns for move in turn["moves"]]
    assert any(move["reply"] == "N\x1b[31m" for move in moves if move["seat"] == 0)
    sent = "".join(move["input"] for move in moves if move["seat"] == 1 and move["input"] is not None)
    assert typed("replay", "m.replay", "--inputs", "1").out.startswith(sent)
    failed = next(move for move in moves if move["seat"] == 3)
    assert (failed["reply"], failed["faults"][0]["kind"]) == (None, "exited")
    assert (result["what"], result["unfinished"]) == ("result", False)
    refused = typed("replay", "m.replay", "--jsonl", "m.jsonl")
    assert (refused.status, (folder / "m.jsonl").read_text(encoding="utf-8")) == (2, text)
    assert typed("replay", "m.replay", "--jsonl", "m.jsonl", "--force").status == 0
    assert typed("replay", "m.replay", "--jsonl", "m.jsonl", "--verify").status == 2


def test_a_replay_that_breaks_the_rules_leaves_no_file(tmp_path: Path) -> None:
    """It is refused at its turn; a file is written whole or not at all."""
    from dohyo.match.files import write_pieces

    game = games.find("wondev-woman")
    replay = played(game)
    replay.turns[3].moves[0].action = "nonsense"
    with pytest.raises(ReplayError):
        write_pieces(tmp_path / "m.jsonl", lines(game, replay))
    assert list(tmp_path.iterdir()) == []
