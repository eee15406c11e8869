"""The stopwatch: how much of a turn's time is charged to a program in each clock mode, and whether it is too late.

Theory of operation
-------------------
"The watch" is wall time since the program was asked, given by the caller. "The tree" is the program with all
processes that it started. The stopwatch looks at what the tree has used since then.

    wall    the watch's time is charged
    cpu     the time that the tree ran on processors, less, where that decides, what the hypervisor took: the kernel
            believes that it was the tree's
    fair    the watch's time, less what the tree as a whole waited for a processor (`Waits`), less what we
            ourselves waited before we could see the answer, and, where that decides, less what the hypervisor took;
            but never less than the time for which all processors together would have been needed, nor than any one
            thread ran: of what we waited, much is while the program computes

Our own waits for a processor matter only if they may hide an answer, or if they delayed the input. If there is no
answer when we look into the pipes a second time, the program did not answer during our waits before the first look.
So before a program without an answer is judged late, we look twice, and of our own waits only those between the two
looks count, and those from before the input was sent.

That is what we waited for a processor. For other waits of ours the system has no number: for Python's lock, held by a
thread of ours that has no processor; for a page. So the caller gives no time in which it could not see what came
(`Poller.until`, `ReadTimer.late_since`).

When the answer is there, the number is exact, and decides strictly. Before that, we look when the limit may have been
reached. Then one thing is difficult in `fair`: as long as a thread still waits, the kernel has not recorded that
wait. A sleeping thread does not wait for a processor, so for a program without a runnable thread the number is exact.
Otherwise we look again a little later: a thread that ran meanwhile has been waiting at most since then, and for a
thread that did not run in all that time, all of it counts as waiting. Time on a processor is always known, and the
limit by the watch behind `fair` and `cpu` ends every turn.

Waits of several threads at the same moment count once; waits one after the other count each. Only looks in between
can distinguish the two. So we look at a tree of more than one thread from the beginning of the turn: often while more
than one of them waits, less often otherwise. A program of one thread costs nothing more; but when it is asked for the
first time, we also look a few times, at growing distances, because it may still start threads. The cost of a look
limits how often we look.

In `fair`, a turn that the fast path has begun, without any look, is continued here when it lasts too long for the
fast path. It is then unknown what the tree had used when the turn began. Known is what it had used, at least, some
time before (`mark`, between loops), and what it has used now. So all waits since the mark count as waits in this
turn, one after the other, but not for longer than the turn has lasted; and only what runs from now on counts as the
least that is charged. Both are in favour of the program. What is told is at least what it may have run. A turn that
ended sooner needs none of this: `fair` never charges more than the watch shows.

What decides and what is told can differ. An answer that came while we could not look may have come at any moment
of that time. The earliest one decides (`charged`). But a program that has run for longer than that until we looked
has hardly answered first and run on afterwards: so no less than what it ran is told (`sign`), and what
decided is kept beside it for its reserve (`Answer.decided`).

A program may also wait for pages of its memory (`process_tree.py`). That is looked at only when it would be late
otherwise, and added up from look to look, so that who sleeps after its page came is found late soon.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from time import monotonic_ns, thread_time_ns

from dohyo.core.clock import Clock, Mode
from dohyo.core.faults import Proof
from dohyo.core.referee import Answer
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.process_tree import Census, Pages, Stalls, Thefts, Tree, Used, not_its_own
from dohyo.system import proc, scheduler

NANO = 1_000_000_000
MICRO = 1_000  # nanoseconds: what replays round to
MOMENT = 1_000_000  # nanoseconds between two looks, at least
AGAIN = 20_000_000  # the same while threads are runnable: the kernel records running time once per tick (up to 10 ms)
MARKS = 50_000_000  # nanoseconds between two marks, at least
CLOSE, FAR = 8_000_000, 16_000_000  # between two looks at a tree of several threads: while they wait, and while not
FIRST = 16  # a new program of one thread is first looked at after 1/16 of its limit
DEAR = 10  # the next of these looks comes after this many times the duration of a look

MAX_SPANS = 1000  # more are reduced by joining the oldest, which are many seconds old
DOUBT = 200_000  # nanoseconds of a span's waits that may have been at the same moment: fewer need no look

Span = tuple[int, dict[int, int]]  # its length, and what each thread waited in it, in nanoseconds


class Stopwatch:
    """The stopwatch of one program.

    `charged` is what counts against the limit, `ran` its processor time, `least` what it needed of the turn at least,
    by that; nanoseconds.
    """

    def __init__(self, mode: Mode, tree: Tree, own_wait: Callable[[], int], thefts: Thefts, processors: int) -> None:
        """`own_wait` returns how long this thread has waited for a processor; the bots may use `processors` of
        them."""
        self._thefts, self._thefts_before, self._slept_before = thefts, [0], 0
        self._mode, self._tree, self._own_wait, self._processors = mode, tree, own_wait, processors
        self.charged = self.ran = self.elapsed = self.least = 0
        self._least = 0  # what is charged at least, whatever the waits were
        self.next_look = 0  # nanoseconds by the watch
        self._due = 0  # the same: before this moment, the program cannot be late
        self._close_look: int | None = None  # the same, when threads' waits are looked at
        self._distance = CLOSE  # from one of these to the next
        self._waits = Waits({})
        self._is_new = True  # it was never asked before
        self.by_watch = False  # whether it was late by the watch behind its own clock
        self.is_unsure = False  # and that only because the machine had no processor for it
        self._base, self._own_base = Used(0), 0
        self._limit = self._behind = 0
        # Nanoseconds that we had waited when all of the input was sent, and at the last look that saw no answer.
        self._own_asked: int | None = None
        self._own_seen: int | None = None
        self._own_before: int | None = None  # the same at the look before that one
        self._hiding = 0  # nanoseconds of our waits in which an answer may have come that was not seen yet
        self._runnable: tuple[int, dict[int, int]] | None = None  # when looked at, and what was seen
        # In a turn that the fast path began: when it was continued, and what had run until then, at most.
        self._begun = self._ran_before = 0
        self._mark, self._own_mark, self._marked_at = Used(0), 0, -MARKS
        self._pages, self._pages_at = Pages(), -MARKS  # what was read for it from disks by then
        self._judged = 0  # the moment up to which the latest look judges
        self._stalled = 0  # for how long it may have waited for pages in this turn, not by its own doing
        self._was_modest = False  # a thread of it was behind others at some look beyond its limit by the watch
        self._waited = self._own = 0  # in this turn: what it waited for a processor, what was ours

    @property
    def is_fair(self) -> bool:
        """Whether the referee's own waits are nobody's time."""
        return self._mode == "fair"

    def mark(self) -> None:
        """Between turns: note what was used, unless that was noted shortly before.

        The fast path may begin a turn next.
        """
        now = monotonic_ns()
        if self._mode == "fair" and now - self._marked_at >= MARKS:
            self._marked_at = now
            self._own_mark, self._thefts_before = self._own_wait(), self._thefts.before()
            self._mark = self._tree.glance()
            self._note_pages()

    def _note_pages(self) -> None:
        """Note what was read for it, unless that was noted shortly before: in its favour, if at all."""
        now = monotonic_ns()
        if now - self._pages_at >= MARKS:
            self._pages, self._pages_at = self._tree.pages(), now

    def go_on(
        self,
        limit: float,
        behind: float,
        elapsed: int,
        late: int = 0,
        sent: int | None = None,
        is_silent: Callable[[], bool] = lambda: False,
    ) -> None:
        """Continue a turn that the fast path began after the last `mark`, so many nanoseconds ago by the watch.

        For so many of these, `late`, we could not run, whatever we waited for. `sent` says that nothing had come, and
        after how many nanoseconds the program's pipe had its whole input: if it `is_silent` now, too, no wait of ours
        hid an answer, and none after that moment delayed the input.
        """
        thefts, pages = self._thefts_before, self._pages
        self.start(limit, behind)
        self._thefts_before, self._pages = thefts, pages
        ran, threads, waits, _ = self._base
        at_once = max(1, min(len(threads), self._processors))
        given = min(max(0, self._base.waited - self._mark.waited), elapsed)
        self._waits = Waits(waits, elapsed, given)
        self._plan(elapsed, CLOSE)
        own = sent if sent is not None and is_silent() else max(self._own_base - self._own_mark, late)
        self._own_base -= min(own, elapsed - given)  # no more than all of it
        self._begun, self._ran_before = elapsed, min(ran - self._mark.ran, elapsed * at_once)

    def start(self, limit: float, behind: float, is_first: bool = False) -> None:
        """A turn begins: so many seconds are allowed, and so many by the watch.

        `is_first`: the program was started for this turn, and all that it has used since counts. On a busy machine it
        may have ended before we come to look.
        """
        self._limit, self._behind = int(limit * NANO), int(behind * NANO)
        self._due, self._close_look = self._limit, None
        self.charged = self.ran = self.elapsed = self.least = self._least = self._begun = self._ran_before = 0
        self._stalled = self._waited = self._own = 0
        self.by_watch = self.is_unsure = self._was_modest = False
        self._runnable = None
        self._own_asked = self._own_seen = self._own_before = None
        if self._mode == "fair":
            self._own_base, self._slept_before = self._own_wait(), self._thefts.slept
            self._note_pages()
        if self._mode != "wall":
            self._thefts_before = self._thefts.before()
        self._base = self._tree.look()
        self._waits = Waits(self._base.waits)
        if is_first:
            self._base = self._base._replace(ran=0, threads={})
            self._pages = Pages(stalled=self._pages.stalled)
        if self._mode == "fair" and (self._is_new or not self._base.is_alone):
            self._close_look = 0
        self._is_new = False
        # A program of one thread is usually ready, or has answered, before the first look.
        self._plan(0, max(CLOSE, self._limit // FIRST) if self._base.is_alone else CLOSE)

    def start_again(self, has_begun: Callable[[], bool]) -> bool:
        """Let the turn begin now, whatever was used before; False, and no change, if the program has begun by now.

        For a program that was started for this turn, as long as its sandbox is being made.
        """
        own, slept, taken = self._own_wait(), self._thefts.slept, self._thefts.before()
        base, pages = self._tree.look(), self._tree.pages() if self._mode == "fair" else self._pages
        if has_begun():
            return False
        self._own_base, self._slept_before, self._thefts_before = own, slept, taken
        self._base, self._waits = base, Waits(base.waits)
        self._pages, self._pages_at = pages, monotonic_ns()
        self.asked(is_whole=True)
        return True

    def asked(self, is_whole: bool, took: int = 0) -> None:
        """The input was sent, which took us so long by the watch, whatever we waited for meanwhile.

        If all of it was, our own waits from now on do not delay the program's input.
        """
        if is_whole and self._mode == "fair":
            self._own_asked = max(self._own_wait() - self._own_base, took)
            self._own_seen = self._own_before = None  # of an earlier part of the input, if it came in two

    def is_late(self, elapsed: int, is_done: bool, ago: int = 0, spared: int = 0, until: int | None = None) -> bool:
        """Whether the program is too late, `elapsed` nanoseconds by the watch after it was asked.

        We looked so long `ago`. A program without an answer is spared so much more: then it is surely late. `until`
        is the moment that is judged, if that is not now: `elapsed` alone does not say it, as time may be excused.

        `is_done` says that there is something to judge; otherwise this looks only when a look is due.
        """
        if not is_done and elapsed < self.next_look:
            return False
        self._judged = monotonic_ns() if until is None else until
        if not is_done and elapsed < self._due:
            self._own_waits(is_done)
            self._look(elapsed)
            self._note_modesty(elapsed)
            return False
        # Read this first: if a thread is not runnable now, what we read next includes all its waits up to now.
        runnable = {} if is_done or self._mode != "fair" else self._tree.runnable()
        ran, longest = self._look(elapsed)
        self._note_modesty(elapsed)
        own = self._own_waits(is_done) if self._mode == "fair" else 0
        if is_done and ago:  # our waits since then are in neither
            own = max(own - ago, min(own, self._own_asked or 0))
        self.charged = self._charge(elapsed, ran, self._waits.counted, own, longest)
        if self.is_fair and is_done:
            before = min(self._ran_before, self._begun)  # it may be of an earlier turn: told, not charged
            self.least = min(elapsed + ago, before + max(longest, ran // self._processors))
        limit = self._limit + (0 if is_done else spared)
        over = self.charged >= limit
        if not over:
            self._runnable = None
        is_sure = over and (is_done or self._is_sure(runnable))
        self._judge_by_watch(elapsed, is_sure, over)
        late = self.by_watch or is_sure
        if not late:
            rest = max(limit - self.charged, MOMENT if self._runnable is None else AGAIN)
            if self._hiding > MOMENT and self.charged + self._hiding >= self._limit:
                rest = 0  # look into the pipes again at once
            self._due = min(elapsed + rest, self._behind)
            self.next_look = self._due if self._close_look is None else min(self._due, self._close_look)
        return late

    def _judge_by_watch(self, elapsed: int, is_sure: bool, over: bool) -> None:
        """Whether it is late by the watch behind its own clock; and whether that is only because it had no processor.

        That would be nobody's fault but the machine's. One that waits because it has put itself behind all others, or
        for pages, is late: it can bring that about.
        """
        self.by_watch = self._mode != "wall" and elapsed >= self._behind
        waited = self.charged + self._stalled < self._limit or (over and not self._stalled)
        is_machines = self._mode == "fair" and not is_sure and waited
        self.is_unsure = self.by_watch and is_machines and not self._was_modest

    def _note_modesty(self, elapsed: int) -> None:
        """Note whether a thread is behind others. At each look: it may have ended before the last one."""
        if elapsed >= self._limit and self._mode == "fair" and not self._was_modest:
            self._was_modest = self._tree.is_modest()

    def _look(self, elapsed: int) -> tuple[int, int]:
        """Look at what was used in this turn; returns what ran: all threads together, and the longest of them."""
        before = thread_time_ns()
        used = self._tree.look()
        ago = max(0, monotonic_ns() - self._judged)
        took = thread_time_ns() - before  # by the processor: on a busy machine, looks must not become rare
        ran = used.ran - self._base.ran
        self.ran, self.elapsed = ran + self._ran_before, elapsed
        longest = max((ran - self._base.threads.get(thread, 0) for thread, ran in used.threads.items()), default=0)
        longest = min(longest, ran)
        if self._mode == "fair":
            self._waits.note(elapsed, used.waits, max(longest, ran // self._processors), ago)
            if self._close_look is None and not used.is_alone:
                self._close_look = elapsed
            far = self._limit if used.is_alone else FAR
            self._plan(elapsed, max(CLOSE if self._waits.is_doubtful else min(2 * self._distance, far), took * DEAR))
        return ran, longest

    def _plan(self, elapsed: int, distance: int) -> None:
        """Plan the next look: at this distance from the last, if threads' waits have to be looked at."""
        self._distance = distance
        if self._close_look is not None:
            self._close_look = elapsed + distance
        self.next_look = self._due if self._close_look is None else min(self._due, self._close_look)

    def _own_waits(self, is_done: bool) -> int:
        """The part of our own waits in this turn for which the program is not charged."""
        own = self._own_wait() - self._own_base
        self._hiding = 0
        if self._own_asked is None:
            return own
        if is_done:  # there was no answer at the look into the pipes before the last one, nor at the last one
            return own - (0 if self._own_before is None else self._own_before - self._own_asked)
        seen = self._own_asked if self._own_seen is None else self._own_seen
        self._own_before, self._own_seen = seen, own
        self._hiding = own - seen
        return self._own_asked + self._hiding

    def _charge(self, elapsed: int, ran: int, waited: int, own: int, longest: int) -> int:
        self._waited, self._own = waited, own
        if self._mode == "wall":
            return elapsed
        # What the hypervisor took is read only if it decides: this look costs most of all.
        if self._mode == "cpu":
            if ran < self._limit:
                return ran
            stolen = self._thefts.since(self._thefts_before, lambda stolen: ran - stolen < self._limit)
            return max(0, ran - stolen)
        free = waited + own + self._thefts.slept - self._slept_before
        least = min(elapsed, max(longest, ran // self._processors))
        charged = max(elapsed - free, least)
        if charged >= self._limit:
            stolen = self._thefts.since(self._thefts_before, lambda stolen: charged - stolen < self._limit)
            free, least = free + stolen, least - stolen
        self._least = max(0, least)
        self._own += free - waited - own
        # So does what it waited for pages. Processor time is charged whatever else there was: of any thread, because
        # a program whose other threads compute meanwhile, one after the other, does not wait.
        if elapsed - free >= self._limit > self._least:
            free += min(self._note_stalls(), max(0, elapsed - ran))
        return max(elapsed - free, self._least)

    def _note_stalls(self) -> int:
        """For how long it may have waited for pages in this turn, not by its own doing, up to now.

        From one look to the next only if a page was read for it meanwhile, or it waits for one now.
        """
        now = self._tree.pages(in_doubt=True)
        self._stalled += not_its_own(self._pages, now)
        self._pages, self._pages_at = now, monotonic_ns()
        return self._stalled

    def _is_sure(self, runnable: dict[int, int]) -> bool:
        """Whether no wait is missing that would bring the program below its limit after all."""
        if self._least >= self._limit or not runnable:
            return True
        before, self._runnable = self._runnable, (self.elapsed, runnable)
        if before is None:
            return False
        then, seen = before
        if any(seen.get(thread) == ran for thread, ran in runnable.items()):
            return False
        return self.charged - (self.elapsed - then) >= self._limit

    def proof(self) -> Proof | None:
        """What this turn's time is known to consist of, for a verdict; none where only wall time is measured."""
        if self._mode == "wall":
            return None

        def seconds(nanoseconds: int) -> float:
            return round(max(0, nanoseconds) / NANO, 6)

        return Proof(
            charged=seconds(self.charged),
            limit=seconds(self._limit),
            wall=seconds(self.elapsed),
            cpu=seconds(self.ran),
            waited=seconds(self._waited),
            stalled=seconds(min(self._stalled, self.elapsed - self.ran)),
            ours=seconds(self._own),
            load=round(os.getloadavg()[0], 2),
            doubt=seconds(self._ran_before),
        )

    def sign(self, answer: Answer) -> Answer:
        """Write the time of its turn into an answer.

        It may have come while we could not look. Then the earliest moment decides, but what is told is never less
        than what the program ran until we looked, nor as much as the limit that it has kept.
        """
        least = min(self.least, max(0, self._limit - MICRO)) if self.charged < self._limit else 0
        answer.seconds, answer.cpu = round(max(self.charged, least) / NANO, 6), round(self.ran / NANO, 6)
        if least > self.charged:
            answer.decided = round(self.charged / NANO, 6)
        answer.wall = None if self._mode == "wall" else round(max(self.elapsed, least) / NANO, 6)
        return answer

    def close(self) -> None:
        """The program ends: stop looking."""
        self._tree.close()


Watches = Callable[[BotProcess], Stopwatch]


def stopwatches(clock: Clock) -> Watches | None:
    """The function that makes each stopwatch; none if the clock is wall time, or this system can do no more."""
    if clock.is_plain or proc.missing(clock.mode):
        return None
    census, thefts, processors = Census(), Thefts(), len(scheduler.cores())
    stalls = Stalls(processors=os.cpu_count() or 1)

    def make(program: BotProcess) -> Stopwatch:
        return Stopwatch(
            clock.mode,
            Tree(program.process.pid, census, program.processor_seconds, stalls),
            proc.own_wait,
            thefts,
            processors,
        )

    return make


class Waits:
    """For how long a program as a whole waited for a processor, in one turn, in nanoseconds: that is `counted`.

    Of threads that wait at the same moment, only one counts. The looks divide a turn into spans. The kernel records a
    thread's wait when the wait is over. So what is new at a look is put into the newest span, as much as fits beside
    what this thread waited in it already, and the rest into the spans before: a wait that is longer than its span
    began before it. Of each span, the longest wait of a single thread counts: that much was certainly waited. The
    others' waits in it may have been at the same moment. The waits of different spans are added: so are waits one
    after the other, of a thread and of threads that wait for it, if the looks are frequent enough. For a single
    thread everything counts, however rare the looks are.

    Time for which the program certainly ran before a look never counts, however long another thread waits after it.
    """

    def __init__(self, before: Mapping[int, int], begun: int = 0, given: int = 0) -> None:
        """`before` is what each thread had waited; `given` is what counts for a turn that was `begun` so long ago."""
        self.counted = given
        self.is_doubtful = False  # whether several threads waited in the last span
        self._known = dict(before)
        self._until = self._begun = begun
        self._spans: list[Span] = [(begun, {})] if begun else []
        self._tops = [given] if begun else []  # what counts of each span
        self._least = 0  # what it ran until the look before, at least

    def note(self, elapsed: int, waited: Mapping[int, int], least: int, ago: int = 0) -> None:
        """Note what each thread has waited by now, `elapsed` and `ago` after the beginning, of which only `elapsed`
        is looked at; the program ran for `least` of that."""
        if elapsed > self._until:
            self._spans.append((elapsed - self._until, {}))
            self._tops.append(0)
            self._until = elapsed
        before, total, longest, rest, whose = sum(self._tops), 0, 0, 0, -1  # -1: nobody's
        for thread, all_of_it in waited.items():
            known = self._known.get(thread, 0)
            if all_of_it == known:
                continue
            # Less than before: this is another thread, with the number of one that has ended.
            new = all_of_it - known if all_of_it > known else all_of_it
            self._known[thread] = all_of_it
            left = self._lay(thread, new)
            if new > longest:
                longest, rest, whose = new, left, thread
            total += new
        self.is_doubtful = total - longest > DOUBT
        # What it ran until the look before: that was over when `elapsed` was read, which is earlier than this look.
        counted = self.counted + sum(self._tops) - before
        self.counted = min(counted, max(0, elapsed - self._least))
        if whose >= 0:  # what it has waited since `elapsed` is for the next look: its time comes only there
            self._known[whose] -= min(rest + counted - self.counted, ago)
        self._least = least
        if len(self._spans) > MAX_SPANS:
            self._join_oldest()

    def _lay(self, thread: int, new: int) -> int:
        """Put a thread's new wait into the spans, from the newest on; returns what does not fit."""
        for place in range(len(self._spans) - 1, -1, -1):
            length, laid = self._spans[place]
            part = min(new, length - laid.get(thread, 0))
            if part > 0:
                laid[thread] = laid.get(thread, 0) + part
                if self._begun and not place:  # no look: counted one after the other, in the program's favour
                    self._tops[place] = min(length, self._tops[place] + part)
                else:
                    self._tops[place] = max(self._tops[place], laid[thread])
                new -= part
            if not new:
                break
        return new

    def _join_oldest(self) -> None:
        (length, laid), (more, also) = self._spans[:2]
        for thread, waited in also.items():
            laid[thread] = laid.get(thread, 0) + waited
        self._begun = 0
        self._spans[:2] = [(length + more, laid)]
        self._tops[:2] = [sum(self._tops[:2])]
