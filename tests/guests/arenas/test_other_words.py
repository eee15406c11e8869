"""Words of fastchess, cutechess and brutaltester: each is understood as ours, or refused by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dohyo.cli import compare, contest
from dohyo.cli.options import command_of
from dohyo.core.errors import OperatorError
from dohyo.guests.arenas import brutaltester, fastchess
from dohyo.guests.engines import words as engines
from dohyo.i18n import LANGUAGES, Speaker

PAGE = Path(__file__).parents[3] / "docs" / "coming-from.md"
TWO = ("-engine", "cmd=./a", "name=A", "-engine", "cmd=./b", "name=B")
GAME = ("-game", "wondev-woman")
SPRT = ("-sprt", "elo0=-5", "elo1=0", "alpha=0.1", "model=logistic", "-rounds", "300")
RUN = "contest run --game wondev-woman A=./a B=./b"


def understood(*words: str) -> str:
    """Our own words for those of fastchess."""
    return " ".join(fastchess.read([*GAME, *words]).words)


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("", f"{RUN} --rounds 2 --workers 1"),
        ("-rounds 100 -repeat -concurrency 4", f"{RUN} --rounds 100 --workers 4"),
        ("-rounds 5 -games 2 -repeat 2 -recover -ratinginterval 10", f"{RUN} --rounds 5 --workers 1"),
        ("-each st=0.25 -srand 7", f"{RUN} --rounds 2 --clock 0.25 --seed 7 --workers 1"),
        ("-each st=1 timemargin=50", f"{RUN} --rounds 2 --clock 1,grace=0.05,strikes=1000000 --workers 1"),
        ("-each tc=10+0.1", f"{RUN} --rounds 2 --clock 10+0.1 --workers 1"),
        ("-each tc=40/1:30", f"{RUN} --rounds 2 --clock 40/90+0 --workers 1"),
        ("-tournament gauntlet -seeds 1", f"{RUN} --format gauntlet --rounds 2 --workers 1"),
        ("-tournament roundrobin -event Cup", f"{RUN} --rounds 2 --workers 1 --name Cup"),
        ("--trust --store=x.db -setup map=any", f"{RUN} --rounds 2 --workers 1 --trust --store x.db --setup map=any"),
        ("-wait 0 -force-concurrency", f"{RUN} --rounds 2 --workers 1"),
    ],
)  # fmt: skip
def test_what_means_the_same(words: str, ours: str) -> None:
    """A contest in their words is this contest in ours."""
    assert understood(*TWO, *words.split()) == ours


def test_pondering_is_for_all_engines_of_a_match() -> None:
    """Behind -each, or behind every -engine; not for some, and not for bots that are no engines."""
    two = ["-engine", "cmd=./a", "name=A", "-engine", "cmd=./b", "name=B"]
    for words in ([*two, "-each", "ponder"], [*two[:3], "ponder", *two[3:], "ponder"]):
        assert " --pondering " in " ".join(fastchess.read(words).words)
        assert " --pondering " in " ".join(fastchess.read([*words, *SPRT]).words)
    assert "--pondering" not in " ".join(fastchess.read(two).words)
    for words, key in (
        ([*two, "ponder"], "words-one-pondering"),
        ([*GAME, *two, "-each", "ponder"], "words-protocol"),
    ):
        with pytest.raises(OperatorError) as error:
            fastchess.read(words)
        assert error.value.key == key


def test_games_with_more_seats() -> None:
    """Where a game has matches of two, these are meant; where it has not, a round is a match from each seat."""
    three = [word for name in "abc" for word in ("-engine", f"cmd=./{name}")]
    assert "--option table=2" in " ".join(fastchess.read(["-game", "abotcalypse", *three]).words)
    assert "table" not in " ".join(fastchess.read(["-game", "drop-block", *three, *three[:2], "-games", "4"]).words)
    with pytest.raises(OperatorError, match=r"write -games 4"):
        fastchess.read(["-game", "drop-block", *three, "-games", "2"])


@pytest.mark.parametrize(
    ("engine", "bot"),
    [
        (("cmd=climber",), "climber"),
        (("cmd=./a", "name=A", "args=--fast 3 'x y'"), "A=./a --fast 3 'x y'"),
        (("cmd=./a", "name=A", "arg=x y", "arg=z"), "A=./a 'x y' z"),
        (("cmd=./a", "name=A", "option.Depth=5"), "A=./a DOHYO_PARAM_DEPTH=5"),
        (("cmd=git:HEAD~1:a.py", "name=old", "restart=on"), "old=git:HEAD~1:a.py"),
    ],
)
def test_an_engine_is_a_bot(engine: tuple[str, ...], bot: str) -> None:
    """A command, its arguments, and values of its parameters, under its name."""
    assert fastchess.read([*GAME, "-engine", *engine, "-engine", "cmd=random"]).words[4] == bot


def test_engines_are_started_anew_where_that_is_said() -> None:
    """`restart=on` means `--restart` of a comparison; a contest always starts its bots for each match."""
    two = ["-engine", "cmd=./a", "restart=on", "-engine", "cmd=./b"]
    assert "--restart" in fastchess.read([*GAME, *two, "-sprt", "elo0=0", "elo1=10"]).words
    off = [word.replace("=on", "=off") for word in two]
    assert "--restart" not in fastchess.read([*GAME, *off, "-sprt", "elo0=0", "elo1=10"]).words
    assert "--restart" not in fastchess.read([*GAME, *two]).words
    for wrong, key in ((off, "words-restart"), (["-engine", "cmd=./a", "restart=x", *two[3:]], "words-value")):
        with pytest.raises(OperatorError) as error:
            fastchess.read([*GAME, *wrong])
        assert error.value.key == key


@pytest.mark.parametrize(
    ("engine", "bot"),
    [
        (("cmd=stockfish", "name=A", "option.Hash=64"), "A=uci:stockfish option.Hash=64"),
        (("cmd=./a", "args=-x y", "option.My Hash=5", "nodes=9"), "uci:./a -x y option.My_Hash=5 go.nodes=9"),
        (("cmd=./a", "plies=3"), "uci:./a go.depth=3"),
        (("cmd=random",), "random"),
        (("cmd=random", "proto=uci"), "uci:random"),
        (("cmd=./a", "name=A", "proto=xboard", "depth=3"), "A=xboard:./a go.depth=3"),
    ],
)  # fmt: skip
def test_an_engine_of_chess(engine: tuple[str, ...], bot: str) -> None:
    """Chess is what is played if nothing else is named, and programs speak UCI there, but for its sample bots."""
    for game in ((), ("-variant", "standard"), ("-game", "chess")):
        words = fastchess.read([*game, "-engine", *engine, "-engine", "cmd=random"]).words
        assert words[2:5] == ("--game", "chess", bot)


@pytest.mark.parametrize("variant", ["fischerandom", "chess960"])
def test_chess960(variant: str) -> None:
    """-variant of both programs is an option of chess, with a book of positions or without, of tests too."""
    for sprt in ((), SPRT):
        words = fastchess.read(["-variant", variant, *TWO, *sprt]).words
        at = words.index("--setup")
        assert words[at : at + 2] == ("--setup", "variant=chess960")
        assert "chess" in words
    book = ("-openings", "file=book.epd", "order=random")
    words = fastchess.read(["-variant", variant, *TWO, *book]).words
    assert [word for word in words if "=" in word][-2:] == ["variant=chess960", "opening=@book.epd"]
    assert "variant=chess960" not in fastchess.read(["-variant", "standard", *TWO]).words


def test_the_name_of_an_option_needs_no_quotes() -> None:
    """What is printed to be copied has `_` for a space, the same bot; other bots' parameters are as before."""
    options = ["-engine", "cmd=/bin/sh", "name=A", "option.Skill Level=1", "option.Hash=16"]
    words = fastchess.read([*options, "-engine", "cmd=/bin/true", "name=B"]).words
    assert "A=uci:/bin/sh option.Skill_Level=1 option.Hash=16" in words
    plain, spaced = (f"uci:/bin/sh 'option.Skill{sign}Level=1'" for sign in "_ ")
    assert engines.parted(plain) == engines.parted(spaced)
    with pytest.raises(OperatorError, match=r"'option\.Skill Level' is not read"):
        fastchess.read([*GAME, *TWO, "-each", "option.Skill Level=1"])


