"""Whether `dohyo coach` names what is wrong with a bot, and nothing where nothing is.

    python benchmarks/coach.py make FOLDER [--seed 1] [KIND ...]     plays the matches of each kind, once
    python benchmarks/coach.py look FOLDER [--seed 1] [KIND ...]     what the coach says of each

Twenty kinds of bots over the four games, each a sample bot with a planted weakness, meet four sample bots without it,
and these meet each other. Hit is a kind if the first or the second thing that is named is the weakness. Bots without
any are `plain-...`: sample bots against themselves. Seeds 1 and 2 are for building, others are for measuring.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from dohyo import games
from dohyo.bots import samples_of
from dohyo.core.replay import Replay
from dohyo.core.replay_format import encode
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.guests.coach.coaching import coached
from dohyo.guests.coach.findings import Finding
from dohyo.guests.coach.matches import gathered
from dohyo.match.play import play_match
from dohyo.match.python_bot import Bot

COACHED, PEERS = "coached", ("ann", "bob", "cid", "dee")
SLIPS = 0.05  # of the answers of each bot are any action, so that no two matches are the same


@cache
def sample(game: str, name: str) -> ModuleType:
    """The module of a sample bot."""
    path = samples_of(games.find(game))[name]
    spec = importlib.util.spec_from_file_location(f"sample_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def burn(seconds: float) -> None:
    """Use so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class Player(Bot):
    """A sample bot that now and then does anything; `plain` is what it answers without a weakness."""

    seat, meets = 0, ()

    def act(self, seen: Any) -> str:
        """The answer."""
        if self.random.random() < SLIPS:
            return self.anything(seen)
        return self.plain(seen)

    def anything(self, seen: Any) -> str:
        """Any action."""
        return self.random.choice(seen.legal_actions)

    def plain(self, seen: Any) -> str:
        """What the sample bot answers."""
        raise NotImplementedError


class Climber(Player):
    """Wondev Woman."""

    def board(self, seen: Any) -> Any:
        """The sample's own board."""
        heights = {(x, y): level for y, row in enumerate(seen.heights) for x, level in enumerate(row) if level >= 0}
        return sample("wondev-woman", "climber").Board(heights, [*seen.own], [one for one in seen.enemies if one])

    def plain(self, seen: Any) -> str:
        return self.among(seen, seen.legal_actions)

    def among(self, seen: Any, actions: Sequence[str]) -> str:
        """The best of these."""
        if "NO-MOVE" in actions or not actions:
            return "NO-MOVE"
        return sample("wondev-woman", "climber").choose(self.board(seen), list(actions))


class Gunner(Player):
    """Shoot-Em-Up."""

    robot: Any = None

    def begin(self) -> None:
        self.robot = None

    def act(self, seen: Any) -> str:
        if self.robot is None:
            self.robot = sample("shoot-em-up", "gunner").Robot(seen.x, seen.y)
        self.robot.x, self.robot.y, self.robot.shot = [seen.x], [seen.y], [int(not seen.has_power)]
        if seen.hit_from:
            self.robot.hear_of_hit(*seen.hit_from)
        return super().act(seen)

    def anything(self, seen: Any) -> str:
        return self.random.choice([one for one in seen.legal_actions if seen.stays_on_board(one)])

    def plain(self, seen: Any) -> str:
        return self.robot.act()


class Hunter(Player):
    """Drop-Block."""

    def read(self, seen: Any, swapped: bool = False) -> str:
        """The answer, on the board as it is, or with rows for columns."""
        board = seen.state()
        if swapped:
            board.row, board.column = board.column, board.row
        return LETTERS[sample("drop-block", "hunter").choose(seen.seat, [board])]

    def plain(self, seen: Any) -> str:
        return self.read(seen)


class Shelter(Player):
    """aBOTcalypse."""

    def plain(self, seen: Any) -> str:
        return sample("abotcalypse", "shelter").decide("\n".join(seen.rows))


# --- planted weaknesses: five for each game


class CrashesOnSize(Climber):
    def act(self, seen: Any) -> str:
        if len(seen.heights) == 7 and seen.own_turn == 9:
            raise IndexError("list index out of range")
        return super().act(seen)


class BadOpening(Climber):
    def plain(self, seen: Any) -> str:
        return self.anything(seen) if seen.own_turn < 14 else super().plain(seen)


class BadMap(Climber):
    def plain(self, seen: Any) -> str:
        return self.anything(seen) if len(seen.heights) == 6 else super().plain(seen)


class NeverPushes(Climber):
    def act(self, seen: Any) -> str:
        return self.among(
            seen, [one for one in seen.legal_actions if not one.startswith("PUSH")] or seen.legal_actions
        )


class RandomWhenBehind(Climber):
    def plain(self, seen: Any) -> str:
        return self.anything(seen) if self.board(seen).worth() < -0.3 else super().plain(seen)


class BadSeat(Gunner):
    def plain(self, seen: Any) -> str:
        return self.anything(seen) if self.seat == 1 else super().plain(seen)


class OneOpponent(Gunner):
    def plain(self, seen: Any) -> str:
        return self.anything(seen) if "cid" in self.meets else super().plain(seen)


