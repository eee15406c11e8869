"""Replays as bytes: small, complete, and proof against change."""

from __future__ import annotations

import hashlib
import json
import tracemalloc

import msgspec
import pytest
from backports import zstd

from dohyo.core import playback, replay_format
from dohyo.core import replay as replays
from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from tests.core.matches import GAME, played

SMALL = played(turns=5)


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "zst"])
def test_what_is_written_is_read_back(compressed: bool) -> None:
    """A replay that was written and read is the same replay, but for the number of its format."""
    replay = played(turns=60)
    again = replay_format.decode(replay_format.encode(replay, compressed))
    assert (again.turns, again.result) == (replay.turns, replay.result)
    assert again.header == msgspec.structs.replace(replay.header, dohyo=replays.FORMAT)


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "zst"])
def test_every_changed_byte_is_found(compressed: bool) -> None:
    """Whichever byte of a small file is changed, in whichever bit, the replay is refused."""
    content = replay_format.encode(SMALL, compressed)
    for at in range(len(content)):
        for bit in (0, 3, 7):
            changed = bytearray(content)
            changed[at] ^= 1 << bit
            with pytest.raises(ReplayError):
                replay_format.decode(bytes(changed))


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "zst"])
def test_every_cut_and_every_addition_is_found(compressed: bool) -> None:
    """A file that ends early, at any byte, or goes on after its end, is refused."""
    content = replay_format.encode(SMALL, compressed)
    for length in range(len(content)):
        with pytest.raises(ReplayError):
            replay_format.decode(content[:length])
    for tail in (b"\n", b"x", content):
        with pytest.raises(ReplayError):
            replay_format.decode(content + tail)


def test_a_thousand_turns_are_small() -> None:
    """A match of 1000 turns without standard error takes less than 25 kB compressed."""
    replay = played(letters="URDLN")
    assert len(replay.turns) == 1000
    assert len(replay_format.encode(replay, compressed=True)) < 25_000


def test_other_decoders_read_the_compressed_form() -> None:
    """Any zstd decoder gets the plain lines out of a compressed replay."""
    assert zstd.decompress(replay_format.encode(SMALL, compressed=True)) == replay_format.encode(SMALL)


def test_a_newer_format_is_refused_by_name() -> None:
    """A replay of a later format is refused with the number of that format."""
    lines = replay_format.encode(SMALL).replace(b'{"dohyo":1', b'{"dohyo":99', 1)
    with pytest.raises(ReplayError, match="99"):
        replay_format.decode(lines)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hello\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b'{"dohyo":"1"}\n', b'{"dohyo":-1}\n']
)
def test_other_files_are_not_replays(content: bytes) -> None:
    """A file of something else is told apart from a broken replay."""
    with pytest.raises(ReplayError) as caught:
        replay_format.decode(content)
    assert caught.value.key == "not-a-replay"


def test_a_small_file_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compressed file that unpacks to more than any replay has is refused without unpacking it all."""
    monkeypatch.setattr(replay_format, "MAX_BYTES", 10_000)
    packed = zstd.compress(b'{"dohyo":1}\n' + b" " * 10_000_000)
    with pytest.raises(ReplayError):
        replay_format.decode(packed + replay_format.SEAL + hashlib.sha256(packed).digest())


def with_lines(lines: list[bytes]) -> bytes:
    """A file of these lines, with its checksum."""
    return replay_format.with_checksum(b"\n".join(lines) + b"\n")


def test_a_line_is_one_turn() -> None:
    """Neither an empty line, nor two turns in one, nor one in two: each is refused."""
    head, first, second, *rest, _ = replay_format.encode(SMALL).splitlines()
    assert replay_format.decode(with_lines([head, first, second, *rest])).same_game(SMALL)
    assert replay_format.decode(with_lines([head, first + b" ", b" " + second, *rest])).same_game(SMALL)
    split = first.replace(b",", b",\n", 1)
    for lines in ([b"", first, second], [first + second], [first + second, b""], [split, second], [split + second]):
        with pytest.raises(ReplayError) as caught:
            replay_format.decode(with_lines([head, *lines, *rest]))
        assert caught.value.key == "replay-malformed"


def test_a_long_replay_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same replay; its parts, its texts and its lines are counted then."""
    content = replay_format.encode(SMALL)
    whole = replay_format.decode(content)
    monkeypatch.setattr(replay_format, "SURE", 0)
    monkeypatch.setattr(replay_format, "CHUNK", 200)
    assert replay_format.decode(content) == whole
    for bound in ("MAX_PARTS", "MAX_TEXT", "LONGEST_LINE"):
        with monkeypatch.context() as lower:
            lower.setattr(replay_format, bound, 20)
            with pytest.raises(ReplayError) as caught:
                replay_format.decode(content)
            assert caught.value.key == "replay-too-large", bound


