"""What a release is made by: workflows, the container, units, templates. Read here; they run where they belong."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import skips
from tests.quality.project import ROOT, run, script
from tests.quality.test_wheel import SUPPORTED

WORKFLOWS = sorted(
    [*(ROOT / ".github" / "workflows").glob("*.yml"), *(ROOT / "examples/pull_requests").glob("*.yml")]
)
UNITS = sorted((ROOT / "packaging" / "systemd").rglob("*.service"))
PINNED = re.compile(r"uses: (\./\S+|OWNER/dohyo/\S+|[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+)$")
# In these a name of a stranger's may come: a branch, a title, what an input says.
STRANGERS = ("github.event", "github.head_ref", "inputs.", "github.actor")


def parsed(path: Path) -> Any:
    """A YAML file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> Iterator[dict[str, Any]]:
    """The steps of all jobs."""
    for job in parsed(path)["jobs"].values():
        yield from job.get("steps", ())


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_has_no_more_rights_than_it_uses(path: Path) -> None:
    """Actions are pinned by commit, rights are given to each job, no token stays, no stranger's word is a shell's."""
    text = path.read_text(encoding="utf-8")
    loose = [line for line in text.splitlines() if " uses: " in f" {line.strip()}" and not PINNED.search(line)]
    assert loose == []
    found = parsed(path)
    assert found["permissions"] in ({}, {"contents": "read"})
    assert "pull_request_target" not in text
    assert "secrets." not in text
    for job in found["jobs"].values():
        assert "permissions" in job or found["permissions"], path.name
        assert "timeout-minutes" in job or "uses" in job
    for step in steps(path):
        if "actions/checkout@" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
        assert not any(f"${{{{ {word}" in step.get("run", "") for word in STRANGERS), step


def test_what_plays_strangers_code_may_only_read() -> None:
    """Of the two workflows for pull requests one plays and may do nothing, one comments and runs nothing of it."""
    plays, comments = (ROOT / "examples" / "pull_requests" / name for name in ("compare.yml", "comment.yml"))
    assert parsed(plays)["permissions"] == {"contents": "read"}
    assert "actions/compare@" in plays.read_text(encoding="utf-8")
    assert set(parsed(comments)[True]) == {"workflow_run"}  # YAML reads `on` as true
    for step in steps(comments):
        if "actions/checkout@" in step.get("uses", ""):
            assert step["with"]["repository"] == "OWNER/dohyo"


def expanded(matrix: dict[str, Any]) -> list[dict[str, str]]:
    """The jobs of a matrix, as GitHub makes them: a row of `include` changes every job whose own values it repeats.

    A value that came from an earlier row is no own value, and is replaced.
    """
    own = {name: values for name, values in matrix.items() if name != "include"}
    rows = [dict(zip(own, values, strict=True)) for values in itertools.product(*own.values())]
    jobs = [dict(row) for row in rows]
    for more in matrix.get("include", []):
        fitting = [at for at, row in enumerate(rows) if all(row.get(name, more[name]) == more[name] for name in more)]
        for at in fitting:
            jobs[at].update(more)
        if not fitting:
            jobs.append(dict(more))
    return jobs


def test_every_supported_python_is_tried() -> None:
    """The tests and the packages run on the Pythons that the package names; scripts that are called are there."""
    wanted = [f"3.{minor}" for minor in SUPPORTED]
    for name, job in (("tests.yml", "linux"), ("packages.yml", "tried")):
        jobs = expanded(parsed(ROOT / ".github" / "workflows" / name)["jobs"][job]["strategy"]["matrix"])
        usual = [each["python"] for each in jobs if each.get("machine", "x86_64") == "x86_64"]
        assert usual == wanted, f"{name}: the usual machine tries {usual}"
    for path in WORKFLOWS:
        for called in re.findall(r"\.github/scripts/[\w.]+", path.read_text(encoding="utf-8")):
            assert (ROOT / called).exists(), f"{path.name} calls {called}"


