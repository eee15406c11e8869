"""The forms that nobody else needs: an object a line, and games for ordo."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

import msgspec

from dohyo import clean
from dohyo.core.contest import level
from dohyo.series.exports.export import ResultLine, duel_result

LONGEST_LABEL = 200  # characters; ordo takes 1023 bytes
ORDO_BREAKS = re.compile(r'["\\\[\]]')


def as_json_lines(found: Iterable[ResultLine]) -> Iterator[str]:
    """One JSON object a line, each a match."""
    for line in found:
        yield clean.document(msgspec.to_builtins(line), indent=None)


def as_ordo(found: Iterable[ResultLine]) -> Iterator[str]:
    """A game in PGN, without moves, for each match of two, and for each two seats of a larger one.

    ordo takes White, Black and Result from it, as do other programs that rate chess engines.
    """
    called: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for line in found:
        names = [_label(bot, version, called, taken) for bot, version in zip(line.bots, line.versions, strict=True)]
        shared = level(line.places)
        for first, second in combinations(range(len(names)), 2):
            is_shared = line.places[first] == line.places[second]
            if is_shared and not shared[first]:
                continue  # both had a fault that is last: that says nothing of one against the other
            result = "1/2-1/2" if is_shared else duel_result((line.places[first], line.places[second]))
            tags = {"White": names[first], "Black": names[second], "Result": result}
            yield "".join(f'[{key} "{value}"]\n' for key, value in tags.items()) + f"\n{result}\n\n"


def _label(bot: str, version: str, called: dict[tuple[str, str], str], taken: set[str]) -> str:
    """What ordo calls a version of a bot: its name, and for a later version of that name also its digest.

    ordo ends a name at a quote with a bracket behind it, and undoes no backslash.
    """
    if (bot, version) not in called:
        plain = ORDO_BREAKS.sub("'", clean.line(bot, LONGEST_LABEL)).strip() or "?"
        label, number = plain, 1
        while label in taken:
            number += 1
            label = f"{plain} ({version[:8]})" if number == 2 else f"{plain} ({version[:8]}, {number})"
        taken.add(label)
        called[bot, version] = label
    return called[bot, version]
