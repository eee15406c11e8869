"""How long the server took for each answer: in the header `Server-Timing`, which browsers show."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from dohyo.guests.site.edge.patience import Application, Message, Receive, Scope, Send


class Timed:
    """Wraps an application: its answers say how many milliseconds passed from a request to the answer's beginning.

    Whole milliseconds: finer ones would tell what is kept in memory, and is nobody's business.
    """

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        begun = perf_counter()

        async def timed(message: Message) -> None:
            if message["type"] == "http.response.start":
                took = f"app;dur={round(1000 * (perf_counter() - begun))}".encode()
                headers: list[Any] = [*message.get("headers", ()), (b"server-timing", took)]
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, timed if scope["type"] == "http" else send)
