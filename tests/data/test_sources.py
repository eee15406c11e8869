"""Where replays are found, whose decisions are taken, what is left out; as pieces, and for other libraries."""

from __future__ import annotations

import importlib
import itertools
import tracemalloc
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy
import polars
import pytest

import dohyo
import dohyo.data
from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat
from dohyo.core.replay import Replay, Seat
from dohyo.core.replay_format import decode, encode
from dohyo.core.rewards import Reward
from dohyo.data import loading, sources
from dohyo.data.again import Again, Arrays, Match
from dohyo.data.decisions import Decisions
from dohyo.series.exports.export import columns_of, lines
from dohyo.series.session import look
from dohyo.series.store import open_store
from tests.data.plain import check, usual_match

GAME = games.find("connect-four")
MATCHES = 6


def named(replay: Replay, *names: str) -> Replay:
    """The replay, with other names of its bots."""
    header = msgspec.structs.replace(replay.header, seats=tuple(map(Seat, names)))
    return msgspec.structs.replace(replay, header=header)


REPLAYS = [named(usual_match(GAME, seed), *[("one", "two"), ("two", "one")][seed % 2]) for seed in range(MATCHES)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of replays, some below another folder, some compressed; and a file that is none."""
    place = tmp_path / "replays"
    (place / "deeper").mkdir(parents=True)
    for number, replay in enumerate(REPLAYS):
        below, packed = "deeper" if number % 2 else ".", number % 3 == 0
        name = f"{number}.replay{'.zst' if packed else ''}"
        (place / below / name).write_bytes(encode(replay, compressed=packed))
    (place / "notes.txt").write_text("no replay", encoding="utf-8")
    return place


def same(found: Decisions, wanted: Decisions) -> bool:
    """Whether they hold the same decisions, in whatever order their matches are."""

    def rows(of: Decisions) -> list[bytes]:
        parts = (of.episode(number) for number in range(len(of.episodes.seat)))
        return sorted(of.observations[part].tobytes() + of.actions[part].tobytes() for part in parts)

    return rows(found) == rows(wanted)


def test_a_folder_gives_what_its_files_hold(folder: Path) -> None:
    """Files in it and below it, compressed or not; the same as replays that were read before."""
    assert same(dohyo.data.load(folder), dohyo.data.load(REPLAYS))
    assert same(dohyo.data.load(str(folder / "0.replay.zst")), dohyo.data.load(REPLAYS[0]))


def test_what_cannot_be_used_in_a_folder_is_counted(folder: Path) -> None:
    """A damaged file, one of other rules, an interrupted match, one of another game: each with why."""
    whole = dohyo.data.load(folder)
    (folder / "damaged.replay").write_bytes(encode(REPLAYS[0]).replace(b"one", b"own"))
    (folder / "again.replay").write_bytes(encode(REPLAYS[0]).replace(b"one", b"own"))
    stopped = msgspec.structs.replace(
        REPLAYS[0].result, places=(), winner=None, reason_key="unfinished", unfinished=True
    )
    (folder / "stopped.replay").write_bytes(encode(msgspec.structs.replace(REPLAYS[0], result=stopped)))
    newer = msgspec.structs.replace(REPLAYS[0].header, rules=GAME.version + 1)
    (folder / "newer.replay").write_bytes(encode(msgspec.structs.replace(REPLAYS[0], header=newer)))
    (folder / "other.replay").write_bytes(encode(usual_match(games.find("kuhn-poker"), 1)))
    found = dohyo.data.load(folder, game="connect-four")
    assert same(found, whole)
    counts = {key: left.replays for key, left in found.left_out.items()}
    assert counts == {"replay-changed": 2, "data-unfinished": 1, "replay-other-rules": 1, "data-other-game": 1}
    assert all(left.reason and left.label for left in found.left_out.values())
    with pytest.raises(OperatorError, match="changed"):
        dohyo.data.load([folder, folder / "damaged.replay"], game="connect-four")
    with pytest.raises(OperatorError, match="several games"):
        dohyo.data.load(folder)


@pytest.mark.parametrize(
    ("sources", "sentence"),
    [("nowhere", "cannot be read"), ([], "No replay was named"), ("empty", "No replay is in")],
)
def test_a_word_that_names_nothing_is_a_sentence(
    sources: object, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what is wrong, and what to do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(OperatorError, match=sentence):
        dohyo.data.load(sources)  # type: ignore[arg-type]


def test_a_bot_that_is_not_there_is_named() -> None:
    """With the bots that are."""
    with pytest.raises(OperatorError, match="one, two"):
        dohyo.data.load(REPLAYS, bots="three")


def test_whose_decisions() -> None:
    """By a bot's name, by seat, by who came first, and all together."""
    every = dohyo.data.load(REPLAYS)
    names = {f"replay {number}": [seat.name for seat in replay.header.seats] for number, replay in enumerate(REPLAYS)}

    def bots(found: Decisions) -> set[tuple[str, int]]:
        pairs = zip(found.episodes.match.tolist(), found.episodes.seat.tolist(), strict=True)
        return {(names[found.matches[at]][seat], seat) for at, seat in pairs}

    assert bots(every) == {("one", 0), ("one", 1), ("two", 0), ("two", 1)}
    assert bots(dohyo.data.load(REPLAYS, bots="one")) == {("one", 0), ("one", 1)}
    assert bots(dohyo.data.load(REPLAYS, seats=1)) == {("one", 1), ("two", 1)}
    assert bots(dohyo.data.load(REPLAYS, bots=["one"], seats=[0])) == {("one", 0)}
    won = dohyo.data.load(REPLAYS, winners=True)
    assert (won.episodes.payoff >= 0).all()
    assert len(won.episodes.payoff) < len(every.episodes.payoff)


def test_pieces_are_the_whole() -> None:
    """Whole matches at a time, as few as there have to be; joined they are what `load` gives."""
    whole = dohyo.data.load(REPLAYS)
    pieces = list(dohyo.data.chunks(REPLAYS, size=40))
    assert len(pieces) > 1
    longest = max(replay.played for replay in REPLAYS)
    assert all(40 <= len(piece) <= 40 + longest for piece in pieces[:-1])
    assert (numpy.concatenate([piece.observations for piece in pieces]) == whole.observations).all()
    joined = dohyo.data.decisions.joined(pieces)
    assert (joined.episodes.start == whole.episodes.start).all()
    assert (joined.episodes.match == whole.episodes.match).all()
    assert joined.matches == whole.matches
    check(GAME, REPLAYS, joined)


def parts_of(source: object, parts: int) -> list[list[Decisions]]:
    """The pieces of each part."""
    return [list(loading.part_of(part, parts, source, 40, None, None, None, {})) for part in range(parts)]  # type: ignore[arg-type]


def test_parts_share_the_replays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each replay is played again for one part only; with more parts than replays some are empty, without error."""
    whole, played, arrays = dohyo.data.load(folder), [], Again.arrays

    def noted(again: Again, matches: Sequence[Match]) -> Arrays:
        played.extend(match.found.label for match in matches)
        return arrays(again, matches)

    monkeypatch.setattr(Again, "arrays", noted)
    pieces = parts_of(folder, 4)
    assert all(pieces)
    assert sorted(played) == sorted(whole.matches)
    assert same(dohyo.data.decisions.joined([piece for part in pieces for piece in part]), whole)
    assert [bool(part) for part in parts_of(folder / "0.replay.zst", 3)] == [True, False, False]


def test_parts_raise_what_the_whole_raises(folder: Path) -> None:
    """Whatever is in a part of its own: that there is nothing at all, and that there are several games."""
    with pytest.raises(OperatorError, match="No replay was named"):
        parts_of([], 2)
    (folder / "9.replay").write_bytes(encode(usual_match(games.find("kuhn-poker"), 1)))
    with pytest.raises(OperatorError, match="several games"):
        parts_of(folder, 7)


@flat
def promise(s: Any, seat: int) -> float:
    """A potential: how long the match has gone on, and something for a seat."""
    return 0.01 * s.turn + 0.1 * seat  # type: ignore[no-any-return]


def test_rewards_and_returns() -> None:
    """A return is the sum of the discounted rewards that follow; shaping takes the potential of the state from it."""
    plain = dohyo.data.load(REPLAYS, discount=0.9)
    shaped = dohyo.data.load(REPLAYS, reward=Reward("place", shaping=promise, discount=0.9))
    promised = 0.01 * plain.turns + 0.1 * numpy.repeat(plain.episodes.seat, numpy.diff(plain.episodes.start))
    assert numpy.allclose(plain.returns - shaped.returns, promised, atol=1e-6)
    for found in (plain, shaped):
        for number in range(len(found.episodes.seat)):
            part, total = found.episode(number), 0.0
            for at in reversed(range(part.start, part.stop)):
                total = float(found.rewards[at]) + 0.9 * total
                assert found.returns[at] == pytest.approx(total, abs=1e-6)


def test_parts_by_match() -> None:
    """A split never has decisions of one match in both parts, and nothing is lost."""
    found = dohyo.data.load(REPLAYS)
    some, rest = found.split(0.5, seed=3)
    assert len(some) + len(rest) == len(found)
    assert {*some.episodes.match.tolist()}.isdisjoint(rest.episodes.match.tolist())
    assert same(dohyo.data.decisions.joined([some, rest]), found)


def test_scaled_and_without_masks() -> None:
    """Observations of the environments' kind; and nothing that was not asked for."""
    found = dohyo.data.load(REPLAYS, scaled=True, masks=False)
    assert found.observations.dtype == numpy.float32
    assert abs(found.observations).max() <= 1
    assert found.masks is None
    assert set(found[0]) == {"observation", "action", "return"}


def test_an_item_is_a_decision() -> None:
    """As PyTorch's loaders take it, one by one or several at once, and no further than the last."""
    found = dohyo.data.load(REPLAYS)
    one = found[3]
    assert one["action"] == found.actions[3]
    assert one["mask"][one["action"]] == 1
    assert [each["action"] for each in found.__getitems__([3, 5])] == found.actions[[3, 5]].tolist()
    assert len(list(found)) == len(found)
    assert found[-1]["return"] == found.returns[-1]
    with pytest.raises(IndexError):
        found[len(found)]


# --- a contest's store, and Parquet


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A contest between two sample bots."""
    place = str(tmp_path_factory.mktemp("contest") / "contest.db")
    dohyo.contest("connect-four", ["random", "other=random"], rounds=2, store=place, seed=1, workers=1)
    return place


def lines_of(store: str) -> list[str]:
    """The digests of the replays of the only contest."""
    with open_store(store) as opened:
        return [line.replay or "" for line in lines(look(opened, None, results=False))]


def stored(store: str) -> list[Replay]:
    """The replays of the matches of the only contest."""
    with open_store(store) as opened:
        return [decode(opened.files.get(digest)) for digest in lines_of(store)]


def test_a_store_gives_its_matches(store: str) -> None:
    """Those whose results count; bots have the names that they had there."""
    assert same(dohyo.data.load(store), dohyo.data.load(stored(store)))
    assert same(dohyo.data.load(store, bots="other"), dohyo.data.load(stored(store), bots="other"))


def test_parquet_says_which_seats_of_which_matches(store: str, tmp_path: Path) -> None:
    """Rows that somebody has picked of an export mean these seats; the replays come from the store."""
    with open_store(store) as opened:
        frame = polars.DataFrame(columns_of(lines(look(opened, None, results=False))))
    frame.filter(polars.col("bot") == "other").write_parquet(tmp_path / "picked.parquet")
    picked = str(tmp_path / "picked.parquet")
    assert same(dohyo.data.load(picked, store=store), dohyo.data.load(store, bots="other"))
    with pytest.raises(OperatorError, match="store="):
        dohyo.data.load(picked)
    frame.select("bot").write_parquet(picked)
    with pytest.raises(OperatorError, match="columns"):
        dohyo.data.load(picked, store=store)


def test_a_small_parquet_file_takes_little_memory(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One long word that stands in each row is no digest; what is there twice counts once; too many rows are told."""
    (first, *_) = lines_of(store)
    rows = {"replay": ["x" * 200_000] * 500 + [first] * 500, "seat": [0] * 1000}
    place = str(tmp_path / "long.parquet")
    polars.DataFrame(rows).write_parquet(place)
    assert Path(place).stat().st_size < 50_000
    tracemalloc.start()
    try:
        assert list(sources._rows(place)) == [(first, 0)]
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(sources, "MAX_ROWS", 999)
    with pytest.raises(OperatorError, match="1000 rows"):
        dohyo.data.load(place, store=store)


# --- other libraries


if find_spec("torch"):

    def test_pytorch_takes_it(folder: Path) -> None:
        """As tensors on the same memory, by a loader, and as a stream of a folder."""
        torch = importlib.import_module("torch")
        sets = importlib.import_module("dohyo.data.torch")
        found = dohyo.data.load(folder)
        tensors = sets.tensors(found)
        assert len(tensors) == len(found)
        assert tensors.tensors[0].data_ptr() == found.observations.ctypes.data
        batch = next(iter(torch.utils.data.DataLoader(found, batch_size=8)))
        assert batch["observation"].shape == (8, *found.observations.shape[1:])
        stream = torch.utils.data.DataLoader(sets.Stream(folder, seed=1, size=40), batch_size=16)
        actions = torch.cat([each["action"] for each in stream])
        assert sorted(actions.tolist()) == sorted(found.actions.tolist())
        assert actions.tolist() != found.actions.tolist()

    @pytest.mark.parametrize("workers", [0, 2])
    def test_each_epoch_of_pytorch_has_another_order(folder: Path, workers: int) -> None:
        """The same orders for the same seed, with and without workers; an item comes once in each."""
        torch = importlib.import_module("torch")
        sets = importlib.import_module("dohyo.data.torch")

        def epochs() -> list[list[bytes]]:
            stream = sets.Stream(folder, seed=1, size=40)
            loader = torch.utils.data.DataLoader(stream, batch_size=None, num_workers=workers)
            return [[each["observation"].numpy().tobytes() for each in loader] for _ in range(2)]

        first, second = epochs()
        assert first != second
        assert sorted(first) == sorted(second)
        assert [first, second] == epochs()


if find_spec("minari"):

    @pytest.mark.filterwarnings("ignore::UserWarning")  # it asks for an author and much else
    @pytest.mark.parametrize("masks", [True, False])
    def test_minari_keeps_it(masks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """An episode of its is a seat's match, with what is seen at the end; loaded again, the same numbers."""
        monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
        found = dohyo.data.load(REPLAYS, masks=masks)
        importlib.import_module("dohyo.data.minari").keep(found, "connect-four/random-v0")
        loaded = importlib.import_module("minari").load_dataset("connect-four/random-v0")
        assert loaded.total_episodes == len(found.episodes.seat)
        for number, episode in enumerate(loaded.iterate_episodes()):
            part = found.episode(number)
            seen = episode.observations["observation"] if masks else episode.observations
            assert (seen[:-1] == found.observations[part]).all()
            assert (seen[-1] == found.episodes.final[number]).all()
            assert (episode.actions == found.actions[part]).all()
            assert numpy.allclose(episode.rewards, found.rewards[part])
            assert episode.terminations.tolist() == [False] * (part.stop - part.start - 1) + [True]


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is imported before it is used."""
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "minari" else real(name, *more)
    )
    with pytest.raises(OperatorError, match="pip install minari"):
        importlib.import_module("dohyo.data.minari").keep(dohyo.data.load(REPLAYS), "connect-four/random-v0")
    assert list(itertools.islice(dohyo.data.chunks(REPLAYS), 1))
