"""Whether a bundle of results holds together, by itself: digests, rules, schedule, standings. No bot is run.

A stranger wrote it. It is read member by member, each within a bound; nothing is unpacked. A store is made of its
terms and matches in a temporary folder, and what follows from that store is compared with what the bundle says.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core import replay_format as replays
from dohyo.core.bounds import TooMuchError, check_json
from dohyo.core.contest import Entrant, Fixture, Result, Version, faults_last
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.rulings_in_force import (
    DISQUALIFY,
    ORIGINAL,
    REJUDGE,
    Attempt,
    InForce,
    Ruling,
    in_force_at,
    known_at,
    without_disqualified,
)
from dohyo.executors.one_match import faults_and_longest
from dohyo.guests.bundles import bundle, plain_tar
from dohyo.i18n import Message
from dohyo.match import own_games
from dohyo.match.replays.replays import verify as follow
from dohyo.series.exports.export import ResultLine, lines
from dohyo.series.formats import Format, make
from dohyo.series.loop import BRACKET
from dohyo.series.rulings import Book
from dohyo.series.session import ContestView, look
from dohyo.series.spec import OUT_OF_THE_FORMAT, Contender, Spec, as_stored, terms_of
from dohyo.series.store import Store, open_store
from dohyo.system import temporary

LARGEST_REPLAY = 256 << 20  # bytes, as for any replay
# Of the others, which are all in memory at once: those of ten thousand bots, and of as many matches as fit.
LARGEST = {
    bundle.README: 1 << 16,
    bundle.SUMS: 96 << 20,
    bundle.CONTEST: 8 << 20,
    bundle.MATCHES_CSV: 256 << 20,
    bundle.MATCHES_JSON: 256 << 20,
    bundle.STANDINGS_CSV: 8 << 20,
    bundle.STANDINGS_JSON: 16 << 20,
    bundle.AUDIT: 128 << 20,
}
DEEPEST = 16  # lists and objects in each other
BYTES_A_VALUE = 4  # of a value in JSON, or more: what we write has 10 and more
BOUNDS = plain_tar.Bounds(members=1_000_100, size=64 << 30)
MAX_MATCHES = 1_000_000
MAX_BOTS = 10_000
MAX_FAULTS = 100_000  # of a bot in a match
MAX_FAULTS_IN_ALL = 20_000_000
CLOSE = 0.5  # Elo: other versions of the libraries round otherwise
AT_ONCE = 5000  # results in one transaction
MAX_TAKEN_AGAIN = 50_000_000  # results and rulings: all of them, for each batch before which somebody ruled
LARGEST_MATCH = 1 << 20  # bytes of JSON
LARGEST_RULING = 32 << 20  # the same: of a million matches
MAX_RULED = 4_000_000  # matches that rulings name, all together
AUDIT_PARTS = (b'{\n  "rulings": ', b',\n  "results": ', b"\n}\n")  # before, between and behind two lists
SHOWN = 60  # characters of a name that nobody has
BYTES_A_SEAT = 64  # of JSON, or more: the digest of the bot there
BYTES_A_FAULT = 6  # of each kind
_SIGN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)  # a text, or what begins or ends something
_BETWEEN = re.compile(rb"\s*[\[,]\s*+")
_END = re.compile(rb"\s*\[?\s*\]\s*")
_SUM = re.compile(r"([0-9a-f]{64})  (\S{1,100})")
_REPLAY = re.compile(r"replays/([0-9]{9})\.replay\.zst")
_OTHER = re.compile(r"others/([0-9]{9})-([0-9]{1,9})\.replay\.zst")


class _Version(msgspec.Struct, frozen=True):
    bundle: object = None


class _Entrant(msgspec.Struct, frozen=True):
    number: int
    name: str
    digest: str
    language: str = ""
    since: int = 0
    until: int | None = None
    absences: tuple[tuple[int, int | None], ...] = ()
    follows: int | None = None


class _Contest(msgspec.Struct, frozen=True):
    bundle: int
    name: str
    game: str
    rules: int
    terms: dict[str, Any]
    entrants: tuple[_Entrant, ...]


class _Batches(msgspec.Struct, frozen=True):
    batches: int = 0


class _Audit(msgspec.Struct, frozen=True):
    """What was ruled, and every result of the matches concerned, by match and ruling, with the batches drawn then."""

    rulings: tuple[Ruling, ...] = ()
    results: dict[tuple[int, int], tuple[ResultLine, int]] = {}


class Checked(msgspec.Struct):
    """What a bundle says of itself, and how much was checked.

    `missing` are matches of the schedule that have no result, of a format without a fixed number up to the batch of
    the last one that has; `rated` says whether ratings could be compared.
    """

    name: str = ""
    game: str = ""
    matches: int = 0
    replays: int = 0
    missing: int = 0
    rated: bool = False


def check(path: Path, file: plain_tar.Readable, checked: Checked, told: Callable[[int], None]) -> Iterator[Message]:
    """Everything in which a bundle is not what it says; `told` is called with the number of replays so far.

    `file` is the opened bundle, at its beginning, and `path` its name. `checked` is filled in. Raises `OperatorError`
    where it is no bundle at all.
    """
    try:
        yield from _Reader(file, checked, told).findings()
    except (plain_tar.TarError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OperatorError("bundle-unreadable", path=path, reason=error) from error


class _Reader:
    """One look at a bundle, from its first byte to its last."""

    def __init__(self, file: plain_tar.Readable, checked: Checked, told: Callable[[int], None]) -> None:
        self._file = file
        self._checked = checked
        self._told = told
        self._texts: dict[str, bytes] = {}
        self._digests: dict[str, str] = {}
        self._sums: dict[str, str] = {}
        self._lines: dict[int, ResultLine] = {}
        self._contest: _Contest | None = None
        self._audit = _Audit()

    def findings(self) -> Iterator[Message]:
        """Everything in which the bundle is not what it says."""
        for name, content in plain_tar.read(self._file, lambda name: LARGEST.get(name, LARGEST_REPLAY), BOUNDS):
            self._digests[name] = hashlib.sha256(content).hexdigest()
            if (match := _REPLAY.fullmatch(name)) is not None:
                self._begin()  # replays come after contest and matches: members are sorted
                yield from self._of_replay(self._lines.get(int(match[1])), name, content)
            elif (match := _OTHER.fullmatch(name)) is not None:
                self._begin()
                line, _ = self._audit.results.get((int(match[1]), int(match[2])), (None, 0))
                yield from self._of_replay(None if line is None or line.counts else line, name, content)
            elif name in bundle.FIXED or name == bundle.AUDIT:
                self._texts[name] = content
            else:
                yield Message("bundle.stranger", {"member": name})
        self._begin()
        yield from self._of_sums()
        yield from _of_contest(self._read(), self._lines, self._audit, self._texts, self._checked)

    def _read(self) -> _Contest:
        if self._contest is None:
            raise plain_tar.TarError(f"no {bundle.CONTEST}")
        return self._contest

    def _begin(self) -> None:
        """Read what must be known before the replays. Raises `OperatorError` and `TarError`."""
        if self._contest is not None:
            return
        for name in (bundle.SUMS, bundle.CONTEST, bundle.MATCHES_JSON):
            if name not in self._texts:
                raise plain_tar.TarError(f"no {name}")
        _check_json(bundle.CONTEST, self._texts[bundle.CONTEST])
        version = msgspec.json.decode(self._texts[bundle.CONTEST], type=_Version).bundle
        if version != bundle.VERSION:
            raise OperatorError("bundle-too-new", version=str(version)[:20], known=bundle.VERSION)
        self._contest = contest = msgspec.json.decode(self._texts[bundle.CONTEST], type=_Contest)
        found = list(_matches(self._texts[bundle.MATCHES_JSON]))
        self._lines = {line.match: line for line in found}
        if len(self._lines) < len(found):
            raise plain_tar.TarError("a match twice")
        if len(contest.entrants) > MAX_BOTS:
            raise plain_tar.TarError("too many bots")
        if self._texts[bundle.SUMS].count(b"\n") > BOUNDS.members:
            raise plain_tar.TarError(f"too many lines of {bundle.SUMS}")
        for line in self._texts[bundle.SUMS].decode().splitlines():
            if (sum_ := _SUM.fullmatch(line)) is None:
                raise plain_tar.TarError(f"a line of {bundle.SUMS}")
            self._sums[sum_[2]] = sum_[1]
        if bundle.AUDIT in self._texts:
            self._audit = _audit_of(self._texts[bundle.AUDIT])
        every = [*found, *(line for line, _ in self._audit.results.values())]
        faults = [sum(map(abs, kinds.values())) for line in every for kinds in line.faults]
        if max(faults, default=0) > MAX_FAULTS or sum(faults) > MAX_FAULTS_IN_ALL:
            raise plain_tar.TarError("too many faults")
        _check_about(self._audit, contest)
        game = own_games.find(contest.game)
        if game.version != contest.rules:
            known = f"{game.name} {game.version}"
            raise OperatorError("bundle-other-rules", game=contest.game, version=contest.rules, known=known)
        self._checked.name, self._checked.game, self._checked.matches = contest.name, contest.game, len(found)

    def _of_sums(self) -> Iterator[Message]:
        """Every member has its digest, and none is missing."""
        there = {name: digest for name, digest in self._digests.items() if name != bundle.SUMS}
        for name in sorted({*there, *self._sums, *(each for each in bundle.FIXED if each != bundle.SUMS)}):
            if there.get(name) != self._sums.get(name) or name not in there:
                yield Message("bundle.sum", {"member": name})
        for line in self._lines.values():
            if line.replay is not None and bundle.replay_name(line.match) not in there:
                yield Message("bundle.no-replay", {"number": line.match})
        for (number, ruling), (line, _) in self._audit.results.items():
            if not line.counts and line.replay is not None and bundle.other_name(number, ruling) not in there:
                yield Message("bundle.no-replay", {"number": number})

    def _of_replay(self, line: ResultLine | None, name: str, content: bytes) -> Iterator[Message]:
        """Whether a replay follows from the rules, and is that of its match."""
        self._checked.replays += 1
        self._told(self._checked.replays)
        if line is None or line.replay != self._digests[name]:
            yield Message("bundle.stranger", {"member": name})
            return
        try:
            recorded = replays.decode(content)
            follow(recorded)
        except OperatorError as error:
            yield Message("bundle.replay", {"name": self._checked.name, "number": line.match, "reason": error})
            return
        last = self._read().terms.get("fault_is_last") is True
        for what, said, found in _compared(self._read(), line, recorded, last):
            if said != found:
                details = {"name": self._checked.name, "number": line.match, "what": what}
                yield Message("bundle.result", {**details, "said": said, "replay": found})


def _check_json(name: str, content: bytes, most: int | None = None) -> None:
    """Raise `TarError` for JSON that would take much more memory than what we write; `most` as a member may have."""
    try:
        check_json(content, LARGEST[name] if most is None else most, DEEPEST, BYTES_A_VALUE)
    except TooMuchError as error:
        raise plain_tar.TarError(f"{name}: {error}") from error


def _matches(content: bytes) -> Iterator[ResultLine]:
    """The matches in `matches.json`, one after the other, each in the memory that what we write takes.

    Raises `TarError` for anything else, and what `msgspec` raises.
    """
    decoder = msgspec.json.Decoder(ResultLine, strict=False)
    for number, one in enumerate(_objects(bundle.MATCHES_JSON, content)):
        if number == MAX_MATCHES:
            raise plain_tar.TarError("too many matches")
        yield _line(decoder, one, bundle.MATCHES_JSON)


def _line(decoder: msgspec.json.Decoder[ResultLine], one: bytes, name: str) -> ResultLine:
    """A result in a member of that name, in the memory that what we write takes. Raises as `_matches`."""
    _check_json(name, one, LARGEST_MATCH)
    line, size = decoder.decode(one), len(one)
    by_seat = (line.bots, line.versions, line.places, line.scores, line.longest, line.faults)
    if size < BYTES_A_SEAT * max(map(len, by_seat)) or size < BYTES_A_FAULT * sum(map(len, line.faults)):
        raise plain_tar.TarError(f"{name}: seats without bots")
    return line


def _objects(name: str, content: bytes, largest: int = LARGEST_MATCH) -> Iterator[bytes]:
    """The objects in a list of JSON. Raises `TarError` where there is something else between them."""
    start = end = depth = 0
    for sign in _SIGN.finditer(content):
        if depth > 1 and sign.start() - start > largest:
            break
        if sign[0] in (b"{", b"["):
            depth += 1
            if depth == 2:
                start = sign.start()
                if not _BETWEEN.fullmatch(content, end, start):
                    break
        elif sign[0] in (b"}", b"]"):
            depth -= 1
            if depth == 1:
                end = sign.end()
                yield content[start:end]
            elif depth == 0:
                if _END.fullmatch(content, end):
                    return
                break
    raise plain_tar.TarError(f"{name} is no list of what we write")


def _audit_of(content: bytes) -> _Audit:
    """The rulings of a bundle. Raises `TarError` for what cannot be."""
    before, between, behind = AUDIT_PARTS
    told, found_it, results = content.partition(between)
    if not (found_it and told.startswith(before) and results.endswith(behind)):
        raise plain_tar.TarError(f"{bundle.AUDIT} is not as we write it")
    rulings: list[Ruling] = []
    named = 0
    for one in _objects(bundle.AUDIT, told[len(before) :], LARGEST_RULING):
        _check_json(bundle.AUDIT, one, LARGEST_RULING)
        rulings.append(msgspec.json.decode(one, type=Ruling))
        named += len(rulings[-1].matches)
        if named > MAX_RULED:
            raise plain_tar.TarError(f"{bundle.AUDIT}: too many matches")
    decoder = msgspec.json.Decoder(ResultLine, strict=False)
    found: dict[tuple[int, int], tuple[ResultLine, int]] = {}
    for one in _objects(bundle.AUDIT, results[: -len(behind)]):
        line, drawn = _line(decoder, one, bundle.AUDIT), msgspec.json.decode(one, type=_Batches).batches
        if (line.match, line.ruling) in found:
            raise plain_tar.TarError(f"{bundle.AUDIT}: a result twice")
        found[line.match, line.ruling] = line, drawn
    for number, ruling in enumerate(rulings, 1):
        if ruling.number != number or (ruling.kind == DISQUALIFY and ruling.matches):
            raise plain_tar.TarError(f"{bundle.AUDIT}: ruling {ruling.number}")
    return _Audit(tuple(rulings), found)


def _check_about(audit: _Audit, contest: _Contest) -> None:
    """Raise `OperatorError` for a ruling about a bot or a match that is not in the bundle, or a result of no ruling.

    A match about which somebody ruled is there by its first result. Whether it belongs to the schedule is seen when
    that is drawn.
    """
    bots, unasked = {each.name for each in contest.entrants}, dict[int, set[int]]()  # results by ruling, then match
    for match, by in audit.results:
        unasked.setdefault(by, set()).add(match)
    played = unasked.pop(ORIGINAL, set())
    for ruling in audit.rulings:
        if ruling.kind == DISQUALIFY and ruling.bot not in bots:
            raise OperatorError("bundle-ruling-bot", number=ruling.number, bot=ruling.bot[:SHOWN])
        if strangers := set(ruling.matches) - played:
            raise OperatorError("bundle-ruling-match", number=ruling.number, match=min(strangers))
        if ruling.kind == REJUDGE and not ruling.undoes and ruling.number in unasked:
            unasked[ruling.number].difference_update(ruling.matches)
    left = [(match, by) for by, matches in unasked.items() for match in matches]
    if left:
        raise OperatorError("bundle-ruling-none", number=min(left)[1], match=min(left)[0])


def _compared(
    contest: _Contest, line: ResultLine, recorded: Replay, last: bool
) -> Iterator[tuple[str, object, object]]:
    """What the matches and the replay say about a match."""
    header = recorded.header
    yield "game", contest.game, header.game
    yield "seed", line.seed, header.seed
    yield "setup", contest.terms.get("setup"), header.setup
    yield "start", (None, 0), (header.start, header.first)
    yield "bots", list(line.versions), [seat.digest for seat in header.seats]
    faults, longest = faults_and_longest(recorded)
    places = tuple(recorded.result.places)
    yield "places", line.places, faults_last(places, faults) if last else places
    yield "scores", line.scores, tuple(map(float, recorded.result.scores))
    kinds = [dict(Counter(each)) for each in faults] or [{} for _ in line.bots]
    yield "faults", list(line.faults), kinds
    yield "longest", line.longest, longest


# --- the schedule and the standings: a store is made, and looked at


def _of_contest(
    contest: _Contest, found: Mapping[int, ResultLine], audit: _Audit, texts: Mapping[str, bytes], checked: Checked
) -> Iterator[Message]:
    """Whether schedule and standings follow from the terms and the results."""
    folder = Path(temporary.make("bundle"))
    try:
        with open_store(str(folder / "bundle.db"), create=True) as store:
            try:
                made = _made(store, contest)
                yield from _Course(store, made, audit).play(found, checked)
                view = look(store, None)
                yield from _of_texts(view, texts, checked)
            except OUT_OF_THE_FORMAT as error:
                yield Message("bundle.contest", {"reason": f"{type(error).__name__}: {error}"[:200]})
            except OperatorError as error:
                yield Message("bundle.contest", {"reason": error})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made(store: Store, contest: _Contest) -> int:
    """The contest in an empty store, nothing played; its id."""
    terms = {name: contest.terms[name] for name in bundle.TERMS if name in contest.terms}
    names = [each.name for each in contest.entrants if each.since == 0]
    bots = tuple(Contender(name) for name in dict.fromkeys(names))
    spec = msgspec.convert({"game": contest.game, "bots": (), **terms}, Spec)
    began = store.begin(contest.name, contest.game, as_stored(msgspec.structs.replace(spec, bots=bots)), 0.0)
    entrants = [
        Entrant(each.number, Version(each.name, each.digest, each.language), each.since, each.until,
                each.absences, each.follows)
        for each in contest.entrants
    ]  # fmt: skip
    store.enter(began.id, entrants, 0.0)
    return began.id


class _Course:
    """The schedule, drawn once more by the format, with what was known when each batch was drawn."""

    def __init__(self, store: Store, id_: int, audit: _Audit) -> None:
        self._store = store
        self._id = id_
        self._rulings = audit.rulings
        entrants = store.entrants(id_)
        self._names = [each.name for each in entrants]
        self._numbers = {(each.version.name, each.version.digest): each.number for each in entrants}
        self._entrants = without_disqualified(entrants, audit.rulings)
        self._attempts: dict[int, list[Attempt]] = {}
        for (match, ruling), (line, drawn) in sorted(audit.results.items()):
            own = self._attempts.setdefault(match, [])
            own.append(Attempt(ruling, _result(line, self._numbers), drawn))
        self._drawn: list[list[Fixture]] = []
        self._results: dict[int, Result] = {}
        self._moments = {each.batches for each in audit.rulings}
        self._moments |= {each.batches for own in self._attempts.values() for each in own}
        self._earlier: InForce | None = None  # what was in force at the last draw
        self._again = 0  # of `MAX_TAKEN_AGAIN`

    def play(self, found: Mapping[int, ResultLine], checked: Checked) -> Iterator[Message]:
        """Draw each batch, and record what was played of it; what does not follow from the terms."""
        left = {number: _result(line, self._numbers) for number, line in found.items()}
        left |= {number: own[0].result for number, own in self._attempts.items()}
        count, format_, sizes = len(left), self._format(), []
        while left and (drawn := format_.next(self._entrants)):
            self._store.schedule(self._id, drawn)
            self._drawn.append(drawn)
            sizes.append(len(drawn))
            results = {each.number: left.pop(each.number) for each in drawn if each.number in left}
            for fixture in drawn:
                if fixture.number in results and results[fixture.number].fixture != fixture:
                    yield Message("bundle.schedule", {"number": fixture.number})
                    del results[fixture.number]
            played = list(results.values())
            for start in range(0, len(played), AT_ONCE):
                self._store.record(self._id, played[start : start + AT_ONCE])
            self._results |= results
            if not results:  # some formats never end by themselves
                break
            if left:  # otherwise this is the last batch, of which some may be open
                format_ = self._after(format_)
        in_all = format_.matches_in_all(sizes) or 0
        checked.missing = max(in_all, sum(sizes)) - (count - len(left))
        for number in list(left)[:100]:
            yield Message("bundle.schedule", {"number": number})
        kept = [each for number, own in self._attempts.items() if number in self._results for each in own]
        if self._rulings:
            self._store.take_in(self._id, self._rulings, kept)

    def _format(self) -> Format:
        spec, game = terms_of(self._store.contest())
        made = make(
            spec.format,
            seats=game.seats,
            rounds=spec.rounds,
            seed=spec.seed,
            entrants=sum(each.since == 0 for each in self._entrants),
            options=spec.options,
        )
        made.enter(self._entrants)
        return made

    def _after(self, format_: Format) -> Format:
        """The format before the next draw: all over again, if something about earlier batches was ruled since."""
        drawn = len(self._drawn)
        if drawn in self._moments or self._earlier is None:
            self._again += sum(map(len, self._drawn)) + sum(1 + len(each.matches) for each in self._rulings)
            if self._again > MAX_TAKEN_AGAIN:  # nobody could wait for it
                raise ValueError("rulings before too many batches")
            self._earlier = in_force_at(drawn, self._rulings)
        if format_.info.draws == BRACKET or drawn not in self._moments or drawn == 1:
            format_.take(self._known(self._drawn[-1], drawn, self._earlier))
            return format_
        made = self._format()
        for batch in self._drawn:
            made.take(self._known(batch, drawn, self._earlier))
        return made

    def _known(self, batch: Sequence[Fixture], drawn: int, earlier: InForce) -> list[Result]:
        """The results of a batch as they stood when so many had been drawn, and this was in force."""
        found = []
        for fixture in batch:
            result = self._results.get(fixture.number)
            if result is not None and (own := self._attempts.get(fixture.number)):
                names = {self._names[seat] for seat in fixture.seats}
                result = known_at(drawn, earlier, own, names)
            found.append(result or Result(fixture, ()))
        return found


def _result(line: ResultLine, numbers: Mapping[tuple[str, str], int]) -> Result:
    """A match of the bundle as a store's result."""
    seats = tuple(numbers[name, digest] for name, digest in zip(line.bots, line.versions, strict=True))
    kinds = tuple(tuple(Counter(each).elements()) for each in line.faults)
    return Result(
        fixture=Fixture(line.batch, line.match, seats, line.seed),
        places=line.places,
        scores=line.scores,
        faults=kinds if any(kinds) else (),
        longest=line.longest,
        replay=line.replay,
        at=datetime.fromisoformat(line.ended).timestamp(),
        seconds=line.seconds,
    )


