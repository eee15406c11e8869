"""What can be asked of a site when it is started."""

import os
from typing import Annotated

from dohyo.core.asked import Request, says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import STRICT, ClusterAddress, ContestSandbox, Keys, PlainTcp, Workers
from dohyo.guests.site.secret_files import read_secret

WEB, JUDGE = "web", "judge"
TEXT, JSON = "text", "json"  # forms of the log
PARTS = (WEB, JUDGE)
# Headings of options.
REACHED, KEPT, PARTS_OF_IT, LOGS = "How it is reached", "What is kept", "Parts of it", "Logs and figures"


class ServeRequest(Request, kw_only=True):
    """Run a contest site."""

    folder: Annotated[
        str, says("Where the site is kept. Without it: the current folder.", "FOLDER", is_bare=True)
    ] = "."
    host: Annotated[str, says("The address to listen at; 0.0.0.0: all of this machine.", "HOST", group=REACHED)] = (
        "127.0.0.1"
    )
    port: Annotated[int, says("Where it listens; 0 takes any.", "PORT", at_least=0, at_most=65535, group=REACHED)] = (
        8080
    )
    url: Annotated[
        str | None,
        says(
            "How browsers reach it, if a proxy stands before it: https://..., perhaps with a path.",
            "URL",
            takes='"https://..."',
            longest=500,
            pattern=r"^https?://[^\s/?#@]+(/[A-Za-z0-9._~-]+)*/?$",
            group=REACHED,
        ),
    ] = None
    proxy: Annotated[
        list[str],
        says(
            "Which proxy is believed when it says where a visitor comes from: its address or network; may be"
            " repeated. Without it: one on this machine.",
            "ADDRESS",
            group=REACHED,
        ),
    ] = []
    workers: Workers = None
    cluster: ClusterAddress = None
    keys: Keys = None
    plain_tcp: PlainTcp = False
    sandbox: ContestSandbox = STRICT
    store: Annotated[
        str | None,
        says(
            "Accounts and results in PostgreSQL. Without it: SQLite in the folder.",
            "URL",
            takes='"postgresql://..."',
            longest=1000,
            pattern=r"^postgres(ql)?(\+psycopg)?://.*$",
            group=KEPT,
        ),
    ] = None
    files: Annotated[
        str | None,
        says(
            "Where hand-ins and replays are kept: a folder, or s3://BUCKET/NAME. Without it: in the folder.",
            "PLACE",
            longest=1000,
            group=KEPT,
        ),
    ] = None
    only: Annotated[
        str | None,
        says("Run this part alone, beside others of the same site.", one_of=PARTS, group=PARTS_OF_IT),
    ] = None
    puzzles: Annotated[
        bool,
        says(
            "Whether the judge looks for puzzles in ladders' matches where nothing else is to be done.",
            option="--puzzles/--no-puzzles",
            group=PARTS_OF_IT,
        ),
    ] = True
    builds: Annotated[
        int,
        says(
            "How many GB of built bots are kept; what was not used for longest goes first.",
            "GB",
            at_least=1,
            at_most=1_000_000,
            group=KEPT,
        ),
    ] = 10
    quota: Annotated[
        int,
        says(
            "How many MB of hand-ins one person may keep; authors delete old versions themselves.",
            "MB",
            at_least=1,
            at_most=1_000_000,
            group=KEPT,
        ),
    ] = 500
    versions: Annotated[
        int,
        says("How many hand-ins one person may keep.", "N", at_least=1, at_most=1_000_000, group=KEPT),
    ] = 1000
    provider: Annotated[
        str | None,
        says("Who else signs people in, by OpenID Connect: a file of TOML that names it.", "FILE", group=PARTS_OF_IT),
    ] = None
    sign: Annotated[
        str | None,
        says(
            "A secret key of 'minisign' without a password: bundles that organisers download are signed with it.",
            "KEY",
            group=PARTS_OF_IT,
        ),
    ] = None
    log: Annotated[
        str,
        says(
            "What standard error says: text, what is wrong; json, each request as well.",
            one_of=(TEXT, JSON),
            group=LOGS,
        ),
    ] = TEXT
    log_addresses: Annotated[bool, says("Say in --log json where each request comes from.", group=LOGS)] = False
    metrics: Annotated[
        str | None,
        says(
            "A file with a token: who has it may read /metrics from elsewhere. Without it: this machine alone.",
            "FILE",
            group=LOGS,
        ),
    ] = None
    invite: Annotated[bool, says("Print a new link that makes somebody an organiser.")] = False

    def proxies(self) -> list[str]:
        """The proxies that are believed, none without a proxy. Raises `OperatorError` for what is no address."""
        import ipaddress

        for given in self.proxy:
            try:
                ipaddress.ip_network(given)
            except ValueError as error:
                raise OperatorError("serve-proxy-bad", given=given) from error
        return self.proxy or (["127.0.0.1", "::1"] if self.url else [])

    def signing_key(self) -> str:
        """The whole path of the key, empty without one. Raises `OperatorError` for a file that cannot be read."""
        if self.sign is None:
            return ""
        try:
            with open(self.sign, "rb"):
                return os.path.abspath(self.sign)
        except OSError as error:
            raise OperatorError("cannot-read", path=self.sign, reason=error) from error

    def metrics_token(self) -> str:
        """What the file for figures holds; empty without one. Raises `OperatorError` for a file that has none."""
        return "" if self.metrics is None else read_secret(self.metrics)
