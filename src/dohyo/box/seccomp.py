"""The seccomp filter: which system calls a boxed program may make, as a program of the kernel's own small machine.

Theory of operation
-------------------
A filter is written here without any library, so that the core needs none, and so that nobody can get a jump wrong:
it is a list of rules of one shape, *compare, and if it holds, return*, in which a jump is over one instruction or
none. A rule that looks at an argument is such a list within one, and is jumped over by its own length. What no
rule names is allowed, since languages differ in
what they call and a kernel grows new calls; what is new and dangerous belongs into `calls`. A test runs the filter,
simulated, over every number of a call and every architecture.

Calls in a foreign numbering (32-bit programs on x86_64, the x32 numbering) are refused whole: the process is killed.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable

from dohyo.box import calls

# Places in the kernel's `struct seccomp_data`: the call's number, the architecture, the low half of an argument.
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF_LD|W|ABS, JEQ, JGE, JSET, RET
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # the kernel's name, the column in `calls`
X32_BIT = 0x40000000

AF_UNIX = 1
NEGATIVE = 0x80000000  # and above: numbers below 0
SO_SNDBUF, SO_SNDBUFFORCE = 7, 32  # how much may lie in a socket unread
# CLONE_NEW: mount, cgroup, uts, ipc, user, pid, net. CLONE_NEWTIME shares its bit with the exit signal's, and exists
# for clone3 and unshare alone.
NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
# Who is paused runs on at SIGCONT, which the kernel sends to those who ask for it: when a file can be read or written
# (fcntl's F_SETSIG), at a parent's death (prctl's PR_SET_PDEATHSIG), at a child's, in place of SIGCHLD (the last byte
# of clone's flags). These bits are in none of the signals 0 and SIGCHLD.
F_SETSIG, PR_SET_PDEATHSIG, ODD_SIGNALS = 10, 1, 0xEE
# What would type into somebody's terminal, take it over, or change how it behaves. A program that shares its
# operator's session may have that terminal open, as its standard error.
OF_TERMINALS = (
    *(0x5412, 0x541C),  # TIOCSTI, TIOCLINUX
    *(0x5410, 0x540E, 0x5423, 0x541D, 0x5414),  # TIOCSPGRP, TIOCSCTTY, TIOCSETD, TIOCCONS, TIOCSWINSZ
    *(0x5402, 0x5403, 0x5404, 0x5406, 0x5407, 0x5408),  # TCSETS, TCSETSW, TCSETSF, TCSETA, TCSETAW, TCSETAF
    *(0x402C542B, 0x402C542C, 0x402C542D),  # TCSETS2, TCSETSW2, TCSETSF2
)

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


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
    unknown = {**calls.UNKNOWN, **({} if counted else calls.UNCOUNTED)}
    refused = {**calls.REFUSED, **(calls.STRAYING if bound else {})}
    if not sockets:
        refused |= {**calls.SCHEDULING, **(calls.ATTRIBUTES if bound else {})}
    steps += _rules((numbers[column] for numbers in refused.values()), errno.EPERM)
    steps += _rules((numbers[column] for numbers in unknown.values()), errno.ENOSYS)
    if sockets:
        steps += _argument(calls.SOCKET[column], FIRST, [(EQUAL, 1, 0, AF_UNIX)], errno.EAFNOSUPPORT)
    else:
        steps += _rules([calls.SOCKET[column]], errno.EAFNOSUPPORT)
        steps += _argument(calls.PRLIMIT[column], FIRST, [(EQUAL, 1, 0, 0)], errno.EPERM)  # of nobody but itself
        # A Landlock that knows nothing of signals would let it end all that the user runs by one call.
        steps += _argument(calls.SIGNAL[column], FIRST, [(AT_LEAST, 0, 1, NEGATIVE)], errno.EPERM)
    steps += _argument(calls.SOCKETPAIR[column], FIRST, [(EQUAL, 1, 0, AF_UNIX)], errno.EAFNOSUPPORT)
    steps += _argument(
        calls.CLONE[column], FIRST, [(ANY_BIT, 0, 1, NAMESPACES | (ODD_SIGNALS if bound else 0))], errno.EPERM
    )
    if bound:
        steps += _argument(calls.FCNTL[column], SECOND, [(EQUAL, 0, 1, F_SETSIG)], errno.EPERM)
        steps += _argument(calls.PRCTL[column], FIRST, [(EQUAL, 0, 1, PR_SET_PDEATHSIG)], errno.EPERM)
    steps += _argument(calls.IOCTL[column], SECOND, [(EQUAL, 0, 1, each) for each in OF_TERMINALS], errno.EPERM)
    if not counted:  # what the kernel keeps for a socket is estimated then, by the usual size
        sizes = [(EQUAL, 0, 1, SO_SNDBUF), (EQUAL, 0, 1, SO_SNDBUFFORCE)]
        steps += _argument(calls.SETSOCKOPT[column], THIRD, sizes, errno.EPERM)
    return [*steps, _return(ALLOW)]


def _load(place: int) -> Instruction:
    return (LOAD, 0, 0, place)


def _return(value: int) -> Instruction:
    return (RETURN, 0, 0, value)


def _rules(numbers: Iterable[int], error: int) -> list[Instruction]:
    """One rule for each call: it fails with `error`."""
    steps: list[Instruction] = []
    for number in numbers:
        if number >= 0:
            steps += [(EQUAL, 0, 1, number), _return(ERRNO | error)]
    return steps


def _argument(number: int, place: int, tests: list[Instruction], error: int) -> list[Instruction]:
    """A rule for one call by one of its arguments: each test either jumps over the refusal behind it, or does not."""
    inside = [_load(place)]
    for test in tests:
        inside += [test, _return(ERRNO | error)]
    inside.append(_return(ALLOW))
    return [(EQUAL, 0, len(inside), number), *inside]
