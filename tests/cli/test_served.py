"""`dohyo replay --browser`: the address of the page, and an end that leaves nothing."""

from __future__ import annotations

import re
import signal
from http.client import HTTPConnection
from pathlib import Path

import pytest

from dohyo.cli import replay
from dohyo.match.replays import replays
from tests import processes
from tests.cli.conftest import Type
from tests.cli.typed import PATIENCE, environment, start
from tests.guests.analysis.test_analysis import played

MARK = "DOHYO_TEST_MARK"


@pytest.fixture
def saved(folder: Path) -> str:
    """The name of a match's replay."""
    replays.save(played("3031323"), folder / "m.replay")
    return "m.replay"


@pytest.mark.parametrize(
    "words",
    [
        ("--html", "m.html"),
        ("--seat", "0"),
        ("--inputs", "0"),
        ("--turn", "0"),
        ("--json",),
        ("--watch",),
        ("--faults",),
        ("--verify",),
    ],
)
def test_nothing_else_at_once(
    typed: Type, saved: str, folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What else could be done with a replay does not go with serving its page."""
    monkeypatch.setattr(replay, "serve_page", lambda match, language: pytest.fail("it is served"))
    for option in ("--serve", "--browser"):  # two names of one option
        assert typed("replay", saved, option, *words) == (
            2,
            "",
            "--browser gives that one thing and nothing else; omit the other options.\n",
        )
    assert not (folder / "m.html").exists()


def test_what_is_no_replay(typed: Type, folder: Path) -> None:
    """A file that is not a replay is refused before anything listens."""
    (folder / "m.replay").write_text("nothing")
    status, out, err = typed("replay", "m.replay", "--serve")
    assert (status, out) == (2, "")
    assert "replay" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ends_quietly(saved: str, folder: Path, number: signal.Signals) -> None:
    """A signal ends the server, though an analysis runs: one sentence, and no process is left."""
    mark = str(folder)
    process = start("replay", saved, "--serve", cwd=folder, env=environment(**{MARK: mark}))
    assert process.stdout is not None
    assert process.stdout.readline() == "Open this address in a browser of this machine; Ctrl-C ends it:\n"
    found = re.fullmatch(r"  http://(127\.0\.0\.1:\d+)(/\S+)\n", process.stdout.readline())
    assert found is not None
    host, path = found.groups()
    connection = HTTPConnection(host, timeout=PATIENCE)
    headers = {"Origin": f"http://{host}", "Content-Type": "application/json"}
    connection.request("POST", f"{path}/analysis", '{"seconds": 600}', headers)
    answer = connection.getresponse()
    assert b"Thinking" in answer.readline()
    assert len(processes.marked(MARK, mark)) == 2
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (128 + number, "", "Interrupted; nothing is left running.\n")
    assert processes.marked(MARK, mark) == []
    assert sorted(path.name for path in folder.glob("m.*")) == [saved]
    connection.close()
