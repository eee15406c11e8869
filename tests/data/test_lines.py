"""The compiled reader of ordinary lines: what it takes, any other reader reads as the same; the rest it leaves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import dohyo.data
from dohyo import games
from dohyo.core import replay_format
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.playback import OUT_OF_THE_RULES
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay_format import CHUNK, Frame, decode_plain, encode, framed, whole, with_checksum
from dohyo.data import lines, scanning
from dohyo.data.again import Again, without_texts
from dohyo.data.columns import Columns, Reader
from dohyo.data.scanning import ScannedReplay, Scanner
from dohyo.data.sources import of_object
from dohyo.data.wish import wish
from dohyo.laws.matches import finish, legal_answer
from dohyo.sim.shipped_loops import DATA, game_of, kind_of
from dohyo.sim.whole_program import recording
from tests.data.plain import usual_match

GAME = games.find("connect-four")
USUAL = encode(usual_match(GAME, 1))
HEAD, FIRST, SECOND, *REST = USUAL.splitlines(keepends=True)[:-1]
NAMES = ["abotcalypse", "connect-four", "drop-block", "shoot-em-up", "wondev-woman", "backgammon"]


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    """One of connect four."""
    return scanner_of("connect-four")


def scanner_of(name: str) -> Scanner:
    """One that has read nothing yet."""
    return Scanner(games.find(name), scanning.scan_loop(games.find(name), scanning.NOW))


def columns(read: Callable[[], Any]) -> Columns | str:
    """What a reader of columns makes of a replay, or why not."""
    try:
        found = Reader(GAME, wish(faulty=False)).columns(read())
    except OperatorError as error:
        return f"{error.key} {error}"
    except OUT_OF_THE_RULES as error:
        return type(error).__name__
    return found


def both(scanner: Scanner, content: bytes) -> bool:
    """Whether lines were taken; fails where they are read otherwise than by any other reader."""
    plain = with_checksum(content)
    took = []

    def scanned() -> Any:
        frame = framed(plain)
        told = scanner.told([frame])[0] if isinstance(frame, Frame) else None
        took.append(told)
        return told or (whole(frame) if isinstance(frame, Frame) else frame)

    assert columns(scanned) == columns(lambda: decode_plain(plain))
    return bool(took and took[0])


@pytest.mark.parametrize("name", NAMES)
def test_what_dohyo_writes_is_taken(name: str) -> None:
    """Replays of random play, several together, are all taken, with the columns that they have as objects."""
    game, scanner = games.find(name), scanner_of(name)
    frames = [framed(encode(usual_match(game, seed))) for seed in range(3)]
    for told in scanner.told([frame for frame in frames if isinstance(frame, Frame)]):
        assert told is not None
        reader = Reader(game, wish())
        reader.columns(told)  # the first one of a setup is noted as such
        assert reader.columns(told) == reader.columns(told.replay())


ORDINARY = rb"""
"seconds":0
"seconds":0.5
"seconds":1e-6
"seconds":999999999.999999
"cpu":0.25,"wall":1.5,"bank":2
"seconds":1,"reply":"drop 3"
"seconds":1,"stderr":"a\n\"b\"\t\\"
"stderr":"","stderr_dropped":12
"comments":"{[]}","comments_dropped":0
"seconds":0.1,"ponder":"e2e4"
""".split(b"\n")[1:-1]
UNUSUAL = rb"""
"seconds":1e9
"seconds":1e10
"seconds":1000000001
"seconds":-0
"seconds":-1
"seconds":01
"seconds":1.
"seconds":.5
"seconds":1e-400
"seconds":1e-5000
"seconds":1E-6
"seconds":1e+2
"seconds":0.1234567890123456789012345678901234567890
"seconds":null
"seconds":"1"
"seconds":true
"seconds": 1
"seconds" :1
"cpu":1,"seconds":1
"stderr":"\u0041"
"stderr":"\ud83d\ude00"
"stderr":"\ud83d"
"stderr":"\x"
"stderr":5
"reply":null
"stderr_dropped":-1
"stderr_dropped":99999999999999999999999
"comments_dropped":1.5
"x":[1,{}]
"ponder":"E2"
"ponder":"abcdefghijk"
"faults":[]
"faults":[{"kind":"timeout"}]
"faults":[{}]
"seconds":1,"seconds":2
"action":"4"
"seat":1
"bank":99999999999999999999
""".split(b"\n")[1:-1]
UNUSUAL += [b'"stderr":"%b"' % text for text in ("\u4e00".encode(), b"\xff", b"\x01", b"\x7f")]


@pytest.mark.parametrize("more", ORDINARY + UNUSUAL)
def test_fields_of_a_move(scanner: Scanner, more: bytes) -> None:
    """Each is read, or refused, with or without the compiled reader; ordinary ones by it."""
    line = FIRST.replace(b"}],", b"," + more + b"}],") if b'"seconds"' not in more else None
    begin = FIRST[: FIRST.index(b',"seconds"')]
    line = line or begin + b"," + more + FIRST[FIRST.index(b"}],") :]
    assert both(scanner, b"".join([HEAD, line, SECOND, *REST])) == (more in ORDINARY)


LINES: list[Callable[[bytes], bytes]] = [
    lambda line: line.replace(b":", b": "),
    lambda line: b" " + line,
    lambda line: line.replace(b"}\n", b"} \n"),
    lambda line: line.replace(b"\n", b"\r\n"),
    lambda line: line.replace(b'"turn":1,', b"").replace(b"}\n", b',"turn":1}\n'),
    lambda line: line.replace(b'"turn":1', b'"turn":01'),
    lambda line: line.replace(b'"turn":1', b'"turn":1.0'),
    lambda line: line.replace(b'"turn":1', b'"turn":2'),
    lambda line: line.replace(b'"turn":1', b'"turn":' + b"1" * 400),
    lambda line: line.replace(b'"turn"', b'"tur\\u006e"'),
    lambda line: line.replace(b'"seat":1', b'"seat":2'),
    lambda line: line.replace(b'"seat":1', b'"seat":-1'),
    lambda line: line.replace(b'"seat":1', b'"seat":18446744073709551617'),
    lambda line: line.replace(b'"action":"', b'"action":"\\u0030'),
    lambda line: line.replace(b'"action":"', b'"action":" '),
    lambda line: line.replace(b'"action":"', b'"action":"9'),
    lambda line: line.replace(b'"action":"', b'"action":"' + b"0" * 70),
    lambda line: line.replace(b'"moves":[', b'"dice":[1,-2,65536],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[-0],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[9223372036854775807,-9223372036854775808],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[9223372036854775808],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[1e2],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[1,],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"dice":[' + b",".join([b"1"] * 70_000) + b'],"moves":['),
    lambda line: line.replace(b'"moves":[', b'"moves":[{"seat":0,"action":"0"},'),
    lambda line: line.replace(b'"moves":[', b'"moves":[{"seat":0,"action":"0"},{"seat":0,"action":"0"},'),
    lambda line: line[: line.index(b',"moves"')] + line[line.index(b',"digest"') :],
    lambda line: line[: line.index(b',"moves"')] + b',"moves":[]' + line[line.index(b',"digest"') :],
    lambda line: line[: line.index(b',"digest"')] + b"}\n",
    lambda line: line[: line.index(b',"digest"')] + b',"digest":"ABCDEF01"}\n',
    lambda line: line[: line.index(b',"digest"')] + b',"digest":"abcdef0"}\n',
    lambda line: line[: line.index(b',"digest"')] + b',"digest":"abcdef012"}\n',
    lambda line: line + line,
    lambda line: line[:-1] + line,
    lambda line: b"\n" + line,
    lambda line: b"",
    lambda line: b"\xef\xbb\xbf" + line,
]


@pytest.mark.parametrize("number", range(len(LINES)))
def test_lines_of_any_form(scanner: Scanner, number: int) -> None:
    """Spaces, another order, escapes, numbers of any size: read as without the compiled reader, or refused alike."""
    both(scanner, b"".join([HEAD, FIRST, LINES[number](SECOND), *REST]))


def test_a_number_that_is_none_is_not_the_one_before_zero(scanner: Scanner) -> None:
    """Of a header that says so, lines without a number are refused as they are without the compiled reader."""
    assert not both(scanner, HEAD[:-2] + b',"first":-1}\n' + FIRST.replace(b'"turn":0', b'"turn":') + REST[-1])


def test_a_result_of_too_many_values_is_refused(scanner: Scanner) -> None:
    """As without the compiled reader: a line of more than 1 MiB is looked at before it is decoded."""
    many = b",".join([b"1"] * (CHUNK // 2 + 1))
    assert not both(scanner, b"".join([HEAD, FIRST, SECOND, *REST])[:-2] + b',"x":[%b]}\n' % many)


def changed(chance: random.Random) -> bytes:
    """The lines of turns with some bytes taken out, doubled, or replaced by others of the replay."""
    body = bytearray(b"".join([FIRST, SECOND, *REST[:-1]]))
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(body))
        end = start + chance.choice([0, 1, 1, 2, 9, 60])
        other = chance.randrange(len(body))
        body[start:end] = body[other : other + chance.choice([0, 1, 1, 2, 9, 60])]
    return bytes(body)


def test_lines_that_were_changed(scanner: Scanner) -> None:
    """Whatever a stranger writes: both readers say the same of it."""
    chance, taken = random.Random(1), 0
    for _ in range(1500):
        taken += both(scanner, HEAD + changed(chance) + REST[-1])
    assert 10 < taken < 1490


def test_no_replay_is_read_beyond_its_end(scanner: Scanner) -> None:
    """Cut off anywhere, with the rest as the lines of the next one, a replay is left, and its neighbours are not."""
    body = FIRST + SECOND
    good = framed(USUAL)
    assert isinstance(good, Frame)
    for at in range(1, len(body) - 1):
        if b"\n" not in body[at - 1 : at + 1]:
            frames = [good, good._replace(lines=body[:at] + b"\n"), good._replace(lines=body[at:]), good]
            assert [told is not None for told in scanner.told(frames)] == [True, False, False, True], at


def test_a_long_result_is_of_long_texts() -> None:
    """One of many values is refused, with the compiled reader as without: before it takes memory."""
    many = b",".join([b"0"] * (replay_format.MAX_VALUES * 2))
    result = REST[-1][:-2] + b',"x":[%b]}\n' % many
    assert len(result) > replay_format.CHUNK
    assert len(USUAL) + len(result) < replay_format.SURE
    content = with_checksum(b"".join([HEAD, FIRST, SECOND, *REST[:-1], result]))
    for read in (framed, decode_plain):
        with pytest.raises(OperatorError) as caught:
            read(content)
        assert caught.value.key == "replay-too-large"


def distinct(count: int, first: int = 0) -> Iterator[bytes]:
    """Lines whose actions are all different."""
    for at in range(count):
        yield b'{"turn":%d,"moves":[{"seat":0,"action":"%d"}],"digest":"00000000"}\n' % (at, first + at)


def test_the_table_of_texts_is_bounded() -> None:
    """Who writes more texts than it holds is left, and behind that it is a new one."""
    scanner, frame = scanner_of("connect-four"), framed(USUAL)
    assert isinstance(frame, Frame)
    full = frame._replace(lines=b"".join(distinct(lines.MAX_TEXTS + 1)))
    assert scanner.told([full]) == [None]
    assert scanner._known == 0
    assert isinstance(scanner.told([frame])[0], ScannedReplay)


def test_a_game_that_cannot_read_a_text_spoils_no_other_replay() -> None:
    """Texts are read before a replay is known to be of this game: what its reader raises is that replay's matter."""
    scanner, frame = scanner_of("connect-four"), framed(USUAL)
    assert isinstance(frame, Frame)
    scanner._read = int  # raises ValueError
    strange = frame._replace(lines=turn(0, "rest"))
    assert [told is not None for told in scanner.told([frame, strange, frame])] == [True, False, True]


