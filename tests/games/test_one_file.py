"""A game in one file: what its defaults are, exactly, and what is said of a file that lacks something."""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import dohyo
from dohyo import bots, games, laws
from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import GAMES_VARIABLE, Chance, Game, Information, Turns
from dohyo.core.observation import Observation, prompt_lines
from dohyo.core.reader import Reader
from dohyo.core.referee import Answer, Referee
from dohyo.executors.version import version_of_game
from dohyo.i18n import ENGLISH, Speaker
from dohyo.laws.matches import observed
from dohyo.match.play import Interrupted, play_match
from dohyo.one_file import default_prompt, of_a_game
from dohyo.one_file.fields import RESERVED

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Write = Callable[..., Game]

ALL_KINDS = '''"""Kinds: fields of every shape."""
from dohyo.core.flat import Layout
SEATS = 3
ACTIONS = 4
LAYOUT = Layout("Kinds", ("turn", "i2", 0), ("ended", "i1", 0), ("board", "i1", (2, 3)), ("row", "i4", 2),
    ("part", "f8", 0), ("layers", "i1", (2, 1, 2)), ("owned", "i1", (1, 3)),
    ("points", "i2", 3), ("hand", "i1", (3, 2)), ("secret", "i1", 3), ("deck", "i1", 4))
SIGNS = {"board": "_*"}
OWNERS = ("owned",)
HIDDEN = {"hand": "others", "secret": "others", "deck": "everyone"}
def is_legal(s, seat, action): return action != 1
def step(s, actions, events):
    s.turn += 1
    s.hand[0] = s.deck[1] = 9
    s.ended = actions[(s.turn - 1) % 3] == 3
def winner(s): return 0
def text(action): return "abcd"[action]
'''
SMALL = '''"""Small: nothing but what there must be."""
from dohyo.core.flat import Layout
ACTIONS = 2
LAYOUT = Layout("Small", ("turn", "i2", 0), ("ended", "i1", 0))
def is_legal(s, seat, action): return True
def step(s, actions, events):
    s.turn += 1
    s.ended = actions[(s.turn - 1) % 2]
def winner(s): return s.turn % 2
'''
OVER = "def over(s): return hang(s)\n"


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Write a file of rules and load it; what was imported is forgotten afterwards."""
    before = set(sys.modules)

    def written(text: str, name: str = "written_game") -> Game:
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        return games.load(file)

    yield written
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith((str(tmp_path), str(EXAMPLES))):
            del sys.modules[name]


def example(name: str) -> Game:
    """A game of the folder `examples`."""
    return games.load(EXAMPLES / f"{name}.py")


# --- what a bot is sent, and answers


def test_the_prompt_has_every_field_by_name(write: Write) -> None:
    """Seat first, then each field in declared order, a line for each row, signs for values; last what is legal."""
    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    state.board[:], state.row[:], state.part = [0, 1, 1, -1, 7, 0], [-5, 1000], -2.5
    state.hand[:], state.secret[:], state.deck[:] = [1, 2, 3, 4, 5, 6], [7, 8, 9], [1, 2, 3, 4]
    assert game.prompt(state, 1).decode().splitlines() == [
        "seat 1",
        "turn 0",
        "ended 0",
        "board _ * *",
        "board -1 7 _",
        "row -5 1000",
        "part -2.500000",
        "layers 0 0",
        "layers 0 0",
        "owned 0 0 0",
        "points 0 0 0",
        "hand 3 4",
        "secret 8",
        "gave_up 0 0 0",
        "legal a c d",
    ]


def test_the_longest_prompt_has_room(write: Write) -> None:
    """Whatever numbers the fields hold, the prompt fits its buffer."""
    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    for name, kind, length in game.rules.LAYOUT.fields:
        least: float = -999999999999.0 if kind == "f8" else -(1 << 8 * int(kind[1]) - 1)
        setattr(state, name, [least] * length if length else least)
    assert b"legal a c d" in game.prompt(state, 2)


def test_actions_are_read_by_their_words(write: Write) -> None:
    """An answer is one of the words of the last line, or `give-up`; anything else is malformed or illegal."""
    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    assert [game.protocol.parse(word, state, 0) for word in ("a", " d ", "give-up")] == [0, 3, 4]
    assert game.protocol.parse("e", state, 0) == Fault(FaultKind.MALFORMED, FaultCode.NO_ACTION, {"written": "e"})
    assert not game.rules.is_legal(state, 0, 1)
    assert list(game.legal_actions(state, 0)) == [0, 2, 3]


def test_a_game_that_was_loaded_is_found_by_its_name(write: Write) -> None:
    """So a replay of it is shown and verified in the process that played it; a module of another name is no game."""
    game = write(SMALL, "found_again")
    assert games.find("found-again") is game
    for name in ("os", "found_again", "pytest"):
        with pytest.raises(OperatorError, match="There is no game"):
            games.find(name)


def test_a_bots_class_sees_the_fields_by_name(write: Write) -> None:
    """An observation has every field that the prompt has, as numbers and tuples, and the legal actions."""
    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    state.board[:], state.part = [0, 1, 1, -1, 7, 0], -2.5
    state.hand[:], state.secret[:], state.layers[:] = [1, 2, 3, 4, 5, 6], [7, 8, 9], [1, 2, 3, 4]
    reader = Reader(game)
    *early, seen = [reader.take(line) for line in prompt_lines(game, game.prompt(state, 1))]
    assert early == [None] * len(early)
    assert isinstance(seen, Observation)
    found: Any = seen
    assert (found.seat, found.turn, found.part, found.secret, found.hand) == (1, 0, -2.5, 8, (3, 4))
    assert (found.board, found.layers) == (((0, 1, 1), (-1, 7, 0)), (((1, 2),), ((3, 4),)))
    assert [(str(action), action.number) for action in found.legal_actions] == [("a", 0), ("c", 2), ("d", 3)]
    assert not hasattr(found, "deck")


def test_a_value_without_a_sign_is_its_number(write: Write) -> None:
    """A number whose digits happen to stand side by side among the signs is still that number."""
    game = write(ALL_KINDS.replace('"_*"', '"-=+"'))
    state = game.new_state({}, 3)
    state.board[:] = [0, 1, 2, 3, 12, -1]
    reader = Reader(game)
    *_, seen = [reader.take(line) for line in prompt_lines(game, game.prompt(state, 1))]
    assert getattr(seen, "board", None) == ((0, 1, 2), (3, 12, -1))
    field = game.fields[2]
    assert default_prompt._value(msgspec.structs.replace(field, signs="0123456789"), "12") == 12


def test_no_field_hides_what_a_bot_is_given(write: Write) -> None:
    """A field cannot have the name of anything that an observation has by itself."""
    own = {name for name in dir(default_prompt.PromptObservation) if not name.startswith("_")}
    assert own <= set(RESERVED)
    for name in own:
        with pytest.raises(OperatorError, match=f"a field is called '{name}'"):
            write(SMALL.replace('("ended", "i1", 0)', f'("ended", "i1", 0), ("{name}", "i1", 0)'), f"with_{name}")


# --- giving up


def played(game: Game, replies: list[str | None], seats: int = 2) -> Referee:
    """A match of these replies, in order; none stands for a bot that has ended."""
    referee = Referee(game, {}, seats, seed=1)
    waiting = list(replies)
    while waiting and not referee.over:
        answers = {}
        for seat in referee.pending():
            reply = waiting.pop(0)
            answers[seat] = Answer(None, (Fault(FaultKind.EXITED),)) if reply is None else Answer(reply, seconds=0.1)
        referee.submit(answers)
    return referee


def test_a_bot_that_ends_has_given_up(write: Write) -> None:
    """Between two, the other one wins at once; what became of both is said."""
    game = write(SMALL)
    referee = played(game, ["0", None])
    assert referee.over
    result = referee.result()
    assert (result.places, result.winner, result.reason_key) == ((1, 2), 0, "reason.gave-up")
    assert [game.seat_outcome(referee.state, seat).key for seat in (0, 1)] == ["fate.won", "fate.gave-up"]


def test_among_several_the_others_go_on(write: Write) -> None:
    """A seat that gave up is played for, comes after the others, and wins nothing; the last one left has won."""
    game = write(ALL_KINDS)
    referee = played(game, [None, "a", "a", "d"], 3)  # seat 0, which the rules call the winner, has given up
    while not referee.over:
        referee.submit({})
    assert referee.result().places == (3, 1, 1)
    assert referee.result().winner is None
    left = played(game, [None, None], 3)
    assert (left.over, left.result().places, left.result().winner) == (True, (2, 2, 1), 2)
    assert referee.turns[3].moves[0].action == "give-up"


def test_bots_are_told_who_gave_up(write: Write) -> None:
    """Among several, in the prompt, by name in an observation and in the state that it makes, and to a learner."""
    game = write(ALL_KINDS.replace('HIDDEN = {"hand": "others", "secret": "others", "deck": "everyone"}', ""))
    state = played(game, [None, "a", "c"], 3).state
    assert list(state.gave_up) == [1, 0, 0]
    lines = prompt_lines(game, game.prompt(state, 1))
    assert "gave_up 1 0 0" in lines
    reader = Reader(game)
    *_, seen = [reader.take(line) for line in lines]
    assert seen is not None
    assert getattr(seen, "gave_up", None) == (1, 0, 0)
    assert list(seen.state().gave_up) == [1, 0, 0]
    assert observed(game, state, 1)[-18::6] == [0, 0, 1]  # its own first
    small = write(SMALL, "small")
    assert b"gave_up" not in small.prompt(small.new_state({}, 2), 0)  # between two the match is over


def test_a_file_with_concessions_of_its_own_keeps_them(write: Write) -> None:
    """Nothing is added to a game that says itself what stands in the place of a fault."""
    game = write(SMALL + "CONCESSIONS = (1,)\n")
    assert (game.rules.ACTIONS, game.rules.CONCESSIONS) == (2, (1,))
    assert game.rules.LAYOUT.shapes == {"turn": (), "ended": ()}


# --- what is drawn and learned


def test_nobody_is_shown_what_is_hidden_from_a_seat(write: Write) -> None:
    """A frame for a seat has none of the others' numbers, and none that changed."""
    game = write(ALL_KINDS)
    before, after = game.new_state({}, 3), game.new_state({}, 3)
    game.rules.step(after, [0, 0, 0], None)
    whole, own, other = (game.frame(before, [0, None, None], (), after, seat) for seat in (None, 0, 1))
    assert whole["changed"] == [["turn", 0], ["hand", 0], ["deck", 1]]
    assert own["changed"] == [["turn", 0], ["hand", 0]]
    assert other["changed"] == [["turn", 0]]
    assert other["fields"]["hand"]["values"] == [None, None, 0, 0, None, None]
    assert other["fields"]["deck"]["values"] == [None] * 4
    assert other["actions"] == ["a", None, None]
    assert game.information is Information.IMPERFECT


