"""`dohyo check` of a class: people's names, what is no bot, equal hand-ins, a replay of each failure."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from dohyo.bench.check import hand_ins, protocol_check
from dohyo.bench.check.findings import CheckReport
from dohyo.core.game import Game
from tests.cli.conftest import ASKED, BOTS, Type

SHORT = ("--setup", "turns=8", "--clock", "60", "--trust")
NAMES = "file,name\ns1,Ada\ns2,Grace/Hopper\ns3,Paul Pdf\ns4,Nobody\n"
QUITS = f"echo READY; n=0; {ASKED} n=$((n + 1)); [ $n -le 2 ] || exit 3; echo N; fi; done"


@pytest.fixture
def hand(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two equal hand-ins, a document, and a text of the teacher's; names for the first three, and for one more."""
    for name in ("LATE", "NEXT", "LONGER", "SHORT"):
        monkeypatch.setattr(protocol_check, name, 0.05)
    place = folder / "hand"
    place.mkdir()
    for name in ("s1.sh", "s2.sh"):
        (place / name).write_text(BOTS["still"])
    (place / "s3.pdf").write_bytes(b"%PDF-1.4")
    (place / "notes.txt").write_text("Thirty of them are expected.\n")
    (folder / "names.csv").write_text(NAMES)
    return place


def test_a_class_by_its_names(typed: Type, hand: Path) -> None:
    """Who handed in a document has a row and a text; the rest is told in sentences, and so are equal hand-ins."""
    words = ("check", "drop-block", "hand", "--names", "names.csv", *SHORT)
    done = typed(*words, "--csv", "--feedback", "texts")
    rows = {row["bot"]: row for row in csv.DictReader(io.StringIO(done.out))}
    assert done.status == 1
    assert {bot: (row["name"], row["fit"], row["same_as"]) for bot, row in rows.items()} == {
        "s1.sh": ("Ada", "yes", ""),
        "s2.sh": ("Grace/Hopper", "yes", "Ada"),
        "s3.pdf": ("Paul Pdf", "no", ""),
    }
    assert rows["s3.pdf"]["wrong"].startswith("It is no bot")
    assert {path.name for path in Path("texts").iterdir()} == {"Ada.txt", "Grace-Hopper.txt", "Paul-Pdf.txt"}
    assert "Hand in the program itself" in Path("texts/Paul-Pdf.txt").read_text()
    assert "Drop-Block: Ada" in Path("texts/Ada.txt").read_text()
    assert "Grace" not in Path("texts/Ada.txt").read_text()  # that is the teacher's to tell
    told = done.err.splitlines()
    assert told[0] == "No hand-in belongs to these rows of 'names.csv': s4"
    assert told[1].endswith("no folder: notes.txt")
    assert told[2:] == ["The files of these hand-ins are the same, byte for byte: Ada, Grace/Hopper"]


def test_a_table_and_a_document_by_names(typed: Type, hand: Path) -> None:
    """The table has the names, and below it the sentences; the document has file, name and digests."""
    words = ("check", "drop-block", "hand", "--names", "names.csv", *SHORT)
    out = typed(*words).out
    assert [line.split("  ")[0] for line in out.splitlines()[1:4]] == ["Ada", "Grace/Hopper", "Paul Pdf"]
    assert "2 of 3 are fit" in out
    assert "byte for byte: Ada, Grace/Hopper" in out
    assert "提出物はありません" in typed(*words, "--lang", "ja").out
    found = json.loads(typed(*words, "--json").out)
    assert [(each["name"], each["person"]) for each in found] == [
        ("s1.sh", "Ada"), ("s2.sh", "Grace/Hopper"), ("s3.pdf", "Paul Pdf")]  # fmt: skip
    assert found[0]["likeness"] == found[1]["likeness"] != ""


def test_names_that_do_not_fit(typed: Type, hand: Path) -> None:
    """That is told before anything is examined."""
    alone = typed("check", "drop-block", "hand/s1.sh", "--names", "names.csv")
    assert (alone.status, alone.out) == (2, "")
    assert "is for a folder of hand-ins" in alone.err
    Path("names.csv").write_text("s1,Ada\ns2,Ada\n")
    two = typed("check", "drop-block", "hand", "--names", "names.csv", *SHORT)
    assert (two.status, two.out) == (2, "")


