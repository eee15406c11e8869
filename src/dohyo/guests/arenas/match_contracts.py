"""What other arenas want to be told of a match, and what their referees tell: as text, both ways.

    psyleague      one JSON object: ranks, errors, test_data, player_data
    cgarena        one JSON object: ranks, errors, scores, attributes
    brutaltester   one whole number for each player, the more the better, below zero for a program that failed

A rank counts from 0, and equal ones are shared. Where a value has to be a number, the other arenas take it as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from dohyo.core.bounds import depth_of

Contract = Literal["psyleague", "cgarena", "brutaltester"]
CONTRACTS: tuple[Contract, ...] = get_args(Contract)
DEEPEST = 16  # levels of nested lists and objects
MAX_SCORE = (1 << 31) - 1  # what the others can hold
_WHOLE = re.compile(r"[+-]?[0-9]{1,10}")

_Number = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)] | Annotated[float, Meta(ge=-1e15, le=1e15)]


class PlayedOutcome(msgspec.Struct, frozen=True):
    """What came of a match, by seat: places, whether it had a fault, points, the longest turn in seconds.

    `turns` is none where nobody here knows how many there were: another program refereed.
    """

    places: tuple[int, ...]
    faulty: tuple[bool, ...]
    scores: tuple[int | float, ...] = ()
    longest: tuple[float | None, ...] = ()
    turns: int | None = None
    seed: int = 0


class TakenOutcome(msgspec.Struct, frozen=True):
    """What a referee told, by seat: places (1 the best), points if it gave any, whether the program failed."""

    places: tuple[int, ...]
    scores: tuple[int | float, ...]
    failed: tuple[bool, ...]


# --- what we tell


def written(contract: Contract, played: PlayedOutcome) -> str:
    """A match as this arena reads it from our output; ends in a newline."""
    if contract == "brutaltester":
        return "".join(f"{score}\n" for score in _scores(played)) + f"seed={played.seed}\n"
    ranks = [sum(other < place for other in played.places) for place in played.places]
    common: dict[str, object] = {"ranks": ranks, "errors": [int(faulty) for faulty in played.faulty]}
    more = _for_psyleague(played) if contract == "psyleague" else _for_cgarena(played)
    return msgspec.json.encode({**common, **more}).decode() + "\n"


def _of_seat(played: PlayedOutcome, seat: int) -> dict[str, str]:
    """The figures of one seat, by name."""
    found = {}
    if played.scores:
        found["score"] = f"{played.scores[seat]:g}"
    if played.longest and (longest := played.longest[seat]) is not None:
        found["longest_ms"] = f"{1000 * longest:.3f}"
    return found


def _for_psyleague(played: PlayedOutcome) -> dict[str, object]:
    turns = {} if played.turns is None else {"turns": str(played.turns)}
    return {
        "test_data": {"seed": str(played.seed), **turns},
        "player_data": [_of_seat(played, seat) for seat in range(len(played.places))],
    }


def _for_cgarena(played: PlayedOutcome) -> dict[str, object]:
    attributes: list[dict[str, object]] = []
    if played.turns is not None:
        attributes.append({"name": "turns", "player": None, "turn": None, "value": str(played.turns)})
    for seat in range(len(played.places)):
        attributes += [
            {"name": name, "player": seat, "turn": None, "value": value}
            for name, value in _of_seat(played, seat).items()
        ]
    whole = [int(score) for score in played.scores if score == int(score) and abs(score) <= MAX_SCORE]
    scores = {"scores": whole} if whole and len(whole) == len(played.places) else {}
    return {**scores, "attributes": attributes}


def _scores(played: PlayedOutcome) -> list[int]:
    """Points by place. Below zero is the only sign for a fault, so it is given only where it changes no order."""
    last = max(played.places)
    at_last = [faulty for place, faulty in zip(played.places, played.faulty, strict=True) if place == last]
    failed = all(at_last) and len(at_last) < len(played.places)
    return [-1 if failed and place == last else len(played.places) - place for place in played.places]


# --- what we are told


class _Printed(msgspec.Struct):
    """The part of the JSON object that decides; whatever else is in it is only kept."""

    ranks: list[_Number]
    errors: list[_Number | bool] = []
    scores: list[_Number] = []


def read(contract: Contract, output: bytes, seats: int) -> TakenOutcome:
    """What a referee that keeps to this contract told of a match of `seats` players.

    Raises `ValueError`, which says in English what is wrong with the output.
    """
    return _read_scores(output, seats) if contract == "brutaltester" else _read_object(output, seats)


def _read_object(output: bytes, seats: int) -> TakenOutcome:
    content = output.strip()
    if not content:
        raise ValueError("nothing")
    try:
        if depth_of(content) > DEEPEST:
            raise ValueError("JSON of too many lists in each other")
        if content.startswith(b"["):  # psyleague takes several matches at once
            several = msgspec.json.decode(content, type=list[_Printed])
            if len(several) != 1:
                raise ValueError(f"{len(several)} matches, and not one")
            told = several[0]
        else:
            told = msgspec.json.decode(content, type=_Printed)
    except msgspec.ValidationError as error:
        raise ValueError(_unlike(str(error))) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError("that is not JSON") from error
    for name, values in (("ranks", told.ranks), ("errors", told.errors), ("scores", told.scores)):
        if len(values) != seats and (values or name == "ranks"):
            raise ValueError(f"{len(values)} {name} for {seats} players")
    failed = tuple(bool(error) for error in told.errors) or (False,) * seats
    return TakenOutcome(_places(told.ranks), tuple(told.scores), failed)


def _unlike(error: str) -> str:
    """What is wrong with JSON that is no result, by what the decoder says, in words for whoever wrote the referee."""
    if "missing required field" in error:
        return "there is no 'ranks' in it"
    if " - at `$" in error:
        return "'ranks', 'errors' and 'scores' have to be lists with a number for each player"
    return "that is no JSON object"


def _read_scores(output: bytes, seats: int) -> TakenOutcome:
    scores: list[int] = []
    for number in _numbers(output.decode("utf-8", "replace")):
        scores.append(number)
        if len(scores) == seats:
            failed = tuple(score < 0 for score in scores)
            return TakenOutcome(_places([-score for score in scores]), tuple(scores), failed)
    raise ValueError(f"{len(scores)} scores for {seats} players" if output.strip() else "nothing")


def _numbers(text: str) -> Iterator[int]:
    """Whole numbers, as brutaltester finds them: what follows another word in its line is skipped."""
    for line in text.splitlines():
        for word in line.split():
            if not _WHOLE.fullmatch(word) or abs(int(word)) > MAX_SCORE:
                break
            yield int(word)


def _places(ranks: Sequence[int | float]) -> tuple[int, ...]:
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
