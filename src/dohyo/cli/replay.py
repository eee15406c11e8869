"""`dohyo replay`: a recorded match as a table, in the terminal or as a page; and whether it follows the rules."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.options import Outputs, application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import title_in
from dohyo.core.request_fields import AsJson, Faults, Force, Page, ReplayWord, VerifyMoves, Watch
from dohyo.i18n import Speaker
from dohyo.terminal.screen import console, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.match.telling.summary import Summary
    from dohyo.terminal.faults import KeptReplay

app = application()

FORMS = "Exactly what is in it"  # the heading of options

STANDARD_OUTPUT = "-"

EXAMPLES = """\b
Examples:
  dohyo replay m.replay --watch
  dohyo replay last --browser
  dohyo replay m.replay --html for-ada.html --seat 1
  dohyo replay m.replay --inputs 0 > in.txt
  dohyo replay m.replay --inputs 0 --turn 12

--inputs prints what a seat was sent, for ./mybot < in.txt. 'dohyo rerun' feeds it to a bot and compares answers."""

Seat = Annotated[
    str | None,
    says("With --html: a page for this seat's author, who may see no more than it did.", "SEAT"),
]
Serve = Annotated[
    bool,
    says(
        "Until Ctrl-C, give the page to browsers of this machine; its button analyses the match.",
        option="--browser --serve",  # the first as in other commands, the second as it was called before
    ),
]
Against = Annotated[
    list[str] | None,
    says("With --browser: a bot to play on against, beside the samples. May be repeated.", "BOT", option="--against"),
]
Copy = Annotated[str | None, says("Write the replay to a file of its own.", "FILE")]
Inputs = Annotated[
    str | None, says("Print exactly the bytes that this seat was sent, and nothing else.", "SEAT", group=FORMS)
]
Lines = Annotated[
    str | None, says("Write it as JSON Lines, with states and inputs; - prints them.", "FILE", group=FORMS)
]
Pgn = Annotated[str | None, says("Write a match of chess as a game in PGN; - prints it.", "FILE", group=FORMS)]


@asks(app, epilog=EXAMPLES, usual="html seat save serve against watch verify")
def replay(
    file: ReplayWord,
    verify: VerifyMoves = False,
    html: Page = None,
    save: Copy = None,
    seat: Seat = None,
    serve: Serve = False,
    against: Against = None,
    watch: Watch = False,
    faults: Faults = False,
    as_json: AsJson = False,
    inputs: Inputs = None,
    turn: Annotated[int | None, says("With --inputs: only those of this turn.", "T", group=FORMS)] = None,
    jsonl: Lines = None,
    pgn: Pgn = None,
    force: Force = False,
    *,
    speaker: Speaker,
) -> None:
    """Look at a recorded match, verify it, watch it, make it a page."""
    from dohyo.match.replays.last import is_meant
    from dohyo.terminal.faults import KeptReplay

    alone = {"--browser": "" if serve else None, "--jsonl": jsonl, "--pgn": pgn, "--inputs": inputs}
    if asked := [(option, word) for option, word in alone.items() if word is not None]:
        others = verify or watch or faults or as_json or html is not None or seat is not None or save is not None
        if len(asked) > 1 or others or (turn is not None and inputs is None):
            raise OperatorError("option-alone", option=asked[0][0])
        _do_alone(*asked[0], _found(file), turn, force, speaker, against or [])
        return
    if against:
        raise OperatorError("against-without-serve")
    if turn is not None:
        raise OperatorError("turn-without-inputs")
    if seat is not None and html is None:
        raise OperatorError("seat-without-html")
    if html is not None and Path(html).resolve() == Path(file).resolve():
        raise OperatorError("html-over-replay", path=file)
    outputs = Outputs(save, html, speaker, force)
    outputs.source = file if not is_meant(file) else save
    outputs.check()
    match = _found(file)
    if seat is not None:
        from dohyo.match.replays.recorded import seat_of

        outputs.seat = seat_of(seat, match.header)
    kept = KeptReplay.under(file)
    look_at(match, file, outputs, verify=verify, watch=watch, faults=faults, as_json=as_json, kept=kept)


def _found(file: str) -> Replay:
    """The replay that is named. Raises `OperatorError`: of a contest's store, with the command that shows a match."""
    import shlex

    from dohyo.match.files import SQLITE
    from dohyo.match.replays import replays

    try:
        return replays.find(file)
    except ReplayError as error:
        with suppress(OSError), open(file, "rb") as opened:
            if opened.read(len(SQLITE)) == SQLITE:
                raise OperatorError("replay-of-store", path=file, typed=shlex.quote(file)) from error
        raise


