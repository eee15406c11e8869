"""Hand-ins at each limit and just beyond it: refused where they are read, or good for everything that comes later.

One table of limits (`dohyo.system.hand_in_limits`) stands for all of it: a class is read, built, checked, copied,
packed, unpacked, and plays a whole contest and a koth, in every layer of the sandbox. Nobody stops the others.

An ordinary run has each layer once, in one command or another; `--full` has each command in each layer.
"""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dohyo
from dohyo import bots
from dohyo.bench.check.hand_ins import check_all, hand_ins
from dohyo.bots import archive
from dohyo.bots.cache import location
from dohyo.core import notices, replay_format
from dohyo.core.bot_spec import HandIn
from dohyo.core.clock import Clock
from dohyo.core.errors import MachineError
from dohyo.executors import one_match
from dohyo.executors.in_process import InProcess
from dohyo.games import find
from dohyo.games.abotcalypse.koth import KOTH
from dohyo.guests.game_programs.folder_contest import FolderContest
from dohyo.match import folder_bots, sandboxing
from dohyo.match.working_copies import WorkingCopies
from dohyo.sandbox import Sandbox, at_layer
from dohyo.series.request import ContestRequest
from dohyo.system import disk
from dohyo.system import hand_in_limits as limits
from tests.guests.game_programs.test_folder_contest import KeptOutput
from tests.series.contests import ContestListener, Notes, opened
from tests.skips import Reason, skip_for
from tests.told import detail

CLOCK = Clock(turn=60.0, ready=60.0)
FEW, SMALL = 120, 1 << 20  # entries and bytes that a hand-in may have here: the real ones take long to write
RUN = 'run = "./guest"\nlifetime = "turn"\n'
GUEST = "#!/bin/sh\necho rest\n"
OWN = 3  # entries that every hand-in here has: its folder, its manifest, its program


def hand_in(home: Path) -> Path:
    """A bot of aBOTcalypse whose process lives for a turn."""
    home.mkdir()
    (home / "bot.toml").write_text(RUN)
    (home / "guest").write_text(GUEST)
    (home / "guest").chmod(0o755)
    return home


def deep(home: Path, depth: int) -> None:
    """A file in so many folders, the outermost one among them."""
    inner = home.joinpath(*["d"] * (depth - 1))
    inner.mkdir(parents=True)
    (inner / "x").write_text("x")


def path_of(home: Path, size: int) -> None:
    """A file whose path has so many bytes."""
    names = []
    while size > 200:
        names.append("p" * 199)
        size -= 200
    file = home.joinpath(*names, "f" * size)
    file.parent.mkdir(parents=True)
    file.write_text("x")


def name_of(home: Path, size: int) -> None:
    """A file whose own name has so many bytes."""
    (home / ("n" * size)).write_text("x")


def entries(home: Path, count: int) -> None:
    """So many files and folders in all."""
    for number in range(count - OWN):
        (home / str(number)).touch()


def empty_folders(home: Path, count: int) -> None:
    """So many folders and files in all; nothing is in the folders."""
    for number in range(count - OWN):
        (home / str(number)).mkdir()


def links(home: Path, count: int) -> None:
    """So many links, one of them out of the deepest folder by the longest way."""
    names = ["l" * 60 + str(number) for number in range(8)]
    home.joinpath(*names).mkdir(parents=True)
    os.symlink("../" * 8 + "guest", home.joinpath(*names, "first"))
    for number in range(count - 1):
        (home / f"link{number}").symlink_to("guest")


def chain(home: Path, count: int) -> None:
    """So many links behind each other."""
    for number in range(count):
        (home / f"c{number}").symlink_to(f"c{number + 1}" if number + 1 < count else "guest")


