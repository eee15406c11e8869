"""The judge of a site, a process of its own: it examines hand-ins, and plays the ladders.

    python -P -m dohyo.guests.site.judging.judge PARENT HERE FOLDER SANDBOX WORKERS BUILDS LOG

Where its database, its files and a cluster are comes by the standard input, as JSON: addresses may hold passwords.

Theory of operation
-------------------
What is to be done follows from the databases alone: a hand-in that waits (authors take turns), then a short batch of
the next ladder that has something to play. So nothing is built while a match is played, and clocks are as exact as
in a contest. What authors ask for beside, matches on seeds of theirs and analyses, comes between two batches, when no
hand-in waits (`asked.py`). Where nothing at all is to be done, puzzles are looked for (`puzzling.py`). A judge that
is killed loses nothing: a hand-in that it had begun with waits again when the next one starts, and a ladder goes on
as any contest does (`series/loop.py`). Several judges may serve one site: each takes hand-ins as they come, and plays
the ladders that fall to it (`arena/judges.py`).

A contest begins at its start, when the hand-ins that came in time have been checked (`beginning.py`), and is played
until its format has no more matches or its end has come. Its batches may be long: after a while the others have their
turn. When somebody has ruled about it after its end, it goes on.

A ladder rests when the present version of each bot has many matches: a laptop need not play all night. One of sample
bots alone plays a few, so that there is something to see, and then waits for somebody to hand in.
"""

from __future__ import annotations

import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep, time

import msgspec

from dohyo import games
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.rulings_in_force import InForce
from dohyo.executors.checked import Checked
from dohyo.executors.choice import Elsewhere, elsewhere
from dohyo.executors.messages import Executor
from dohyo.executors.pool import Pool
from dohyo.executors.pool_worker import follow
from dohyo.executors.told import Told
from dohyo.guests.site.arena import contests, hand_ins, ladders, own_bots, pausing
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.outs import out_error
from dohyo.guests.site.arena.resting import is_house_alone, rests
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging import alike
from dohyo.guests.site.judging.asked import Asked
from dohyo.guests.site.judging.at_home import AtHome
from dohyo.guests.site.judging.beginning import begin_contest, request_of
from dohyo.guests.site.judging.examine import Examined, Outcome, examine
from dohyo.guests.site.judging.interruptible import Interruptible, Stopped, TimeIsOver, time_limit
from dohyo.guests.site.judging.judge_process import Places
from dohyo.guests.site.judging.presence import Presence
from dohyo.guests.site.judging.puzzling import Puzzling
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.tables import open_site
from dohyo.guests.site.upkeep import cache, logs
from dohyo.guests.site.upkeep.room import SCARCE, is_scarce
from dohyo.guests.site.upkeep.sweeping import sweep
from dohyo.i18n import LANGUAGES, Speaker
from dohyo.match.sandboxing import sandbox_of
from dohyo.sandbox import as_asked
from dohyo.series import roster, rulings, taking_part
from dohyo.series.replaced import annul_replaced
from dohyo.series.results import Publisher
from dohyo.series.roster import stored_terms
from dohyo.series.session import ContestSession, ContestView, begin, go_on, leave_over
from dohyo.series.spec import Contender
from dohyo.series.store import Store, open_store
from dohyo.series.store.records import Contest
from dohyo.system import interpreter

EXAMINED = 90.0  # seconds in which a hand-in has to be built and checked
PATIENT = 20.0  # seconds of a batch for which somebody who hands in is kept waiting
WATCHED = 60.0  # seconds for which the match of a check can be watched after its end
PAUSE = 0.3  # seconds between two looks for something to do
FEW = 1.0  # seconds in which sample bots alone play one go
TURN = 30.0  # seconds after which other ladders and contests have their turn
SWEEP = 600.0  # seconds between two times that is removed what is of no use any more
UNKNOWN = -1  # rulings: matches that are to be played again were not yet
OUT = "contest-is-disqualified"  # an error that is about one bot alone
MAX_TRIES = 5  # at examining a hand-in where the machine fails each time
LEAST_ROOM = 16 << 20  # bytes that a hand-in may take while it is examined
LATER = 60.0  # seconds until something is tried again that this machine could not do
MOVES = ("contest-runs", "contest-taken-over")  # errors of a ladder that is going from one judge to another
SOON = 2.0  # seconds until such a one is looked at again
LOST = 3.0  # seconds after which a database is asked again that did not answer


