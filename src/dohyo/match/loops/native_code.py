"""Makes the machine code that ships with Dohyo: for each of its games, the loop of a match and the loops of a batch.

    python -m dohyo.match.loops.native_code [--into FOLDER] [GAME ...]

The build of a wheel does that (`hatch_build.py`); in a clone, whoever wants it types it. It needs the extra `fast`
and a C compiler, and takes a minute and a half of processor time for all games. The code is for any processor of this
machine's kind, and measured as fast as what Numba makes for this very one. By default it goes where Dohyo looks for
it (`dohyo.system.shipped`), and what was made of other sources before is removed there.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dohyo import games
from dohyo.core.game import Game, usual_seats
from dohyo.match.loops import kernel
from dohyo.match.loops.compiled_loop import loop_arguments, loop_parts
from dohyo.match.loops.driver import suits
from dohyo.match.loops.shipped_loop import LOOP
from dohyo.match.loops.shipped_loop import file_of as file_of_match
from dohyo.sim import ahead, shipped_loops
from dohyo.sim.compiled import callees_first
from dohyo.system import shipped
from dohyo.system.native import ROW, array_kind

GAMES_OF_A_BATCH = 3


def make(names: Sequence[str] = (), into: Path | None = None) -> list[Path]:
    """Compile what ships for these games, or for all of Dohyo's own; returns the files.

    Raises `OperatorError` without the extra `fast` and for an unknown game, `OSError` without a C compiler.
    """
    folder = into or shipped.SHIPPED
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for game in [games.find(name) for name in names] or games.all_games().values():
        if (file := file_of_match(game)) is None:
            continue
        if suits(game):
            found.append(_made(folder / file.name, loop_of_match, game))
        file = shipped_loops.file_of(game.name.replace("-", "_"))
        found.append(_made(folder / file.name, loops_of_batch, game))
    return found


def _made(file: Path, code_of: Callable[[Game], bytes], game: Game) -> Path:
    """A file of machine code: a copy, if it was made of these sources before."""
    before = shipped.SHIPPED / file.name
    if before.is_file():
        return file if before == file else Path(shutil.copy(before, file))
    return linked(code_of(game), file)


def loop_of_match(game: Game) -> bytes:
    """The object file of the loop of `dohyo.match.loops`."""
    from dohyo.sim.whole_program import compile_whole

    made = compile_whole(kernel.play_turns, loop_parts(game), kernel.FOREIGN)
    made(*loop_arguments(game), 0, 0, 0, 0)  # no turn of no seat: compiled for these types
    content, (call,) = ahead.object_file(
        [ahead.Compiled(made, made.signatures[0])], kernel.FOREIGN, any_processor=True
    )
    assert call == LOOP
    return content


def loops_of_batch(game: Game) -> bytes:
    """The object file of the loops of `dohyo.sim`, with their index: those that need no policy of the caller's."""
    from dohyo.sim import loops
    from dohyo.sim.whole_program import recording

    loops.made_of.cache_clear()  # what was made before would not be noted
    with recording() as made:
        _use_all_loops(game)
    whole, calls = ahead.module_of([ahead.Compiled(each.dispatcher, each.types) for each in made])
    index = {}
    for each, call in zip(made, calls, strict=True):
        flat = [part for part in (*each.functions, *each.parts.values()) if not isinstance(part, int)]
        modules = {function.__module__ for function in callees_first(flat, each.parts)}
        states = {module: shipped_loops.state_of(module) for module in modules}
        key = shipped_loops.key_of(each.functions, each.parts)
        takes = _listed(call.takes, each.types)
        index[key] = (f"{call.symbol}_of_words", takes, call.gives, states)
    ahead.add_callers(whole, calls, {shipped_loops.INDEX: json.dumps(index).encode()})
    return ahead.machine_code(whole, any_processor=True)


def _listed(kinds: Sequence[str], types: Sequence[Any]) -> list[str | list[str]]:
    """A loop's arguments as the index lists them, from the kinds of all that is handed on."""
    left = iter(kinds)
    found: list[str | list[str]] = []
    for of in types:
        fields = ahead.fields_of(of)
        exact = [_exact(next(left), field) for field in fields]
        found.append(exact[0] if fields == (of,) else exact)
    return found


def _exact(kind: str, of: Any) -> str:
    """The kind of an argument, with the size of its records."""
    return array_kind(f"|V{of.dtype.size}", 1) if kind == ROW else kind


def _use_all_loops(game: Game) -> None:
    """Call each loop that a batch without policies may need."""
    from dohyo.sim import BatchMatch
    from dohyo.sim.one_seat import OneSeat

    seats, n = usual_seats(game), GAMES_OF_A_BATCH
    batch = BatchMatch(game, n, seats=seats, threads=1)
    batch.acting()
    mask = batch.legal()
    batch.step(batch.sample())
    batch.rollout(1)
    batch.reset(seed=range(n))
    if game.observation is None:
        return
    seen = batch.observe()
    for given in ({"observe": seen}, {"legal": mask}, {"observe": seen, "legal": mask}):
        batch.step(batch.sample(), **given)
    import numpy

    one = OneSeat(game, n, seats=seats, threads=1, illegal="fault")
    one.look(seen[:, 0].copy())
    allowed = numpy.zeros((n, game.rules.ACTIONS), numpy.int8)
    one.mask(allowed)
    one.move(allowed.argmax(1))


def linked(content: bytes, file: Path) -> Path:
    """Link an object file; what was made of other sources goes. Raises `OSError` where there is no linker."""
    for old in file.parent.glob(f"{file.name.rpartition('-')[0]}-*"):
        if len(old.name) == len(file.name):
            old.unlink()
    made = file.with_suffix(".o")
    made.write_bytes(content)
    try:
        if not ahead.link(made, file):
            raise OSError("there is no C compiler (in Debian: apt install gcc libc6-dev)")
    finally:
        made.unlink()
    return file


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--into", type=Path, metavar="FOLDER")
    words = parser.parse_args()
    for file in make(words.games, words.into):
        print(file)
