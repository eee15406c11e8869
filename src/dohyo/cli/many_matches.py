"""The options that `dohyo compare` and `dohyo tune` share: how many matches at once, on what terms."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from dohyo.cli.options import (
    AsJson,
    ClockWord,
    Interpreter,
    Language,
    Pondering,
    SandboxOption,
    Seats,
    Seed,
    Setup,
    Trust,
    Workers,
    check_workers,
    find_game,
    read_clock_terms,
    read_setup,
    sandbox_for,
)

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.sandbox import Sandbox

GameWord = Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")]

Restart = Annotated[
    bool, typer.Option("--restart", help="Start engines anew for each match, in place of 'ucinewgame'.")
]


class ManyMatches(NamedTuple):
    """The shared options as they were typed, in the order in which the help tells them."""

    seats: Seats = None
    workers: Workers = None
    seed: Seed = None
    setup: Setup = None
    clock: ClockWord = None
    pondering: Pondering = False
    python: Interpreter = None
    restart: Restart = False
    as_json: AsJson = False
    sandbox: SandboxOption = None
    trust: Trust = False
    lang: Language = None

    @property
    def language(self) -> str:
        """The language of messages."""
        return str(self.lang)

    def find(self, command: str, word: str, bots: list[str]) -> Game:
        """The game that a word means, with these `bots` behind it. Raises `OperatorError`, for `workers` too."""
        check_workers(self.workers)
        return find_game(command, word, bots)

    def terms(self, game: Game) -> dict[str, Any]:
        """What all matches are played on, as arguments for `Terms`; seed and seats are the command's matter."""
        box = "none" if self.trust else self.sandbox or "auto"
        more = {"sandbox": box, "restart": self.restart, "pondering": self.pondering}
        return {"setup": dict(read_setup(self.setup or ())), **read_clock_terms(game, self.clock), **more}

    def box(self) -> Sandbox:
        """The sandbox that bots run in; warns where there is none."""
        return sandbox_for(self.sandbox, self.trust, self.language)


def with_many_matches(command: Callable[..., int]) -> Callable[..., int]:
    """The command with these options behind its own; it gets them as `many`."""

    @wraps(command)
    def run(**given: Any) -> int:
        many = ManyMatches(**{name: given.pop(name) for name in ManyMatches._fields})
        return command(**given, many=many)

    # Typer reads a function's parameters off its signature.
    own = [one for one in inspect.signature(command, eval_str=True).parameters.values() if one.name != "many"]
    kinds, usual = get_type_hints(ManyMatches, include_extras=True), ManyMatches._field_defaults
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kinds[name], default=usual[name])
        for name in ManyMatches._fields
    ]
    vars(run)["__signature__"] = inspect.Signature([*own, *shared])
    vars(run)["__annotations__"] = {}
    return run
