"""`dohyo doctor --mend`: what it shows, asks and does; AppArmor and sudo are scripts here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dohyo.cli import main
from dohyo.sandbox import layers, machine, mending
from dohyo.sandbox.machine import Layer, Machine

NOTHING_WORKS = [
    Layer(1, "bubblewrap+seccomp+cgroup", False, "no writable cgroup"),
    Layer(2, "bubblewrap+seccomp+rlimits", False, "setting up uid map: Permission denied"),
    Layer(3, "landlock+seccomp+rlimits", True),
    Layer(4, "none", True),
]
SUDO = """#!/bin/sh
echo "sudo $*" >>{log}
exec "$@"
"""
PARSER = """#!/bin/sh
echo "parser $*" >>{log}
if [ -e {broken} ]; then echo "AppArmor parser error: no such feature" >&2; exit 1; fi
"""


class Ubuntu:
    """A machine on which AppArmor restricts user namespaces; its programs only note what they are asked."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.log, self.broken, self.profiles = folder / "log", folder / "broken", folder / "apparmor.d"
        self.bubblewrap, programs = folder / "bwrap", folder / "bin"
        self.profiles.mkdir()
        programs.mkdir()
        for name, script in (("sudo", SUDO), ("apparmor_parser", PARSER)):
            (programs / name).write_text(script.format(log=self.log, broken=self.broken))
            (programs / name).chmod(0o755)
        self.bubblewrap.write_text("")
        self.bubblewrap.chmod(0o775)
        self.layers = NOTHING_WORKS
        self.settings = {mending.SETTING: "1"}
        self.bubblewraps: tuple[str, ...] = (str(self.bubblewrap),)
        self.answer, self.taken = "", 2
        self.programs = programs
        patch.setattr(mending, "FOLDER", str(self.profiles))
        patch.setattr(mending, "SYSTEM", (str(programs), "/usr/bin", "/bin"))
        patch.setattr(os, "geteuid", lambda: 1000)
        patch.setattr(machine, "look", self.look)
        patch.setattr(machine, "survey", lambda: self.layers)
        patch.setattr(layers, "forget", lambda: None)
        patch.setattr(layers, "strongest", lambda: layers.Sandbox(self.taken, "sandbox"))

    def look(self) -> Machine:
        """The facts of this machine."""
        return Machine("Linux", "6.8", "x86_64", self.bubblewraps, 4, 0, 2, self.settings, False)

    @property
    def file(self) -> Path:
        """Where the profile comes to lie."""
        return self.profiles / mending.NAME

    @property
    def noted(self) -> list[str]:
        """What the programs were asked."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def ubuntu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ubuntu:
    """Such a machine."""
    return Ubuntu(tmp_path, monkeypatch)


def test_it_shows_everything_and_installs_it_by_sudo(ubuntu: Ubuntu, capsys: pytest.CaptureFixture[str]) -> None:
    """The profile and each command are shown; then sudo writes the file and AppArmor loads it, as often as wanted."""
    for _ in range(2):
        assert main.run(["doctor", "--mend", "--yes"]) == 0
        out = capsys.readouterr().out
        profile = ubuntu.file.read_text()
        assert f'profile dohyo-bwrap "{ubuntu.bubblewrap}" flags=(unconfined) {{' in profile
        assert "userns," in profile
        assert "@{" not in profile.replace("include <tunables/global>", "")
        assert all(line.strip() in out for line in profile.splitlines())
        assert all(line.removeprefix("sudo ") in out for line in ubuntu.noted if line.startswith("sudo"))
        assert out.endswith("Done: bots run in layer 2.\n")
    parser = ubuntu.programs / "apparmor_parser"
    assert ubuntu.noted == 2 * [
        f"sudo /usr/bin/tee {ubuntu.file}",
        f"sudo {parser} --replace {ubuntu.file}",
        f"parser --replace {ubuntu.file}",
    ]


def test_nothing_is_done_that_was_not_said_yes_to(
    ubuntu: Ubuntu, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal it asks for --yes; at one, whatever is no yes changes nothing."""

    class Terminal:
        def __init__(self, line: str) -> None:
            self.line = line

        def isatty(self) -> bool:
            return bool(self.line)

        def readline(self) -> str:
            return self.line

    for line, key in (("", "add --yes"), ("\n", "Nothing was changed"), ("n\n", "Nothing was changed")):
        monkeypatch.setattr("sys.stdin", Terminal(line))
        assert main.run(["doctor", "--mend"]) == 2
        told = capsys.readouterr()
        assert key in told.err
        assert "userns," in told.out
        assert (ubuntu.noted, ubuntu.file.exists()) == ([], False)
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert main.run(["doctor", "--mend"]) == 0
    assert ubuntu.file.exists()
    assert main.run(["doctor", "--yes"]) == 2
    assert "--mend" in capsys.readouterr().err


