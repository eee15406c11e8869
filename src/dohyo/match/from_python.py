"""One match as a program in Python asks for it: what `dohyo.play` is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.match.found_bots import Program
from dohyo.match.play import new_seed, play_match
from dohyo.match.python_bot import Bot
from dohyo.sandbox import Sandbox

Player = Program | Bot | type[Bot]


def play(
    game: str | Game,
    bots: Sequence[Player],
    *,
    seed: int | None = None,
    setup: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    resume: tuple[Replay, int] | None = None,
    first: Mapping[int, str] | None = None,
    python: str | None = None,
    pondering: bool | None = None,
    sandbox: str | Sandbox = "auto",
    on_turn: Callable[[Replay], None] | None = None,
    on_progress: Callable[[Replay], None] | None = None,
) -> Replay:
    """Play one match of a game, and return its replay; no program is left running.

    `bots` has an item a seat: a word as on the command line (a sample bot, a file, a folder, a command line), or a
    `dohyo.Bot` or its class, which plays in this process. `seed` (0 .. 2**63 - 1) decides the dice and the bots' own
    random numbers; without it, one is drawn, and `replay.header.seed` plays the same match again. `setup` has the
    game's options by name. `clock` is a preset, seconds for a turn, or a `Clock`. `resume` continues a replay at a
    turn, and `first`, lines by seat, plays that turn before. `python` is the interpreter of bots in Python.
    `pondering` asks players to think while others move; False pauses programs then. `sandbox` is auto, require or
    none. `on_turn` is called with the replay after every turn, `on_progress` a few times a second.

    Raises `OperatorError` for a mistake of the caller; `Interrupted`, with the replay so far, for Ctrl-C.
    """
    return play_match(
        game,
        bots,
        seed=new_seed() if seed is None else seed,
        setup=setup,
        clock=clock,
        resume=resume,
        first=first,
        python=python,
        pondering=pondering,
        sandbox=sandbox,
        on_turn=on_turn,
        on_progress=on_progress,
    )
