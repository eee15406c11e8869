"""Details of faults in the reader's language, and as they stand where nobody knows them."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator

import pytest

from dohyo.core.clock import Account, Clock
from dohyo.games import all_games
from dohyo.i18n import Catalogue, fault_details
from dohyo.i18n.fault_details import LONGEST, detail_in
from dohyo.match import verdict
from dohyo.match.verdict import BY_WATCH
from tests.quality.project import SOURCE, parsed

# What the text of a fault is made of besides what is written where it is made.
NAMED = {
    "EARLY": verdict.EARLY.format("x; y"),
    "BEHIND": verdict.BEHIND,
    "BY_WATCH": f"no answer in time{BY_WATCH}",
}
GIVEN = "7 s"  # in the place of a number or a word


def filled(node: ast.expr) -> str | None:
    """A text, with something in its places; none for what is no text in the source."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else GIVEN for part in parts)
    return None


def made() -> Iterator[tuple[str, str, str]]:
    """Every detail that stands where a fault is made: the file, its game's name or nothing, the detail."""
    for path in (path for path in SOURCE.rglob("*.py") if "laws" not in path.parts):  # what laws make up nobody reads
        if "Fault(" not in path.read_text(encoding="utf-8"):  # at each start of a worker: most need not be parsed
            continue
        game = path.parent.name if path.is_relative_to(SOURCE / "games") else ""
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "Fault" or len(node.args) < 2:
                continue
            given = node.args[1]
            for text in (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,):
                detail = (filled(text) or "").removesuffix(f"; {GIVEN}")
                if detail and not f"{detail}; ".startswith(GIVEN + "; "):  # of other details
                    yield str(path.relative_to(SOURCE)), game.replace("_", "-"), detail


def is_japanese(text: str) -> bool:
    """Whether a text has been told in Japanese."""
    return re.search("[ぁ-んァ-ヶ一-龠]", text) is not None


@pytest.mark.parametrize(("where", "game", "detail"), sorted(set(made())))
def test_every_detail_is_told_in_japanese(where: str, game: str, detail: str) -> None:
    """Whatever the source says about a fault has a Japanese sentence."""
    own = all_games()[game].catalogue if game else None
    assert is_japanese(detail_in(detail, "ja", own)), f"{where}: {detail}"


def test_details_are_found_in_the_source() -> None:
    """The look through the source finds what it is for."""
    assert len({detail for _, _, detail in made()}) > 15


@pytest.mark.parametrize(
    "detail",
    [
        *NAMED.values(),
        "no line 'READY' in time; it did not read its input; a line without its newline: 'a; b'",
        "exit status 3, before it was ready",
        "exit status 0; a process that it started keeps its output open",
        "more than 512 MiB of memory; signal SIGKILL",
        "more than 64 MiB of disk; exit status 1",
        "more than 128 processes and threads; exit status 1",
        "its folder is gone",
        "its folder is not where it was",
        "it has closed its own folder",
        "its folder, or what it needs in there, is gone; exit status 1",
        "its folder is closed, or is none any more; exit status 1",
        "its processes took more than 30 s to end when they were killed",
        "no answer in time, by the wall clock behind its own",
    ],
)
def test_details_of_parts(detail: str) -> None:
    """A detail that is put together is told part by part; nothing but what it quotes stays in English."""
    told = detail_in(detail, "ja")
    assert is_japanese(told)
    assert not {"the", "its", "it", "in", "than", "of"} & set(re.findall("[a-z]+", told)), told


def test_a_strike() -> None:
    """What a clock says of an answer that counts by grace alone is told too."""
    strike = Account(Clock(turn=1.0, grace=0.5, strikes=3)).settle(1.25, False, True)
    assert detail_in(strike, "ja") == "猶予 3 回のうち 1 回目: 返答が 0.250000 秒遅れた"


@pytest.mark.parametrize(
    "detail", ["", "who knows", "exit status 3; who knows", "exit status 3; " * 300, "x" * LONGEST * 9]
)
def test_what_nobody_knows_stays(detail: str) -> None:
    """A detail of a stranger's is shown as it stands."""
    assert detail_in(detail, "ja") == detail


@pytest.mark.parametrize(
    "detail",
    ["a is not an action; " * 24 + "!", "; " * (LONGEST // 2), "x; " * (LONGEST // 3)],
    ids=["known pieces", "nothing between", "unknown pieces"],
)
def test_a_stranger_s_detail_is_little_work(detail: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In however many ways a detail can be parted, few pieces of it are looked at."""
    looked_at: list[str] = []
    one = fault_details._one

    def counted(piece: str, language: str, own: Catalogue) -> str | None:
        looked_at.append(piece)
        if len(looked_at) > 400:
            pytest.fail("more pieces than anybody has time for")
        return one(piece, language, own)

    monkeypatch.setattr(fault_details, "_one", counted)
    assert detail_in(detail, "ja", all_games()["wondev-woman"].catalogue) == detail


def test_words_of_a_sentence_many_times() -> None:
    """However often a stranger repeats the words between the places of a sentence, they part it in one way only."""
    words = (": the cell x", " of unit x", " has height x", ", and it stands on x")
    detail = "".join(["x", *(word * 20 for word in words)])[:LONGEST]
    own = all_games()["wondev-woman"].catalogue
    detail_in("who knows", "ja", own)  # reads the catalogue
    began = time.process_time()
    for number in range(20):
        assert detail_in(f"{detail[:-2]}{number:02}", "ja", own).endswith(f"{number:02}")
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("written", ["a; b", "a; " * 40 + "b"])
def test_semicolons_in_what_a_bot_wrote(written: str) -> None:
    """However many semicolons a bot has written, what is told around its words is told in Japanese."""
    own = all_games()["wondev-woman"].catalogue
    assert detail_in(f"{written} is not an action", "ja", own).startswith(written)
    told = detail_in(
        f"no line in time; it did not read its input; a line without its newline: '{written}'", "ja", own
    )
    assert told == f"時間内に出力なし、入力を読まなかった、改行のない行: '{written}'"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_other_languages(language: str) -> None:
    """English stays as it is, and so it does in a language that there is not."""
    assert detail_in("exit status 3", language) == "exit status 3"


def test_what_is_quoted_is_not_obeyed() -> None:
    """Places and escapes in what a bot wrote stay text."""
    assert detail_in(r"a line without its newline: '{word} \1 {0}'", "ja") == r"改行のない行: '{word} \1 {0}'"