def test_points_tell_nobody_what_is_hidden(write: Write) -> None:
    """Points that are counted from a hidden hand are in everybody's frame alone, and in the terminal as well."""
    from rich.text import Text

    text = SMALL.replace("def winner(s): return s.turn % 2", "def score(s, seat): return s.hand[seat]")
    text = text.replace('("ended", "i1", 0)', '("ended", "i1", 0), ("hand", "i1", 2)')
    open_game, game = write(text, "open_game"), write(text + 'HIDDEN = {"hand": "others"}\n')
    state = game.new_state({}, 2)
    state.hand[:] = [3, 9]
    views = [game.frame(state, [None, None], (), state, seat) for seat in (None, 0, 1)]
    assert [view.get("scores") for view in views] == [[3, 9], None, None]
    assert "9" not in Text.from_markup(game.terminal(views[1], ["a", "b"], ENGLISH)).plain
    assert open_game.frame(state, [None, None], (), state, 0)["scores"] == [3, 9]


@pytest.mark.parametrize(
    ("score", "is_shown"),
    [
        ("def score(s, seat): return s.turn", True),
        ("def half(s): return s.turn\ndef score(s, seat): return half(s)", True),
        ("def half(s): return s.hand[0]\ndef score(s, seat): return half(s)", False),
        ("def score(s, seat): return sum([s.hand[p] for p in (0, 1)])", False),
        ("def half(s): return s.hand[0]\nHALVES = (half,)\ndef score(s, seat): return HALVES[0](s)", False),
        ("import operator\ndef score(s, seat): return operator.attrgetter('turn')(s)", False),
    ],
)
def test_points_of_what_everybody_sees_are_shown(write: Write, score: str, is_shown: bool) -> None:
    """Points that are counted from open fields alone are in a seat's frame, however many functions count them."""
    text = SMALL.replace("def winner(s): return s.turn % 2", score)
    text = text.replace('("ended", "i1", 0)', '("ended", "i1", 0), ("hand", "i1", 2)')
    game = write(text + 'HIDDEN = {"hand": "others"}\n')
    state = game.new_state({}, 2)
    assert ("scores" in game.frame(state, [None, None], (), state, 0)) is is_shown
    assert "scores" in game.frame(state, [None, None], (), state)


