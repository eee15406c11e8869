"""`dohyo analyse`: chances and turning points in words, as JSON, as a page; what cannot be analysed."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import shlex
import sys
import tracemalloc
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace
from rich.console import Console

from dohyo import games
from dohyo.guests.analysis import chances, command, printed
from dohyo.guests.analysis.command import Steps
from dohyo.guests.analysis.falls import largest_fall
from dohyo.guests.analysis.sentences import point_in_words, trying_in_words
from dohyo.guests.analysis.trials import Trying
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.replays import last, replays
from dohyo.series import onward
from dohyo.series.analysed import Analysis, Chances, SeatChance, TurningPoint
from tests.cli.conftest import Type
from tests.guests.analysis.test_analysis import LOST, Greedy, played
from tests.guests.engines import test_judging
from tests.laws import matches
from tests.web.matches import play


@pytest.fixture
def lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The replay of a match that seat 1 throws away in turn 5; Numba, which would have to compile, is not there."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(onward, "BySearch", lambda *_: Greedy())
    replays.save(played(LOST), folder / "lost.replay")
    return "lost.replay"


def test_the_curve_goes_by_turns() -> None:
    """Where few turns were judged it is joined between them: what fell in the middle of a match is drawn there."""
    curve = printed.at_every_turn([0, 1, 2, 100, 200], [1.0, 1.0, 1.0, 0.0, 0.0])
    assert len(curve) == 201
    assert curve[51] == 0.5
    line = printed.drawn(curve)
    assert len(line) == printed.WIDTH
    assert line[0] == printed.BARS[-1]
    assert set(line[printed.WIDTH // 2 :]) == {printed.BARS[0]}
    assert line[printed.WIDTH // 4] in printed.BARS[3:5]
    assert printed.at_every_turn([7], [0.25]) == [0.25]


def test_in_words(typed: Type, lost: str) -> None:
    """The curve of each seat, and the decision that cost the most, with the better one."""
    status, out, err = typed("analyse", lost, "--playouts", "200")
    assert status == 0
    assert "Chances to win, turn 0 to 6, and the result\n  0  random 0\n" in out
    assert "\n  turn 5: random 1 (seat 1) played 0: a loss. 2: a win. Search has proven both" in out
    assert " playouts in the game" in out
    assert "decisions were tried: greedy went on from there, in " in out
    again = "dohyo play connect-four BOT BOT --from lost.replay@5 --first 1=2 --seed 1"
    assert f"\nTry what would have come of it: {again}\n" in out
    assert err.startswith("Numba is not installed: the analysis is some 50 times weaker in the same time.")


def test_where_a_chance_fell_and_by_whom() -> None:
    """The stretch in which a chance fell, and the one action that did most of it; none where several did."""
    match = played("3031323")

    def told(*chances: float, error: float = 0.05) -> str:
        pairs = [(one, 1 - one) for one in chances]
        bounds = [([one - error for one in pair], [one + error for one in pair]) for pair in pairs]
        curve = tuple(
            Chances(at, pair, tuple(low), tuple(high))
            for at, (pair, (low, high)) in enumerate(zip(pairs, bounds, strict=True))
        )
        found = Analysis("connect-four", "", ("a", "b"), True, 1, curve, (), ())
        return printed.fall_in_words(found, match, 0, ENGLISH)

    assert told(0.5, 0.5, 0.1, 0.1, 0.2, 0.1, 0.1) == (
        "The chance of random 0 (seat 0) fell most in turn 1 (random 1, seat 1: 0): from 50 % to 10 %."
    )
    assert told(0.5, 0.5, 0.5, 0.5, 0.5, 0.45, 0.45) == ""
    assert told(0.5, 0.5, 0.1, 0.1, 0.2, 0.1, 0.1, error=0.2) == "", "by its bounds it may not have fallen"


def test_a_curve_ends_with_the_result() -> None:
    """Who loses by the last action is not shown as winning: also that is a fall, and whose it was is known."""
    match = played("3031323")
    loser = match.result.places.index(2)
    rows = [(0.5, 0.5)] * 6 + [tuple(0.9 if seat == loser else 0.1 for seat in (0, 1))]
    curve = tuple(Chances(at, row, row, row) for at, row in enumerate(rows))
    found = Analysis("connect-four", "", ("a", "b"), True, 1, curve, (), (), turns=7)
    assert [one.chance for one in printed.with_result(found, match)][-1] == tuple(
        float(seat != loser) for seat in (0, 1)
    )
    assert " fell most in turn 6 (" in printed.fall_in_words(found, match, loser, ENGLISH)
    assert ": from 90 % to 0 %." in printed.fall_in_words(found, match, loser, ENGLISH)


def test_the_turn_in_which_a_chance_fell_is_named_narrowly() -> None:
    """In a long match the stretch is the shortest that holds most of the fall; a slow fall stays a wide one."""
    steep = [0.5] * 60 + [0.48, 0.1, 0.09, 0.08] + [0.08] * 40
    assert largest_fall(steep) == (60, 61, 0.48, 0.1)
    slow = [0.5] * 50 + [0.5 - 0.05 * at for at in range(1, 6)] + [0.25] * 45
    assert largest_fall(slow) == (49, 53, 0.5, pytest.approx(0.3))
    # a long decline weighs more than a small step at its end
    decline = [0.55] * 12 + [0.55 - 0.04 * at for at in range(1, 10)] + [0.19] * 32 + [0.1] * 5 + [0.0] * 5
    begin, end, *_ = largest_fall(decline) or (0, 0)
    assert 11 <= begin < end <= 20
    assert largest_fall([0.5] * 40) is None
    assert largest_fall([]) is None


def test_a_fall_in_a_long_match_takes_little_memory() -> None:
    """A replay may have a million turns: what is kept meanwhile grows with them, and not with their square."""
    curve = [0.9 - 0.8 * at / 2000 for at in range(2000)]
    tracemalloc.start()
    try:
        found = largest_fall(curve)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found is not None
    assert most < 1 << 20


def test_actions_are_what_bots_write() -> None:
    """A turning point says U where a bot writes U, in every language: the author knows what the bot wrote."""
    for language in ("en", "ja"):
        told = point_in_words(TurningPoint(3, 1, "U", "A", 0.1, 0.5, 0.05), "mine", Speaker(language))
        assert "U" in told
        assert "A" in told
        assert "attack" not in told


def test_the_command_that_plays_on_names_the_bots_that_were_typed(
    typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the last match what was typed here; of any other only sample bots: its names are a stranger's."""
    monkeypatch.setenv("DOHYO_CACHE", str(folder / "cache"))
    game, match = games.find("drop-block"), play(1, setup={"turns": 12})
    point = TurningPoint(9, 1, "U", "A", 0.1, 0.5, 0.05)
    last.keep(match, ["./mine", "a b", "hunter", "x;y"])
    words = "dohyo play drop-block {} --from {}@9 --first 1=A --seed 1"
    found = printed.better_command(point, last.load()[0], "last", game)
    assert found == words.format("./mine 'a b' hunter 'x;y'", "last")
    named = ("./mine", "hunter", "$(x)", "random")
    seats = [replace(one, name=name) for one, name in zip(match.header.seats, named, strict=True)]
    match.header = replace(match.header, seats=tuple(seats))
    assert printed.better_command(point, match, "m.replay", game) == words.format("BOT hunter BOT random", "m.replay")
    assert "BOT hunter" in printed.better_command(point, match, "last", game)  # another match by now
    long = TurningPoint(9, 1, "U", "MOVE&BUILD 0 N S", 0.1, 0.5, 0.05)
    assert "--first '1=MOVE&BUILD 0 N S'" in printed.better_command(long, match, "m.replay", game)


