"""A contest's results as one file that a third party can check without us: terms, standings, matches, replays.

The same store gives the same bytes (`plain_tar.py`). `SHA256SUMS` has the digests of all other members, so
`sha256sum -c` checks them too. Nothing of the operator's machine is in it: no paths, no names of hosts, no times but
when matches ended and how long bots thought. Bots' programs are not in it either, only their digests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from dohyo import __version__, clean
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.guests.bundles import plain_tar
from dohyo.match.files import written_whole
from dohyo.series.exports.export import OLD_COLUMNS, ResultLine, as_csv, as_json, line_of, lines
from dohyo.series.rulings import Book
from dohyo.series.session import ContestView
from dohyo.series.standings import Standings

VERSION = 1  # of what a bundle holds
README, SUMS, CONTEST = "README.txt", "SHA256SUMS", "contest.json"
AUDIT = "audit.json"  # only where somebody has ruled about results
MATCHES_CSV, MATCHES_JSON = "matches.csv", "matches.json"
STANDINGS_CSV, STANDINGS_JSON = "standings.csv", "standings.json"
FIXED = (README, SUMS, CONTEST, MATCHES_CSV, MATCHES_JSON, STANDINGS_CSV, STANDINGS_JSON)
TERMS = (
    *("format", "rounds", "seed", "setup", "options", "clock", "mode", "pondering", "fault_is_last"),
    "sandbox",
)
COLUMNS = (
    *("place", "bot", "digest", "points", "elo", "low", "high", "matches", "firsts", "won", "drawn", "lost"),
    *("longest", "faulty", "state"),
)
RATED = ("elo", "low", "high", "first", "last")

ABOUT = """Results of a contest, written by Dohyo.

contest.json      the terms, and who took part: names, and SHA-256 of each bot's files
matches.csv/.json every match that counts: seats, seed, places, faults, SHA-256 of its replay
replays/          what happened in each of these; docs/replay-format.md says how to read them
standings.csv/... the table
audit.json        what was ruled about results later, and every result of these matches; others/: their replays
                  (only where somebody has ruled)
SHA256SUMS        the digests of all other files

To check it:
  minisign -Vm results.tar -p key.pub    who published it (where there is results.tar.minisig)
  tar xf results.tar && sha256sum -c SHA256SUMS    whether it is complete
  dohyo verify results.tar --key key.pub    all that, and every move by the rules, the schedule, the standings
"""


def write(view: ContestView, path: str) -> int:
    """Write the bundle of a contest; how many matches it has.

    Raises `OperatorError` where another program refereed the matches: nobody could check them by any rules. As a
    damaged store does.
    """
    if view.spec.referee is not None:
        raise OperatorError("bundle-refereed", name=view.contest.name, game=view.game.name)
    found = list(lines(view))
    texts = {CONTEST: contest_text(view), **match_texts(found), **standing_texts(view.standings())}
    texts[README] = ABOUT
    book = Book(view)
    if book.rulings:
        texts[AUDIT] = audit_text(view, book)
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    replays = {replay_name(line.match): line.replay for line in found if line.replay is not None}
    for each in book.others():
        if each.result.replay is not None:
            replays[other_name(each.result.fixture.number, each.ruling)] = each.result.replay
    texts[SUMS] = "".join(f"{digest}  {name}\n" for name, digest in sorted((digests | replays).items()))

    def members() -> Iterator[tuple[str, bytes]]:
        for name in sorted({*texts, *replays}):
            yield name, texts[name].encode() if name in texts else view.store.files.get(replays[name])

    with written_whole(path) as temporary, open(temporary, "wb") as file:
        plain_tar.write(file, members())
    return len(found)


def replay_name(match: int) -> str:
    """The name of a match's replay."""
    return f"replays/{match:09d}.replay.zst"


def other_name(match: int, ruling: int) -> str:
    """The name of the replay of a result that does not count, by the ruling that asked for it."""
    return f"others/{match:09d}-{ruling}.replay.zst"


def audit_text(view: ContestView, book: Book) -> str:
    """`audit.json`: every ruling, and every result of the matches concerned, with the batches drawn then."""
    told = {(each.result.fixture.number, each.ruling): each for own in book.attempts for each in book.of(own)}
    drawn = {(match, each.ruling): each.batches for match, own in book.attempts.items() for each in own}
    results = [
        msgspec.to_builtins(line_of(view, told[key])) | {"ruling": key[1], "batches": drawn[key]}
        for key in sorted(told)
    ]
    rulings = [msgspec.to_builtins(each) for each in book.rulings]
    return clean.document({"rulings": rulings, "results": results})


def contest_text(view: ContestView) -> str:
    """`contest.json`."""
    spec = msgspec.to_builtins(view.spec)
    document: dict[str, Any] = {
        "bundle": VERSION,
        "software": f"dohyo {__version__}",
        "name": view.contest.name,
        "game": view.game.name,
        "rules": view.game.version,
        "scheduled": sum(batch.size for batch in view.progress),
        "played": view.played,
        "terms": {name: spec[name] for name in TERMS},
        "entrants": [_entrant(each) for each in view.store.entrants(view.contest.id)],
    }
    return clean.document(document)


def _entrant(entrant: Entrant) -> dict[str, Any]:
    version = entrant.version
    plain: dict[str, Any] = msgspec.to_builtins(entrant)
    del plain["version"]
    return {
        "number": plain.pop("number"),
        "name": version.name,
        "digest": version.digest,
        "language": version.language,
        **plain,
    }


def match_texts(found: list[ResultLine]) -> dict[str, str]:
    """The files of the matches."""
    return {MATCHES_CSV: "".join(as_csv(found, OLD_COLUMNS)), MATCHES_JSON: "".join(as_json(found))}


def standing_texts(table: Standings) -> dict[str, str]:
    """The files of the standings."""
    rows = [
        msgspec.to_builtins(row) | {"low": row.told_low, "high": row.told_high, "fails": row.fails}
        for row in table.rows
    ]
    document = {
        "placed_by": table.placed_by,
        "rated": table.rated,
        "groups": table.groups,
        "standings": rows,
    }
    body = [clean.csv_row([row[name] for name in COLUMNS]) for row in rows]
    return {
        STANDINGS_CSV: "".join([clean.csv_row(COLUMNS), *body]),
        STANDINGS_JSON: clean.document(document),
    }
