"""The kind of referee that a file of TOML names: a program that tells results as other arenas read them."""

from __future__ import annotations

from dohyo.core.external_referee import ExternalReferee
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.refereed import RefereeKind
from dohyo.guests.arenas.referees import match
from dohyo.guests.arenas.referees.file import read
from dohyo.guests.arenas.referees.terms import RefereeTerms
from dohyo.sandbox import Sandbox


class FileReferee(RefereeKind):
    """A program that a referee's file names."""

    def read(self, word: str) -> ExternalReferee:
        """The referee of this file. Raises `OperatorError` for what is wrong with it."""
        return read(word).referee

    def check(self, referee: ExternalReferee, sandbox: Sandbox) -> None:
        """Raise `OperatorError` if its program is not there."""
        match.check_referee(RefereeTerms.of(referee), sandbox)

    def play(self, order: MatchOrder, referee: ExternalReferee, sandbox: Sandbox, worker: str) -> MatchReport:
        """Have a match refereed."""
        return match.play_refereed(order, RefereeTerms.of(referee), sandbox, worker)

    def record(self, content: bytes) -> match.MatchRecord:
        """A record as it was kept. Raises `ValueError`, or as msgspec, for what is none."""
        return match.decode(content)


TOML = FileReferee()