def test_texts_for_one_place_are_left(scanner: Scanner) -> None:
    """Strangers may make texts that all want one slot: so many are looked at, and no more."""
    frame = framed(USUAL)
    assert isinstance(frame, Frame)
    # "bA" and "ab" have the same sum of 31 x + y, so have all words of them.
    words = [""]
    for _ in range(6):
        words = [word + part for word in words for part in ("bC", "ab")]
    assert len({hash_of(word) for word in words}) == 1
    told = scanner.told([frame._replace(lines=b"".join(turn(at, word) for at, word in enumerate(words)))])
    assert told == [None]


def turn(at: int, action: str) -> bytes:
    """A line with this action."""
    return b'{"turn":%d,"moves":[{"seat":0,"action":"%b"}],"digest":"00000000"}\n' % (at, action.encode())


def hash_of(word: str) -> int:
    """What the table sorts by."""
    mixed = 7
    for sign in word.encode():
        mixed = (mixed * 31 + sign) & 0xFFFFFFF
    return mixed


def test_files_become_the_same_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an unusual replay among ordinary ones."""
    for seed in range(4):
        content = encode(usual_match(GAME, seed))
        if seed == 2:
            head, rest = content.rsplit(b"\n", 2)[0].split(b"\n", 1)
            content = with_checksum(head + b"\n" + rest.replace(b'"action":', b'"action": ') + b"\n")
        (tmp_path / f"{seed}.replay").write_bytes(content)
    monkeypatch.setattr(scanning, "_READ", [0])
    wanted = dohyo.data.load(tmp_path, game=GAME)
    monkeypatch.setattr(scanning, "NOW", 0)
    again = Again(GAME, wish())
    assert again.scan_of(1) is not None
    found = dohyo.data.load(tmp_path, game=GAME)
    for name in ("observations", "actions", "masks", "returns", "turns"):
        assert (getattr(found, name) == getattr(wanted, name)).all(), name


def test_an_action_that_a_game_cannot_read_costs_one_replay() -> None:
    """The game's own reader raises for the text of a stranger: that replay is left, its neighbours are not."""
    game = replace(GAME, protocol=copy(GAME.protocol))
    game.protocol.read = int  # type: ignore[method-assign]
    scanner, frame = Scanner(game, scanning.scan_loop(GAME, scanning.NOW)), framed(USUAL)
    assert isinstance(frame, Frame)
    told = scanner.told([frame, frame._replace(lines=turn(0, "x")), frame])
    assert [one is not None for one in told] == [True, False, True]


