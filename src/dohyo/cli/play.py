"""`dohyo play`: one match, its closing table, its replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo.cli.asking import asks
from dohyo.cli.options import Outputs, application, find_game, is_debug, sandbox_for
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import OUTPUT, AsJson, Faults, Force, Page, Saved, Trust, Watch
from dohyo.i18n import Speaker
from dohyo.match.request import ONWARD, PlayRequest
from dohyo.terminal.screen import Progress, TurnListener, note, print_json

if TYPE_CHECKING:
    from dohyo.bots.typed_words import Named
    from dohyo.core.bot_spec import BotSpec
    from dohyo.core.game import Game, State
    from dohyo.core.replay import Replay
    from dohyo.match.telling.summary import Summary

    Played = tuple[Replay, State | None, OperatorError | None]

app = application()

MAX_TRIES = 3  # of a match in which Dohyo itself was stopped

Until = Annotated[
    str | None, says("Play on until the first bot has such a match.", one_of=("fault", "loss", "win"), group=ONWARD)
]
Most = Annotated[
    int | None, says("With --until: give up after so many matches. Without it: 100.", "N", at_least=1, group=ONWARD)
]

Browser = Annotated[bool, says("With me among the bots: play at a page, in a browser of this machine.")]

EXAMPLES = """\b
Examples:
  dohyo play drop-block hunter random random random --watch
  dohyo play drop-block mine.cpp hunter random "python3 old.py" --seed 7 --save m.replay
  dohyo play drop-block hunter hunter mine.cpp random --from m.replay@120
  dohyo play drop-block hunter hunter mine.cpp random --from last@122 --first 2=U
  dohyo play drop-block hunter hunter mine.cpp random --from last@122 --first 2=U --first 2=R --times 40
  dohyo play wondev-woman mine.cpp git:HEAD --until loss
  dohyo play wondev-woman me climber --browser

