"""The law of faults: whatever a bot does wrong, in whatever turn, the match goes on to a result that can be."""

from __future__ import annotations

import math
import random

from dohyo.core import playback
from dohyo.core.faults import OF_ANSWERS, Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay_format import decode, encode
from dohyo.laws.matches import Answering, begin, check_result, finish, legal_answer
from dohyo.laws.tally import Tally

GARBAGE = ("", " ", "\t", "\x00", "no", "1 2 3", "-1", "999999999999", "é", "\U0001f47e", "MOVE\tUP", "x" * 5000)
MATCHES = 12  # for each kind of fault, at least
FAULTS = 20  # of each kind, at least
MAX_MATCHES = 500


def faulty(kind: FaultKind, tally: Tally, rate: float) -> Answering:
    """Answers of which some are this fault, and some come with a fault that changes nothing beside a good reply."""

    def answer(referee: Referee, seat: int, chooser: random.Random) -> Answer:
        good = legal_answer(referee, seat, chooser)
        if chooser.random() >= rate:
            return good
        tally[kind.value] += 1
        tally["faults"] += 1
        if kind is FaultKind.MALFORMED and chooser.random() < 0.8:
            return Answer(chooser.choice(GARBAGE), seconds=0.5)
        if kind is FaultKind.ILLEGAL and (bad := illegal(referee, seat)):
            return Answer(chooser.choice(bad), seconds=0.5)
        fault = Fault(kind, "of the laws", status=chooser.choice([None, 1, 139]))
        if chooser.random() < 0.2:
            return Answer(good.reply, (fault,), 0.1, "a last word", 17)
        return Answer(None, (Fault(FaultKind.OUTPUT), fault), None, "why not \x1b[31m", 0)

    return answer


def illegal(referee: Referee, seat: int) -> list[str]:
    """The texts of actions that are not legal now."""
    game = referee.game
    legal = game.legal_actions(referee.state, seat)
    accepted = {*legal, *game.rules.CONCESSIONS}
    return [game.protocol.text(action) for action in range(game.rules.ACTIONS) if action not in accepted][:50]


def any_fault_in_any_turn_is_survived(game: Game, tally: Tally) -> None:
    """Faults of each kind at random turns of random seats: the match ends, and its replay tells of all of them."""
    for number, kind in enumerate(FaultKind):
        survive(game, kind, number, tally)
    stopped = 9 * FAULTS // 2 if any(game.protocol.stops(Fault(kind)) for kind in FaultKind) else 0
    tally.reach(turns=500, **{"players stopped": stopped}, **{kind.value: FAULTS for kind in FaultKind})


def survive(game: Game, kind: FaultKind, number: int, tally: Tally) -> None:
    """Play matches with faults of one kind, the `number`th, until there were enough of them."""
    matches = math.ceil(MATCHES * tally.part)
    for seed in range(
        number * matches, number * matches + MAX_MATCHES
    ):  # so every setup comes, of one kind or another
        if seed >= (number + 1) * matches and tally[kind.value] >= FAULTS * tally.part:
            break
        before = tally["faults"]
        referee, setup = begin(game, seed)
        played = finish(referee, setup, seed, faulty(kind, tally, 0.02 if seed % 2 else 0.3))
        check_result(game, played.replay.result, referee.seats)
        read = decode(encode(played.replay, compressed=bool(seed % 2)))
        playback.verify(game, read)
        told = [move for turn in read.turns for move in turn.moves if move.faults]
        submitted = tally["faults"] - before
        assert len(told) == submitted or (kind is FaultKind.MALFORMED and len(told) < submitted)
        stopped = sum(fault is not None for fault in referee.stopped)
        assert game.protocol.stops(Fault(kind)) or not stopped
        tally["players stopped"] += stopped
        tally["turns"] += referee.turn
        tally["matches"] += 1


def faults_before_the_first_turn_are_survived(game: Game, tally: Tally) -> None:
    """Players that are never ready are asked nothing; the match is played without them, all of them too."""
    for seed in range(MAX_MATCHES):
        if seed >= 40 and tally["turns"] >= 1000:  # where any fault ends the match, it takes more matches
            break
        referee, setup = begin(game, seed)
        chooser = random.Random(seed)
        absent = [seat for seat in range(referee.seats) if seed % 5 == 0 or chooser.random() < 0.4]
        for seat in absent:
            referee.stop(seat, Answer(None, (Fault(FaultKind.NOT_READY, "it said: hello"),), None, "oh", 3))
        played = finish(referee, setup, seed)
        check_result(game, played.replay.result, referee.seats)
        playback.verify(game, decode(encode(played.replay)))
        moves = [move for turn in played.replay.turns for move in turn.moves if move.seat in absent]
        assert all(move.seconds is None and move.reply is None for move in moves)
        told = [move.seat for move in (*moves, *played.replay.result.last) if move.faults]
        assert sorted(told) == absent, "each is told once"
        tally["faults"] += len(absent)
        tally["turns"] += referee.turn
        tally["matches"] += 1
    tally.reach(faults=40, turns=MAX_MATCHES // 5)  # of a game of one turn each


def a_stopped_player_is_not_asked_again(game: Game, tally: Tally) -> None:
    """After a fault that stops it a player is never pending, though the rules go on to act for it."""
    kinds = [kind for kind in FaultKind if game.protocol.stops(Fault(kind))]
    if not kinds:
        tally.note = "no fault stops a player here"
        return
    for seed in range(MAX_MATCHES):
        if seed >= 20 and tally["faults"] >= 10:
            break
        referee, _ = begin(game, seed)
        chooser = random.Random(seed)
        while not referee.over:
            pending = referee.pending()
            assert all(referee.stopped[seat] is None for seat in pending)
            answers = {seat: legal_answer(referee, seat, chooser) for seat in pending}
            if pending and chooser.random() < 0.05:
                kind = chooser.choice(kinds)
                answers[pending[0]] = Answer(None, (Fault(kind),))
                tally["faults"] += 1
                referee.submit(answers)
                assert referee.stopped[pending[0]] == Fault(kind)
            else:
                referee.submit(answers)
    tally.reach(faults=10)


def nothing_hangs_on_what_is_only_noted(game: Game, tally: Tally) -> None:
    """A fault that is held against nobody has stopped no player who would have had a choice in a later turn."""
    kinds = [kind for kind in sorted(OF_ANSWERS) if game.protocol.stops(Fault(kind))]
    if not kinds:
        tally.note = "no fault stops a player here"
        return
    for seed in range(40):
        referee, _ = begin(game, seed)
        chooser = random.Random(seed)
        chose: set[int] = set()  # seats for which the rules have chosen since they were stopped
        while not referee.over:
            pending = referee.pending()
            answers = {seat: legal_answer(referee, seat, chooser) for seat in pending}
            for seat in range(referee.seats):
                is_out = game.is_out(referee.state, seat)
                if seat in pending and (is_out or chooser.random() < 0.02):
                    answers[seat] = Answer(None, (Fault(chooser.choice(kinds)),))
                elif referee.stopped[seat] and game.rules.acts(referee.state, seat) and not is_out:
                    chose.add(seat)
            referee.submit(answers)
        for move in (move for turn in referee.turns for move in turn.moves if move.faults):
            assert not (move.faults[-1].note and move.seat in chose)
            tally["noted" if move.faults[-1].note else "held"] += 1
