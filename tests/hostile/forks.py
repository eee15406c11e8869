"""Processes that begin with everything loaded: forks of one that has loaded it, each with limits of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

# Carries out each line that it is told in a fork of itself, and says its exit status, negative for a signal.
PARENT = """
import json, os, resource, signal, sys
told = os.dup(1)
os.dup2(2, 1)
exec(sys.argv[1])
for line in iter(sys.stdin.readline, ""):
    asked = json.loads(line)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for number, name in enumerate(("/dev/null", asked["out"], asked["err"])):
                os.dup2(os.open(name, os.O_RDWR), number)
            os.environ.update(asked["environment"])
            os.chdir(asked["folder"])
            signal.alarm(asked["patience"])
            for limit, value in asked["limits"].items():
                resource.setrlimit(getattr(resource, limit), (value, value))
            exec(asked["code"], {"asked": asked})
            status = 0
        except SystemExit as ended:
            status = ended.code
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    os.write(told, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
PATIENCE = 600  # seconds: who waits for ever is ended in the end, so that a test fails and does not hang


class Done(NamedTuple):
    """How a fork ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


class Forks:
    """A process that has carried out `load`, and whose forks carry out more. A context manager."""

    def __init__(self, load: str, folder: Path) -> None:
        self._folder = folder
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process: subprocess.Popen[str] = subprocess.Popen([sys.executable, "-c", PARENT, load], **pipes)  # type: ignore[call-overload]

    def __enter__(self) -> Forks:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, code: str, folder: Path, *words: str, environment: dict[str, str], **limits: int) -> Done:
        """Carry out code that finds `words` in `asked`, in this folder, with limits by the names of `resource`."""
        out, err = self._folder / "out", self._folder / "err"
        for file in (out, err):
            file.write_bytes(b"")
        asked = {"code": code, "folder": str(folder), "words": words, "environment": environment, "limits": limits}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            json.dumps({**asked, "out": str(out), "err": str(err), "patience": PATIENCE}) + "\n"
        )
        self._process.stdin.flush()
        return Done(int(self._process.stdout.readline()), out.read_text(), err.read_text())
