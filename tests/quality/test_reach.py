"""How much of Dohyo one match loads: what a match does not need is imported by who needs it, and stays out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dohyo
from dohyo.sandbox import strongest

SOURCE = Path(dohyo.__file__).parent
# An ordinary match between sample bots that were prepared before. Each number is what it was when this was written,
# and a little room: who needs more writes down here that it is worth it, or imports it where it is used.
# Of the 90 files 17 are packages, which name what is in them. The others are rooms: the command line (5), what can be
# asked, known and decided without any I/O (core, 15), words to bots (6), languages (2), the game (4), sentences (3),
# the machine (8), the sandbox (7), one match with players, processes and loop (19), what is kept and told of it (4).
MAX_FILES = 96  # three for games of the operator's own, one for a cache that is not ours, one for what runs `hunter`
# 43 for programs told in one place, 60 for help, 13 for last words, 35 for other words, 118 for `hunter`.
# 23 for who has answered by the time it is asked where it is, for wide digits, and for C's names of files. 22 for the
# marks of letters in names of files. 25 for joiners in them, and for what in a bot's folder may be further bots.
# 15 for told times. 10 for words that mean a sample bot, too, wrong answers and pages in the place of replays.
MAX_LINES = 17_050
# Where there is no control group, the sandbox counts what programs take; without bubblewrap, another layer is tried.
WEAKER_FILES = 2
WEAKER_LINES = 320
# What few matches need: named here, so that a failure says more than a number.
LEFT_OUT = {
    "installed": "nothing of a package was asked for",
    "languages.mentions": "no source was read",
    "match.clocks": "no clock was typed",
    "match.telling.fault_words": "no fault was met",
    "match.loops.compiled_loop": "a first match is not compiled",
    "match.files": "nothing is saved",
    "match.working_copies": "the game's bots keep no files",
    "bots.build_plan": "the bots were prepared before",
    "bots.builds": "the bots were prepared before",
    "bots.kinds": "no player is of a guest's kind",
    "doors": "nothing of a guest's was asked for",
    "guests.engines.group": "no engine plays",
    "guests.servers.group": "no server plays",
    "match.players.kind": "no player is of a guest's kind",
    "match.replays.sent": "nobody asks what was sent",
    "bots.hand_in": "the bots were prepared before",
    "bots.preparation": "the bots were prepared before",
    "bots.tools": "the bots were prepared before",
    "core.adjudication": "the rules end the match",
    "core.judge": "nothing is analysed",
    "core.dialogue": "no program of the game's own runs",
    "core.playback": "how a match ended is known when it was played",
    "core.replay_format": "nothing is saved",
    "games.drop_block.frame": "nothing is drawn",
    "games.drop_block.observation_space": "nobody learns",
    "games.drop_block.terminal": "nothing is drawn",
    "match.loops.kernel": "a first match is not compiled",
    "match.python_bot": "no bot plays in this process",
    "core.observation": "no bot is a class",
    "match.players.in_process": "no bot plays in this process",
    "match.players.per_turn": "the bots live for the match",
}
# The same for the strongest sandbox.
LEFT_OUT_WITH_GROUPS = {
    "sandbox.process_counts": "a control group counts",
    "system.temporary": "the sandbox has a /tmp of its own",
}
PLAYED = """
import sys
from dohyo.cli.main import run
assert run(sys.argv[1:]) == 0
loaded = [module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "dohyo"]
print(*loaded, sep="\\n", file=sys.stderr)
"""
MATCH = ("play", "drop-block", "hunter", "random", "random", "random", "--seed", "1")


def loaded(folder: Path) -> list[Path]:
    """The files of Dohyo that a process has loaded when it has played a match, the second one in this folder."""
    # Machine code that ships loads 500 lines more, and saves the time of some hundred turns.
    environment = {**os.environ, "DOHYO_CACHE": str(folder / "cache"), "DOHYO_NATIVE": "no"}
    for _ in range(2):  # in the first, something may have to be made ready
        done = subprocess.run(
            (sys.executable, "-c", PLAYED, *MATCH),
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    found = [Path(line) for line in done.stderr.splitlines() if line.endswith(".py")]
    assert SOURCE / "__init__.py" in found
    return sorted(found)


def test_a_match_loads_little(tmp_path: Path) -> None:
    """`dohyo play` between sample bots loads no more files and lines than are written down, and none of the rest."""
    files = loaded(tmp_path)
    names = {".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in files}
    is_strong = strongest().layer == 1
    left_out = LEFT_OUT | (LEFT_OUT_WITH_GROUPS if is_strong else {})
    assert {name: why for name, why in left_out.items() if name in names} == {}
    assert all((SOURCE / f"{name.replace('.', '/')}.py").is_file() for name in left_out)  # or it says nothing
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    most_files, most_lines = MAX_FILES + WEAKER_FILES * (not is_strong), MAX_LINES + WEAKER_LINES * (not is_strong)
    assert (len(files) <= most_files, lines <= most_lines) == (True, True), (len(files), lines, sorted(names))
