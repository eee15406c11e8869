"""A PostgreSQL of the tests' own: in a temporary folder, reached by a socket there, gone when they are done."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from sqlalchemy import URL, create_engine, text

from tests.processes import children_of, runs

PATIENCE = 60.0  # seconds: no test waits so long, unless something hangs
# Nothing here has to outlive the computer's power.
HASTE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=40")
LASTING = ("fsync=off", "shared_buffers=16MB", "max_connections=80")  # it outlives being killed


class Server:
    """A running server. It refuses to be run by root, and so runs as somebody who may nothing."""

    def __init__(self, program: str, folder: Path, settings: tuple[str, ...] = HASTE) -> None:
        self._settings = settings
        self._program = os.path.realpath(program)  # beside it lie the others
        self._folder = folder
        self._numbers = count()
        self._process: subprocess.Popen[bytes] | None = None
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:
            user = _somebody()
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        options = ["-D", str(folder / "data"), "-U", "dohyo", "-A", "trust", "-E", "UTF8", "--no-sync"]
        self._run([self._beside("initdb"), *options, "--locale=C"])
        # From version 15 on, a new database is otherwise written block by block into the log: twice the work.
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        self._copying = " STRATEGY FILE_COPY" if int(version.split()[2].partition(".")[0]) >= 15 else ""

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = ("listen_addresses=", f"unix_socket_directories={self._folder}", *self._settings)
        options = [word for setting in settings for word in ("-c", setting)]
        command = [self._program, "-D", str(self._folder / "data"), *options]
        if shutil.which("setpriv"):
            command = ["setpriv", "--pdeathsig", "INT", *command]  # tests that are killed leave no server behind
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log, **self._as)  # type: ignore[call-overload]
        end = time.monotonic() + PATIENCE
        ready = self._beside("pg_isready")
        while subprocess.run([ready, "-q", "-h", str(self._folder)], check=False).returncode != 0:
            assert time.monotonic() < end, (self._folder / "log").read_text()
            assert self._process.poll() is None, (self._folder / "log").read_text()

    def stop(self) -> None:
        """End it at once; transactions that run are undone."""
        if self._process is not None:
            self._process.send_signal(2)
            self._process.wait(PATIENCE)
            self._process = None

    def kill(self) -> None:
        """Kill it with all its processes, as when somebody pulls the plug; `start` starts it again."""
        assert self._process is not None
        own = [self._process.pid, *children_of(self._process.pid)]
        for pid in own:
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
        self._process.wait(PATIENCE)
        self._process = None
        end = time.monotonic() + PATIENCE
        while any(map(runs, own)):
            assert time.monotonic() < end
            time.sleep(0.01)

    def url(self, name: str) -> str:
        """The URL of a database."""
        return f"postgresql://dohyo@/{name}?host={self._folder}"

    @contextmanager
    def database(self, encoding: str = "UTF8") -> Iterator[str]:
        """The URL of a new, empty database, which is gone afterwards."""
        name = f"store_{next(self._numbers)}"
        self._order(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0 LOCALE 'C'{self._copying}")
        yield self.url(name)
        self._order(f"DROP DATABASE {name} WITH (FORCE)")

    def copy(self, url: str, into: str, file: Path) -> None:
        """Copy a database into an empty one, as an operator does: by a file of `pg_dump`."""
        for words in (["pg_dump", "-Fc", "-f", str(file), url], ["pg_restore", "-d", into, str(file)]):
            subprocess.run([self._beside(words[0]), *words[1:]], check=True, capture_output=True, text=True)

    def _beside(self, name: str) -> str:
        return os.path.join(os.path.dirname(self._program), name)

    def _order(self, command: str) -> None:
        url = URL.create("postgresql+psycopg", "dohyo", database="postgres", query={"host": str(self._folder)})
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(command))
        engine.dispose()

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False, **self._as)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stdout + done.stderr


def _somebody() -> pwd.struct_passwd:
    """The user that Debian's packages made for the server, or nobody."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


@contextmanager
def running(program: str, settings: tuple[str, ...] = HASTE) -> Iterator[Server]:
    """A server until the block ends; its folder has a short name, because a socket's path has to be short."""
    folder = Path(tempfile.mkdtemp(prefix="dohyo-pg-"))
    try:
        server = Server(program, folder, settings)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
