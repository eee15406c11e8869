"""Replays are read some at a time, and many are settled at once: with the same results as one after the other."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

import dohyo.data
from dohyo import games
from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay, Turn
from dohyo.core.replay_format import decode, encode
from dohyo.data import loading, reading
from dohyo.data.again import Again, without_texts
from dohyo.data.sources import Found, of_object
from dohyo.data.wish import wish
from tests.data.plain import usual_match

GAME = games.find("connect-four")
REPLAYS = [decode(encode(usual_match(GAME, seed))) for seed in range(5)]


@pytest.mark.parametrize("at_once", [1, 2, 64])
def test_replays_come_in_their_order(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compressed, plain, as objects, or what is wrong with them; an error of the sources after all before it."""
    monkeypatch.setattr(reading, "AT_ONCE", at_once)
    contents = [encode(REPLAYS[0], True), REPLAYS[1], b"none", encode(REPLAYS[2]), encode(REPLAYS[3], True)[:-1]]

    def sources() -> Iterator[Found]:
        for number, content in enumerate(contents):
            yield Found(str(number), lambda content=content: content)  # type: ignore[misc]
        raise OperatorError("data-no-sources")

    found = []
    with pytest.raises(OperatorError) as caught:
        found.extend(reading.replays(sources()))
    assert caught.value.key == "data-no-sources"
    assert [one.label for one, _ in found] == ["0", "1", "2", "3", "4"]
    told = [one.key if isinstance(one, OperatorError) else one for _, one in found]
    assert told == [REPLAYS[0], REPLAYS[1], "not-a-replay", REPLAYS[2], "replay-cut-off"]


def test_little_waits_for_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few as have so many bytes are read before the first of them is decoded."""
    monkeypatch.setattr(reading, "MAX_BYTES", 2 * len(encode(REPLAYS[0])))
    read: list[int] = []
    every = (Found(str(at), lambda at=at: read.append(at) or encode(REPLAYS[0])) for at in range(9))  # type: ignore[misc]
    next(iter(reading.replays(every)))
    assert read == [0, 1]


@pytest.mark.parametrize("name", ["connect-four", "drop-block"])
def test_columns_hold_what_the_rules_need(name: str) -> None:
    """From them the turns are made again, for plain Python, where the loop has left a match."""
    game, replay = games.find(name), usual_match(games.find(name), 3)
    again = Again(game, wish())
    (match,) = again.matched([replay])
    assert match.replay is None
    rebuilt, wanted = again._rebuilt(match.columns), without_texts(game, replay)
    assert rebuilt.same_game(wanted)
    assert rebuilt.result == wanted.result


def test_what_is_not_settled_at_once_is_settled_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that the loop's row does not tell is compared one by one, and is worth the same."""
    again = Again(GAME, wish())
    wanted = again.arrays(again.matched(REPLAYS))
    checked: list[object] = []
    real = again._checked
    monkeypatch.setattr(again, "_checked", lambda *given: checked.append(given) or real(*given))
    again._reasons.clear()
    again._endings.clear()
    found = again.arrays(again.matched(REPLAYS))
    assert len(checked) == len(REPLAYS)
    assert (found.plain, found.failed) == (0, {})
    assert (found.payoff == wanted.payoff).all()
    assert (found.seen == wanted.seen).all()
    assert dohyo.data.load(REPLAYS).episodes.payoff.tolist() == wanted.payoff.tolist()


def test_bytes_are_given_up_with_their_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two large files one is in memory: the first one's bytes are gone when its replay is there."""

    class Noted(bytearray):
        """Bytes whose end can be seen."""

    monkeypatch.setattr(reading, "MAX_BYTES", 1)
    seen: list[weakref.ref[Noted]] = []

    def content() -> Noted:
        found = Noted(encode(REPLAYS[0]))
        seen.append(weakref.ref(found))
        return found

    for one in reading.replays(Found(str(at), content) for at in range(3)):  # type: ignore[arg-type]
        assert isinstance(one.replay, Replay)
        assert seen[-1]() is None
    assert len(seen) == 3


def much(what: str) -> Replay:
    """A replay of few moves that packs well and unpacks to much: of dice, of turns without moves, of a setup."""
    replay = REPLAYS[0]
    if what == "dice":
        return replace(replay, turns=[replace(replay.turns[0], dice=(1,) * 60_000), *replay.turns[1:]])
    if what == "turns":
        first, count = len(replay.turns), 60_000
        return replace(replay, turns=[*replay.turns, *(Turn(first + at, (), (), "0" * 8) for at in range(count))])
    start = GAME.rules.LAYOUT.as_dict(playback.beginning(GAME, replay))
    return replace(replay, header=replace(replay.header, start=start, setup={"x": [[]] * 20_000}))


@pytest.mark.parametrize("what", ["dice", "turns", "setup"])
def test_few_matches_wait_that_take_much(what: str) -> None:
    """Not only moves count: a file of some hundred bytes may hold so many dice that some hundreds fill the memory."""
    every = [of_object(at, much(what)) for at in range(5)]
    groups = list(loading._Reading(wish(), GAME, 1000)._groups(every))
    assert [len(group) for group in groups] == [1] * 5
    usual = [of_object(at, REPLAYS[at % 5]) for at in range(30)]
    assert len(next(loading._Reading(wish(), GAME, 500)._groups(usual))) > 10


def test_nothing_keeps_the_arrays_of_a_match_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even until the collector runs: there are arrays for each of ten thousand forged files."""
    again, made = Again(GAME, wish()), []
    forged = replace(REPLAYS[0], turns=[replace(REPLAYS[0].turns[0], digest="0" * 8), *REPLAYS[0].turns[1:]])
    real = again._written

    def written(order: Any) -> Any:
        found = real(order)
        made.append(weakref.ref(found.seen))
        return found

    monkeypatch.setattr(again, "_written", written)
    gc.collect()
    gc.disable()
    try:
        assert list(again.arrays(again.matched([forged])).failed) == [0]
        assert made[0]() is None
    finally:
        gc.enable()
