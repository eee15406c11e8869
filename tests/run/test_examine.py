"""Examining bots: what each kind of mistake is called, at which turn and line, and that nobody is left."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.errors import BuildError, OperatorError
from dohyo.core.words import LANGUAGES
from dohyo.run import examine as examining
from dohyo.run import walk as walking
from dohyo.run.examine import examine
from dohyo.run.findings import Examination, Finding
from tests import skips
from tests.run.conftest import Bot

DROP_BLOCK = games.find("drop-block")
WONDEV_WOMAN = games.find("wondev-woman")
LONG = 60.0  # seconds: for whatever must come on any machine
SHORT = 0.05  # seconds: for what never comes
PATIENT = Clock(turn=LONG, ready=LONG)
SILENT = Clock(turn=SHORT, ready=LONG)  # for bots that are ready and then say nothing

BEGIN = """
import sys
lines = sys.stdin.readline
def say(text):
    sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()
def turn(count=13):
    read = [lines() for _ in range(count)]
    if not read[-1]:
        raise SystemExit
    return read
sizes = []
def wondev(again=False, actions=True):
    global sizes
    sizes = sizes if sizes and not again else [int(lines()), int(lines())]
    rest = [lines() for _ in range(sizes[0] + 2 * sizes[1])]
    if not rest[-1]:
        raise SystemExit
    count = int(lines())
    return [lines().strip() for _ in range(count)] if actions else ["MOVE&BUILD 0 N S"]
"""

Make = Callable[[str], str]


@pytest.fixture(autouse=True)
def _waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long for what must come, and not at all for what never does; each test says which of them it needs."""
    for name, seconds in {"LATE": SHORT, "NEXT": SHORT, "LONGER": SHORT, "SHORT": SHORT, "LATEST": LONG}.items():
        monkeypatch.setattr(walking, name, seconds)


@pytest.fixture
def made(tmp_path: Path, nobody_left: None) -> Make:
    """Make a bot in Python: the command line that runs `body`."""

    def make(body: str) -> str:
        path = tmp_path / "bot.py"
        path.write_text(BEGIN + body)
        return f"{sys.executable} -I -S {path}"

    return make


def wrong(examination: Examination) -> list[str]:
    """The keys of what is wrong, without their beginning; every sentence and remedy can be said."""
    for finding in examination.findings:
        for language in LANGUAGES:
            assert "{" not in finding.say(language) + finding.advice(language) + finding.where(language)
    return [finding.key.removeprefix("check.") for finding in examination.wrong]


def only(examination: Examination) -> Finding:
    """The one thing that is wrong."""
    assert len(examination.wrong) == 1, examination.wrong
    return examination.wrong[0]


def walked(bot: str, clock: Clock = PATIENT) -> Examination:
    """A bot of Drop-Block walked alone."""
    return examine(DROP_BLOCK, bot, clock=clock, matches=0)


def test_a_good_bot(bot: Bot) -> None:
    """A bot that does nothing wrong is fit, was played from two seats, and its times stand beside the limits."""
    found = examine(DROP_BLOCK, bot(), clock=Clock(turn=LONG, first=2 * LONG, ready=LONG), setup={"turns": 12})
    assert wrong(found) == []
    assert found.fit
    assert [finding.key for finding in found.findings if finding.severity == "fine"] == [
        "check.started",
        "check.ready",
        "check.answers",
        "check.played",
    ]
    assert found.matches == 2
    assert found.turns == 3 + 2 * 3  # of twelve turns a seat has three: alone, and in each match
    assert (found.limit, found.first_limit) == (LONG, 2 * LONG)
    assert found.median is not None
    assert found.longest is not None
    assert found.share is not None
    assert found.median <= found.longest < LONG
    assert 0 < found.share < 1


@pytest.mark.parametrize("game", sorted(games.all_games()))
def test_every_game(game: str, nobody_left: None) -> None:
    """The sample bot of every game is fit."""
    options = {option.name for option in games.find(game).options}
    short = {name: 8 for name in ("turns", "pairs") if name in options}
    found = examine(games.find(game), "random", clock=PATIENT, setup=short, matches=1)
    assert wrong(found) == []
    assert found.turns > 0


def test_small_letters(made: Make) -> None:
    """A small letter is told with the capital that was meant, where it was written, and after which input."""
    found = walked(made("say('READY\\n')\nwhile turn(): say('u\\n')"))
    finding = only(found)
    assert (finding.key, finding.turn, finding.line, finding.count) == ("check.case", 1, 2, 5)
    assert finding.details["meant"] == "U"
    assert "'u'" in finding.say()
    assert "U" in finding.advice()
    assert finding.input is not None
    assert finding.input.startswith("0\n0\n0 0 0 0 0 0\n")
    assert finding.input.endswith("EOD\n")


