"""A match that waits for a person at a page: what is told, what moves it on, what changes nothing, when it ends."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any

import pytest

from dohyo import games
from dohyo.core import playback
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.replay import Replay
from dohyo.i18n import ENGLISH
from dohyo.match.people import wishes
from dohyo.match.people.sitting import RefusedError, Sitting, Terms
from dohyo.web.served.play_server import PlayServer
from dohyo.web.served.playing import MAX_SITTINGS

ME = Elsewhere("me")
WAIT = 30.0


@contextmanager
def seated(name: str, specs: Sequence[Any], terms: Terms | None = None) -> Iterator[tuple[Sitting, list[Replay]]]:
    """A sitting that has begun, and what was played once it is over."""
    people = [seat for seat, spec in enumerate(specs) if spec == ME]
    ended: list[Replay] = []
    more: dict[str, Any] = {"on_end": ended.append, "seed": 3, "sandbox": "none", "terms": terms or Terms()}
    sitting = Sitting(games.find(name), specs, people, ENGLISH, **more)
    sitting.start()
    try:
        yield sitting, ended
    finally:
        sitting.close()
        assert sitting.is_over


def asked(sitting: Sitting) -> dict[str, Any]:
    """The state when a person is asked, or all is over."""
    state = sitting.told()
    while not (state["ask"] or state["over"] or state["closed"]):
        state = sitting.told(state["version"], wait=WAIT)
    return state


def test_it_is_played_to_its_end_by_its_questions() -> None:
    """Each question is answered once; in the end there is a replay that follows from the rules."""
    with seated("othello", [ME, "random"]) as (sitting, ended):
        state = asked(sitting)
        while state["ask"]:
            number = state["ask"]["number"]
            sitting.act(number, state["ask"]["choices"][0].text)
            with pytest.raises(RefusedError):
                sitting.act(number, state["ask"]["choices"][0].text)
            state = asked(sitting)
        assert state["over"]["places"]
    assert playback.verify(games.find("othello"), ended[0]) == len(ended[0].turns)


def test_steps_are_told_once() -> None:
    """Who says what is known already is told the rest; after a turn was taken back, all anew."""
    with seated("othello", [ME, "random"]) as (sitting, _):
        state = asked(sitting)
        sitting.act(state["ask"]["number"], "d3")
        state = asked(sitting)
        assert [step.get("turn") for step in state["steps"]] == [None, 0, 1]
        known = {"version": -1, "epoch": state["epoch"], "eyes": state["eyes"]}
        assert sitting.told(**known, count=2)["first"] == 2
        assert len(sitting.told(**known, count=2)["steps"]) == 1
        assert sitting.told(**known, count=99)["first"] == 0
        sitting.back(state["ask"]["number"])
        after = asked(sitting)
        assert (after["epoch"], after["count"], after["ask"]["turn"]) == (state["epoch"] + 1, 1, 0)
        with pytest.raises(RefusedError):
            sitting.back(after["ask"]["number"])


def test_a_refused_line_changes_nothing() -> None:
    """It is told why, in a sentence, and the question stays."""
    with seated("drop-block", [ME, "random", "random", "random"]) as (sitting, _):
        number = asked(sitting)["ask"]["number"]
        for line in ("X", "", "U" * 10_000, "\x1b[2J"):
            with pytest.raises(RefusedError) as refused:
                sitting.act(number, line)
            assert refused.value.said
            assert "\x1b" not in refused.value.said
        assert "none of" in sitting.why_not(number, "X")
        assert asked(sitting)["ask"]["number"] == number


@pytest.mark.parametrize("name", ["wondev-woman", "shoot-em-up", "kuhn-poker", "abotcalypse"])
def test_nothing_hidden_is_told(name: str) -> None:
    """Frames and moves are those of the seat's own view."""
    with seated(name, ["random", ME] if name != "abotcalypse" else [ME, "random"]) as (sitting, ended):
        for _ in range(3):
            state = asked(sitting)
            if not state["ask"]:
                break
            sitting.act(state["ask"]["number"], state["ask"]["choices"][0].text)
        state = asked(sitting)
        sitting.close()
    game, (seat,) = games.find(name), sitting.people
    assert state["eyes"] == seat
    for moment, step in zip(playback.moments(game, ended[0]), state["steps"][1:], strict=False):
        frame = game.frame(moment.before, moment.actions, moment.events, moment.after, seat)
        assert step["frame"] == frame
        hidden = frame.get("hidden", ())
        assert all(list(move) == ["seat"] for move in step["moves"] if move["seat"] in hidden)


