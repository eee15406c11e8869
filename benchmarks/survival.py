"""How long aBOTcalypse's sample bots live: seeded games of ten of them, two of each kind, on random seats.

    python benchmarks/survival.py [--games 100] [--seed 1] [--turns 500] [--rules post] [--workers 2]
        [--bots shelter=2,rest=8 | --drawn 9] [--processes]

Game number i has the seed SEED + i, which also seats the bots. `--drawn N` plays one `sensei` with N others, drawn
for each game from the sample bots and from those of `opponents/abotcalypse/zoo.py`, which `--bots` can name too. By
default the bots' own functions `decide` are called in this process, with the real rules and the text that a program
would be sent; with `--processes` each game is a real match between programs, with generous time limits.
In this process `sensei` searches as far as it would with enough time, compiled if possible.

A bot's survival is its score: the turn in which it died, or the limit. Prints for each kind the mean with an interval
of 95 %, the share of bots that lived to the end, and what the others died of; then

    ratio=...   shelter's mean survival divided by rest's, with an interval of 95 % (bootstrap over games)
    sensei_ratio=...   sensei's divided by shelter's, likewise
    above=...   of the games of a sensei: those in which it scored more than each other bot; then with those in which
        others lived to the end as well, and sensei did. Both with Wilson's interval of 95 %. Before it stands the
        same for each kind alone: games with more than each of that kind, of all games with it.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, quantiles, stdev
from typing import Any, NamedTuple

from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.abotcalypse import GAME
from dohyo.games.abotcalypse.outcome import CAUSES

KINDS = ("rest", "random", "builder", "thrower", "shelter")
OF_EACH = 2
FIELD = dict.fromkeys(KINDS, OF_EACH)
RATIOS = {"ratio": ("shelter", "rest"), "sensei_ratio": ("sensei", "shelter")}
FOLDER = Path(GAME.folder) / "bots"
ZOO = Path(__file__).parent / "opponents" / "abotcalypse" / "zoo.py"
NORMAL_95 = 1.959964  # standard errors on either side that hold 95 % of a normal distribution
DRAWN_AGAIN = 2000  # sets of games, for the interval of the ratio
NOBODY_HURRIES = Clock(turn=60)

Decide = Callable[[str], str]


class Played(NamedTuple):
    """What one game says: for each bot its kind, its score, and what it died of, empty for who survived."""

    kinds: tuple[str, ...]
    scores: tuple[float, ...]
    causes: tuple[str, ...]


def seated(seed: int, field: Mapping[str, int] = FIELD) -> list[str]:
    """Who sits where in the game with this seed, of so many bots of each kind."""
    kinds = [kind for number in range(max(field.values())) for kind in field if number < field[kind]]
    Random(seed).shuffle(kinds)
    return kinds


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """Inside, modules of a bot's folder can be imported; afterwards their names are free for another bot's."""
    before, known = list(sys.path), set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = before
        for name in set(sys.modules) - known:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(f"{folder}{os.sep}"):
                del sys.modules[name]


def drawn(seed: int, others: int) -> dict[str, int]:
    """The field of a game with this seed: one sensei, and so many others, no kind twice before each is there once."""
    kinds = [*KINDS, *zoo().ZOO]
    chance, field = Random(f"drawn {seed}"), Counter(sensei=1)
    while field.total() <= others:
        field.update(chance.sample(kinds, min(len(kinds), others + 1 - field.total())))
    return dict(field)


@cache
def zoo() -> Any:
    """The module of the bots that are no sample bots."""
    return module("zoo", ZOO)


def module(kind: str, file: Path | None = None) -> Any:
    """A sample bot as a module of its own; or what is in a file."""
    path = file or (FOLDER / kind / f"{kind}.py" if (FOLDER / kind).is_dir() else FOLDER / f"{kind}.py")
    spec = importlib.util.spec_from_file_location(f"sample_{kind}", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    path_before = list(sys.path)  # which `random.py` takes its own folder from
    with at_home(path.parent) if path.parent != FOLDER else nullcontext():
        spec.loader.exec_module(made)
    sys.path[:] = path_before
    return made


@cache
def foreseeing() -> tuple[Any, Any]:
    """The sample bot `sensei` as a module, and what all of its bots in this process think with."""
    sensei = module("sensei")
    with at_home(FOLDER / "sensei"):  # what was compiled is found by the names of its modules
        return sensei, sensei.Foresight(importlib.util.find_spec("numba") is not None)


def living(kind: str, seed: int) -> Decide:
    """A bot of this kind for one game, as a function of the view."""
    if kind == "sensei":
        sensei, foresight = foreseeing()
        return sensei.Sensei(foresight, seed).decide  # type: ignore[no-any-return]
    if kind in zoo().ZOO:
        return partial(_with_kept, zoo().ZOO[kind], {"chance": Random(seed)})
    bot = module(kind)
    if kind == "random":
        return partial(bot.decide, chance=Random(seed))
    if kind != "thrower":
        return bot.decide  # type: ignore[no-any-return]
    kept: dict[str, Any] = {}  # what it would find in its storage

    def decide(view: str) -> str:
        action = bot.decide(view, kept)
        kept.update(bot.remember(view, kept))
        return str(action)

    return decide


def _with_kept(bot: Callable[[str, dict[str, Any]], str], kept: dict[str, Any], view: str) -> str:
    return bot(view, kept)


def begin(seed: int, turns: int, kinds: Sequence[str], rules: str = "post") -> tuple[Referee, list[Decide]]:
    """A game before its first turn, and its bots."""
    referee = Referee(GAME, resolve(GAME.options, {"turns": turns, "rules": rules}), len(kinds), seed)
    return referee, [living(kind, 1000 * seed + seat) for seat, kind in enumerate(kinds)]


class Views:
    """What bots are sent, by the compiled form of what the referee calls: most of a game's time would go there."""

    def __init__(self) -> None:
        """Raises `OperatorError` where Numba is not installed."""
        from dohyo.sim import compiled, records

        self._prompt = compiled.compile_all([GAME.protocol.prompt], {})[0]
        self._records, self._layout = records, GAME.rules.LAYOUT
        self._now = records.blank(self._layout, 1)
        self._text = bytearray(GAME.protocol.PROMPT_BYTES)

    def of(self, state: Any, seats: Sequence[int]) -> dict[int, str]:
        """Each seat's view."""
        self._records.write(self._layout, self._now, 0, state)
        return {seat: self._text[: self._prompt(self._now[0], seat, self._text)].decode() for seat in seats}