def test_hidden_actions_are_told_to_nobody_else(write: Write) -> None:
    """With HIDDEN = {"actions": "others"} a seat's view has its own action alone."""
    game = write(SMALL + 'HIDDEN = {"actions": "others"}\n')
    state = game.new_state({}, 2)
    frames = [game.frame(state, [1, None], (), state, seat) for seat in (None, 0, 1)]
    assert [frame["actions"][0] for frame in frames] == ["1", "1", None]
    assert [frame.get("hidden") for frame in frames] == [None, [1], [0]]


def test_the_terminal_shows_every_field_and_no_markup(write: Write) -> None:
    """Names that look like markup are shown as they are; what is hidden is a question mark."""
    from rich.text import Text

    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    names = ["[red]x[/]", "日本", ""]
    text = Text.from_markup(
        game.terminal(game.frame(state, [0, None, None], (), state, 1), names, Speaker("ja"))
    ).plain
    assert all(field in text for field in ("ターン 0", "[red]x[/]", "盤\n_ _ _\n_ _ _", "hand ? ?", "deck\n? ? ? ?"))


# --- what is better than a default


def test_a_folder_beside_the_file_has_what_is_better(write: Write, tmp_path: Path) -> None:
    """Files of the usual names beside the file count as if they stood in it; bots there come first."""
    beside = tmp_path / "written_game"
    for name, text in {
        "protocol.py": "from written_game import ACTIONS\nPROMPT_BYTES = 1\ndef prompt(s, seat, buffer): return 0\n",
        "terminal.py": "def terminal(frame, names, speaker): return 'mine'\n",
        "bots/better.py": "print(0)\n",
        "i18n/ja.json": '{"written-game.reason.1": "終わり"}\n',
    }.items():
        (beside / name).parent.mkdir(parents=True, exist_ok=True)
        (beside / name).write_text(text)
    game = write(SMALL + 'REASONS = {1: "the end"}\n')
    assert game.prompt(game.new_state({}, 2), 0) == b""
    assert game.terminal({}, [], ENGLISH) == "mine"
    assert list(bots.samples_of(game)) == ["better.py", "better"]  # another protocol: the general bot cannot play
    assert game.catalogue["ja"]["written-game.reason.1"] == "終わり"
    assert game.catalogue["en"]["written-game.reason.1"] == "the end"


