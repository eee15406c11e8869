"""What a boxed program can see of the disk."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dohyo.box import places


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a bot, secrets, and an interpreter that its owner built."""
    home = tmp_path / "home"
    for name in ("bots/mine/bot.py", ".ssh/key", "built/bin/python3.9", "built/lib/os.py", "neighbour/bot.py"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("")
    (home / "env" / "bin").mkdir(parents=True)
    (home / "env" / "bin" / "python").symlink_to(home / "built" / "bin" / "python3.9")
    monkeypatch.setenv("HOME", str(home))
    return home


def shown(view: places.View, home: Path) -> set[str]:
    """What is shown of the home folder, as relative names."""
    paths = (*view.readable, *view.writable)
    return {str(Path(path).relative_to(home)) for path in paths if Path(path).is_relative_to(home)}


def test_a_bot_sees_its_own_folder_and_its_interpreter(home: Path) -> None:
    """Of a home folder are shown the bot's own folder, and the whole installation behind every link to its Python."""
    own = home / "bots" / "mine"
    view = places.view((f"{home}/env/bin/python", f"{own}/bot.py"), str(own), {})
    assert shown(view, home) == {"bots/mine", "env", "built"}


def test_a_bot_in_the_home_folder_sees_its_file_alone(home: Path) -> None:
    """A bot that lies in a folder with everything else sees only what its command names."""
    (home / "bot.py").write_text("")
    view = places.view(("/usr/bin/python3", f"{home}/bot.py", str(home)), str(home), {})
    assert shown(view, home) == {"bot.py"}
    assert view.folder == str(home)


def test_what_the_operators_words_name_is_shown(home: Path) -> None:
    """Files and folders in the operator's own command are opened, in lists and behind an equals sign too."""
    words = ("/usr/bin/java", "-cp", f"{home}/built:{home}/neighbour/bot.py", f"--key={home}/.ssh/key")
    assert shown(places.view(words, "/usr", {}), home) == {"built", "neighbour", ".ssh"}


def test_no_word_of_a_strangers_command_opens_anything(home: Path) -> None:
    """Where the bot's author wrote the command, only the bot's folder is shown, whatever the command names."""
    own = home / "bots" / "mine"
    words = (f"{home}/built/bin/python3.9", f"{home}/.ssh/key", "../../neighbour/bot.py", str(home / ".ssh"))
    assert shown(places.view(words, str(own), {}, strange=True), home) == {"bots/mine"}


@pytest.mark.parametrize(
    ("first", "seen"),
    [
        ("#!/usr/bin/env python3.9", {"built"}),
        ("#! {home}/built/bin/python3.9 -S", {"built"}),
        ("#!/usr/bin/env -S nobody -x", set()),
        ("#!{home}/.ssh/key", set()),
        ("#!", set()),
        ("no script", set()),
    ],
)
def test_a_script_sees_what_starts_it(
    home: Path, first: str, seen: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter of a script's first line is shown where it is the operator's: on the PATH, by `env` too."""
    script, python = home / "bots" / "mine" / "run", home / "built" / "bin" / "python3.9"
    script.write_text(first.format(home=home) + "\n")
    python.chmod(0o755)
    monkeypatch.setenv("PATH", f"{python.parent}:/usr/bin:/bin")
    for strange in (False, True):
        view = places.view((str(script),), str(script.parent), {}, strange=strange)
        assert shown(view, home) == {"bots/mine", *seen}


def test_nothing_of_etc_that_holds_secrets_is_shown() -> None:
    """No view holds /etc itself, nor the files of users and passwords."""
    view = places.view(("/bin/sh",), "/etc", {})
    for path in ("/etc", "/etc/shadow", "/etc/passwd", "/", "/home", "/root", "/var", "/proc", "/sys", "/run"):
        assert path not in view.readable


def test_a_bot_is_told_nothing_secret() -> None:
    """Of our environment a bot gets what languages need, and what is meant for it."""
    known = {"PATH": "/bin", "LC_ALL": "C", "DOHYO_SEED": "5", "RUSTUP_HOME": "/r"}
    secret = {"AWS_SECRET": "x", "SSH_AUTH_SOCK": "/s", "HOME": "/root", "DOHYO_CACHE": "/c"}
    assert places.kept({**known, **secret}) == {**known, "HOME": "/tmp", "TMPDIR": "/tmp"}


def test_a_path_in_a_shown_folder_is_shown_once(home: Path) -> None:
    """A file in a folder that is shown anyway adds nothing: each path costs time at every start."""
    own = home / "bots" / "mine"
    view = places.view(("/usr/bin/python3", f"{own}/bot.py"), str(own), {})
    assert [path for path in view.readable if path.startswith(str(home))] == [str(own)]


def test_dohyos_own_interpreter_sees_dohyo(home: Path) -> None:
    """A bot that runs with our own interpreter can read this package, its own folder, and the interpreter's own."""
    package = str(Path(places.OURS).parent)
    lines: tuple[tuple[str, ...], ...] = ((sys.executable, "bot.py"), ("/bin/sh", "-c", f"{sys.executable} bot.py"))
    for words in lines:
        view = places.view(words, str(home / "bots" / "mine"), {}, strange=True)
        assert within(package, view)
        assert within(sys.executable, view)
        assert shown(view, home) == {"bots/mine"}
    other = places.view(("/bin/sh", "-c", "echo"), str(home / "bots" / "mine"), {}, strange=True)
    assert not within(package, other) or package.startswith(places.SYSTEM)


def within(path: str, view: places.View) -> bool:
    """Whether a path can be read."""
    return any(Path(path).is_relative_to(each) for each in view.readable)
