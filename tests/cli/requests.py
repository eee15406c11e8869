"""Everything that can be asked, for laws about all of it."""

from __future__ import annotations

from dohyo.bench.check.request import CheckRequest
from dohyo.core.asked import Request
from dohyo.guests.analysis.request import AnalyseRequest
from dohyo.guests.tune.request import TuneRequest
from dohyo.match.request import PlayRequest
from dohyo.series.request import CompareRequest, ContestRequest

# Each kind of request, and the command that asks for it.
REQUESTS: dict[type[Request], str] = {
    AnalyseRequest: "analyse",
    CheckRequest: "check",
    CompareRequest: "compare",
    ContestRequest: "contest run",
    PlayRequest: "play",
    TuneRequest: "tune",
}