def test_an_external_referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file is taken where a game's name stands; its command line is refused, with all games and the remedy."""
    monkeypatch.chdir(tmp_path)
    Path("rps.toml").write_text('name = "rps"\ncommand = "python3 r.py {P1} {P2}"\nresult = "cgarena"\nplayers = 2\n')
    ours = ("contest", "run", "--game", "rps.toml", "p1=./a", "p2=./b", "--rounds", "2")
    assert brutaltester.read(["-r", "rps.toml", "-p1", "./a", "-p2", "./b", "-n", "4", "-s"]).words[:8] == ours
    for words in ("-game rps.toml", "-variant rps.toml"):
        assert fastchess.read([*words.split(), *TWO]).words[:4] == ours[:4]
    with pytest.raises(OperatorError, match="'-l' is not read: of an external referee's match"):
        brutaltester.read(["-r", "rps.toml", "-p1", "./a", "-p2", "./b", "-l", "logs"])
    for words in (["-r", "java -jar ref.jar", "-p1", "./a", "-p2", "./b"], ["-variant", "atomic", *TWO]):
        reader = brutaltester if words[0] == "-r" else fastchess
        with pytest.raises(OperatorError) as refused:
            reader.read(words)
        told = refused.value.say()
        assert all(name in told for name in ("abotcalypse", "wondev-woman", "chess", "othello", "FILE.toml"))


