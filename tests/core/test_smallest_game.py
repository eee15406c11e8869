"""The smallest game there can be: it writes only what it has, and everything that plays games plays it."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dohyo.core import playback
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.flat import Layout, flat
from dohyo.core.game import RULES, Chance, Game, Information, TextProtocol
from dohyo.core.referee import Answer, Referee, outcome
from dohyo.core.replay import Header, Replay, Seat
from dohyo.core.text import NEWLINE, put
from dohyo.i18n import ENGLISH

# --- the game: thirty sticks, each player takes up to three; who takes the last one wins ----------------------------

LAYOUT = Layout("Nim", ("sticks", "i4", 0), ("turn", "i4", 0))
STICKS = 30
ACTIONS = 4
REASONS = {1: "nim.last"}
PROMPT_BYTES = 16


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether it is the seat's turn."""
    return s.turn % 2 == seat


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """As many sticks as there are, up to three."""
    for action in range(1, ACTIONS):
        out[action - 1] = action
    return s.sticks if s.sticks < ACTIONS else ACTIONS - 1


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether so many are left."""
    return 1 <= action < ACTIONS and action <= s.sticks


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Take sticks."""
    s.sticks -= actions[s.turn % 2]
    s.turn += 1


@flat
def over(s: Any) -> bool:
    """Whether none is left."""
    return s.sticks == 0


@flat
def winner(s: Any) -> int:
    """Who took the last one."""
    return 1 - s.turn % 2


@flat
def places(s: Any, out: Any) -> int:
    """The winner is first."""
    for seat in range(2):
        out[seat] = 1 if seat == winner(s) else 2
    return 1


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """How many sticks are left."""
    at = put(buffer, 0, s.sticks)
    buffer[at] = NEWLINE
    return at + 1


def start(s: Any, setup: Any, seats: int) -> None:
    """All sticks."""
    s.sticks = STICKS


HERE = sys.modules[__name__]
NIM = Game(name="nim", seats=(2, 2), rules=HERE, protocol=HERE, folder=PurePath("nowhere"), start=start)

# --- the tests ------------------------------------------------------------------------------------------------------


def played() -> Replay:
    """A match in which both always take one stick."""
    referee = Referee(NIM, {}, 2, seed=1)
    while not referee.over:
        referee.submit({seat: Answer("1", seconds=0.001) for seat in referee.pending()})
    header = Header(game="nim", rules=1, setup={}, seats=(Seat("a"), Seat("b")), seed=1, software="test")
    return Replay(header, referee.turns, referee.result())


def test_the_referee_plays_it() -> None:
    """From what a seat is sent to the result; the replay leads to the same states again."""
    assert NIM.prompt(NIM.new_state({}, 2), 0) == b"30\n"
    replay = played()
    assert [move.action for turn in replay.turns for move in turn.moves] == ["1"] * STICKS
    assert (replay.result.places, replay.result.reason_key, replay.result.scores) == ((2, 1), "nim.last", ())
    last = list(playback.moments(NIM, replay))[-1].after
    assert outcome(NIM, last, 2).places == (2, 1)


def test_a_fault_is_answered_and_ends_the_players_part() -> None:
    """Without concessions a legal action stands in the place of a fault; with some, the first of them."""
    referee = Referee(NIM, {}, 2, seed=1)
    turn = referee.submit({0: Answer("three", seconds=0.001)})
    assert turn.moves[0].faults == (Fault(FaultKind.MALFORMED, FaultCode.NO_ACTION, {"written": "three"}),)
    assert (turn.moves[0].action, referee.stopped[0] is not None) == ("1", True)
    conceding = Game(name="nim", seats=(2, 2), rules=with_(CONCESSIONS=(0,)), protocol=HERE, folder=PurePath("x"))
    state = conceding.new_state({}, 2)
    assert conceding.protocol.answer(state, 0, Fault(FaultKind.MALFORMED)) == 0
    assert conceding.protocol.read("0") == 0
    assert NIM.protocol.read("4") is None


