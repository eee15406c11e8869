"""What a page shows of one match, as JSON: frames, moves, inputs and standings, all computed here.

The browser gets, in one object,

    language, game, title, header       the match, as in its replay's header, without the seats; the seed is
                                        text, since a browser's numbers are exact up to 2**53 only. For one seat's
                                        author without the seed and all else from which hidden things follow
    seats      [{name, digest, language}]
    words      {key: sentence}          every sentence that the page may say, in its language
    views      [{seat, first, changes}] what is seen, by everybody (seat none) or by one seat: the frame before the
                                        first turn, then for each turn a difference to the frame before
    turns      [[move]]                 the replay's moves, turn by turn; with `annotations`, what a bot drew
    values     [name]                   of the numbers that bots wrote, in the order in which they appear
    inputs     [{seat: difference}]     what a seat was sent in a turn, as lines, compared with its input before
    result, standings                   how it ended; one line for each seat, the best place first
    only       seat                     for whose author the page is; absent if it is for everybody
    analysis   [Analysis]               each seat's chances to win, where the match was analysed
    command    text                     what somebody who has the replay can type for that; absent if nobody can
    served     {note}                   the page can ask its server for that; `note` is what to know before

A replay may be a stranger's, and one of 60 kB may hold 6000 turns of a hundred seats. So of a match with more than
`MAX_MOVES` moves there are the first turns, as of an unfinished match, with a reason that says so; and of inputs with
more than `MAX_SENT` characters, or of which too much changes, there is in their place {replay}: the name of the file
that has them.

Differences are described in `dohyo.web.differences`. A frame may hold `highlights`, a list of `[kind, seat]` that the
time line marks, and `hidden`, a list of seats whose actions the view's seat does not know. The actions and messages
of hidden seats are not shown beside the board, and the time line marks for them only the view's own highlights. The
key `<game>.mark.<kind>` names a kind, and `<game>.action.<text>` an action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

import msgspec

from dohyo.core.game import Frame, Game, Information, State, title_in
from dohyo.core.playback import Moment, beginning, moments
from dohyo.core.replay import INTERRUPTED, Move, Replay, Result
from dohyo.i18n import ENGLISH, Speaker, all_keys
from dohyo.match.replays.sent import Sent
from dohyo.match.telling.annotations import MAX_IN_PAGE, drawn_in, value_names
from dohyo.match.telling.fault_words import MAX_READ, first_words, kind_word, proof_in_words
from dohyo.match.telling.summary import summarise
from dohyo.web.differences import difference

PAGE_WORDS = ("viewer.", "field-name.", "fault.", "unfinished")
PRIVATE = ("said", "stderr", "stderr_dropped", "comments", "comments_dropped", "annotations")  # of a move
OFF_PAGE = ("about", "detail", "option")  # a game's words that are not for the page, by what follows its name
MAX_VIEWS = 8  # a view for each seat makes sense for a few seats only
MAX_MOVES = 200_000  # of a page: four seats in matches of fifty thousand turns
MAX_SENT = 1 << 27  # characters that seats were sent: they are all made, and compared
MAX_CHANGED = 1 << 25  # bytes of their differences, which are in memory together
CUT = "viewer.cut"  # the reason why a page ends before its match
ELSEWHERE = {"replay": "REPLAY"}  # inputs that only the replay has; whoever knows its name puts it there

Analysis = dict[str, Any]
"""What the page shows as chances to win, made by whoever analysed the match. An object of JSON:

    seat       in whose view it is shown: a seat's number if the match was analysed as that seat saw it, none (or
               absent) for everybody's view
    chances    [[[chance, low, high]]], by position and seat, from 0 to 1: entry 0 is the position before the first
               turn, entry p the one after p turns; null for a position, or a seat in it, that was not analysed
    points     [{turn, seat, text, action, basis, line}], the turning points: the number of the turn, whose action it
               was, what to say of it, the better action ("" or absent for none), on what it was judged (absent where
               everything is seen), and (absent for none) the better line: a variation that begins with that turn,
               {first, changes, turns}, where `first` is the frame after its first turn, `changes` lead to those after
               the others, `turns` has its moves, [[{seat, action}]]
    facts      [{turn, seat, text}], what the game itself counted: the turn to go to (none for none), of whom, what to
               say (may be absent)
    note       a sentence below the chart, such as how it was analysed (may be absent)
    basis      what the chances are of, behind the chart's title: the true state, or what a seat saw (may be absent)
    points_note  a sentence above the turning points (may be absent)