def test_openings_of_chess() -> None:
    """A book from which each match's seed takes one, of a game 16 plies; other orders and lengths are refused."""
    two = ("-engine", "cmd=a", "-engine", "cmd=b", "-openings")
    for more, notes in (
        ("file=book.epd format=epd order=random start=1", ()),
        ("file=book.epd order=random plies=8", ()),  # plies are of games
        ("file=book.pgn order=random plies=16 policy=default", ()),
        ("file=book.pgn format=pgn order=random", ("words.plies",)),
    ):
        found = fastchess.read([*two, *more.split()])
        assert f"--setup opening=@{more.split()[0].removeprefix('file=')}" in " ".join(found.words)
        assert found.notes == notes
    for more in ("", "order=sequential"):
        with pytest.raises(OperatorError, match="write -openings file=FILE order=random\\."):
            fastchess.read([*two, "file=book.epd", *more.split()])
    with pytest.raises(OperatorError, match="write plies=16, or omit it"):
        fastchess.read([*two, "file=book.pgn", "order=random", "plies=8"])
    book = ("file=book.epd", "order=random")
    assert fastchess.read([*two, *book, "-pgnout", "file=x", "notation=san", "min=true"]).is_bare


def test_sprt_is_a_comparison() -> None:
    """The first engine is the candidate, and the rounds are the most that are played."""
    found = fastchess.read([*GAME, *TWO, *SPRT])
    ours = "compare wondev-woman A=./a B=./b --elo0 -5 --elo1 0 --alpha 0.1 --max-pairs 300 --workers 1"
    assert " ".join(found.words) == ours
    assert found.notes == ("words.sprt", "words.other-elo")


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("-pgnout x.pgn", "--pgn x.pgn"),
        ("-pgnout file=x.pgn append=true -event Cup -site Osaka", "--pgn x.pgn --event Cup --site Osaka"),
        ("-pgnout x.pgn min fi -save kept", "--pgn x.pgn --no-comments --save kept"),
        ("-event Cup -site Osaka", ""),  # they stand nowhere but in the file
    ],
)
def test_a_comparison_writes_its_matches(words: str, ours: str) -> None:
    """The file and its tags are options of the comparison; in games without moves there are no comments."""
    for game, more in ((("-variant", "standard"), ours), (GAME, ours.replace(" --no-comments", ""))):
        found = fastchess.read([*game, *TWO, *SPRT, *words.split()])
        assert " ".join(found.words).partition(" --workers 1")[2].strip() == more
        assert found.pgn is None


