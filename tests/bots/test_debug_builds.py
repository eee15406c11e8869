"""Debug builds: kept apart from others, with symbols and sanitizers, which find what an ordinary build does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check.check import check_bot
from dohyo.bots import resolve
from dohyo.core.clock import Clock
from dohyo.match.clocks import slower
from dohyo.sandbox import at_layer
from tests import skips
from tests.bots.conftest import Write

# It writes behind the end of its memory in its second turn, which goes well in an ordinary build.
OVERFLOW = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int think(int size) {
    int *cells = malloc(4 * size), sum = 0;
    for (int at = 0; at <= size; at++) cells[at] = at;
    for (int at = 0; at < size; at++) sum += cells[at];
    free(cells);
    return sum;
}
int main(void) {
    char line[256]; int turns = 0;
    puts("READY"); fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (!strcmp(line, "EOD\n")) { if (++turns == 2) turns += think(8) > 99; puts("N"); fflush(stdout); }
    return 0;
}
"""


@pytest.mark.process
@pytest.mark.parametrize("layer", [1, 2])
def test_a_sanitizer_in_a_sandbox(write: Write, layer: int, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """A sanitizer runs in the sandbox, whoever counts memory there; its whole report is kept, the line picked out."""
    skips.program("cc")
    sandbox = at_layer(layer)
    if sandbox is None:
        skips.skip_for(skips.Reason.KERNEL, f"no sandbox of layer {layer}")
    monkeypatch.setenv("DOHYO_CACHE", str(cache))
    bot = str(write({"over.c": OVERFLOW}) / "over.c")
    found = check_bot(games.find("drop-block"), bot, matches=0, sandbox=sandbox, debug=True)
    (finding,) = found.wrong
    assert (finding.key, finding.turn) == ("check.exited", 2)
    assert "over.c:6, in think: AddressSanitizer: heap-buffer-overflow" in finding.say()
    assert "ERROR: AddressSanitizer" in finding.errors
    assert "ABORTING" in finding.errors
    assert found.limit == 10 * games.find("drop-block").usual_clock([]).turn


@pytest.mark.process
def test_kept_apart(write: Write, cache: Path) -> None:
    """An ordinary build and a debug build are two, each found again; what is not compiled has one."""
    skips.program("cc")
    folder = write({"over.c": OVERFLOW, "plain.py": "print('READY')\n"})
    usual, debug, again = (
        resolve([str(folder / "over.c")], cache=cache, debug=debug)[0] for debug in (False, True, True)
    )
    assert not usual.debug
    assert debug.debug
    assert usual.built != debug.built
    assert debug == again
    assert usual.digest == debug.digest
    plain, same = (resolve([str(folder / "plain.py")], cache=cache, debug=debug)[0] for debug in (False, True))
    assert plain == same


@pytest.mark.process
def test_the_authors_own_commands_are_told(write: Write, cache: Path) -> None:
    """The commands of a bot.toml see which build it is; they are run again for a debug build."""
    toml = 'build = ["echo is ${DOHYO_BUILD:-usual} > said"]\nrun = ["/bin/cat", "said"]\n'
    folder = write({"bot.toml": toml})
    usual, debug = (resolve([str(folder)], cache=cache, debug=debug)[0] for debug in (False, True))
    assert [Path(bot.built, "said").read_text() for bot in (usual, debug)] == ["is usual\n", "is debug\n"]


def test_a_slower_clock() -> None:
    """Every limit is ten times as long; a reserve, which is for the whole match, stays."""
    clock = slower(Clock(turn=0.1, first=1.0, ready=2.0, preset="contest", mode="fair", bank=3.0, wall=0.5))
    assert clock == Clock(turn=1.0, first=10.0, ready=20.0, mode="fair", bank=3.0, wall=5.0)
