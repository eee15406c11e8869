"""`dohyo tune`: better values for a bot's parameters, found by playing."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.many_matches import GameWord, ManyMatches, with_many_matches
from dohyo.cli.options import ClusterAddress, Keys, PlainTcp, application, read_seed
from dohyo.core.errors import OperatorError

app = application()

STORE = "tune.db"
MATCHES, BATCH, FINAL = 500, 10, 100

EXAMPLES = """\b
Examples:
  dohyo tune wondev-woman mybot.py --param depth=1..6 --param risk=0.0..1.0
  dohyo tune drop-block "mybot.cpp --rate {rate}" --param rate=1e-4..1:log:default=0.01 --against hunter
  dohyo tune wondev-woman mybot.py --param mode=calm,bold --matches 1000 --html tune.html

The bot finds a value in its environment (DOHYO_PARAM_DEPTH), or in place of {depth} in its command line. The same
command again goes on where it was stopped. 'docs/tune.md' explains."""


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
Anew = Annotated[
    bool,
    typer.Option("--force", help="Begin again, in place of what --store has; --html may then replace any file."),
]


@app.command(epilog=EXAMPLES)
@with_many_matches
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
    cluster: ClusterAddress = None,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    force: Anew = False,
    *,
    many: ManyMatches,
) -> int:
    """Find better values for a bot's parameters by playing, and show how much better they are."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.executors.choice import elsewhere
    from dohyo.guests.tune.begin import Request, prepare
    from dohyo.guests.tune.output import TuningOutput
    from dohyo.guests.tune.record import Record
    from dohyo.guests.tune.tuning import Terms
    from dohyo.match.play import new_seed

    if final < 0:
        raise OperatorError("tune-final", given=final)
    check_outputs([("--html", html)], force, [("--store", store)])
    chosen = many.find("tune", game, [bot, *(against or ())])
    place = elsewhere(cluster, keys, plain_tcp)
    dice = None if many.seed is None else read_seed(many.seed)
    terms = Terms(**many.terms(chosen), matches=matches, batch=batch)
    request = Request(chosen, bot, param or [], against or [], terms, many.seats, dice, many.clock, many.python)
    with Record(store, force) as record:
        ready = prepare(request, many.box(), record, new_seed)
        shown = TuningOutput(ready, final, html, many.language, many.as_json)
        return shown.run(many.workers, place, many.python)
