"""An operator's word is read once, into a value whose type says what it is."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec
import pytest

from dohyo.bots import archive, resolve, samples
from dohyo.bots.typed_words import named, plain, read, revision
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, CommandLine, Elsewhere, HandIn, Revision, Sample, Speaking, text_of
from dohyo.core.errors import OperatorError

SAMPLES = {"random": Path("/samples/random.py"), "cat": Path("/samples/cat.py")}
UCI = ("DOHYO_PROTOCOL=uci",)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a source and an executable; the home folder holds a source too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("bot.py", "zz", "home/own.py"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / "zz").chmod(0o755)
    return tmp_path


def test_each_word_has_its_type(here: Path) -> None:
    """A path, an address, an engine, a sample bot, a command line, and arguments behind each that takes them."""
    own, zz, at_home = str(here / "bot.py"), str(here / "zz"), str(here / "home" / "own.py")
    expected: dict[str, BotSpec] = {
        "./bot.py": HandIn(own, typed="./bot.py"),
        own: HandIn(own),
        "zz": HandIn(zz, typed="zz"),
        "~/own.py": HandIn(at_home, typed="~/own.py"),
        "http://h:1/a": Elsewhere("http://h:1/a"),
        "random": Sample("random"),
        "RANDOM": Sample("RANDOM"),
        "cat": Sample("cat"),
        "cat x": CommandLine(("cat", "x")),
        "python3 'a b.py'": CommandLine(("python3", "a b.py")),
        "./zz --fast": CommandLine(("./zz", "--fast")),
        "zz --fast": HandIn(zz, ("--fast",), names_files=True, typed="zz"),
        "bot.py --depth 3": HandIn(own, ("--depth", "3"), names_files=True, typed="bot.py"),
        "~/own.py x": HandIn(at_home, ("x",), names_files=True, typed="~/own.py"),
        "random --depth": Sample("random", ("--depth",)),
        "uci:./zz": Speaking(CommandLine(("./zz",)), UCI),
        "uci:bot.py a option.Hash=4": Speaking(
            HandIn(own, ("a",), names_files=True, typed="bot.py"), (*UCI, "DOHYO_PARAM_HASH=4")
        ),
    }
    assert {word: read(word, SAMPLES) for word in expected} == expected


@pytest.mark.parametrize(
    "word",
    [
        "uci:cat",
        "uci:random",
        "uci:./zz --fast",
        "uci:bot.py a option.hash=4 go.nodes=10",
        "uci:./zz 'a b' 'option.skill_level=5' go.depth=3",
    ],
)
def test_an_engine_is_shown_as_it_is_typed(word: str, here: Path) -> None:
    """What an operator is told to type for an engine is `uci:` and its options, and is read as the same engine."""
    shown = text_of(read(word, SAMPLES))
    assert shown == word.replace("'option.skill_level=5'", "option.skill_level=5")
    assert read(shown, SAMPLES) == read(word, SAMPLES)
    flat = CommandLine(("./zz", *UCI, "DOHYO_PARAM_HASH=4"))  # as an archive holds it
    assert text_of(flat) == "uci:./zz option.hash=4"


def test_words_that_an_engine_cannot_have_are_shown_as_they_are() -> None:
    """A command with a word that would be read as another one behind `uci:` is not shown so."""
    for words in (("./zz", *UCI, "option.x=1"), ("go.nodes=1", *UCI), ("./zz", "DOHYO_PARAM_HASH=4")):
        assert text_of(CommandLine(words)) == " ".join(words)


@pytest.mark.parametrize(
    "word", ["uci:sh zz .", "a=random", "git:HEAD", "~", "zz .", "random", "cat", " ", "-x", "http:", "'", "\udcff"]
)
def test_what_is_there_is_that(here: Path, word: str) -> None:
    """Whatever else a word would say: a file of exactly this name is that hand-in, with and without a name."""
    (here / word).write_text("")
    meant = HandIn(str(here / word), typed=word)
    assert (read(word, SAMPLES), named(word), plain(word)) == (meant, ("", meant), meant)
    assert revision(named(word).bot) is None
    (here / word).unlink()
    (here / word).symlink_to("nowhere")
    assert read(word, SAMPLES) == meant
    with pytest.raises(OperatorError, match="is a link to 'nowhere'"):
        resolve([word])


def test_a_link_and_what_is_above_it(here: Path) -> None:
    """Behind a link, `..` is where the link leads, as the system has it."""
    (here / "deep" / "er").mkdir(parents=True)
    (here / "deep" / "bot.py").write_text("")
    (here / "link").symlink_to("deep/er")
    found = read("link/../bot.py")
    assert isinstance(found, HandIn)
    assert os.path.samefile(found.path, here / "deep" / "bot.py")


def test_a_name_and_a_revision(here: Path) -> None:
    """NAME=BOT, where BOT is a hand-in at once, or a word that is read when the game is known."""
    assert named("a=bot.py") == ("a", HandIn(str(here / "bot.py"), typed="bot.py"))
    assert named("a=random") == ("a", "random")
    assert revision(named("a=git:HEAD:x y.py").bot) == Revision("HEAD", "x y.py")
    assert Revision("HEAD", "x").typed == "git:HEAD:x"


@pytest.mark.parametrize("word", ["bot.py --depth 3", "cat 'a b' c", "http://h/", "uci:./zz go.depth=3", "random x"])
def test_what_is_typed_for_it_means_the_same(here: Path, word: str) -> None:
    """The text that messages show for a bot is read as the same command again."""
    first = read(word, SAMPLES)
    assert read(text_of(first), SAMPLES) == first


def test_a_word_that_means_nothing(here: Path) -> None:
    """One sentence, for a word without any content, one that is nowhere, and one without the end of its quote."""
    for word, key in ((" ", "bot-no-name"), ("a\0b", "bot-no-name"), ("nowhere", "bot-unknown")):
        with pytest.raises(OperatorError) as caught:
            read(word, SAMPLES)
        assert caught.value.key == key
    with pytest.raises(OperatorError, match="quote"):
        read("sh 'x", SAMPLES)


def test_arguments_of_an_archive_name_no_files(here: Path) -> None:
    """The operator's arguments show what they name, and its content counts; those of an archive do neither."""
    (here / "book").write_text("1")
    word = f"bot.py {here / 'book'}"
    (here / "bot.py").write_text("print('READY')\n")
    (typed,) = resolve([word])
    assert typed.shown == (str(here / "book"),)
    packed = archive.pack(typed, {})
    assert archive.read(packed).kind == archive.TYPED
    assert archive.read(archive.without_rights(packed)).kind == archive.HAND_IN
    (kept,) = resolve([archive.unpack(packed)])
    (ours,) = resolve([archive.unpack_ours(packed)])
    assert (kept.shown, ours.shown) == ((), typed.shown)
    assert (kept.digest == typed.digest, ours.digest == typed.digest) == (False, True)
    before = kept.digest
    (here / "book").write_text("2")
    assert resolve([archive.unpack(packed)])[0].digest == before


