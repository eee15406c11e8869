"""One match by a referee of others: honest ones by each contract, and crooked ones."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from dohyo import bots
from dohyo.core.bot_spec import CommandLine
from dohyo.core.errors import OperatorError
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.one_match import play_order
from dohyo.executors.refereed import game_of_word, read_record
from dohyo.guests.arenas.match_contracts import read
from dohyo.guests.arenas.referees.kind import TOML
from dohyo.guests.arenas.referees.match import MatchRecord, decode
from dohyo.match.sandboxing import BuildSandbox
from dohyo.sandbox import at_layer, choose
from tests import processes
from tests.guests.arenas.referees.programs import COMMANDS, PLAYERS, write_players, write_referee
from tests.skips import Reason, skip_for

CONTRACTS = tuple(COMMANDS)


def match(file: Path, *players: str, sandbox: str = "none", seed: int = 7) -> MatchReport:
    """What came of a match between these players."""
    game = game_of_word(str(file))
    paths = dict(zip(PLAYERS, write_players(file.parent), strict=True))
    found = bots.resolve([paths[name] for name in players], build_sandbox=BuildSandbox(choose(sandbox)))
    return play_order(MatchOrder("1", game.name, tuple(found), seed, sandbox=sandbox, referee=game.referee))


@pytest.fixture(params=["none", "auto"])
def sandbox(request: pytest.FixtureRequest) -> str:
    """Without a sandbox, and in the strongest that this machine has."""
    if request.param == "auto" and choose().layer == 4:
        skip_for(Reason.KERNEL, "there is no sandbox here")
    return str(request.param)


@pytest.mark.parametrize("result", CONTRACTS)
def test_a_match_by_each_contract(tmp_path: Path, result: str, sandbox: str) -> None:
    """The referee starts the bots itself, and its word gives the places; what it wrote is kept."""
    report = match(write_referee(tmp_path, result), "rock", "paper", sandbox=sandbox)
    assert (report.error, report.places, report.faults) == ("", (2, 1), ())
    assert report.scores == (() if result == "psyleague" else (0, 3))
    record = decode(report.replay)
    assert (record.referee, record.result, record.seed) == ("rps", result, 7)
    assert [bot.name for bot in record.bots] == ["rock", "paper"]
    assert record.outcome().places == report.places


def test_the_page_leads_to_a_referee_that_works(tmp_path: Path, root: Path) -> None:
    """Whoever copies the example of docs/other-arenas.md has a match; each contract's line there is a result."""
    page = (root / "docs" / "other-arenas.md").read_text()
    (file,) = re.findall(r'```toml\n(name = "rock-paper-scissors".*?)```', page, re.DOTALL)
    for name in ("referee.py", "rps.toml"):
        shutil.copy(root / "examples" / "other_arenas" / name, tmp_path)
    assert (tmp_path / "rps.toml").read_text() == file
    for hands, places, faults in (("RP", (2, 1), ()), ("SS", (1, 1), ()), ("Rx", (1, 2), ((), ("reported",)))):
        lines = [CommandLine(("sh", "-c", f"echo {hand}")) for hand in hands]
        found = bots.resolve(lines, build_sandbox=BuildSandbox(choose("none")))
        game = game_of_word(str(tmp_path / "rps.toml"))
        report = play_order(MatchOrder("1", game.name, tuple(found), 7, sandbox="none", referee=game.referee))
        assert (report.error, report.places, report.faults) == ("", places, faults)
    for contract, line in re.findall(r"^\| `(cgarena|psyleague)` \| `(\{.*\})` \|$", page, re.MULTILINE):
        assert read(contract, line.encode(), 2).places == (2, 1)
    assert read("brutaltester", b"3\n7\n", 2).places == (2, 1)


@pytest.mark.parametrize("result", CONTRACTS)
def test_an_error_that_the_referee_reports(tmp_path: Path, result: str) -> None:
    """A bot that the referee calls failed has a fault of that kind, and the match counts."""
    report = match(write_referee(tmp_path, result), "quitter", "rock")
    assert (report.error, report.places, report.faults) == ("", (2, 1), (("reported",), ()))


def test_in_a_sandbox_without_a_file_system_of_its_own(tmp_path: Path) -> None:
    """Where bots see the machine's own paths, the referee starts them too."""
    box = at_layer(3)
    if box is None:
        skip_for(Reason.KERNEL, "Landlock makes no sandbox here")
    from dohyo.executors.refereed import play_refereed

    game = game_of_word(str(write_referee(tmp_path)))
    assert game.referee is not None
    found = bots.resolve(write_players(tmp_path)[:2], build_sandbox=BuildSandbox(box))
    report = play_refereed(MatchOrder("1", "rps", tuple(found), 7, referee=game.referee), game.referee, box, "")
    assert (report.error, report.places) == ("", (2, 1))


def test_the_same_seed_gives_the_same_match(tmp_path: Path) -> None:
    """The referee is told the match's seed, each bot its own: both follow from the order's."""
    file = write_referee(
        tmp_path,
        command="sh -c 'echo $0 >> seeds; exec python3 referee.py cgarena $0 $1 $2' {SEED} {P1} {P2}",
        seed_bits=31,
    )
    outcomes = [match(file, "lots", "lots", seed=seed).replay for seed in (5, 5, (1 << 62) + 6)]
    assert outcomes[0] == outcomes[1]
    assert (tmp_path / "seeds").read_text().split() == ["5", "5", "6"]


