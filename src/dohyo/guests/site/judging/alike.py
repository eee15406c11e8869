"""Which hand-ins of a ladder are alike: an organiser asks, the judge has it compared, and keeps what came of it.

The comparison is copydetect's (`alike_process.py`), which the extra `similarity` brings. What sample bots have in
common with everybody does not count.
"""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Callable
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
from dohyo.guests.site.judging.alike_process import Asked, Given, Side, Told
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

    By name: hand-ins that could not be read, and those that were `late`: there was no time to read them.
    """

    at: float
    compared: int
    pairs: list[tuple[Half, Half]]
    unread: list[str]
    is_whole: bool
    late: list[str] = []


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
    newest, given, gone = [], [], []
    for one in hand_ins.newest(database, ladder, MAX_COMPARED):
        try:
            given.append(Given(one.person, one.filename, site.files().get(one.file, MAX_FILE)))
            newest.append(one)
        except OperatorError as error:  # its author has just deleted the account, say
            if not error.key.endswith(UNREADABLE):
                raise
            gone.append(one.bot)
    words = (interpreter.current_folder(), str(SECONDS))
    command = interpreter.module("dohyo.guests.site.judging.alike_process", *words)
    asked = msgspec.msgpack.encode(Asked(given, _samples(ladder)))
    with tempfile.TemporaryDirectory(prefix="dohyo-alike-") as scratch:
        own = {"MPLCONFIGDIR": scratch, "OPENBLAS_NUM_THREADS": "1"}  # of what copydetect brings
        environment = {**interpreter.environment(), **own}
        try:
            done = subprocess.run(
                command,
                cwd=interpreter.FOLDER,
                env=environment,
                input=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=2 * SECONDS,
                check=True,
            )
            told = msgspec.msgpack.decode(done.stdout, type=Told)
        except (subprocess.SubprocessError, OSError, msgspec.MsgspecError):
            return None
    pairs = [(_half(newest, one), _half(newest, other)) for one, other in told.pairs]
    unread, late = ([newest[at].bot for at in each] for each in (told.unread, told.late))
    return Alike(time(), len(newest) - len(unread) - len(late), pairs, [*gone, *unread], told.is_whole, late)


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