@cache
def views() -> Views | None:
    """The views of this process; none where Numba is not installed."""
    return Views() if importlib.util.find_spec("numba") else None


def answers(referee: Referee, bots: Sequence[Decide], seen: Views | None = None) -> dict[int, Answer]:
    """What all the living say to what they are sent."""
    if seen is not None:
        sent = seen.of(referee.state, referee.pending())
        return {seat: Answer(bots[seat](view)) for seat, view in sent.items()}
    return {seat: Answer(bots[seat](referee.prompt(seat).decode())) for seat in referee.pending()}


def play_here(seed: int, turns: int, field: Mapping[str, int] | int = FIELD, rules: str = "post") -> Played:
    """One game in this process, of a field or of so many drawn. Raises `ValueError` when a bot says nonsense."""
    kinds = seated(seed, drawn(seed, field) if isinstance(field, int) else field)
    referee, bots = begin(seed, turns, kinds, rules)
    while not referee.over:
        for move in referee.submit(answers(referee, bots, views())).moves:
            if move.faults:
                raise ValueError(f"{kinds[move.seat]} said {move.faults[0].code}, seed {seed}, turn {referee.turn}")
    scores = referee.result().scores or ()
    return Played(
        tuple(kinds), tuple(scores), tuple(CAUSES.get(cause, "") for cause in referee.state.cause[: len(kinds)])
    )


def play_match(seed: int, turns: int, field: Mapping[str, int] = FIELD, rules: str = "post") -> Played:
    """One game between programs."""
    from dohyo.core.playback import moments
    from dohyo.match import play

    kinds = seated(seed, field)
    setup = {"turns": turns, "rules": rules}
    replay = play.play_match(GAME, kinds, seed=seed, setup=setup, clock=NOBODY_HURRIES, sandbox="none")
    causes = list(moments(GAME, replay))[-1].after.cause[: len(kinds)]
    return Played(tuple(kinds), tuple(replay.result.scores or ()), tuple(CAUSES.get(cause, "") for cause in causes))