def test_facts_are_taken_from_the_file(write: Write) -> None:
    """Title and description from its first line, turns and dice by their names."""
    game = write('"""A small game: that is short."""\n' + SMALL + 'TURNS = "simultaneous"\nVERSION = 3\n')
    assert (game.name, game.title, game.about) == ("written-game", "A small game", "that is short.")
    assert (game.turns, game.chance, game.version) == (Turns.SIMULTANEOUS, Chance.NEVER, 3)
    assert game.acting(game.new_state({}, 2), 2) == [0, 1]


def test_its_version_on_a_cluster_is_the_files(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another file is another version, though nothing else in its folder counts."""
    game = write(SMALL)
    assert game.file is not None
    monkeypatch.setenv(GAMES_VARIABLE, str(game.file))
    first = version_of_game.__wrapped__("written-game")
    Path(game.file).with_name("other.txt").write_text("nothing")
    assert version_of_game.__wrapped__("written-game") == first
    Path(game.file).write_text(SMALL + "# changed\n")
    assert version_of_game.__wrapped__("written-game") != first


# --- what is wrong with a file

WRONG = [
    ("", "lacks LAYOUT; write it as: LAYOUT = Layout("),
    (SMALL.replace("ACTIONS = 2", ""), "lacks ACTIONS; write it as: ACTIONS = 9"),
    (SMALL.replace("def is_legal", "def legal"), "lacks is_legal; write it as: def is_legal(s, seat, action): ..."),
    (SMALL.replace("def step", "def go"), "lacks step; write it as: def step(s, actions, events): ..."),
    (
        SMALL.replace("def winner", "def won"),
        "lacks winner; write it as: def winner(s): ..., or instead of it: def sc",
    ),
    (
        SMALL.replace('"turn"', '"time"'),
        'lacks acts; write it as: def acts(s, seat): ..., or instead of it: a field "',
    ),
    (
        SMALL.replace('"ended"', '"end"'),
        'lacks over; write it as: def over(s): ..., or instead of it: a field "ended"',
    ),
    (SMALL.replace("actions, events", "actions"), "step is written as: def step(s, actions, events): ..."),
    (
        SMALL + "SEATS = (2, 4)\n",
        'is for 2 to 4 seats; give its LAYOUT a field that says how many play: ("seats", "i1"',
    ),
    (SMALL + "SEATS = 'two'\n", "SEATS is 'two'; write it as: SEATS = 2, SEATS = (2, 4)"),
    (
        SMALL + 'HIDDEN = {"hand": "others"}\n',
        "HIDDEN names 'hand', which is no field of its LAYOUT; the fields are turn",
    ),
    (SMALL + 'HIDDEN = {"turn": "others"}\n', "the field 'turn' belongs to the seats; give it the length 2"),
    (
        SMALL + 'HIDDEN = {"turn": "all"}\n',
        'HIDDEN is \'all\'; write it as: {"field": "others"}, {"field": "everyone"}',
    ),
    (SMALL + 'TURNS = "together"\n', 'TURNS is \'together\'; write it as: "alternating", "simultaneous"'),
    (SMALL + "def roll(s, source, dice): return 0\n", "lacks needs_dice; write it as: def needs_dice(s): ..."),
    (SMALL + 'def text(action): return "to hold"\n', "text(0) is 'to hold'; an action's text is one word"),
    (SMALL + 'SIGNS = {"turn": "日本"}\n', "SIGNS is {'turn': '日本'}; write it as: {\"turn\": \".XO\"}"),
    (SMALL + "RANGES = {'turn': 3}\n", "RANGES is {'turn': 3}; write it as: {\"turn\": (0, 6)}"),
    (
        SMALL.replace('"turn", "i2"', '"seat", "i2"') + "def acts(s, seat): return True\n",
        "called 'seat', a word that the",
    ),
    (SMALL + 'HIDEN = {"turn": "everyone"}\n', "line 10: HIDEN is no name of a game; did you mean HIDDEN?"),
    (SMALL + 'RANGE = {"turn": (0, 9)}\n', "RANGE is no name of a game; did you mean RANGES?"),
    (SMALL + "Seats = 3\n", "Seats is no name of a game; did you mean SEATS?"),
    (SMALL + "if SEATS_SET := True:\n    SEAT: int = 3\n", "SEAT is no name of a game; did you mean SEATS?"),
    (SMALL.replace("def winner", "def wnner"), "line 9: wnner is no name of a game; did you mean winner?"),
    (SMALL + "def scor(s, seat): return 0\n", "scor is no name of a game; did you mean score?"),
    (SMALL + 'REASONS = ["full"]\n', "REASONS is ['full']; write it as: REASONS = {1: \"the board is full\"}"),
    (SMALL.replace("ACTIONS = 2", "ACTIONS = 'five'"), "ACTIONS is 'five'; write it as: ACTIONS = 9"),
    (SMALL + 'SIGNS = {"turn": "0123456789"}\n', "SIGNS is {'turn': '0123456789'}; write it as: {\"turn\": \".XO\"}"),
    ("import nowhere\n", "cannot be read, line 1: ModuleNotFoundError: No module named 'nowhere'"),
    ("SEATS = 2\ndef step(:\n", "cannot be read, line 2: SyntaxError: invalid syntax"),
    (
        SMALL.replace('"i2", 0', '"u2", 0'),
        "line 4: ValueError: the kind of Small.turn is 'u2', and must be one of i8",
    ),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_what_is_wrong_is_one_sentence(write: Write, text: str, said: str) -> None:
    """The sentence names the file, and what is missing as it is to be written; nothing of it stays imported."""
    with pytest.raises(OperatorError) as refused:
        write(text)
    assert said in str(refused.value)
    assert "written_game.py" in str(refused.value)
    assert "\n" not in refused.value.say(Speaker("ja"))
    assert "written_game" not in sys.modules


@pytest.mark.parametrize("more", ["", "CONCESSIONS = (1,)\n"])
def test_a_winner_that_is_no_seat_is_told(write: Write, more: str) -> None:
    """Whoever returns 7 reads that it must be a seat, and after which turn; also when somebody may give up."""
    game = write(SMALL.replace("return s.turn % 2", "return 7") + more)
    with pytest.raises(OperatorError, match=r"winner gave 7 after turn 1; it must be -1 or 0\.\.1\."):
        played(game, ["1"]).result()


@pytest.mark.parametrize(
    ("kind", "start", "said"),
    [
        ("i1", "127", "the field turn of Small got 128, more than i1 holds (turn 0, seed 1); take i2, or end"),
        ("i8", "(1 << 63) - 1", "got 9223372036854775808, which i8 cannot hold (turn 0, seed 1); keep it smaller"),
        ("i4", "0.5", "got 1.5, which i4 cannot hold (turn 0, seed 1); keep it smaller, and whole"),
    ],
)
def test_a_field_that_overflows_is_told(write: Write, kind: str, start: str, said: str) -> None:
    """The field, its value, its kind, and when it was."""
    begin = f"def start(s, setup, seats): s.turn = {start}\ndef acts(s, seat): return seat == 0\n"
    step = SMALL.replace('"turn", "i2"', f'"turn", "{kind}"').replace("actions[(s.turn - 1) % 2]", "actions[0]")
    with pytest.raises(struct.error) as raised:
        played(write(step + begin), ["0"])
    told = of_a_game(raised.value)
    assert told is not None
    assert said in str(told)


def test_an_error_in_a_rule_has_its_turn_and_seed(write: Write) -> None:
    """So that the match can be played again."""
    game = write(SMALL.replace("    s.turn += 1", "    s.turn += 1 + 0 // (2 - s.turn)"))
    with pytest.raises(ZeroDivisionError) as raised:
        played(game, ["0", "0", "0", "0"])
    told = of_a_game(raised.value)
    assert told is not None
    assert "fail in step, line 7: ZeroDivisionError" in str(told)
    assert str(told).endswith("(turn 2, seed 1)")


@pytest.mark.parametrize("rule", ["step", "over"])
def test_a_second_signal_ends_rules_that_do_not(write: Write, rule: str) -> None:
    """The first one waits for the rules, the second does not; the match is unfinished, with its whole turns."""
    endless = """
from signal import SIGINT, raise_signal
def hang(s):
    if s.turn < 2: return False
    raise_signal(SIGINT)
    raise_signal(SIGINT)
    return 1 // 0
"""
    rules = {"step": ("    s.turn += 1", "    hang(s)\n    s.turn += 1"), "over": ("def winner", f"{OVER}def winner")}
    game = write(SMALL.replace(*rules[rule]) + endless)

    class First(dohyo.Bot):
        def act(self, observation: Any) -> Any:
            return observation.legal_actions[0]

    with pytest.raises(KeyboardInterrupt) as interrupt:
        play_match(game, [First, First], seed=1, sandbox="none", compiled=False)
    assert isinstance(interrupt.value, Interrupted)
    assert interrupt.value.replay.result.unfinished
    assert len(interrupt.value.replay.turns) == 2


def test_a_game_without_options_is_described_so(write: Write) -> None:
    """No heading of a list that has nothing in it."""
    from rich.console import Console

    from dohyo.terminal.games import describe as _describe

    out = Console(file=io.StringIO(), width=100)
    _describe(write(SMALL), set(), out, ENGLISH)
    shown = out.file.getvalue()  # type: ignore[attr-defined]
    assert "This game has no options." in shown
    assert "--setup" not in shown


def test_a_law_notices_a_seat_without_an_action(write: Write) -> None:
    """Where the match goes on, and a seat that must act could only give up; a game's own concession is a way out."""
    stuck = SMALL.replace("return True", "return s.turn < 3").replace("actions[(s.turn - 1) % 2]", "s.turn > 5")
    with pytest.raises(AssertionError, match=r"seat 1 must act in turn 3 of seed 4 and has no legal action"):
        laws.matches.play(write(stuck), 4)
    laws.matches.play(write(stuck + "CONCESSIONS = (1,)\n", "conceding"), 4)


def test_names_of_the_files_own_are_allowed(write: Write, tmp_path: Path) -> None:
    """A name close to a known one stands where the file uses it, a file beside it does, or it begins with `_`."""
    (tmp_path / "own_names").mkdir()
    (tmp_path / "own_names" / "setup.py").write_text("from own_names import OPTION\n")
    own = "SEAT = 1\nROWS = RANK = SEAT\n_HIDEN = {}\nOPTION = 2\ndef scoring(s): return SEAT\n"
    used = SMALL.replace("return s.turn % 2", "return scoring(s) * s.turn % 2") + own
    assert write(used, "own_names").seats == (2, 2)


# --- the examples keep every law


@pytest.mark.parametrize("law", laws.PLAIN, ids=laws.name)
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "goofspiel"])
def test_an_example_keeps_every_law(write: Write, name: str, law: laws.Law) -> None:
    """A board, a game of dice that has no last turn, and one of several seats at once with hidden hands."""
    laws.hold(example(name), law)