def test_it_is_drawn_for_the_viewer_and_in_a_terminal() -> None:
    """Every field of the state is in the frame, which JSON holds; in a terminal it is text."""
    pytest.importorskip("rich")
    from rich.text import Text

    for moment in playback.moments(NIM, played()):
        frame = NIM.frame(moment.before, moment.actions, moment.events, moment.after)
        assert frame["state"] == LAYOUT.as_dict(moment.after)
        assert msgspec.json.decode(msgspec.json.encode(frame)) == frame
        assert Text.from_markup(NIM.terminal(frame, ["a", "b"], ENGLISH)).plain.startswith("sticks  ")
    assert Text.from_markup(NIM.terminal({"said": "[/red] \\[b]"}, [], ENGLISH)).plain == r'said  "[/red] \\[b]"'


def test_the_viewer_has_its_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page holds a frame for the start and one for each turn, without marks."""
    from dohyo import games
    from dohyo.web.content import content

    monkeypatch.setattr(games, "find", lambda name: NIM)
    (view,) = content(NIM, played())["views"]
    assert view["first"]["state"] == {"sticks": STICKS, "turn": 0}
    assert len(view["changes"]) == STICKS


@pytest.mark.process
def test_it_is_played_in_batch() -> None:
    """The rules, with the defaults, are compiled, and nobody draws."""
    pytest.importorskip("numba")
    from dohyo.sim import BatchMatch

    batch = BatchMatch(NIM, 3)
    for _ in range(STICKS):
        batch.step([1, 1, 1])
    assert batch.rewards().tolist() == [[-1.0, 1.0]] * 3
    totals = batch.rollout(50)
    assert (totals.turns, totals.draws) == (150, 0)
    assert sum(totals.wins) == totals.games > 0


def test_only_what_every_game_has_is_asked_for() -> None:
    """A game that omits one of these is refused with its name; whatever else there is has a default."""
    for name in ("LAYOUT", "ACTIONS", "REASONS", "acts", "legal", "is_legal", "step", "over", "winner", "places"):
        with pytest.raises(TypeError, match=rf"the game nim omits {name}, see dohyo.core.game.Rules"):
            replace(NIM, rules=without(name))
    with pytest.raises(TypeError, match=r"omits prompt, see dohyo.core.game.TextProtocol"):
        replace(NIM, protocol=without("prompt"))
    for name in (*RULES, *(name for name in vars(TextProtocol) if name.islower() and not name.startswith("_"))):
        assert hasattr(NIM.rules, name) or hasattr(NIM.protocol, name)


def test_a_default_that_would_be_wrong_is_refused() -> None:
    """Dice that move have functions, and who hides something says what a seat sees."""
    with pytest.raises(TypeError, match="needs_dice"):
        replace(NIM, chance=Chance.AT_START)
    with pytest.raises(TypeError, match="frame"):
        replace(NIM, information=Information.IMPERFECT)


def test_counting_and_finding_go_together() -> None:
    """Without them `legal` counts, also where it is another one; one of the two alone is refused."""
    other = replace(NIM, rules=with_(legal=lambda s, seat, out: 0))
    assert (NIM.rules.count_legal, other.rules.count_legal) == (NIM.rules.legal, other.rules.legal)
    again = replace(replace(NIM), rules=Part(**{**vars(NIM.rules), "legal": other.rules.legal}))
    assert again.rules.count_legal is other.rules.legal
    for name in ("count_legal", "kth_legal"):
        with pytest.raises(TypeError, match="needs both or none"):
            replace(NIM, rules=with_(**{name: NIM.rules.legal}))


class Part:
    """Stands for a module."""

    def __init__(self, **names: Any) -> None:
        vars(self).update(names)


def with_(**more: Any) -> Any:
    """The game's module, and these names."""
    return Part(**{**vars(HERE), **more})


def without(name: str) -> Any:
    """The game's module less a name."""
    return Part(**{key: value for key, value in vars(HERE).items() if key != name})
