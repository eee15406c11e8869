"""A person at the terminal: the word `me`, the board of its seat, the list, and words beside the game's own lines."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dohyo import games
from dohyo.bots.typed_words import Named
from dohyo.core import playback
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.guests.people.kind import seconds_of
from dohyo.guests.people.terminal import TerminalDesk, TypedLines
from dohyo.i18n import ENGLISH
from dohyo.match.people.desk import LateError, LeftError, at, person_in
from dohyo.match.people.hints import Hint, Hints
from dohyo.match.people.turns_back import Played, play_with_people
from dohyo.match.play import play_match
from dohyo.match.replays.replays import load
from dohyo.match.telling.summary import Misstep, summarise
from dohyo.system.proc import fair_mode
from dohyo.terminal.summary import fault_counts, seat_outcome

ME = Elsewhere("me")


def typed(text: str) -> TypedLines:
    """Lines as somebody types them, and then the end."""
    reader, writer = os.pipe()
    os.write(writer, text.encode())
    os.close(writer)
    return TypedLines(reader)


def play(name: str, specs: list[object], lines: str, **options: object) -> Replay:
    """Play a match with a person who types these lines."""
    game = games.find(name)
    desk = TerminalDesk(game, ENGLISH, typed(lines))
    with at(desk):
        return play_with_people(game, specs, played=Played(game), sandbox="none", seed=3, **options)


def actions(replay: Replay) -> list[str]:
    """What was carried out, turn by turn."""
    return [move.action for turn in replay.turns for move in turn.moves]


def test_a_match_at_one_keyboard(capsys: pytest.CaptureFixture[str]) -> None:
    """Two people share a keyboard; a number means an action of the list, and a line the game's own."""
    replay = play("go", [ME, ME], "E5\npass\npass\n", setup={"size": 9})
    assert actions(replay) == ["E5", "pass", "pass"]
    assert [seat.protocol for seat in replay.header.seats] == ["me", "me"]
    assert playback.verify(games.find("go"), replay) == 3
    said = capsys.readouterr().out
    assert "you are asked, on seat 0" in said
    assert "turn 0: seat 0: E5" in said


