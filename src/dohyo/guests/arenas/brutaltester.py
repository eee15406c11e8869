"""The command line of brutaltester, read as a contest.

    -r wondev-woman -p1 ./mine -p2 "python3 old.py" -t 2 -n 100 -s -l logs -i 7

All players sit in every match. docs/coming-from.md has the whole table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from dohyo.core.errors import OperatorError
from dohyo.guests.arenas import understood as shared
from dohyo.guests.arenas.understood import Understood, bot_word, number, single, unknown
from dohyo.i18n import Message

TOOL = "brutaltester"
PLAYERS = ("p1", "p2", "p3", "p4")
READ = ("r", *PLAYERS, "t", "n", "i", "l", "s")
MAX_SEED = (1 << 31) - 1


def is_meant(words: Sequence[str]) -> bool:
    """Whether somebody types what brutaltester takes: a referee, or a player."""
    return any(word.partition("=")[0] in ("-r", *(f"-{player}" for player in PLAYERS)) for word in words)


def read(words: Sequence[str]) -> Understood:
    """What this command line means. Raises `OperatorError` for a word that is not read."""
    given: dict[str, str] = {}
    own: list[tuple[str, str | None]] = []
    for option, values in shared.groups(words, TOOL):
        bare = option.lstrip("-")
        if bare in ("v", "o"):
            raise OperatorError("words-kept" if bare == "v" else "words-old", word=option)
        if bare in READ:
            if bare in given:
                raise OperatorError("words-twice", word=option)
            if bare == "s":
                shared.nothing(option, values)
            given[bare] = "" if bare == "s" else single(option, values, Message("takes.value"))
        elif (found := shared.own_word(option, values)) is not None:
            own.append(found)
        else:
            raise unknown(option, [f"-{name}" for name in (*READ, *shared.OWN)], TOOL)
    return _contest(given, own)


def _contest(given: dict[str, str], own: Sequence[tuple[str, str | None]]) -> Understood:
    """The contest of all words together."""
    if wrong := [name for name, _ in own if name in ("game", *shared.COMPARE_ONLY)]:
        raise OperatorError("words-other-command", word=f"-{wrong[0]}", command="-r GAME")
    for needed in ("r", "p1", "p2"):
        if needed not in given:
            takes = shared.all_names() if needed == "r" else Message("takes.command")
            raise OperatorError("words-lacks", word=f"-{needed}", takes=takes)
    game = shared.game_of(given["r"], "words-referee")
    bots = [bot_word(player, given[player]) for player in PLAYERS if player in given]
    if not game.seats[0] <= len(bots) <= game.seats[1]:
        raise OperatorError("words-players", game=game.name, seats=_range(game.seats), count=len(bots))
    if "l" in given and game.referee is not None:
        raise OperatorError("words-logs", word="-l")
    matches = number("-n", given.get("n", "1"))
    if matches % len(bots):
        better = matches + len(bots) - matches % len(bots)
        raise OperatorError("words-matches", word=f"-n {matches}", bots=len(bots), better=better)
    words = ["contest", "run", "--game", shared.word_of(game), *bots, "--rounds", str(matches // len(bots))]
    if game.seats[1] > 2:
        words += ["--option", f"table={len(bots)}", "--option", "seating=rotations"]
    words += ["--seed", str(number("-i", given["i"], 0, MAX_SEED))] if "i" in given else []
    values = {name: value for name, value in own if value is not None}
    name = values.get("name")
    if name is None and "store" not in values:
        # Another line is another contest, and each has its name: so they stand side by side in one folder.
        name = f"{game.name}-{hashlib.sha256(repr(words).encode()).hexdigest()[:6]}"
        words += ["--name", name]
    words += ["--workers", str(number("-t", given.get("t", "1")))]
    for word, value in own:
        words += [f"--{word}"] if value is None else [f"--{word}", value]
    return Understood(
        words=tuple(words),
        notes=() if "s" in given else ("words.every-seat",),
        logs=given.get("l"),
        store=values.get("store") or "contest.db",
        name=name,
    )


def _range(seats: tuple[int, int]) -> str:
    return str(seats[0]) if seats[0] == seats[1] else f"{seats[0]} - {seats[1]}"
