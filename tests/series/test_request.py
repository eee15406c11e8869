"""What is asked for: a contest file says the same as flags, and its mistakes are told in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.bots.typed_words import named
from dohyo.core.bot_spec import HandIn
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.series import roster, session
from dohyo.series.contest_file import read_file
from dohyo.series.spec import Contender, Spec, as_stored, difference, of_stored, with_our_word
from tests.series.contests import asked, opened, write_bot

WHOLE = """
name = "class"
game = "drop-block"
format = "swiss"
rounds = 7
seed = 5
bots = ["hunter", "mine", {name = "old", bot = "python3 old.py"}]
folder = "hand-ins"
clock = 0.5
sandbox = "none"
pondering = true
python = "python3"
workers = 3
[setup]
turns = 8
[options]
series = 2
"""


def written(tmp_path: Path, text: str) -> str:
    """The path of a contest file with this text."""
    path = tmp_path / "c.toml"
    path.write_text(text)
    return str(path)


def test_a_whole_file(tmp_path: Path) -> None:
    """Every key is read; paths are relative to the file's folder, names and command lines stay as they are."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "hand-ins").mkdir()
    asked = read_file(written(tmp_path, WHOLE))
    assert (asked.name, asked.game, asked.format, asked.rounds, asked.seed) == ("class", "drop-block", "swiss", 7, 5)
    assert asked.bots == [("", "hunter"), ("", HandIn(str(tmp_path / "mine"))), ("old", "python3 old.py")]
    assert asked.folder == str(tmp_path / "hand-ins")
    assert asked.store == str(tmp_path / "class.db")
    assert (asked.clock, asked.sandbox, asked.pondering, asked.python) == ("0.5", "none", True, "python3")
    assert (asked.setup, asked.options, asked.workers) == ({"turns": 8}, {"series": 2}, 3)


def test_a_short_file(tmp_path: Path) -> None:
    """What is not said is as usual: the file's name, a round-robin of one round, no pondering, the usual sandbox."""
    asked = read_file(written(tmp_path, 'game = "drop-block"\nbots = ["hunter"]\n'))
    assert (asked.name, asked.store, asked.format) == ("c", str(tmp_path / "c.db"), "round-robin")
    assert (asked.rounds, asked.seed, asked.clock, asked.pondering) == (1, None, None, False)
    assert asked.sandbox is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'game = "drop-block"\nround = 3\n',
            r"knows no 'round' \('rounds'\?\); correct '.*c\.toml'\. Known are: name, store, game",
        ),
        ('game = "drop-block"\nrounds = "3"\n', "'rounds' is no text; write it without quotes: rounds = 3"),
        ('game = "drop-block"\npondering = "true"\n', "write it without quotes: pondering = true"),
        ('game = "drop-block"\nrounds = "-3"\n', "'rounds' does not take '-3'; it takes a whole number"),
        ('game = "drop-block"\nrounds = "many"\n', "'rounds' does not take 'many'; it takes a whole number"),
        ('game = "drop-block"\nrounds = true\n', "'rounds' does not take 'True'; it takes a whole number"),
        (
            'game = "drop-block"\nbots = [{nam = "x"}]\n',
            r"knows no 'nam' \('name'\?\); correct '.*c\.toml'\. Known are: name, bot",
        ),
        ('game = "drop-block"\nbots = [{name = "x"}]\n', "'bots' does not take"),
        (
            "game = drop-block  # mine\n",
            r'line 1 of .*c.toml. a text stands without quotes; write.*: game = "drop-block"',
        ),
        ('game = "drop-block"\nformat = swiss\nfolder = hand-ins\n', r'line 2 .*: format = "swiss"'),
        ("game = 'drop-block\nformat = swiss\n", r"c.toml' is no TOML \(.*\)"),
        ("game = 2026-13-40\n", r'write.*: game = "2026-13-40"'),
        ('bots = ["hunter"]\n', "The contest lacks its 'game'"),
        ("game = “wondev-woman”\n", r'In line 1 .* full-width signs or curly .*: game = "wondev-woman"$'),
        ('game = "drop-block"\nrounds = \uff11\uff12  # 2回\n', r"In line 2 .*: rounds = 12  # 2回$"),
        ('game　\uff1d "drop-block"\n', r'In line 1 .*: game = "drop-block"$'),
        ('name = "３年Ｂ組"\ngame = “drop-block”\n', r'In line 2 .*: game = "drop-block"$'),
        ("game = “３年\n", r"Line 1 .*c.toml' is no TOML"),
    ],
)
def test_mistakes_in_a_file(tmp_path: Path, text: str, sentence: str) -> None:
    """A mistake is named with what was probably meant, or what is taken."""
    with pytest.raises(OperatorError, match=sentence):
        read_file(written(tmp_path, text))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp932", "utf-16"])
def test_a_file_as_windows_writes_it(tmp_path: Path, encoding: str) -> None:
    """A file with a mark at its beginning, or in Shift-JIS, means the same."""
    file = tmp_path / "c.toml"
    file.write_bytes('name = "３年Ｂ組 対戦会"\ngame = "drop-block"\n'.encode(encoding))
    assert read_file(str(file)).name == "３年Ｂ組 対戦会"


