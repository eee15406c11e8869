"""`dohyo contest rejudge|annul|disqualify`, and where it is seen what they did."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.faults import FaultKind
from dohyo.guests.bundles import bundle, plain_tar
from dohyo.guests.bundles import check as bundle_check
from dohyo.guests.reports import site
from dohyo.i18n import ENGLISH
from dohyo.match.telling.summary import Misstep
from dohyo.series import rulings
from dohyo.series.session import ContestView, look
from dohyo.series.store import open_store
from dohyo.terminal.faults import proof
from tests.cli.conftest import Type

WHY = ("--because", "she was not late")


def shown(typed: Type, *words: str) -> Any:
    """The JSON that a command prints."""
    return json.loads(typed("contest", *words, "--json").out)


def test_a_match_is_played_again(held: Type) -> None:
    """It says what the match was and is; both results are listed, and which counts, and why, wherever one looks."""
    before = held("contest", "standings", "contest.db").out
    done = held("contest", "rejudge", "contest.db", "1", *WHY, "--trust")
    assert done.status == 0
    assert done.out.splitlines()[0] == "To be played again now: 1 (matches: 1)."
    assert done.out.splitlines()[1].startswith("match 1, places before: ")
    assert "Played again, and the new results count: 1 (matches: 1): she was not late" in done.out
    listed = shown(held, "matches", "contest.db")
    assert [each["match"] for each in listed] == [0, 1, 1, 2, 3]
    assert [each.get("counts", True) for each in listed] == [True, False, True, True, True]
    why = "does not count: ruling 1 had the match played again: she was not late"
    assert why in held("contest", "matches", "contest.db").out
    assert shown(held, "standings", "contest.db")["rulings"][0]["because"] == "she was not late"
    forum = held("contest", "standings", "contest.db", "--markdown").out
    assert "1 \\(matches\\: 1\\)\\: `she was not late`" in forum
    assert "UTC: play again 1: she was not late" in held("contest", "show", "contest.db").out
    first = held("contest", "replay", "contest.db", "1", "--ruling", "0")
    assert first.err.splitlines()[0] == f"The first result of this match {why}"
    assert held("contest", "replay", "contest.db", "1", "--ruling", "7").status == 2
    assert held("contest", "rejudge", "contest.db", "1", "--undo").status == 0
    assert held("contest", "standings", "contest.db").out == before


def test_what_waits_to_be_played_again_is_shown(held: Type) -> None:
    """Asked for, and not played yet: `show` and `standings` say which matches wait, in one sentence."""
    assert "To be played again" not in held("contest", "show", "contest.db").out
    with open_store("contest.db") as store:
        rulings.ask_again(look(store, None, results=False), [0, 2], "not late")
    for command in ("show", "standings"):
        out = " ".join(held("contest", command, "contest.db").out.split())
        assert out.count("To be played again: 0, 2 (matches: 2); 'dohyo contest rejudge STORE' does") == 1


def test_exports_have_what_counts(held: Type) -> None:
    """A row for each seat of what counts; with --all the others too, which say that they do not."""
    held("contest", "annul", "contest.db", "2", "--because", "wrong file")
    rows = list(csv.DictReader(held("contest", "export", "contest.db").out.splitlines()))
    assert {row["match"] for row in rows} == {"0", "1", "3"}
    rows = list(csv.DictReader(held("contest", "export", "contest.db", "--all").out.splitlines()))
    assert {(row["match"], row["counts"], row["because"]) for row in rows if row["counts"] == "no"} == {
        ("2", "no", "wrong file")
    }
    assert held("contest", "export", "contest.db", "--all", "--format", "ordo").status == 2
    assert '[Counts "no"]' in held("contest", "export", "contest.db", "--all", "--format", "headers").out


def test_signed_results_have_the_audit_trail(held: Type, folder: Path) -> None:
    """The bundle has every ruling and result, and is verified; so is one match, alone."""
    held("contest", "rejudge", "contest.db", "0", *WHY, "--trust")
    held("contest", "disqualify", "contest.db", "d", "--because", "copied")
    assert held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
    done = held("verify", "r.tar")
    assert (done.status, "holds together" in done.out) == (0, True)
    assert held("contest", "disqualify", "contest.db", "d", "--undo").status == 0
    done = held("verify", "contest.db", "0", "--trust")
    assert "these matches are as they were played" in done.out
    assert "1 of 1 matches" in done.out
    assert held("contest", "site", "contest.db", "--out", "site").status == 0
    assert (folder / "site" / "matches" / "0-0.replay.zst").is_file()
    assert "she was not late" in (folder / "site" / "matches" / "0.html").read_text()
    assert "she was not late" in (folder / "site" / "index.html").read_text()


def test_what_is_written_is_of_one_moment(held: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruling that is made while a site or a bundle is written is in none of it, and in all of the next one."""
    assert held("contest", "site", "contest.db", "--out", "before").status == 0

    def ruling_first(act: Callable[..., Any], match: int) -> Callable[..., Any]:
        def acting(*given: Any) -> Any:
            with open_store("contest.db") as store:
                rulings.annul(look(store, None, results=False), [match], "wrong file")
            return act(*given)

        return acting

    with monkeypatch.context() as patched:
        patched.setattr(site, "content", ruling_first(site.content, 1))
        assert held("contest", "site", "contest.db", "--out", "meanwhile").status == 0
    pages = {path.relative_to(folder / "before") for path in (folder / "before").rglob("*.html")}
    assert len(pages) == 1 + 4 + 4
    for page in pages:
        assert (folder / "before" / page).read_bytes() == (folder / "meanwhile" / page).read_bytes(), page
    assert held("contest", "site", "contest.db", "--out", "meanwhile").status == 0
    assert all("wrong file" in (folder / "meanwhile" / page).read_text() for page in ("index.html", "matches/1.html"))
    with monkeypatch.context() as patched:
        patched.setattr(bundle, "standing_texts", ruling_first(bundle.standing_texts, 2))
        assert held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
    assert held("verify", "r.tar").status == 0


