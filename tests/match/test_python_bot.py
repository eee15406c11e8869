"""Bots as classes: as programs, as objects, against learners, in searches; and the page that shows them."""

from __future__ import annotations

import importlib
import io
import os
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

import dohyo
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.core.observation import Observation
from dohyo.core.reader import Reader
from dohyo.core.replay import Move, Replay
from dohyo.games import all_games, find
from dohyo.match import python_bot
from dohyo.match.play import play_match
from dohyo.match.python_bot import Conversation
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import told_of
from dohyo.search import Search
from tests.core.test_smallest_game import NIM

PAGE = Path(__file__).parents[2] / "docs" / "python-bots.md"
SOURCE = PAGE.parents[1] / "src"
FIRST_BOTS = PAGE.parents[1] / "examples" / "first_bots.py"
ONE_FILE = os.pathsep.join(
    str(PAGE.parents[1] / "examples" / name) for name in ("pig.py", "goofspiel.py", "tic_tac_toe.py")
)
UNHURRIED = Clock(turn=60.0, ready=60.0)
SHORT = {
    "abotcalypse": {"turns": 20},
    "drop-block": {"turns": 60},
    "shoot-em-up": {"pairs": 40},
}


class Chooser(dohyo.Bot):
    """Any legal action; remembers how many it chose."""

    def begin(self) -> None:
        self.chosen: list[str] = []

    def act(self, observation: Observation) -> str:
        assert 0 <= self.time_left() <= self.limit
        self.chosen.append(self.random.choice(observation.legal_actions))
        return self.chosen[-1]


class Counting(dohyo.Bot):
    """Answers with numbers, in a game that says nothing of itself."""

    def act(self, observation: Observation) -> int:
        return min(int(observation.lines[0]), self.random.randrange(1, 4))


class Saying(dohyo.Bot):
    """Answers what it was made with, or calls it."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers

    def begin(self) -> None:
        self.left = list(self.answers)

    def act(self, observation: Observation) -> Any:
        answer = self.left.pop(0) if self.left else "0"
        return answer() if callable(answer) else answer


def moves(replay: Replay, seat: int = 0) -> list[Move]:
    """The moves of a seat."""
    return [move for turn in replay.turns for move in turn.moves if move.seat == seat]


def replies(replay: Replay, seat: int = 0) -> list[str]:
    """What the seat answered."""
    return [move.action if move.reply is None else move.reply for move in moves(replay, seat)]


def seats_of(game: Game) -> int:
    """As few as make a match."""
    return min(game.seats[1], max(2, game.seats[0]))


@pytest.fixture
def as_program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a bot's program in this process: `as_program(bot, input, **variables)` returns what it prints."""

    def run(bot: type[dohyo.Bot], sent: bytes, **variables: str) -> list[str]:
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
        monkeypatch.setattr(sys, "stdout", printed)
        with pytest.raises(SystemExit) as left:
            bot.run()
        assert left.value.code == 0
        return printed.buffer.getvalue().decode().splitlines()  # type: ignore[attr-defined]

    return run


