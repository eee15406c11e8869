"""Which clock the operator means: a preset of the game or seconds per turn, and options that change it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dohyo.core.clock import MODES, Clock, Mode
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import NoChoiceError, nearest, one_of, shown, whole
from dohyo.i18n import Message
from dohyo.system import proc

MAX_SECONDS = 86400.0  # of anything
MOST = f"{MAX_SECONDS:g}"
MAX_STRIKES = MAX_MOVES = 1_000_000
# As at chess: 10+0.1 is 10 s for the match and 0.1 s more for each move, 40/1:30 is 90 s for every 40 moves.
WHOLE_MATCH = re.compile(r"(?:(\d{1,6})/)?(?:(\d{1,6}):)?(\d{1,6}(?:\.\d{1,6})?)(?:\+(\d{1,6}(?:\.\d{1,6})?))?")
WITH_COMMA = re.compile(r"(\d{1,6}),(\d{1,6})")  # 0.1, as many languages write it
# Full-width signs as keyboards for Japanese write them; other forms of digits, such as a raised 2, are no digits.
NARROW = {0x3000: " "} | {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
DEBUG_TIMES = 10  # as long as the others may a debug build take


def _seconds(word: object) -> float:
    """Reads a number of seconds, which may be 0."""
    number = float(str(word))
    if not 0 <= number <= MAX_SECONDS:
        raise ValueError
    return number


def _some_seconds(word: object) -> float:
    """Reads a number of seconds, which must be more than 0."""
    if not (number := _seconds(word)):
        raise ValueError
    return number


# The options that may follow the preset or the seconds: how each is read, and in words what is accepted.
KEYS: Mapping[str, tuple[Callable[[Any], Any], Message | str]] = {
    "mode": (one_of(*MODES), ", ".join(MODES)),
    "bank": (_seconds, Message("takes.seconds", {"least": 0, "most": MOST})),
    "grace": (_seconds, Message("takes.seconds", {"least": 0, "most": MOST})),
    "strikes": (whole(0, MAX_STRIKES), Message("takes.whole-from-to", {"least": 0, "most": MAX_STRIKES})),
    "wall": (_some_seconds, Message("takes.some-seconds", {"most": MOST})),
    "increment": (_seconds, Message("takes.seconds", {"least": 0, "most": MOST})),
    "moves": (whole(0, MAX_MOVES), Message("takes.whole-from-to", {"least": 0, "most": MAX_MOVES})),
    "ready": (_some_seconds, Message("takes.some-seconds", {"most": MOST})),
}


def slower(clock: Clock) -> Clock:
    """The clock for a debug build, whose program takes several times as long: `DEBUG_TIMES` the limits."""
    first, wall = (None if limit is None else limit * DEBUG_TIMES for limit in (clock.first, clock.wall))
    ready, turn = clock.ready * DEBUG_TIMES, clock.turn * DEBUG_TIMES
    if clock.is_whole_match:
        clock = replace(clock, bank=clock.bank * DEBUG_TIMES, increment=clock.increment * DEBUG_TIMES)
    return replace(clock, turn=turn, first=first, ready=ready, wall=wall, preset="")


def names_mode(clock: str | float | Clock | None) -> bool:
    """Whether the operator's word says how time is counted."""
    return isinstance(clock, Clock) or (
        isinstance(clock, str) and any(word.partition("=")[0].strip() == "mode" for word in narrow(clock).split(","))
    )


def narrow(word: str) -> str:
    """What was written, with full-width letters, digits, signs and blanks as those of ASCII."""
    return word.translate(NARROW)