def test_versions_agree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every place has the same version; a tag of another one, or without a list of changes, is no release."""
    version = script("version")
    assert version.main([]) == 0, capsys.readouterr().out
    assert version.main(["--tag", "v9.9.9"]) == 1
    assert "CHANGELOG.md has no part for it" in capsys.readouterr().out
    for name in (*version.PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    here = version.versions()["pyproject.toml"]
    changes = tmp_path / "CHANGELOG.md"
    changes.write_text(f"# Changes\n\n## {here}\n", encoding="utf-8")
    monkeypatch.setattr(version, "ROOT", tmp_path)
    assert version.main(["--tag", f"v{here}"]) == 0
    (tmp_path / "Containerfile").write_text("ARG VERSION=0.0.1\n", encoding="utf-8")
    assert version.main([]) == 1


def test_container_needs_no_root_and_says_how_it_is_run() -> None:
    """Its last user is a number that is not root's; the page, the script and the file have the same options."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["10001:10001"]
    assert 'ENTRYPOINT ["dohyo"]' in lines
    assert "VOLUME /contest" in lines
    page = (ROOT / "docs" / "container.md").read_text(encoding="utf-8")
    tried = (ROOT / ".github" / "scripts" / "try_image.sh").read_text(encoding="utf-8")
    for option in (
        *("--network none", "--cap-drop ALL", "no-new-privileges", "seccomp=unconfined", "unmask=ALL"),
        *("systempaths=unconfined", "apparmor=unconfined", "--pids-limit"),
    ):
        assert (option in page, option in tried) == (True, True), option
    assert "--privileged" not in tried
    for name in re.findall(r"^ARG (\w+)", "\n".join(lines), re.MULTILINE):
        assert name == "VERSION" or f"`{name}`" in page or f"{name}=" in page, name
    shown = {line[1:].rstrip("/") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"}
    built_of = {"src", "docs", "pyproject.toml", "constraints.txt", "hatch_build.py", "README.md", "LICENSE", "*.whl"}
    assert shown == built_of


def test_image_is_made_of_what_was_looked_at() -> None:
    """Debian by its digest, Python's packages by the constraints and their digests, on both architectures alike."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert "--require-hashes" in text
    assert text.count("constraints /source/constraints.txt") == 2  # of what is installed, of what builds it
    assert 'image.base.name="${BASE}"' in text
    jobs = parsed(ROOT / ".github" / "workflows" / "image.yml")["jobs"]
    assert [job["machine"] for job in jobs["image"]["strategy"]["matrix"]["include"]] == ["amd64", "arm64"]
    assert jobs["image"]["needs"] == "base"
    (tried,) = (step for step in jobs["image"]["steps"] if "try_image.sh" in step.get("run", ""))
    assert tried["env"]["BASE"] == "${{ needs.base.outputs.name }}"
    assert '"BASE=$BASE"' in tried["run"]
    (pushed,) = (step for step in jobs["push"]["steps"] if "docker push" in step.get("run", ""))
    assert "{amd64,arm64}" in pushed["run"]


def test_image_s_pins_begin_with_the_installer(tmp_path: Path) -> None:
    """What the Containerfile takes of the constraints for pip is uv alone, with each of its digests."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    command = re.search(r"(sed -n '.*?') /source/constraints.txt", text)
    assert command is not None
    taken = subprocess.run(
        ["bash", "-c", f"{command[1]} {ROOT / 'constraints.txt'}"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert taken[0].startswith("uv==")
    assert len(taken) > 2
    assert all(line.lstrip().startswith("--hash=sha256:") for line in taken[1:])


def test_bill_of_an_image_names_both_kinds_of_packages() -> None:
    """Here, of this machine: Python's packages, and Debian's where there are some."""
    if shutil.which("dpkg-query") is None:
        skips.skip_for(skips.Reason.PEER, "this machine is no Debian")
    bill = json.loads(script("image_bill").bill())
    kinds = {part["purl"].partition("/")[0] for part in bill["components"]}
    assert kinds == {"pkg:deb", "pkg:pypi"}
    assert len({part["bom-ref"] for part in bill["components"]}) == len(bill["components"])


@pytest.mark.parametrize("path", UNITS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_unit_lets_the_sandbox_work(path: Path) -> None:
    """It asks for a sandbox, is no root, ends by Ctrl-C, and has no line with which bubblewrap could not work."""
    text = path.read_text(encoding="utf-8")
    lines = dict(line.split("=", 1) for line in text.splitlines() if "=" in line and line[0] != "#")
    assert "--sandbox require" in lines["ExecStart"] or "cluster worker" in lines["ExecStart"]
    assert (lines["KillSignal"], lines["NoNewPrivileges"]) == ("SIGINT", "yes")
    assert lines["KillMode"] == "mixed", "bots would get Ctrl-C too, and lose the matches that they play"
    assert lines.get("User") == "dohyo" or path.parent.name == "user"
    page = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    kept_out = re.findall(r"`(\w+)=`", page.partition("With `Restrict")[2].partition("the sandbox would be")[0])
    assert len(kept_out) > 8
    assert not {"RestrictNamespaces", *kept_out} & lines.keys()
    assert path.name in page or path.stem.rstrip("@") in page


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """Where systemd is: it knows every line."""
    if shutil.which("systemd-analyze") is None:
        skips.skip_for(skips.Reason.PEER, "this machine has no systemd")
    for path in UNITS:
        program = re.search(r"^ExecStart=(\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert program is not None
        copy = tmp_path / path.name
        copy.write_text(path.read_text(encoding="utf-8").replace(program[1], "/bin/sh"), encoding="utf-8")
        done = run("systemd-analyze", "verify", "--man=no", copy)
        assert (done.returncode, done.stdout) == (0, ""), path.name


def test_scripts_for_shells_are_read_by_them() -> None:
    """Bash finds no mistake in their grammar."""
    for path in (ROOT / ".github" / "scripts").glob("*.sh"):
        subprocess.run(["bash", "-n", path], check=True)


def test_templates_ask_for_what_is_needed() -> None:
    """A bug comes with the version and with what the machine offers; each form has what the platform requires."""
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    for path in folder.glob("*.yml"):
        form = parsed(path)
        if path.name == "config.yml":
            continue
        assert {"name", "description", "body"} <= form.keys(), path.name
        fields = [each for each in form["body"] if each["type"] != "markdown"]
        assert len({each["id"] for each in fields}) == len(fields)
        assert all(each["attributes"]["label"] for each in fields)
    bug = {each.get("id"): each for each in parsed(folder / "bug.yml")["body"]}
    assert bug["version"]["attributes"]["label"] == "dohyo --version"
    assert bug["doctor"]["attributes"]["label"] == "dohyo doctor"
    assert all(bug[name]["validations"]["required"] for name in ("what", "version", "doctor"))