class Room:
    """A ladder that is being played: `ruled` is after how many rulings its ratings were published last.

    `elsewhere` plays its matches, if other machines do.
    """

    def __init__(self, ladder: Ladder, session: ContestSession, elsewhere: Executor | None) -> None:
        self.ladder = ladder
        self.elsewhere = elsewhere
        self.session = session
        self.failures = pausing.Failures()
        loop = session.loop
        self.publisher = Publisher(
            session.store, session.contest, lambda: loop.format, session.loop.roster, self.failures
        )
        self.publisher.take_up()
        self.ruled = self.rulings if not session.store.pending(session.contest.id) else UNKNOWN
        self.at_home: AtHome | None = None

    def close(self) -> None:
        """Let others play it."""
        if self.elsewhere is not None:
            self.elsewhere.close()
        self.session.store.close()

    @property
    def rulings(self) -> int:
        """How many rulings there are."""
        return self.session.store.count_rulings(self.session.contest.id)


class Judge:
    """Does what there is to do in a site's folder; a context manager, which ends whatever runs."""

    def __init__(
        self,
        site: SiteFolder,
        sandbox: str,
        workers: int | None,
        most_built: int,
        place: Elsewhere | None = None,
        looks_for_puzzles: bool = True,
    ) -> None:
        """`place` makes what plays the ladders on other machines."""
        self._site = site
        self._place = place
        self._most_built = most_built  # bytes of built bots that are kept
        self._sandbox = sandbox
        self._database = open_site(site.site)
        self._presence = Presence(self._database, site.judges)
        self._arena = Arena(site.arena, site.frozen, site.arena_files())
        self._executor = Interruptible(Pool(workers), self._must_stop, self._has_had_its_turn)
        self._turn = 0  # of the ladders
        self._rooms: dict[str, Room] = {}
        self._playing: Ladder | None = None
        self._plays_again = False  # what its organisers want to be played again after its end
        self._is_first = False  # whether a ladder is played to which nobody has handed in
        self._others = False  # whether another one may have something to play
        self._again: dict[int, float] = {}  # when a ladder in trouble is tried again, by its number
        self._tries: Counter[int] = Counter()  # that failed, of hand-ins, by their numbers
        self._asked = Asked(site, self._database, self._arena, logs.trouble, self._must_stop)
        self._puzzling = Puzzling(site, self._database, looks_for_puzzles)
        self._swept = monotonic() - SWEEP
        self._is_resting = False
        self._played = 0.0  # seconds of the last turn of a ladder
        self._owed = 0.0  # seconds that ladders play before authors get more of what they have asked for

    def __enter__(self) -> Judge:
        self._presence.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.close()
        for slug in [*self._rooms]:
            self._leave(slug)
        self._presence.__exit__()
        self._arena.close()
        self._database.close()

    def _leave(self, slug: str) -> None:
        """Let another judge play a ladder."""
        room = self._rooms.pop(slug)
        with suppress(OperatorError):
            room.session.store.set_state(room.session.contest.id, "stopped")
        room.close()

    def step(self) -> bool:
        """Examine a hand-in, then let one ladder play a batch; whether there was anything to do."""
        if monotonic() - self._swept > SWEEP:
            self._sweep()
            self._forget_code()
        if self._must_rest():
            return False
        self._presence.look()
        examined, begun = self._examine_next(), monotonic()
        while examined and monotonic() - begun < self._played and self._examine_next():
            """Hand-ins have as much of the time as ladders have: of quick ones several are examined in a row."""
        examined = examined or alike.compare_next(self._database, self._site, self._presence.plays)
        begun = monotonic()
        there = [each for each in ladders.every(self._database) if each.retired is None]
        for slug in self._rooms.keys() - {each.slug for each in there}:  # retired: nothing of it is kept ready
            self._leave(slug)
        self._others = len(there) > 1
        has_played = False
        for _ in there:  # the next one that has something to play: also while hand-ins wait, ladders go on
            self._turn += 1
            self._playing = there[self._turn % len(there)]
            if not self._waits(self._playing) and self._play(self._playing):
                has_played = True
                break
        self._played = monotonic() - begun
        done = self._play_asked_in_turn(there, has_played) or has_played or examined
        return done or self._puzzling.look(ladder for ladder in there if not self._waits(ladder))

    def _play_asked_in_turn(self, there: list[Ladder], has_played: bool) -> bool:
        """Do some of what authors have asked for, unless ladders have had less time than that since; whether there
        was anything. One author's slow bots must not keep everybody's ladders waiting.
        """
        self._owed = self._owed - self._played if has_played else 0.0
        if self._owed > 0:
            return False
        begun = monotonic()
        done = self._play_asked(there)
        self._owed = monotonic() - begun if done else 0.0
        return done

    def _play_asked(self, there: list[Ladder]) -> bool:
        """Do some of what authors have asked for, unless a hand-in waits; whether there was anything."""
        mine = {ladder.id for ladder in there if not self._waits(ladder) and self._has_begun(ladder)}
        self._playing, self._is_first = None, False
        if not mine or hand_ins.waits(self._database):
            return False
        try:
            done = self._asked.play(self._executor, mine, lambda ladder: self._room(ladder).session.loop)
            return self._asked.analyse(mine) or done
        except Stopped:
            return True
        except OperatorError as error:  # what is wrong with a ladder, its next batch says
            logs.trouble(error.say())
        except Exception:  # a defect of ours
            logs.trouble(traceback.format_exc())
        return False

    def _forget_code(self) -> None:
        """Remove the code of bots whose authors have deleted their accounts, as soon as no match needs it."""
        if left_behind := own_bots.left_behind(self._database):
            with logs.telling(), open_store(self._site.arena, files=self._site.arena_files()) as store:
                for left in left_behind:
                    with logs.telling():
                        own_bots.forget_code(self._database, store, left)

    def _sweep(self) -> None:
        """Remove what nobody needs any more; then what was removed of the cache is built again where it is needed."""
        self._swept = monotonic()
        with logs.telling():
            sweep(self._site, self._database)
            if is_scarce(self._site.home):
                self._trim(0, cache.SPARED_IF_FULL)
            else:
                self._trim(self._most_built, cache.SPARED)

    def _trim(self, most: int, spared: float) -> None:
        """Remove what was built and is not used any more, if it is more than so many bytes."""
        for room in self._rooms.values():
            cache.note_use(room.session.loop.roster.built())
        if cache.trim(most, spared):
            for slug in [*self._rooms]:
                self._leave(slug)

    def _must_rest(self) -> bool:
        """Whether the disk has no room left: then what was accepted waits, and nothing is played."""
        was, self._is_resting = self._is_resting, is_scarce(self._site.home)
        if self._is_resting and not was:
            with logs.telling():
                self._trim(0, cache.SPARED_IF_FULL)
            self._is_resting = is_scarce(self._site.home)
        if self._is_resting and not was:
            logs.trouble(Speaker().say("serve-judge-rests", folder=self._site.home, least=SCARCE >> 20))
        return self._is_resting

    def _waits(self, ladder: Ladder) -> bool:
        """Whether a ladder is another judge's, or this machine could not play it a moment ago."""
        if not self._presence.plays(ladder.id):
            if ladder.slug in self._rooms:
                self._leave(ladder.slug)
            return True
        return monotonic() < self._again.get(ladder.id, 0.0)

    def _must_stop(self, seconds: float) -> bool:
        """Whether a batch that has been played for so long ends at once: somebody waits, or it is not wanted more."""
        if (seconds > PATIENT or self._is_first) and hand_ins.waits(self._database):
            return True
        if self._playing is None:  # what authors have asked for
            return False
        now = ladders.as_now(self._database, self._playing)
        if now is None or now.retired is not None:
            return True
        return now.terms is not None and now.terms.has_ended(time()) and not self._plays_again

    def _has_had_its_turn(self, seconds: float) -> bool:
        """Whether a batch that has been played for so long lets the others have their turn, after its matches."""
        return (self._others and seconds > TURN) or (self._is_first and seconds > FEW)

    # --- hand-ins

    def _examine_next(self) -> bool:
        """Examine the next hand-in that waits; whether there was one."""
        now = monotonic()
        later = [one for one, at in self._again.items() if now < at]
        hand_in = hand_ins.next_waiting(self._database, self._presence.name, later)
        if hand_in is None:
            return False
        try:
            with time_limit(EXAMINED):
                outcome = examine(self._site, hand_in, self._sandbox)
            if outcome.bot is not None and hand_ins.is_examined(self._database, hand_in.id):
                self._enter(hand_in, outcome)
        except TimeIsOver:
            said = {
                language: Speaker(language).say("serve-takes-long", seconds=round(EXAMINED)) for language in LANGUAGES
            }
            outcome = Outcome(Examined(False, reason=said))
        except OperatorError as error:  # nobody's bot is to blame, it seems: it is examined again later
            if error.key in MOVES:
                self._give_up(hand_in.ladder, SOON)
                hand_ins.begin_again(self._database, self._presence.name)
                return False
            self._put_off(hand_in.ladder, error.say())
            self._tries[hand_in.id] += not self._is_full()
            if self._tries[hand_in.id] < MAX_TRIES:
                hand_ins.begin_again(self._database, self._presence.name)
                return False
            said = {language: Speaker(language).say("serve-judge-broken") for language in LANGUAGES}
            outcome = Outcome(Examined(False, reason=said))  # it must not keep its ladder's others waiting for ever
        except Exception:  # a defect of ours, which must not stop the others
            logs.trouble(traceback.format_exc())
            said = {language: Speaker(language).say("serve-judge-broken") for language in LANGUAGES}
            outcome = Outcome(Examined(False, reason=said))
        replay = self._site.files().put(outcome.replay) if outcome.replay else None
        state: hand_ins.State = "entered" if outcome.examined.fit else "refused"
        found = msgspec.json.encode(outcome.examined).decode()
        digest = "" if outcome.bot is None else outcome.bot.digest
        judge = self._presence.name
        if not hand_ins.finish(self._database, hand_in.id, judge, state, found, replay, digest, outcome.size):
            self._withdraw(hand_in, replay)
        self._forget_matches()
        return True

    def _withdraw(self, hand_in: HandInRow, replay: str | None) -> None:
        """Take back a hand-in whose author has deleted the account while it was examined.

        One that another judge has by now is that one's. To a contest nothing has been entered yet: it has to wait for
        its start.
        """
        now = hand_ins.find(self._database, hand_in.id)
        if now is not None and now.file:
            return
        if hand_in.ladder.terms is None:
            with logs.telling(), self._entered(hand_in.ladder) as (store, contest), suppress(OperatorError):
                taking_part.leave(store, contest, hand_in.bot)
        if replay is not None:
            self._site.files().remove(replay)

    def _is_full(self) -> bool:
        """Whether the disk is full: no hand-in is to blame, however often it is tried."""
        return shutil.disk_usage(self._site.work).free < LEAST_ROOM

    def _forget_matches(self) -> None:
        """Remove the files of live matches that are over: who still watches has them open."""
        for path in self._site.live.iterdir():
            with suppress(OSError):
                if time() - path.stat().st_mtime > WATCHED:
                    path.unlink()

    def _enter(self, hand_in: HandInRow, outcome: Outcome) -> None:
        """Let a bot join its ladder; those of a contest wait for its start."""
        if hand_in.ladder.terms is not None:
            return
        with self._entered(hand_in.ladder) as (store, contest):
            self._join(hand_in, outcome, store, contest)

    @contextmanager
    def _entered(self, ladder: Ladder) -> Iterator[tuple[Store, Contest]]:
        """The store and the contest of a ladder, which another judge may be playing."""
        if self._presence.plays(ladder.id):
            session = self._room(ladder).session
            yield session.store, session.contest
            return
        files = self._site.arena_files()
        if stored_terms(request_of(self._site, ladder, self._sandbox), files) is None:
            self._room(ladder)
            self._leave(ladder.slug)
        with open_store(self._site.arena, files=files) as store:
            yield store, store.contest(ladder.slug)

    def _join(self, hand_in: HandInRow, outcome: Outcome, store: Store, contest: Contest) -> None:
        assert outcome.bot is not None
        built = roster.BuiltBot(Contender(hand_in.bot), outcome.bot)
        try:
            version = roster.version_of(store, games.find(hand_in.ladder.game), built)
            roster.enter_version(store, contest, version)
        except OperatorError as error:
            if error.key == "contest-takes-part":  # the same files again: it plays already
                return
            if not isinstance(error, HandInError) and error.key != OUT:
                raise
            if error.key == OUT:  # since it was handed in, or under a name that was free
                rulings_now = InForce(store.rulings_of_bots(contest.id)).disqualified
                error = out_error(hand_in.bot, rulings_now[hand_in.bot])
            outcome.examined.fit = False
            outcome.examined.reason = {language: error.say(Speaker(language)) for language in LANGUAGES}
        annul_replaced(store, contest)

    # --- ladders

    def _room(self, ladder: Ladder) -> Room:
        """The ladder, begun or gone on with: then with the bots that it has, whatever samples there are now."""
        if ladder.slug not in self._rooms:
            request, files = request_of(self._site, ladder, self._sandbox), self._site.arena_files()
            if stored_terms(request, files) is None:
                if ladder.terms is not None:
                    begin_contest(self._site, self._database, ladder, self._sandbox)
                else:
                    begin(request, frozen=False, leave_out=lambda bot, error: None, files=files).store.close()
            session = go_on(self._site.arena, ladder.slug, sandbox=self._sandbox, files=files)
            session.store.set_state(session.contest.id, "running")
            try:
                room = Room(ladder, session, self._elsewhere(ladder, session))
                if ladder.terms is None:
                    room.at_home = AtHome(self._site.home, self._database, ladder, session)
                    session.loop.missing = room.at_home.missing
                self._rooms[ladder.slug] = room
            except BaseException:
                session.store.close()
                raise
        return self._rooms[ladder.slug]

    def _play(self, ladder: Ladder) -> bool:
        """Play a batch of a ladder or a contest; whether there was one."""
        self._is_first = False
        try:
            if ladder.terms is not None and not self._is_on(ladder, ladder.terms):
                return False
            room = self._room(ladder)
            if ladder.trouble:
                ladders.note_trouble(self._database, ladder, "")
            played = self._play_contest(room, ladder.terms) if ladder.terms is not None else self._play_ladder(room)
            self._heed(room)
        except Stopped:  # somebody waits for the judge; the batch goes on afterwards
            return True
        except OperatorError as error:
            if error.key in MOVES:
                self._give_up(ladder, SOON)
            else:
                self._put_off(ladder, error.say())
            return False
        except Exception:  # a defect of ours, which must not stop the other ladders
            self._put_off(ladder, traceback.format_exc())
            return False
        return played

    def _elsewhere(self, ladder: Ladder, session: ContestSession) -> Executor | None:
        """What plays a ladder on other machines, whose reports are checked; none if this one plays."""
        if self._place is None:
            return None

        def refused(key: str, error: OperatorError) -> None:
            logs.trouble(f"{ladder.slug} {key}: {error.say()}")
            about = {"ladder": ladder.slug, "number": key, "why": error.say()}
            self._database.write(lambda connection: audit(connection, None, "report-refused", about))

        there = Checked(self._place(session.loop.roster.archive_of, None), refused)
        return Interruptible(there, self._must_stop, self._has_had_its_turn)

    def _told(self, room: Room) -> Executor:
        """The executor for a ladder's matches, of which one may be watched where this machine plays them."""
        if room.elsewhere is not None:
            return room.elsewhere
        return Told(self._executor, self._site.live, room.ladder.series)

    def _play_ladder(self, room: Room) -> bool:
        """Play a batch of a ladder; whether there was one."""
        session = room.session
        if room.at_home is not None:
            room.at_home.look(may_play=room.elsewhere is None)
        missing = session.loop.missing()
        is_enough = rests(session.store, session.contest.id, missing)
        if is_enough and room.rulings == room.ruled:
            room.publisher.finish()
            return False
        before = session.loop.format.batch
        self._is_first = is_house_alone(session.store, session.contest.id, missing)
        # Ratings are published now and then, as a fit takes long where there are many bots. At rest: what is missing.
        session.loop.run(self._told(room), room.publisher, 0 if is_enough else 1)
        failures, room.failures.numbers = room.failures.numbers, set()
        for name in pausing.pause_failing(session.store, session.contest, failures):
            pausing.note(self._database, room.ladder, name)
        return session.loop.format.batch != before

    # --- contests

    def _has_begun(self, ladder: Ladder) -> bool:
        """Whether a contest has begun; a ladder always has."""
        if ladder.terms is None or ladder.slug in self._rooms:
            return True
        with self._arena.opened() as store:
            return store is not None and ladder.slug in {contest.name for contest in store.contests()}

    def _is_on(self, ladder: Ladder, terms: Terms) -> bool:
        """Whether a contest is to be begun or played at this moment."""
        now = time()
        if now < terms.starts:
            return False
        with self._arena.opened() as store:
            states = {} if store is None else {contest.name: contest.state for contest in store.contests()}
        if ladder.slug in states:
            return states[ladder.slug] != "over"
        return not terms.has_ended(now) and not contests.unexamined(self._database, ladder)

    def _play_contest(self, room: Room, terms: Terms) -> bool:
        """Play a batch of a contest, or end it; whether there was something to do."""
        session = room.session
        before, heard = _reached(session), room.rulings
        if terms.has_ended(time()):
            self._plays_again = True
            try:
                session.loop.play_again(self._told(room), room.publisher)
            finally:
                self._plays_again = False
            is_over = True
        else:
            is_over = session.loop.run(self._told(room), room.publisher, 1)
        room.publisher.finish()
        if is_over:
            self._heed(room)
            session.store.set_state(session.contest.id, "over")
            if room.rulings != heard:  # whoever ruled in between has found it running, and left it to us
                leave_over(session.store, msgspec.structs.replace(session.contest, state="over"), "stopped")
            self._rooms.pop(room.ladder.slug).close()
        elif _reached(session) == before:
            raise OperatorError("serve-open-matches")
        return True

    def _heed(self, room: Room) -> None:
        """Publish ratings once more where somebody has ruled about results since."""
        if room.ladder.slug in self._rooms and (ruled := room.rulings) != room.ruled:
            room.ruled = ruled
            rulings.publish(ContestView.of(room.session))

    def _put_off(self, ladder: Ladder, why: str) -> None:
        """Note why a ladder is not played, and leave it for a while."""
        logs.trouble(why)
        ladders.note_trouble(self._database, ladder, why)
        self._give_up(ladder, LATER)

    def _give_up(self, ladder: Ladder, seconds: float) -> None:
        """Leave a ladder for so long."""
        self._again[ladder.id] = monotonic() + seconds
        if (broken := self._rooms.pop(ladder.slug, None)) is not None:
            broken.close()