class MalformedWhenHit(Gunner):
    def act(self, seen: Any) -> str:
        if seen.hit_from and seen.hit_from[0] and seen.hit_from[1]:
            return "S 1"
        return super().act(seen)


class NeverShoots(Gunner):
    def act(self, seen: Any) -> str:
        moves = [one for one in seen.legal_actions if one.startswith("M") and seen.stays_on_board(one)]
        return self.random.choice(moves)


class Repeats(Gunner):
    def act(self, seen: Any) -> str:
        return "S 1 0" if seen.x < 5 else "S -1 0"


class LateInLateTurns(Hunter):
    def act(self, seen: Any) -> str:
        if seen.turn > 110:
            burn(0.06)
        return super().act(seen)


class GivesTheEndAway(Hunter):
    def plain(self, seen: Any) -> str:
        return self.anything(seen) if seen.turn > 150 else super().plain(seen)


class MalformedWhenCrowded(Hunter):
    def act(self, seen: Any) -> str:
        if sum(value != 0 for row in seen.blocks for value in row) >= 9:
            return "?"
        return super().act(seen)


class NeverAttacks(Hunter):
    def act(self, seen: Any) -> str:
        found = super().act(seen)
        return "N" if found == "A" else found


class MisreadsASetup(Hunter):
    def plain(self, seen: Any) -> str:
        return self.read(seen, swapped=seen.columns_first)


class Flags(Shelter):
    def act(self, seen: Any) -> str:
        burn(0.004)
        return super().act(seen)


class CrashesAmongMany(Shelter):
    def act(self, seen: Any) -> str:
        if len(self.meets) >= 5 and seen.own_turn == 30:
            raise KeyError("e6")
        return super().act(seen)


class WrongValue(Shelter):
    def act(self, seen: Any) -> str:
        late = seen.own_turn > 60
        calm = 1 - min(1.0, 0.15 * len(seen.enemies) + 0.1 * len(seen.meteors))
        print(f"@value win {0.9 if late else 0.45 + 0.1 * calm:.2f}", file=sys.stderr)
        return super().act(seen)


class LosesAfterAnOpening(Shelter):
    wild = False

    def act(self, seen: Any) -> str:
        if seen.own_turn == 0:
            self.wild = self.random.random() < 0.4
            return "throw up" if self.wild else "drop down"
        return self.anything(seen) if self.wild else super().act(seen)


class WildWhenTimeIsShort(Gunner):
    spent = 0.0
    each = 0.0

    def begin(self) -> None:
        super().begin()
        self.spent, self.each = 0.0, self.random.choice((0.0, 0.035))

    def plain(self, seen: Any) -> str:
        if self.spent > 0.32:
            return self.anything(seen)
        burn(self.each)
        self.spent += self.each
        return super().plain(seen)


class Named(NamedTuple):
    """What the coach must say: one of these kinds of findings, and each of the words, of which `|` parts equals."""

    kinds: tuple[str, ...]
    words: tuple[str, ...] = ()


class Kind(NamedTuple):
    """A game, its plain bot, the one with the weakness, how it is played, and what must be named."""

    game: str
    plain: type[Player]
    weak: type[Player]
    named: Named
    setup: dict[str, Any] = {}  # noqa: RUF012 - it is never changed
    setups: tuple[dict[str, Any], ...] = ({},)
    clock: Any = 2.0
    seats: tuple[int, ...] = (2,)


WONDEV: Any = ("wondev-woman", Climber)
SHOOT: Any = ("shoot-em-up", Gunner)
DROP: Any = ("drop-block", Hunter)
ABOT: Any = ("abotcalypse", Shelter)
DROPPED: Any = {"setup": {"turns": 240}, "seats": (4,)}
FALLEN: Any = {"setup": {"turns": 160}, "seats": (4,)}
KINDS: dict[str, Kind] = {
    "crashes-on-size": Kind(*WONDEV, CrashesOnSize, Named(("fault",), ("exited", "map=diamond|size=7"))),
    "bad-opening": Kind(*WONDEV, BadOpening, Named(("phase",), ("begin",))),
    "bad-map": Kind(*WONDEV, BadMap, Named(("condition",), ("map=random|size=6",))),
    "never-pushes": Kind(*WONDEV, NeverPushes, Named(("habit",), ("PUSH&BUILD",))),
    "random-when-behind": Kind(*WONDEV, RandomWhenBehind, Named(("behind",))),
    "bad-seat": Kind(*SHOOT, BadSeat, Named(("seat",), ("1",))),
    "one-opponent": Kind(*SHOOT, OneOpponent, Named(("opponent",), ("cid",))),
    "malformed-when-hit": Kind(*SHOOT, MalformedWhenHit, Named(("fault",), ("malformed", "was_hit"))),
    "never-shoots": Kind(*SHOOT, NeverShoots, Named(("habit",), ("S",))),
    "repeats": Kind(*SHOOT, Repeats, Named(("repeats", "habit"))),
    "late-in-late-turns": Kind(
        *DROP, LateInLateTurns, Named(("fault",), ("timeout", "turn")), **DROPPED, clock="0.05,mode=cpu"
    ),
    "gives-the-end-away": Kind(*DROP, GivesTheEndAway, Named(("phase",), ("end",)), **DROPPED),
    "malformed-when-crowded": Kind(
        *DROP, MalformedWhenCrowded, Named(("fault",), ("malformed", "block != 0")), **DROPPED
    ),
    "never-attacks": Kind(*DROP, NeverAttacks, Named(("habit",), ("A",)), **DROPPED),
    "misreads-a-setup": Kind(
        *DROP,
        MisreadsASetup,
        Named(("condition",), ("position_order=column-row|column_first=1",)),
        **DROPPED,
        setups=({}, {"position_order": "column-row"}),
    ),
    "flags": Kind(*ABOT, Flags, Named(("fault", "time"), ("timeout",)), **FALLEN, clock="0.25+0,mode=cpu"),
    "crashes-among-many": Kind(
        *ABOT, CrashesAmongMany, Named(("fault",), ("exited", "seats=6|bots=6")), **{**FALLEN, "seats": (4, 6)}
    ),
    "wrong-value": Kind(*ABOT, WrongValue, Named(("value",), ("win",)), **FALLEN),
    "loses-after-an-opening": Kind(*ABOT, LosesAfterAnOpening, Named(("opening",), ("throw up",)), **FALLEN),
    "wild-when-time-is-short": Kind(*SHOOT, WildWhenTimeIsShort, Named(("time",)), clock="0.4+0,mode=cpu"),
}
EXTRA = ("eve", "fay")


