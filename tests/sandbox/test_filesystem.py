"""What a program in the sandbox can see of the disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dohyo.core.sandbox import Mount, Shown
from dohyo.sandbox import environment as filesystem


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a bot, secrets, and interpreters that its owner built."""
    home = tmp_path / "home"
    for name in ("bots/mine/bot.py", ".ssh/key", "built/bin/python3.9", "built/lib/os.py", "neighbour/bot.py"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("")
    (home / "env" / "bin").mkdir(parents=True)
    (home / "env" / "bin" / "python").symlink_to(home / "built" / "bin" / "python3.9")
    monkeypatch.setenv("HOME", str(home))
    return home


def shown(view: filesystem.View, home: Path) -> set[str]:
    """What is shown of the home folder, as relative names."""
    return {str(Path(m.source).relative_to(home)) for m in view.mounts if Path(m.source).is_relative_to(home)}


def test_what_is_given_is_shown_and_nothing_else(home: Path) -> None:
    """A mount is shown under its target, to read or to write, and nothing beside it."""
    mounts = (Mount(f"{home}/bots/mine", "/bot"), Mount(f"{home}/neighbour", "/build", True))
    view = filesystem.view(Shown("/bot", mounts), {})
    assert shown(view, home) == {"bots/mine", "neighbour"}
    assert [(mount.target, mount.writable) for mount in view.mounts if mount in mounts] == [
        ("/bot", False),
        ("/build", True),
    ]
    assert view.folder == "/bot"


def test_a_program_is_shown_with_its_installation(home: Path) -> None:
    """Of an operator's interpreter the whole installation is shown, behind every link to it."""
    assert shown(filesystem.view(Shown("/", (), (f"{home}/env/bin/python",)), {}), home) == {"env", "built"}


@pytest.mark.parametrize("target", ["/", "/etc", "/root", ".ssh/key"])
def test_a_link_of_a_program_to_something_wide_shows_none_of_it(home: Path, target: str) -> None:
    """Where a program is a link to a folder, or to a file alone, no folder around that is shown."""
    (home / "env" / "bin" / "node").symlink_to(target if target.startswith("/") else home / target)
    seen = filesystem.view(Shown("/", (), (f"{home}/env/bin/node",)), {})
    assert not {"/", "/etc", "/root"} & {mount.source for mount in seen.mounts}
    assert shown(seen, home) <= {"env", ".ssh/key"}


def test_where_a_language_is_installed_is_shown_to_its_own_programs(home: Path) -> None:
    """A variable of the operator's opens a folder only for the programs that read it."""
    known = {"JAVA_HOME": f"{home}/built"}
    assert shown(filesystem.view(Shown("/", (), ("/usr/bin/java",)), known), home) == {"built"}
    assert shown(filesystem.view(Shown("/", (), ("/usr/bin/node",)), known), home) == set()


def test_opt_is_not_shown(tmp_path: Path) -> None:
    """What is installed in /opt is shown only where a language's row leads there."""
    assert not [m for m in filesystem.view(Shown("/"), {}).mounts if m.source.startswith("/opt")]


def test_nothing_of_etc_that_holds_secrets_is_shown() -> None:
    """No view holds /etc itself, nor the files of users and passwords."""
    sources = {mount.source for mount in filesystem.view(Shown("/etc"), {}).mounts}
    for path in ("/etc", "/etc/shadow", "/etc/passwd", "/", "/home", "/root", "/var", "/proc", "/sys", "/run"):
        assert path not in sources


def test_a_bot_is_told_nothing_secret() -> None:
    """Of our environment a bot gets what languages need, and what is meant for it."""
    known = {"PATH": "/bin", "LC_ALL": "C", "DOHYO_SEED": "5", "RUSTUP_HOME": "/r"}
    secret = {"AWS_SECRET": "x", "SSH_AUTH_SOCK": "/s", "HOME": "/root", "DOHYO_CACHE": "/c"}
    assert filesystem.kept({**known, **secret}) == {**known, "HOME": "/tmp", "TMPDIR": "/tmp"}


def test_what_lies_in_another_is_mounted_after_it(home: Path) -> None:
    """A file that may be written to in a folder that may only be read stays writable."""
    inner, outer = Mount(f"{home}/bots/mine", "/bot/mine", True), Mount(f"{home}/bots", "/bot")
    mounts = filesystem.view(Shown("/bot", (inner, outer)), {}).mounts
    assert mounts.index(outer) < mounts.index(inner)


def test_dohyos_own_interpreter_sees_dohyo(home: Path) -> None:
    """A bot that runs with our own interpreter can read this package and the interpreter's own; others cannot."""
    package = str(Path(filesystem.OURS).parent)
    view = filesystem.view(Shown("/", (), (sys.executable,)), {})
    assert within(package, view)
    assert within(sys.executable, view)
    other = filesystem.view(Shown("/", (), ("/bin/sh",)), {})
    assert not within(package, other) or package.startswith(filesystem.SYSTEM)


def test_no_folder_of_a_game_is_shown_because_it_is_named(home: Path) -> None:
    """What DOHYO_GAMES names may hold hand-ins and secrets; a game's own files are among the mounts, as a copy."""
    (home / "games" / "mine").mkdir(parents=True)
    (home / "games" / "one.py").touch()
    named = {"DOHYO_GAMES": os.pathsep.join((f"{home}/games/mine", f"{home}/games/one.py"))}
    assert shown(filesystem.view(Shown("/", (), (sys.executable,)), named), home) == set()


def within(path: str, view: filesystem.View) -> bool:
    """Whether a path can be read."""
    return any(Path(path).is_relative_to(each) for each in view.readable)


def test_an_environment_in_a_projects_root_shows_itself_alone(home: Path) -> None:
    """Of a project in which Python's environment was made, its own folders are shown and nothing beside."""
    for name in ("lib/site.py", "pyvenv.cfg", "hand-ins/other.py", ".env"):
        (home / "env" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "env" / name).write_text("")
    view = filesystem.view(Shown("/bot", (), (f"{home}/env/bin/python",)), {})
    assert shown(view, home) == {"env/bin", "env/lib", "env/pyvenv.cfg", "built"}
