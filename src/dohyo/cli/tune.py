"""`dohyo tune`: better values for a bot's parameters, found by playing."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.cluster import Keys, PlainTcp, access_of
from dohyo.cli.options import (
    AsJson,
    ClockWord,
    Interpreter,
    Language,
    SandboxOption,
    Seats,
    Seed,
    Setup,
    Trust,
    Workers,
    application,
    check_workers,
    find_game,
    read_clock_terms,
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
ClusterAddress = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on a cluster, as tls://HOST:PORT (docs/scaling.md).")
]
Anew = Annotated[
    bool,
    typer.Option("--force", help="Begin again, in place of what --store has; --html may then replace any file."),
]


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
    force: Anew = False,
    as_json: AsJson = False,
    sandbox: SandboxOption = None,
    trust: Trust = False,
    lang: Language = None,
) -> int:
    """Find better values for a bot's parameters by playing, and show how much better they are."""
    from dohyo.app.play import new_seed
    from dohyo.app.tune.begin import Request, prepare
    from dohyo.app.tune.record import Record
    from dohyo.app.tune.tuning import Terms
    from dohyo.cli.overwriting import check_outputs
    from dohyo.cli.tune_output import TuningOutput

    _check_numbers(workers, final)
    check_outputs([("--html", html)], force, [("--store", store)])
    chosen, language = find_game("tune", game, [bot, *(against or ())]), str(lang)
    access = access_of(cluster, keys, plain_tcp)
    box = "none" if trust else sandbox or "auto"
    dice = None if seed is None else read_seed(seed)
    known = {"setup": dict(read_setup(setup or ())), **read_clock_terms(chosen, clock), "sandbox": box}
    terms = Terms(**known, matches=matches, batch=batch)
    request = Request(chosen, bot, param or [], against or [], terms, seats, dice, clock, python)
    with Record(store, force) as record:
        ready = prepare(request, sandbox_for(sandbox, trust, language), record, new_seed)
        return TuningOutput(ready, final, html, language, as_json).run(workers, access, python)


def _check_numbers(workers: int | None, final: int) -> None:
    """Raise `OperatorError` for impossible numbers."""
    check_workers(workers)
    if final < 0:
        raise OperatorError("tune-final", given=final)