"""

Form = Callable[[dict[str, Any]], dict[str, Any]]
MICROSECOND = 6  # digits after the point of a time in seconds


def content(
    game: Game,
    replay: Replay,
    speaker: Speaker = ENGLISH,
    analysis: Sequence[Analysis] = (),
    seat: int | None = None,
    command: str = "",
    form: Form | None = None,
) -> dict[str, Any]:
    """Everything that a page shows of the replay, as one object. Raises `ReplayError` if it contradicts the rules.

    For the author of one `seat`, that is what that seat saw and wrote; of the others only what it could know. In a
    game with secrets that leaves out an analysis of the true state, which stands in everybody's view. `command` is
    what makes a page with an analysis. `form` gives the object another form than that of differences: it is called
    with the whole, in which `views` are [{seat, frames}], and `inputs` are [{seat: lines}], or `ELSEWHERE`.
    """
    whole, replay = replay, beginning_of(replay)
    played = list(moments(game, replay))
    first = played[0].before if played else beginning(game, replay)
    acted = [moment for moment in played if moment.turn.moves]
    viewers = _viewers(game, len(replay.header.seats)) if seat is None else [seat]
    views: list[dict[str, Any]] = [
        {"seat": viewer, "frames": _frames(game, first, acted, viewer)} for viewer in viewers
    ]
    moves = _moves(game, acted, speaker, [each.language for each in replay.header.seats])
    result = msgspec.to_builtins(replay.result)
    if seat is not None:
        moves = _known_to(moves, views[0]["frames"], seat)
        result["last"] = [move for move in result.get("last", ()) if move["seat"] == seat]
        analysis = _analysis_known_to(game, analysis, seat)
    if replay is not whole:
        result["reason"] = CUT
        analysis = [_cut(each, len(acted), replay.header.first + len(acted)) for each in analysis]
    inputs = _inputs(Sent(game, replay), acted, seat)
    told: dict[str, Any] = {
        "language": speaker.language,
        "game": game.name,
        "title": title_in(game, speaker),
        "header": _header(replay) if seat is None else _header_known_to_seat(game, replay),
        "seats": [_seat(each.name, each.digest, each.language) for each in replay.header.seats],
        "words": words(game, speaker),
        "views": views,
        "turns": moves,
        "values": value_names(moves),
        "inputs": _few(inputs if form else _input_changes(inputs), 2 * MAX_SENT if form else MAX_CHANGED),
        "result": result,
        "standings": standings(replay, game, speaker, played[-1].after if played else first),
    }
    return (form or _in_differences)(told | _of_some_pages(analysis, command, seat))


def _of_some_pages(analysis: Sequence[Analysis], command: str, seat: int | None) -> dict[str, Any]:
    """What only some pages have: an analysis, or what makes one, and for whose author the page is."""
    told: dict[str, Any] = {"analysis": list(analysis)} if analysis else {"command": command} if command else {}
    return told if seat is None else told | {"only": seat}


def beginning_of(replay: Replay) -> Replay:
    """What of a replay a page has room for: the whole, or the first turns as those of an interrupted match."""
    moves = 0
    for at, turn in enumerate(replay.turns):
        moves += len(turn.moves)
        if moves > MAX_MOVES and at:
            result = Result((), None, INTERRUPTED, unfinished=True)
            return msgspec.structs.replace(replay, turns=list(islice(replay.turns, at)), result=result)
    return replay


def _cut(analysis: Analysis, turns: int, end: int) -> Analysis:
    """What an analysis says of the first turns, up to the one of number `end`."""
    cut = analysis | {"chances": analysis["chances"][: turns + 1]} if "chances" in analysis else dict(analysis)
    for name in ("points", "facts"):
        if name in cut:
            cut[name] = [one for one in cut[name] if one["turn"] is None or one["turn"] < end]
    return cut


def _in_differences(told: dict[str, Any]) -> dict[str, Any]:
    """The whole with its frames as differences; its inputs are that already."""
    return told | {"views": [_changes(view) for view in told["views"]]}


def _header(replay: Replay) -> dict[str, Any]:
    header: dict[str, Any] = msgspec.to_builtins(replay.header)
    del header["seats"]
    header["seed"] = str(header["seed"])
    return header


def _header_known_to_seat(game: Game, replay: Replay) -> dict[str, Any]:
    """The header without what tells more than a seat saw.

    The dice follow from the seed, in the match and in the next one with it. In a game with secrets the setup may say
    where everything began.
    """
    header = _header(replay)
    del header["seed"]
    header.pop("start", None)
    if game.information is Information.IMPERFECT:
        header["setup"] = {}
    return header


def words(game: Game, speaker: Speaker) -> dict[str, str]:
    """The sentences of the page, and all that are the game's own; their `{places}` are filled in the browser."""
    keys = [key for key in all_keys() if key.startswith(PAGE_WORDS)]
    programs = tuple(f"{command.name}." for command in game.commands)
    mine = [key for key in all_keys(game.catalogue) if not key.startswith(programs)]
    own = [key for key in mine if key.removeprefix(f"{game.name}.").partition(".")[0] not in OFF_PAGE]
    return {key: speaker.knowing(game.catalogue).say(key) for key in [*keys, *own]}