@pytest.fixture(scope="module")
def ruled() -> dict[str, bytes]:
    """The files of results with two rulings, once for all tests that change them."""
    return {}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"bot": "d"', '"bot": "nobody"', "Ruling 2 of these results is about 'nobody', who did not take part"),
        ('"matches": [\n        0\n      ]', '"matches": [0, 4]', "Ruling 1 of these results is about match 4"),
        ('"kind": "rejudge"', '"kind": "annul"', "hold one of match 0 for which ruling 1 did not ask"),
        ('"matches": []', '"matches": [1]', "audit.json: ruling 2"),
    ],
)  # fmt: skip
def test_rulings_about_strangers_are_refused(
    held: Type, ruled: dict[str, bytes], before: str, after: str, told: str
) -> None:
    """A bundle with a ruling about a bot or a match that is not in it, or a result of no ruling, is one sentence."""
    if not ruled:
        held("contest", "rejudge", "contest.db", "0", *WHY, "--trust")
        held("contest", "disqualify", "contest.db", "d", "--because", "copied")
        assert held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
        with Path("r.tar").open("rb") as file:
            ruled.update(plain_tar.read(file, 1 << 24))
    found = dict(ruled)
    audit = found["audit.json"].decode()
    assert before in audit, audit
    found["audit.json"] = audit.replace(before, after, 1).encode()
    with Path("r.tar").open("wb") as file:
        plain_tar.write(file, sorted(found.items()))
    done = held("verify", "r.tar")
    assert (done.status, len(done.err.splitlines())) == (2, 1)
    assert told in done.err


