"""Which hand-ins of a ladder are alike: an organiser asks, the judge has it compared, and keeps what came of it.

The comparison is copydetect's (`alike_process.py`), which the extra `similarity` brings. What sample bots have in
common with everybody does not count.
"""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Timer
from time import time

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from dohyo import bots, games
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.ladders import Ladder, every
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.alike_process import Given, Side, Told, piece
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.upkeep import logs
from dohyo.series.store.database import Database
from dohyo.system import interpreter

SECONDS = 60.0  # in which it has to be done, while nothing else is judged
MAX_COMPARED = 300  # hand-ins: the newest of each bot
MAX_FILE = 10 << 20  # bytes of a hand-in
MAX_FOUND = 64 << 20  # bytes of what came of it
LONGEST_SAMPLE = 200_000  # bytes
UNREADABLE = ("-missing", "-damaged")  # how the keys of errors end that are about one file alone, wherever it lies


class Half(msgspec.Struct):
    """One of two hand-ins that are alike."""

    hand_in: int
    bot: str
    author: str
    version: int
    side: Side


class Alike(msgspec.Struct):
    """What came of a comparison: the pairs, the most alike first.

    By name: hand-ins that could not be read, those that were `late`, as there was no time to read them, those that
    were `cut`, and those that are `bare` of sources. `older` bots have a hand-in that is none of the newest ones.
    """

    at: float
    compared: int
    pairs: list[tuple[Half, Half]]
    unread: list[str]
    is_whole: bool
    late: list[str] = []
    cut: list[str] = []
    bare: list[str] = []
    older: int = 0

    @property
    def has_all(self) -> bool:
        """Whether every hand-in was compared with each other, and all of it."""
        return self.is_whole and not (self.unread or self.cut or self.bare or self.older)


class Comparison(msgspec.Struct, frozen=True):
    """What there is of a ladder: `state` is waiting, done or broken."""

    state: str
    file: str


def is_there() -> bool:
    """Whether copydetect is installed here."""
    return importlib.util.find_spec("copydetect") is not None


def ask(database: Database, by: Person, ladder: Ladder) -> None:
    """Have the hand-ins of a ladder compared. Raises `OperatorError` where copydetect is not installed."""
    if not is_there():
        raise OperatorError("serve-needs-similarity")

    def act(connection: Connection) -> None:
        comparisons = tables.comparisons
        here = comparisons.c.ladder == ladder.id
        if connection.execute(select(func.count()).where(here)).scalar_one():
            connection.execute(update(comparisons).where(here).values(state="waiting"))
        else:
            connection.execute(insert(comparisons).values(ladder=ladder.id, state="waiting", file=""))
        audit(connection, by, "compare", {"ladder": ladder.slug})

    database.write(act)


def state_of(database: Database, ladder: Ladder) -> Comparison | None:
    """What there is of a ladder; none if nobody has asked."""
    comparisons = tables.comparisons
    asked = select(comparisons.c.state, comparisons.c.file).where(comparisons.c.ladder == ladder.id)
    row = database.read(lambda connection: connection.execute(asked).first())
    return None if row is None else Comparison(*row)


def found(site: SiteFolder, comparison: Comparison) -> Alike | None:
    """What came of it; none before it was done once."""
    if not comparison.file:
        return None
    return msgspec.msgpack.decode(site.files().get(comparison.file, MAX_FOUND), type=Alike)


# --- the judge's part


def compare_next(database: Database, site: SiteFolder, plays: Callable[[int], bool]) -> bool:
    """Do one comparison that somebody waits for, of a ladder that this judge `plays`; whether there was one.

    Whatever goes wrong with it, it waits no more: it must not keep the judge from its ladders.
    """
    comparisons = tables.comparisons
    asked = select(comparisons.c.ladder).where(comparisons.c.state == "waiting")
    waiting = {*database.read(lambda connection: connection.execute(asked).scalars().all())}
    ladder = next((one for one in every(database) if one.id in waiting and plays(one.id)), None) if waiting else None
    if ladder is None:
        return False
    here = comparisons.c.ladder == ladder.id
    values = {"state": "broken"}
    with logs.telling():
        if (made := _compare(database, site, ladder)) is not None:
            values = {"state": "done", "file": site.files().put(msgspec.msgpack.encode(made))}
    database.write(lambda connection: connection.execute(update(comparisons).where(here).values(values)))
    return True


def _compare(database: Database, site: SiteFolder, ladder: Ladder) -> Alike | None:
    """Compare the newest hand-in of each bot; none if that did not work."""
    newest: list[HandInRow] = []
    gone: list[str] = []

    def pieces() -> Iterator[bytes]:
        """What the process is sent; one hand-in is in memory at a time."""
        yield piece(_samples(ladder))
        for one in hand_ins.newest(database, ladder, MAX_COMPARED):
            try:
                content = site.files().get(one.file, MAX_FILE)
            except OperatorError as error:  # its author has just deleted the account, say
                if not error.key.endswith(UNREADABLE):
                    raise
                gone.append(one.bot)
                continue
            newest.append(one)
            yield piece(Given(one.person, one.filename, content))

    words = (interpreter.current_folder(), str(SECONDS))
    command = interpreter.module("dohyo.guests.site.judging.alike_process", *words)
    with tempfile.TemporaryDirectory(prefix="dohyo-alike-") as scratch:
        own = {"MPLCONFIGDIR": scratch, "OPENBLAS_NUM_THREADS": "1"}  # of what copydetect brings
        try:
            answer = _answer(command, {**interpreter.environment(), **own}, pieces())
            told = msgspec.msgpack.decode(answer, type=Told)
        except (OSError, msgspec.MsgspecError):
            return None
    pairs = [(_half(newest, one), _half(newest, other)) for one, other in told.pairs]
    unread, late, cut, bare = (
        [newest[at].bot for at in each] for each in (told.unread, told.late, told.cut, told.bare)
    )
    count = len(newest) - len(unread) - len(late) - len(bare)
    older = max(0, hand_ins.count_newest(database, ladder) - MAX_COMPARED)
    return Alike(time(), count, pairs, [*gone, *unread], told.is_whole, late, cut, bare, older)


def _answer(command: Sequence[str], environment: Mapping[str, str], pieces: Iterator[bytes]) -> bytes:
    """What the process answers that is sent these pieces; nothing where it breaks, or takes too long."""
    with subprocess.Popen(
        command,
        cwd=interpreter.FOLDER,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(2 * SECONDS, process.kill)
        timer.start()
        try:
            with suppress(OSError):  # it has broken off: then its answer is nothing
                for one in pieces:
                    process.stdin.write(one)
                process.stdin.close()
            return process.stdout.read(MAX_FOUND)
        finally:
            timer.cancel()
            process.kill()


def _half(newest: list[HandInRow], side: Side) -> Half:
    one = newest[side.given]
    return Half(one.id, one.bot, one.author, one.version, side)


def _samples(ladder: Ladder) -> list[tuple[str, str]]:
    """The sources of the game's sample bots: everybody may begin with one of them."""
    texts = []
    for path in dict(bots.samples_of(games.find(ladder.game))).values():
        if path.is_file() and path.stat().st_size <= LONGEST_SAMPLE:
            texts.append((path.name, path.read_text(encoding="utf-8", errors="replace")))
    return texts