def test_values_are_stored_with_their_type() -> None:
    """As JSON each says what it is, and is that again."""
    for spec in (
        HandIn("/a", ("b",)),
        Sample("random"),
        CommandLine(("a",)),
        Speaking(Sample("x"), UCI),
        Elsewhere("http://h"),
    ):
        again = msgspec.json.decode(msgspec.json.encode(spec), type=BotSpec)
        assert (type(again), again) == (type(spec), spec)


def test_an_unpacked_bot_is_called_by_its_name() -> None:
    """What is wrong with a bot from an archive is told with its own name, and not with a place in the cache."""
    packed = msgspec.msgpack.encode(archive.ArchivedBot("mine", is_folder=True, files={"x": (b"x", False)}))
    with pytest.raises(OperatorError, match="'mine'"):
        resolve([archive.unpack(packed)])


@pytest.mark.parametrize(
    ("own", "typed", "sample"),
    [
        (["cat/main.py"], "cat", "cat.py"),
        (["cat.py"], "cat.py", "cat"),
        (["cat/main.py", "cat.py"], "x=cat", "CAT"),
        (["cat/main.py", "cat.py", "CAT"], "cat", None),
    ],
)
def test_what_hides_a_sample_bot_is_told(own: list[str], typed: str, sample: str | None, tmp_path: Path) -> None:
    """A word that is an own bot's name and a sample's is told in one line, with words that mean either.

    And so they do.
    """
    folder, told = tmp_path / "bots", list[tuple[str, dict[str, object]]]()
    folder.mkdir()
    (folder / "cat.py").write_text("print('READY')\n")
    (tmp_path / "here").mkdir()
    for path in (tmp_path / "here" / name for name in own):
        path.parent.mkdir(exist_ok=True)
        path.write_text("print('own')\n")
    known = samples(folder)
    with contextlib.chdir(tmp_path / "here"), notices.heard_by(lambda key, said: told.append((key, said))):
        word = named(typed)
        resolve([word.bot], known)
        ((key, said),) = told
        assert (key, said["sample"]) == ("bot-hides-sample", sample or str(folder / "cat.py"))
        (yours,), (theirs,) = resolve([str(said["own"])], known), resolve([str(said["sample"])], known)
        assert yours.digest == resolve([word.bot], known)[0].digest != theirs.digest
        assert told == [(key, said)]


def test_a_bot_that_hides_no_sample_is_not_told(here: Path) -> None:
    """By its path, under another name, or from a folder of hand-ins, nobody is told of a sample bot of its name."""
    (here / "random").mkdir()
    (here / "random" / "main.py").write_text("print('READY')\n")
    told: list[str] = []
    with notices.heard_by(lambda key, said: told.append(key)):
        resolve(["./random", "bot.py", HandIn(str(here / "random"), entry=True, typed="random")], SAMPLES)
    assert told == []