def standings(replay: Replay, game: Game, speaker: Speaker, end: State | None = None) -> list[dict[str, Any]]:
    """One line for each seat, the best place first; without the state at the `end` the replay is played for that.

    `place` is none in an unfinished match; `score` is none there too, and in a game without points. `fate` is a
    sentence, `faults` are counts by kind, `stopped` is the turn in which its program was stopped, `ended` the turn in
    which the program ended after the player was out, which is not a fault; `median` and `worst` are seconds of
    thinking.
    """
    seats = summarise(replay, end=end).seats
    return [
        {
            "seat": line.seat,
            "place": line.place,
            "score": line.score,
            "fate": speaker.knowing(game.catalogue).say(line.fate),
            "stopped": line.stopped.turn if line.stopped and not line.stopped.note else None,
            "ended": line.stopped.turn if line.stopped and line.stopped.note else None,
            "faults": dict(Counter(kind_word(fault) for fault in line.faults if not fault.note)),
            "median": _rounded(line.median),
            "worst": _rounded(line.worst),
        }
        for line in sorted(seats, key=lambda line: (line.place or 0, line.seat))
    ]


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, MICROSECOND)


def _seat(name: str, digest: str, language: str) -> dict[str, str]:
    return {"name": name, "digest": digest, "language": language}


def _viewers(game: Game, seats: int) -> list[int | None]:
    """The views of the match: the view of all (none), and one for each seat if a seat does not see everything."""
    if game.information is Information.PERFECT or seats > MAX_VIEWS:
        return [None]
    return [None, *range(seats)]


def _frames(game: Game, first: State, acted: Sequence[Moment], seat: int | None) -> list[Frame]:
    """The frame before the first turn, then one after each turn, as a seat sees them (none: everybody)."""
    nobody = [None] * len(acted[0].actions) if acted else []
    frames: list[Frame] = [game.frame(first, nobody, (), first, seat)]
    return frames + [game.frame(each.before, each.actions, each.events, each.after, seat) for each in acted]


def _changes(view: dict[str, Any]) -> dict[str, Any]:
    """A view's frames as the first, and what changes from each to the next."""
    frames = view["frames"]
    changes = [difference(old, new) for old, new in pairwise(frames)]
    return {"seat": view["seat"], "first": frames[0], "changes": changes}


def _said(move: Move, programs: Sequence[str]) -> str:
    """Where and why a program failed in this move, by what it wrote; `programs` are the seats' languages."""
    language = programs[move.seat] if move.seat < len(programs) else ""
    return first_words((fault for fault in move.faults if not fault.note), move.stderr, language)


