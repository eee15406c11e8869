"""`dohyo doctor`: what it tells is what was found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo import sandbox
from dohyo.bots.tools import FoundTool, Tools
from dohyo.cli import main
from dohyo.match import doctor
from dohyo.sandbox import layers, machine
from tests.cli.typed import Typed

Type = Callable[..., Typed]
BARE = machine.Machine(
    "Linux", "6.8", "x86_64", (), 0, 0, 2, {"kernel.apparmor_restrict_unprivileged_userns": "1"}, False
)
LAYERS = [
    machine.Layer(1, "bubblewrap+seccomp+cgroup", False, "no writable cgroup"),
    machine.Layer(2, "bubblewrap+seccomp+rlimits", False, "no bubblewrap"),
    machine.Layer(3, "landlock+seccomp+rlimits", False, "no Landlock"),
    machine.Layer(4, "none", True),
]


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> list[FoundTool]:
    """What the survey finds of every language; once, because each of thirty compilers is started for it."""
    return Tools(tmp_path_factory.mktemp("survey")).survey()


def test_the_document_is_what_the_survey_says(
    typed: Type, languages: list[FoundTool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--json` holds the survey's layers, the one that is taken, and every language with its version."""
    monkeypatch.setattr(Tools, "survey", lambda self: languages)  # the same again, from thirty compilers
    status, out, complaints = typed("doctor", "--json")
    told = json.loads(out)
    assert (status, complaints) == (0, "")
    surveyed = [(layer.number, layer.name, layer.works, layer.reason) for layer in machine.survey()]
    assert [tuple(layer.values()) for layer in told["layers"]] == surveyed
    assert told["taken"] == sandbox.choose("auto").layer
    known = [(found.language, found.tool, found.version) for found in languages]
    assert [(each["language"], each["tool"], each["version"]) for each in told["languages"]] == known


def test_a_person_is_told_the_same(typed: Type, languages: list[FoundTool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every layer has a line, one line names the layer that is taken, and every language has a line."""
    monkeypatch.setattr(Tools, "survey", lambda self: languages)
    status, out, complaints = typed("doctor")
    assert (status, complaints) == (0, "")
    taken = sandbox.choose("auto")
    assert f"Bots run in layer {taken.layer}: {taken.name}." in out or taken.layer == 4
    for layer in machine.survey()[:3]:
        assert layer.name in out
    for found in languages:
        assert found.language in out


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_is_missing_is_told_with_its_remedy(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a machine without anything, each command that mends something is printed, and the danger named."""
    lacks = machine.lacks(BARE, LAYERS)
    monkeypatch.setattr(doctor, "diagnose", lambda python: doctor.Diagnosis(BARE, LAYERS, 4, lacks, []))
    assert main.run(["doctor", "--lang", language]) == 0
    out = capsys.readouterr().out
    assert [lack.mend for lack in lacks if lack.mend not in out] == []
    assert [layer.reason for layer in LAYERS if layer.reason not in out] == []
    assert ("WITHOUT" if language == "en" else "サンドボックスなし") in out
    assert len(lacks) == 4
    assert "--sandbox auto" in out  # what a contest needs here


def test_no_sandbox_is_told_loudly(typed: Type, tmp_path: Path) -> None:
    """`--sandbox none` warns on standard error; `--trust` does not, and both stand in the replay as none."""
    replay = tmp_path / "m.replay"
    words = ("play", "drop-block", *["random"] * 4, "--setup", "turns=4", "--save", str(replay))
    for option, loud in ((("--sandbox", "none"), True), (("--trust",), False)):
        status, _, complaints = typed(*words, *option)
        assert status == 0
        assert ("NO sandbox" in complaints) is loud
        assert json.loads(replay.read_text().splitlines()[0])["sandbox"] == "none"


def test_trust_and_a_sandbox_are_too_much(typed: Type) -> None:
    """Who trusts the bots asks for no sandbox: both together are the operator's mistake, and so is an unknown one."""
    for words in (("--trust", "--sandbox", "require"), ("--sandbox", "maybe")):
        status, _, complaints = typed("play", "drop-block", *["random"] * 4, *words)
        assert status == 2
        assert "sandbox" in complaints.lower()


@pytest.mark.parametrize("by_file", [False, True])
def test_a_contest_asks_for_a_strong_sandbox(
    by_file: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Where there is none, `play` does without, and `contest` refuses unless it is told to; the sentence says how."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(layers, "strongest", lambda: layers.Sandbox(4, "none"))
    Path("class.toml").write_text('game = "drop-block"\nbots = ["random"]\nclock = 60\n')
    words = ["class.toml"] if by_file else ["--game", "drop-block", *[f"{name}=random" for name in "abcd"]]
    assert main.run(["contest", "run", *words]) == 2
    said = capsys.readouterr().err
    assert "strong enough for programs of others ('--sandbox require')" in said
    assert "'dohyo doctor --mend'" in said
    assert "'--trust'" in said
    main.run(["contest", "run", *words, "--sandbox", "auto", "--batches", "0"])
    assert "strong enough" not in capsys.readouterr().err
