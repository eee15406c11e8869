"""Where bots connect that stay at home, and what an author reads of that."""

from __future__ import annotations

from typing import Any

from litestar import Response, WebSocket, get, websocket

from dohyo.guests.site.arena import distant, ladders
from dohyo.guests.site.distant.switchboard import Switchboard
from dohyo.guests.site.distant.wire import PATH
from dohyo.guests.site.edge.asking import Asking, place_of
from dohyo.guests.site.edge.text_socket import EXTENSION


@websocket(PATH)
async def connect(socket: WebSocket[Any, Any, Any]) -> None:
    """A bot connects: the switchboard has its connection until it is over."""
    switchboard: Switchboard = socket.app.state.switchboard
    client = socket.client
    origin = place_of(None if client is None else client.host)
    extensions: Any = socket.scope["extensions"]
    await switchboard.greet(extensions[EXTENSION], origin, socket.accept)


@get("/ladders/{slug:str}/at-home", sync_to_thread=True)
def show_at_home(ask: Asking, slug: str) -> Response[Any]:
    """How a bot plays in a ladder that stays at home, and which ones do."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None or not ladder.distant:
        return ask.nothing()
    return ask.page("at-home", ladder=ladder, bots=at_home(ask, ladder), token=bool(ask.person))


def at_home(ask: Asking, ladder: ladders.Ladder) -> dict[str, bool]:
    """The bots of a ladder that stay at home, by name: whether each is connected now."""
    there = {*ask.request.app.state.switchboard.there}
    return {name: number in there for number, name in distant.of_ladder(ask.database, ladder).items()}


HANDLERS = [connect, show_at_home]