@pytest.mark.parametrize(
    ("written", "key", "told"),
    [
        ("LEFT", "spelling", "L"),
        ("'U'", "spelling", "U"),
        ("42", "malformed", "U  R  D  L  A  N"),
        ("", "empty-line", "U  R  D  L  A  N"),
        ("\\ufeffU", "utf8-mark", "without"),
    ],
)
def test_lines_that_are_no_action(made: Make, written: str, key: str, told: str) -> None:
    """Each kind of line that is no action has its own name, and says what is legal or was meant."""
    finding = only(walked(made(f'say("READY\\n")\nwhile turn(): say("{written}\\n")')))
    assert finding.key == f"check.{key}"
    assert told in finding.say() + finding.advice()


def test_bytes_that_are_no_text(made: Make) -> None:
    """What is not UTF-8 is told, alone and in matches; UTF-16 by its own name."""
    latin = made("say('READY\\n')\nwhile turn(): sys.stdout.buffer.write(b'\\xe9\\n'); sys.stdout.flush()")
    finding = only(examine(DROP_BLOCK, latin, clock=PATIENT, setup={"turns": 8}, matches=1))
    assert (finding.key, finding.count) == ("check.encoding", 2 + 2)
    assert "'\\xe9'" in finding.say()
    wide = made("say('READY\\n')\nwhile turn(): sys.stdout.buffer.write('U\\n'.encode('utf-16')); sys.stdout.flush()")
    assert "utf16" in wrong(walked(wide))


