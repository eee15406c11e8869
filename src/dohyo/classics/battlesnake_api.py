"""Battlesnake's messages over HTTP, version 1 of its API: `/start`, `/move`, `/end`.

Places are `x` from the left and `y` from the bottom, as there. Snakes that are out are not told. A ruleset is called
`royale` with the map of that name, otherwise `standard`; `hazardMap` has the maps whose names begin with `hz_`.
"""

from __future__ import annotations

from typing import Any

from dohyo.classics.battlesnake_hazards import MAPS, ROYALE, SIZE
from dohyo.core.http_messages import LONGEST_SHOUT, HttpAnswer, HttpMatch, Kind


def place(number: int) -> dict[str, int]:
    """A place of the board, where row 0 is the top, as the API has it."""
    return {"x": number % SIZE, "y": SIZE - 1 - number // SIZE}


def body_of(s: Any, seat: int) -> list[int]:
    """The places of a snake, the head first; a tail that stays is there as often as it stays."""
    by_life = {s.life[at]: at for at in range(SIZE * SIZE) if s.snakes[at] == seat + 1}
    found: list[int] = []
    for life in range(s.length[seat], 0, -1):
        found.append(by_life.get(life, found[-1] if found else s.head[seat]))
    return found


def snake_of(s: Any, seat: int, match: HttpMatch) -> dict[str, Any]:
    """A snake as messages have it."""
    body = [place(at) for at in body_of(s, seat)]
    return {
        "id": f"{match.id}-{seat}",
        "name": match.names[seat],
        "latency": match.latencies[seat],
        "health": s.health[seat],
        "body": body,
        "head": body[0],
        "length": s.length[seat],
        "shout": match.shouts[seat],
        "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }


def message(kind: Kind, s: Any, seat: int, match: HttpMatch) -> tuple[str, Any]:
    """The path below a server's address, and what is sent there as JSON, in the words of Battlesnake's API."""
    snakes = [snake_of(s, other, match) for other in range(s.seats) if s.died[other] == 0]
    is_royale, name = s.map == ROYALE, MAPS[s.map]
    return f"/{kind}", {
        "game": {
            "id": match.id,
            "ruleset": {
                "name": "royale" if is_royale else "standard",
                "version": "v1.0.0",
                "settings": {
                    "foodSpawnChance": s.chance,
                    "minimumFood": s.least,
                    "hazardDamagePerTurn": s.damage,
                    "hazardMap": name if name.startswith("hz_") else "",
                    "hazardMapAuthor": "",
                    "royale": {"shrinkEveryNTurns": s.every if is_royale else 0},
                    "squad": {
                        "allowBodyCollisions": False,
                        "sharedElimination": False,
                        "sharedHealth": False,
                        "sharedLength": False,
                    },
                },
            },
            "map": name,
            "timeout": match.timeout,
            "source": "custom",
        },
        "turn": s.turn,
        "board": {
            "height": SIZE,
            "width": SIZE,
            "snakes": snakes,
            "food": [place(at) for at in range(SIZE * SIZE) if s.food[at]],
            "hazards": [place(at) for at in range(SIZE * SIZE) if s.hazards[at]],
        },
        "you": snake_of(s, seat, match),
    }


def answer(body: Any) -> HttpAnswer | None:
    """The move that an answer says, from its JSON; none for what is no answer."""
    if not isinstance(body, dict) or not isinstance(body.get("move"), str):
        return None
    shout = body.get("shout")
    return HttpAnswer(body["move"], shout[:LONGEST_SHOUT] if isinstance(shout, str) else "")
