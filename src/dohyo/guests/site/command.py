"""`dohyo serve`: the web server, and beside it the judge."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo.cli.asking import asks
from dohyo.cli.options import application as commands
from dohyo.cli.options import sandbox_for
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import Trust
from dohyo.guests.site.request import JUDGE, WEB, ServeRequest
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    import socket

    from dohyo.guests.site.arena.quota import Quota
    from dohyo.guests.site.edge.outside import Outside
    from dohyo.guests.site.folder import Lock, SiteFolder
    from dohyo.guests.site.judging.judge_process import JudgeProcess
    from dohyo.guests.site.people.provider import Client
    from dohyo.guests.site.upkeep.metrics import Metrics
    from dohyo.series.store.database import Database

app = commands()

NEEDED = ("argon2", "authlib", "jinja2", "litestar", "prometheus_client", "uvicorn")
PATIENCE = 3.0  # seconds for which somebody who asks waits for a database that does not answer
BUSY = 500  # connections at once: more are told to come again


class Serving(NamedTuple):
    """How the site is served: its address, the proxies that are believed, what is told about it, and its bounds."""

    place: Outside
    proxies: list[str]
    metrics: Metrics
    token: str
    tells_addresses: bool
    provider: Client | None
    quota: Quota
    signing_key: str  # of what organisers export; empty for none
    sandbox: str  # what the bots run in that people play against; empty where no program runs


EXAMPLES = """\b
Examples:
  dohyo serve arena
  dohyo serve arena --host 0.0.0.0
  dohyo serve arena --url https://club.example/arena