def test_the_command_can_be_typed_as_it_is_printed(typed: Type, lost: str) -> None:
    """What `analyse` prints plays on after the better action, with sample bots in the place of BOT."""
    out = typed("analyse", lost, "--playouts", "200").out
    (line,) = (line for line in out.splitlines() if "dohyo play" in line)
    words = shlex.split(line.partition("dohyo ")[2].replace("BOT", "./mine"))
    assert words[-4:-2] == ["--first", "1=2"]
    Path("mine").write_text("#!/bin/sh\nwhile read seat; do for i in 1 2 3 4 5 6; do read row; done; echo 6; done\n")
    Path("mine").chmod(0o755)
    status, out, err = typed(*words, "--trust")
    assert (status, err) == (0, "")
    assert out.startswith("By --first, seat 1 played 2 in turn 5; the bots were asked from turn 6 on.\n")


def test_where_bots_were_looked_for(typed: Type, lost: str, folder: Path) -> None:
    """Whoever moved a bot reads where it was looked for, and how it is named; the page says nothing of folders."""
    (folder / "old\x1b[31m").mkdir()
    Path(lost).rename(folder / "old\x1b[31m" / lost)
    status, out, _ = typed("analyse", f"old\x1b[31m/{lost}", "--playouts", "40", "--html", "lost.html")
    assert status == 0
    assert "Not at hand as they played (changed since, or gone): random 0 (0), random 1 (1)." in out
    (line,) = (line for line in out.splitlines() if line.startswith("Bots are looked for by their names"))
    assert line.endswith("One that lies elsewhere is named by --bot SEAT=BOT.")
    assert f" and in {folder}, {folder}/old" in line
    assert "\x1b" not in out
    assert str(folder) not in (folder / "lost.html").read_text()