def test_what_is_not_counted_cannot_be_too_much() -> None:
    """A part takes two bytes at least; a byte of a text, with all that a text needs, at most 20 in memory."""
    assert replay_format.SURE // 2 <= replay_format.MAX_PARTS
    assert replay_format.SURE * 20 <= replay_format.MAX_TEXT
    assert replay_format.SURE <= replay_format.LONGEST_LINE


def packed(lines: bytes) -> bytes:
    """A compressed file of these lines."""
    content = zstd.compress(replay_format.with_checksum(lines))
    return content + replay_format.SEAL + hashlib.sha256(content).digest()


@pytest.mark.parametrize("more", [b"x", zstd.compress(b"more"), replay_format.ZSTD_MAGIC])
def test_a_compressed_replay_is_one_frame(more: bytes) -> None:
    """What stands behind it under the seal would be a part of the replay for other programs."""
    content = zstd.compress(replay_format.encode(SMALL)) + more
    with pytest.raises(ReplayError) as caught:
        replay_format.decode(content + replay_format.SEAL + hashlib.sha256(content).digest())
    assert caught.value.key == "replay-changed"


def forged(move: bytes, count: int, numbered: bool = True) -> bytes:
    """The lines of a replay with so many turns of this one move."""
    head, *_, result, _, _ = replay_format.encode(SMALL).split(b"\n")
    turns = (b'{"turn":%d,"moves":[%b]}\n' % (at * numbered, move) for at in range(count))
    return head + b"\n" + b"".join(turns) + result + b"\n"


FAULT = b'{"kind":"timeout","code":"x","values":{%b},"also":[{"key":"a"},{"key":"b","values":{"c":1}}]}'
FAULTY = b'{"seat":0,"action":"N","faults":[%b]}' % b",".join(
    [FAULT % b",".join(b'"v%d":%d' % (at, at) for at in range(32))] * 100
)


