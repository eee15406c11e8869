"""What is said to do about a crash: the line to mend, the file to save anew, the Python that has a module."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import bots, games
from dohyo.bench.check.crashes import for_python, is_class
from dohyo.bench.check.diagnosis import diagnose_fault, diagnose_line
from dohyo.bench.check.findings import Finding
from dohyo.bots import Bot
from dohyo.core.bot_spec import HandIn
from dohyo.core.faults import Fault, FaultKind
from dohyo.i18n import ENGLISH, Speaker

TRACEBACK = 'Traceback (most recent call last):\n  File "/bot/np.py", line 3, in <module>\n'
SYNTAX = '  File "/bot/np.py", line 7\n    def f(:\n          ^\nSyntaxError: invalid syntax\n'
SHIFT_JIS = (
    "SyntaxError: Non-UTF-8 code starting with '\\x83' in file /bot/np.py on line 1, but no encoding declared; see"
)
OLD_SHIFT_JIS = (
    '  File "/bot/np.py", line 1\n'
    "SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0x83 in position 2: invalid start byte\n"
)
NO_MODULE = f"{TRACEBACK}    import numpyx\nModuleNotFoundError: No module named 'numpyx'\n"
NO_ACT = f"{TRACEBACK}NotImplementedError: MyBot has no method act(self, observation)\n"


def crashed(errors: str, path: str = "", language: str = "python") -> Finding:
    """The finding for a program that wrote this and ended in its first turn."""
    return diagnose_fault(Fault(FaultKind.EXITED, status=1), 1.0, 1, errors, language, path)


@pytest.mark.parametrize(
    ("errors", "advice"),
    [
        (SYNTAX, "Python cannot read line 7 of np.py, so nothing ran: mend that line, or the one above it."),
        (SHIFT_JIS, "Save np.py as UTF-8: it is in another encoding, such as Shift-JIS."),
        (OLD_SHIFT_JIS, "Save np.py as UTF-8: it is in another encoding, such as Shift-JIS."),
        (NO_MODULE, "The Python that runs bots does not have 'numpyx'. Name one that has it: --python PATH here"),
        (NO_ACT, "Write the method 'act(self, observation)' in your class"),
        (f"{TRACEBACK}KeyError: 'no'\n", "Mend line 3 of np.py;"),
    ],
)
def test_the_remedy_is_about_the_line(errors: str, advice: str) -> None:
    """What to do about that line, and not that a bot has to go on."""
    assert crashed(errors).advice(ENGLISH).startswith(advice)


def test_in_japanese_a_file_in_shift_jis_is_saved_anew() -> None:
    """In the words of an editor's menu."""
    assert "UTF-8 で保存し直してください" in crashed(SHIFT_JIS).advice(Speaker("ja"))


def test_where_nothing_is_known_of_the_place_the_remedy_is_general() -> None:
    """A program that says nothing of where it failed has to go on; another language's words mean nothing here."""
    assert crashed("").remedy == "check.exited.do"
    assert crashed(NO_ACT, language="c").remedy == "check.exited.there"


def test_a_module_that_lies_beside_the_file_was_not_handed_in(tmp_path: Path) -> None:
    """Then the folder has to be handed in, and no other Python helps."""
    bot = tmp_path / "np.py"
    bot.write_text("import numpyx")
    assert crashed(NO_MODULE, str(bot)).remedy == "check.no-module"
    (tmp_path / "numpyx.py").write_text("")
    assert crashed(NO_MODULE, str(bot)).remedy == "check.sees-its-copy"


def test_a_class_whose_act_returns_none_is_told_so(tmp_path: Path) -> None:
    """It prints nothing itself, so it has no newline too many; a program that prints may have one."""
    file = tmp_path / "np.py"
    bot = Bot("np", ("python3",), str(tmp_path), "", "python", spec=HandIn(str(file)))
    file.write_text("import dohyo\nclass MyBot(dohyo.Bot):\n    def act(self, observation):\n        pass\n")
    assert is_class(bot)
    assert "'act' returned None" in for_python(empty(), bot).advice(ENGLISH)
    file.write_text("while True:\n    print()\n")
    assert for_python(empty(), bot).remedy == "check.empty-line.do"
    file.unlink()
    assert not is_class(bot)


def test_a_function_that_returns_nothing_is_told_so() -> None:
    """Python writes None for it."""
    bot = Bot("np", ("python3",), "", "", "python")
    found = diagnosed(b"None")
    assert for_python(found, bot).advice(ENGLISH).startswith("Python writes None for what a function without")
    assert for_python(diagnosed(b"None"), bots.Bot("np", ("a",), "", "", "c")).remedy == "check.malformed.do"


def empty() -> Finding:
    """The finding for an empty line."""
    return diagnosed(b"")


def diagnosed(line: bytes) -> Finding:
    """The finding for a line in the first turn of connect four."""
    game = games.find("connect-four")
    found = diagnose_line(game, game.rules.LAYOUT.new(), 0, line)
    assert isinstance(found, Finding)
    return found