def test_a_bot_that_was_named_is_said_to_be_another(typed: Type, lost: str) -> None:
    """It plays on; as it is not the program that played, the result says so, and its JSON."""
    both = "--bot", "0=random", "--bot", "1=random"
    _, out, _ = typed("analyse", lost, "--playouts", "40", *both)
    assert "Named by --bot, and not the program that played: random 0 (0), random 1 (1)." in out
    assert "changed since, or gone)" not in out
    found = json.loads(typed("analyse", lost, "--playouts", "40", *both, "--json").out)
    assert found["named"] == [0, 1]
    assert not {"named", "unread"} & json.loads(typed("analyse", lost, "--playouts", "40", "--json").out).keys()


def test_a_bot_that_was_named_and_does_not_play_is_not_said_to(
    typed: Type, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the other one is gone the search plays for both: nobody is told otherwise, and how bots would play."""
    monkeypatch.setattr(Greedy, "names", ("", ""))
    _, out, _ = typed("analyse", lost, "--playouts", "40", "--bot", "1=random")
    assert "the search went on from there" in out
    assert "Named by --bot" not in out
    assert "changed since, or gone): random 0 (0)." in out
    assert "\nBots play on only if each seat has one: name those that are not at hand by --bot, too.\n" in out


def test_bots_of_a_crowd_are_named_all_or_none(
    typed: Type, lost: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's match of many seats is not played on; who names a bot for one of them learns what to do."""
    monkeypatch.setattr(onward, "MAX_SEATS", 1)
    few = "--playouts", "8"
    status, out, err = typed("analyse", lost, *few, "--bot", "1=random")
    assert (status, out) == (2, "")
    assert "of more than 1 seats, unless it is the last one" in err
    assert "give --bot for each of its 2 seats, or leave --bot out." in err
    assert typed("analyse", lost, *few, "--bot", "0=random", "--bot", "1=random").status == 0
    assert typed("analyse", lost, *few).status == 0


def test_in_japanese(typed: Type, lost: str) -> None:
    """The same in Japanese."""
    assert (
        "\n  ターン 5：random 1(席 1)の 0 は負け、2 なら勝ちでした。"
        in typed("analyse", lost, "--playouts", "200", "--lang", "ja")[1]
    )


def test_as_json(typed: Type, lost: str) -> None:
    """Everything, as one document."""
    found = json.loads(typed("analyse", lost, "--playouts", "200", "--json")[1])
    assert [one["turn"] for one in found["chances"]] == list(range(7))
    point = next(one for one in found["points"] if one["turn"] == 5)
    assert (point["better"], point["line"][0]["actions"]) == ("2", {"1": "2"})
    assert point["proven"]


def test_as_a_page(typed: Type, lost: str, folder: Path) -> None:
    """A page with the match, and the file's name on the terminal."""
    status, out, _ = typed("analyse", lost, "--playouts", "40", "--html", "lost.html")
    assert (status, out.splitlines()[-1]) == (0, "To watch in a browser: lost.html")
    assert (folder / "lost.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seat", "2"), "The match has no seat '2'; take one of "),
        (
            ("--seconds", "0"),
            "The analysis needs time: give --seconds a number above 0 and up to 1000000, or --playouts",
        ),
        (
            ("--seconds", "inf"),
            "The analysis needs time: give --seconds a number above 0 and up to 1000000, or --playouts",
        ),
        (("--playouts", "0"), "'--playouts' does not take '0'; it takes a whole number from 1 on"),
        (("--html", "no/where.html"), "no/where.html"),
        (("--bot", "./mine.py"), "--bot takes SEAT=BOT, as 1=./mine.py, not './mine.py'."),
        (("--bot", "1= "), "--bot takes SEAT=BOT, as 1=./mine.py, not '1= '."),
        (("--bot", "2=random"), "The match has no seat '2'; take one of "),
        (("--bot", "1=random", "--bot", "random 1=./mine.py"), "--bot names two bots for seat 1; name one."),
        (("--bot", "1=bots/gone.py"), "bots/gone.py"),
        (("--bot", "1=random", "--by", "uci:engine"), "--bot is for bots that play on; with --by nobody does."),
    ],
)
def test_what_cannot_be_done(typed: Type, lost: str, words: tuple[str, ...], sentence: str) -> None:
    """A mistake of the operator is one sentence, before anything is thought about."""
    status, out, err = typed("analyse", lost, *words)
    assert (status, out) == (2, "")
    assert sentence in err