Alone it is for this computer. With --host 0.0.0.0 others on the network can open it: the addresses that they type
are printed."""


@asks(app, ServeRequest, epilog=EXAMPLES, usual="host port url invite")
def serve(asked: ServeRequest, trust: Trust = False, *, speaker: Speaker) -> None:
    """Run a contest site: bots are handed in, and climb a ladder."""
    from dohyo.executors.choice import elsewhere

    if not all(map(importlib.util.find_spec, NEEDED)):
        raise OperatorError("needs-web")
    if asked.only != WEB:  # which runs nobody's program
        sandbox_for(asked.sandbox, trust, speaker)
    (
        asked.proxies(),
        asked.metrics_token(),
        asked.signing_key(),
    )  # what is wrong with them is said before anything is begun
    elsewhere(asked.cluster, asked.keys, asked.plain_tcp)  # the same of these words
    from dohyo.guests.site.folder import SiteFolder

    site = SiteFolder(Path(asked.folder).absolute(), asked.store or "", _place(asked.files))
    site.files()  # an address that nobody knows is said before anything is made
    is_new = not site.home.exists()
    lock = site.take(shared=asked.only is not None)
    if lock is None:
        _beside(asked, site, speaker)
        return
    try:
        if asked.only == JUDGE:
            _judge(asked, site, speaker)
        else:
            _web(asked, site, lock, speaker)
    except OperatorError:
        site.leave(is_new)
        raise
    finally:
        lock.release()


def _place(files: str | None) -> str:
    """Where files are kept, if not in the folder: a folder with its whole path, or an address as it is."""
    return os.path.abspath(files) if files and "://" not in files else files or ""


def _judge(asked: ServeRequest, site: SiteFolder, speaker: Speaker) -> None:
    """Judge until a signal ends it."""
    import signal
    import threading

    from dohyo.guests.site.judging.relay import Relay
    from dohyo.guests.site.tables import open_site

    open_site(site.site).close()  # what is wrong with it is said at once
    ends = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ends.set())
    with _judge_process(asked, site), Relay(site):
        ends.wait()
    _tell_stopped(speaker)


def _judge_process(
    asked: ServeRequest, site: SiteFolder, on_restart: Callable[[], None] = lambda: None
) -> JudgeProcess:
    from dohyo.guests.site.judging.judge_process import JudgeProcess, Places

    places = Places(site.store, site.place, asked.cluster, asked.keys, asked.plain_tcp, asked.puzzles)
    return JudgeProcess(site, asked.sandbox, asked.workers, places, asked.builds, asked.log, on_restart)


def _web(asked: ServeRequest, site: SiteFolder, lock: Lock, speaker: Speaker) -> None:
    """Serve pages until a signal ends it, with a judge beside it if that is wanted."""
    from dohyo.guests.site.arena.quota import MEGABYTE, Quota
    from dohyo.guests.site.edge.outside import outside
    from dohyo.guests.site.judging.relay import Relay
    from dohyo.guests.site.people import accounts
    from dohyo.guests.site.people.provider import Client, read_provider
    from dohyo.guests.site.tables import open_site
    from dohyo.guests.site.upkeep import logs
    from dohyo.guests.site.upkeep.metrics import Metrics

    provider = None if asked.provider is None else read_provider(asked.provider)
    listening = _listen(asked.host, asked.port)
    database = open_site(site.site, PATIENCE)
    try:
        place = outside(asked.url, f"http://{_shown(asked.host)}:{listening.getsockname()[1]}")
        if asked.invite or not accounts.has_organiser(database):
            _tell(speaker.say("serve-organise", url=_invitation(database, place.url)))
        lock.tell(place.url)
        _tell(speaker.say("serve-runs", url=place.url))
        if asked.url is None:
            _tell_others(asked.host, listening.getsockname()[1], speaker)
        logs.begin(asked.log)
        metrics = Metrics()
        judge = _judge_process(asked, site, metrics.judge_restarts.inc) if asked.only is None else nullcontext()
        with judge, Relay(site), suppress(KeyboardInterrupt):
            by = None if provider is None else Client(provider, place.address("/sign-in/back"))
            proxies, token, key = asked.proxies(), asked.metrics_token(), asked.signing_key()
            quota = Quota(asked.quota * MEGABYTE, asked.versions)
            sandbox = "" if asked.only == WEB else asked.sandbox
            serving = Serving(place, proxies, metrics, token, asked.log_addresses, by, quota, key, sandbox)
            _serve(site, database, listening, serving)
        _tell_stopped(speaker)
    finally:
        database.close()
        listening.close()


def _beside(asked: ServeRequest, site: SiteFolder, speaker: Speaker) -> None:
    """Where a site runs in this folder already: only print another link, if that is wanted."""
    from dohyo.guests.site.tables import open_site

    if not asked.invite:
        raise OperatorError("serve-runs-already", folder=site.home)
    database = open_site(site.site)
    try:
        _tell(speaker.say("serve-organise", url=_invitation(database, asked.url or site.url())))
    finally:
        database.close()


def _invitation(database: Database, url: str) -> str:
    from dohyo.guests.site.people import accounts

    return f"{url.rstrip('/')}/organise/{accounts.invite(database)}"


def _listen(host: str, port: int) -> socket.socket:
    """The socket to listen at. Raises `OperatorError` where that cannot be."""
    import errno
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    one = socket.socket(family, socket.SOCK_STREAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if not host.strip():
            raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
        one.bind((host, port))
        one.listen(128)
    except (OSError, OverflowError, UnicodeError, TypeError) as error:
        one.close()
        raise OperatorError("serve-cannot-listen", host=host, port=port, reason=error) from error
    return one


def _shown(host: str) -> str:
    """How a browser on this machine names the address."""
    if host in ("0.0.0.0", "::", ""):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _tell_others(host: str, port: int, speaker: Speaker) -> None:
    """Say at which addresses others on the network reach the site, if they do."""
    from dohyo.guests.site.edge.own_addresses import own_addresses

    if found := own_addresses(host):
        _tell(speaker.say("serve-for-others", urls=speaker.listed(f"http://{each}:{port}" for each in found)))


def _serve(site: SiteFolder, database: Database, listening: socket.socket, serving: Serving) -> None:
    import threading

    import uvicorn

    from dohyo.guests.site.application import MAX_UPLOAD, application, compile_templates, refused
    from dohyo.guests.site.arena.opened import Arena
    from dohyo.guests.site.arena.sittings import Sittings
    from dohyo.guests.site.edge.asking import first_language
    from dohyo.guests.site.edge.outside import AtAddress
    from dohyo.guests.site.edge.patience import Patience, PatientProtocol
    from dohyo.guests.site.edge.senders import may_send_much
    from dohyo.guests.site.edge.text_socket import TextSocket
    from dohyo.guests.site.edge.timing import Timed
    from dohyo.guests.site.hooks.deliverer import Deliverer
    from dohyo.guests.site.upkeep.metrics import Measured

    arena = Arena(site.arena, site.frozen, site.arena_files(), PATIENCE)
    played = Sittings(site, database, serving.sandbox) if serving.sandbox else None
    given = site, database, arena, serving.place, serving.metrics, serving.token, serving.provider, serving.quota
    made: Any = application(*given, played, serving.signing_key)
    patient = Patience(
        made,
        partial(may_send_much, database),
        MAX_UPLOAD,
        lambda status, path, header: refused(status, path, Speaker(first_language(header)), serving.place.base),
    )
    config = uvicorn.Config(
        Timed(AtAddress(Measured(patient, serving.metrics, serving.tells_addresses), serving.place)),
        http=PatientProtocol,
        ws=TextSocket,
        log_level="critical",  # what breaks, the application writes to the log itself
        access_log=False,
        limit_concurrency=BUSY,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=bool(serving.proxies),
        forwarded_allow_ips=serving.proxies,
    )
    try:
        threading.Thread(target=compile_templates, args=(made,), daemon=True).start()
        with Deliverer(database, arena):
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        if played is not None:
            played.close()
        arena.close()


def _tell_stopped(speaker: Speaker) -> None:
    """Say that it has ended, and that all is kept; whoever read along may be gone already."""
    with suppress(OSError, ValueError):
        os.write(sys.stdout.fileno(), (speaker.say("serve-stopped") + "\n").encode("utf-8", "replace"))


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