def above(games: Sequence[Played], turns: int, kind: str | None = None, name: str = "sensei") -> str:
    """In how many games the one `sensei` outlived each bot of a kind, or of all; and with those shared at the end."""
    more = shared = played = 0
    for game in games:
        mine = game.scores[game.kinds.index(name)]
        theirs = [s for k, s in zip(game.kinds, game.scores, strict=True) if k != name and kind in (None, k)]
        if theirs:
            played += 1
            more += mine > max(theirs)
            shared += mine >= max(theirs) and mine >= turns
    both = (f"{count} ({low:.1%} .. {high:.1%})" for count in (more, shared) for low, high in [wilson(count, played)])
    return f"{'; or shared at the end '.join(both)} of {played}"


def wilson(wins: int, of: int) -> tuple[float, float]:
    """The bounds of a share of `of` games, at 95 %."""
    share, z = wins / of, NORMAL_95
    middle, half = share + z * z / 2 / of, z * sqrt(share * (1 - share) / of + z * z / 4 / of / of)
    return (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)


def survival(games: Sequence[Played], kind: str) -> float:
    """The mean score of all bots of a kind."""
    return mean(score for game in games for name, score in zip(game.kinds, game.scores, strict=True) if name == kind)


def ratio(games: Sequence[Played], one: str = "shelter", other: str = "rest") -> float:
    """How many times as long one kind lives as the other."""
    return survival(games, one) / survival(games, other)


def told(games: Sequence[Played], kind: str) -> str:
    """A line about a kind. The interval goes by games: what happens in one happens to all its bots."""
    each = [survival([game], kind) for game in games if kind in game.kinds]
    error = NORMAL_95 * stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.0
    died = Counter(
        cause for game in games for name, cause in zip(game.kinds, game.causes, strict=True) if name == kind
    )
    lived = died.total()
    survived = died.pop("", 0) / lived
    causes = ", ".join(f"{cause} {count}" for cause, count in died.most_common())
    return f"{kind}={mean(each):.1f} ({mean(each) - error:.1f} .. {mean(each) + error:.1f}) {survived:.0%} {causes}"


def counted(words: str) -> dict[str, int]:
    """How many bots of each kind, from `shelter=2,rest=8`. Raises `ValueError` for what is none."""
    field = {kind: int(number) for kind, _, number in (word.partition("=") for word in words.split(","))}
    if min(field.values()) < 1:
        raise ValueError(words)
    return field


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description="How long the sample bots of aBOTcalypse live.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--bots", type=counted, default=FIELD, metavar="KIND=N,...", help="who plays, and how many")
    parser.add_argument("--drawn", type=int, metavar="N", help="one sensei, and so many others drawn for each game")
    parser.add_argument("--rules", choices=("post", "classic"), default="post")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.add_argument("--workers", type=int, default=cores, help="games at a time")
    parser.add_argument("--processes", action="store_true", help="real matches between programs")
    words = parser.parse_args()
    field = words.drawn or words.bots
    play = partial(play_match if words.processes else play_here, turns=words.turns, field=field, rules=words.rules)
    with ProcessPoolExecutor(1 if words.processes else words.workers) as pool:
        games = list(pool.map(play, range(words.seed, words.seed + words.games)))
    kinds = list(words.bots) if words.drawn is None else sorted({kind for game in games for kind in game.kinds})
    print(f"games={len(games)}")
    for kind in kinds:
        print(told(games, kind))
    if all(game.kinds.count("sensei") == 1 for game in games):
        for kind in kinds:
            if kind != "sensei":
                print(f"above_{kind}={above(games, words.turns, kind)}")
        print(f"above={above(games, words.turns)}")
    for name, (one, other) in RATIOS.items():
        if words.drawn is None and one in words.bots and other in words.bots:
            chance = Random(words.seed)
            again = [ratio(chance.choices(games, k=len(games)), one, other) for _ in range(DRAWN_AGAIN)]
            bounds = quantiles(again, n=40)
            print(f"{name}={ratio(games, one, other):.2f} ({bounds[0]:.2f} .. {bounds[-1]:.2f})")


if __name__ == "__main__":
    main()