A bot is a source file (built by itself), an executable, a folder with a bot.toml or command.txt, a quoted command
line, or the name of a sample bot ('dohyo games' lists them); me is you, me:30 you with 30 s for each turn."""


@asks(app, PlayRequest, epilog=EXAMPLES, usual="watch browser html save seed setup")
def play(
    asked: PlayRequest,
    save: Saved = None,
    html: Page = None,
    watch: Watch = False,
    until: Until = None,
    most: Most = None,
    faults: Faults = False,
    as_json: AsJson = False,
    strict: Annotated[bool, says("Exit with status 1 if any bot misbehaved.", group=OUTPUT)] = False,
    force: Force = False,
    trust: Trust = False,
    browser: Browser = False,
    *,
    speaker: Speaker,
) -> None:
    """Play one match: between bots, or yourself against them."""
    from dohyo.bots.typed_words import plain
    from dohyo.match.telling.summary import summarise

    _check(asked, watch, as_json, most, until, alone=not (save or html or watch or until or strict))
    chosen = find_game("play", asked.game, asked.bots)
    person = _person(asked, browser, {"--watch": watch, "--json": as_json, "--until": until, "--times": asked.times})
    options = _options(asked)
    if asked.times is not None:
        from dohyo.cli.play_ways import compare

        compare(asked, chosen, trust, as_json, speaker)
        return
    (outputs := Outputs(save, html, speaker, force)).check()
    options |= _taken_up(asked, chosen)
    options["sandbox"] = sandbox_for(asked.sandbox, trust, speaker)
    options["debug"] = is_debug(asked.build, asked.clock, speaker)
    bots = list(map(plain, asked.bots))  # what is there under a word's name is that hand-in from now on
    play_it: Callable[[], Played] = partial(_play, chosen, bots, options, outputs, watch)
    if person or until is not None:
        from dohyo.cli.play_people import play_otherwise

        one = partial(_play, chosen, bots)
        play_it = partial(play_otherwise, chosen, bots, options, outputs, person, browser, watch, until, most, one)
    replay, end, failed = play_it()
    summary = summarise(replay, faults, end)
    if not as_json and "first" in options:
        _tell_first(options["first"], summary.first, speaker)
    again = "repeated-by-seed" if asked.seed == summary.seed else "repeat-with-seed"  # --until may take a later one
    _tell(summary, chosen, outputs, faults, as_json, "" if person else again)
    if failed is not None:
        raise failed
    if strict and summary.has_faults:
        raise typer.Exit(1)


def _check(
    asked: PlayRequest, watch: bool, as_json: bool, most: int | None, until: str | None, *, alone: bool
) -> None:
    """Raise the `OperatorError` for options that do not go together; `alone`: nothing that --times cannot do."""
    if watch and as_json:
        raise OperatorError("watch-with-json")
    if most is not None and until is None:
        raise OperatorError("most-without-until", most=most)
    if asked.times is not None and not alone:
        raise OperatorError("times-alone")


def _options(asked: PlayRequest) -> dict[str, Any]:
    """What `play_match` is told of the request, whoever plays."""
    from dohyo.match.play import new_seed
    from dohyo.system.proc import fair_mode

    seed = new_seed() if asked.seed is None else asked.seed
    options = {"clock": asked.clock, "python": asked.python, "pondering": asked.pondering, "seed": seed}
    return options | {"mode": fair_mode(), "setup": asked.setup, "asks_where": True}


def _person(asked: PlayRequest, browser: bool, others: dict[str, object]) -> str:
    """The kind of person among the bots; empty where programs alone play. Raises `OperatorError`."""
    from dohyo.bots.typed_words import may_name_person

    if not browser and not any(map(may_name_person, asked.bots)):
        return ""
    from dohyo.cli.play_people import person_among

    return person_among(asked.bots, others, browser)


def _taken_up(asked: PlayRequest, game: Game) -> dict[str, Any]:
    """What `play_match` is told of --from and --first."""
    if asked.start is None and not asked.first:
        return {}
    from dohyo.cli.play_from import read_first, read_start

    lines = read_first(asked.first, asked.start)
    return {"first": lines, "resume": read_start(str(asked.start), game)}


def _tell_first(first: dict[int, str], then: int, speaker: Speaker) -> None:
    """Print what was played by --first, if anything; the bots were asked from turn `then` on."""
    if first:
        said = [speaker.say("first-action", seat=seat, action=line.strip()) for seat, line in first.items()]
        typer.echo(speaker.say("first-played", actions=speaker.listed(said), turn=then - 1, next=then))


def _play(
    game: Game, bots: Sequence[Named | BotSpec | str], options: dict[str, Any], outputs: Outputs, watch: bool
) -> tuple[Replay, State, OperatorError | None]:
    """Play the match with a listener, and write its files; after a signal, those of the match so far.

    A match in which Dohyo itself was stopped, and a bot late, is played again, unless somebody watched it.

    Returns the replay, the state after the last turn, and why a file could not be written, which is told when all
    that is known of the match has been printed.
    """
    from dohyo.match.play import Interrupted, play_match
    from dohyo.match.replays.last import keep
    from dohyo.match.telling.summary import is_no_verdict

    listening: AbstractContextManager[TurnListener]
    ends: list[State] = []
    if watch:
        from dohyo.terminal.watch import watching

        listening = watching(game, outputs.speaker)
    else:
        listening = Progress(outputs.speaker)
    try:
        with listening as listener:
            on_turn, on_progress = (listener.on_turn, None) if watch else (None, listener.on_turn)
            for tries in range(1, MAX_TRIES + 1):
                ends.clear()
                replay = play_match(
                    game, bots, on_turn=on_turn, on_progress=on_progress, on_end=ends.append, **options
                )
                if watch or tries == MAX_TRIES or not is_no_verdict(replay):
                    break
                note(outputs.speaker.say("play.again", seconds=f"{replay.disturbed:.1f}"))
            failed = None
            outputs.kept = keep(replay, bots)
            try:
                outputs.write(replay)
            except OperatorError as error:
                failed = error
            listener.finish(replay)
            return replay, ends[0], failed
    except Interrupted as interrupt:
        keep(interrupt.replay, bots)
        paths = outputs.write(interrupt.replay)
        sentence = ""
        if paths:
            played = interrupt.replay.played
            sentence = outputs.speaker.say("interrupted-saved", turns=played, paths=outputs.speaker.listed(paths))
        raise Ended(exit_status(interrupt), sentence) from interrupt


def _tell(summary: Summary, game: Game, outputs: Outputs, faults: bool, as_json: bool, again: str) -> None:
    """Print the closing table and where the files are; or all that as a JSON document.

    `again` is the key of the sentence on how the same match is played again; empty where people played.
    """
    if as_json:
        files = {"saved": outputs.save, "html": outputs.html}
        print_json(summary, {name: path if path in outputs.written else None for name, path in files.items()})
        return
    from dohyo.match.replays.last import WORD_FROM
    from dohyo.terminal.screen import console
    from dohyo.terminal.summary import advice_for_silence, busy_advice, is_silent, print_summary

    out, speaker = console(), outputs.speaker
    path = outputs.save if outputs.save in outputs.written else outputs.kept
    print_summary(summary, game, out, speaker)
    out.print()
    if faults or summary.has_faults_to_see or any(seat.wrote for seat in summary.seats):
        from dohyo.terminal.faults import tell_what_to_see

        tell_what_to_see(summary, game, out, speaker, path, in_full=faults)
    if sentence := busy_advice(summary, speaker):
        out.print(sentence, soft_wrap=True)
    for seat in summary.seats:
        if is_silent(seat):
            out.print(advice_for_silence(seat, game, speaker), soft_wrap=True)
    if outputs.kept == WORD_FROM:
        out.print(speaker.say("kept-from"))
    if again:
        out.print(speaker.say(again, seed=summary.seed))
    if outputs.save in outputs.written:
        out.print(speaker.say("saved", path=outputs.save))
    if outputs.html in outputs.written:
        out.print(speaker.say("saved-html", path=outputs.html))
