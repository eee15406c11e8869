"""What a seat can know: states that fit all that it was told, for any game, in the rules' common language.

Theory of operation
-------------------
A `Belief` keeps worlds, states that may be the true one. When its seat is told something, one of the worlds of its
turn before is drawn and played on: its own action is known, the others do what their policy says, dice are rolled
anew, until the seat is asked again. A world stays if the seat would have been sent just this text there. So worlds
are drawn as likely as they are, under that policy, given what the seat was told; and nothing else goes into them:
neither the true state, nor its dice. This is a particle filter with rejection. Where a deal shows so much that one
rolled anew hardly ever fits, one that fits is put together number by number, and what it leaves open is drawn anew
(`redealing.py`); then worlds are only about as likely as they are. No game needs a line of code for it.

Source: Silver and Veness, Monte-Carlo planning in large POMDPs (NIPS 2010), section 3.2.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dohyo.core.cheap_random import below
from dohyo.core.flat import Layout, flat
from dohyo.core.game import Game, State
from dohyo.core.observation import Observation
from dohyo.core.options import resolve
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.search.backend import Function, PlainBackend, field, parts_of, plain_states, put_field, whole, workspace_of
from dohyo.search.of_program import backend_of
from dohyo.search.playout import PLAYED
from dohyo.search.redealing import Deal, closest, redeals
from dohyo.search.uct import end_of

# The names that are left open here: the rules', the protocol's `prompt`, and `put`, see `dohyo.search.playout`.
acts: Any = None
is_legal: Any = None
candidates: Any = None
policy: Any = None
taken: Any = None
needs_dice: Any = None
roll: Any = None
deal: Any = None
step: Any = None
over: Any = None
prompt: Any = None
put: Any = None

NONE = -1
WORLDS = 64  # that are kept
ENOUGH = 8  # worlds; with fewer there is doubt
MAX_TRIES = 200_000, 1_000  # in a turn, compiled and in plain Python
FIRST = 5  # times as many for the first worlds: all that is hidden at the start has to fit
PART = 10  # after this part of a turn's tries a few worlds are enough, and a deal is looked for number by number
MAX_CHANGES = 5_000  # of a deal
LED = 10  # ways that the others' first turns may have gone, for a deal
SOME = 500, 20  # tries between two looks at the clock, compiled and in plain Python
CONCEDING = 20  # of 100 others' actions, where nothing else leads on
MAX_ALONE = 1000  # turns of others between two turns of the seat


def known_layout(prompt_bytes: int) -> Layout:
    """The fields of what a seat has done and was told, and of how the search for worlds goes on."""
    return Layout(
        "KnownToSeat",
        ("seat", "i8", 0),
        ("action", "i8", 0),  # what it has done; -1 before its first turn
        ("concedes", "i8", 0),  # 1: its action is one that is always accepted and never offered
        ("concession", "i8", 0),  # the one that others may choose; -1: there is none
        ("conceding", "i8", 0),  # so many of 100 others' actions are that one
        ("tries", "i8", 0),  # that may be made
        ("early", "i8", 0),  # after so many of them, a few worlds are enough
        ("tried", "i8", 0),
        ("made", "i8", 0),  # worlds that were found
        ("closest", "i8", 0),  # bytes at the beginning of what it was sent that were right in the closest world
        ("length", "i8", 0),  # of what it was sent
        ("sent", "i2", prompt_bytes),
        ("text", "i2", prompt_bytes),  # what it would be sent in the world in hand
    )


@flat
def find_worlds(
    worlds: Any, count: int, found: Any, wanted: int, some: int, states: Any, source: Any, scratch: Any, known: Any
) -> int:
    """Make `some` tries to fill `found` with worlds that may follow on the first `count` worlds; 0: that is all."""
    for _ in range(some):
        if known.made >= wanted or known.tried >= known.tries:
            return 0
        if known.made >= ENOUGH and known.tried >= known.early:
            return 0
        known.tried += 1
        put(states, PLAYED, worlds, below(scratch, count))
        s = states[PLAYED]
        if until_asked(s, source, scratch, known):
            right = right_bytes(s, known, known.text)
            known.closest = max(known.closest, right)
            if right == known.length + 1:
                put(found, known.made, states, PLAYED)
                known.made += 1
    return 1


@flat
def until_asked(s: Any, source: Any, scratch: Any, known: Any) -> bool:
    """Play the seat's action, and on until it is asked again; whether it is."""
    if known.action != NONE:
        if known.concedes == 0 and not is_legal(s, known.seat, known.action):
            return False
        if not play_turn(s, scratch, known):
            return False
    for _ in range(MAX_ALONE):
        while not over(s) and needs_dice(s):
            roll(s, source, scratch.dice)
            deal(s, scratch.dice, None)
        if over(s):
            return False
        if acts(s, known.seat):
            return True
        if not play_turn(s, scratch, known):
            return False
    return False