@pytest.mark.parametrize("is_there", [True, False])
def test_who_asks_for_a_hint_is_told_of_compiling_where_something_compiles(
    is_there: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Numba nothing is compiled, and nobody waits for it."""
    real = importlib.util.find_spec
    spec = importlib.machinery.ModuleSpec("numba", None) if is_there else None
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: spec if name == "numba" else real(name, *more)
    )
    monkeypatch.setattr(Hints, "ask", lambda *_: Hint("Take E5."))
    play("go", [ME, ME], "hint\nE5\npass\npass\n", setup={"size": 9})
    said = capsys.readouterr().out
    assert "Take E5." in said
    assert "Thinking for about" in said
    assert ("its rules are compiled first" in said) is is_there


def test_a_match_with_a_limit_is_read_again() -> None:
    """A replay says how long each turn of a person could be, and is read as any other."""
    specs: list[object] = [Elsewhere("me:30"), Elsewhere("me:86400")]
    replay = play("go", specs, "E5\npass\npass\n", setup={"size": 9})
    read = decode(encode(replay))
    assert read == replay
    assert [seat.go for seat in read.header.seats] == ["seconds 30", "seconds 86400"]


def test_the_last_move_and_the_last_board_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever lost sees how: what was played after the last question, and the board at the end."""
    game = games.find("connect-four")
    desk = TerminalDesk(game, ENGLISH, typed("\n".join("0011223344556" * 4)))
    with at(desk):
        replay = play_with_people(game, [ME, "random"], played=Played(game), sandbox="none", seed=1)
        capsys.readouterr()
        desk.ended()
    said, (last, *_) = capsys.readouterr().out, replay.turns[-1].moves
    assert last.seat == 1
    assert f"turn {replay.turns[-1].turn}: random: {last.action}" in said
    assert said.count("[1]") == 4, "the four in a row"
    assert "you are asked" not in said


@pytest.mark.parametrize("name", [*sorted(games.all_games()), "kuhn-poker", "chess"])
def test_each_game_has_a_last_board(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Of a match that is over, as the seat of the last question sees it."""
    game = games.find(name)
    desk = TerminalDesk(game, ENGLISH, typed("1\nresign\nresign\n"))
    with at(desk):
        play_with_people(game, [ME] + ["random"] * (game.seats[0] - 1), played=Played(game), sandbox="none", seed=3)
        capsys.readouterr()
        desk.ended()
    assert capsys.readouterr().out.strip()


def test_a_command_shows_the_end_and_promises_no_same_match(tmp_path: Path) -> None:
    """`dohyo play` with a person prints the last board before the table; nobody plays the same match again."""
    words = ["play", "othello", "me", "random", "--trust", "--seed", "3"]
    done = subprocess.run(
        [sys.executable, "-m", "dohyo", *words],
        input="1\nresign\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        check=True,
    )
    assert "Place" in done.stdout.split("You resigned.")[1].split("seat 0")[1]
    assert "plays the same match again" not in done.stdout


def test_numbers_of_the_list_and_numbers_of_the_game() -> None:
    """The first of the list is 1; in a game whose own lines are numbers, these are meant."""
    first = games.find("othello").protocol.text(games.find("othello").legal_actions(_begun("othello"), 0)[0])
    assert actions(play("othello", [ME, "random"], "1\nresign\n"))[0] == first
    assert actions(play("connectx", [ME, "random"], "3\nresign\n"))[0] == "3"


def _begun(name: str) -> object:
    game = games.find(name)
    return game.new_state(dict(play_match(game, ["random", "random"], sandbox="none").header.setup), 2)


def test_what_is_no_action_costs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """It is told why, and the person is asked once more; `why` asks for that alone."""
    replay = play("drop-block", [ME, "random", "random", "random"], "dance\nwhy X\nwhy\nwhy U\nlist zz\nU\nresign\n")
    said = capsys.readouterr().out
    assert "'dance' is none of U R D L A N" in said
    assert "'X' is none of" in said
    assert said.count("list shows what you can type (") == 1  # behind what was typed for an action, not behind why
    assert "U is possible now" in said
    assert "has 'zz' in it" in said
    assert actions(replay)[0] == "U"
    assert [fault.code for turn in replay.turns for move in turn.moves for fault in move.faults] == ["resigned"]


def test_a_turn_is_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    """The match goes on from the person's last action; one replay has what counts, from the beginning on."""
    replay = play("othello", [ME, "random"], "back\n1\nback\n2\nresign\n")
    assert "nothing to take back" in capsys.readouterr().out
    assert replay.header.start is None
    assert replay.header.first == 0
    assert playback.verify(games.find("othello"), replay) == len(replay.turns)
    assert actions(replay)[0] != actions(play("othello", [ME, "random"], "1\nresign\n"))[0]


def test_a_person_is_called_by_the_name_that_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever plays as Ada=me is Ada at the board and in the line to type; the others have their names, too."""
    play("othello", [Named("Ada", "me"), "random"], "1\n1\nresign\n")
    said = capsys.readouterr().out
    assert "Turn 0: Ada is asked, on seat 0." in said
    assert "Ada> " in said
    assert "0  Ada " in said
    assert "turn 1: random: " in said
    play("othello", [ME, "random"], "resign\n")
    assert "you are asked, on seat 0" in capsys.readouterr().out


def test_two_of_one_name_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """By their seats."""
    play("othello", [ME, Named("x", "random")], "resign\n")
    play("go", [Named("Ada", "me"), Named("Ada", "me")], "pass\npass\n", setup={"size": 2})
    said = capsys.readouterr().out
    assert "Ada (1)> " in said


def test_a_match_that_was_left_has_no_outcome() -> None:
    """Nobody has drawn, won or lost it; a fault alone may be told of."""
    game = games.find("chess")
    replay = play("chess", [ME, "random"], "e2e4\nresign\n")
    left = Replay(replay.header, replay.turns[:2], msgspec.structs.replace(replay.result, unfinished=True, places=()))
    assert [seat_outcome(seat, game, ENGLISH) for seat in summarise(left).seats] == ["interrupted before the end"] * 2


def test_no_faults_are_offered_where_somebody_resigned() -> None:
    """There is nothing more to see; a fault of a bot is shown."""
    told = summarise(play("othello", [ME, "random"], "1\nresign\n"))
    assert told.has_faults
    assert not told.has_faults_to_see
    told.seats[1].faults.append(Misstep(1, FaultKind.TIMEOUT, FaultCode.NO_ANSWER))
    assert told.has_faults_to_see


def test_who_resigns_is_told_to_have_resigned() -> None:
    """Not that a program has exited: nobody's has."""
    game = games.find("othello")
    replay = play("othello", [ME, "random"], "1\nresign\n")
    seat = summarise(replay).seats[0]
    assert seat_outcome(seat, game, ENGLISH).endswith("stopped in turn 2: resigned")
    assert fault_counts(seat, ENGLISH) == "resigned"


def test_turns_are_taken_back_to_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    """One after the other, without playing in between; before the first there is nothing to take back."""
    replay = play("othello", [ME, "random"], "1\n1\n1\nback\nback\nback\nback\n2\nresign\n")
    assert capsys.readouterr().out.count("nothing to take back") == 1
    assert replay.header.first == 0
    assert playback.verify(games.find("othello"), replay) == len(replay.turns)
    assert actions(replay)[0] == actions(play("othello", [ME, "random"], "2\nresign\n"))[0]


@pytest.mark.parametrize("name", ["wondev-woman", "backgammon", "kuhn-poker"])
def test_dice_and_secrets_stay_when_a_turn_is_taken_back(name: str) -> None:
    """What the dice showed is the same again, and the whole still follows from the rules."""
    first, *_ = play(name, [ME, "random"], "1\nresign\n").turns
    replay = play(name, [ME, "random"], "1\nback\n1\nresign\n")
    assert replay.turns[0].dice == first.dice
    assert playback.verify(games.find(name), replay) == len(replay.turns)


def test_nobody_sees_what_its_seat_may_not(capsys: pytest.CaptureFixture[str]) -> None:
    """The other's card is not on the board."""
    play("kuhn-poker", [ME, "random"], "resign\n")
    board = capsys.readouterr().out
    assert board.count("card ?") == 1


def test_who_goes_away_leaves_the_match_unfinished() -> None:
    """At the end of the input nobody is there; what was played so far is known."""
    game = games.find("othello")
    played = Played(game)
    with at(TerminalDesk(game, ENGLISH, typed("1\n"))), pytest.raises(LeftError):
        play_with_people(game, [ME, "random"], played=played, sandbox="none", seed=3)
    whole = played.whole()
    assert whole is not None
    assert whole.result.unfinished
    assert len(whole.turns) == 2


def test_a_clock_if_it_is_wished() -> None:
    """With `me:1` a turn has a second; then the rules answer, as they do for a bot."""
    reader, _writer = os.pipe()
    with pytest.raises(LateError):
        TypedLines(reader).next(0.01)
    game = games.find("othello")
    desk = TerminalDesk(game, ENGLISH, TypedLines(reader))
    with at(desk):
        replay = play_with_people(game, [Elsewhere("me:1"), "random"], played=Played(game), sandbox="none")
    assert [fault.kind for fault in replay.turns[0].moves[0].faults] == ["timeout"]
    assert replay.header.seats[0].go == "seconds 1"


def test_bots_do_not_pay_for_a_persons_browser() -> None:
    """Time is counted as fairly as the system can, unless somebody says otherwise."""
    for given, mode in ({}, fair_mode()), ({"mode": "wall"}, "wall"):
        replay = play("go", [ME, ME], "pass\npass\n", setup={"size": 9}, **given)
        assert replay.header.clock is not None
        assert replay.header.clock.mode == mode


def test_the_word() -> None:
    """`me` and `me:SECONDS` are people, also with a name; a file of that name is a bot."""
    assert [person_in([word]) for word in ("me", "me:30", "Ada=me", "hunter", "mei", "m")] == ["me"] * 3 + [""] * 3
    assert (seconds_of("me"), seconds_of("me:30")) == (None, 30)
    for wrong in ("me:", "me:0", "me:x", "me:99999999"):
        with pytest.raises(OperatorError, match="no person"):
            seconds_of(wrong)


def test_no_contest_waits_for_a_person() -> None:
    """Where there is no desk, the word is refused before anything begins."""
    with pytest.raises(OperatorError, match="a person"):
        play_match("othello", ["me", "random"], sandbox="none")


def test_the_command(tmp_path: Path) -> None:
    """`dohyo play` keeps and saves such a match as any other, and prints its table."""
    command = [sys.executable, "-m", "dohyo", "play", "othello", "Ada=me", "random", "--trust", "--save", "m.replay"]
    environment = {**os.environ, "DOHYO_LANG": "en"}
    done = subprocess.run(
        command, input="1\nresign\n", capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Ada" in done.stdout
    assert load(str(tmp_path / "m.replay")).header.seats[0].name == "Ada"
    for more in (["--watch"], ["--json"], ["--until", "win"]):
        refused = subprocess.run(
            [*command[:7], *more], capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
        )
        assert refused.returncode == 2
        assert more[0] in refused.stderr
