"""A referee of others, who keeps to each contract in turn, and players for its game, rock-paper-scissors."""

from __future__ import annotations

from pathlib import Path

REFEREE = r"""
import json, subprocess, sys
how, seed, *players = sys.argv[1:]
if how == "brutaltester":
    words = [seed, *players]
    players = [words[words.index(f"-p{at}") + 1] for at in (1, 2)]
    seed = words[words.index("-d") + 1].removeprefix("seed=")
running = [subprocess.Popen(line.split(), stdin=-1, stdout=-1, text=True) for line in players]
points, failed = [0, 0], [0, 0]
for turn in range(3):
    hands = []
    for at, one in enumerate(running):
        try:
            print(turn, seed, file=one.stdin, flush=True)
        except OSError:
            pass
        hands.append(one.stdout.readline().strip())
        failed[at] |= hands[-1] not in tuple("RPS")
    if any(failed):
        break
    gap = ("RPS".index(hands[0]) - "RPS".index(hands[1])) % 3
    if gap:
        points[gap == 2] += 1
for one in running:
    one.kill()
    one.communicate()
points = [-1 if bad else mine for bad, mine in zip(failed, points)]
ranks = [sum(other > mine for other in points) for mine in points]
if how == "brutaltester":
    print("Game over", *points, sep="\n")
else:
    more = {"test_data": {}, "player_data": [{}, {}]} if how == "psyleague" else {"scores": points}
    print(json.dumps({"ranks": ranks, "errors": failed, **more}))
"""
COMMANDS = {
    "psyleague": "python3 referee.py psyleague {SEED} {P1} {P2}",
    "cgarena": "python3 referee.py cgarena {SEED} {PLAYERS}",
    "brutaltester": "python3 referee.py brutaltester",
}
PLAYERS = {
    "rock": "while read turn; do echo R; done",
    "paper": "while read turn; do echo P; done",
    "lots": 'set -- R P S; shift $((DOHYO_SEED % 3)); hand=$1; while read turn; do echo "$hand"; done',
    "quitter": "exit 3",
}


def write_players(folder: Path) -> list[str]:
    """Write the players into a folder; their paths, in the order of `PLAYERS`."""
    paths = []
    for name, script in PLAYERS.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        paths.append(str(path))
    return paths


def write_referee(folder: Path, result: str = "cgarena", command: str = "", **more: object) -> Path:
    """Write the referee and its file; the file's path."""
    (folder / "referee.py").write_text(REFEREE)
    path = folder / "referee.toml"
    lines = [f'name = "rps"\ncommand = {_quoted(command or COMMANDS[result])}\nresult = "{result}"\nplayers = 2']
    lines += [f"{key} = {_quoted(value)}" for key, value in more.items()]
    path.write_text("\n".join([*lines, ""]))
    return path


def _quoted(value: object) -> str:
    return f"'''{value}'''" if isinstance(value, str) else str(value)