def test_no_file(tmp_path: Path) -> None:
    """A file that is not there, or is no text, is told."""
    with pytest.raises(OperatorError, match=r"nowhere.toml' cannot be read"):
        read_file(str(tmp_path / "nowhere.toml"))
    for content in (b"\xff\xfe\x00", 'name = "春の大会"\ngame = "drop-block"  # '.encode() + b"\xe3\n"):
        (tmp_path / "c.toml").write_bytes(content)
        with pytest.raises(OperatorError, match="is no TOML"):
            read_file(str(tmp_path / "c.toml"))


def test_names_of_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NAME=BOT names a bot; a file of that name, a path or a command line with such a sign is not taken apart."""
    monkeypatch.chdir(tmp_path)
    assert named("old=mine.cpp") == ("old", "mine.cpp")
    assert named("./a=b/c") == ("", "./a=b/c")
    assert named("python3 x.py --depth=3") == ("", "python3 x.py --depth=3")
    (tmp_path / "a=b").touch()
    assert named("a=b") == ("", HandIn(str(tmp_path / "a=b"), typed="a=b"))


GAME = games.find("drop-block")


def spec(**more: object) -> Spec:
    """A contest's terms."""
    usual: dict[str, object] = {
        "game": "drop-block",
        "format": "swiss",
        "rounds": 3,
        "seed": 1,
        "setup": {"turns": 8},
        "options": {"series": 1, "bosses": ("a", "b")},
        "bots": (Contender("a", HandIn("/x/a")), Contender("b", HandIn("/x/b"))),
        "clock": Clock(turn=0.5, mode="cpu"),
    }
    return Spec(**{**usual, **more})  # type: ignore[arg-type]


def test_terms_come_out_of_a_store_as_they_went_in() -> None:
    """Stored and read, terms are no different, whatever their options hold."""
    read = of_stored(as_stored(spec()))
    assert difference(read, of_stored(as_stored(spec())), GAME) is None
    assert read.clock == spec().clock
    assert read.bots == spec().bots


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"rounds": 4}, ("rounds", "3", "4")),
        ({"setup": {"turns": 9}}, ("setup.turns", "8", "9")),
        ({"options": {"series": 2, "bosses": ("a", "b")}}, ("options.series", "1", "2")),
        ({"clock": None}, ("clock", "0.5,mode=cpu", None)),
        ({"bots": (Contender("a", HandIn("/x/a")),)}, ("bots.b", "/x/b", None)),
        ({"bots": (Contender("b", HandIn("/x/b")), Contender("a", HandIn("/x/a")))}, ("bots", "a, b", "b, a")),
        ({"sandbox": "require"}, ("sandbox", "auto", "require")),
    ],
)
def test_what_differs_is_named(more: dict[str, object], expected: tuple[str, str | None, str | None]) -> None:
    """Of two contests that differ, the first thing in which they do is named, with both values."""
    found = difference(of_stored(as_stored(spec())), of_stored(as_stored(spec(**more))), GAME)
    assert found is not None
    assert (found.key, found.stored, found.given) == expected


def test_where_bots_lie_is_no_difference() -> None:
    """A bot is its name and its content: its folder may be moved."""
    moved = spec(bots=(Contender("a", HandIn("/y/a")), Contender("b", HandIn("/y/b"))))
    assert difference(spec(), moved, GAME) is None


def test_files_with_one_stem_are_told_apart(folder: Path, store: Path) -> None:
    """They are called by their files' whole names; what the operator named keeps its name, and so do others."""
    write_bot(folder / "twin")
    (folder / "twin.py").write_text("print('READY')\n")
    words = [("", str(folder / name)) for name in ("twin", "twin.py", "late")]
    found, _ = roster.gather(games.find("drop-block"), asked(store, folder, bots=words), refuse, session.silent)
    assert [each.contender.name for each in found] == ["twin", "twin.py", "late"]
    words[1] = ("mine", words[1][1])
    found, _ = roster.gather(games.find("drop-block"), asked(store, folder, bots=words), refuse, session.silent)
    assert [each.contender.name for each in found] == ["twin", "mine", "late"]
    words[1] = ("twin", words[1][1])
    with pytest.raises(OperatorError, match="Two bots are called 'twin'"):
        roster.gather(games.find("drop-block"), asked(store, folder, bots=words[1:] * 2), refuse, session.silent)


def refuse(bot: str, error: OperatorError) -> None:
    """No bot is left out."""
    raise error


@pytest.mark.parametrize("now", ["none", "auto"])
def test_a_contest_stays_in_its_sandbox(now: str) -> None:
    """Begun in the sandbox it does not go on with less, by its file or by its store; it is said what to omit."""
    stored = spec(sandbox="require")
    given = difference(stored, replace(stored, sandbox=now), GAME)
    assert given is not None
    with pytest.raises(OperatorError) as caught:
        with_our_word("class", stored, now, None)
    for error in (given.error("class"), caught.value):
        assert error.key == "contest-begun-in-sandbox"
        assert f"omit --trust or --sandbox {now}," in error.say()
    with pytest.raises(OperatorError, match="add --sandbox none"):
        with_our_word("class", replace(stored, sandbox="none"), "require", None)


def test_an_option_that_names_nobody_begins_nothing(folder: Path, store: Path) -> None:
    """A rating of a bot that does not take part is told before anything is stored."""
    wanted = asked(store, folder, "single-elimination", options={"ratings": "nobody=3", "table": 4})
    with pytest.raises(OperatorError) as caught:
        opened(wanted)
    assert caught.value.key == "format-no-bot"
    assert not store.exists()
