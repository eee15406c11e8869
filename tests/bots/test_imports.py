"""What importing costs: no circles, and little where all that is asked for was built before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import grimp

from tests.bots.conftest import PATIENCE

# What finds a bot that was prepared before, where nothing has changed.
RECORDED = {"", *("bot", "cache", "prepared", "typed_words", "samples", "program_files")}
# What decides whether there is a build, and where, and what a judge holds meanwhile: nothing that builds, parses or
# starts anything.
ENOUGH = RECORDED | {
    "newly_kept",
    *("build_plan", "content", "hand_in", "preparation", "recognise", "safe_paths"),
    *("source_dependencies", "sources", "tools"),
}
AGAIN = """
import sys
from pathlib import Path
from dohyo import bots
sample = Path(sys.argv[1])
bots.resolve(["one", "one"], {"one": sample}, cache=Path(sys.argv[2]))
print(*(name for name in sys.modules if name.startswith("dohyo.bots")))
"""


def test_no_file_of_bots_is_imported_in_a_circle() -> None:
    """From no file, by whatever imports in functions too, does a way lead back to it."""
    graph = grimp.build_graph("dohyo", cache_dir=None)
    ours = [name for name in graph.modules if name.startswith(("dohyo.bots", "dohyo.languages"))]
    assert "dohyo.bots.recognise" in ours
    circles = [
        chain
        for name in ours
        for other in graph.find_modules_directly_imported_by(name)
        if other in ours and (chain := graph.find_shortest_chain(other, name)) is not None
    ]
    assert circles == []


def test_little_is_imported_for_what_was_built_before(tmp_path: Path) -> None:
    """A lone source that was prepared before is found without what recognises it, a folder without what builds it."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "bot.py").write_text("print('U')\n")
    for_folders = {"apart", "aside", "builds", "declared", "folder_sources", "manifests", "python_sources"}
    for path, enough in ((tmp_path / "one" / "bot.py", RECORDED), (built(tmp_path), ENOUGH | for_folders)):
        for again in (False, True):
            command = (sys.executable, "-c", AGAIN, str(path), str(tmp_path / "cache"))
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
            if again:
                found = {name.removeprefix("dohyo.bots").lstrip(".") for name in done.stdout.split()}
                assert found <= enough


def built(folder: Path) -> Path:
    """A sample bot that has to be built."""
    bot = folder / "two"
    bot.mkdir()
    (bot / "bot.toml").write_text('build = "touch made"\nrun = "python bot.py"\n')
    (bot / "bot.py").write_text("print('U')\n")
    return bot