def all_matches(kind: Kind, count: int) -> int:
    """The matches with the bot that is coached, and those of others: as many as everybody meets everybody."""
    return count * 5 // 2 if kind.seats == (2,) else count * 13 // 8


def plays(kind: Kind, seed: int, weak: type[Player], count: int) -> Iterator[tuple[int, Replay]]:
    """The matches of a kind: those with the bot that is coached, then others."""
    lots = Random(f"{seed} {kind.game} {kind.weak.__name__}")
    for number in range(all_matches(kind, count)):
        seats = kind.seats[number // 2 % len(kind.seats)]
        rest = lots.sample(PEERS if seats <= 4 else (*PEERS, *EXTRA), seats - (number < count))
        names = [*rest, COACHED] if number < count else rest
        lots.shuffle(names)
        if seats == 2 and number % 2 and number < count:
            names.sort(key=lambda one: one == COACHED)
        bots: list[Player] = []
        for seat, name in enumerate(names):
            made = type(name, (weak if name == COACHED else kind.plain,), {})()
            made.seat, made.meets = seat, tuple(one for one in names if one != name)
            bots.append(made)
        setup = {**kind.setup, **kind.setups[number % len(kind.setups)]}
        replay = play_match(kind.game, bots, seed=lots.randrange(1 << 40), setup=setup, clock=kind.clock)
        yield number, replay


def make(folder: Path, name: str, seed: int, count: int) -> None:
    """Play a kind's matches, if they are not there."""
    place = folder / f"{name}-{seed}"
    if (place / "done").exists():
        return
    place.mkdir(parents=True, exist_ok=True)
    plain = name.startswith("plain-")
    kind = KINDS[name.removeprefix("plain-")]
    began = time.monotonic()
    for number, replay in plays(kind, seed, kind.plain if plain else kind.weak, count):
        (place / f"{number:04d}.replay").write_bytes(encode(replay))
    (place / "done").touch()
    print(f"{name}-{seed}: {all_matches(kind, count)} matches in {time.monotonic() - began:.0f} s", flush=True)


def look(folder: Path, name: str, seed: int) -> bool:
    """Whether the coach says what it must: the weakness among the first two things, or nothing of a plain bot."""
    began = time.process_time()
    found = coached(gathered([str(folder / f"{name}-{seed}")], COACHED, 10_000)).findings
    if name.startswith("plain-"):
        is_right = not found
    else:
        wanted = KINDS[name].named
        is_right = any(one.kind in wanted.kinds and _says(one, wanted.words) for one in found[:2])
    told = "; ".join(f"{one.kind} {one.name}" for one in found[:3]) or "nothing"
    print(f"{'ok ' if is_right else 'NO '} {name}-{seed}: {told} ({time.process_time() - began:.0f} s)", flush=True)
    return is_right


def _says(one: Finding, words: Sequence[str]) -> bool:
    """Whether a finding, in its name and its evidence, has each of the words."""
    known = {one.name, *(each.name for each in one.where), *(f"{each.name}={each.value}" for each in one.where)}
    return all(known & {*word.split("|")} for word in words)


def main() -> None:
    """Make or look."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("make", "look"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=160)
    asked = parser.parse_intermixed_args()
    names = asked.kinds or [*KINDS]
    if asked.what == "look":
        right = [look(asked.folder, name, asked.seed) for name in names]
        print(f"{sum(right)} of {len(right)}")
        return
    for name in names:
        make(asked.folder, name, asked.seed, asked.matches)


if __name__ == "__main__":
    main()