def test_faults_of_results_that_do_not_count_are_bounded(held: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault is one in memory, in the audit trail as among the matches: both together are bounded."""
    held("contest", "rejudge", "contest.db", "0", "1", *WHY, "--trust")
    assert held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
    with Path("r.tar").open("rb") as file:
        found = dict(plain_tar.read(file, 1 << 24))
    lines = [*json.loads(found["matches.json"]), *json.loads(found["audit.json"])["results"]]
    faults = sum(sum(kinds.values()) for line in lines for kinds in line["faults"])
    monkeypatch.setattr(bundle_check, "MAX_FAULTS_IN_ALL", faults)
    assert held("verify", "r.tar").status == 0
    monkeypatch.setattr(bundle_check, "MAX_FAULTS_IN_ALL", faults - 1)
    assert "too many faults" in held("verify", "r.tar").err
    monkeypatch.setattr(bundle_check, "MAX_FAULTS_IN_ALL", faults)
    monkeypatch.setattr(bundle_check, "MAX_TAKEN_AGAIN", 0)
    assert held("verify", "r.tar").status == 0  # nothing was drawn after the rulings


def test_a_match_that_was_annulled_after_it_was_played_again(held: Type, folder: Path) -> None:
    """No result of it is said to count; its page, which shows the last one, says that it does not, and why."""
    held("contest", "rejudge", "contest.db", "0", "1", *WHY, "--trust")
    told = held("contest", "annul", "contest.db", "1", "--because", "<b>wrong</b> file").out
    assert "the new results count: 0 (matches: 1)" in told
    assert "Annulled, and count for nobody: 1 (matches: 1): <b>wrong</b> file" in told
    assert held("contest", "site", "contest.db", "--out", "site").status == 0
    pages = [(folder / "site" / "matches" / f"{match}.html").read_text() for match in range(3)]
    again = "ruling 1 had the match played again: she was not late"
    other = '<a href="0-0.replay.zst" download="0-0.replay.zst">0-0.replay.zst</a>'
    assert f"<p>This result counts: {again}</p>" in pages[0]
    assert f"<p>Another result of this match ({other}) does not count: {again}</p>" in pages[0]
    assert "<p>This result does not count: annulled by ruling 2: &lt;b&gt;wrong&lt;/b&gt; file</p>" in pages[1]
    assert 'class="rulings"' not in pages[2]


def test_several_results_of_a_match_are_told_apart(held: Type, folder: Path) -> None:
    """Each has the number that `--ruling` takes and its own reason, in the terminal, the CSV and on its page.

    One that was taken back has the reason of the undo, and not that of the result which counts.
    """
    held("contest", "rejudge", "contest.db", "1", *WHY, "--trust")
    held("contest", "rejudge", "contest.db", "--bot", "d", "--all", "--because", "all of d", "--trust")
    held("contest", "rejudge", "contest.db", "--bot", "d", "--undo", "--because", "x")
    of = [line for line in held("contest", "matches", "contest.db").out.splitlines() if line.split()[0] == "1"]
    again = "ruling 1 had the match played again: she was not late"
    assert [line.rpartition("  ")[2] for line in of] == [
        f"does not count: {again}",
        f"counts: {again}",
        "does not count: ruling 3 took it back: x",
    ]
    assert [line.split("  ")[-2].strip() for line in of] == ["0", "1", "2"]
    rows = list(csv.DictReader(held("contest", "export", "contest.db", "--all").out.splitlines()))
    told = [
        (row["ruling"], row["counts"], row["why"], row["by"], row["because"]) for row in rows if row["match"] == "1"
    ]
    assert list(dict.fromkeys(told)) == [
        ("0", "no", "replaced", "1", "she was not late"),
        ("1", "yes", "again", "1", "she was not late"),
        ("2", "no", "taken-back", "3", "x"),
    ]
    assert [row["counts"] for row in rows if row["match"] == "0"][:4] == ["yes"] * 4
    for ruling, words in ((0, "The first result of this match does"), (2, "The result that ruling 2 asked for does")):
        first, *_ = held("contest", "replay", "contest.db", "1", "--ruling", str(ruling)).err.splitlines()
        assert first.startswith(words)
    assert held("contest", "site", "contest.db", "--out", "site").status == 0
    page = (folder / "site" / "matches" / "1.html").read_text()
    assert page.count("Another result of this match") == 2
    assert "1-2.replay.zst</a>) does not count: ruling 3 took it back: x</p>" in page


def test_a_new_result_that_counts_for_nobody_is_said_to(held: Type) -> None:
    """Who names an annulled match is told before it is played that it changes nothing, and why; and not once more."""
    held("contest", "annul", "contest.db", "2", "--because", "wrong file")
    told = held("contest", "rejudge", "contest.db", "1", "2", *WHY, "--trust").out
    assert told.splitlines()[:2] == [
        "To be played again now: 1 to 2 (matches: 2).",
        "The new results of 2 (matches: 1) will count for nobody: annulled by ruling 1: wrong file",
    ]
    assert told.splitlines()[2].startswith("match 1, places before: ")
    assert told.splitlines()[3].startswith("match 2, places before: ")
    assert told.count("count for nobody:") == 2  # there, and below the table


def test_what_cannot_count_is_not_played_again_by_the_way(held: Type) -> None:
    """Of the matches of a bot, those that count for nobody are left out, and it is said why; alone, they are none."""
    held("contest", "annul", "contest.db", "2", "--because", "wrong file")
    done = held("contest", "rejudge", "contest.db", "--bot", "c", "--all", "--trust")
    assert done.out.splitlines()[:2] == [
        "To be played again now: 0 to 1, 3 (matches: 3).",
        "Not played again, unless named by number: 2 (matches: 1), which count for nobody: annulled by ruling 1: "
        "wrong file",
    ]
    held("contest", "disqualify", "contest.db", "d", "--because", "copied")
    done = held("contest", "rejudge", "contest.db", "--bot", "d", "--all", "--trust")
    assert (done.status, "'d' is disqualified" in done.err) == (2, True)


def test_one_meaning_of_played(held: Type) -> None:
    """What counts for nobody was played: in the table, in its JSON, in the bundle, and where a contest is deleted."""
    held("contest", "annul", "contest.db", "0", "2", "--because", "wrong file")
    assert "4 of 4 matches, 2 of them count for nobody" in held("contest", "standings", "contest.db").out
    told = shown(held, "standings", "contest.db")
    assert (told["scheduled"], told["played"], told["voided"]) == (4, 4, [0, 2])
    assert held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
    with Path("r.tar").open("rb") as file:
        found = dict(plain_tar.read(file, 1 << 24))
    assert json.loads(found["contest.json"])["played"] == 4
    assert "4 matches of drop-block" in held("contest", "delete", "contest.db", "contest").err


def test_who_holds_no_place_has_none_anywhere(held: Type) -> None:
    """A disqualified bot has no place in the JSON, the CSV, and the bundle's two tables."""
    held("contest", "disqualify", "contest.db", "d", "--because", "copied", "--matches-count")
    rows = shown(held, "standings", "contest.db")["standings"]
    assert [row["place"] for row in rows if row["bot"] == "d"] == [None]
    assert held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
    with Path("r.tar").open("rb") as file:
        found = dict(plain_tar.read(file, 1 << 24))
    rows = json.loads(found["standings.json"])["standings"]
    assert [row["place"] for row in rows if row["bot"] == "d"] == [None]
    table = csv.DictReader(found["standings.csv"].decode().splitlines())
    assert [row["place"] for row in table if row["bot"] == "d"] == [""]
    assert held("verify", "r.tar").status == 0


def test_the_last_matches_are_so_many(held: Type) -> None:
    """`--last N` lists N matches also where results do not count, of one bot too: each with all its results."""
    held("contest", "rejudge", "contest.db", "3", *WHY, "--trust")
    held("contest", "disqualify", "contest.db", "d", "--because", "copied")

    def listed(*words: str) -> list[int]:
        return [each["match"] for each in shown(held, "matches", "contest.db", *words)]

    assert listed("--last", "1") == [3, 3]
    assert listed("--last", "2", "--bot", "a") == [2, 3, 3]
    assert listed("--last", "0") == listed("--last", "9") == [0, 1, 2, 3, 3]


def test_every_line_says_whether_it_counts(held: Type) -> None:
    """An export's objects have the same keys whether or not somebody has ruled, and the table no empty cells."""
    ruled = ("ruling", "counts", "because", "why", "by")
    before = json.loads(held("contest", "export", "contest.db", "--format", "json").out)
    assert [[each[key] for key in ruled] for each in before] == [[0, True, "", "", None]] * 4
    held("contest", "annul", "contest.db", "2", "--because", "wrong file")
    after = json.loads(held("contest", "export", "contest.db", "--format", "json", "--all").out)
    assert [each.keys() for each in after] == [before[0].keys()] * 4
    assert [after[2][key] for key in ruled] == [0, False, "wrong file", "annulled", 1]
    rows = held("contest", "matches", "contest.db").out.splitlines()
    cells = [row.split("  ") for row in rows if row.split() and row.split()[0].isdecimal()]
    assert [(row[-2].strip(), row[-1].partition(":")[0]) for row in cells] == [
        ("0", "counts"),
        ("0", "counts"),
        ("0", "does not count"),
        ("0", "counts"),
    ]


def test_results_and_matches_are_counted_apart(held: Type) -> None:
    """An export of all results says how many they are, and of how many matches; the bundle says what it holds."""
    held("contest", "rejudge", "contest.db", "1", *WHY, "--trust")
    told = held("contest", "export", "contest.db", "--all", "--out", "m.csv").out
    assert told == "Wrote 5 results of 4 matches to m.csv.\n"
    assert held("contest", "export", "contest.db", "--out", "n.csv").out == "Wrote 4 matches to n.csv.\n"
    assert "every match that counts" in bundle.ABOUT


def test_who_is_back_is_said_to_lack_matches(held: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a disqualification is taken back: which command plays what it lacks, and it is not over."""
    answers = iter((False, True))
    with monkeypatch.context() as patched:
        patched.setattr(ContestView, "lacks_matches", lambda view: next(answers))
        assert held("contest", "disqualify", "contest.db", "d", "--because", "copied").status == 0
        assert "State:     over" in held("contest", "show", "contest.db").out
        told = held("contest", "disqualify", "contest.db", "d", "--undo").out
    assert told.splitlines()[-1] == (
        "'d' is back, and lacks matches that the others have; this plays them: "
        "dohyo contest run contest.db --sandbox none"
    )
    assert "State:     stopped" in held("contest", "show", "contest.db").out


def test_a_disqualified_bot_is_said_to_be_everywhere(held: Type, folder: Path) -> None:
    """It has no place, and the terminal, the report, the site's head and its own page say why.

    No other bot may stand on a place of its.
    """
    told = held("contest", "disqualify", "contest.db", "d", "--because", "copied", "--matches-count").out
    (own,) = [line for line in told.splitlines() if "disqualified" in line and "'d'" not in line]
    assert own.split()[0] == "-"
    assert held("contest", "site", "contest.db", "--out", "site").status == 0
    index = (folder / "site" / "index.html").read_text()
    assert "3, and no longer playing: 1 disqualified" in index
    assert '<span class="remark">disqualified</span>' in index
    page = (folder / "site" / "bots" / "3.html").read_text()
    assert "<dt>State</dt><dd>disqualified</dd>" in page
    assert "<dt>Place</dt><dd>-</dd>" in page
    assert "'d' is disqualified; its matches count for the others: copied" in page
    assert "is disqualified" not in (folder / "site" / "bots" / "0.html").read_text()
    rows = shown(held, "standings", "contest.db")["standings"]
    assert [(row["first"], row["last"]) for row in rows if row["bot"] == "d"] == [(None, None)]
    assert max(row["last"] for row in rows if row["bot"] != "d") == 3


def test_matches_by_their_faults(held: Type) -> None:
    """Those of a bot with a fault, or with a kind of fault by the name that people see; a bot's own come first."""
    listed = shown(held, "matches", "contest.db", "--bot", "a", "--faults")
    own = [
        any(bot == "a" and kinds for bot, kinds in zip(each["bots"], each["faults"], strict=True)) for each in listed
    ]
    assert own == sorted(own, reverse=True)
    assert held("contest", "annul", "contest.db", "--bot", "d", "--because", "x").status == 0
    assert shown(held, "standings", "contest.db")["voided"] == [0, 1, 2, 3]
    assert held("contest", "annul", "contest.db", "--bot", "d", "--undo").status == 0
    assert held("contest", "annul", "contest.db", "--where", "fault=exited", "--because", "x").status == 0
    assert shown(held, "standings", "contest.db")["voided"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("annul", "contest.db", "1"), "Say why"),
        (("disqualify", "contest.db", "a"), "Say why"),
        (("annul", "contest.db", "--because", "x"), "Say which matches"),
        (("rejudge", "contest.db", "--trust"), "Say which matches"),
        (("rejudge", "contest.db", "99", "--trust"), "has no match 99"),
        (("rejudge", "contest.db", "x", "--trust"), "named by its number"),
        (("rejudge", "contest.db", "3-1", "--trust"), "'3-1' runs backwards; write 1-3"),
        (("rejudge", "contest.db", "--where", "fault=late", "--trust"), "No fault is called 'late'"),
        (("rejudge", "contest.db", "1", "--bot", "a", "--trust"), "not both"),
        (("rejudge", "contest.db", "--all", "--trust"), "name it with --bot"),
        (("rejudge", "contest.db", "1", "--undo"), "was not played again"),
        (("annul", "contest.db", "1", "--undo"), "is not annulled"),
        (("disqualify", "contest.db", "a", "--undo"), "is not disqualified"),
        (("disqualify", "contest.db", "nobody", "--because", "x"), "No bot 'nobody'"),
        (("disqualify", "contest.db", "nobody"), "No bot 'nobody'"),
        (("annul", "contest.db", "999"), "has no match 999"),
        (("annul", "contest.db"), "Say which matches"),
        (("rejudge", "contest.db", "--where", "fault=late", "--trust"), "time-out"),
    ],
)
def test_what_the_operator_gets_wrong(held: Type, words: tuple[str, ...], told: str) -> None:
    """Each is one sentence with the remedy, and nothing is stored."""
    done = held("contest", *words)
    assert (done.status, told in done.err, len(done.err.splitlines())) == (2, True, 1), done.err
    assert shown(held, "standings", "contest.db")["rulings"] == []