def test_the_systems_bubblewrap_comes_first(ubuntu: Ubuntu, capsys: pytest.CaptureFixture[str]) -> None:
    """One that root alone can replace is taken; of any other it is said who else could."""
    main.run(["doctor", "--mend", "--yes"])
    assert "can put another program in its place" in capsys.readouterr().out
    ubuntu.bubblewraps = (str(ubuntu.bubblewrap), "/usr/bin/env")
    main.run(["doctor", "--mend", "--yes"])
    out = capsys.readouterr().out
    assert os.path.realpath("/usr/bin/env") in ubuntu.file.read_text()
    assert "another program in its place" not in out


@pytest.mark.parametrize(("words", "option"), [(["--json"], "--json"), (["--python", "python3"], "--python")])
def test_what_mend_does_not_obey_is_refused(
    words: list[str], option: str, ubuntu: Ubuntu, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option that would do nothing beside --mend is named, and nothing is changed."""
    assert main.run(["doctor", "--mend", "--yes", *words]) == 2
    assert capsys.readouterr().err == f"--mend does not take {option}; leave one of the two out.\n"
    assert not ubuntu.noted


def test_root_runs_nothing_of_a_users_path(
    ubuntu: Ubuntu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Programs of these names in an environment's folder are not taken; and it is said what the profile allows."""
    planted = tmp_path / "venv"
    planted.mkdir()
    for name in ("tee", "apparmor_parser", "sudo"):
        (planted / name).write_text("#!/bin/sh\n")
        (planted / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{planted}{os.pathsep}/usr/bin{os.pathsep}/bin")
    assert main.run(["doctor", "--mend", "--yes"]) == 0
    out = capsys.readouterr().out
    assert str(planted) not in out
    assert "and so to any program that somebody starts by it" in out


def test_whoever_can_rename_a_folder_above_can_replace_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every folder on the way counts: one of a user's, or one that a group may write to, is enough."""
    root, users, groups = ((0o40755, 0), (0o40755, 1000), (0o40775, 0))
    for second, is_roots in ((root, True), (users, False), (groups, False)):
        found = {"/": root, "/opt": second, "/opt/arena": root, "/opt/arena/bin": root, "/opt/arena/bin/bwrap": root}
        stats = {path: os.stat_result((mode, 0, 0, 1, user, *[0] * 5)) for path, (mode, user) in found.items()}
        with monkeypatch.context() as patch:
            patch.setattr(os, "stat", stats.__getitem__)
            assert mending._is_roots("/opt/arena/bin/bwrap") is is_roots


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_cannot_be_mended_is_one_sentence(
    language: str, ubuntu: Ubuntu, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each with its remedy and status 2; and where nothing is wrong, that is said, with status 0."""

    def told(status: int = 2) -> str:
        assert main.run(["doctor", "--mend", "--yes", "--lang", language]) == status
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return said.err if status else said.out

    ubuntu.broken.touch()
    assert "no such feature" in told()
    assert not ubuntu.file.exists()
    ubuntu.broken.unlink()
    ubuntu.taken = 3
    assert str(ubuntu.file) in told()
    assert not ubuntu.file.exists()
    ubuntu.taken = 2
    ubuntu.file.write_text("profile mine {}\n")
    assert str(ubuntu.file) in told()
    assert ubuntu.file.read_text() == "profile mine {}\n"
    ubuntu.file.unlink()
    odd = tmp_path / "b*d"
    odd.write_text("")
    ubuntu.bubblewraps = (str(odd),)
    assert "b*d" in told()
    ubuntu.bubblewraps = ()
    assert "apt install bubblewrap" in told()
    ubuntu.bubblewraps = (str(ubuntu.bubblewrap),)
    (ubuntu.programs / "sudo").unlink()
    mending.SYSTEM = (str(ubuntu.programs),)
    assert "apparmor_parser" in told()  # there is no tee there
    (ubuntu.programs / "tee").symlink_to("/usr/bin/tee")
    assert "root" in told()
    ubuntu.settings = {}
    assert "--mend" in told()
    ubuntu.layers = [Layer(2, "bubblewrap+seccomp+rlimits", True)]
    assert "2" in told(0)
    assert not ubuntu.file.exists()


@pytest.mark.parametrize(("language", "status"), [("en", "exit status 7"), ("ja", "終了コード 7")])
def test_a_profile_that_cannot_be_removed_is_named_with_the_command(
    language: str, status: str, ubuntu: Ubuntu, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that fails without a word is told by its status; what stays in the folder, with what removes it."""
    words = ["doctor", "--mend", "--yes", "--lang", language]
    (ubuntu.programs / "apparmor_parser").write_text("#!/bin/sh\nexit 7\n")
    assert main.run(words) == 2
    assert status in capsys.readouterr().err
    assert not ubuntu.file.exists()
    remove = ubuntu.programs / "rm"
    remove.write_text("#!/bin/sh\necho 'read only' >&2\nexit 1\n")
    remove.chmod(0o755)
    assert main.run(words) == 2
    assert f"{remove} -f {ubuntu.file}" in capsys.readouterr().err
    assert ubuntu.file.exists()
