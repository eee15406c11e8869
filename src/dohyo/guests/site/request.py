"""What can be asked of a site when it is started."""

from typing import Annotated

from dohyo.core.asked import Request, says
from dohyo.core.request_fields import STRICT, ContestSandbox, Workers

WEB, JUDGE = "web", "judge"
PARTS = (WEB, JUDGE)


class ServeRequest(Request, kw_only=True):
    """Run a contest site."""

    folder: Annotated[
        str, says("Where the site is kept. Without it: the current folder.", "FOLDER", is_bare=True)
    ] = "."
    host: Annotated[str, says("The address to listen at; 0.0.0.0: all of this machine.", "HOST")] = "127.0.0.1"
    port: Annotated[int, says("Where it listens; 0 takes any.", "PORT", at_least=0, at_most=65535)] = 8080
    url: Annotated[
        str | None,
        says(
            "How browsers reach it, if a proxy stands before it: https://...",
            "URL",
            takes='"https://..."',
            longest=500,
            pattern=r"^https?://[^\s/]+(/\S*)?$",
        ),
    ] = None
    workers: Workers = None
    sandbox: ContestSandbox = STRICT
    store: Annotated[
        str | None,
        says(
            "Accounts and results in PostgreSQL. Without it: SQLite in the folder.",
            "URL",
            takes='"postgresql://..."',
            longest=1000,
            pattern=r"^postgres(ql)?(\+psycopg)?://.*$",
        ),
    ] = None
    files: Annotated[
        str | None,
        says(
            "Where hand-ins and replays are kept. Without it: in the folder.",
            "PLACE",
            longest=1000,
        ),
    ] = None
    only: Annotated[
        str | None,
        says("Run this part alone, beside others of the same site.", one_of=PARTS),
    ] = None
    invite: Annotated[bool, says("Print a new link that makes somebody an organiser.")] = False
