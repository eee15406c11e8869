"""`dohyo tune`: better values for a bot's parameters, found by playing."""

from __future__ import annotations

from typing import Annotated

from dohyo.cli.asking import asks
from dohyo.cli.options import application, find_game, sandbox_for, terms_of
from dohyo.core.asked import says
from dohyo.core.request_fields import AsJson, ClusterAddress, Keys, PlainTcp, Trust
from dohyo.guests.tune.request import TuneRequest
from dohyo.i18n import Speaker

app = application()

STORE = "tune.db"

EXAMPLES = """\b
Examples:
  dohyo tune wondev-woman mybot.py --param depth=1..6 --param risk=0.0..1.0
  dohyo tune drop-block "mybot.cpp --rate {rate}" --param rate=1e-4..1:log:default=0.01 --against hunter
  dohyo tune wondev-woman mybot.py --param mode=calm,bold --matches 1000 --html tune.html

The bot finds a value in its environment (DOHYO_PARAM_DEPTH), or in place of {depth} in its command line. The same
command again goes on where it was stopped. 'dohyo help docs/tune.md' explains."""


StoreFile = Annotated[str, says("Where all of it is kept, to go on with it.", "FILE")]
Page = Annotated[str | None, says("Write a page with plots of it.", "FILE")]
Anew = Annotated[
    bool,
    says("Begin again, in place of what --store has; --html may then replace any file."),
]


@asks(app, TuneRequest, epilog=EXAMPLES, usual="param against matches html store")
def tune(
    asked: TuneRequest,
    store: StoreFile = STORE,
    html: Page = None,
    cluster: ClusterAddress = None,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    force: Anew = False,
    as_json: AsJson = False,
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> int:
    """Find better values for a bot's parameters by playing.

    A final comparison says how much better they are.
    """
    from dohyo.cli.overwriting import check_outputs
    from dohyo.executors.choice import elsewhere
    from dohyo.guests.tune.begin import prepare
    from dohyo.guests.tune.output import TuningOutput
    from dohyo.guests.tune.record import Record
    from dohyo.guests.tune.tuning import Terms

    check_outputs([("--html", html)], force, [("--store", store)])
    chosen = find_game("tune", asked.game, [asked.bot, *asked.against])
    place = elsewhere(cluster, keys, plain_tcp)
    terms = Terms(**terms_of(asked, chosen), matches=asked.matches, batch=asked.batch)
    with Record(store, force) as record:
        ready = prepare(asked, chosen, terms, sandbox_for(asked.sandbox, trust, speaker), record)
        shown = TuningOutput(ready, asked.final, html, speaker, as_json)
        return shown.run(asked.workers, place, asked.python)
