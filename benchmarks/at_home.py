"""A bot that stays at home plays 100 matches through ten cut connections; and what is shown of a way's delay.

    .venv/bin/python benchmarks/at_home.py [--matches 100] [--cuts 10] [--delays 0,20,50,100]

A real site, a real `dohyo connect`, and between them a proxy that cuts the connection without an orderly end, at
moments that are spread over the run, or hands bytes on late. It prints the verdicts on the bot, and by delay what the
site's clock showed, what was given back and what was charged.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from time import monotonic

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.guests.site.conftest import RunningSite, Visitor
from tests.guests.site.distant.cutting import CuttingProxy
from tests.guests.site.distant.homes import BOT, Connected, marked_ladder, replay_of, results_of, token_to_play

SEED = 29


def cut_run(site: RunningSite, visitor: Visitor, ladder: str, token: str, matches: int, cuts: int) -> None:
    """Play so many matches, with so many cuts, each somewhere within a match."""
    chance = random.Random(SEED)
    at = sorted(chance.sample(range(1, matches), cuts))
    begun = monotonic()
    with tempfile.TemporaryDirectory() as folder, CuttingProxy(site.url) as proxy:
        (Path(folder) / "mine.py").write_text(BOT)
        bot = Connected(Path(folder), proxy.url, token, ladder, "mine.py", "--name", "Cut", "--matches", str(matches))
        passed = played = 0
        due = [(number, chance.randrange(1, 12)) for number in at]  # in which match, after how many pieces of it

        def look(content: bytes) -> None:
            nonlocal passed
            passed += 1
            if due and (played > due[0][0] or (played == due[0][0] and passed >= due[0][1])):
                del due[0]
                proxy.cut()

        proxy.on_site = look
        while played < matches:
            passed = 0
            bot.until("is over")
            played += 1
        bot.process.wait()
        print(f"{matches} matches, {proxy.cuts} cuts, {proxy.connections} connections, {monotonic() - begun:.0f} s")
    found = results_of(site, ladder, "Cut")
    verdicts = Counter(kind for _, _, faults in found for kind in faults)
    print(f"in the store: {len(found)} matches of the bot; faults: {dict(verdicts) or 'none'}")
    losses = sum("is lost" in line for line in bot.lines)
    print(f"the bot's machine noticed {losses} lost connections")


def delay_run(site: RunningSite, visitor: Visitor, ladder: str, token: str, delay: float) -> None:
    """Play a match through a way that takes so many seconds each way."""
    name = f"Way {round(1000 * delay)}"
    with tempfile.TemporaryDirectory() as folder, CuttingProxy(site.url, delay=delay) as proxy:
        (Path(folder) / "mine.py").write_text(BOT)
        bot = Connected(Path(folder), proxy.url, token, ladder, "mine.py", "--name", name, "--matches", "1")
        bot.until("is over")
        bot.process.wait()
    ((number, seat, faults), *_) = results_of(site, ladder, name)
    moves = [move for turn in replay_of(visitor, ladder, number).turns for move in turn.moves if move.seat == seat]
    wall = [move.wall or 0.0 for move in moves if move.seconds is not None]
    given = [(move.wall or 0.0) - (move.seconds or 0.0) for move in moves if move.wall is not None]
    charged = [move.seconds for move in moves if move.seconds is not None]
    told = (2 * delay, median(wall), median(given), median(charged))
    print(
        "| {} | {:.0f} | {:.1f} | {:.1f} | {:.1f} | {} |".format(len(moves), *(1000 * each for each in told), faults)
    )


def main() -> None:
    """Run both."""
    words = argparse.ArgumentParser()
    words.add_argument("--matches", type=int, default=100)
    words.add_argument("--cuts", type=int, default=10)
    words.add_argument("--delays", default="0,20,50,100")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = RunningSite(Path(folder) / "arena")
        site.start("--workers", "1")
        try:
            organiser = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
            author = Visitor(site.url).sign_up("Ren")
            token = token_to_play(author)
            ladder = marked_ladder(organiser)
            print("| turns | set, both ways (ms) | site's clock | given back | charged | faults |")
            print("|---|---|---|---|---|---|")
            for delay in filter(None, asked.delays.split(",")):
                delay_run(site, author, ladder, token, float(delay) / 1000)
            cut_run(site, author, ladder, token, asked.matches, asked.cuts)
        finally:
            site.stop(signal.SIGTERM)


if __name__ == "__main__":
    main()
