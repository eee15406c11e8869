"""`dohyo tune`: better values for a bot's parameters, found by playing."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dohyo.cli.cluster import Keys, PlainTcp, access_of
from dohyo.cli.options import (
    ClockWord,
    Force,
    Interpreter,
    Language,
    SandboxOption,
    Setup,
    Trust,
    application,
    check_outputs,
    find_game,
    new_seed,
    read_seed,
    read_setup,
    sandbox_for,
)
from dohyo.core.errors import OperatorError

app = application()

STORE = "tune.jsonl"
MATCHES, BATCH, FINAL = 500, 10, 100

EXAMPLES = """\b
Examples:
  dohyo tune wondev-woman mybot.py --param depth=1..6 --param risk=0.0..1.0
  dohyo tune drop-block "mybot.cpp --rate {rate}" --param rate=1e-4..1:log:default=0.01 --against hunter
  dohyo tune wondev-woman mybot.py --param mode=calm,bold --matches 1000 --html tune.html

The bot finds a value in its environment (DOHYO_PARAM_DEPTH), or in place of {depth} in its command line. The same
command again goes on where it was stopped. 'docs/tune.md' explains."""


GameWord = Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")]
BotWord = Annotated[str, typer.Argument(metavar="BOT", help="The bot whose parameters are tuned.")]
Params = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=RANGE", help="A parameter: LOW..HIGH[:log], or words. May be repeated."),
]
Against = Annotated[
    list[str] | None,
    typer.Option(metavar="BOT", help="An opponent. May be repeated. Without it: the bot with its defaults."),
]
Matches = Annotated[int, typer.Option(metavar="N", help="How many matches candidates play in all.")]
Batch = Annotated[int, typer.Option(metavar="N", help="How many candidates are chosen at once.")]
Final = Annotated[int, typer.Option(metavar="N", help="Pairs of the final comparison with the defaults; 0: none.")]
StoreFile = Annotated[str, typer.Option(metavar="FILE", help="Where all of it is kept, to go on with it.")]
Page = Annotated[str | None, typer.Option(metavar="FILE", help="Write a page with plots of it.")]
Seats = Annotated[int | None, typer.Option(metavar="N", help="Seats of a match, where the game lets choose.")]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Matches at once. Without it: one a core.")]
ClusterAddress = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on a cluster, as tls://HOST:PORT (docs/scaling.md).")
]
Seed = Annotated[str | None, typer.Option(metavar="N", help="Decides the dice. Without it: a new one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@app.command(epilog=EXAMPLES)
def tune(
    game: GameWord,
    bot: BotWord,
    param: Params = None,
    against: Against = None,
    matches: Matches = MATCHES,
    batch: Batch = BATCH,
    final: Final = FINAL,
    store: StoreFile = STORE,
    html: Page = None,
    seats: Seats = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    seed: Seed = None,
    setup: Setup = None,
    clock: ClockWord = None,
    python: Interpreter = None,
    force: Force = False,
    as_json: AsJson = False,
    sandbox: SandboxOption = None,
    trust: Trust = False,
    lang: Language = None,
) -> int:
    """Find better values for a bot's parameters by playing, and show how much better they are."""
    from dohyo.app.tune.begin import Request, prepare
    from dohyo.app.tune.record import Record
    from dohyo.app.tune.tuning import Terms
    from dohyo.cli.tune_output import TuningOutput

    _check_numbers(workers, final)
    check_outputs([("--html", html)], force, [("--store", store)])
    chosen, language = find_game("tune", game, [bot, *(against or ())]), str(lang)
    access = access_of(cluster, keys, plain_tcp)
    box = "none" if trust else sandbox or "auto"
    dice = None if seed is None else read_seed(seed)
    known = {"setup": dict(read_setup(setup or ())), **_clock(chosen, clock), "sandbox": box}
    terms = Terms(**known, matches=matches, batch=batch)
    request = Request(chosen, bot, param or [], against or [], terms, seats, dice, clock, python)
    with Record(store) as record:
        ready = prepare(request, sandbox_for(sandbox, trust, language), record, new_seed)
        return TuningOutput(ready, final, html, language, as_json).run(workers, access, python)


def _check_numbers(workers: int | None, final: int) -> None:
    """Raise `OperatorError` for impossible numbers."""
    if workers is not None and workers < 1:
        raise OperatorError("compare-workers", given=workers)
    if final < 0:
        raise OperatorError("tune-final", given=final)


def _clock(game: Any, clock: str | None) -> dict[str, Any]:
    """The terms' clock: `fair` if the system can measure it, unless the operator says otherwise."""
    from dohyo.app.clocks import fair_mode, read_clock

    mode = fair_mode()
    return {"clock": None if clock is None else read_clock(game, clock, mode=mode), "mode": mode}
