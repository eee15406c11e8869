"""`dohyo login`, `submit`, `status`, `pull`: a contest site from the command line."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.guests.site_client.client import Client
    from dohyo.guests.site_client.values import ExaminedHandIn, SiteHandIn, SiteStanding

login_app, submit_app, status_app, pull_app = (application() for _ in range(4))

LONGEST_TOKEN = 1000  # characters that are read for one
LOOK, LONGEST_LOOK = 1.0, 5.0  # seconds between two looks at a hand-in
LONGEST_WAIT = 3600.0  # seconds for the judge
LONGEST_SLUG = 100
SHOWN = 50  # hand-ins
NAMED = 20  # ladders that a sentence names
PAGE, PAGES = 100, 10  # ladders at a time that are looked through, and how often
UNKNOWN = 3  # exit status: it was handed in, and what became of it is not known
RATED = 20  # bots whose standing is asked for
MAX_REPLAY = 64 << 20
MAX_ID = (1 << 31) - 1

Ladder = Annotated[
    str, says("The ladder, by its name in the site's addresses.", "LADDER", is_bare=True, pattern="^[a-z0-9-]*$")
]


@asks(login_app)
def login(
    url: Annotated[str, says("The site's address: https://...", "URL", is_bare=True)],
    plain_http: Annotated[bool, says("Allow http: others on the way can read the token, and use it.")] = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Sign in to a contest site with a token.

    It is for submit, status, pull and connect.
    """
    from dohyo.guests.site_client import login as logins
    from dohyo.guests.site_client import telling
    from dohyo.guests.site_client.client import Client
    from dohyo.guests.site_client.values import Me

    site = logins.address_of(url, plain_http)
    found = logins.Login(site, logins.token_of(_typed(speaker, site)))
    me = Client(found, speaker.language).get("/me", Me)
    logins.keep(found)
    if as_json:
        token = {"name": me.token.name, "scopes": me.token.scopes[:10], "until": me.token.until}
        sys.stdout.write(clean.document({"site": site, "name": me.name, "token": token}))
        return
    until = datetime.fromtimestamp(min(max(me.token.until, 0), 2.0**36), UTC).date()
    may = speaker.listed(telling.scope(each, speaker) for each in me.token.scopes[:10])
    _tell(speaker.say("site-signed-in", site=site, name=me.name, token=me.token.name, may=may, until=until))


def _typed(speaker: Speaker, site: str) -> str:
    """The token: asked for at a terminal, and not shown there; otherwise the line that is piped in."""
    if sys.stdin is None:
        raise OperatorError("site-no-token")
    if sys.stdin.isatty():
        import getpass

        try:
            return getpass.getpass(speaker.say("site-paste", page=f"{site}/tokens") + " ")
        except EOFError as error:
            raise OperatorError("site-no-token") from error
    return sys.stdin.readline(LONGEST_TOKEN)


