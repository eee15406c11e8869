"""The command `python -m tests.conformance GAME FILE...`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.recordings import UnreadableError, comparisons, recorded_games

MAX_SHOWN = 20  # differences on standard error


def main(words: Sequence[str]) -> int:
    """Compare every game of the files; 0 without a difference, 1 with one, 2 when used wrongly."""
    known = comparisons()
    if len(words) < 2 or words[0] not in known:
        print(f"Use: python -m tests.conformance GAME FILE...; GAME is one of {', '.join(known)}.", file=sys.stderr)
        return 2
    game, *names = words
    games = count = differing = 0
    for name in names:
        try:
            for recording in recorded_games(Path(name)):
                compared = known[game].compare(recording)
                for line in compared.differences[: max(0, MAX_SHOWN - differing)]:
                    print(f"{name}, game {games}: {line}", file=sys.stderr)
                games += 1
                count += compared.count
                differing += len(compared.differences)
        except UnreadableError as error:
            print(error, file=sys.stderr)
            return 2
    print(f"{game} games={games} {known[game].COUNTED}={count} differences={differing}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