@pytest.mark.parametrize("name", [*all_games(), "pig", "goofspiel", "nim"])
def test_a_program_and_an_object_answer_the_same(name: str, as_program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fed with the bytes that its seat was sent, the program prints what the object answered, byte by byte."""
    monkeypatch.setenv("DOHYO_GAMES", ONE_FILE)
    game, bot = (NIM, Counting) if name == "nim" else (find(name), Chooser)
    monkeypatch.setattr(python_bot.games, "find", lambda word: game)
    replay = play_match(game, [bot] * seats_of(game), seed=5, setup=SHORT.get(name), clock=UNHURRIED)
    assert not [move for move in moves(replay) if move.faults]
    for seat in range(2):
        sent = b"".join(recorded.inputs(game, replay, seat))
        printed = as_program(
            bot,
            sent,
            DOHYO_GAME=name,
            DOHYO_SEED=str(dohyo_seed(5, seat)),
            DOHYO_LIMIT="60",
        )
        ready = [game.protocol.READY] if game.protocol.READY else []
        assert printed == [*ready, *replies(replay, seat)]
        assert len(printed) > 3


def test_a_game_of_one_file_names_its_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers, rows and grids by their names; of what each seat has for itself, its own; nothing that is hidden."""
    monkeypatch.setenv("DOHYO_GAMES", ONE_FILE)
    seen: dict[str, list[Any]] = {}

    class Looking(Chooser):
        def act(self, observation: Observation) -> str:
            seen.setdefault(self.game, []).append(observation)
            return super().act(observation)

    for name in ("pig", "goofspiel", "tic-tac-toe"):
        play_match(name, [Looking] * 2, seed=1, clock=UNHURRIED)
    pig = seen["pig"][0]
    assert (pig.seat, pig.pot, pig.points) == (0, 0, (0, 0))
    goofspiel = seen["goofspiel"][0]
    assert goofspiel.hand == (1, 1, 1, 1, 1, 1)
    with pytest.raises(AttributeError, match="the seat sees no field 'prizes'; it sees seats, turn"):
        _ = goofspiel.prizes
    with pytest.raises(NotImplementedError, match="does not see all"):
        goofspiel.state()
    worlds = [
        goofspiel.state(hand=[1] * 24, prizes=[goofspiel.prize, *rest]) for rest in prizes_left(goofspiel.prize)
    ]
    search = Search(find("goofspiel"), 2, seed=1)
    assert search.choose(worlds[0], 0, playouts=50, worlds=worlds).action in range(1, 7)
    grid = seen["tic-tac-toe"][1]
    assert sorted(value for row in grid.board for value in row) == [*[0] * 8, 1]
    game = find("tic-tac-toe")
    assert game.prompt(grid.state(), grid.seat).decode().splitlines() == list(grid.lines)


def prizes_left(first: int) -> list[list[int]]:
    """Some orders of the other prizes."""
    rest = [prize for prize in range(1, 7) if prize != first]
    return [rest[at:] + rest[:at] for at in range(len(rest))]


def dohyo_seed(seed: int, seat: int) -> int:
    """What a program on this seat finds in DOHYO_SEED."""
    from dohyo.core import seeds

    return seeds.of_bot(seed, seat)


@pytest.mark.parametrize("name", ["connect-four", "abotcalypse"])
def test_a_file_is_a_program_in_the_sandbox(name: str, tmp_path: Path) -> None:
    """A lone file that imports Dohyo plays by its path, in the usual sandbox, as an object of its class does.

    The game need not be installed; the program finds it by DOHYO_GAMES.
    """
    file = tmp_path / "mybot.py"
    source = block(0)
    file.write_text(source, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "mybot"}
    exec(compile(source, str(file), "exec"), names)
    options: dict[str, Any] = {"seed": 2, "setup": SHORT.get(name), "clock": UNHURRIED}
    first = play_match(name, [str(file), names["MyBot"]()], **options)
    second = play_match(name, [names["MyBot"]] * 2, **options)
    assert replies(first) == replies(second)
    assert first.turns[-1].digest == second.turns[-1].digest
    assert [seat.name for seat in first.header.seats] == ["mybot", "MyBot"]
    assert not [move.faults for seat in range(2) for move in moves(first, seat) if move.faults]


def test_one_process_for_a_turn_finds_its_prompt_in_an_argument(
    as_program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program of aBOTcalypse that lives for a turn answers its last argument, by random numbers of that turn."""
    game = find("abotcalypse")
    replay = play_match(game, [Chooser, Chooser], seed=5, setup={"turns": 3}, clock=UNHURRIED)
    before = next(iter(playback.moments(game, replay))).before
    monkeypatch.setattr(sys, "argv", ["bot.py", game.prompt(before, 0).decode()])
    said = {turn: as_program(Chooser, b"", DOHYO_GAME=game.name, DOHYO_TURN=str(turn)) for turn in range(6)}
    assert all(len(lines) == 1 for lines in said.values())
    assert len({lines[0] for lines in said.values()}) > 1


# --- what objects do wrong ------------------------------------------------------------------------------------------


def left(bot: dohyo.Bot, clock: Clock = UNHURRIED) -> Move:
    """The first move of this bot, in connect four, that has a fault."""
    replay = play_match("connect-four", [bot, Chooser], seed=1, clock=clock)
    assert replay.result.places[0] == 2
    return next(move for move in moves(replay) if move.faults)


def test_what_is_no_action_is_a_verdict() -> None:
    """None is an empty line, a text that means nothing is malformed, and what the rules forbid is illegal."""
    for answer, kind, reply in (
        (None, FaultKind.MALFORMED, ""),
        ("nine", FaultKind.MALFORMED, "nine"),
        (99, FaultKind.MALFORMED, "99"),
        (["0"], FaultKind.MALFORMED, "['0']"),
        ("1\n2", FaultKind.MALFORMED, "1 2"),
    ):
        move = left(Saying(answer))
        assert (move.faults[-1].kind, move.reply) == (kind, reply)
    full = Saying(*[0] * 7)  # a column has room for six
    replay = play_match("connect-four", [full, Saying(*[0] * 7)], seed=1, clock=UNHURRIED)
    assert [fault.kind for turn in replay.turns for move in turn.moves for fault in move.faults] == [
        FaultKind.ILLEGAL
    ]


def test_an_error_is_the_end_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    """What `act` raises ends the bot as it would end its program, with its traceback in the replay."""
    move = left(Saying("0", lambda: 1 // 0))
    assert (move.faults[-1].kind, move.faults[-1].status) == (FaultKind.EXITED, 1)
    assert "ZeroDivisionError" in move.stderr
    assert "ZeroDivisionError" in capsys.readouterr().err
    move = left(Saying(lambda: sys.exit("enough")))
    assert (move.faults[-1].kind, move.faults[-1].status, move.stderr) == (FaultKind.EXITED, 1, "enough\n")
    assert left(Saying(lambda: sys.exit(3))).faults[-1].status == 3


def test_in_a_game_that_goes_on_who_has_ended_stays_so() -> None:
    """aBOTcalypse asks a bot again after a fault; one that has ended is not called, and has the same fault again."""
    bot = Saying("rest", lambda: 1 // 0, "rest")
    replay = play_match("abotcalypse", [bot, Chooser], seed=1, setup={"turns": 4}, clock=UNHURRIED)
    kinds = [[fault.kind for fault in move.faults] for move in moves(replay)]
    assert kinds == [[], *[[FaultKind.EXITED]] * (len(kinds) - 1)]
    assert bot.left == ["rest"]


def test_who_is_late_is_late() -> None:
    """Its time is measured, and an answer after the limit does not count."""
    move = left(Saying("0"), Clock(turn=1e-9, ready=60.0))
    assert (move.faults[-1].kind, move.faults[-1].code) == (FaultKind.TIMEOUT, FaultCode.ANSWER_LATE)
    assert move.reply is None
    with_processor = left(Saying("0"), Clock(turn=1e-9, mode="cpu"))
    assert with_processor.faults[-1].code == FaultCode.ANSWER_LATE
    assert with_processor.cpu is not None
    replay = play_match("drop-block", [Chooser] * 4, seed=1, clock=Clock(turn=60, ready=1e-9))
    assert {move.faults[0].kind for seat in range(4) for move in moves(replay, seat) if move.faults} == {
        FaultKind.NOT_READY
    }


def test_an_interrupt_ends_the_match_and_keeps_its_turns() -> None:
    """Ctrl-C while an object thinks is the caller's, not a fault."""

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(dohyo.Interrupted) as caught:
        play_match("connect-four", [Saying("0", stop), Chooser], seed=1, clock=UNHURRIED)
    assert caught.value.replay.played == 2


def test_what_it_prints_is_in_the_replay_and_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    """`print` cannot spoil an answer; annotations work by it, and are in the replay alone."""
    lines = ["@text 1 1 here", "thinking", "@mark 1 two", "@value win 0.5", "@", "a @mark 1 1", "@mark 1 1"]

    def answer() -> str:
        print(*lines, sep="\n", end="")
        print("@value", "win", 1, file=sys.stderr)
        print("@", "x" * 2000, "\n", file=sys.stderr, sep="", end="")
        return "0"

    replay = play_match("connect-four", [Saying(answer), Chooser], seed=1, clock=UNHURRIED)
    long = f"@{'x' * 2000}\n"
    assert moves(replay)[0].stderr == "\n".join(lines) + "@value win 1\n" + long
    assert moves(replay)[0].action == "0"
    shown = capsys.readouterr()
    assert shown.out == "thinking\n@mark 1 two\n@\na @mark 1 1\n"
    assert shown.err == long


def test_what_no_bot_is_is_refused() -> None:
    """Only a bot, its class, a name or a path can sit on a seat."""
    with pytest.raises(TypeError, match=r"a dohyo.Bot or a class of these, not 7"):
        play_match("connect-four", [7, Chooser], seed=1)  # type: ignore[list-item]


# --- objects, matches, seats ----------------------------------------------------------------------------------------


def test_the_object_that_was_passed_plays_and_a_second_seat_has_a_copy() -> None:
    """One can look into it afterwards; each match begins with `begin`; the same seed is the same match."""
    bot = Chooser()
    first = play_match("connect-four", [bot, bot], seed=4, clock=UNHURRIED)
    chosen = list(bot.chosen)
    assert chosen == replies(first, 0) != replies(first, 1)
    second = play_match("connect-four", [bot, bot], seed=4, clock=UNHURRIED)
    assert bot.chosen == chosen
    assert first.turns[-1].digest == second.turns[-1].digest
    assert len(first.header.seats[0].digest) == 64
    assert first.header.sandbox == "none"


def test_it_plays_beside_programs(tmp_path: Path) -> None:
    """Objects and programs sit at one table, also where all move at once."""
    for game in ("connect-four", "abotcalypse"):
        sample = "random.py" if game == "connect-four" else "random"
        replay = play_match(game, [sample, Chooser], seed=4, setup=SHORT.get(game), clock=UNHURRIED, sandbox="none")
        assert not [move.faults for seat in range(2) for move in moves(replay, seat) if move.faults]
        assert not replay.result.unfinished


def test_a_learner_plays_against_it() -> None:
    """An environment asks it as a match does; several environments with one object do not share it."""
    pytest.importorskip("gymnasium")
    from dohyo.rl import Env, vectorize

    bot = Chooser()
    env = Env("connect-four", opponents=bot, clock=UNHURRIED)
    first = episode(env, 3)
    assert episode(env, 3) == first
    assert not hasattr(bot, "chosen")
    assert episode(Env("connect-four", opponents=[Chooser], clock=UNHURRIED), 3) == first
    envs = vectorize("connect-four", 2, opponents=bot, clock=UNHURRIED)
    envs.reset(seed=3)
    inner = [one.unwrapped._opponents._players[0].bot for one in envs.envs]  # type: ignore[attr-defined]
    assert inner[0] is not inner[1]
    with pytest.raises(TypeError, match=r"a bot by its name, or a dohyo.Bot, not 7"):
        Env("connect-four", opponents=[7])  # type: ignore[list-item]


def episode(env: Any, seed: int) -> list[str]:
    """What the opponent did in a match against the first legal action."""
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        *_, over, _, info = env.step(int(info["action_mask"].argmax()))
    referee = env._match.referee
    assert not [fault for turn in referee.turns for move in turn.moves for fault in move.faults]
    return [move.action for turn in referee.turns for move in turn.moves if move.seat == 1]


@pytest.mark.parametrize("name", list(all_games()))
def test_it_is_a_policy_of_a_search(name: str) -> None:
    """Playouts in plain Python ask it, in the middle of a match too; the same seed gives the same choice."""
    from dohyo.search import Search

    game = find(name)
    replay = play_match(game, [Chooser] * seats_of(game), seed=5, setup=SHORT.get(name), clock=UNHURRIED)
    middle = list(playback.moments(game, replay))[len(replay.turns) // 2].before
    seat = game.acting(middle, seats_of(game))[0]
    found = []
    for _ in range(2):
        bot = Chooser()
        bot.begin()
        search = Search(game, seats_of(game), policy=bot.policy(game), horizon=4)
        found.append((search.choose(middle, seat, playouts=5).action, len(bot.chosen)))
    assert found[0] == found[1]
    assert found[0][0] in game.legal_actions(middle, seat)
    assert found[0][1] > 4


# --- programs -------------------------------------------------------------------------------------------------------


def test_a_program_says_which_game_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run by hand without a game, or with an unknown one, it says so in one sentence."""
    monkeypatch.delenv("DOHYO_GAME", raising=False)
    with pytest.raises(SystemExit, match=r"Chooser: which game\? .* into the class: game = \"drop-block\""):
        Chooser.run()
    with pytest.raises(SystemExit, match=r"Chooser: There is no game 'draughts'"):
        Chooser.run("draughts")


def test_a_program_that_never_runs_its_bot_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file without its last line would only end; standard error says which line that is."""
    monkeypatch.setenv("DOHYO_GAME", "connect-four")
    monkeypatch.setattr(python_bot, "_awaited", [])
    type("Forgotten", (dohyo.Bot,), {"__module__": "__main__"})
    python_bot._hint()
    assert 'Forgotten was never run: let the file end with the line `if __name__ == "__main__": Forgotten.run()`' in (
        capsys.readouterr().err
    )


def test_the_deadline_comes_before_the_limit() -> None:
    """`time_left` is a part of the limit: of the first one in the first turn, then of the usual one."""
    talk = Conversation(Chooser(), find("shoot-em-up"), 1, 50.0, 500.0)
    talk.begin()
    seen = []
    talk.bot.act = lambda observation: seen.append((talk.bot.limit, talk.bot.time_left())) or "M 0 0"  # type: ignore[method-assign]
    for line in ("P 4 4", "N", "N"):
        assert talk.take(line) == "M 0 0"
    assert [limit for limit, _ in seen] == [500.0, 50.0, 50.0]
    assert 40 < seen[0][1] <= 300  # at least a tenth of the limit, however busy the machine is
    assert 4 < seen[1][1] <= 30


def test_the_fields_are_the_states() -> None:
    """What is carried on from turn to turn, or found by the edge of a view, is what the rules have."""
    seen: list[Any] = []

    class Noting(Chooser):
        def act(self, observation: Observation) -> str:
            seen.append(observation)
            return super().act(observation)

    for name in ("shoot-em-up", "abotcalypse", "wondev-woman"):
        seen.clear()
        game = find(name)
        replay = play_match(game, [Noting, Chooser], seed=6, setup=SHORT.get(name), clock=UNHURRIED)
        asked = [one.moment.before for one in recorded.asked(game, replay, 0)]
        assert len(asked) == len(seen) > 3
        for s, observation in zip(asked, seen, strict=True):
            if name == "shoot-em-up":
                assert (observation.x, observation.y) == (s.x[0], s.y[0])
                assert observation.hits == s.hits[0]
            elif name == "abotcalypse":
                assert observation.sign(0, 0) in "sS@"
                assert observation.sign(100, 0) == "#"
            else:
                assert observation.size == s.size
                assert [8 * (y + 1) + x for x, y in observation.own] == list(s.at[: s.units])


@pytest.mark.parametrize("order", ["row-column", "column-row"])
def test_a_square_is_where_the_rules_have_it(order: str, as_program: Any) -> None:
    """In Drop-Block with either order of its squares: as an object, as a program, and from the first turn on."""
    game, seen = find("drop-block"), []

    class Noting(Chooser):
        def act(self, observation: Observation) -> str:
            seen.append(observation)
            return super().act(observation)

    setup = {"position_order": order, "turns": 24}
    replay = play_match(game, [Noting, Chooser, Chooser, Chooser], seed=6, setup=setup, clock=UNHURRIED)
    states = [one.moment.before for one in recorded.asked(game, replay, 0)]
    told = {name: f"{value}" for name, value in told_of(game, UNHURRIED, replay.header.setup).items()}
    assert told["DOHYO_SETUP"] == f'{{"position_order": "{order}"}}'
    as_program(Noting, b"".join(recorded.inputs(game, replay, 0)), **told)
    assert len(seen) == 2 * len(states) == 12
    for s, observation in zip(states * 2, seen, strict=True):
        squares = list(zip(s.row, s.column, strict=True))
        assert [(player.row, player.column) for player in observation.players] == squares
        assert (list(observation.state().row), observation.state().column_first) == (list(s.row), s.column_first)


@pytest.mark.process
def test_a_match_tells_its_programs_the_setup(tmp_path: Path) -> None:
    """What a program finds in DOHYO_SETUP is the match's own; and it is told what the clock counts."""
    fair = told_of(find("drop-block"), Clock(turn=1, mode="fair", wall=7))
    assert (fair["DOHYO_CLOCK_MODE"], fair["DOHYO_WALL_LIMIT"]) == ("fair", "7")
    assert not {"DOHYO_WALL_LIMIT", "DOHYO_BANK"} & set(told_of(find("drop-block"), Clock(turn=1, bank=5)))
    assert told_of(find("drop-block"), Clock(turn=0, bank=5))["DOHYO_BANK"] == "5"
    bot = tmp_path / "bot.py"
    told = "os.environ['DOHYO_SETUP'], os.environ['DOHYO_CLOCK_MODE']"
    bot.write_text(f"import os, sys; print({told}, file=sys.stderr)")
    setup = {"position_order": "column-row", "turns": 1}
    replay = play_match("drop-block", [str(bot), *[Chooser] * 3], setup=setup, clock=UNHURRIED, sandbox="none")
    assert "column-row" in moves(replay)[0].stderr
    assert moves(replay)[0].stderr.split()[-1] == UNHURRIED.mode


def test_a_program_is_told_no_option_but_those_of_its_input() -> None:
    """Where a robot starts is an option of Shoot-Em-Up, and the other one's secret: no program is told it."""
    for game, setup in ((find("shoot-em-up"), {"places": [2, 3, 2, 3]}), (find("drop-block"), {"players": "hidden"})):
        assert "places" not in str(told_of(game, UNHURRIED, setup))
        assert "hidden" not in str(told_of(game, UNHURRIED, setup))


def test_what_a_forged_replay_holds_is_told_to_nobody() -> None:
    """A setup that somebody wrote by hand is refused, however long it is."""
    with pytest.raises(OperatorError, match="position_order"):
        told_of(find("drop-block"), UNHURRIED, {"position_order": "x" * 1_000_000})


@pytest.mark.parametrize("given", ["[1]", "{", '{"position_order": "up"}', "[" * 10_001, "[" * 9_000])
def test_a_setup_that_is_none_is_one_sentence(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set by hand, DOHYO_SETUP is read within a bound, and refused by its name."""
    monkeypatch.setenv("DOHYO_SETUP", given)
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # a program moves it
    with pytest.raises(SystemExit, match=r"^Chooser: DOHYO_SETUP: [^\n]*$"):
        python_bot.run_as_program(Chooser, "drop-block")


def test_a_robot_counts_its_hits_and_knows_its_gun() -> None:
    """What Shoot-Em-Up tells only once, or not at all, is carried on from line to line."""
    reader, seen = Reader(find("shoot-em-up")), []
    for line, answer in (("P 4 4", "M 1 0"), ("H 1 0", "S 1 0"), ("N", "M 0 1"), ("H 0 -1", "M 0 0")):
        found: Any = reader.take(line)
        reader.answered(answer)
        seen.append((found.x, found.y, found.hits, found.hit_from, found.has_power))
    assert seen == [
        (4, 4, 0, None, True),
        (5, 4, 1, (1, 0), True),
        (5, 4, 1, None, False),
        (5, 5, 2, (0, -1), True),
    ]
    assert reader.take("W") is None


# --- the page -------------------------------------------------------------------------------------------------------


def block(which: int) -> str:
    """A block of Python of the page."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[which]


def test_the_bots_of_the_page_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block of the page, and the file to which it leads, runs as it stands; its bots play without a fault."""
    played = []

    def noted(*words: Any, **more: Any) -> Replay:
        more = {**more, "clock": UNHURRIED if "clock" in more else None, "sandbox": "none"}
        more["setup"] = more.get("setup") or SHORT.get(words[0])
        played.append(play_match(*words, **more))
        return played[-1]

    monkeypatch.setattr(dohyo, "play", noted, raising=False)
    names = {"__name__": "page"}
    for which in (1, 2):
        exec(compile(block(which), str(PAGE), "exec"), names)
    runpy.run_path(str(FIRST_BOTS), run_name="__main__")
    assert len(played) == 5
    for replay in played:
        assert replay.played > 5
        assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]


def is_own(kind: type) -> bool:
    """Whether a class is a game's own observation."""
    return issubclass(kind, Observation) and kind is not Observation


def test_the_page_names_every_field() -> None:
    """The table of fields has all that the games' observations have."""
    text = PAGE.read_text(encoding="utf-8")
    for name, game in all_games().items():
        if game.reading is None:
            continue
        ours = game.folder.is_relative_to(SOURCE)
        package = ".".join(game.folder.relative_to(SOURCE).parts) if ours else game.folder.name
        reading = importlib.import_module(f"{package}.reading")
        seen = next(each for each in vars(reading).values() if isinstance(each, type) and is_own(each))
        fields = {*seen.__struct_fields__} - {"lines", "own_turn", "legal_actions"}  # type: ignore[attr-defined]
        row = next(
            line for line in text.splitlines() if line.startswith(f"| {game.title}".replace("Connect", "connect"))
        )
        assert fields == set(re.findall(r"`(\w+)`", row.split("|")[2])), name