def test_how_results_are_printed_changes_no_match() -> None:
    """These words are read, and it is said that the form is ours."""
    words = ["-output", "format=cutechess", "-report", "penta=true", "-resultformat", "wide"]
    for sprt, notes in (((), ()), (SPRT, ("words.sprt", "words.other-elo"))):
        plain, found = fastchess.read([*GAME, *TWO, *sprt]), fastchess.read([*GAME, *TWO, *sprt, *words])
        assert found.words == plain.words
        assert found.notes == (*notes, "words.printed")


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("-n 100 -s -t 4", "--rounds 50 --workers 4"),
        ("-n 2 -i 7 --trust", "--rounds 1 --seed 7 --workers 1 --trust"),
    ],
)
def test_brutaltester(words: str, ours: str) -> None:
    """All players sit in all matches; without -s the seats change all the same, which is said."""
    found = brutaltester.read(["-r", "wondev-woman", "-p1", "./a", "-p2", "python3 b.py", *words.split()])
    words_without_name = [*found.words]
    at = words_without_name.index("--name") if "--name" in words_without_name else 0
    assert words_without_name[at + 1].startswith("wondev-woman-")
    del words_without_name[at : at + 2]
    assert " ".join(words_without_name) == f"contest run --game wondev-woman p1=./a p2=python3 b.py {ours}"
    assert found.notes == (() if "-s" in words.split() else ("words.every-seat",))


def test_another_line_of_brutaltester_is_another_contest() -> None:
    """Both are in one store, each under its own name; the same line, on more workers too, means the same one."""

    def name(*words: str) -> str | None:
        found = brutaltester.read(["-r", "wondev-woman", "-p1", "./a", *words])
        assert found.store == "contest.db"
        return found.name

    first = name("-p2", "./b", "-n", "4")
    assert first is not None
    assert first == name("-p2", "./b", "-n", "4", "-t", "4")
    assert len({first, name("-p2", "./c", "-n", "4"), name("-p2", "./b", "-n", "8")}) == 3
    assert brutaltester.read(["-r", "wondev-woman", "-p1", "a", "-p2", "b", "-n", "2", "-name", "x"]).name == "x"
    assert brutaltester.read(["-r", "wondev-woman", "-p1", "a", "-p2", "b", "-n", "2", "-store", "x.db"]).name is None