@pytest.mark.parametrize(
    "move", [FAULTY, b'{"seat":0,"action":"N","seconds":0.5,"cpu":0.5,"wall":0.5}'], ids=["faults", "moves"]
)
@pytest.mark.parametrize("spaced", [False, True])
def test_what_packs_far_better_than_a_match_is_refused(move: bytes, spaced: bool) -> None:
    """A few kB that unpack to millions of names are refused while they are unpacked, before they take memory."""
    lines = forged(move, (1 << 26) // len(move), numbered=False)
    head, rest = lines.split(b"\n", 1)
    content = packed(head + b"\n" + (rest.replace(b'":', b'" :') if spaced else rest))
    assert len(content) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(ReplayError) as caught:
            replay_format.decode(content)
        assert caught.value.key == "replay-too-large"
        assert tracemalloc.get_traced_memory()[1] < len(lines) * 5 // 8
    finally:
        tracemalloc.stop()


def test_what_a_bot_writes_is_no_name() -> None:
    """Lines of JSON on standard error, each turn the same, pack as well as they like."""
    text = json.dumps('{"a":"","b":""}\n' * 2000).encode()
    lines = forged(b'{"seat":0,"action":"N","stderr":%b}' % text, 450)
    content = packed(lines)
    assert text.count(b'"') * 225 > replay_format.FREE_NAMES + replay_format.NAMES_A_BYTE * len(content)
    assert len(replay_format.decode(content).turns) == 450


def test_a_hundred_bots_may_fail_in_two_thousand_turns() -> None:
    """Each time in the same way, at once, in a game in which that ends nobody's part: as many faults as count."""
    faults = '[{"kind":"exited","code":"exit","status":1}]'
    moves = ",".join(
        f'{{"seat":{seat},"action":"rest","seconds":0.0,"faults":{faults},"cpu":0.0,"wall":0.0}}'
        for seat in range(100)
    )
    head, rest = forged(moves.encode(), 2000).split(b"\n", 1)
    header = msgspec.json.decode(head)
    header["seats"] *= 25
    content = packed(msgspec.json.encode(header) + b"\n" + rest)
    assert len(replay_format.decode(content).turns) == 2000


def test_faults_count_with_all_that_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long replay: 4 for each fault and each message in it, 2 for a value, 12 more for a message as one."""
    fault = {"kind": "timeout", "values": {"a": 1, "b": {"key": "k", "values": {"c": "d"}}}, "also": [{"key": "k"}]}
    cost = 4 + 2 * 2 + 12 + 2 + 4
    lines = forged(b'{"seat":0,"action":"N","faults":[%b]}' % json.dumps(fault).encode(), 5)
    monkeypatch.setattr(replay_format, "SURE", 0)
    monkeypatch.setattr(replay_format, "MAX_OF_FAULTS", 5 * cost)
    replay_format.decode(replay_format.with_checksum(lines))
    monkeypatch.setattr(replay_format, "MAX_OF_FAULTS", 5 * cost - 1)
    with pytest.raises(ReplayError) as caught:
        replay_format.decode(replay_format.with_checksum(lines))
    assert caught.value.key == "replay-too-large"


def test_the_same_line_again_and_again_is_no_match() -> None:
    """In a long replay, a turn's number is looked at before a million of them are made."""
    lines = forged(b'{"seat":0,"action":"N"}', 120_000, numbered=False)
    assert len(lines) > replay_format.SURE
    with pytest.raises(ReplayError) as caught:
        replay_format.decode(replay_format.with_checksum(lines))
    assert (caught.value.key, caught.value.message.values["turn"]) == ("replay-turn-missing", 1)


def test_a_long_line_is_of_long_texts() -> None:
    """One of many values is refused before it is decoded; commas in a text are none."""
    many = b",".join([b"1"] * (replay_format.CHUNK // 2 + 1))
    lines = forged(b'{"seat":0,"action":"N","stderr":"%b"}' % many, 1)
    assert replay_format.decode(replay_format.with_checksum(lines)).turns[0].moves[0].stderr == many.decode()
    head, _, result, _ = lines.split(b"\n")
    for line, end in (
        (b'{"turn":0,"dice":[%b]}' % many, result),
        (b'{"turn":0}', result[:-1] + b',"cpu":[%b]}' % many),
    ):
        with pytest.raises(ReplayError) as caught:
            replay_format.decode(with_lines([head, line, end]))
        assert caught.value.key == "replay-too-large"


def test_a_played_match_is_verified() -> None:
    """Every turn of an untouched replay is what the rules say."""
    replay = played()
    assert playback.verify(GAME, replay) == len(replay.turns)


@pytest.mark.parametrize("at", [1, 3])
def test_lines_of_nothing_put_in_afterwards_are_found(at: int) -> None:
    """Only the last line may be one in which nobody acted: a stranger could put in any number of them."""
    replay = played(letters="URDL", turns=8)
    turns = list(replay.turns)
    turns.insert(at, msgspec.structs.replace(turns[at], dice=(), moves=[], digest=turns[at - 1].digest))
    replay.turns[:] = [msgspec.structs.replace(turn, turn=number) for number, turn in enumerate(turns)]
    with pytest.raises(ReplayError) as caught:
        playback.verify(GAME, replay)
    assert (caught.value.key, caught.value.message.values["turn"]) == ("replay-turn-differs", at)


@pytest.mark.parametrize("turn", range(4))
def test_a_move_put_in_afterwards_is_found(turn: int) -> None:
    """A replay with one other move, and a checksum made to fit, differs from the rules in that very turn."""
    replay = played(letters="URDL", turns=8)
    replay.turns[turn].moves[0].action = "A"
    with pytest.raises(ReplayError) as caught:
        playback.verify(GAME, replay_format.decode(replay_format.encode(replay)))
    assert (caught.value.key, caught.value.message.values["turn"]) == ("replay-turn-differs", turn)


@pytest.mark.parametrize(
    "result",
    [
        replays.Result((1, 2, 3, 4), 0, "drop-block.last-standing"),
        replays.Result((1, 1, 1, 1), None, "drop-block.all-fallen"),
    ],
)
def test_another_result_is_found(result: replays.Result) -> None:
    """A result that does not follow from the moves is refused."""
    replay = replays.Replay(SMALL.header, SMALL.turns, result)
    with pytest.raises(ReplayError) as caught:
        playback.verify(GAME, replay)
    assert caught.value.key == "replay-result-differs"


def test_turns_left_out_or_swapped_are_found() -> None:
    """A line that is missing, or stands in another's place, is refused."""
    turns = SMALL.turns
    for wrong in (turns[1:], turns[:2] + turns[3:], [turns[1], turns[0], *turns[2:]], turns[:-1]):
        with pytest.raises(ReplayError):
            playback.verify(GAME, replays.Replay(SMALL.header, wrong, SMALL.result))


def test_processor_times_are_those_of_the_seats() -> None:
    """They are kept, and a replay that has them of other seats than there are is none."""
    timed = msgspec.structs.replace(SMALL, cpu=(0.5, None, 0.25, 1.0))
    assert replay_format.decode(replay_format.encode(timed)).cpu == timed.cpu
    with pytest.raises(ReplayError, match="processor times"):
        replay_format.decode(replay_format.encode(msgspec.structs.replace(SMALL, cpu=(0.5,))))


def test_other_rules_are_named() -> None:
    """A replay of another version of the rules is refused, and not compared."""
    header = msgspec.structs.replace(SMALL.header, rules=2)
    with pytest.raises(ReplayError) as caught:
        playback.verify(GAME, replays.Replay(header, SMALL.turns, SMALL.result))
    assert caught.value.key == "replay-other-rules"


def test_the_state_at_a_turn_is_the_one_that_players_saw() -> None:
    """The state at turn t is that before turn t's move, after the dice's; one past the last is the final one."""
    replay = played(turns=10)
    moments = list(playback.moments(GAME, replay))
    pack = GAME.rules.LAYOUT.pack
    for turn, moment in enumerate(moments):
        assert pack(playback.state_at(GAME, replay, turn)) == pack(moment.before)
    assert pack(playback.state_at(GAME, replay, 10)) == pack(moments[-1].after)
    for outside in (-1, 11, 1000):
        with pytest.raises(ReplayError, match="0 to 10"):
            playback.state_at(GAME, replay, outside)


def test_turns_are_numbered_from_the_first() -> None:
    """A header's first number is that of the first line; no other numbers fit, nor one that no match comes to."""
    whole = played(turns=10)
    header = msgspec.structs.replace(
        whole.header, first=6, start=GAME.rules.LAYOUT.as_dict(playback.state_at(GAME, whole, 6))
    )
    later = replays.Replay(header, whole.turns[6:], whole.result)
    assert playback.verify(GAME, replay_format.decode(replay_format.encode(later))) == 4
    pack = GAME.rules.LAYOUT.pack
    assert pack(playback.state_at(GAME, later, 8)) == pack(playback.state_at(GAME, whole, 8))
    assert pack(playback.state_at(GAME, later, 10)) == pack(playback.state_at(GAME, whole, 10))
    with pytest.raises(ReplayError, match="6 to 10"):
        playback.state_at(GAME, later, 5)
    for first, problem in ((5, "turn 5 is missing"), (0, "turn 0 is missing"), (-1, "first"), (1 << 32, "first")):
        with pytest.raises(ReplayError, match=problem):
            playback.verify(
                GAME, replays.Replay(msgspec.structs.replace(header, first=first), later.turns, later.result)
            )


def test_the_dice_that_nobody_answered_are_no_turn() -> None:
    """A last line without moves is no turn to go on from: the state after it is that of its own number."""
    replay = played(turns=0)
    assert playback.state_at(GAME, replay, 0).turn == 0
    with pytest.raises(ReplayError, match="0 to 0"):
        playback.state_at(GAME, replay, 1)


def test_a_match_of_no_turns_has_its_deal() -> None:
    """With a limit of 0 the replay has one line, the deal, and verifies."""
    replay = replay_format.decode(replay_format.encode(played(turns=0)))
    assert len(replay.turns) == 1
    assert len(replay.turns[0].dice) == 12
    assert playback.verify(GAME, replay) == 1


def test_whether_two_replays_are_of_the_same_game() -> None:
    """Other times and names are the same game; another action, seed or setup is not."""
    one, two = (played(seed=5, turns=9) for _ in range(2))
    for at, turn in enumerate(two.turns):
        two.turns[at] = msgspec.structs.replace(
            turn, moves=tuple(msgspec.structs.replace(move, seconds=9.0, reply="x") for move in turn.moves)
        )
    assert one.same_game(two)
    assert two.same_game(one)
    assert one != two
    assert not one.same_game(played(seed=6, turns=9))
    first = two.turns[0]
    two.turns[0] = msgspec.structs.replace(
        first, moves=(msgspec.structs.replace(first.moves[0], action="other"), *first.moves[1:])
    )
    assert not one.same_game(two)


def test_a_result_says_why() -> None:
    """A result shows its reason, as a sentence and as a key, in one line."""
    result = played(seed=5, turns=9).result
    assert f"places={result.places}" in repr(result)
    assert f"reason={result.reason!r}, reason_key={result.reason_key!r}" in repr(result)
    assert repr(result).count("\n") == 0


def test_faults_are_listed_by_seat() -> None:
    """Every fault of a seat is found with its turn."""
    fault = Fault(FaultKind.EXITED, FaultCode.EXIT, status=3)
    turns = [
        replays.Turn(0, (), (replays.Move(0, "N", faults=(fault,)),)),
        replays.Turn(1, (), (replays.Move(1, "N"),)),
    ]
    assert replays.faults_of(turns, 0) == [(0, fault)]
    assert replays.faults_of(turns, 1) == []


@pytest.mark.parametrize(
    "lines",
    [
        b'{"turn":0}{"turn":1}\n\n',
        b'{"turn":0} {"turn":1}\n \n',
        b'\n{"turn":0}\n{"turn":1}{"turn":2}\n',
        b'{"turn":\n0}\n{"turn":1}{"turn":2}\n',
        b'{"turn":0}{"turn":1,"moves":[{"seat":0,"action":"0"}\n]}\n',
    ],
)
def test_each_line_holds_one_turn(lines: bytes) -> None:
    """As many turns as lines are not enough: two may stand in one line, and none in another."""
    head, *_, result, _, _ = replay_format.encode(SMALL).split(b"\n")

    def read(turns: bytes) -> replays.Replay:
        return replay_format.decode(replay_format.with_checksum(head + b"\n" + turns + result + b"\n"))

    assert len(read(b' {"turn":0} \n{"turn":1}\n').turns) == 2
    with pytest.raises(ReplayError) as caught:
        read(lines)
    assert caught.value.key == "replay-malformed"
