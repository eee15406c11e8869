"""`dohyo serve`: the web server, and beside it the judge."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dohyo.cli.asking import asks
from dohyo.cli.options import application as commands
from dohyo.cli.options import sandbox_for
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import Trust
from dohyo.guests.site.request import ServeRequest
from dohyo.i18n import Speaker
from dohyo.system import interpreter

if TYPE_CHECKING:
    from dohyo.guests.site.folder import SiteFolder
    from dohyo.series.store.database import Database

app = commands()

NEEDED = ("argon2", "jinja2", "litestar", "uvicorn")
AGAIN = 1.0  # seconds until a judge that has ended is started again
PATIENCE = 15.0  # seconds for a judge to end its programs
BUSY = 500  # connections at once: more are told to come again


@asks(app, ServeRequest)
def serve(asked: ServeRequest, trust: Trust = False, *, speaker: Speaker) -> None:
    """Run a contest site: people hand in bots in a browser, and climb a ladder."""
    if not all(map(importlib.util.find_spec, NEEDED)):
        raise OperatorError("needs-web")
    sandbox_for(asked.sandbox, trust, speaker)
    from dohyo.guests.site import people
    from dohyo.guests.site.folder import SiteFolder
    from dohyo.guests.site.tables import open_site

    site = SiteFolder(Path(asked.folder).absolute())
    site.prepare()
    listening = _listen(asked.host, asked.port)
    database = open_site(site.site)
    try:
        url = asked.url or f"http://{_shown(asked.host)}:{listening.getsockname()[1]}"
        if asked.invite or not people.has_organiser(database):
            _tell(speaker.say("site-organise", url=f"{url.rstrip('/')}/organise/{people.invite(database)}"))
        _tell(speaker.say("site-runs", url=url))
        with JudgeProcess(site, asked.sandbox, asked.workers), suppress(KeyboardInterrupt):
            _serve(site, database, listening, url.startswith("https://"))
    finally:
        database.close()
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    """The socket to listen at. Raises `OperatorError` where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    one = socket.socket(family, socket.SOCK_STREAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind((host, port))
        one.listen(128)
    except (OSError, OverflowError, UnicodeError) as error:
        one.close()
        raise OperatorError("site-cannot-listen", host=host, port=port, reason=error) from error
    return one


def _shown(host: str) -> str:
    """How a browser on this machine names the address."""
    if host in ("0.0.0.0", "::", ""):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _serve(site: SiteFolder, database: Database, listening: socket.socket, is_secure: bool) -> None:
    import uvicorn

    from dohyo.guests.site import people
    from dohyo.guests.site.application import MAX_UPLOAD, application, refused
    from dohyo.guests.site.asking import SESSION, first_language
    from dohyo.guests.site.patience import Patience, PatientProtocol

    made: Any = application(site, database, is_secure=is_secure)
    config = uvicorn.Config(
        Patience(
            made,
            SESSION,
            lambda secret: people.of_session(database, secret) is not None,
            MAX_UPLOAD,
            lambda status, header: refused(status, Speaker(first_language(header))),
        ),
        http=PatientProtocol,
        log_level="warning",
        access_log=False,
        limit_concurrency=BUSY,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=is_secure,
    )
    uvicorn.Server(config).run(sockets=[listening])


class JudgeProcess:
    """The judge, in a process of its own, started again if it ends; a context manager, which ends it."""

    def __init__(self, site: SiteFolder, sandbox: str, workers: int | None) -> None:
        words = [str(os.getpid()), interpreter.current_folder(), os.fspath(site.home), sandbox, str(workers or 0)]
        self._words = interpreter.module("dohyo.guests.site.judge", *words)
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
            if not self._ends.is_set():
                self._process = subprocess.Popen(
                    self._words,
                    cwd=interpreter.FOLDER,
                    env=interpreter.environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    process_group=0,  # Ctrl-C reaches the web server, which ends it
                )

    def _keep(self) -> None:
        """Start it again whenever it ends: what it had begun with waits in the database."""
        while not self._ends.is_set():
            process = self._process
            if process is not None:
                process.wait()
            if self._ends.wait(AGAIN):
                return
            self._start()


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
