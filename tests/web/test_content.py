"""What travels to the page: frames, inputs and standings as Python makes them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault, FaultCode, FaultKind, Proof
from dohyo.core.game import Frame, Game, Information
from dohyo.core.playback import moments
from dohyo.core.referee import Answer
from dohyo.core.replay import Replay
from dohyo.games.drop_block import GAME
from dohyo.i18n import Speaker
from dohyo.web import content as of_content
from dohyo.web.content import content
from tests.web.applied import apply
from tests.web.matches import decided, play


def frames(view: dict[str, Any]) -> list[Frame]:
    """The frames that a view's differences make."""
    made = [view["first"]]
    for change in view["changes"]:
        made.append(apply(made[-1], change))
    return made


def sent(told: dict[str, Any]) -> list[dict[int, str]]:
    """What each seat was sent, turn by turn."""
    latest: dict[str, list[str]] = {}
    turns = []
    for changes in told["inputs"]:
        for seat, change in changes.items():
            latest[seat] = apply(latest.get(seat, []), change)
        turns.append({int(seat): "\n".join(latest[seat]) for seat in changes})
    return turns


def test_frames_are_the_games_own() -> None:
    """The frames that arrive are those that the game makes of each moment, after one of the beginning."""
    replay = decided()
    (view,) = content(GAME, replay)["views"]
    played = list(moments(GAME, replay))
    expected = [GAME.frame(played[0].before, [None] * 4, (), played[0].before)]
    expected += [GAME.frame(each.before, each.actions, each.events, each.after) for each in played]
    assert frames(view) == msgspec.to_builtins(expected)
    assert [frame["turn"] for frame in frames(view)] == list(range(len(replay.turns) + 1))


def test_frame_names_what_is_worth_a_mark() -> None:
    """Every attack and every fall of the match is among the frames' highlights, and nothing else."""
    replay = decided()
    shown = frames(content(GAME, replay)["views"][0])
    for frame in shown:
        expected = [mark[:2] for mark in frame["marks"] if mark[0] in ("attack", "fall")]
        assert frame["highlights"] == expected
    fallen = [player for player in shown[-1]["players"] if player["fell"] is not None]
    falls = [seat for frame in shown for kind, seat in frame["highlights"] if kind == "fall"]
    assert len(falls) == len(fallen) == 3


def test_inputs_are_what_the_seats_were_sent() -> None:
    """Each move carries the very text that its program had been sent."""
    replay = decided()
    inputs = sent(content(GAME, replay))
    for moment, texts in zip(moments(GAME, replay), inputs, strict=True):
        seat = moment.turn.moves[0].seat
        assert texts == {seat: GAME.prompt(moment.before, seat).decode()}


def test_stopped_program_has_no_input() -> None:
    """A program gets no more inputs after the fault that stopped it; that turn's own input is there."""

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        fault = Fault(FaultKind.TIMEOUT, "late")
        return Answer(None, (fault,), 1.0) if (turn, seat) == (9, 1) else Answer("N", seconds=0.001)

    told = content(GAME, play(1, answers=answers, setup={"turns": 40}))
    assert [turn for turn, texts in enumerate(sent(told)) if 1 in texts] == [1, 5, 9]
    (line,) = [line for line in told["standings"] if line["seat"] == 1]
    assert line["faults"] == {"timeout": 1}
    assert line["stopped"] == 9
    assert line["worst"] == 1.0


def test_faults_are_told_in_the_pages_language() -> None:
    """A page in Japanese says in Japanese what exactly happened; the replay itself is the same in every language."""

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        fault = Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER)
        return Answer(None, (fault,), 1.0) if (turn, seat) == (9, 1) else Answer("N", seconds=0.001)

    replay = play(1, answers=answers, setup={"turns": 40})
    for language, detail in (("en", "no answer in time"), ("ja", "時間内に返答なし")):
        assert content(GAME, replay, Speaker(language))["turns"][9][0]["faults"][0]["detail"] == detail


def test_what_the_time_of_a_fault_consisted_of_is_told() -> None:
    """The page has what was measured of a late turn as sentences, in its language, and no numbers beside them."""
    proof = Proof(charged=0.122, limit=0.1, wall=0.284, cpu=0.0004, ours=0.162)
    late = Fault(FaultKind.TIMEOUT, "no answer in time", proof=proof)

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        return Answer(None, (late,), 0.122) if (turn, seat) == (9, 1) else Answer("N", seconds=0.001)

    replay = play(1, answers=answers, setup={"turns": 40})
    for language, words in (("en", "for about 122 ms it did nothing by itself"), ("ja", "約 122 ms")):
        (fault,) = content(GAME, replay, Speaker(language))["turns"][9][0]["faults"]
        assert words in fault["measured"]
        assert "proof" not in fault


def test_program_that_was_never_ready_has_no_input() -> None:
    """Nothing was sent to a program that had been stopped before its first turn."""

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        return Answer(None, (Fault(FaultKind.NOT_READY),)) if seat == 2 else Answer("N")

    assert not any(2 in texts for texts in sent(content(GAME, play(1, answers=answers, setup={"turns": 12}))))