def _reached(session: ContestSession) -> tuple[int, int]:
    """How far a contest is: its batch, and how many matches were played."""
    played = sum(each.played for each in session.store.progress(session.contest.id))
    return session.loop.format.batch, played


def run(judge: Judge, wait: Callable[[float], None] = sleep) -> None:
    """Do what there is to do, until a signal ends it; a database that is gone for a while is waited for."""
    while True:
        try:
            if not judge.step():
                wait(PAUSE)
        except OperatorError as error:
            logs.trouble(error.say())
            wait(LOST)


def main() -> None:
    """Judge until the web server ends."""
    parent, here, folder, sandbox, workers, builds, log = sys.argv[1:]
    logs.begin(log)
    try:
        follow(int(parent))
        interpreter.enter(here)
        sandbox_of(sandbox)  # none that is weaker than what the operator was told of; from here on it is remembered
        sandbox = as_asked(sandbox)
        told = msgspec.json.decode(sys.stdin.buffer.read(), type=Places)
        site = SiteFolder(Path(folder), told.store, told.files)
        place = elsewhere(told.cluster, told.keys, told.plain_tcp)
        with Judge(site, sandbox, int(workers) or None, int(builds) << 30, place, told.puzzles) as judge:
            run(judge)
    except OperatorError as error:  # it is started again
        logs.trouble(error.say())
        sys.exit(2)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