def test_it_ends_when_nobody_is_there() -> None:
    """A page that is silent for too long is gone; what was played is kept, unfinished."""
    with seated("othello", [ME, "random"]) as (sitting, ended):
        state = asked(sitting)
        sitting.act(state["ask"]["number"], "d3")
        sitting.terms = Terms(idle=0.2)  # from now on nobody asks for anything
        sitting._thread.join(WAIT)
        assert sitting.is_over
    assert ended[0].result.unfinished
    assert len(ended[0].turns) == 2


def test_a_wish_is_one_thing() -> None:
    """A body that says nothing, several things, something unknown, or too much is no wish."""
    for body in (b"", b"{}", b"[]", b'{"run":"x"}', b'{"told":{},"act":{"number":1}}', b'{"act":{}}'):
        assert wishes.read(body) is None
    assert wishes.read(b'{"told":{"version":1' + b" " * wishes.MAX_WISH + b"}}") is None
    assert wishes.read(b'{"told":{}}') is not None


# --- the server at home


def post(server: PlayServer, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    """Ask the server as its own page would, but for these headers."""
    host = server.hosts[0]
    with closing(HTTPConnection("127.0.0.1", server.server_port, timeout=WAIT)) as connection:
        usual = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), {**usual, **headers})
        answer = connection.getresponse()
        content = answer.read()
        is_json = answer.headers["Content-Type"] == "application/json"
        return answer.status, json.loads(content) if is_json else None


@contextmanager
def serving(kept: list[Any]) -> Iterator[PlayServer]:
    """The server of a match; what is played on from another one is `kept`."""
    more: dict[str, Any] = {"sandbox": "none", "seed": 1, "keep": lambda replay, words: kept.append((replay, words))}
    with closing(PlayServer(games.find("othello"), [ME, "random"], [0], ENGLISH, lambda _: None, **more)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def test_who_may_ask_the_server() -> None:
    """Only its own page, by its whole address; another page of this browser moves nothing."""
    with serving([]) as server:
        assert post(server, server.first, {"told": {}})[0] == 200
        assert post(server, server.first, {"told": {}}, Origin="http://elsewhere.example")[0] == 403
        assert post(server, server.first, {"told": {}}, Host="elsewhere.example")[0] in (403, 404)
        assert post(server, server.first[:-1] + "7", {"told": {}})[0] == 404
        assert post(server, server.first, {"told": 1})[0] == 400


def test_on_from_a_turn_names_no_programs() -> None:
    """A page chooses among what is offered: no other word is looked at; and there are only so many matches."""
    with serving([]) as server:
        state = post(server, server.first, {"told": {}})[1]
        while not state["ask"]:
            state = post(server, server.first, {"told": {"version": state["version"]}})[1]
        post(server, server.first, {"resign": {"number": state["ask"]["number"]}})
        while not state["over"]:
            state = post(server, server.first, {"told": {"version": state["version"]}})[1]
        page = f"{state['replay']}/from"
        for seats in (["me", "/bin/sh"], ["me", "uci:x"], ["random", "random"], ["me"], ["me"] * 3):
            assert post(server, page, {"turn": 0, "seats": seats})[0] == 422, seats
        for turn in (-1, 99, 1 << 40):
            assert post(server, page, {"turn": turn, "seats": ["me", "random"]})[0] == 422
        assert post(server, page, {"turn": "0", "seats": ["me", "random"]})[0] == 400
        answers = [post(server, page, {"turn": 0, "seats": ["me", "random"]})[0] for _ in range(MAX_SITTINGS + 1)]
        assert answers == [200] * MAX_SITTINGS + [422]


def test_what_is_played_on_is_kept() -> None:
    """A match that goes on from a turn of another one is given to whoever keeps matches, with its bots' words."""
    kept: list[Any] = []
    with serving(kept) as server:
        state = post(server, server.first, {"told": {}})[1]
        while not state["over"]:
            if state["ask"]:
                post(server, server.first, {"resign": {"number": state["ask"]["number"]}})
            state = post(server, server.first, {"told": {"version": state["version"]}})[1]
        assert kept == []  # the first one is its starter's
        page = post(server, f"{state['replay']}/from", {"turn": 0, "seats": ["me", "random"]})[1]["page"]
        state = post(server, page, {"told": {}})[1]
        while not state["over"]:
            if state["ask"]:
                post(server, page, {"resign": {"number": state["ask"]["number"]}})
            state = post(server, page, {"told": {"version": state["version"]}})[1]
    ((replay, words),) = kept
    assert words == [ME, "random"]
    assert replay.result.places