def _do_alone(
    option: str,
    word: str,
    match: Replay,
    turn: int | None,
    force: bool,
    speaker: Speaker,
    against: Sequence[str],
) -> None:
    """Do what is asked for alone; `word` is what was typed after the option."""
    if option == "--browser":
        serve_page(match, speaker, against)
    elif option == "--jsonl":
        _write_lines(match, word, force, speaker)
    elif option == "--pgn":
        write_pgn(match, word, force, speaker)
    else:
        _print_inputs(match, word, turn, speaker)


def serve_page(match: Replay, speaker: Speaker, against: Sequence[str] = ()) -> None:
    """Serve the page until a signal comes, which is raised when nothing runs any more.

    From its turns one can play on `against` these bots, too.
    """
    from dohyo.bots.typed_words import plain
    from dohyo.match.replays import last
    from dohyo.web.served.playing import name_of
    from dohyo.web.served.server import PageServer

    known = {name_of(bot): bot for bot in map(plain, against)}
    with closing(PageServer(match, speaker, known=known, keep=last.keep)) as server:
        typer.echo(speaker.say("served-at"))
        typer.echo(f"  {server.address}")  # alone on its line, where a terminal makes it a link
        server.serve_forever()


def _write_lines(match: Replay, path: str, force: bool, speaker: Speaker) -> None:
    """Write the match as JSON Lines, to a file that is not there yet, or to the standard output."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.match import own_games
    from dohyo.match.files import write_pieces
    from dohyo.match.replays.replay_lines import lines

    pieces = lines(own_games.find(match.header.game), match)
    if path == STANDARD_OUTPUT:
        sys.stdout.writelines(pieces)
        return
    check_outputs([("--jsonl", path)], force)
    write_pieces(path, pieces)
    console().print(speaker.say("saved-lines", path=path))


def write_pgn(match: Replay, path: str, force: bool, speaker: Speaker, ended: float | None = None) -> None:
    """Write a match as a game in PGN, to a file that is not there yet, or to the standard output.

    When it `ended` (from 1970) is not in the replay; who knows it has the day among the tags.
    """
    from dohyo.match import own_games
    from dohyo.series.exports.pgn import with_day

    game = own_games.find(match.header.game)
    if game.pgn is None:
        raise OperatorError("pgn-none", game=game.name)
    text = with_day(game.pgn(match), ended)
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    from dohyo.cli.overwriting import check_outputs
    from dohyo.match.files import write_whole

    check_outputs([("--pgn", path)], force)
    write_whole(path, text.encode())
    console().print(speaker.say("saved-pgn", path=path))


def _print_inputs(match: Replay, word: str, turn: int | None, speaker: Speaker) -> None:
    """Write what a seat was sent to the standard output, byte for byte; on standard error, what is not in it."""
    from dohyo import clean
    from dohyo.match import own_games
    from dohyo.match.replays import recorded
    from dohyo.match.replays.sent import TEXT, Sent, kind_that_spoke

    game, seat = own_games.find(match.header.game), recorded.seat_of(word, match.header)
    sent = Sent(game, match)
    if turn is not None:
        pieces = iter([recorded.input_of_turn(game, match, seat, turn, sent)])
    else:
        pieces = recorded.inputs(game, match, seat, sent=sent)
    out = sys.stdout.buffer
    for piece in pieces:
        # What servers said besides is in what the others were sent: it must not command a terminal.
        is_shown = sent.protocols[seat] != TEXT and out.isatty()
        out.write(clean.block(piece.decode("utf-8", "replace")).encode() if is_shown else piece)
    out.flush()
    kind = kind_that_spoke(sent.protocols[seat])
    if kind is not None and kind.unsaid and turn is None:
        typer.echo(speaker.say(kind.unsaid, seat=seat), err=True)


def look_at(
    match: Replay,
    name: str,
    outputs: Outputs,
    *,
    verify: bool,
    watch: bool,
    faults: bool,
    as_json: bool,
    kept: KeptReplay | None = None,
) -> None:
    """Show a match called `name` in every requested way; `kept` says how it is kept, for commands that are named."""
    from dohyo.match import own_games
    from dohyo.match.replays import replays
    from dohyo.match.telling.summary import summarise

    speaker = outputs.speaker
    if watch and as_json:
        raise OperatorError("watch-with-json")
    game = own_games.find(match.header.game)
    turns = replays.verify(match) if verify else None
    if watch:
        outputs.write(match)
        from dohyo.terminal.watch import watching

        with watching(game, speaker) as viewer:
            viewer.play(match)
        return
    failed = None
    try:
        outputs.write(match)
    except OperatorError as error:  # told when all that is known has been printed
        failed = error
    summary = summarise(match, with_inputs=faults)
    if as_json:
        print_json(
            summary, {"verified_turns": turns, "html": outputs.html if outputs.html in outputs.written else None}
        )
    else:
        _tell(match, summary, name, outputs, turns, faults, kept)
    if failed is not None:
        raise failed


def _tell(
    match: Replay,
    summary: Summary,
    name: str,
    outputs: Outputs,
    turns: int | None,
    faults: bool,
    kept: KeptReplay | None,
) -> None:
    """Print what was asked for, and where the files are; `turns` were verified, if any were."""
    from dohyo.match import own_games

    out, game, speaker = console(), own_games.find(match.header.game), outputs.speaker
    path = "" if kept is None or kept.save else kept.word  # of a replay in a store there is none
    if turns is not None:
        key = "verified-unfinished" if match.result.unfinished else "verified"
        out.print(speaker.say(key, path=name, turns=turns))
    if faults:
        from dohyo.terminal.faults import KeptReplay, print_faults

        print_faults(summary, game, out, speaker, kept or KeptReplay())
    if not (turns is not None or faults or outputs.html or outputs.save):
        _print_match(match, summary, game, out, speaker)
        if summary.has_faults_to_see:
            out.print("\n" + speaker.say("see-faults" if path else "see-faults-unsaved", path=path))
        if any(seat.wrote for seat in summary.seats):
            from dohyo.terminal.faults import tell_standard_error

            out.print()
            tell_standard_error(summary, path, out, speaker)
    if outputs.save in outputs.written:
        out.print(speaker.say("saved", path=outputs.save))
    if outputs.html in outputs.written:
        out.print(speaker.say("saved-html", path=outputs.html))


def _print_match(match: Replay, summary: Summary, game: Game, out: Console, speaker: Speaker) -> None:
    """What is known of the match, and its closing table."""
    from dohyo.match.telling.words import clock_name
    from dohyo.terminal.summary import print_summary

    header = match.header
    out.print(
        speaker.say(
            "fact.replay",
            title=title_in(game, speaker),
            rules=header.rules,
            clock=clock_name(header.clock, speaker),
            seed=header.seed,
            software=header.software,
        )
    )
    changed = {option.name: option.default for option in game.options}
    chosen = [f"{key}={value}" for key, value in header.setup.items() if changed.get(key) != value]
    if chosen:
        out.print(speaker.say("fact.setup", setup=" ".join(chosen)))
    if header.start is not None:
        out.print(speaker.say("fact.resumed", turn=header.first))
    out.print()
    print_summary(summary, game, out, speaker)
