"""The peers alone, in rounds that alternate: medians, and the versions that were measured."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peers import PEERS, PeerError, Speed, close, measure, versions


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
    found: dict[tuple[str, str, str, int], list[Speed]] = {}
    for _ in range(words.rounds):
        for name in there:
            for speed in measure(name, words.seconds):
                found.setdefault(speed[:4], []).append(speed)
    print(f"{'peer':12}{'mode':9}{'n':>6}  {'M steps/s':>9}  {'least':>7}  {'most':>7}  cores  how")
    for (name, mode, how, n), speeds in found.items():
        rates = sorted(speed.steps_per_s / 1e6 for speed in speeds)
        cores = median(speed.cores for speed in speeds)
        print(
            f"{name:12}{mode:9}{n:6}  {median(rates):9.3f}  {rates[0]:7.3f}  {rates[-1]:7.3f}  {cores:5.2f}  {how}",
            flush=True,
        )
    close()


if __name__ == "__main__":
    main()