def test_a_sandbox_keeps_the_operators_files(tmp_path: Path) -> None:
    """Referee and bots see what its file names, and nothing else of the folder; with `files` they see that, too."""
    if choose().layer > 2:
        skip_for(Reason.KERNEL, "there is no sandbox with its own file system here")
    (tmp_path / "secret").write_text("x")
    command = (
        "sh -c 'echo >&2; ls {folder} >&2; python3 referee.py cgarena $0 $1 $2' {{SEED}} {{P1}} {{P2}} referee.py"
    )
    told = command.format(folder=tmp_path)
    report = match(write_referee(tmp_path, command=told), "rock", "paper", sandbox="auto")
    assert report.error == ""
    assert decode(report.replay).errors.split() == ["referee.py"]
    report = match(write_referee(tmp_path, command=told, files=["secret"]), "rock", "paper", sandbox="auto")
    assert decode(report.replay).errors.split() == ["referee.py", "secret"]


CROOKED = {
    "rubbish": ("echo nonsense", "did not tell a result as cgarena reads it"),
    "nothing": ("true", "did not tell a result as cgarena reads it: nothing"),
    "too few": ("""echo '{"ranks": [0]}'""", "1 ranks for 2 players"),
    "fails": ("echo it broke >&2; exit 3", "failed: exit status 3. It last wrote: it broke"),
    "killed": ("kill -9 $$", "failed: signal SIGKILL"),
    "floods": ("exec yes", "more than 256 KiB"),
    "floods its errors": ("yes | head -c 3000000 >&2; exit 1", "failed: exit status 1"),
    "hangs": ("sleep 1000", "had not ended after 0.3 s"),
    "closes and hangs": ("exec >&- 2>&-; sleep 1000", "had not ended after 0.3 s"),
    "controls": (r"printf '\033[2Jx\n'; exit 1", "It last wrote: "),
}


@pytest.mark.parametrize("crooked", CROOKED)
def test_a_crooked_referee(tmp_path: Path, crooked: str) -> None:
    """Whatever it does, the match has an error of one sentence and no result; nothing of it runs on."""
    script, said = CROOKED[crooked]
    (tmp_path / "crooked").write_text(f"{script}\n")
    seconds = 0.3 if "hangs" in crooked else 60
    before = set(processes.children())
    report = match(write_referee(tmp_path, command="sh crooked {PLAYERS}", seconds=seconds), "rock", "paper")
    assert said in report.error
    assert "\n" not in report.error
    assert "\x1b" not in report.error
    assert (report.places, report.replay, report.mend) == ((), b"", False)
    assert set(processes.children()) == before


def test_a_referee_that_fails_in_a_sandbox(tmp_path: Path, sandbox: str) -> None:
    """The sandbox tells how it really ended."""
    (tmp_path / "crooked").write_text("echo it broke >&2; exit 3\n")
    report = match(write_referee(tmp_path, command="sh crooked {PLAYERS}"), "rock", "paper", sandbox=sandbox)
    assert "failed: exit status 3. It last wrote: it broke" in report.error


def test_what_it_leaves_running_ends(tmp_path: Path) -> None:
    """What it has started ends with it, also what holds its output open and writes to it for ever."""
    started = "(while :; do echo more; done) & echo $! > pid; sleep 1000 & echo $! >> pid"
    script = f"""echo more; {started}; echo '{{"ranks": [0, 1]}}'"""
    (tmp_path / "crooked").write_text(f"{script}; exit 0\n")
    report = match(write_referee(tmp_path, command="sh crooked {PLAYERS}"), "rock", "paper")
    assert report.error  # its output is not a result alone
    pids = [int(line) for line in (tmp_path / "pid").read_text().split()]
    assert len(pids) == 2
    assert not any(processes.runs(pid) for pid in pids)


def test_what_it_leaves_in_a_sandbox(tmp_path: Path) -> None:
    """In a sandbox a session of its own is no hiding place."""
    if choose().layer > 2:
        skip_for(Reason.KERNEL, "there is no sandbox with its own processes here")
    long = f"10{os.getpid()}.{os.getpid()}"  # seconds that nobody else sleeps
    script = f"""setsid sleep {long} & echo '{{"ranks": [0, 1]}}'"""
    (tmp_path / "crooked").write_text(f"{script}\n")
    report = match(write_referee(tmp_path, command="sh crooked {PLAYERS}"), "rock", "paper", sandbox="auto")
    assert (report.error, report.places) == ("", (1, 2))
    assert not [pid for pid in processes.every_pid() if _words(pid) == ["sleep", long]]


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")[:-1]
    except OSError:
        return []


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """That would be wrong in every match: the operator is to mend it."""
    report = match(write_referee(tmp_path, command="no-such-referee {PLAYERS}"), "rock", "paper")
    assert report.mend
    assert "no-such-referee" in report.error


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b'{"what":"refereed","output":"\\ud800"}',
        b"\xff",
        b"[" * 10_000,
        b'{"what":"refereed"}',
        b'{"what":"replay"}',
        b" " * (5 << 20),
    ],
    ids=range(8),
)
def test_what_is_no_record(content: bytes) -> None:
    """Anybody may have written a record: what is none is refused in one sentence."""
    with pytest.raises(OperatorError) as caught:
        read_record(TOML, content)
    assert caught.value.key == "referee-record-unreadable"


def test_a_record_whose_output_is_no_result() -> None:
    """A record that was changed is found when it is read once more."""
    record = MatchRecord("refereed", "rps", "", "cgarena", 7, (), "nothing")
    with pytest.raises(OperatorError) as caught:
        record.outcome()
    assert caught.value.key == "referee-no-result"
