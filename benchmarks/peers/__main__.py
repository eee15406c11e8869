"""The peers alone, in rounds that alternate: medians, and the versions that were measured."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peers import PEERS, PeerError, close, measure, versions
from peers.beside import table


def main() -> None:
    """Measure the peers that can be had; name those that cannot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PEERS)}; all without one")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure of a round")
    parser.add_argument("--rounds", type=int, default=3)
    words = parser.parse_args()
    if unknown := set(words.names) - set(PEERS):
        parser.error(f"there is no peer {sorted(unknown)}")
    there = []
    for name in words.names or PEERS:
        try:
            print(f"{name}: {' '.join(f'{what} {version}' for what, version in versions(name).items())}", flush=True)
            there.append(name)
        except PeerError as error:
            print(f"{name} cannot be measured here: {error}", flush=True)
    found = [[speed for name in there for speed in measure(name, words.seconds)] for _ in range(words.rounds)]
    close()
    table(found)


if __name__ == "__main__":
    main()
