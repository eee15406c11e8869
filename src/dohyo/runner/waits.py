"""For how long a program as a whole waited for a processor: of threads that wait at the same moment, only one counts.

Theory of operation
-------------------
A turn is cut into spans, by the looks at it. The kernel writes down a thread's wait when that is over. So what is new
at a look is laid into the newest span, as much as has room beside what this thread waited in it already, and the rest
into the spans before: a wait that is longer than its span began before it. Of each span then counts the longest that
a single thread waited: so much was surely waited. Others' waits in it may have been at the same moment. What was
waited in different spans adds up: so do waits one after the other, of a thread and of those that await it, if they
are looked at often enough. Of a single thread everything counts, however seldom one looks.

Never counts what the program surely ran until a look, however long somebody else waits after it.
"""

from __future__ import annotations

from collections.abc import Mapping

MOST_SPANS = 1000  # then the oldest become one: that is many seconds ago
DOUBT = 200_000  # nanoseconds in a span of which it is not known whether they were at the same moment: not worth more

Span = tuple[int, dict[int, int]]  # its length, and what each thread waited in it, in nanoseconds


class Waits:
    """Of one turn, in nanoseconds. `counted` is for how long the program waited."""

    def __init__(self, before: Mapping[int, int], begun: int = 0, given: int = 0) -> None:
        """`before` is what each thread had waited; `given` counts for what was `begun` that long ago."""
        self.counted = given
        self.is_doubtful = False  # whether several threads waited in the last span
        self._known = dict(before)
        self._until = self._begun = begun
        self._spans: list[Span] = [(begun, {})] if begun else []
        self._tops = [given] if begun else []  # what counts of each span
        self._least = 0  # what it ran until the look before, at least

    def note(self, elapsed: int, waited: Mapping[int, int], least: int) -> None:
        """What each thread has waited by now, so long after the beginning; it has run for `least` of that, surely."""
        if elapsed > self._until:
            self._spans.append((elapsed - self._until, {}))
            self._tops.append(0)
            self._until = elapsed
        before, total, longest = sum(self._tops), 0, 0
        for thread, all_of_it in waited.items():
            known = self._known.get(thread, 0)
            if all_of_it == known:
                continue
            # Less than before: another thread, that has the number of one that has ended.
            new = all_of_it - known if all_of_it > known else all_of_it
            self._known[thread] = all_of_it
            total, longest = total + new, max(longest, new)
            self._lay(thread, new)
        self.is_doubtful = total - longest > DOUBT
        # What it ran until the look before: that was over when `elapsed` was read, which is earlier than this look.
        self.counted = min(self.counted + sum(self._tops) - before, max(0, elapsed - self._least))
        self._least = least
        if len(self._spans) > MOST_SPANS:
            self._join_oldest()

    def _lay(self, thread: int, new: int) -> None:
        for place in range(len(self._spans) - 1, -1, -1):
            length, laid = self._spans[place]
            part = min(new, length - laid.get(thread, 0))
            if part > 0:
                laid[thread] = laid.get(thread, 0) + part
                if self._begun and not place:  # nobody looked: in favour of the program, one after the other
                    self._tops[place] = min(length, self._tops[place] + part)
                else:
                    self._tops[place] = max(self._tops[place], laid[thread])
                new -= part
            if not new:
                break

    def _join_oldest(self) -> None:
        (length, laid), (more, also) = self._spans[:2]
        for thread, waited in also.items():
            laid[thread] = laid.get(thread, 0) + waited
        self._begun = 0
        self._spans[:2] = [(length + more, laid)]
        self._tops[:2] = [sum(self._tops[:2])]
