"""Values of parameters on a cluster: they travel with the order, and the bot that is built there gets them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from dohyo.bots import archive
from dohyo.core import parameters
from dohyo.executors.messages import MatchOrder, TaskRequest
from dohyo.guests.cluster import dask_tasks


def test_a_worker_gives_its_own_copy_the_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One archive serves all candidates; the digest stays the bot's, the values are the order's."""
    from dohyo import games
    from dohyo.match.found_bots import find_bots
    from dohyo.sandbox import choose

    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(dask_tasks, "_bots", {})
    source = tmp_path / "bot.py"
    source.write_text("print(1)\n", encoding="utf-8")
    game = games.find("wondev-woman")
    (bot,) = find_bots(game, [str(source)], None, choose("none"))
    content = archive.pack(bot, {})
    digest = hashlib.sha256(content).hexdigest()
    dask_tasks._put(digest, content)
    for depth in ("3", "4"):
        theirs = bot.given(parameters.words({"depth": depth}))
        assert theirs.digest == bot.digest
        order = MatchOrder("0", game.name, (theirs, bot), 1, sandbox="none")
        request = TaskRequest("t", [order], {bot.digest: digest})
        own = dask_tasks._bot(theirs, order, request, "worker")
        assert parameters.parted(own.command)[1] == {"DOHYO_PARAM_DEPTH": depth}
        assert parameters.given(dask_tasks._bot(bot, order, request, "worker").command) == ()
    assert len(dask_tasks._bots) == 1