@pytest.mark.process
@pytest.mark.xdist_group("one-file-compiled")  # Numba is imported once
@pytest.mark.parametrize("law", laws.COMPILED, ids=laws.name)
def test_an_example_compiled_keeps_every_law(write: Write, law: laws.Law) -> None:
    """With all that there is to compile: several seats, hidden fields, an observation."""
    pytest.importorskip("numba")
    laws.hold(example("goofspiel"), law)


def test_a_law_notices_what_a_prompt_tells(write: Write) -> None:
    """A hidden hand that the file's own prompt shows breaks the law of what a seat cannot see."""
    told = """
PROMPT_BYTES = 9
def prompt(s, seat, buffer):
    buffer[0] = 48 + s.hand[(1 - seat) * 6]
    return 1
"""
    leaking = write((EXAMPLES / "goofspiel.py").read_text() + told, "leaking")
    (law,) = (law for law in laws.PLAIN if law.__name__ == "what_a_seat_cannot_see_changes_nothing_for_it")
    with pytest.raises(AssertionError, match="its input tells what is hidden"):
        laws.hold(leaking, law)


def test_a_law_notices_what_a_frame_tells(write: Write) -> None:
    """A frame of the file's own that counts the others' hidden cards breaks the same law."""
    shown = """
def frame(before, actions, events, after, seat=None):
    return {"first": after.hand[(1 - (seat or 0)) * 6]}
"""
    leaking = write((EXAMPLES / "goofspiel.py").read_text() + shown, "leaking")
    (law,) = (law for law in laws.PLAIN if law.__name__ == "what_a_seat_cannot_see_changes_nothing_for_it")
    with pytest.raises(AssertionError, match="its frame tells what is hidden"):
        laws.hold(leaking, law)


def test_tic_tac_toe_is_short() -> None:
    """One file of under 60 lines is a whole game."""
    assert len((EXAMPLES / "tic_tac_toe.py").read_text().splitlines()) < 60


def test_a_replay_of_it_is_verified(write: Write) -> None:
    """A replay has the texts of actions, and leads to the states again."""
    from dohyo.laws.matches import play

    game = example("tic_tac_toe")
    replay = play(game, 3).replay
    assert playback.verify(game, replay) == len(replay.turns)