def _of_texts(view: ContestView, texts: Mapping[str, bytes], checked: Checked) -> Iterator[Message]:
    """Whether the other files of the bundle are what follows from the results."""
    made = bundle.match_texts(list(lines(view)))
    table = view.standings()
    made |= bundle.standing_texts(table)
    book, exact = Book(view), [bundle.MATCHES_CSV, bundle.MATCHES_JSON]
    if book.rulings:
        made[bundle.AUDIT] = bundle.audit_text(view, book)
        exact.append(bundle.AUDIT)
    for name in exact:
        if made[name].encode() != texts.get(name):
            yield Message("bundle.text", {"member": name})
    _check_json(bundle.STANDINGS_JSON, texts.get(bundle.STANDINGS_JSON, b"{}"))
    said = msgspec.json.decode(texts.get(bundle.STANDINGS_JSON, b"{}"), type=dict[str, Any])
    ours = msgspec.json.decode(made[bundle.STANDINGS_JSON], type=dict[str, Any])
    checked.rated = bool(said.get("rated")) and table.rated
    if not _same_table(said, ours, checked.rated):
        yield Message("bundle.text", {"member": bundle.STANDINGS_JSON})
    elif texts.get(bundle.STANDINGS_CSV) != _csv_of(said):
        yield Message("bundle.text", {"member": bundle.STANDINGS_CSV})


def _csv_of(said: Mapping[str, Any]) -> bytes:
    """`standings.csv` as it follows from `standings.json`."""
    rows = [clean.csv_row([row.get(name) for name in bundle.COLUMNS]) for row in said["standings"]]
    return "".join([clean.csv_row(bundle.COLUMNS), *rows]).encode()


def _same_table(said: Mapping[str, Any], ours: Mapping[str, Any], rated: bool) -> bool:
    """Whether two tables say the same; ratings, which other versions of the libraries round otherwise, nearly."""
    if said.get("placed_by") != ours["placed_by"] or not isinstance(said.get("standings"), list):
        return False
    if len(said["standings"]) != len(ours["standings"]):
        return False
    for row, own in zip(said["standings"], ours["standings"], strict=True):
        if not isinstance(row, dict):
            return False
        plain = {name: value for name, value in row.items() if name not in bundle.RATED}
        if plain != {name: value for name, value in own.items() if name not in bundle.RATED}:
            return False
        if rated and not all(_close(row.get(name), own.get(name)) for name in bundle.RATED):
            return False
    return True


def _close(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= CLOSE
    return one is other is None
