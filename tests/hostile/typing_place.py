"""A folder in which the operator types, where hand-ins lie that are called as modules and programs are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.typed import PATIENCE, calm, environment
from tests.hostile.scene import SECRETS

# As the bot that it says it is, it plays on; imported in the place of Python's own module, it reads a key, and is
# then that module, so that nobody notices.
SHADOW = """
import sys
if __name__ == "__main__":
    sys.path.pop(0)
    print("READY", flush=True)
    for line in sys.stdin:
        if line.strip() == "EOD":
            print("N", flush=True)
else:
    with open({secret!r}) as secret, open({planted!r}, "a") as planted:
        planted.write(f"{{sys.orig_argv}}: {{secret.read()}}\\n")
    sys.modules.pop(__name__)
    before, sys.path = sys.path, [path for path in sys.path if path not in ("", {here!r})]
    __import__(__name__)
    sys.path = before
"""
COMMAND = ("-P", "-c", "from dohyo.cli.main import main; main()")  # as what is installed as `dohyo` starts
PROGRAM = """#!/bin/sh
/bin/cat '{secret}' >> '{planted}'
"""


class Typing:
    """A folder in which the operator types, and what a hand-in in it got."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "hand-ins"
        self.folder.mkdir()
        self.aside = folder / "aside"  # of the operator's, where no hand-in is
        self.aside.mkdir()
        self.secret, self.planted = folder / "secret", folder / "planted"
        self.secret.write_text(SECRETS)

    def hand_in(self, module: str) -> str:
        """Put a bot there that is called as a module of Python's; how the operator names it."""
        source = SHADOW.format(secret=str(self.secret), planted=str(self.planted), here=str(self.folder))
        (self.folder / f"{module}.py").write_text(source)
        shutil.copy(self.folder / f"{module}.py", self.folder / "own.py")
        return f"./{module}.py"

    def program(self, name: str) -> Path:
        """Put a program there that is called so, and takes the secret when it is run."""
        path = self.folder / name
        path.write_text(PROGRAM.format(secret=self.secret, planted=self.planted))
        path.chmod(0o755)
        return path

    def type(self, *words: str, way: tuple[str, ...] = COMMAND, **more: str) -> subprocess.CompletedProcess[str]:
        """Type a command there, with these variables, and wait until it is done."""
        settings = {"cwd": self.folder, "env": environment(**more), "capture_output": True, "text": True}
        settings["stdin"] = subprocess.DEVNULL
        done = subprocess.run([sys.executable, *way, *words], **settings, timeout=PATIENCE, check=False)  # type: ignore[call-overload]
        done.stderr = calm(done.stderr)
        return done  # type: ignore[no-any-return]

    def got(self) -> str:
        """What the hand-in took."""
        return self.planted.read_text() if self.planted.exists() else ""


@pytest.fixture
def typing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typing:
    """A folder with a secret nearby."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    return Typing(tmp_path)
