"""`dohyo contest remove --annul`: a bot leaves, and what it played counts for nobody, by one command."""

from __future__ import annotations

import json

import pytest

from dohyo.executors.in_process import InProcess
from dohyo.series.session import go_on
from tests.cli.conftest import Type
from tests.cli.held import FOUR, LADDER, SHORT
from tests.series.contests import ContestListener


def test_a_bot_leaves_with_its_matches(typed: Type, copy_of: Type) -> None:
    """At once in a round-robin; whoever has left before, or when all is over, takes the matches along afterwards."""
    words = ("contest", "run", "--game", "drop-block", *FOUR, "e=./still", *SHORT, "--option", "rotate=no")
    assert copy_of(*words).status == 0
    again = typed("contest", "run", *words[2:], "--rounds", "2", "--batches", "0")
    assert again.status == 0
    assert typed("contest", "remove", "contest.db", "e").out.endswith(
        "with 'dohyo contest remove STORE BOT --annul' they count for nobody.\n"
    )
    done = typed("contest", "remove", "contest.db", "e", "--annul", "--because", "moved away")
    assert (done.status, done.out) == (0, "Matches of 'e' that count for nobody from now on: 4.\n")
    assert "has left the contest" in typed("contest", "remove", "contest.db", "e", "--annul").err
    left = typed("contest", "remove", "contest.db", "d", "--annul")
    assert left.out.startswith("'d' has left: its matches that have not begun are not played, and those it played")
    rows = {
        row["bot"]: row for row in json.loads(typed("contest", "standings", "contest.db", "--json").out)["standings"]
    }
    assert [(rows[name]["matches"], rows[name]["place"], rows[name]["state"]) for name in "de"] == [
        (0, None, "left")
    ] * 2
    assert "moved away" in typed("contest", "show", "contest.db").out
    assert typed("contest", "annul", "contest.db", "--bot", "e", "--all", "--undo").status == 0


def test_a_bot_leaves_a_ladder_with_its_matches(typed: Type, copy_of: Type) -> None:
    """With the next batch; a script is told as much."""
    assert copy_of(*LADDER).status == 0
    told = json.loads(typed("contest", "remove", "contest.db", "b", "--annul", "--json").out)
    assert {"bot": "b", "change": "left", "batch": 1, "drawn": 0}.items() <= told.items()
    assert told["annulled"] > 0
    assert "No bot 'x' takes part" in typed("contest", "remove", "contest.db", "x", "--annul").err
    assert "goes with --annul" in typed("contest", "remove", "contest.db", "a", "--because", "late").err


def test_matches_of_a_batch_that_is_drawn(typed: Type) -> None:
    """They are still played, and it is said what takes them out then."""
    assert typed(*LADDER[:-1], "0").status == 0

    def stop(number: int) -> None:
        raise KeyboardInterrupt

    with go_on("contest.db", None, sandbox="none") as contest, pytest.raises(KeyboardInterrupt):
        contest.loop.run(InProcess(), ContestListener(stop))
    done = typed("contest", "remove", "contest.db", "a", "--annul")
    assert "are drawn already, and will count; after them give the same command once more." in done.out
    assert typed("contest", "run", "contest.db", "--trust", "--batches", "1").status == 0
    assert typed("contest", "remove", "contest.db", "a", "--annul").status == 0