def test_names_that_fit_none(typed: Type, hand: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That nobody's file is meant is told before anything is examined, too; a document's row is enough."""
    examined: list[Path] = []

    def note(game: Game, path: Path, **options: object) -> CheckReport:
        examined.append(path)
        return CheckReport(game.name, path.name)

    monkeypatch.setattr(hand_ins, "examined", note)
    Path("names.csv").write_text("Ada Adams,Ada\n")
    words = ("check", "drop-block", "hand", "--names", "names.csv", "--workers", "1", *SHORT)
    none = typed(*words)
    assert (none.status, none.out, examined) == (2, "", [])
    assert "No hand-in belongs to any row of 'names.csv' (Ada Adams)" in none.err
    Path("names.csv").write_text("s3,Paul Pdf\n")
    assert "Paul Pdf" in typed(*words).out
    assert [path.name for path in examined] == ["s1.sh", "s2.sh"]


@pytest.mark.parametrize("texts", ["hand", "hand/texts", "hand/../hand", "."])
def test_texts_among_the_hand_ins(typed: Type, hand: Path, texts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They would count as hand-ins, so that is refused before anything is examined or written."""
    there = sorted(hand.iterdir())
    if texts == ".":
        monkeypatch.chdir(hand)
    words = ("check", "drop-block", str(hand), "--each", "--feedback", texts, *SHORT)
    done = typed(*words)
    assert (done.status, done.out) == (2, "")
    assert f"'{texts}' would lie among the hand-ins of" in done.err
    assert sorted(hand.iterdir()) == there
    (hand / "bot.toml").write_text('run = "sh s1.sh"\n')  # and now it is one bot, whose author may have them there
    assert typed("check", "drop-block", str(hand), "--feedback", texts, *SHORT).status == 0


def test_the_digest_is_the_contests(typed: Type, hand: Path) -> None:
    """A student sees by it that the very file played: the digest of check is that of the contest."""
    checked = typed("check", "drop-block", "hand/s1.sh", "--csv", *SHORT).out
    (digest,) = [row["digest"] for row in csv.DictReader(io.StringIO(checked))]
    (hand / "s2.sh").write_text(BOTS["still"] + "\n#\n")
    names = ("--names", "names.csv", "--store", "c.db", "--seed", "1")
    bots = ("--folder", "hand", "a=random", "b=random")
    done = typed("contest", "run", "--game", "drop-block", *bots, *names, *SHORT)
    assert done.status == 0
    assert "s3.pdf (Paul Pdf)" in done.err
    assert "No hand-in belongs to these rows of 'names.csv': s4" in done.err
    table = csv.DictReader(io.StringIO(typed("contest", "standings", "c.db", "--csv").out))
    assert {row["bot"]: row["digest"] for row in table}["Ada"] == digest
    assert "Left out: 'Paul Pdf'. It is no source" in typed("contest", "show", "c.db").out


@pytest.mark.parametrize("script", [QUITS, BOTS["mute"], BOTS["quitter"]], ids=["turn 3", "hangs", "turn 1"])
def test_who_fails_at_once_has_a_replay_too(typed: Type, hand: Path, script: str) -> None:
    """A bot that fails the protocol check plays a match for its author to see; the findings stay as they were."""
    (hand / "s1.sh").write_text(script)
    clock = ("--setup", "turns=40", "--clock", "0.2,ready=0.2", "--trust")
    plain = typed("check", "drop-block", "hand/s1.sh", "--json", *clock)
    done = typed("check", "drop-block", "hand/s1.sh", "--json", "--feedback", "texts", *clock)
    assert (plain.status, done.status) == (1, 1)
    (known, found) = (json.loads(each.out) for each in (plain, done))
    assert [each["key"] for each in known["findings"]] == [each["key"] for each in found["findings"]]
    assert "The replay of match 1: replays/s1.replay.zst" in Path("texts/s1.txt").read_text()
    shown = typed("replay", "texts/replays/s1.replay.zst", "--faults")
    assert shown.status == 0
    assert "seat 0" in shown.out


def test_a_crash_has_a_remedy(typed: Type, hand: Path) -> None:
    """What to do about it stands below it, as for everything else."""
    assert "\u2192 It has to go on until the match is over" in typed("check", "drop-block", "./quitter", *SHORT).out


def test_what_everybody_reads_names_no_hand_ins(typed: Type, hand: Path) -> None:
    """The report and the site leave out who is left out and who is alike, unless it is asked for; that is told."""
    words = ("--folder", "hand", "a=random", "b=random", "--names", "names.csv", "--seed", "1", "--store", "c.db")
    assert typed("contest", "run", "--game", "drop-block", *words, *SHORT).status == 0
    shown = typed("contest", "show", "c.db").out
    told = ("Paul Pdf", "byte for byte: Ada, Grace/Hopper")
    assert all(word in shown for word in told)
    for extra in ((), ("--hand-ins",)):
        report = typed("contest", "report", "c.db", "--html", "page.html", *extra)
        site = typed("contest", "site", "c.db", "--out", "out", *extra)
        assert ["--hand-ins puts it in" in done.err for done in (report, site)] == [not extra] * 2
        for page in (Path("page.html"), Path("out/index.html")):
            text = page.read_text(encoding="utf-8")
            assert ["Paul Pdf" in text, "byte for byte: Ada" in text] == [bool(extra)] * 2


def test_a_class_that_is_taken_for_a_bot(typed: Type, hand: Path) -> None:
    """A hand-in that no bot may hold makes the whole folder one that cannot be used: --each examines the others."""
    (hand / "linked").mkdir()
    (hand / "linked" / "up").symlink_to("/etc/passwd")
    done = typed("check", "drop-block", "hand", *SHORT)
    assert done.status == 2
    assert "'hand' is examined as one bot; if it is a folder of hand-ins, add --each." in done.err
    assert "--each" not in typed("check", "drop-block", "hand/linked/none", *SHORT).err