def read_clock(
    game: Game, clock: str | float | Clock | None, lifetimes: Sequence[str] = (), mode: Mode | None = None
) -> Clock:
    """The clock that the operator's word means: PRESET|SECONDS[,mode=..][,bank=..][,grace=..][,strikes=..][,wall=..]
    and so on (`KEYS`), or [MOVES/]SECONDS+INCREMENT with the same behind it; or these alone, for the usual preset.

    By default it is the game's first preset. Where a game's bots may live for a match or for a turn, it is the preset
    for the first lifetime, in the game's order, that is among `lifetimes`. `mode` says how time is counted where the
    word does not say it.

    Raises `OperatorError` for what is not understood, and for a mode that this system cannot measure.
    """
    if game.referee is not None and clock is not None:
        raise OperatorError("referee-no-clock", game=game.name, option="--clock")
    options: dict[str, Any] = {}
    word = clock = narrow(clock) if isinstance(clock, str) else clock
    if isinstance(clock, str) and WITH_COMMA.fullmatch(clock):
        raise _unknown(game, clock)
    if isinstance(clock, str):
        words = [word.strip() for word in clock.split(",")]
        clock = None if words[0].partition("=")[0].strip() in KEYS else words.pop(0)
        options = _read_options(words)
    limits = replace(_read_base(game, clock, lifetimes), **options)
    if mode is not None and limits.mode == "wall" and not names_mode(word):
        limits = replace(limits, mode=mode)
    for key, is_idle, wants in (
        ("wall", limits.mode == "wall", "mode=fair, mode=cpu"),
        ("strikes", not limits.grace, "grace=S"),
        ("increment", not limits.bank, "bank=S"),
        ("moves", not limits.bank, "bank=S"),
    ):
        if key in options and is_idle:
            raise OperatorError("clock-key-idle", key=key, wants=wants)
    turn = limits.turn or limits.bank  # without time for a turn, there is time for the match
    seconds = (turn, turn if limits.first is None else limits.first, limits.ready)
    reserves = (limits.bank, limits.grace, limits.increment)
    if not (
        all(0 < limit <= MAX_SECONDS for limit in seconds) and all(0 <= more <= MAX_SECONDS for more in reserves)
    ):
        raise _unknown(game, clock)
    check_measured(limits.mode)
    return limits


def check_measured(mode: Mode) -> None:
    """Raise `OperatorError` where this system cannot count time in that way."""
    if mode != "wall" and (missing := proc.missing(mode)):
        raise OperatorError("clock-not-measured", mode=mode, missing=missing)


def _read_base(game: Game, clock: str | float | Clock | None, lifetimes: Sequence[str]) -> Clock:
    """A preset, or seconds per turn, without the options that follow."""
    presets = game.clocks
    if clock is None:
        return game.usual_clock(lifetimes)
    if isinstance(clock, str) and clock in presets:
        return presets[clock]
    if isinstance(clock, str) and ("+" in clock or "/" in clock) and (found := WHOLE_MATCH.fullmatch(clock)):
        moves, minutes, seconds, increment = found.groups()
        bank = 60 * int(minutes or 0) + float(seconds)
        return Clock(turn=0.0, bank=bank, increment=float(increment or 0), moves=int(moves or 0))
    try:
        return clock if isinstance(clock, Clock) else Clock(turn=float(clock))
    except (ValueError, TypeError, OverflowError) as error:
        raise _unknown(game, clock) from error


def _unknown(game: Game, clock: object) -> OperatorError:
    presets = list(game.clocks)
    word, known = shown(clock), ", ".join(presets)
    meant = nearest(str(word), presets)
    if with_point := WITH_COMMA.fullmatch(str(word)):
        meant = Message("nearest", {"word": f"{with_point[1]}.{with_point[2]}"})
    return OperatorError("unknown-clock", clock=word, nearest=meant, known=known, most=MOST)


def _read_options(words: Sequence[str]) -> dict[str, Any]:
    """What stands behind the preset or the seconds, KEY=VALUE each."""
    options: dict[str, Any] = {}
    for word in words:
        key, _, value = (part.strip() for part in word.partition("="))
        if key not in KEYS:
            raise OperatorError("unknown-clock-key", key=key, nearest=nearest(key, KEYS), known=", ".join(KEYS))
        if key in options:
            raise OperatorError("clock-key-twice", key=key)
        read, takes = KEYS[key]
        try:
            options[key] = read(value)
        except (ValueError, TypeError) as error:
            close = error.nearest if isinstance(error, NoChoiceError) else ""
            raise OperatorError("bad-clock-value", key=key, value=value, nearest=close, takes=takes) from error
    return options
