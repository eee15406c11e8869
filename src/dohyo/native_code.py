"""Makes the machine code that ships with Dohyo: for each of its games, the loop of a match and the loops of a batch.

    python -m dohyo.native_code [--into FOLDER] [GAME ...]

The build of a wheel does that (`hatch_build.py`); in a clone, whoever wants it types it. Classics have no loop of a
match; all have that of `dohyo.data`. It needs the extra `fast` and a C compiler, and takes some five minutes of
processor time for all games. The code is for any processor of this machine's kind, and measured as fast as what Numba
makes for this very one. By default it goes where Dohyo looks for it (`dohyo.system.shipped`), and what was made of
other sources before is removed there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from dohyo import games
from dohyo.core.game import Game, usual_seats
from dohyo.core.rewards import MARGIN, PLACE, SCORE, Reward
from dohyo.match.loops import kernel
from dohyo.match.loops.compiled_loop import LOOP, loop_arguments, loop_parts
from dohyo.match.loops.compiled_loop import file_of as file_of_match
from dohyo.match.loops.driver import suits
from dohyo.sim import ahead, loops, shipped_loops
from dohyo.sim.compiled import callees_first
from dohyo.system import shipped
from dohyo.system.native import ROW, array_kind

GAMES_OF_A_BATCH = 3


def make(names: Sequence[str] = (), into: Path | None = None) -> list[Path]:
    """Compile what ships for these games, or for all that come with Dohyo; returns the files.

    Raises `OperatorError` without the extra `fast` and for an unknown game, `OSError` without a C compiler.
    """
    from dohyo import classics  # which can be taken away

    folder = into or shipped.SHIPPED
    folder.mkdir(parents=True, exist_ok=True)
    names = names or (*games.all_games(), *classics.NAMES)
    if len(names) == 1:
        return _made_for(names[0], folder)
    # A process for each: what one compiles is then the same whatever was compiled before, and all cores have work.
    processes: dict[str, Any] = {"mp_context": get_context("spawn"), "max_tasks_per_child": 1}
    with ProcessPoolExecutor(os.cpu_count(), **processes) as pool:
        return [file for files in pool.map(_made_for, names, repeat(folder)) for file in files]


def _made_for(name: str, folder: Path) -> list[Path]:
    """Compile what ships for a game, of Dohyo's own or a classic; returns the files."""
    game, found = games.find(name), []
    if (file := file_of_match(game)) is not None and suits(game):
        found.append(_made(folder / file.name, loop_of_match, game))
    module = shipped_loops.game_of([], loops.parts_of(game))
    if module is not None:
        for kind, use in ((shipped_loops.BATCH, use_batch), (shipped_loops.DATA, use_data)):
            file = shipped_loops.file_of(module, kind)
            found.append(_made(folder / file.name, partial(loops_used, use), game))
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


def loops_used(use: Callable[[Game], None], game: Game) -> bytes:
    """The object file of the loops that are compiled when a game is used so, with their index.

    Raises `ValueError` for one that would not be found, or is made of what is not among its library's sources.
    """
    from dohyo.sim.whole_program import recording

    loops.made_of.cache_clear()  # what was made before would not be noted
    with recording() as made:
        use(game)
    loops.made_of.cache_clear()
    whole, calls = ahead.module_of([ahead.Compiled(each.dispatcher, each.types) for each in made])
    index: dict[str, list[Any]] = {}
    for each, call in zip(made, calls, strict=True):
        flat = [part for part in (*each.functions, *each.parts.values()) if not isinstance(part, int)]
        modules = sorted({function.__module__ for function in callees_first(flat, each.parts)})
        _check_sources(each.functions, each.parts, modules)
        states = {module: shipped_loops.state_of(module) for module in modules}
        takes = _listed(call.takes, each.types)
        listed = f"{call.symbol}_of_words", takes, call.gives, states
        index.setdefault(shipped_loops.key_of(each.functions, each.parts), []).append(listed)
    ahead.add_callers(whole, calls, {shipped_loops.INDEX: json.dumps(index).encode()})
    return ahead.machine_code(whole, any_processor=True)


def _check_sources(functions: Sequence[Any], parts: Mapping[str, Any], modules: Sequence[str]) -> None:
    """Raises `ValueError` as `loops_used` does."""
    game = shipped_loops.game_of(functions, parts)
    folders = [] if game is None else shipped_loops.sources_of(game, shipped_loops.kind_of(functions))
    for module in modules:
        file = sys.modules[module].__file__
        if file is None or Path(file).parent not in folders:
            raise ValueError(f"{functions[-1].__name__} calls a function of {module}, which is no source of {game}")


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


def use_batch(game: Game) -> None:
    """Call each loop that a batch may need that is given no function: neither a policy nor a reward."""
    from dohyo.sim import BatchMatch

    seats, n = usual_seats(game), GAMES_OF_A_BATCH
    batch = BatchMatch(game, n, seats=seats, threads=1)
    batch.acting()
    mask = batch.legal()
    batch.step(batch.sample())
    batch.rollout(1)
    batch.reset(seed=range(n))
    if game.rules.scores is not None:
        for word in (SCORE, MARGIN):
            paid = BatchMatch(game, n, seats=seats, threads=1, reward=Reward(word, shaping=word))
            paid.step(paid.sample())
    if game.observation is None:
        return
    seen = batch.observe()
    for given in ({"observe": seen}, {"legal": mask}, {"observe": seen, "legal": mask}):
        batch.step(batch.sample(), **given)
    for word in (PLACE,) if game.rules.scores is None else (PLACE, SCORE, MARGIN):
        _use_seat(game, seats, word)


def _use_seat(game: Game, seats: int, reward: str) -> None:
    """The same of a batch in which one seat is played, in one seat's environments."""
    import numpy

    from dohyo.sim.one_seat import OneSeat

    n = GAMES_OF_A_BATCH
    one = OneSeat(game, n, seats=seats, threads=1, illegal="fault", reward=reward)
    observation = game.observation
    assert observation is not None
    one.look(numpy.zeros((n, len(observation.PLANES), *observation.SHAPE), observation.KIND))
    allowed = numpy.zeros((n, game.rules.ACTIONS), numpy.int8)
    one.mask(allowed)
    one.move(allowed.argmax(1))


def use_data(game: Game) -> None:
    """Call the loop of `dohyo.data`, as it is where a reward does not pay for each step."""
    from dohyo.data.again import Again
    from dohyo.data.wish import Wish

    if game.observation is not None:
        Again(game, Wish()).ready()


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