def test_the_proof_of_a_late_turn() -> None:
    """What was measured of the time of a fault is told with what follows; nothing where only one number is known."""
    late = Misstep(3, FaultKind.TIMEOUT, seconds=0.19, cpu=0.01, wall=0.2, proof={"waited": 0.01, "load": 66.0})
    told = proof(late, ENGLISH)
    assert told.startswith("charged 190 ms: 200 ms by the wall clock, less 10 ms in which it had no processor.")
    assert "it ran for at most 10 ms, and for at least 180 ms it did nothing by itself" in told
    assert proof(Misstep(3, FaultKind.TIMEOUT, seconds=0.19), ENGLISH) == ""
    assert proof(Misstep(3, FaultKind.ILLEGAL, seconds=0.19, cpu=0.01), ENGLISH) == ""


def test_a_version_of_which_no_match_counts_holds_no_place(held: Type, folder: Path) -> None:
    """After a repaired hand-in nobody's open places are more than those who play; it stands last, without a place."""
    (folder / "still").write_text((folder / "still").read_text() + "# repaired\n")
    added = held("contest", "add", "contest.db", "a=./still", "--trust").out
    assert added.endswith("Matches of the older version of 'a' that count for nobody from now on: 4.\n")
    done = held("contest", "run", "contest.db", "--trust")
    assert "Open places count older versions" not in done.out
    assert "4 matches were played before; it goes on." in done.out
    assert "8 of 8 matches, 4 of them count for nobody" in done.out
    assert next(line for line in done.out.splitlines() if "  a (version 1)  " in line).split()[0] in ("-", "!-")
    rows = shown(held, "standings", "contest.db")["standings"]
    assert (rows[-1]["state"], rows[-1]["first"]) == ("replaced", None)
    assert {row["last"] for row in rows[:-1]} == {4}
    assert max(row["place"] for row in rows[:-1]) <= 4
    table = list(csv.DictReader(held("contest", "standings", "contest.db", "--csv").out.splitlines()))
    assert table[-1]["place"] == ""