def test_brutaltester_with_four_players() -> None:
    """Each seed is played once from every seat, not in every order."""
    players = [word for at in range(1, 5) for word in (f"-p{at}", "random")]
    words = brutaltester.read(["-r", "drop-block", *players, "-n", "8", "-s", "-l", "logs"])
    assert " ".join(words.words[-10:-4]) == "--rounds 2 --option table=4 --option seating=rotations"
    assert words.logs == "logs"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("-maxmoves 40", "'-maxmoves' is not read: a match is played to its end"),
        ("-resign movecount=3 score=400", "'-resign' is not read: a match is played to its end"),
        ("-draw movenumber=40", "-draw movecount="),
        ("-resign movecount=0 score=400", "a number from 1 to 9999"),
        ("-resign movecount=3 score=400 twosided=yes", "true, false"),
        ("-maxmoves 100", "'-maxmoves' is not read"),
        ("-tb x -log file=x -maxmoves 1 -tb y", "'-tb, -maxmoves' are not read: .*; omit them"),
        ("-openings file=x.epd", "'-openings' is not read: a match begins as its seed"),
        ("-noswap", "'-noswap' is not read: each seed is played once from every seat"),
        ("-engine conf=fish", "'conf=fish' is not read: Dohyo has no file of engines"),
        ("-log file=x", "'-log' is not read: what bots are sent"),
        ("-config outname=x", "'-config' is not read: the same words go on"),
        ("-output format=xml", "'-output' does not take 'format=xml'; it takes format=fastchess, format=cutechess"),
        ("-report", "'-report' needs a value: penta=true, penta=false"),
        ("-crc32 pgn=true", "'-crc32' is not read"),
        ("--compliance ./a", "'--compliance' is not read: 'dohyo check GAME BOT'"),
        ("-wait 500", "'-wait 500' is not read"),
        ("-each tc=abc", "'tc=' does not take 'abc'"),
        ("-each st=1 tc=5", "'tc=5' and 'st=1' are two clocks"),
        ("-each st=0", "'st=' does not take '0'"),
        ("-each st=1 -clock 2", "'st=' and '-clock' are two clocks"),
        ("-engine cmd=./c st=3", "'st=' is not the same for all engines"),
        ("-each option.X=1 -engine cmd=./c option.X=2", "'-engine option.X' stands there twice"),
        ("-each nodes=1000", "'nodes=1000' is not read: Dohyo limits how long"),
        ("-each proto=xboard", "'proto=xboard' is not read: bots speak the game's own"),  # no game of engines
        ("-each dir=/tmp", "'dir=/tmp' is not read: a bot runs in a copy"),
        ("-each restart=off", "'restart=off' is not read"),
        ("-each trust", "'trust' is not read"),
        ("-each option.Skill-Level=3", "'option.Skill-Level' is not read"),
        ("-each hash=3", "'hash=3' is neither a word of fastchess or cutechess"),
        ("-engine name=C", "'-engine cmd=' needs a value"),
        ("-engine cmd=./c name=My-Bot cmd=./d", "'-engine cmd' stands there twice"),
        ("-engine cmd=./c 'name=My", "neither a word"),
        ("-engine cmd=x=y", "'x=y' could be read as something else"),
        ("-engine cmd=./c name=a/b", "'name=a/b' cannot be typed as NAME=BOT"),
        ("-games 4", "'-games 4' is not read: a round is a seed"),
        ("-repeat 3", "'-repeat 3' is not read"),
        ("-rounds 0", "'-rounds' does not take '0'; it takes a number from 1"),
        ("-rounds", "'-rounds' needs a value"),
        ("-rounds 3 -rounds 4", "'-rounds' stands there twice"),
        ("-rouns 3", r"'-rouns' is neither .* \('-rounds'\?\)"),
        ("-tournament knockout", "it takes comparison, double-elimination, gauntlet"),
        ("-seeds 2", "'-seeds' does not take '2'"),
        ("-variant atomic", "'-variant' does not take 'atomic'"),
        ("-sprt elo0=0", "'-sprt elo1=' needs a value"),
        ("-sprt elo0=0 elo1=5 model=normalized", "model=normalized' is not read: Elo is logistic"),
        ("-sprt elo0=0 elo1=5 -pgnout file=x append=false", "'append=false' does not go with -sprt"),
        ("-pgnout file=x append=true", "'append=true' is not read: the file has all matches"),
        ("-sprt elo0=0 elo1=5 -store x.db", "'-store' does not go with these words"),
        ("-sprt elo0=0 elo1=5 -engine cmd=./c", "-sprt compares two engines, not 3"),
        ("-save x", "'-save' does not go with these words; it belongs to dohyo compare"),
        ("-pgnout x.pgn nodes=true", "'nodes=true' is not read"),
        ("-pgnout x.pgn notation=san", "'notation=san' is not read"),
        ("-pgnout min", None),
        ("-event a -name b", "'-event' and '-name' both name the contest"),
        ("-game drop-block", "'-game' stands there twice"),
    ],
)
def test_what_means_something_else(words: str, sentence: str | None) -> None:
    """It is refused in one sentence that names the word and the remedy, in every language."""
    if sentence is None:  # a file of that name
        assert fastchess.read([*GAME, *TWO, *words.split()]).pgn == "min"
        return
    with pytest.raises(OperatorError, match=sentence.replace("+", r"\+")) as refused:
        fastchess.read([*GAME, *TWO, *words.split()])
    for language in LANGUAGES:
        assert "\n" not in refused.value.say(Speaker(language))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("-p1 a -p2 b", "'-r' needs a value: abotcalypse"),
        ("-r wondev-woman -p1 a", "'-p2' needs a value"),
        ("-r referee.jar -p1 a -p2 b", "'referee.jar' is none of the games here"),
        ("-r drop-block -p1 a -p2 b", "drop-block is played by 4 bots, not 2"),
        ("-r wondev-woman -p1 a -p2 b -n 3", "'-n 3' is not read.* write -n 4"),
        ("-r wondev-woman -p1 a -p2 b -n 2 -v", "'-v' is not read"),
        ("-r wondev-woman -p1 a -p2 b -n 2 -o", "'-o' is not read: referees of CodinGame's old protocol"),
        ("-r wondev-woman -p1 a -p2 b -n 2 -game drop-block", "'-game' does not go with these words"),
        ("-r wondev-woman -p1 a -p2 b -n 2 -x", "'-x' is neither a word of brutaltester"),
        ("-r wondev-woman -p1 a -p2 b -n 2 -i -3", "'-i' does not take '-3'"),
    ],
)
def test_what_brutaltester_means_otherwise(words: str, sentence: str) -> None:
    """The same for brutaltester's words."""
    with pytest.raises(OperatorError, match=sentence):
        brutaltester.read(words.split())