def _moves(
    game: Game, acted: Sequence[Moment], speaker: Speaker, programs: Sequence[str]
) -> list[list[dict[str, Any]]]:
    """The moves of each turn, with what bots drew in them (at most `MAX_IN_PAGE` of them), and why one failed.

    Of what bots wrote, `MAX_READ` characters for each seat are read for that.
    """
    left, unread = MAX_IN_PAGE, MAX_READ * max(1, len(programs))
    turns = []
    for moment in acted:
        moves = []
        for move in moment.turn.moves:
            moves.append(_move(game, move, speaker))
            if move.faults and unread > 0 and (said := _said(move, programs)):
                moves[-1]["said"] = said
            unread -= len(move.stderr) if move.faults else 0
            if drawn := drawn_in(move)[:left]:
                moves[-1]["annotations"] = drawn
                left -= len(drawn)
        turns.append(moves)
    return turns


def _known_to(turns: list[list[dict[str, Any]]], frames: Sequence[Frame], seat: int) -> list[list[dict[str, Any]]]:
    """The moves as the author of a seat may know them: what others wrote besides is theirs alone."""

    def known(move: dict[str, Any], hidden: Sequence[int]) -> dict[str, Any]:
        if move["seat"] == seat:
            return move
        if move["seat"] in hidden:
            return {"seat": move["seat"]}
        return {name: value for name, value in move.items() if name not in PRIVATE}

    return [
        [known(move, frame.get("hidden", ())) for move in moves]
        for moves, frame in zip(turns, frames[1:], strict=True)
    ]


def _analysis_known_to(game: Game, analysis: Sequence[Analysis], seat: int) -> list[Analysis]:
    """The analysis as the author of a seat may know it, all of it for that seat's view.

    In a game with secrets it has no better lines: they are played from the true state.
    """
    if game.information is Information.PERFECT:
        return [each | {"seat": seat} for each in analysis if each.get("seat") in (None, seat)]
    own = [each for each in analysis if each.get("seat") == seat]
    return [
        each | {"points": [{key: point[key] for key in point if key != "line"} for point in each.get("points", ())]}
        for each in own
    ]


def _move(game: Game, move: Move, speaker: Speaker) -> dict[str, Any]:
    """A move as the replay has it, its faults in words; and `message`, what the bot said beside its action.

    A fault that is about time has `measured`: in sentences, what its time consisted of.
    """
    told: dict[str, Any] = msgspec.to_builtins(move)
    for each, fault in zip(move.faults, told.get("faults", ()), strict=False):
        if detail := speaker.knowing(game.catalogue).say_any(each.told):
            fault["detail"] = detail
        for name in ("values", "also"):
            fault.pop(name, None)
        known = {"charged": move.seconds, "cpu": move.cpu, "wall": move.wall, **fault.pop("proof", {})}
        if measured := proof_in_words(fault["kind"], known, speaker):
            fault["measured"] = measured
    if move.reply is not None and (said := game.message(move.reply)):
        told["message"] = said
    if move.seconds is not None:
        told["seconds"] = _rounded(move.seconds)
    return told


class _TooMuchError(Exception):
    """The seats were sent more than a page has room for."""


def _few(inputs: Iterable[dict[str, Any]], most: int) -> list[dict[str, Any]] | dict[str, str]:
    """The inputs of all turns, or of differences these; `ELSEWHERE` if that is more than `most` bytes as JSON."""
    kept = []
    try:
        for turn in inputs:
            most -= len(msgspec.json.encode(turn))
            if most < 0:
                return ELSEWHERE
            kept.append(turn)
    except _TooMuchError:
        return ELSEWHERE
    return kept


def _inputs(sent: Sent, acted: Sequence[Moment], only: int | None) -> Iterator[dict[str, list[str]]]:
    """The lines that each seat, or only one, was sent in each turn; nothing for a program that was not asked.

    Raises `_TooMuchError` behind so much that to look on would take long.
    """
    left = MAX_SENT
    for moment in acted:
        lines = {}
        for move in moment.turn.moves:
            if only in (None, move.seat) and (text := sent.with_move(moment, move)) is not None:
                left -= len(text)
                lines[str(move.seat)] = text.split("\n")
        if left < 0:
            raise _TooMuchError
        yield lines


def _input_changes(inputs: Iterable[dict[str, list[str]]]) -> Iterator[dict[str, Any]]:
    """The lines of each turn, each seat's compared with its lines before."""
    last: dict[str, list[str]] = {}
    for turn in inputs:
        yield {seat: difference(last.get(seat, []), lines) for seat, lines in turn.items()}
        last |= turn