def long_link(home: Path, size: int) -> None:
    """A link from a deep folder whose way has so many bytes: its text is longer."""
    inner = home.joinpath(*["d"] * 30)
    inner.mkdir(parents=True)
    (inner / "link").symlink_to("../" * 30 + "/".join(["w" * 199] * (size // 200) + ["v" * (size % 200)]))


def sparse(home: Path, size: int) -> None:
    """A file without content, so that all have so many bytes."""
    with (home / "hole").open("wb") as file:
        file.truncate(size - len(RUN) - len(GUEST))


def odd_bytes(home: Path, _: int) -> None:
    """Names that are no text, that hold line ends, and words for a terminal."""
    for name in (b"\xff\xfe", b"new\nline", b"\x1b[31m"):
        Path(os.fsdecode(os.fsencode(home) + b"/" + name)).write_text("x")


def twins(home: Path, _: int) -> None:
    """Names that some disks take for one."""
    for name in ("data", "Data", "DATA", "caf\u00e9", "cafe\u0301"):
        (home / name).mkdir()
        (home / name / "x").write_text(name)


def hard_links(home: Path, _: int) -> None:
    """One file under several names."""
    (home / "a").write_text("x")
    for name in ("b", "c"):
        os.link(home / "a", home / name)


def closed(home: Path, _: int) -> None:
    """A file and a folder without any rights."""
    (home / "file").write_text("x")
    (home / "inner").mkdir()
    for name in ("file", "inner"):
        (home / name).chmod(0)


Make = Callable[[Path, int], None]
# By what it is about: how it is made, at the limit.
LIMITS: dict[str, tuple[Make, int]] = {
    "depth": (deep, limits.MAX_DEPTH),
    "path": (path_of, limits.MAX_PATH_BYTES),
    "entries": (entries, FEW),
    "folders": (empty_folders, FEW),
    "links": (links, limits.MAX_LINKS),
    "chain": (chain, limits.MAX_LINK_CHAIN),
    "way": (long_link, limits.MAX_PATH_BYTES),
    "bytes": (sparse, SMALL),
}
# What may be refused in one place and played in another, but never stops anybody.
ODD: dict[str, Make] = {"odd": odd_bytes, "twins": twins, "hard": hard_links, "closed": closed}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less that a hand-in may have, so that nobody writes 256 MiB here."""
    monkeypatch.setattr(limits, "MAX_ENTRIES", FEW)
    monkeypatch.setattr(limits, "MAX_BYTES", SMALL)
    monkeypatch.setattr(limits, "MAX_ARCHIVED_ENTRIES", FEW + limits.MAX_LINKS)


@pytest.fixture
def school(tmp_path: Path, few: None) -> Iterator[Path]:
    """A class: a hand-in at each limit and one beyond it, odd ones, and a plain one."""
    folder = tmp_path / "class"
    folder.mkdir()
    hand_in(folder / "plain")
    for name, (make, most) in LIMITS.items():
        make(hand_in(folder / f"{name}-at"), most)
        make(hand_in(folder / f"{name}-over"), most + 1)
    name_of(hand_in(folder / "name-at"), limits.MAX_NAME_BYTES)
    for name, odd in ODD.items():
        odd(hand_in(folder / name), 0)
    yield folder
    for name in ("file", "inner"):
        (folder / "closed" / name).chmod(0o700)


AT = {"plain", "name-at", *(f"{name}-at" for name in LIMITS)}
OVER = {f"{name}-over" for name in LIMITS}


def in_layers(*usual: int) -> pytest.MarkDecorator:
    """Run a test in every layer of the sandbox; those that are not `usual` in a full run alone."""
    layers = [pytest.param(layer, marks=() if layer in usual else pytest.mark.full) for layer in (1, 2, 3, 4)]
    return pytest.mark.parametrize("layer", layers, indirect=True)


@pytest.fixture
def layer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Everything is played in one layer of the sandbox."""
    sandbox = at_layer(request.param)
    if sandbox is None:
        skip_for(Reason.KERNEL, f"no layer {request.param} of the sandbox")
    monkeypatch.setattr(sandboxing, "choose", lambda word: sandbox)
    one_match._sandbox.cache_clear()
    yield sandbox
    one_match._sandbox.cache_clear()


def request_of(tmp_path: Path, school: Path, **more: Any) -> ContestRequest:
    """A contest of the class, in which all meet in one match."""
    usual: dict[str, Any] = {"name": "c", "store": str(tmp_path / "c.db"), "game": "abotcalypse", "seed": 5}
    usual |= {"format": "round-robin", "folder": str(school), "setup": {"turns": 1}, "clock": CLOCK}
    return ContestRequest(**{**usual, "rounds": 1, **more})


@in_layers(1)
def test_in_a_contest(tmp_path: Path, school: Path, layer: Sandbox) -> None:
    """A contest of the class is played to its end, and whoever is beyond a limit is left out before it.

    Whoever is within all of them plays every match without a fault, also when the bots come from their archives.
    """
    notes, heard = Notes(), ContestListener()
    wanted = request_of(tmp_path, school, options={"table": 6, "rotate": False})
    with opened(wanted, notes=notes) as contest, InProcess() as players:
        names = [entrant.version.name for entrant in contest.loop.roster.entrants]
        assert set(names) >= AT
        assert set(notes.left_out) >= OVER
        assert set(names).isdisjoint(OVER)
        contest.loop.roster._bots.clear()  # as in a contest that is gone on with elsewhere: they come from archives
        assert contest.loop.run(players, heard)
        results = list(contest.store.played(contest.contest.id))
    assert heard.aside == []
    assert len(results) == len(names)
    assert [result.faults for result in results if any(result.faults)] == []


def test_one_that_cannot_be_built_any_more(tmp_path: Path) -> None:
    """A contest that goes on elsewhere is played to its end though one bot does not build there: it has the fault."""
    school, marker = tmp_path / "class", tmp_path / "marker"
    school.mkdir()
    marker.touch()
    for name in ("plain", "other"):
        hand_in(school / name)
    (hand_in(school / "fickle") / "bot.toml").write_text(f'build = "test -e {marker}"\n{RUN}')
    wanted = request_of(tmp_path, school, options={"table": 3}, sandbox="none")
    heard, told = ContestListener(), []
    with opened(wanted) as contest, InProcess() as players:
        marker.unlink()
        contest.loop.roster._bots.clear()
        disk.remove(location() / "builds")
        with notices.heard_by(lambda key, details: told.append((key, details["bot"]))):
            assert contest.loop.run(players, heard)
        result = next(iter(contest.store.played(contest.contest.id)))
        names = [contest.loop.roster.entrants[seat].version.name for seat in result.fixture.seats]
        replay = replay_format.decode(contest.store.files.get(result.replay or ""))
    assert heard.aside == []
    assert {name: faults for name, faults in zip(names, result.faults, strict=True) if faults}.keys() == {"fickle"}
    details = [detail(fault) for turn in replay.turns for move in turn.moves for fault in move.faults]
    details += [detail(fault) for move in replay.result.last for fault in move.faults]
    assert any("could not be started" in detail for detail in details)
    assert told == [("contest-starts-no-more", "fickle")]


def test_the_machine_is_nobodys_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that is full stops the contest with its sentence: no bot is left out for it, none has a fault."""
    school = tmp_path / "class"
    school.mkdir()
    hand_in(school / "plain")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("dohyo.bots.hand_in.copy", full)
    with pytest.raises(MachineError):
        folder_bots.find(str(school), 10, None, sandbox="none")
    with pytest.raises(MachineError):
        list(check_all(find("abotcalypse"), hand_ins(school), sandbox="none"))


@in_layers(4)
def test_in_koth(tmp_path: Path, school: Path, layer: Sandbox) -> None:
    """A koth of the class is played to its end, with working copies: the same are left out, and nobody else fails."""
    output = KeptOutput()
    (tmp_path / "out").mkdir()
    held = FolderContest(find("abotcalypse"), KOTH, str(school), tmp_path / "out", output, clock=CLOCK)
    assert held.run(KOTH.machine(5, {"n": 1, "turns": 1, "rules": "post"})) == 0
    assert set(held.record.bots) >= AT
    assert set(held.record.refused) >= OVER
    assert all("\n" not in sentence for sentence in held.record.refused.values())
    (match,) = held.record.matches
    assert match.played is not None
    assert match.played.lapses == ()


@in_layers(2, 3)
def test_in_a_check(school: Path, layer: Sandbox) -> None:
    """`check` of the class has a row for each: an error for what is beyond a limit, none for what is within them."""
    paths = [path for path in hand_ins(school) if path.name not in ODD]
    asked: dict[str, Any] = {"setup": {"turns": 1}, "clock": CLOCK, "matches": 1}
    found = {each.name: each for each in check_all(find("abotcalypse"), paths, **asked)}
    refused = {name for name, each in found.items() if any(one.key == "check.unusable" for one in each.findings)}
    assert refused == OVER
    assert set(found) == AT | OVER


def test_copied_and_packed(tmp_path: Path, school: Path) -> None:
    """What is accepted can be copied for a match, packed, unpacked, and is then the same bot."""
    with WorkingCopies() as copies:
        for name in sorted(AT):
            (bot,) = bots.resolve([HandIn(str(school / name), entry=True)])
            (own,) = copies.make([bot])
            assert own.unusable == ""
            content = archive.pack(bot, {})
            assert len(content) <= limits.MAX_ARCHIVE_BYTES
            (again,) = bots.resolve([archive.unpack(content)])
            assert again.digest == bot.digest, name


def test_each_limit_is_within_the_next() -> None:
    """What a hand-in may have, its archive and its build may have too."""
    assert limits.MAX_DEPTH < limits.MAX_BUILT_DEPTH
    assert limits.MAX_ARCHIVED_ENTRIES == limits.MAX_ENTRIES + limits.MAX_LINKS <= limits.MAX_BUILT_ENTRIES
    assert limits.MAX_BYTES <= limits.MAX_BUILT_BYTES
    assert limits.MAX_PATH_BYTES <= limits.MAX_BUILT_PATH_BYTES <= limits.MAX_WHOLE_PATH_BYTES
    assert limits.MAX_PATH_BYTES + 3 * limits.MAX_DEPTH <= limits.MAX_LINK_TARGET_BYTES
    assert 2 * limits.MAX_BUILT_DEPTH < 250, "two descriptors a folder: macOS allows a process 256"


# Numbers in the same packages whose names sound alike, and are about something else.
OTHERS = {
    "bots/declared.py": {"LONGEST_NAME"},  # characters of a name in `bot.toml`
    "bots/game_files.py": {"MAX_FILES", "LARGEST", "MAX_BYTES", "DEEPEST"},  # of a game, which is the operator's
    "bots/isolated_reader.py": {"LARGEST"},  # of a message between our processes
    "bots/programs.py": {"LONGEST_NAME"},  # of a command line that serves as a name
    # Of sources that are looked at to find what they import, and of one that is parsed in our own process.
    "bots/python_sources.py": {"MAX_FILES", "LARGEST"},
    "system/disk.py": {"LONGEST", "DEEPEST"},  # seconds; folders that are open while a disk is measured
    "system/temporary.py": {"MOST"},  # folders of ours
}
SOUNDS = re.compile(r"(MOST|MAX|LONGEST|LARGEST|DEEPEST)(_(FILES|ENTRIES|BYTES|LINKS|PATH|PART|NAME|DEPTH))?")


def test_no_other_table() -> None:
    """No other module of what reads, copies, packs or builds hand-ins defines a limit of them."""
    home = Path(dohyo.__file__).parent
    files = [path for folder in ("bots", "system") for path in sorted((home / folder).glob("*.py"))]
    files += [home / "match" / name for name in ("working_copies.py", "folder_bots.py", "git_trees.py")]
    files.remove(home / "system" / "hand_in_limits.py")
    found: dict[str, set[str]] = {}
    for path in files:
        for node in ast.parse(path.read_text()).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            names = {part.id for each in targets for part in ast.walk(each) if isinstance(part, ast.Name)}
            if mine := {name for name in names if SOUNDS.fullmatch(name)}:
                found.setdefault(str(path.relative_to(home)), set()).update(mine)
    assert found == OTHERS