@pytest.fixture
def fools(folder: Path) -> str:
    """The replay of the shortest mate in chess."""
    replays.save(test_judging.played(*test_judging.FOOLS), folder / "fools.replay")
    return "fools.replay"


@pytest.mark.process
def test_by_an_engine(typed: Type, fools: str, folder: Path) -> None:
    """What an engine says, in its name; in words, as JSON and as a page."""
    by = "--by", test_judging.engine(), "--seconds", "2", "--sandbox", "none"
    status, out, err = typed("analyse", fools, *by, "--html", "fools.html")
    assert status == 0, err
    name = "Fool \N{REPLACEMENT CHARACTER}red"
    assert f"\nDecisions that cost the most, as {name} says\n" in out
    said = f"{name}, depth 7: 40 % before, 0 % (it says mated in 1) after; g1h3 keeps 40 %"
    assert f"\n  turn 2: random 0 (seat 0) played g2g4. {said}\n" in out
    assert f"The curve is what {name} says" in out
    assert "--first 0=g1h3" in out
    assert "Numba" not in err
    assert (folder / "fools.html").exists()
    status, out, _ = typed("analyse", fools, *by, "--json")
    told = json.loads(out)
    assert told["judge"]["name"] == name
    assert told["points"][0]["better"] == "g1h3"


