"""Which fault it was: one decision for everybody who waits for a player, and a code for each of its outcomes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.i18n.catalogue import LANGUAGES, all_keys, sentence
from dohyo.match import verdict
from dohyo.match.verdict import ANSWER, ANSWER_BEHIND, END_OF_TURN, LINE, Awaited, judge, ready
from tests.told import detail

EXIT = verdict.ended(3)


class Seen:
    """What is seen of a player that has no process: a person in a browser may be one."""

    def __init__(
        self,
        flooded: bool = False,
        stdout_open: bool = True,
        has_unsent: bool = False,
        partial: str = "",
        ending: int = 0,
        ended: Fault | None = None,
        ran_out: bool = False,
    ) -> None:
        self.flooded, self.stdout_open, self.has_unsent = flooded, stdout_open, has_unsent
        self.partial, self.ending = partial, ending
        self._ended, self._ran_out = ended, ran_out

    def how_it_ended(self) -> Fault | None:
        """Its end."""
        return self._ended

    def verdict(self, fault: Fault) -> Fault:
        """A sandbox's word."""
        return replace(fault, kind=FaultKind.MEMORY, code=FaultCode.MEMORY) if self._ran_out else fault


def code(seen: Seen, awaited: Awaited, came: bool, late: bool) -> str | None:
    """The code of what is judged; none for none."""
    fault = judge(seen, awaited, came, late)
    return None if fault is None else fault.code


@pytest.mark.parametrize("awaited", [ANSWER, ANSWER_BEHIND, LINE, END_OF_TURN, ready("READY")])
def test_the_same_is_judged_the_same_whatever_was_awaited(awaited: Awaited) -> None:
    """A flood, an end, a closed output and an end to come are told alike for everybody who waits."""
    assert code(Seen(flooded=True), awaited, False, False) == FaultCode.FLOOD
    assert code(Seen(stdout_open=False, ended=EXIT), awaited, False, False) == (
        None if awaited.is_end else FaultCode.EXIT
    )
    assert code(Seen(ended=EXIT), awaited, False, False) is None  # a process that it started may still answer
    assert code(Seen(ended=EXIT), awaited, False, True) == FaultCode.EXIT
    assert code(Seen(stdout_open=False), awaited, False, True) == FaultCode.CLOSED
    assert code(Seen(stdout_open=False, ending=1), awaited, False, True) is None
    assert code(Seen(ran_out=True), awaited, False, True) == FaultCode.MEMORY
    assert code(Seen(), awaited, False, False) is None
    assert code(Seen(), awaited, True, False) is None


class EndsMeanwhile(Seen):
    """A player that ends right after the first look at its end: then it is not ending any more."""

    looks = 0

    def __init__(self) -> None:
        super().__init__(stdout_open=False)
        self.ending = 0

    def how_it_ended(self) -> Fault | None:
        """None at the first look, an end at every other."""
        self.looks += 1
        return None if self.looks == 1 else EXIT

    @property
    def ending(self) -> int:
        """More time, as long as the end was not seen."""
        return 1 if self.looks == 0 else 0

    @ending.setter
    def ending(self, value: int) -> None:
        """Taken from the looks."""


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("awaited", [ANSWER, ANSWER_BEHIND, LINE, END_OF_TURN, ready("READY")])
def test_an_end_between_two_looks_is_awaited(awaited: Awaited, late: bool) -> None:
    """A process that ends while it is judged is not said to go on running: at the next look its end is seen."""
    assert judge(EndsMeanwhile(), awaited, False, late) is None


@pytest.mark.parametrize(
    ("awaited", "kind", "missing", "late"),
    [
        (ANSWER, FaultKind.TIMEOUT, FaultCode.NO_ANSWER, FaultCode.ANSWER_LATE),
        (ANSWER_BEHIND, FaultKind.TIMEOUT, FaultCode.BEHIND, FaultCode.ANSWER_LATE),
        (LINE, FaultKind.TIMEOUT, FaultCode.NO_LINE, FaultCode.ANSWER_LATE),
        (END_OF_TURN, FaultKind.TIMEOUT, FaultCode.NO_END, FaultCode.END_LATE),
        (ready("GO"), FaultKind.NOT_READY, FaultCode.NO_READY, FaultCode.READY_LATE),
    ],
)
def test_what_was_awaited_and_did_not_come(
    awaited: Awaited, kind: FaultKind, missing: FaultCode, late: FaultCode
) -> None:
    """What did not come, and what came too late, is told by what was awaited."""
    for came, expected in ((False, missing), (True, late)):
        seen = Seen(stdout_open=False, ended=EXIT) if came and awaited.is_end else Seen()
        fault = judge(seen, awaited, came, late=True)
        assert fault is not None
        assert (fault.kind, fault.code) == (kind, expected)


def test_what_stands_behind() -> None:
    """What was not read, what has no newline yet, and by which clock it was late, is told behind."""
    fault = judge(Seen(has_unsent=True, partial="RI"), ANSWER, came=False, late=True, by_watch=True)
    assert fault is not None
    assert detail(fault) == (
        "no answer in time, by the wall clock behind its own; it did not read its input; "
        "a line without its newline: 'RI'"
    )
    whole = judge(Seen(partial="RI"), END_OF_TURN, came=False, late=True)
    assert whole is not None
    assert not whole.also  # there, a line without its newline is an answer


@pytest.mark.parametrize("code", FaultCode)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence(code: FaultCode, language: str) -> None:
    """In every language, under its own name."""
    assert sentence(f"detail.{code}", language)
    assert f"detail.{code}" in all_keys()
