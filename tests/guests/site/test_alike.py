"""Hand-ins that are alike: found by the judge, shown to organisers alone, whatever strangers hand in."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging import alike, alike_process
from dohyo.guests.site.judging.alike_process import LONGEST, Given, Side
from dohyo.guests.site.pages.alike import pieces
from dohyo.guests.site.people import accounts
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import open_site
from dohyo.series.store.database import Database
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

SAMPLE = (GOOD.parents[3] / "games/general/bots/random.py").read_text()
OWN = """
def weigh(board, depth, best):
    total = 0
    for row in range(8):
        for column in range(8):
            if board[row][column] == depth:
                total += best * (row - 3) ** 2 + column
            elif board[row][column] != 0:
                total -= best * (column - 4) ** 2 + row
    return total if depth > 2 else -total

def search(board, depth, moves):
    found = []
    for move in moves:
        score = weigh(board, depth, len(moves)) + move
        found.append((score, move))
    found.sort(reverse=True)
    return found[0][1]
"""
OTHER = """
import sys
while True:
    words = [int(each) for each in sys.stdin.readline().split()]
    print(max(words))
"""


def zipped(**files: str) -> bytes:
    """A zip of sources."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.py", text)
    return out.getvalue()


def test_copied_code_is_found_under_other_names_and_samples_do_not_count() -> None:
    """A renamed copy, also in a zip, is found with its share and marks; what both have of a sample bot is not."""
    renamed = OWN.replace("weigh", "rate").replace("total", "points").replace("board", "field")
    given = [
        Given(1, "a.py", (SAMPLE + OWN).encode()),
        Given(2, "b.zip", zipped(main=SAMPLE, helper=renamed)),
        Given(3, "c.py", (SAMPLE + OTHER).encode()),
        Given(3, "d.py", (SAMPLE + OTHER).encode()),
    ]
    told = alike_process.compared(given, [("random.py", SAMPLE)], monotonic() + 600)
    assert told.unread == []
    assert told.is_whole
    assert [(one.given, other.given, other.filename) for one, other in told.pairs] == [(0, 1, "helper.py")]
    for side in told.pairs[0]:
        assert side.share > 0.7
        assert "".join(text for text, _ in pieces(side)) == side.text
        assert "+= " in "".join(text for text, marked in pieces(side) if marked)


def test_a_source_that_takes_too_long_is_left_out_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read in its time, is no text or a broken archive stops no other; without time nothing is."""
    monkeypatch.setattr(
        alike_process, "_texts", lambda one: (iter(int, 1) if one.owner == 9 else [("a.py", OWN)], False)
    )
    monkeypatch.setattr(alike_process, "EACH", 1)
    given = [Given(1, "a.py", b""), Given(9, "slow.py", b""), Given(2, "b.py", b"")]
    told = alike_process.compared(given, [], monotonic() + 600)
    assert told.unread == [1]
    assert len(told.pairs) == 1
    told = alike_process.compared(given, [], monotonic())
    assert (told.unread, told.late, told.is_whole) == ([], [0, 1, 2], False)


def test_reading_leaves_time_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many to be read in time, those that were read are compared, and the others named."""
    now, read = 0.0, alike_process._read

    def slowly(number: int, one: Given, common: list[int]) -> alike_process.Read | None:
        nonlocal now
        now += 1.0
        return read(number, one, common)

    monkeypatch.setattr(alike_process, "_read", slowly)
    monkeypatch.setattr(alike_process, "monotonic", lambda: now)
    told = alike_process.compared([Given(number, "a.py", OWN.encode()) for number in range(5)], [], 5.0)
    assert len(told.pairs) == 3
    assert (told.unread, told.late) == ([], [3, 4])
    assert not told.is_whole


