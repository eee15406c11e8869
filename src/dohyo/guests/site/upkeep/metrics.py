"""Figures about a running site, in the form that Prometheus reads. No name, address or title is in them."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Iterator
from time import perf_counter
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from dohyo.guests.site import tables
from dohyo.guests.site.arena import judges
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.upkeep import logs
from dohyo.series.store.database import Database

WAITING = ("waiting", "examined")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

Message = Any
Application = Callable[[Any, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


class Metrics:
    """What is counted while the server runs."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("dohyo_requests", "Requests that were answered.", ["status"], registry=self.registry)
        self.seconds = Histogram(
            "dohyo_request_seconds", "Until an answer began.", buckets=BOUNDS, registry=self.registry
        )
        self.judge_restarts = Counter(
            "dohyo_judge_restarts", "How often the judge has ended and was started again.", registry=self.registry
        )

    def page(self) -> bytes:
        """All figures at this moment."""
        return generate_latest(self.registry)


class SiteFigures(Collector):
    """What is read from the site when somebody asks."""

    def __init__(self, site: SiteFolder, database: Database, arena: Arena) -> None:
        self._site, self._database, self._arena = site, database, arena

    def collect(self) -> Iterator[Metric]:
        """The figures at this moment."""
        hand_ins = tables.hand_ins
        asked = select(hand_ins.c.state, func.count()).group_by(hand_ins.c.state)
        states = dict(self._database.read(lambda connection: list(connection.execute(asked).tuples())))
        waiting = sum(states.pop(state, 0) for state in WAITING)
        yield GaugeMetricFamily("dohyo_hand_ins_waiting", "Hand-ins that wait for the judge.", waiting)
        checks = CounterMetricFamily(
            "dohyo_checks", "Hand-ins that were checked, by what came of it.", labels=["end"]
        )
        for state, count in sorted(states.items()):
            checks.add_metric([state], count)
        yield checks
        yield CounterMetricFamily("dohyo_matches", "Matches that were played in ladders.", self._matches())
        yield GaugeMetricFamily("dohyo_judges", "Judges that live.", len(judges.living(self._database)))
        seen = select(func.coalesce(func.max(tables.judges.c.seen), 0.0))
        last = self._database.read(lambda connection: connection.execute(seen).scalar_one())
        yield GaugeMetricFamily("dohyo_judge_seen_timestamp_seconds", "The last sign of life of a judge.", last)
        disk = shutil.disk_usage(self._site.home)
        yield GaugeMetricFamily("dohyo_disk_free_bytes", "Room on the disk of the site.", disk.free)
        yield GaugeMetricFamily("dohyo_disk_bytes", "The disk of the site.", disk.total)

    def _matches(self) -> int:
        with self._arena.opened() as store:
            if store is None:
                return 0
            return sum(store.count_played(contest.id) for contest in store.contests())


class Measured:
    """Wraps an application: counts its requests and the time until each answer begins, and notes them in the log."""

    def __init__(self, app: Application, metrics: Metrics, tells_addresses: bool) -> None:
        self._app, self._metrics, self._tells_addresses = app, metrics, tells_addresses

    async def __call__(
        self, scope: Any, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(scope, message["status"], perf_counter() - begun)
            await send(message)

        await self._app(scope, receive, counted)

    def _note(self, scope: Any, status: int, seconds: float) -> None:
        self._metrics.requests.labels(str(status)).inc()
        self._metrics.seconds.observe(seconds)
        method = scope["method"] if scope["method"] in METHODS else "other"
        client = scope.get("client")
        address = client[0] if self._tells_addresses and client else None
        logs.asked(method, scope.get("path_template") or "", status, seconds, address)
