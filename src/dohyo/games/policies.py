"""Sample bots that are rules of thumb, as flat policies: asked in a compiled loop or a search, without a process.

A sample bot in Python whose file defines a function `policy(s, seat, options, count, luck)` with the mark `flat`
plays by it itself, so that no idea is written twice. The word that names the bot names the policy too, where somebody
wants policies: `dohyo.rl.VectorEnv("drop-block", opponents="hunter")`.

    from dohyo import games
    from dohyo.games.policies import policy_of

    GAME = games.find("drop-block")
    Search(GAME, 4, policy=policy_of(GAME, "hunter"))
    BatchMatch(GAME, 1024).rollout(1000, [policy_of(GAME, "hunter")])

Only files of the game itself are imported, and only those in whose source such a function bears the mark: any other
bot may have a function of that name, and would begin to play in the process of whoever looked.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from dohyo.core.game import Game
from dohyo.core.policies import graded

POLICY = "policy"
ENDING = ".py"
SHARE = "@"
RANDOM = "random"
STEPS = (80, 90, 97)  # in so many of 100 decisions the steps play as the bot; in the others they may blunder
OWN_STEPS = "RUNGS"  # in a bot's file: other steps, where chance hides what a blunder costs
MARKS = ("flat", "flat_in")  # decorators, as a bot's source names them
MAX_DIGITS = 3  # of a share: 100


def policy_of(game: Game, name: str) -> Callable[..., int]:
    """The policy of the game's sample bot with this name, "hunter" or "hunter.py".

    It is a flat function `policy(s, seat, options, count, luck)`, as `BatchMatch.rollout` and `Search` take them.
    "hunter@40" plays as hunter in 40 of 100 decisions, and any legal action in the others (`graded`). A name that is
    a path is no sample bot's. Raises `ValueError` where no bot of this name is a policy, and for what is no share.
    """
    found = find_policy(game, name)
    if found is None:
        names = ", ".join(policy_names(game)) or "none"
        raise ValueError(f"{game.name} has no policy {name!r}; sample bots that are policies: {names}")
    return found


def find_policy(game: Game, name: str) -> Callable[..., int] | None:
    """What `policy_of` returns; none where no bot of this name is a policy. Raises `ValueError` for no share."""
    if name != Path(name).name:
        return None
    word, at, share = name.partition(SHARE)
    policy = _policies(_folder(game)).get(word.lower().removesuffix(ENDING), lambda: None)()
    if policy is None or not at:
        return policy  # type: ignore[no-any-return]
    if not (share.isascii() and share.isdigit() and len(share) <= MAX_DIGITS):
        raise ValueError(
            f"{name!r}: what follows {SHARE} must be a whole number from 0 to 100, as in {word}{SHARE}40"
        )
    return graded(policy, int(share))


def ladder_of(game: Game, bot: str) -> tuple[str, ...]:
    """Opponents by name, from random play up to this bot of the game, each stronger than the one before it.

    `docs/baselines.md` has how they fare against each other. Raises `ValueError` where the bot is no policy.
    """
    steps = getattr(sys.modules[policy_of(game, bot).__module__], OWN_STEPS, STEPS)
    return (RANDOM, *(f"{bot}{SHARE}{share}" for share in steps), bot)


def policies_of(game: Game) -> dict[str, Callable[..., int]]:
    """All policies of the game's sample bots, by the bots' names, in alphabetical order."""
    found = {name: get() for name, get in sorted(_policies(_folder(game)).items())}
    return {name: policy for name, policy in found.items() if policy is not None}


def policy_names(game: Game) -> tuple[str, ...]:
    """The names of the game's sample bots that are policies, in alphabetical order, by what their sources say.

    None of them is imported.
    """
    return tuple(sorted(_policies(_folder(game))))


def _folder(game: Game) -> tuple[str, Path]:
    """The package that a game's sample bots are imported into, and where they are."""
    module: str = game.rules.step.__module__
    is_package = hasattr(sys.modules.get(module), "__path__")  # so is a game in one file
    return module if is_package else module.rpartition(".")[0], Path(game.folder) / "bots"


@cache
def _policies(place: tuple[str, Path]) -> dict[str, Callable[[], Any]]:
    """How to import each policy of the bots in a folder, by name."""
    package, folder = place
    found: dict[str, Callable[[], Any]] = {}
    for file in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
        if _defines_policy(file):
            found[file.stem.lower()] = cache(lambda file=file: _imported(f"{package}.bots.{file.stem}", file))
    return found


def _defines_policy(file: Path) -> bool:
    """Whether a file defines a policy with its mark, which is asked without running it: other bots play when run."""
    try:
        body = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False
    functions = [each for each in body if isinstance(each, ast.FunctionDef) and each.name == POLICY]
    return any(_mark_in(decorator) in MARKS for each in functions for decorator in each.decorator_list)


def _mark_in(decorator: ast.expr) -> str:
    """The last name of a decorator, called or not: "flat_in" of `@policies.flat_in(*FIELDS)`."""
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(named, ast.Attribute):
        return named.attr
    return named.id if isinstance(named, ast.Name) else ""


@contextmanager
def _deaf_and_mute() -> Iterator[None]:
    """Nothing to read and nowhere to write: a program that plays as soon as it is run neither waits nor is seen."""
    given = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO(), io.StringIO()
    try:
        yield
    finally:
        sys.stdin, sys.stdout = given


def _imported(name: str, file: Path) -> Any:
    """The policy of a bot's file, imported once under this name; none if it bears no mark."""
    module = sys.modules.get(name)
    if module is None:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            with _deaf_and_mute():
                spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    policy = getattr(module, POLICY, None)
    return policy if getattr(policy, "__flat__", False) else None
