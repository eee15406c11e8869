"""How long the pages of a site's matches take, and how large they are.

    dohyo contest run --game wondev-woman sensei climber random --rounds 20 --store some.db
    python benchmarks/site_pages.py some.db [--matches 2000]

The contest's matches are made into pages as `dohyo contest site` makes them, again and again until there are so many.
Nothing is written.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Iterator
from time import monotonic, process_time

from dohyo.guests.reports.matches import Recorded, Viewer, pages
from dohyo.i18n import ENGLISH
from dohyo.series.session import look
from dohyo.series.store import open_store
from dohyo.web.plain.markup import Markup


def main() -> None:
    """Read the words, and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("--matches", type=int, default=2000)
    words = parser.parse_args()
    with open_store(words.store) as store:
        view = look(store, None)
        kept = [store.files.get(one.replay) for one in store.played(view.contest.id) if one.replay is not None]

    def again() -> Iterator[Recorded]:
        for number in range(words.matches):
            yield Recorded(number, kept[number % len(kept)], Markup(""))

    start, own, size, count = monotonic(), process_time(), 0, 0
    for _, page in pages(view.game, Viewer.of(view.game, ENGLISH).name, ENGLISH, again()):
        size, count = size + len(page or b""), count + 1
    seconds, own = monotonic() - start, process_time() - own
    used = own + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    used += resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime
    mean = sum(map(len, kept)) / len(kept)
    each = seconds / count
    print(f"{count} pages in {seconds:.1f} s, {1000 * each:.1f} ms each: 20,000 in {20_000 * each / 60:.1f} min")
    print(f"processor time: {1000 * used / count:.1f} ms each")
    print(
        f"{size / count / 1000:.1f} KB a page, beside replays of {mean / 1000:.1f} KB; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