@flat
def play_turn(s: Any, scratch: Any, known: Any) -> bool:
    """Play a turn: the seat's action as it was, the others' by the policy; false if one of them can do nothing."""
    for seat in range(scratch.seats):
        if seat == known.seat:
            scratch.actions[seat] = known.action
        elif acts(s, seat):
            if known.conceding > 0 and below(scratch, 100) < known.conceding:
                scratch.actions[seat] = known.concession
            else:
                count = candidates(s, seat, scratch.options)
                if count == 0:
                    return False
                answer = policy(s, seat, scratch.options, count, scratch)
                scratch.actions[seat] = taken(s, seat, answer, scratch.options)
    step(s, scratch.actions, None)
    return True


@flat
def is_as_told(s: Any, known: Any, text: Any) -> bool:
    """Whether the seat would have been sent just this in a state in which it acts."""
    return right_bytes(s, known, text) == known.length + 1  # type: ignore[no-any-return]


@flat
def right_bytes(s: Any, known: Any, text: Any) -> int:
    """How many bytes at the beginning of what the seat was sent are right in a state; one more if that is all."""
    length = prompt(s, known.seat, text)
    same = 0
    while same < length and same < known.length and text[same] == known.sent[same]:
        same += 1
    return same + 1 if same == length and same == known.length else same


