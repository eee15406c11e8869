"""The seccomp filter: which system calls a boxed program may make, as a program of the kernel's own small machine.

Theory of operation
-------------------
A filter is written here without any library, so that the core needs none. Every number of a call has a verdict: a
short list of instructions that ends in a return. Numbers beside each other with the same verdict are one span; the
filter finds a call's span by halving them, eight comparisons for any call, and every jump is over as many
instructions as one list has. What is in no table of `calls` fails as in a kernel that has no such call. A test runs
the filter, simulated, over every number of a call and every architecture.

A kernel from 5.11 on remembers which calls are allowed whatever their arguments are, and does not run the filter for
them. So only few calls look at an argument, and none that a turn is made of.

Calls in a foreign numbering (32-bit programs on x86_64, the x32 numbering) are refused whole: the process is killed.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Sequence

from dohyo.sandbox import calls

# Places in the kernel's `struct seccomp_data`: the call's number, the architecture, the low half of an argument. All
# arguments that are looked at are of 32 bits in the kernel, which does not look at the high half either.
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32

LOAD, JUMP, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06  # BPF_LD|W|ABS, JA, JEQ, JGE, JSET
FARTHEST = 255  # instructions that a comparison can jump over
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # the kernel's name, the column in `calls`
X32_BIT = 0x40000000

AF_UNIX = 1
NO_PAIR = 2  # a bit of SOCK_DGRAM and SOCK_RAW, not of SOCK_STREAM and SOCK_SEQPACKET
SAME = 0xFFFFFFFF  # of users and groups: as it is
NEGATIVE = 0x80000000  # and above: numbers below 0
SO_SNDBUF, SO_SNDBUFFORCE = 7, 32  # how much may lie in a socket unread
# CLONE_NEW: mount, cgroup, uts, ipc, user, pid, net. CLONE_NEWTIME shares its bit with the exit signal's, and exists
# for clone3 and unshare alone.
NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
CLONE_PARENT = 0x00008000  # a child that is not the bot's, but of who started the bot
# Who is paused runs on at SIGCONT, which the kernel sends to those who ask for it: when a file can be read or written
# (fcntl's F_SETSIG), at a parent's death (prctl's PR_SET_PDEATHSIG), at a child's, in place of SIGCHLD (the last byte
# of clone's flags). These bits are in none of the signals 0 and SIGCHLD.
PR_SET_PDEATHSIG, ODD_SIGNALS = 1, 0xEE
# What can be asked of a descriptor that is a file, a pipe or a pair of sockets: whether it is a terminal and how wide
# (TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ), how much can be read (FIONREAD), whether it is closed at exec, blocks
# (FIOCLEX, FIONCLEX, FIONBIO). A terminal would do much more for who has it open.
REQUESTS = (0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5451, 0x5450, 0x5421)
# Duplicates, flags, locks, the size of a pipe, seals; not who gets a signal, and which, or a lease on a file.
COMMANDS = (*range(8), 36, 37, 38, 1030, 1031, 1032, 1033, 1034)
# Its name, whether it can be dumped, what it has of rights, how exact its timers are, that it wants no new rights,
# its huge pages, names of its memory; what aarch64 has of vectors and tagged addresses.
OPTIONS = (2, 3, 4, 15, 16, 21, 23, 27, 29, 30, 38, 39, 41, 42, 50, 51, 55, 56, 0x53564D41)
PERSONALITIES = (0, 0xFFFFFFFF, 0x0040000)  # as usual; the question which it is; without addresses drawn by lot

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant
Verdict = tuple[Instruction, ...]


def supports(machine: str) -> bool:
    """Whether a filter for this kind of processor is known."""
    return machine in ARCHITECTURES


def assemble(machine: str, *, counted: bool, sockets: bool, bound: bool) -> bytes:
    """The filter's instructions, as the kernel takes them.

    `counted`: a cgroup counts all memory. `sockets`: sockets within the machine (AF_UNIX) are allowed, as namespaces
    hide those of others, and processes too; a pair of connected ones always is. `bound`: the program stays in its
    process group, on its cores, and paused while it is.
    """
    return b"".join(struct.pack("=HBBI", *each) for each in program(machine, counted, sockets, bound))


def program(machine: str, counted: bool, sockets: bool, bound: bool) -> list[Instruction]:
    """The same as numbers."""
    architecture, column = ARCHITECTURES[machine]
    steps = [_load(ARCHITECTURE), (EQUAL, 1, 0, architecture), _return(KILL), _load(NUMBER)]
    if machine == "x86_64":
        steps += [(AT_LEAST, 0, 1, X32_BIT), _return(KILL)]
    verdicts = {**_plain(column, counted, sockets, bound), **_by_argument(column, counted, sockets, bound)}
    return [*steps, *_find(_spans(verdicts))]


def _plain(column: int, counted: bool, sockets: bool, bound: bool) -> dict[int, Verdict]:
    """What is said of calls whatever their arguments are."""
    allowed = [calls.ALLOWED]
    refused = [calls.REFUSED]
    if counted:
        allowed.append(calls.UNCOUNTED)
    if not bound:
        allowed.append(calls.WATCHING)
    (refused if bound else allowed).append(calls.STRAYING)
    (allowed if sockets or not bound else refused).append(calls.ATTRIBUTES)
    for table in (calls.SCHEDULING, calls.NAMING):
        (allowed if sockets else refused).append(table)
    # The refused ones last: what stands in two tables is refused.
    found: dict[int, Verdict] = {
        numbers[column]: (_return(ALLOW),) for table in allowed for numbers in table.values()
    }
    found |= {numbers[column]: (_error(errno.EPERM),) for table in refused for numbers in table.values()}
    found.pop(-1, None)
    return found


def _by_argument(column: int, counted: bool, sockets: bool, bound: bool) -> dict[int, Verdict]:
    """What is said of calls by one of their arguments."""
    no_family = _error(errno.EAFNOSUPPORT)
    pair = _only(FIRST, [AF_UNIX], errno.EAFNOSUPPORT)
    same = _but(FIRST, [(EQUAL, 1, 0, SAME)], errno.EPERM, _only(THIRD, [SAME], errno.EPERM))
    found = {
        calls.SOCKET: pair if sockets else (no_family,),
        # One end of an unconnected kind could send to any socket that has a name.
        calls.SOCKETPAIR: pair if sockets else _but(SECOND, [(ANY_BIT, 0, 1, NO_PAIR)], errno.ESOCKTNOSUPPORT, pair),
        calls.CLONE: _but(
            FIRST, [(ANY_BIT, 0, 1, NAMESPACES | CLONE_PARENT | (ODD_SIGNALS if bound else 0))], errno.EPERM
        ),
        calls.IOCTL: _only(SECOND, REQUESTS, errno.ENOTTY),
        calls.FCNTL: _only(SECOND, COMMANDS, errno.EINVAL),
        calls.PRCTL: _only(FIRST, OPTIONS if bound else (*OPTIONS, PR_SET_PDEATHSIG), errno.EINVAL),
        calls.PERSONALITY: _only(FIRST, PERSONALITIES, errno.EPERM),
        # `make` starts its children so: with the effective user and group that they have anyway.
        calls.SETRESUID: same,
        calls.SETRESGID: same,
        calls.SETSOCKOPT: (_return(ALLOW),),
        calls.PRLIMIT: (_return(ALLOW),),
        calls.SIGNAL: (_return(ALLOW),),
    }
    no_more = _but(THIRD, [(AT_LEAST, 0, 1, NEGATIVE)], errno.EPERM)
    found[calls.SETPRIORITY] = no_more if sockets else (_error(errno.EPERM),)  # of others too, where they can be seen
    if not sockets:
        found[calls.PRLIMIT] = _only(FIRST, [0], errno.EPERM)  # of nobody but itself
        # A Landlock that knows nothing of signals would let it end all that the user runs by one call.
        found[calls.SIGNAL] = _but(FIRST, [(AT_LEAST, 0, 1, NEGATIVE)], errno.EPERM)
    if not counted:  # what the kernel keeps for a socket is estimated then, by the usual size
        sizes = [(EQUAL, 0, 1, SO_SNDBUF), (EQUAL, 0, 1, SO_SNDBUFFORCE)]
        found[calls.SETSOCKOPT] = _but(THIRD, sizes, errno.EPERM)
    return {numbers[column]: verdict for numbers, verdict in found.items()}


def _load(place: int) -> Instruction:
    return (LOAD, 0, 0, place)


def _return(value: int) -> Instruction:
    return (RETURN, 0, 0, value)


def _error(number: int) -> Instruction:
    return _return(ERRNO | number)


def _only(place: int, values: Sequence[int], error: int) -> Verdict:
    """Allow the values of an argument that are named, and no others."""
    tests = [(EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return (_load(place), *tests, _error(error), _return(ALLOW))


def _but(place: int, tests: Iterable[Instruction], error: int, rest: Verdict = ((RETURN, 0, 0, ALLOW),)) -> Verdict:
    """Refuse what a test of an argument holds for: each either jumps over the refusal behind it, or does not."""
    inside = [_load(place)]
    for test in tests:
        inside += [test, _error(error)]
    return (*inside, *rest)


def _spans(verdicts: dict[int, Verdict]) -> list[tuple[int, Verdict]]:
    """Where each span of numbers begins, and what is said of it; the last one has no end."""
    unknown = (_error(errno.ENOSYS),)
    spans: list[tuple[int, Verdict]] = []
    for number in range(max(verdicts) + 2):
        verdict = verdicts.get(number, unknown)
        if not spans or spans[-1][1] != verdict:
            spans.append((number, verdict))
    return spans


def _find(spans: Sequence[tuple[int, Verdict]]) -> list[Instruction]:
    """Find the span of the number that is loaded, by halves, and say what is said of it."""
    if len(spans) == 1:
        return list(spans[0][1])
    middle = len(spans) // 2
    below, above = _find(spans[:middle]), _find(spans[middle:])
    pivot = spans[middle][0]
    if len(below) <= FARTHEST:
        return [(AT_LEAST, len(below), 0, pivot), *below, *above]
    return [(AT_LEAST, 0, 1, pivot), (JUMP, 0, 0, len(below)), *below, *above]
