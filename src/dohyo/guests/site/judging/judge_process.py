"""The judge as the web server sees it: a process that is started, and started again whenever it ends."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec

from dohyo.guests.site.folder import SiteFolder
from dohyo.sandbox import as_chosen
from dohyo.system import interpreter

AGAIN = 1.0  # seconds until a judge that has ended is started again
PATIENCE = 15.0  # seconds for a judge to end its programs


class Places(msgspec.Struct):
    """What a judge is told: where it finds what is not in its folder, the database, files, a cluster and its keys."""

    store: str = ""
    files: str = ""
    cluster: str | None = None
    keys: str | None = None
    plain_tcp: bool = False
    puzzles: bool = True  # whether it looks for puzzles where nothing else is to be done


class JudgeProcess:
    """The judge, in a process of its own, started again if it ends; a context manager, which ends it."""

    def __init__(
        self,
        site: SiteFolder,
        sandbox: str,
        workers: int | None,
        places: Places,
        builds: int,
        log: str,
        on_restart: Callable[[], None] = lambda: None,
    ) -> None:
        words = [str(os.getpid()), interpreter.current_folder(), os.fspath(site.home), as_chosen(sandbox)]
        words += [str(workers or 0), str(builds), log]
        self._on_restart = on_restart
        self._words = interpreter.module("dohyo.guests.site.judging.judge", *words)
        self._places = msgspec.json.encode(places)
        self._process: subprocess.Popen[bytes] | None = None
        self._ends = threading.Event()
        self._lock = threading.Lock()
        self._watch = threading.Thread(target=self._keep, daemon=True)

    def __enter__(self) -> JudgeProcess:
        self._start()
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        with self._lock:
            process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self) -> None:
        with self._lock:
            if self._ends.is_set():
                return
            self._process = subprocess.Popen(
                self._words,
                cwd=interpreter.FOLDER,
                env=interpreter.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C reaches the web server, which ends it
            )
            assert self._process.stdin is not None
            with suppress(BrokenPipeError), self._process.stdin as words:
                words.write(self._places)

    def _keep(self) -> None:
        """Start it again whenever it ends: what it had begun with waits in the database."""
        while not self._ends.is_set():
            process = self._process
            if process is not None:
                process.wait()
            if self._ends.wait(AGAIN):
                return
            self._on_restart()
            self._start()
