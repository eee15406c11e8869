"""`dohyo connect`: a bot plays on a contest site, and stays on this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application, sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import Interpreter, SandboxWord, Trust
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.core.faults import Fault
    from dohyo.guests.site_client.connecting.coming_back import Events
    from dohyo.guests.site_client.connecting.wire import End, Start, Welcome
    from dohyo.guests.site_client.login import Login

app = application()

MAX_AT_ONCE = 8
EXAMPLES = """\b
Examples:
  dohyo connect othello mybot.py
  dohyo connect othello "python -m mybot --gpu" --name Deep --at-once 4
  dohyo connect --server https://contest.example --token dohyo_... othello mybot.py

The site's ladder has to take bots that stay at home. 'dohyo help docs/connect.md' has more."""


@asks(app, epilog=EXAMPLES, usual="name matches at_once")
def connect(
    ladder: Annotated[
        str, says("The ladder, by its name in the site's addresses: often the game.", "GAME", is_bare=True)
    ],
    bot: Annotated[str, says("The bot: as for 'dohyo play'.", "BOT", is_bare=True)],
    server: Annotated[str | None, says("The site. Without it: where you are signed in.", "URL")] = None,
    token: Annotated[
        str | None, says("A token that may play. Without it: of 'dohyo login'. Others here may see it.", "TOKEN")
    ] = None,
    name: Annotated[str | None, says("What the bot is called there. Without it: as here.", "NAME")] = None,
    at_once: Annotated[int, says("In how many matches it plays at once.", "N", at_least=1, at_most=MAX_AT_ONCE)] = 1,
    matches: Annotated[int | None, says("End after so many. Without it: at Ctrl-C.", "N", at_least=1)] = None,
    plain_http: Annotated[bool, says("Allow http: others on the way can read the token, and use it.")] = False,
    python: Interpreter = None,
    sandbox: SandboxWord = "auto",
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> None:
    """Let a bot play on a contest site, and stay on this machine."""
    from dohyo import games
    from dohyo.guests.site_client.connecting.coming_back import Connection, Playing, Who, greeted
    from dohyo.guests.site_client.connecting.socket import LostError
    from dohyo.match.found_bots import find_named

    login = _login(server, token, plain_http)
    box = sandbox_for(sandbox, trust, speaker)
    called = name or _name_of(bot)
    who = Who(login, ladder, called, at_once)
    try:
        probe, welcome = greeted(who, 0)
    except LostError as lost:
        raise OperatorError("site-unreachable", site=login.site, reason=clean.line(lost.reason)) from lost
    probe.leave()
    game = games.find(clean.line(welcome.game))
    (found,) = find_named(game, [bot], python, box)
    if found.kind:
        raise OperatorError("site-connect-kind", bot=bot, kind=found.kind)
    connection = Connection(who, Playing(game, found, box), _events(speaker, who.login.site), matches)
    try:
        connection.keep()
    except KeyboardInterrupt:
        _tell(speaker.say("site-left", site=login.site))
        raise


def _login(server: str | None, token: str | None, plain_http: bool) -> Login:
    """The site and the token that are meant. Raises `OperatorError`."""
    from dohyo.guests.site_client import login as logins

    if server is not None and token is not None:
        return logins.Login(logins.address_of(server, plain_http), logins.token_of(token))
    if token is not None:
        raise OperatorError("site-token-alone")
    known = logins.known()
    if server is not None and logins.address_of(server, plain_http) != known.site:
        raise OperatorError("site-another", given=server, site=known.site)
    return known


def _name_of(bot: str) -> str:
    """What a bot is called that was typed so."""
    import os

    from dohyo.bots.typed_words import named

    found = named(bot)
    if found.name:
        return found.name
    first = found.text.split()[0] if found.text.split() else bot
    return os.path.splitext(os.path.basename(first.rstrip("/")))[0]


def _events(speaker: Speaker, site: str) -> Events:
    from dohyo.guests.site_client.connecting.coming_back import Events

    def connected(welcome: Welcome) -> None:
        bot, ladder = clean.line(welcome.bot), clean.line(welcome.ladder)
        _tell(speaker.say("site-connected", bot=bot, ladder=ladder, site=site))

    def lost(reason: str) -> None:
        _tell(speaker.say("site-lost", site=site, reason=clean.line(reason)[:200] or "?"))

    def started(start: Start) -> None:
        _tell(speaker.say("site-match-begins", match=clean.line(start.match), seat=start.seat))

    def ended(start: Start, end: End) -> None:
        match = clean.line(end.match)
        if end.void:
            _tell(speaker.say("site-match-void", match=match))
        elif end.stopped:
            _tell(speaker.say("site-match-stopped", match=match, why=clean.line(end.stopped)[:500]))
        else:
            place = end.places[start.seat] if start.seat < len(end.places) else "?"
            _tell(speaker.say("site-match-over", match=match, place=place, count=start.seats))

    def failed(what: Fault | OperatorError) -> None:
        said = what.say(speaker) if isinstance(what, OperatorError) else speaker.say_any(what.told)
        _tell(speaker.say("site-bot-failed", said=clean.line(said)))

    return Events(connected, lost, started, ended, failed)


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
