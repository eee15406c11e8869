"""What the coach names: planted weaknesses, nothing of plain bots; in words, as JSON, as a page, of a store.

The kinds of `benchmarks/coach.py`, a few of them, in few matches of Shoot-Em-Up; all of them are measured there.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.replay import Replay
from dohyo.core.replay_format import encode
from dohyo.guests.coach import coaching
from dohyo.guests.coach.chances import Regression, solved
from dohyo.guests.coach.coaching import coached
from dohyo.guests.coach.entries import SAID
from dohyo.guests.coach.findings import Report
from dohyo.guests.coach.inputs import fisher
from dohyo.guests.coach.matches import gathered, unknown
from dohyo.guests.coach.page import page
from dohyo.guests.coach.sentences import commands, told
from dohyo.i18n import ENGLISH, Speaker
from tests.cli.conftest import Type

pytestmark = pytest.mark.xdist_group("coach")

Make = Callable[[str], Path]


@pytest.fixture(scope="module")
def benchmark(root: Path) -> dict[str, Any]:
    """The benchmark's functions, by name."""
    return runpy.run_path(str(root / "benchmarks" / "coach.py"))


@pytest.fixture(scope="module")
def make(benchmark: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """A folder with the replays of a kind, made once."""
    folder = tmp_path_factory.mktemp("coach")

    def made(name: str) -> Path:
        benchmark["make"](folder, name, 5, 60)
        return folder / f"{name}-5"

    return made


def report(place: Path, bot: str = "coached") -> Report:
    """What is said of the bot in a folder."""
    return coached(gathered([str(place)], bot, 1000))


def test_a_weakness_is_named_first(make: Make) -> None:
    """A bot that plays badly from one seat: the seat, what it cost, and a match of it that was not won."""
    found = report(make("bad-seat"))
    first = found.findings[0]
    assert (first.kind, first.name) == ("seat", "1")
    assert first.low is not None
    assert first.cost is not None
    assert 0 < first.low < first.cost
    assert first.watch is not None
    assert first.watch.seat == 1
    assert found.beside == 90


def test_a_fault_is_named_with_its_input(make: Make) -> None:
    """A bot that writes half a line when it was hit: the line, that it was hit, the command for that very turn."""
    found = report(make("malformed-when-hit"))
    first = found.findings[0]
    assert (first.kind, first.name) == ("fault", "malformed")
    assert "was_hit" in {one.name for one in first.where}
    assert first.facts["reply"] == "S 1"
    watch = first.watch
    assert watch is not None
    assert commands(first)["rerun"] == f"dohyo rerun {watch.file} {watch.seat} BOT --until {watch.turn}"
    game = gathered([str(make("malformed-when-hit"))], "coached", 1).game
    lines = told(first, game, ENGLISH)
    assert lines[0].startswith("A fault (malformed) in ")
    assert "It wrote, for example: S 1" in lines


def test_what_is_never_done_is_named_before_where_it_shows(make: Make) -> None:
    """A bot that never shoots: that, and not first the part of the match in which it loses."""
    first = report(make("never-shoots")).findings[0]
    assert (first.kind, first.name, first.facts["never"]) == ("habit", "S", True)
    assert first.cost is None


def test_nothing_is_said_of_a_bot_like_the_others(make: Make) -> None:
    """Of a sample bot among the same sample bots nothing is named, though many questions were asked."""
    found = report(make("plain-bad-seat"))
    assert found.findings == ()
    assert found.asked > 10


def test_what_cannot_be_known_is_said(make: Make, tmp_path: Path) -> None:
    """Without matches of others neither seats nor opponents nor parts of the match are judged."""
    for path in sorted(make("bad-seat").glob("*.replay"))[:60]:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    found = report(tmp_path)
    assert found.beside == 0
    assert {"seat", "opponent", "phase"} <= {*found.unknown}
    assert not {one.kind for one in found.findings} & {"seat", "opponent", "phase"}


def test_a_match_counts_once(make: Make, tmp_path: Path) -> None:
    """Whoever sits on both seats has one entry a match; broken and unfinished replays are counted and left out."""
    from dohyo.match.replays.replays import load

    for at, path in enumerate(sorted(make("bad-seat").glob("*.replay"))[:20]):
        replay = load(path)
        seats = tuple(replace(seat, name="twin") for seat in replay.header.seats)
        twin = Replay(replace(replay.header, seats=seats), [*replay.turns], replay.result)
        (tmp_path / f"{at}.replay").write_bytes(encode(twin))
    (tmp_path / "broken.replay").write_bytes(b"{}")
    found = report(tmp_path, "twin")
    assert found.matches == 20
    assert found.unread == 1


def test_what_a_replay_only_claims_does_not_count(make: Make, tmp_path: Path) -> None:
    """A result that does not follow from the match, a setup that is none: left out; a copy is no other match."""
    from dohyo.match.replays.replays import load

    own = sorted(make("bad-seat").glob("*.replay"))[:3]
    for path in own:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = report(tmp_path)
    replay = load(own[0])
    places = tuple(len(replay.header.seats) + 1 - place for place in replay.result.places)
    (tmp_path / "claims.replay").write_bytes(encode(replace(replay, result=replace(replay.result, places=places))))
    setup = {**replay.header.setup, "no-such-option": "x"}
    (tmp_path / "setup.replay").write_bytes(encode(replace(replay, header=replace(replay.header, setup=setup))))
    (tmp_path / "copy.replay").write_bytes(own[1].read_bytes())
    (tmp_path / "packed.replay.zst").write_bytes(encode(load(own[1]), compressed=True))
    found = report(tmp_path)
    assert (before.matches, before.unread) == (3, 0)
    assert (found.matches, found.unread, found.points) == (3, 2, before.points)


def test_what_strangers_write_takes_little_room(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a fault the end of what the bot wrote is kept, of each kind the first; behind so many turns none is read."""
    from dohyo.match.replays.replays import load

    path = min(make("malformed-when-hit").glob("*.replay"))
    replay = load(path)
    seat = next(at for at, one in enumerate(replay.header.seats) if one.name == "coached")
    fault = Fault(FaultKind.MALFORMED, values={"line": "x" * 100_000})
    turns = [
        replace(turn, moves=tuple(replace(one, stderr="x" * 100_000, faults=(fault,)) for one in turn.moves))
        for turn in replay.turns
    ]
    for at in range(2):
        header = replace(replay.header, seed=at)
        (tmp_path / f"{at}.replay").write_bytes(encode(replace(replay, header=header, turns=turns)))
    found = gathered([str(tmp_path)], "coached", 9)
    read = coaching._Read(found, lambda done, of: None)
    slips = [slip for entry in read.own for slip in entry.slips]
    assert (len(read.own), len(slips), {entry.seat for entry in read.own}) == (2, 2, {seat})
    assert all(len(msgspec.json.encode(slip)) < 2 * SAID for slip in slips)
    monkeypatch.setattr(coaching, "MAX_KEPT", 1)
    assert (coached(found).matches, coached(found).more) == (1, 1)


def test_strangers_names_are_harmless_on_the_page(make: Make) -> None:
    """The page has every finding, in both languages, and what strangers wrote only as text."""
    place = make("malformed-when-hit")
    found = report(place)
    game = gathered([str(place)], "coached", 1).game
    found.bot = "<script>alert(1)</script>"
    found.findings[0].facts["reply"] = "<img src=x>"
    for speaker in (ENGLISH, Speaker("ja")):
        html = page(found, game, speaker)
        assert html.count('id="finding-') == len(found.findings)
        assert "<script>" not in html
        assert "<img" not in html
        assert "&lt;img src=x&gt;" in html


def test_the_command(typed: Type, folder: Path, make: Make) -> None:
    """In words, as one JSON document, as a page; the same in Japanese."""
    place = str(make("bad-seat"))
    status, out, _ = typed("coach", place, "coached", "--html", "c.html")
    assert status == 0
    assert "1. Seat 1: it takes fewer points there" in out
    assert "points lost in all" in out
    assert 'id="finding-1"' in (folder / "c.html").read_text()
    status, out, _ = typed("coach", place, "coached", "--json")
    document = json.loads(out)
    assert document["findings"][0]["kind"] == "seat"
    assert document["findings"][0]["commands"]["see"].startswith("dohyo replay ")
    status, out, _ = typed("coach", place, "coached", "--lang", "ja")
    assert "1. 席 1" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("coached",), "Name where the matches are, and the bot"),
        (("PLACE", "coache"), "No bot 'coache' took part. Known are: coached, "),
        (("PLACE", "coached", "--name", "x"), "--name x chooses a contest of a store"),
        ((".", "coached"), "No replay is in '.'"),
        (("nowhere", "coached"), "cannot be read"),
    ],
)
def test_what_cannot_be_coached(typed: Type, folder: Path, make: Make, words: tuple[str, ...], said: str) -> None:
    """One sentence says what is wrong, with exit status 2."""
    place = str(make("bad-seat"))
    status, _, err = typed("coach", *(place if word == "PLACE" else word for word in words))
    assert status == 2
    assert said in err


def test_matches_of_several_games(make: Make, folder: Path) -> None:
    """A bot's matches of two games are no matches of one bot."""
    from dohyo.match.replays.replays import load

    path = make("bad-seat") / "0000.replay"
    replay = load(path)
    other = Replay(replace(replay.header, game="othello"), [*replay.turns], replay.result)
    (folder / "a.replay").write_bytes(path.read_bytes())
    (folder / "b.replay").write_bytes(encode(other))
    with pytest.raises(OperatorError, match="several games"):
        gathered([str(folder)], "coached", 10)


def test_all_bots_of_one_beginning_are_named() -> None:
    """Of several that may be meant none is left out, and the likeliest stand first."""
    said = unknown("mybot", ["alice", "mybot (mybot)", "mybot (v2)"]).say(ENGLISH)
    assert said.startswith("No bot 'mybot' took part. Known are: mybot (")
    assert {"mybot (mybot)", "mybot (v2)", "alice"} == {*said.split("are: ")[1].rstrip(".").split(", ")}


def test_a_store(typed: Type, folder: Path, root: Path) -> None:
    """Of a contest's store the replay is written first: the command for that stands before the others."""
    sample = root / "src/dohyo/games/shoot_em_up/bots/random.py"
    weak = sample.read_text().replace(
        "    kind, dx, dy = choose", '    if what == "H":\n        sys.exit(3)\n    kind, dx, dy = choose'
    )
    (folder / "weak.py").write_text(weak)
    (folder / "gun.py").write_bytes(sample.with_name("gunner.py").read_bytes())
    bots = ("weak=weak.py", "gun=gun.py")
    status, _, err = typed(
        "contest", "run", "--game", "shoot-em-up", *bots, "--rounds", "2", "--trust", "--store", "c.db"
    )
    assert status == 0, err
    status, out, _ = typed("coach", "c.db", "weak", "--json")
    document = json.loads(out)
    assert document["matches"] == 4
    (first,) = (one for one in document["findings"] if one["kind"] == "fault")
    number = first["watch"]["match"]
    assert first["commands"]["save"] == f"dohyo contest replay c.db {number} --save match-{number}.replay"
    status, _, err = typed("coach", "c.db", "c.db", "weak")
    assert "c.db is a store" in err


def test_linear_equations_and_a_regression() -> None:
    """Equations are solved; a regression says of each side of a number what was taken there."""
    assert solved([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0]) == pytest.approx([1.0, 3.0])
    rows = [[float(at % 2), 7.0] for at in range(400)]
    fitted = Regression(rows, [0.8 if row[0] else 0.2 for row in rows], range(400))
    assert fitted([1.0, 7.0]) == pytest.approx(0.8, abs=0.05)
    assert fitted([0.0, 7.0]) == pytest.approx(0.2, abs=0.05)
    assert 0 < fitted.doubt([[1.0, 7.0]]) < 0.001


def test_fishers_exact_test() -> None:
    """The tea-tasting lady: three or more of four cups."""
    assert fisher(3, 4, 4, 8) == pytest.approx(17 / 70)