@pytest.mark.process
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--by", "random"), "'random' says no scores; --by takes an engine: uci:PROGRAM, xboard:PROGRAM."),
        (("--by", test_judging.engine(), "--playouts", "3"), "--playouts is for Dohyo's own search"),
        (("--by", test_judging.engine("exit")), "does not judge this match: exit status 3."),
        (("--by", "uci:no-such-engine"), "no-such-engine"),
    ],
)
def test_who_cannot_say_it(typed: Type, fools: str, more: tuple[str, ...], said: str) -> None:
    """One sentence."""
    status, out, err = typed("analyse", fools, "--seconds", "1", "--sandbox", "none", *more)
    assert (status, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_in_a_game_without_engines(typed: Type, lost: str) -> None:
    """Nobody says scores there."""
    status, _, err = typed("analyse", lost, "--by", "random")
    assert status == 2
    assert "Nobody says scores in connect-four; leave out --by." in err


def test_a_hint_where_an_engine_would_know_more() -> None:
    """One line says that there is `--by`; not where the bots that played went on."""
    game, match = games.find("chess"), test_judging.played(*test_judging.FOOLS)
    curve = tuple(Chances(at, (0.5, 0.5), (0, 0), (1, 1)) for at in range(4))

    def told(*, own: bool) -> str:
        out = Console(file=io.StringIO(), width=200)
        found = Analysis("chess", "", ("a", "b"), True, 1, curve, (), (), by=("a", "b"), own=own)
        printed.print_analysis(found, match, "m", game, out, ENGLISH)
        return out.file.getvalue()  # type: ignore[attr-defined, no-any-return]

    hint = "An engine knows more of such matches: name one by --by (uci:PROGRAM, xboard:PROGRAM)."
    assert hint in told(own=False)
    assert hint not in told(own=True)


def test_a_page_of_another_match_is_not_replaced(typed: Type, lost: str, folder: Path) -> None:
    """After another match, the command that a page names would take that match's place: that is one sentence."""
    replays.save(played("3031323"), folder / "other.replay")
    few = "--playouts", "8"
    assert typed("analyse", lost, *few, "--html", "m.html").status == 0
    before = (folder / "m.html").read_bytes()
    status, out, err = typed("analyse", "other.replay", *few, "--html", "m.html")
    assert (status, out) == (2, "")
    assert "'m.html' is the page of another match; give --html another name, or add --force to overwrite it." in err
    assert (folder / "m.html").read_bytes() == before
    assert typed("analyse", lost, *few, "--html", "m.html").status == 0
    assert typed("analyse", "other.replay", *few, "--html", "m.html", "--force").status == 0
    assert (folder / "m.html").read_bytes() != before


def test_without_a_terminal_it_is_said_what_goes_on(typed: Type, lost: str) -> None:
    """That it begins, and how far it is, in lines on standard error; never a bar."""
    err = typed("analyse", lost, "--playouts", "8").err
    assert "Thinking about the match ..." in err
    assert "\r" not in err


def test_while_matches_are_played_on_it_is_said_from_where(
    typed: Type, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which turn, and which decision of how many, in both languages; nothing of positions meanwhile."""
    monkeypatch.setattr(Steps, "SELDOM", 0.0)
    err = typed("analyse", lost, "--playouts", "40").err
    assert "Other actions are tried: turn " in err
    tried = [line for line in err.splitlines() if line.startswith("Other actions are tried: turn ")]
    assert all(re.fullmatch(r".*: turn \d, decision \d of \d", line) for line in tried)
    between = err[err.index(tried[0]) : err.rindex(tried[-1])]
    assert "positions judged" not in between
    assert "ほかの手を試しています：ターン " in typed("analyse", lost, "--playouts", "40", "--lang", "ja").err


def test_a_line_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """While matches are played on and nobody says anything, the seconds that are left are shown again and again."""
    now = [100.0]
    monkeypatch.setattr(command, "monotonic", lambda: now[0])
    monkeypatch.setattr(Steps, "OFTEN", 1000.0)
    trying = Trying("again", 51, 2, 9, 130.0)
    with Steps(ENGLISH) as steps:
        steps.goes_on(lambda: trying_in_words(trying, now[0], ENGLISH))
        for now[0] in (104.0, 112.0, 131.0):
            steps.again()
        steps.goes_on(None)
        now[0] = 200.0
        steps.again()
    said = "What seems better is played on often: turn 51, decision 2 of 9"
    assert capsys.readouterr().err.splitlines() == [f"{said} ({left} s left at most)" for left in (30, 18, 0)]


def test_nothing_is_shown_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who shows a line again and again has ended before the progress is cleared: else it writes over the result."""
    said: list[str] = []

    class Late:
        """A thread that is in the midst of showing its line when the end comes."""

        def __init__(self, **_: object) -> None:
            pass

        def start(self) -> None:
            """It runs."""

        def join(self) -> None:
            """It ends, after its last line."""
            said.append("late")

    monkeypatch.setattr(command, "Thread", Late)
    monkeypatch.setattr(Steps, "show", lambda _, line: said.append(line))
    with Steps(ENGLISH):
        pass
    assert said[-2:] == ["late", ""]


def test_one_line_at_a_time_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads show how far it is: none writes into the other's line."""
    monkeypatch.setattr(Steps, "OFTEN", 1000.0)
    steps, free = Steps(ENGLISH), list[bool]()

    class Screen(io.StringIO):
        """Asks, whenever something is written, whether another thread could write, too."""

        def write(self, text: str) -> int:
            other = Thread(target=lambda: free.append(steps._lock.acquire(blocking=False)))
            other.start()
            other.join()
            return len(text)

    monkeypatch.setattr(sys, "stderr", Screen())
    monkeypatch.setattr(steps, "_is_seen", True)
    with steps:
        steps.goes_on(lambda: "on")
        steps.tell("stays")
    assert len(free) > 3
    assert not any(free)


def test_the_page_says_that_nothing_was_tried() -> None:
    """What the terminal says of decisions for which there was no time stands on the page, too."""
    game, match = games.find("shoot-em-up"), matches.play(games.find("shoot-em-up"), 3).replay
    turns = [turn.turn for turn in match.turns]
    curve = tuple(Chances(at, (0.5, 0.5), (0, 0), (1, 1)) for at in (turns[0], turns[-1]))
    seen = (SeatChance(turns[0], 0, 0.5, 0.4, 0.6, 8, False),)
    found = Analysis("shoot-em-up", "", ("a", "b"), True, 1, curve, seen, (), tried=4, by=("a", "b"))
    everybody = chances.shown(found, game, match, ENGLISH)[0]
    assert "No decision was tried: the time was over" in everybody["points_note"]
    assert "Give more --seconds." in everybody["points_note"]