def test_of_large_hand_ins_a_bounded_part_is_read_and_that_is_said() -> None:
    """Of a long source, and of many files, the first part is compared; what was cut, or has no source, is named."""
    long = OWN + "# more\n" * LONGEST
    given = [
        Given(1, "a.py", long.encode()),
        Given(2, "b.zip", zipped(first=OWN, second="# x\n" * (LONGEST // 4), third=OTHER)),
        Given(3, "c.zip", zipped(**{f"f{number}": "" for number in range(alike_process.MAX_FILES)}, own=OWN)),
        Given(4, "d.bin", long.encode()),
        Given(5, "e.py", OWN.encode()),
    ]
    told = alike_process.compared(given, [], monotonic() + 600)
    assert (told.cut, told.bare, told.unread, told.late) == ([0, 1, 2], [2, 3], [], [])
    assert {frozenset((one.given, other.given)) for one, other in told.pairs} == {
        *map(frozenset, ((0, 1), (0, 4), (1, 4)))
    }
    for side in (side for pair in told.pairs for side in pair):
        assert len(side.text) <= LONGEST


def test_one_hand_in_is_in_memory_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge reads a hand-in when the one before it was sent: many large ones take no more than one."""
    site, database, ladder = with_hand_ins(tmp_path)
    log: list[str] = []

    def answer(command: object, environment: object, pieces: Iterator[bytes]) -> bytes:
        for one in pieces:
            log.append("sent" if OWN[:20].encode() in one else "samples")
        return msgspec.msgpack.encode(alike_process.Told([], []))

    try:
        files = site.files()

        class Noted:
            put = files.put

            def get(self, digest: str, most: int) -> bytes:
                log.append("read")
                return files.get(digest, most)

        monkeypatch.setattr(SiteFolder, "files", lambda self: Noted())
        monkeypatch.setattr(alike, "_answer", answer)
        monkeypatch.setattr(alike, "MAX_COMPARED", 2)
        assert alike.compare_next(database, site, lambda number: True)
        assert log == ["samples", "read", "sent", "read", "sent"]
        log.clear()
        there = alike.state_of(database, ladder)
        assert there is not None
        found = alike.found(site, there)
        assert found is not None
        assert (found.compared, found.older, found.has_all) == (2, 1, False)
    finally:
        database.close()


def with_hand_ins(folder: Path) -> tuple[SiteFolder, Database, Ladder]:
    """A site without a server, and a ladder for which three authors have handed in much the same, to be compared."""
    site = SiteFolder(folder / "site")
    lock = site.take()
    assert lock is not None
    lock.release()
    database = open_site(site.site)
    authors = [accounts.sign_up(database, f"Author {letter}", "correct horse", "here") for letter in "ABC"]
    ladder = ladders.make(database, authors[0], "othello")
    for author in authors:
        content = f"{OWN}# {author.name}".encode()
        hand_ins.hand_in(database, site.files(), ladder, author, f"Bot of {author.name}", "bot.py", content)
    alike.ask(database, authors[0], ladder)
    return site, database, ladder


@pytest.mark.parametrize("error", ["store-file-missing", "object-store-fails"])
def test_a_file_that_cannot_be_read_keeps_no_judge_from_its_ladders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    """A hand-in without a file is left out and named; where no file can be read, the comparison waits no more."""
    site, database, ladder = with_hand_ins(tmp_path)
    try:
        lost = hand_ins.newest(database, ladder, 1)[0]
        files = site.files()

        class Lost:
            def get(self, digest: str, most: int) -> bytes:
                if digest == lost.file:
                    raise OperatorError(error, digest="", folder="", place="", reason="")
                return files.get(digest, most)

            put = files.put

        monkeypatch.setattr(SiteFolder, "files", lambda self: Lost())
        assert alike.compare_next(database, site, lambda number: True)
        assert not alike.compare_next(database, site, lambda number: True)
        there = alike.state_of(database, ladder)
        assert there is not None
        if error == "object-store-fails":
            assert there.state == "broken"
        else:
            found = alike.found(site, there)
            assert found is not None
            assert (found.compared, found.unread, found.late, len(found.pairs)) == (2, [lost.bot], [], 1)
    finally:
        database.close()


def test_marks_that_overlap_or_lead_nowhere_show_the_source_once() -> None:
    """Whatever the marks are, the pieces are the text."""
    side = Side(0, "a.py", 0.5, [(5, 9), (0, 6), (8, 400), (30, 20)], "0123456789<b>")
    assert [*pieces(side)] == [
        ("", False),
        ("012345", True),
        ("", False),
        ("678", True),
        ("", False),
        ("9<b>", True),
        ("", False),
    ]


def test_organisers_see_which_hand_ins_are_alike(site: RunningSite, organiser: Visitor) -> None:
    """Two students hand in the same under other names: an organiser sees both side by side; nobody else does."""
    slug = new_ladder(organiser, "othello", "Compared")
    authors = [Visitor(site.url).sign_up(f"Copying {number}") for number in "AB"]
    for author, bot, source in zip(authors, ("First", "Second"), (OWN, OWN.replace("weigh", "rate")), strict=True):
        author.await_text(
            author.hand_in(slug, bot, "a.py", f"{SAMPLE}\n{source}\n# <b>{bot}</b>".encode()),
            "plays</span>",
            "refused</span>",
        )
    address = f"/ladders/{slug}/alike"
    assert "not installed" not in organiser.get(address).text
    assert organiser.post(address).status_code == 303
    page = organiser.await_text(address, f'href="{address}/1"', "problem")
    assert "First" in page
    both = organiser.get(f"{address}/1").text
    assert "<mark>" in both
    assert "&lt;b&gt;" in both
    assert organiser.get(f"{address}/2").status_code == 404
    for path in (address, f"{address}/1"):
        assert authors[0].get(path).status_code == 404
        assert Visitor(site.url).get(path).status_code == 401
    assert authors[0].post(address).status_code == 404


def test_without_copydetect_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the extra is missing, whoever asks is told the remedy, and nothing waits for ever."""
    monkeypatch.setitem(sys.modules, "copydetect", None)
    database = open_site(str(tmp_path / "site.db"))
    try:
        ladder = Ladder(1, "a", "A", "othello")
        with pytest.raises(OperatorError, match=r"dohyo\[similarity\]"):
            alike.ask(database, Person(1, "A", "organiser"), ladder)
        assert alike.state_of(database, ladder) is None
    finally:
        database.close()