def test_comments_that_decide_a_match_are_read() -> None:
    """Of a match that its operator's rule ended by what engines said, the objects are made after all."""
    game = games.find("chess")
    setup = resolve(game.options, {"resign": "3/400"}, game.catalogue)

    def losing(referee: Referee, seat: int, chooser: random.Random) -> Answer:
        return replace(legal_answer(referee, seat, chooser), comments="info score cp -900\n", stderr="e")

    content = encode(finish(Referee(game, setup, 2, 1), setup, 1, losing).replay)
    frame = framed(content)
    assert isinstance(frame, Frame)
    (told,) = scanner_of("chess").told([frame])
    assert told is not None
    again, wanted = Again(game, wish()), decode_plain(content)
    assert again.match(of_object(0, wanted), told).replay == without_texts(game, wanted)


def test_few_replays_wait_for_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not ship is compiled once a process has read so many replays that it pays."""
    monkeypatch.setattr(scanning, "_with_the_game", lambda game: None)
    monkeypatch.setattr(scanning, "_READ", [0])
    game = copy(GAME)
    assert scanning.scan_loop(game, scanning.NOW - 1) is None
    assert scanning.scan_loop(game, 1) is not None


def test_machine_code_of_it_ships_with_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a wheel's code is made, the loop is one of the game's."""
    with recording():
        loop = scanning._with_the_game(GAME)
    assert game_of(loop._functions, loop._parts) == "dohyo.classics.connect_four"
    assert kind_of(loop._functions) == DATA