class Belief:
    """What one seat can know of a match, turn by turn: `worlds`, states that may be the true one, for any search.

    In each of its turns, `observe` takes what the seat is sent and returns the worlds; `act` takes what it does then.
    `follow` does both with a replay, by what the seat was sent in it. A world is drawn as likely as it is if the
    others play by `policy(s, seat, options, count, luck)`, a flat function, by default any legal action. Two matches
    in which the seat was told the same, and did the same, have the same worlds, whatever is hidden from it.

    `setup` is what the seat knows of the match's setup; for a match that began elsewhere, `starts` are states one of
    which it may have begun with, before any dice. At most `size` worlds are kept; one may be there several times.
    At most `tries` tries are made in a turn, five times as many in the first one; by default 200,000 compiled, and
    1,000 in plain Python. The same seed and tries find the same worlds, compiled or not.

    It may find none: then `is_lost` is true from there on, and `worlds` is empty. `is_doubtful` says that in some
    turn fewer than 8 were found (all later ones descend from these), and true ones may well be missing; `fitted` and
    `tried` are the last turn's numbers. That happens where a prompt tells little of much that is hidden, so that few
    guesses fit, or where the others did what `policy` never does.

    Raises `ValueError` for what is not a flat function, `OperatorError` for a setup that the game does not have, and
    for `compiled` without the extra `fast`.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        seat: int,
        *,
        setup: Mapping[str, Any] | None = None,
        starts: Iterable[State] | None = None,
        policy: Function | None = None,
        compiled: bool = False,
        size: int = WORLDS,
        tries: int | None = None,
        seed: int = 0,
    ) -> None:
        if not 0 <= seat < seats or size < 1:
            raise ValueError(f"there is no seat {seat} among {seats}, or no room for a world")
        self.game, self.seats, self.seat, self.size = game, seats, seat, size
        self._layout = game.rules.LAYOUT
        self._backend = backend_of(compiled)
        kind = int(isinstance(self._backend, PlainBackend))
        self._tries, self._some = tries or MAX_TRIES[kind], SOME[kind]
        parts = parts_of(game, seats, None, policy, None)
        parts |= {name: getattr(game.rules, name) for name in ("needs_dice", "roll", "deal", "is_legal")}
        self._find = self._backend.over(self._layout, find_worlds, {**parts, "prompt": game.protocol.prompt})
        self._workspace = workspace_of(self._backend, game, seats, seed)
        self._known = self._backend.blank(known_layout(game.protocol.PROMPT_BYTES), 1)[0]
        self._spare = self._backend.blank(self._layout, size)
        if starts is None:
            starts = [game.new_state(resolve(game.options, setup or {}, game.catalogue), seats)]
        known_starts = plain_states(self._layout, starts)
        self._start = known_starts[0]
        row = whole(self._backend, game, seats, known_starts, before_dice=True)
        self._rows = self._backend.worlds(self._layout, row)
        self._count = len(self._rows)
        concession = next(iter(game.rules.CONCESSIONS), NONE)
        self._set(seat=seat, action=NONE, concession=concession)
        self._is_asked, self._is_first = False, True
        self.is_lost = self.is_doubtful = False
        self.fitted = self.tried = 0
        self.worlds: list[State] = []
        self._find(self._rows, 0, self._spare, 0, 0, *self._workspace, self._known)  # compiles, tries nothing

    def observe(
        self, told: Observation | bytes | str, *, seconds: float | None = None, until: float | None = None
    ) -> list[State]:
        """The seat's next turn has come, and it is told this; returns the worlds in which it would be.

        `told` is a bot's observation, or the text that the seat is sent. It takes at most `seconds`, or lasts `until`
        a moment of `time.monotonic`; without these the tries are the only limit. Raises `ValueError` if the seat's
        action in the turn before is missing: see `act`.
        """
        if self._is_asked:
            raise ValueError("what did the seat do in its turn before? Say it by `act`")
        end = end_of(seconds, until, self._tries)
        self._is_asked = True
        if not self.is_lost:
            self._look(self._text(told), end)
        self._is_first = False
        return self.worlds

    def act(self, action: int | str) -> None:
        """The seat does this, by its number or its text, in the turn that it was told of last.

        After a mistake of the bot it is what the game has put in its place. Raises `ValueError` for what is no action
        of the game, and if the seat was not asked.
        """
        if not self._is_asked:
            raise ValueError("the seat was not asked: first comes `observe`")
        number = self.game.protocol.read(action) if isinstance(action, str) else action
        concedes = number in self.game.rules.CONCESSIONS
        if number is None or not (concedes or 0 <= number < self.game.rules.ACTIONS):
            raise ValueError(f"{action!r} is no action of {self.game.name}")
        self._set(action=number, concedes=int(concedes))
        self._is_asked = False

    def follow(self, replay: Replay) -> Iterator[int]:
        """The seat's turns in a replay, by number, each after `worlds` are those that it could take for true then.

        Of the match only what the seat was sent and what it did are used. Raises `ReplayError` for a replay that does
        not follow from the rules, `ValueError` for one with other seats.
        """
        if len(replay.header.seats) != self.seats:
            raise ValueError(f"the replay has {len(replay.header.seats)} seats, and not {self.seats}")
        for moment in moments(self.game, replay):
            action = moment.actions[self.seat]
            if action is not None:
                self.observe(self.game.prompt(moment.before, self.seat))
                yield moment.turn.turn
                self.act(action)

    # --- the search for worlds

    def _look(self, sent: bytes, end: float) -> None:
        """Make the worlds of a turn from those before it."""
        row, length = field(self._known, "sent"), len(sent)
        if length > len(row):  # longer than anything that the game says
            length = len(row) + 1
        else:
            row[:length] = list(sent)
        self._set(length=length, made=0, conceding=0)
        tries = self._tries * (FIRST if self._is_first else 1)
        some = tries // PART if self._is_first else tries
        self.tried = self._try(some, end, early=tries // PART)
        if self._is_first and self._has_few(end) and not self._redeal(end):
            self.tried += self._try(tries, end)
        if self._known_number("concession") != NONE and self._has_few(end):
            self._set(conceding=CONCEDING)
            self.tried += self._try(tries // PART + 1, end)
        self.fitted = int(self._known_number("made"))
        self.is_lost = self.fitted == 0
        self.is_doubtful = self.is_doubtful or self.fitted < ENOUGH
        if self._is_first:
            self._rows = self._backend.blank(self._layout, self.size)
        self._rows, self._spare, self._count = self._spare, self._rows, self.fitted
        self.worlds = self._plain()

    def _has_few(self, end: float) -> bool:
        """Whether more worlds are needed, and there is time."""
        return self._known_number("made") < ENOUGH and time.monotonic() < end

    def _try(self, tries: int, end: float, early: int = 0) -> int:
        """Make at most so many tries; returns how many were made."""
        self._set(tries=tries, early=early, tried=0)
        given = self._rows, self._count, self._spare, self.size, self._some, *self._workspace, self._known
        while self._find(*given) and time.monotonic() < end:
            pass
        return int(self._known_number("tried"))

    def _redeal(self, end: float) -> bool:
        """Make the first worlds of a deal that shows the seat what it was told, and draw anew what that leaves open.

        Whether that worked: enough were found.
        """
        if self._count > 1 or not self.game.rules.needs_dice(self._start):
            return False
        one, made = self._backend.blank(self._layout, 1), 0

        def same(deal: Deal, at: int = 0) -> int:
            state = self._layout.copy(self._start)
            self.game.rules.deal(state, list(deal), None)
            one[0] = self._backend.worlds(self._layout, [state])[0]
            self._set(made=at, closest=0, tries=LED, early=LED, tried=0)
            self._find(one, 1, self._spare, at + 1, LED, *self._workspace, self._known)
            self.tried += int(self._known_number("tried"))
            return int(self._known_number("closest"))

        given, whole_text = (self.game, self.seats, self._start), int(self._known_number("length")) + 1
        found = closest(*given, same, whole_text, min(self._tries, MAX_CHANGES), end)
        for deal in redeals(*given, found, lambda deal: same(deal) == whole_text, end) if found else ():
            made += same(deal, made) == whole_text
            if made == self.size or time.monotonic() >= end:
                break
        self._set(made=made)
        return made >= ENOUGH

    def _plain(self) -> list[State]:
        """The worlds as plain states of their own."""
        layout, rows = self._layout, self._rows
        if isinstance(self._backend, PlainBackend):
            return [layout.copy(rows[at]) for at in range(self._count)]
        return [layout.unpack(bytes(rows[at])[: layout.size]) for at in range(self._count)]

    def _text(self, told: Observation | bytes | str) -> bytes:
        """What the seat was sent, as the protocol's `prompt` writes it."""
        if isinstance(told, Observation):
            told = "".join(f"{line}\n" for line in told.lines)
        sent = told.encode("utf-8", "surrogateescape") if isinstance(told, str) else bytes(told)
        closing: bytes = self.game.protocol.CLOSING
        return sent.removesuffix(closing) if closing else sent

    def _known_number(self, name: str) -> float:
        """A number of what is known."""
        return field(self._known, name)  # type: ignore[no-any-return]

    def _set(self, **fields: int) -> None:
        """Write fields of what is known."""
        for name, value in fields.items():
            put_field(self._known, name, value)