def test_a_forgotten_flush(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that come together when the input is closed stay in a buffer; the remedy is in the bot's language."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")  # who has set this still hears of it
    finding = only(walked(made("say('READY\\n')\nwhile turn(): print('U')"), SILENT))
    assert (finding.key, finding.turn, finding.details["lines"]) == ("check.flush", 1, 2)
    assert "flush=True" in finding.advice()


def test_a_forgotten_flush_of_ready(made: Make) -> None:
    """When the word itself stays in the buffer, that is told, and not that there is no such word."""
    finding = only(walked(made("print('READY')\nwhile turn(): print('U')"), Clock(turn=LONG, ready=SHORT)))
    assert (finding.key, finding.details["lines"]) == ("check.flush", 3)


def test_a_forgotten_flush_in_c(tmp_path: Path, nobody_left: None) -> None:
    """A program in C++ is built, its forgotten flush found, and the remedy is C++."""
    skips.program("g++")
    source = tmp_path / "bot.cpp"
    source.write_text(
        "#include <cstdio>\n#include <cstring>\nint main() {\n    char word[99];\n"
        '    puts("READY");\n    fflush(stdout);\n'
        '    while (scanf("%98s", word) == 1)\n        if (!strcmp(word, "EOD")) puts("U");\n}\n'
    )
    finding = only(walked(str(source), SILENT))
    assert finding.key == "check.flush"
    assert "std::endl" in finding.advice()


def test_input_read_to_its_end(made: Make) -> None:
    """One answer, when the input is closed after two turns: it was read to the end first."""
    assert wrong(walked(made("say('READY\\n')\nsys.stdin.read()\nsay('U\\n')"), SILENT)) == ["until-end"]


def test_more_lines_awaited_than_sent(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that comes with the next turn's input tells that the bot waits for more lines."""
    monkeypatch.setattr(walking, "NEXT", LONG)
    finding = only(walked(made("say('READY\\n')\nwhile turn(14): say('U\\n')"), SILENT))
    assert (finding.key, finding.turn, finding.details["lines"]) == ("check.waits-for-more", 1, 13)


def test_fewer_lines_read_than_sent(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that crashes over lines that it left unread is told how many it reads, which is the first one left, and
    where it crashed."""
    monkeypatch.setattr(walking, "LONGER", 2.0)  # it has answered once already: so long it does not take again
    found = walked(made("say('READY\\n')\nwhile True:\n    number = int(turn(12)[0])\n    say('U\\n')"))
    assert wrong(found) == ["reads-too-few", "exited"]
    few, crashed = found.wrong
    assert (few.turn, few.details["read"], few.details["left"]) == (2, 12, "'EOD'")
    assert crashed.turn == 2
    assert "bot.py:" in crashed.say()
    assert "ValueError: invalid literal for int() with base 10: 'EOD" in crashed.say()
    assert "Traceback" in crashed.errors


def test_fewer_lines_read_without_harm(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that leaves a line unread and copes with it is warned, and fit all the same."""
    monkeypatch.setattr(walking, "SHORT", LONG)
    monkeypatch.setattr(walking, "LONGER", 2.0)
    body = "say('READY\\n')\nturn(12)\nsay('U\\n')\nwhile turn(13): say('U\\n')"
    found = walked(made(body))
    assert found.fit
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert (warned.key, warned.details["read"]) == ("check.reads-too-few", 12)


def test_two_answers(made: Make) -> None:
    """A second answer in one turn is told with its line, counted in every turn, and in matches not told again."""
    bot = made("say('READY\\n')\nwhile turn(): say('U\\nR\\n')")
    finding = only(examine(DROP_BLOCK, bot, clock=PATIENT, setup={"turns": 8}, matches=1))
    assert (finding.key, finding.turn, finding.line, finding.written) == ("check.two-answers", 1, 3, "R")
    assert finding.count >= 2 + 1


def test_debugging(made: Make) -> None:
    """Other lines beside the answer are debugging output; before READY they are worth a warning."""
    found = walked(made("say('hello\\nREADY\\n')\nwhile turn(): say('thinking\\nU\\n')"))
    finding = only(found)
    assert (finding.key, finding.turn, finding.line, finding.written) == ("check.debugging", 1, 3, "thinking")
    assert "standard error" in finding.advice()
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert warned.key == "check.before-ready"
    assert "'hello'" in warned.say()


def test_output_before_any_input(made: Make) -> None:
    """A line that nobody asked for is told, and so is a flood of them."""
    early = made("say('READY\\nU\\n')\nwhile turn(): say('U\\n')")
    assert "unasked" in wrong(walked(early))
    flood = made("say('READY\\n' + 'U\\n' * 1000)\nwhile True: say('U\\n' * 1000)")
    assert wrong(walked(flood)) == ["output"]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("say('Ready\\n')\nturn()", "ready-spelling"),
        ("turn()\nsay('READY\\n')\nturn()", "ready-after-input"),
        ("while turn(): say('U\\n')", "no-ready"),
        ("turn(1000)", "no-ready"),
        ("raise KeyError('no file')", "ended-before-ready"),
    ],
)
def test_not_ready(made: Make, monkeypatch: pytest.MonkeyPatch, body: str, key: str) -> None:
    """Why a bot did not say in time that it is ready: misspelt, too late, not at all, or it had ended."""
    monkeypatch.setattr(walking, "NEXT", SHORT if key == "no-ready" else LONG)
    limits = Clock(turn=LONG, ready=SHORT if "turn" in body and key != "ready-spelling" else 2.0)
    finding = only(walked(made(body), limits))
    assert finding.key == f"check.{key}"
    if key == "ended-before-ready":
        assert "KeyError: 'no file'" in finding.say()


def test_ready_too_late(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is ready too late is told so, and walked all the same."""
    monkeypatch.setattr(walking, "LATE", LONG)
    monkeypatch.setattr(walking, "LATEST", LONG)
    bot = made("say('READY\\n')\nwhile turn(): say('u\\n')")
    assert wrong(walked(bot, Clock(turn=LONG, ready=1e-9))) == ["ready-late", "case"]


@pytest.mark.parametrize(
    ("body", "key", "turn", "told"),
    [
        ("turn()\nsay('U\\n')", "one-turn", 2, "loop"),
        ("turn()", "ended", 1, "go on"),
        ("[(turn(), say('U\\n')) for _ in range(3)]", "ended-later", 4, "3 answers"),
        ("turn()\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "killed", 1, "SIGSEGV"),
        ("turn()\nimport os\nos.close(1)\nturn(1000)", "closed", 1, "closed"),
    ],
)
def test_programs_that_end(made: Make, body: str, key: str, turn: int, told: str) -> None:
    """A program that ends, is killed or closes its output is told by that name, in the turn in which it happened."""
    limits = SILENT if key == "closed" else PATIENT
    finding = only(walked(made(f"say('READY\\n')\n{body}"), limits))
    assert (finding.key, finding.turn) == (f"check.{key}", turn)
    assert told in finding.say() + finding.advice()


def test_no_newline(made: Make) -> None:
    """An answer without its newline is never complete."""
    finding = only(walked(made("say('READY\\n')\nwhile turn(): say('U')"), Clock(turn=2.0, ready=LONG)))
    assert (finding.key, finding.turn, finding.line) == ("check.no-newline", 1, 2)


def test_silence(made: Make) -> None:
    """A bot that never answers is told that nothing helped, with the last lines of its standard error."""
    body = "say('READY\\n')\nprint('reading', file=sys.stderr, flush=True)\nwhile turn(): pass"
    finding = only(walked(made(body), SILENT))
    assert finding.key == "check.no-answer"
    assert finding.errors == "reading"


def test_too_slow(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that comes after the limit is too slow, and nothing else."""
    monkeypatch.setattr(walking, "LATE", LONG)
    finding = only(walked(made("say('READY\\n')\nwhile turn(): say('U\\n')"), Clock(turn=1e-9, ready=LONG)))
    assert (finding.key, finding.turn) == ("check.too-slow", 1)


def test_wondev_woman_sizes_read_again(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two numbers that come only once, awaited in every turn: found in the second one, with its input."""
    monkeypatch.setattr(walking, "NEXT", LONG)
    bot = made("while True: say(wondev(again=True)[0] + '\\n')")
    found = examine(WONDEV_WOMAN, bot, clock=Clock(turn=SHORT, first=LONG), matches=0)
    finding = found.wrong[-1]
    assert finding.turn == 2
    assert finding.key in ("check.waits-for-more", "check.exited")
    assert finding.input is not None
    assert re.fullmatch("[0-9.]{5,7}", finding.input.splitlines()[0])


def test_wondev_woman_actions_not_read(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that leaves the list of actions unread is told the line at which it stops reading."""
    monkeypatch.setattr(walking, "LONGER", 2.0)
    found = examine(WONDEV_WOMAN, made("while True: say(wondev(actions=False)[0] + '\\n')"), clock=PATIENT, matches=0)
    assert wrong(found)[-2:] == ["reads-too-few", "exited"]
    assert re.fullmatch(r"'(MOVE|PUSH)&BUILD \d \w+ \w+'", found.wrong[-2].details["left"])


def test_wondev_woman_misspelt(made: Make) -> None:
    """Of many legal actions the nearest is named; one mistake does not end the walk."""
    bot = made("while True: say(wondev()[0].replace('&BUILD', '') + '\\n')")
    finding = only(examine(WONDEV_WOMAN, bot, clock=PATIENT, setup={"league": "wood3"}, matches=0))
    assert (finding.key, finding.count) == ("check.spelling", walking.STEPS)
    assert finding.details["meant"].startswith("MOVE&BUILD 0 ")


def test_wondev_woman_not_allowed(made: Make) -> None:
    """An action that can be read, but is not legal here, is told with some that are."""
    finding = examine(
        WONDEV_WOMAN, made("while wondev(): say('PUSH&BUILD 0 N N\\n')"), clock=PATIENT, matches=0
    ).wrong[0]
    assert finding.key == "check.illegal"
    assert "MOVE&BUILD" in finding.advice()


def test_a_match_shows_more(made: Make) -> None:
    """What goes wrong only in a match is told with the match, the bot's own turn, and the input of that turn."""
    body = (
        "say('READY\\n')\nfor n in range(100):\n    turn()\n    if n == 6: sys.exit('out of ideas')\n    say('U\\n')"
    )
    found = examine(DROP_BLOCK, made(body), clock=PATIENT, setup={"idle": "yes"}, matches=1)
    finding = only(found)
    assert (finding.key, finding.match, finding.turn) == ("check.exited", 1, 7)
    assert "out of ideas" in finding.say()
    assert finding.input is not None
    assert finding.input.startswith("0\n24\n")


def test_a_match_is_cut_short(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that takes too long ends early, and its turns count."""
    monkeypatch.setattr(examining, "MATCH_SECONDS", 0.0)
    found = examine(DROP_BLOCK, bot(), clock=PATIENT, matches=1)
    assert found.fit
    assert "check.cut-short" in [finding.key for finding in found.findings]
    assert found.turns == walking.STEPS + 1


def test_operators_mistakes(tmp_path: Path) -> None:
    """A bot that is not there or does not build, a wrong seed, clock or setup are the operator's mistakes."""
    with pytest.raises(OperatorError, match="no bot"):
        examine(DROP_BLOCK, "nowhere.py")
    for wrongly in ({"seed": -1}, {"clock": "slow"}, {"setup": {"turn": 1}}):
        with pytest.raises(OperatorError):
            examine(DROP_BLOCK, "random", **wrongly)  # type: ignore[arg-type]
    skips.program("g++")
    (tmp_path / "broken.cpp").write_text("int main() { return x; }")
    with pytest.raises(BuildError, match="does not build"):
        examine(DROP_BLOCK, str(tmp_path / "broken.cpp"))


def test_interrupted(made: Make, monkeypatch: pytest.MonkeyPatch, nobody_left: None) -> None:
    """An interrupt in the midst of the walk ends it, and nobody is left running."""

    def interrupt(walk: walking.Walk, *_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(walking.Walk, "_weigh", interrupt)
    with pytest.raises(KeyboardInterrupt):
        walked(made("say('READY\\n')\nwhile turn(): say('U\\n')"))