def test_standings_are_in_the_order_of_places() -> None:
    """The winner stands first; each line says what became of its seat, in the page's language."""
    replay = decided()
    lines = content(GAME, replay, Speaker("ja"))["standings"]
    assert [line["place"] for line in lines] == sorted(replay.result.places)
    assert lines[0]["seat"] == replay.result.winner
    assert lines[0]["fate"] == GAME.catalogue["ja"]["drop-block.stood"]


def test_match_without_turns_has_one_frame() -> None:
    """A match that is over before its first turn shows its beginning; one with a given start too."""
    dealt = play(3, setup={"turns": 0})
    given = play(3, setup={"turns": 0, "players": "0,0,R/0,9,D/9,0,U/9,9,L"})
    for replay in (dealt, given):
        told = content(GAME, replay)
        (frame,) = frames(told["views"][0])
        assert told["turns"] == told["inputs"] == []
        assert all(player["row"] is not None for player in frame["players"])


def test_a_match_too_long_for_a_page_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of too many moves has its first turns on a page, as if it were unfinished, and the page says so.

    So has what is told of its analysis. A match that has just room is whole.
    """
    replay = decided()
    moves = [len(turn.moves) for turn in replay.turns]
    chances = [[None] * 4 for _ in range(len(moves) + 1)]
    points = [{"turn": turn, "seat": 0, "text": ""} for turn in range(len(moves))]
    analysis: list[dict[str, Any]] = [
        {"seat": None, "chances": chances, "points": points, "facts": [{"turn": None}, {"turn": 99}]}
    ]
    monkeypatch.setattr(of_content, "MAX_MOVES", sum(moves))
    whole = content(GAME, replay, analysis=analysis)
    assert (whole["result"], len(whole["turns"])) == (msgspec.to_builtins(replay.result), len(moves))
    monkeypatch.setattr(of_content, "MAX_MOVES", sum(moves[:6]) - 1)
    for seat in (None, 1):
        told = content(GAME, replay, analysis=analysis, seat=seat)
        assert frames(told["views"][0]) == frames(whole["views"][0])[:6]
        assert (len(told["turns"]), len(told["inputs"])) == (5, 5)
        assert (told["result"]["unfinished"], told["result"]["reason"]) == (True, "viewer.cut")
        assert "the replay has all of it" in told["words"]["viewer.cut"]
        (shown,) = told["analysis"]
        assert (shown["chances"], shown["points"], shown["facts"]) == (chances[:6], points[:5], [{"turn": None}])
    assert len(analysis[0]["chances"]) == len(moves) + 1, "what was given stays as it was"


@pytest.mark.parametrize("limit", ["MAX_SENT", "MAX_CHANGED"])
def test_inputs_that_are_too_much_are_only_in_the_replay(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """In their place the page has what to type, and all else is there; a page of a site names the replay."""
    replay = decided()
    monkeypatch.setattr(of_content, limit, 2000)
    told = content(GAME, replay)
    assert told["inputs"] == {"replay": "REPLAY"}
    assert len(told["turns"]) == len(replay.turns)
    monkeypatch.setattr(of_content, "MAX_SENT", 2000)
    assert content(GAME, replay, form=lambda told: told)["inputs"] == {"replay": "REPLAY"}


def test_unfinished_match_has_no_places() -> None:
    """An interrupted match is shown as far as it went; nobody has a place."""
    told = content(GAME, play(3, until=17))
    assert len(told["turns"]) == 17
    assert told["result"]["unfinished"]
    assert [line["place"] for line in told["standings"]] == [None] * 4


def test_changed_replay_is_refused() -> None:
    """A page is never made of moves that the rules did not play."""
    replay = decided()
    replay.turns[20].moves = (msgspec.structs.replace(replay.turns[20].moves[0], action="Q"),)
    with pytest.raises(ReplayError):
        content(GAME, replay)


def near_sighted() -> Game:
    """Drop-Block, as if each seat saw only itself."""

    def frame(before: Any, actions: Any, events: Any, after: Any, seat: int | None = None) -> Frame:
        whole = GAME.frame(before, actions, events, after)
        if seat is not None:
            hidden = {**whole["players"][seat], "row": None, "column": None, "fell": -1}
            whole["players"] = [own if at == seat else hidden for at, own in enumerate(whole["players"])]
        return whole

    return msgspec.structs.replace(GAME, information=Information.IMPERFECT, frame=frame)


def test_game_with_secrets_has_a_view_for_each_seat() -> None:
    """Where seats see less than all, the page has everybody's view first, then each seat's, made by the game."""
    replay: Replay = play(5, letters="UDLRN", setup={"turns": 20})
    views = content(near_sighted(), replay)["views"]
    assert [view["seat"] for view in views] == [None, 0, 1, 2, 3]
    for view in views[1:]:
        for frame in frames(view):
            assert [player["row"] is not None for player in frame["players"]] == [
                at == view["seat"] for at in range(4)
            ]


def test_seed_arrives_whole() -> None:
    """A seed is text for the page: JavaScript's numbers would round a long one."""
    replay = play(1, setup={"turns": 0})
    seed = 849257397654681304
    replay.header = msgspec.structs.replace(replay.header, seed=seed)
    assert content(GAME, replay)["header"]["seed"] == str(seed)
