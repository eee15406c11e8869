"""Files of SQLite that no program of ours writes: schemas and pages changed by hand, and journals beside them."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

PAGE = 4096  # bytes of a page of our stores
JOURNAL = bytes.fromhex("d9d505f920a163d7")  # how a journal begins, and ends where it is one of several files
LEAF, INNER = 10, 2  # kinds of pages of tables without row numbers
LEVELS = 18  # of pages above each other; SQLite follows 20


def change_schema(store: Path, sql: str, *values: object) -> None:
    """Write into the schema itself."""
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute(sql, values)
        database.commit()
        database.execute("PRAGMA journal_mode = DELETE")


def add_constraint(store: Path, table: str, constraint: str) -> None:
    """Add a constraint to a table, as if it had always had it."""
    sql = "UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ', ' || ? || ')' WHERE name = ?"
    change_schema(store, sql, constraint, table)


def repeat_pages(store: Path, levels: int = LEVELS) -> None:
    """Let the schedule's pages be read again and again: each of `levels` pages says that all below it is one page."""
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'matches'").fetchone()
    content = bytearray(store.read_bytes())
    pages = len(content) // PAGE
    leaf = bytes(content[(root - 1) * PAGE : root * PAGE])
    assert leaf[0] == LEAF, "more matches than one page holds"
    (at,) = struct.unpack(">H", leaf[8:10])
    cell = leaf[at : at + _length(leaf, at)]
    child, added = pages + 1, [leaf]
    for _ in range(levels - 1):
        added.append(_inner(child, cell))
        child += 1
    content[(root - 1) * PAGE : root * PAGE] = _inner(child, cell)
    content += b"".join(added)
    content[28:32] = struct.pack(">I", pages + levels)
    content[92:96] = content[24:28]  # the number of pages is true
    store.write_bytes(content)


def _length(page: bytes, at: int) -> int:
    """Bytes of a leaf's cell."""
    size, used = 0, 0
    while True:
        byte = page[at + used]
        size, used = size << 7 | byte & 127, used + 1
        if byte < 128:
            break
    most, least = (PAGE - 12) * 64 // 255 - 23, (PAGE - 12) * 32 // 255 - 23
    if size <= most:
        return used + size
    kept = least + (size - least) % (PAGE - 4)
    return used + (kept if kept <= most else least) + 4


def _inner(child: int, cell: bytes) -> bytes:
    """A page that names `child` as often as it can."""
    own = struct.pack(">I", child) + cell
    count = (PAGE - 12) // (2 + len(own))
    places = [PAGE - (number + 1) * len(own) for number in range(count)]
    head = struct.pack(">BHHHBI", INNER, 0, count, places[-1], 0, child)
    head += b"".join(struct.pack(">H", place) for place in places)
    return head + bytes(places[-1] - len(head)) + own * count


def journal_that_removes(store: Path, victim: Path) -> None:
    """Lay a journal beside the store that says to belong to `victim`, which is removed when it is played back."""
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    pages = store.stat().st_size // PAGE
    head = JOURNAL + struct.pack(">IIIII", 0, 0x1234, pages, 512, PAGE)
    name = str(victim).encode()
    told = struct.pack(">II", len(name), sum(name) & 0xFFFFFFFF) + JOURNAL
    locked = struct.pack(">I", (1 << 30) // PAGE + 1)
    store.with_name(store.name + "-journal").write_bytes(head.ljust(512, b"\0") + locked + name + told)