@asks(submit_app)
def submit(
    path: Annotated[str, says("The bot: a file, a folder or a zip.", "PATH", is_bare=True)],
    ladder: Ladder,
    name: Annotated[str | None, says("What the bot is called there. Without it: as the file.", "NAME")] = None,
    word: Annotated[str | None, says("The word of a contest that is entered by one.", "WORD")] = None,
    no_wait: Annotated[bool, says("Do not wait for its check.")] = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Hand in a bot to a contest site, and tell what its check found.

    Exit status 0: it plays (or, with --no-wait, it was handed in); 1: it was refused; 2: it was not handed in; 3: it
    was handed in, and what became of it is not known here.
    """
    from dohyo.guests.site_client.packing import packed
    from dohyo.guests.site_client.telling import outcome
    from dohyo.guests.site_client.values import ExaminedHandIn, SiteHandIn
    from dohyo.match.hand_in_names import received_name

    client, site = _client(speaker)
    own, filename, content = packed(path)
    filename = received_name(filename)
    called = own if name is None else name
    try:
        made = client.hand_in(ladder, called, filename, content, SiteHandIn, word or "")
    except OperatorError as error:
        if error.key != "site-nothing-there":
            raise
        raise _no_ladder(client, site, ladder) from error
    page = f"{site}/hand-ins/{made.id}"
    if not as_json:
        _tell(speaker.say("site-handed-in", bot=made.bot, version=made.version, page=page))
    try:
        found = made if no_wait else _awaited(client, made.id)
    except OperatorError as error:  # it is handed in, whatever has become of the way to the site
        if as_json:
            _tell_document(made, page=page, error=error.say(speaker))
        else:
            _tell(error.say(speaker))
            _tell(speaker.say("site-is-there", bot=made.bot))
        raise typer.Exit(UNKNOWN) from error
    if as_json:
        _tell_document(found, page=page)
    elif isinstance(found, ExaminedHandIn):
        for line in outcome(found, speaker):
            _tell(line)
    if found.state == "refused" and not no_wait:
        raise typer.Exit(1)


def _no_ladder(client: Client, site: str, ladder: str) -> OperatorError:
    """That there is no such ladder for this person, and which there are."""
    from dohyo.core.spelling import closest
    from dohyo.guests.site_client.values import SiteLadders

    known: list[str] = []
    after: int | None = 0
    for _ in range(PAGES):
        page = client.get(f"/ladders?limit={PAGE}&after={after}", SiteLadders)
        known += [clean.line(one.slug, LONGEST_SLUG) for one in page.items[:PAGE]]
        if (after := page.next) is None:
            break
    if not known:
        return OperatorError("site-no-ladders", site=site, given=ladder)
    near = closest(ladder, known)
    first = [*([near] if near else []), *(name for name in known if name != near)]
    return OperatorError("site-no-ladder", site=site, given=ladder, known=", ".join(first[:NAMED]))


def _awaited(client: Client, number: int) -> ExaminedHandIn:
    """A hand-in, once it is examined. Raises `OperatorError` if that takes too long."""
    from dohyo.guests.site_client.client import BusyError
    from dohyo.guests.site_client.values import ExaminedHandIn

    end, pause = monotonic() + LONGEST_WAIT, LOOK
    while monotonic() < end:
        try:
            found = client.get(f"/hand-ins/{number}", ExaminedHandIn)
            if found.state not in ("waiting", "checking"):
                return found
            seconds = pause
        except BusyError as busy:  # a site that starts again, or is asked too often
            seconds = busy.seconds
        sleep(seconds)
        pause = min(pause * 1.2, LONGEST_LOOK)
    raise OperatorError("site-waits-long")


@asks(status_app)
def status(as_json: AsJson = False, *, speaker: Speaker) -> None:
    """Tell how your bots on a contest site stand."""
    from dohyo.guests.site_client.telling import standing, state
    from dohyo.guests.site_client.values import SiteHandIns

    client, site = _client(speaker)
    newest: dict[tuple[str, str], SiteHandIn] = {}
    for one in client.get(f"/hand-ins?limit={SHOWN}", SiteHandIns).items[:SHOWN]:
        newest.setdefault((one.ladder, one.bot), one)
    stands: list[tuple[SiteHandIn, SiteStanding | None]] = []
    if not newest and not as_json:
        _tell(speaker.say("site-nothing-yet", site=site))
    for at, ((ladder, bot), one) in enumerate(newest.items()):
        is_rated = one.state in ("entered", "refused", "replaced") and at < RATED
        stands.append((one, _standing(client, ladder, bot) if is_rated else None))
        if not as_json:
            told = state(one.state, speaker, bot=bot, ladder=ladder, why=one.disqualified)
            _tell(speaker.say("site-version", version=one.version, told=told))
            if (found := stands[-1][1]) is not None and found.place is not None:
                _tell("  " + standing(found, speaker))
    if as_json:
        bots = [{**msgspec.to_builtins(one), "standing": msgspec.to_builtins(found)} for one, found in stands]
        sys.stdout.write(clean.document({"site": site, "bots": bots}))


def _standing(client: Client, ladder: str, bot: str) -> SiteStanding | None:
    """How a bot stands; none if it never played, or this token may not read."""
    from urllib.parse import quote

    from dohyo.guests.site_client.values import SiteStanding

    place = f"/ladders/{quote(ladder[:LONGEST_SLUG], safe='')}/bots/{quote(bot[:LONGEST_SLUG], safe='')}"
    try:
        return client.get(place, SiteStanding)
    except OperatorError as error:
        if error.key not in ("site-nothing-there", "site-refuses"):
            raise
        return None


def _tell_document(found: SiteHandIn, **more: object) -> None:
    sys.stdout.write(clean.document({**msgspec.to_builtins(found), **more}))


@asks(pull_app)
def pull(
    match: Annotated[str, says("The match: LADDER/NUMBER, or its page's address.", "MATCH", is_bare=True)],
    save: Annotated[str | None, says("Where to write it. Without it: LADDER-NUMBER.replay, here.", "FILE")] = None,
    force: Annotated[bool, says("Overwrite a file that is no replay.")] = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Fetch the replay of a match from a contest site."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.core.replay_format import decode
    from dohyo.match.files import write_whole

    client, site = _client(speaker)
    there, name = _place_of(match, site)
    target = save if save is not None else f"{name}.replay"
    check_outputs([("--save", target)], force)
    content = client.fetch(f"{there}/replay", MAX_REPLAY)
    replay = decode(content)  # or it is none
    write_whole(target, content)
    if as_json:
        header = replay.header
        told = {"file": target, "game": header.game, "seats": [seat.name for seat in header.seats]}
        sys.stdout.write(clean.document({"site": site, **told}))
        return
    names = ", ".join(seat.name for seat in replay.header.seats)
    _tell(speaker.say("site-pulled", path=target, names=names))


def _place_of(match: str, site: str) -> tuple[str, str]:
    """The path of a match among the site's calls, and a name for a file. Raises `OperatorError` for what is none."""
    told = match.strip()
    if "://" in told:
        if not told.startswith(f"{site}/"):
            raise OperatorError("site-another", site=site, given=match)
        told = told.removeprefix(f"{site}/")
    if (found := re.fullmatch(r"hand-ins/([0-9]{1,10})", told)) and int(found[1]) <= MAX_ID:
        return f"/hand-ins/{found[1]}", f"hand-in-{found[1]}"
    found = re.fullmatch(r"(?:ladders/)?([a-z0-9-]{1,100})/(?:matches/)?([0-9]{1,10})", told)
    if found is None or int(found[2]) > MAX_ID:
        raise OperatorError("site-no-match", given=match)
    return f"/ladders/{found[1]}/matches/{found[2]}", f"{found[1]}-{found[2]}"


def _client(speaker: Speaker) -> tuple[Client, str]:
    """Whoever asks the site that is meant, and its address."""
    from dohyo.guests.site_client.client import Client
    from dohyo.guests.site_client.login import known

    found = known()
    return Client(found, speaker.language), found.site


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