def test_without_a_game() -> None:
    """Who names no game means chess, and is told what there is where chess is not."""
    with pytest.raises(OperatorError, match=r"'atomic' is none of the games here; say which one with -game GAME: "):
        fastchess.read([*TWO, "-variant", "atomic"])


OPTIONS = sorted(
    {f"-{name}" for name in ("engine", "each", *fastchess.READ, *fastchess.REFUSED, "game", "store", "trust", "lang")}
    | {"-r", "-p1", "-p2", "-n", "-t", "-s", "-l", "-i", "--", "-", "-\0"}
)
VALUES = [
    "cmd=climber",
    "cmd=./a --x",
    "name=A",
    "name=B",
    "st=1",
    "tc=40/60+1",
    "tc=inf",
    "option.Hash=64",
    "args='",
]
VALUES += [
    "elo0=0",
    "elo1=5",
    "model=bayesian",
    "wondev-woman",
    "drop-block",
    "2",
    "-1",
    "99999999999999999999",
    "=",
    "",
]
VALUES += ["file=x.pgn", "min", "round-robin", "standard", "\udcff", "a\nb", "x" * 5000, "٣", "1e3", "timemargin=9"]
MIXED = st.lists(st.sampled_from(OPTIONS) | st.sampled_from(VALUES) | st.text(max_size=6), max_size=14)


def tried(do: Callable[[], Any]) -> tuple[Any, Any]:
    """What a function returns, and none; or none, and how it refuses."""
    try:
        return do(), None
    except OperatorError as refused:
        return None, refused


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(words=MIXED, whole=st.booleans())
@example(words=["-srand", "9" * 18], whole=True)
@example(words=["-clock", "1", "-lang", "zz"], whole=True)
def test_any_mixture_is_understood_or_refused(words: Sequence[str], whole: bool) -> None:
    """Nothing but an `OperatorError` is raised, its sentence can be said, and what is understood can be typed."""
    for read in (fastchess.read, brutaltester.read):
        begun = (
            []
            if not whole
            else [*GAME, *TWO]
            if read is fastchess.read
            else ["-r", *GAME[1:], "-p1", "a", "-p2", "b"]
        )
        found, refused = tried(lambda read=read, begun=begun: read([*begun, *words]))
        if found is None:
            assert all(refused.say(Speaker(language)) for language in LANGUAGES)
            continue
        first, *rest = found.words
        ours = command_of((contest if first == "contest" else compare).app)
        if first == "contest":
            ours, rest = ours.commands[rest[0]], rest[1:]
        _, refused = tried(lambda ours=ours, rest=rest: ours.make_context("dohyo", list(rest)))
        assert getattr(refused, "key", "unknown-language") == "unknown-language"


def test_the_page_names_every_word() -> None:
    """docs/coming-from.md has a row for each word that is read, passed over, or refused."""
    page = PAGE.read_text(encoding="utf-8")
    told = {word for span in re.findall(r"`([^`]*)`", page) for word in re.findall(r"-{0,2}[A-Za-z][\w.-]*", span)}
    words = {*fastchess.READ, *fastchess.REFUSED, *fastchess.WITHOUT_EFFECT, *fastchess.ALWAYS_SO, "engine", "each"}
    assert not {word for word in words if f"-{word}" not in told and f"--{word}" not in told}
    of_engines = {*fastchess.OF_ENGINES, *fastchess.REFUSED_OF_ENGINES}
    assert not {word for word in of_engines if word not in told}
    assert not {word for word in (*brutaltester.READ, "v", "o") if f"-{word}" not in told}
