"""The database of a site: who takes part, ladders, hand-ins. Results are in the store, which is another file.

Times are seconds since 1970 (UTC), digests SHA-256 in hex. A secret (of a session, an invitation) is here as its
digest alone, so that who reads the database can use none. The digest of a file stands in a column of its own: a file
that no column holds is removed after some days. Whoever changes a table writes a step besides (`steps/`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Index, MetaData, Table, UniqueConstraint, insert

from dohyo.guests.site.database import reach
from dohyo.guests.site.steps.upgrade import prepare
from dohyo.series.store.columns import Moment, Whole, Words
from dohyo.series.store.database import PATIENCE, Database
from dohyo.series.store.opening import write_ahead

METADATA = MetaData()
MAX_NUMBER = (1 << 31) - 1  # of a row or a match: what databases take

# `secret`, with which forms are signed.
settings = Table(
    "settings", METADATA, Column("name", Words(), primary_key=True), Column("value", Words(), nullable=False)
)

# `key` is the name as names are compared; `role` is author or organiser; `closed` is 1 for who may not sign in.
people = Table(
    "people",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("name", Words(), nullable=False),
    Column("key", Words(), nullable=False, unique=True),
    Column("password", Words(), nullable=False),
    Column("role", Words(), nullable=False),
    Column("since", Moment(), nullable=False),
    Column("closed", Whole(), nullable=False, server_default="0"),
)

# `browser` is what it calls itself, for who looks at his sessions.
sessions = Table(
    "sessions",
    METADATA,
    Column("digest", Words(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("until", Moment(), nullable=False),
    Column("since", Moment(), nullable=False),
    Column("browser", Words(), nullable=False),
)

# Links that make whoever opens them an organiser, once.
invitations = Table(
    "invitations",
    METADATA,
    Column("digest", Words(), primary_key=True),
    Column("until", Moment(), nullable=False),
)

# What was tried, by whom: so that it can be limited, also across restarts.
attempts = Table(
    "attempts",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("what", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Index("attempts_by_what", "what", "at"),
)

# `slug` names a ladder in addresses, and is its contest's name in the store. From the moment `frozen` on what is
# reached later is hidden, until it is `revealed` (`arena/sight.py`); a `retired` ladder is kept, and not played.
ladders = Table(
    "ladders",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("slug", Words(), nullable=False, unique=True),
    Column("title", Words(), nullable=False),
    Column("game", Words(), nullable=False),
    Column("by", Whole(), ForeignKey("people.id"), nullable=False),
    Column("since", Moment(), nullable=False),
    Column("trouble", Words(), nullable=False),  # why it is not played; empty if it is
    Column("frozen", Moment(nullable=True)),
    Column("revealed", Moment(nullable=True)),
    Column("retired", Moment(nullable=True)),
    Column("group", Whole(nullable=True), ForeignKey("groups.id")),  # the class that it is for; none: for everybody
    Column("pseudonyms", Whole(), nullable=False, server_default="0"),  # 1: authors' names are not told
    Column("terms", Words(nullable=True)),  # as JSON (`arena/terms.py`); none of a ladder that plays the usual
    Column("distant", Whole(), nullable=False, server_default="0"),  # 1: bots that stay at home play here, too
)

# A bot's name in a ladder belongs to whoever used it first; `house` is 1 for the sample bots, which are nobody's.
# `plays` is the version that plays, 0 for none. `distant` is 1 for one that stays at home: it has no hand-ins.
bots = Table(
    "bots",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("ladder", Whole(), ForeignKey("ladders.id"), nullable=False),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("name", Words(), nullable=False),
    Column("key", Words(), nullable=False),
    Column("house", Whole(), nullable=False, server_default="0"),
    Column("plays", Whole(), nullable=False, server_default="0"),
    Column("distant", Whole(), nullable=False, server_default="0"),
    UniqueConstraint("ladder", "key"),
    Index("bots_by_person", "person", "ladder"),
)

# `file` is what was handed in, among the site's files, and `filename` what it was called. `state` is waiting,
# examined by the judge now, refused, or entered; `found` is what the judge found (`examine.Examined`), as JSON.
# `ticket` is of the request that handed it in: one that is repeated makes no second. `judge` had it last (`judges`).
# `digest` is that of its bot in the store, empty before it was entered there. `size` is that of the file in bytes, of
# a version that plays what it has unpacked, if that is more; none where it was not measured yet, of an older site.
# Where `file` is empty, the author has deleted it.
hand_ins = Table(
    "hand_ins",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("bot", Whole(), ForeignKey("bots.id"), nullable=False),
    Column("version", Whole(), nullable=False),
    Column("filename", Words(), nullable=False),
    Column("file", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Column("state", Words(), nullable=False),
    Column("found", Words(), nullable=False),
    Column("digest", Words(), nullable=False, server_default=""),
    Column("replay", Words(nullable=True)),
    Column("done", Moment(nullable=True)),
    Column("ticket", Words(), nullable=False, unique=True),
    Column("judge", Words(nullable=True)),
    Column("size", Whole(nullable=True)),
    UniqueConstraint("bot", "version"),
    Index("hand_ins_by_state", "state", "id"),
)

# What organisers did, and never changed: `what` is the end of the key of a sentence, `about` its values as JSON.
audits = Table(
    "audits",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("at", Moment(), nullable=False),
    Column("person", Words(), nullable=False),  # the name, which stays when an account goes
    Column("what", Words(), nullable=False),
    Column("ladder", Words(), nullable=False),  # its name in addresses; empty if it is about none
    Column("about", Words(), nullable=False),
    Index("audits_by_ladder", "ladder", "id"),
)

# Pieces of files of the folder `live` that other machines' folders need, for two minutes (`judging/relay.py`).
live = Table(
    "live",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("folder", Words(), nullable=False),
    Column("name", Words(), nullable=False),
    Column("begins", Whole(), nullable=False),
    Column("text", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    sqlite_autoincrement=True,  # who has read up to a number waits for higher ones
)

# The judges of the site, on whatever machine, and when each was last heard of, by the database's clock.
judges = Table(
    "judges",
    METADATA,
    Column("name", Words(), primary_key=True),
    Column("host", Words(), nullable=False),
    Column("seen", Moment(), nullable=False),
)
# Who may enter a contest that is not for everybody: names on its list, and of those who knew its word. `key` is the
# name as names are compared: on a list it may be there before its account.
entries = Table(
    "entries",
    METADATA,
    Column("ladder", Whole(), ForeignKey("ladders.id"), primary_key=True),
    Column("key", Words(), primary_key=True),
    Column("name", Words(), nullable=False),
)

# Links by which somebody who has forgotten the password chooses another one, once.
resets = Table(
    "resets",
    METADATA,
    Column("digest", Words(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("until", Moment(), nullable=False),
)

# A class: students whom an organiser has brought together. `file` is the gradebook that was imported last, among the
# site's files, and `draft` one that was looked at and not taken yet; empty: none.
groups = Table(
    "groups",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("title", Words(), nullable=False),
    Column("by", Whole(), ForeignKey("people.id"), nullable=False),
    Column("since", Moment(), nullable=False),
    Column("file", Words(), nullable=False),
    Column("draft", Words(), nullable=False),
)

# A student of a class, as its gradebook says: `ident` is his number there. `person` is his account, once he has one
# here, `link` the digest of his link to get one, and `language` the one in which he followed it.
students = Table(
    "students",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("group", Whole(), ForeignKey("groups.id"), nullable=False),
    Column("name", Words(), nullable=False),
    Column("mail", Words(), nullable=False),
    Column("ident", Words(), nullable=False),
    Column("person", Whole(nullable=True), ForeignKey("people.id")),
    Column("language", Words(), nullable=False),
    Column("link", Words(nullable=True), unique=True),
    Column("until", Moment(nullable=True)),
    UniqueConstraint("group", "person"),
    Index("students_by_person", "person"),
)

# Which hand-ins of a ladder are alike: `state` is waiting, done or broken, and `file` what was found last.
comparisons = Table(
    "comparisons",
    METADATA,
    Column("ladder", Whole(), ForeignKey("ladders.id"), primary_key=True),
    Column("state", Words(), nullable=False),
    Column("file", Words(), nullable=False),
)

# What organisers tell everybody at a ladder; `by` is the organiser's name, which stays when an account goes.
announcements = Table(
    "announcements",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("ladder", Whole(), ForeignKey("ladders.id"), nullable=False),
    Column("by", Words(), nullable=False),
    Column("text", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Index("announcements_by_ladder", "ladder", "id"),
)

# What an author asks organisers at a ladder; with `public` 1 everybody there reads it with its answer. `read` is when
# its author has seen that answer.
questions = Table(
    "questions",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("ladder", Whole(), ForeignKey("ladders.id"), nullable=False),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("text", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Column("answer", Words(), nullable=False),
    Column("answered", Moment(nullable=True)),
    Column("public", Whole(), nullable=False),
    Column("read", Moment(nullable=True)),
    Index("questions_by_ladder", "ladder", "id"),
    Index("questions_by_person", "person"),
)

# Matches that an author has asked for, beside all ratings: on which seats which entrants of the ladder sit, as JSON,
# and from which seed on. `state` is waiting, done, or failed.
requests = Table(
    "requests",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("ladder", Whole(), ForeignKey("ladders.id"), nullable=False),
    Column("seats", Words(), nullable=False),
    Column("seed", Whole(), nullable=False),
    Column("count", Whole(), nullable=False),
    Column("at", Moment(), nullable=False),
    Column("state", Words(), nullable=False),
    Index("requests_by_person", "person", "id"),
    Index("requests_by_state", "state", "ladder"),
)

# What was played of a request: `number` counts from 0, `places` and `faults` are by seat, as JSON.
requested = Table(
    "requested",
    METADATA,
    Column("request", Whole(), ForeignKey("requests.id"), primary_key=True),
    Column("number", Whole(), primary_key=True, autoincrement=False),
    Column("places", Words(), nullable=False),
    Column("faults", Words(), nullable=False),
    Column("replay", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
)

# Matches that a person has played against bots. As JSON: `seats` are names, `mine` the person's own seats, `places`
# one for each seat, empty where the match was left before its end.
plays = Table(
    "plays",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("game", Words(), nullable=False),
    Column("seats", Words(), nullable=False),
    Column("mine", Words(), nullable=False),
    Column("places", Words(), nullable=False),
    Column("replay", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Index("plays_by_person", "person", "id"),
)

# Positions of a ladder's matches in which one action holds a win; `content` is the puzzle as JSON.
puzzles = Table(
    "puzzles",
    METADATA,
    Column("id", Words(), primary_key=True),
    Column("ladder", Whole(), ForeignKey("ladders.id"), nullable=False),
    Column("match", Whole(), nullable=False),
    Column("game", Words(), nullable=False),
    Column("content", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Index("puzzles_by_game", "game", "at"),
)

# Up to which match of a ladder puzzles were looked for.
puzzle_looks = Table(
    "puzzle_looks",
    METADATA,
    Column("ladder", Whole(), ForeignKey("ladders.id"), primary_key=True),
    Column("match", Whole(), nullable=False),
)

# A person's first answer to a puzzle; `solved` is 1 for the right one.
puzzle_tries = Table(
    "puzzle_tries",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("puzzle", Words(), ForeignKey("puzzles.id"), nullable=False),
    Column("game", Words(), nullable=False),
    Column("solved", Whole(), nullable=False),
    Column("at", Moment(), nullable=False),
    UniqueConstraint("person", "puzzle"),
)

# Analyses that an author has asked for, of a match of a ladder or of one that was requested (`request`, 0 for none).
# `state` is waiting, done, none, or late (`analyses.py`); `found` is a file with what the viewer shows.
analyses = Table(
    "analyses",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("ladder", Whole(), ForeignKey("ladders.id"), nullable=False),
    Column("request", Whole(), nullable=False),
    Column("match", Whole(), nullable=False),
    Column("language", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Column("state", Words(), nullable=False),
    Column("found", Words(), nullable=False),
    Column("note", Words(), nullable=False),
    UniqueConstraint("person", "ladder", "request", "match"),
    Index("analyses_by_state", "state", "ladder"),
)

# What programs sign in with: `scopes` are words with blanks between, `until` is its end, `used` when it last was
# (0: never). Its row is removed when it is revoked.
tokens = Table(
    "tokens",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False, index=True),
    Column("name", Words(), nullable=False),
    Column("digest", Words(), nullable=False, unique=True),
    Column("scopes", Words(), nullable=False),
    Column("since", Moment(), nullable=False),
    Column("until", Moment(), nullable=False),
    Column("used", Moment(), nullable=False),
)

# Addresses that people want to be told at: `key` signs what is sent there, and
# `told` says how many matches of each bot were told of (JSON, by the bot's number), `looked` until when nobody looks
# for more. `trouble` is a word for why the last message was given up; empty if none was.
webhooks = Table(
    "webhooks",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False, index=True),
    Column("url", Words(), nullable=False),
    Column("key", Words(), nullable=False),
    Column("since", Moment(), nullable=False),
    Column("told", Words(), nullable=False),
    Column("looked", Moment(), nullable=False),
    Column("trouble", Words(), nullable=False),
)

# What is still to be told at an address: removed once it was taken, or given up. It is tried from `next` on.
messages = Table(
    "messages",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("webhook", Whole(), ForeignKey("webhooks.id"), nullable=False, index=True),
    Column("body", Words(), nullable=False),
    Column("tries", Whole(), nullable=False),
    Column("next", Moment(), nullable=False),
    Index("messages_by_next", "next"),
)

# By whom a provider of OpenID Connect names, an account is found: `subject` is who it is for the `issuer`.
identities = Table(
    "identities",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("issuer", Words(), nullable=False),
    Column("subject", Words(), nullable=False),
    Column("person", Whole(), ForeignKey("people.id"), nullable=False),
    Column("since", Moment(), nullable=False),
    UniqueConstraint("issuer", "subject"),
    Index("identities_by_person", "person"),
)

# Browsers on their way to a provider: what was drawn for it. Those that are back have a `subject`.
visits = Table(
    "visits",
    METADATA,
    Column("digest", Words(), primary_key=True),
    Column("until", Moment(), nullable=False),
    Column("nonce", Words(), nullable=False),
    Column("verifier", Words(), nullable=False),
    Column("next", Words(), nullable=False),
    Column("issuer", Words(), nullable=False),
    Column("subject", Words(), nullable=False),
    Column("name", Words(), nullable=False),
)


def open_site(where: str, patience: float = PATIENCE) -> Database:
    """The database of a site, at a path or a URL; its tables are made where there are none, and brought up to date.

    Raises `OperatorError` for one that is something else, of a newer Dohyo, or cannot be reached.
    """
    database = reach(where, patience)
    try:
        with database.writing() as connection:
            prepare(connection, METADATA, database.address.shown)
        if database.is_sqlite:
            write_ahead(database)
    except BaseException:
        database.close()
        raise
    return database


def inserted(connection: Connection, table: Table, row: Mapping[str, Any]) -> int:
    """Insert a row into a table that numbers its rows; the row's number."""
    made = connection.execute(insert(table).values(dict(row))).inserted_primary_key
    assert made is not None
    return int(made[0])
