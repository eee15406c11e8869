"""The filter of system calls, run in a simulation of the kernel's machine."""

from __future__ import annotations

import errno
import itertools
import re
import signal
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from dohyo.sandbox import seccomp
from tests.sandbox.simulated import refused, run, walk
from tests.skips import Reason, skip_for

HEADERS = {
    "x86_64": (0, ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"]),
    "aarch64": (1, ["/usr/include/asm-generic/unistd.h"]),
}
TABLES = {
    **seccomp.ALLOWED,
    **seccomp.REFUSED,
    **seccomp.UNCOUNTED,
    **seccomp.STRAYING,
    **seccomp.LOCKING,
    **seccomp.ATTRIBUTES,
    **seccomp.SCHEDULING,
    **seccomp.NAMING,
}
MOST = 1024  # more than any kernel has calls
LOOKED_AT = {
    "socket": seccomp.SOCKET,
    "socketpair": seccomp.SOCKETPAIR,
    "clone": seccomp.CLONE,
    "ioctl": seccomp.IOCTL,
    "setsockopt": seccomp.SETSOCKOPT,
    "fcntl": seccomp.FCNTL,
    "prctl": seccomp.PRCTL,
    "setpriority": seccomp.SETPRIORITY,
    "prlimit64": seccomp.PRLIMIT,
    "kill": seccomp.SIGNAL,
    "personality": seccomp.PERSONALITY,
    "setresuid": seccomp.SETRESUID,
    "setresgid": seccomp.SETRESGID,
}
# What a kernel has and no bot has any business with, by the numbers of both architectures; not from our tables.
NEVER = {
    "ptrace": (101, 117),
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "mount": (165, 40),
    "fsopen": (430, 430),
    "unshare": (272, 97),
    "setns": (308, 268),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "process_vm_readv": (310, 270),
    "init_module": (175, 105),
    "kexec_load": (246, 104),
    "vmsplice": (278, 75),
    "syncfs": (306, 267),
    "sync": (162, 81),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "statmount": (457, 457),
    "setxattrat": (463, 463),
    "file_setattr": (469, 469),
}


class Kind(NamedTuple):
    """One filter of those that there are."""

    machine: str
    counted: bool
    sockets: bool
    bound: bool

    @property
    def content(self) -> bytes:
        """Its instructions."""
        return _assembled(self)

    @property
    def name(self) -> int:
        """The kernel's name of its architecture."""
        return seccomp.ARCHITECTURES[self.machine][0]

    @property
    def column(self) -> int:
        """The architecture's column in the tables."""
        return seccomp.ARCHITECTURES[self.machine][1]

    def say(self, numbers: tuple[int, int], *arguments: int) -> int:
        """What it says of a call."""
        return run(self.content, self.name, numbers[self.column], *arguments)


@cache
def _assembled(kind: Kind) -> bytes:
    return seccomp.assemble(kind.machine, counted=kind.counted, sockets=kind.sockets, bound=kind.bound)


KINDS = [Kind(machine, *rest) for machine in HEADERS for rest in itertools.product((True, False), repeat=3)]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
EPERM, ENOSYS = refused(errno.EPERM), refused(errno.ENOSYS)


@every_kind
def test_every_call_is_judged_as_the_tables_say(kind: Kind) -> None:
    """Each number of a call is allowed just where a table says so, refused by EPERM where one does, else unknown."""
    allowed = {
        **seccomp.ALLOWED,
        **(seccomp.UNCOUNTED if kind.counted else {}),
    }
    no = {**seccomp.REFUSED}
    (no if kind.bound else allowed).update(seccomp.STRAYING)
    done = seccomp.LOCKING if kind.bound else {}  # it does nothing, and says that it did
    allowed.update({} if kind.bound else seccomp.LOCKING)
    (no if kind.bound and not kind.sockets else allowed).update(seccomp.ATTRIBUTES)
    for table in (seccomp.SCHEDULING, seccomp.NAMING):
        (allowed if kind.sockets else no).update(table)
    expected = dict.fromkeys(range(MOST), ENOSYS)
    expected |= {numbers[kind.column]: seccomp.ALLOW for numbers in allowed.values()}
    expected |= {numbers[kind.column]: EPERM for numbers in no.values()}
    expected |= {numbers[kind.column]: refused(0) for numbers in done.values()}
    for number in (-1, *(numbers[kind.column] for numbers in LOOKED_AT.values())):
        expected.pop(number, None)
    content = kind.content
    assert {number: run(content, kind.name, number) for number in expected} == expected


@every_kind
def test_what_no_program_has_any_business_with(kind: Kind) -> None:
    """No filter allows, whatever the arguments are, what reaches beyond a process; nor a number that is none."""
    for numbers in NEVER.values():
        assert kind.say(numbers) in (EPERM, ENOSYS)
    for number in (MOST, 0x3FFFFFFF, 0xFFFFFFFF):
        assert run(kind.content, kind.name, number) in (ENOSYS, seccomp.KILL)


@every_kind
def test_what_a_turn_is_made_of_costs_nothing(kind: Kind) -> None:
    """What is allowed whatever its arguments are is allowed without a look at one; the kernel remembers those."""
    content, number_and_architecture = kind.content, {seccomp.NUMBER, seccomp.ARCHITECTURE}
    for name, numbers in seccomp.ALLOWED.items():
        if numbers[kind.column] >= 0:
            said, looked = walk(content, kind.name, numbers[kind.column])
            assert (said, looked) == (seccomp.ALLOW, number_and_architecture), name


def test_a_call_has_one_verdict() -> None:
    """No call stands in two tables, but for the one that bots lose for two reasons; no number has two names."""
    tables = [
        seccomp.ALLOWED,
        seccomp.REFUSED,
        seccomp.UNCOUNTED,
        seccomp.STRAYING,
        seccomp.LOCKING,
        seccomp.ATTRIBUTES,
    ]
    tables += [seccomp.SCHEDULING, seccomp.NAMING, LOOKED_AT]
    names = [name for table in tables for name in table]
    assert sorted(names) == sorted([*{*names}, "sched_setaffinity"])
    for column in (0, 1):
        numbers = [row[column] for row in {**TABLES, **LOOKED_AT}.values() if row[column] >= 0]
        assert len(numbers) == len({*numbers})


@every_kind
def test_sockets(kind: Kind) -> None:
    """Sockets of one family where a namespace hides the others, else pairs of connected ones alone."""
    for family in range(64):
        wanted = seccomp.ALLOW if family == 1 else refused(errno.EAFNOSUPPORT)
        assert kind.say(seccomp.SOCKET, family, 1) == (wanted if kind.sockets else refused(errno.EAFNOSUPPORT))
        assert kind.say(seccomp.SOCKETPAIR, family, 1) == wanted
    for flags in (0, 0o4000, 0o2000000, 0o2004000):  # non-blocking, closed at exec
        for form, connected in ((1, True), (5, True), (2, False), (3, False)):  # stream, seqpacket, dgram, raw
            free = connected or kind.sockets
            wanted = seccomp.ALLOW if free else refused(errno.ESOCKTNOSUPPORT)
            assert kind.say(seccomp.SOCKETPAIR, 1, form | flags) == wanted
    for option in range(64):
        wanted = EPERM if option in (7, 32) and not kind.counted else seccomp.ALLOW
        assert kind.say(seccomp.SETSOCKOPT, 3, 1, option) == wanted


@every_kind
def test_new_processes(kind: Kind) -> None:
    """No new namespace by any flag, and no child that is somebody else's; threads and children are allowed."""
    for bit in range(8, 32):
        wanted = EPERM if bit in (15, 17, 25, 26, 27, 28, 29, 30) else seccomp.ALLOW
        assert kind.say(seccomp.CLONE, 1 << bit | signal.SIGCHLD) == wanted
    threads = 0x3D0F00  # CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID
    for usual in (0, signal.SIGCHLD, 0x4111, threads):  # the third is vfork's
        assert kind.say(seccomp.CLONE, usual) == seccomp.ALLOW


@every_kind
def test_of_a_descriptor_little_can_be_asked(kind: Kind) -> None:
    """Whether it is a terminal, and what a pipe needs; nothing that changes a terminal, a file or a network."""
    yes = {0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5450, 0x5451, 0x5421}
    others = {*range(0x5400, 0x5480), *range(0x8900, 0x8A00), 0x80045430, 0x40045431, 0x40049409, 0x5441, 0x40086602}
    for high in (0, 1 << 32):  # the kernel looks at the low half alone
        for request in yes | others:
            wanted = seccomp.ALLOW if request in yes else refused(errno.ENOTTY)
            assert kind.say(seccomp.IOCTL, 1, high | request) == wanted, hex(request)


@every_kind
def test_nobody_has_the_signal_sent_that_wakes(kind: Kind) -> None:
    """No call by which the kernel would send a paused bot SIGCONT; nor any signal to who is named as an owner.

    And no lock on a file, which other bots would see: that does nothing, and says that it did.
    """
    for number in range(2, 64):
        if number != signal.SIGCHLD:
            wanted = EPERM if kind.bound and number not in (1, 16) else seccomp.ALLOW
            assert kind.say(seccomp.CLONE, number) == wanted
    yes = {0, 1, 2, 3, 4, 1030, 1031, 1032, 1033, 1034} | (set() if kind.bound else {5, 6, 7, 36, 37, 38})
    for command in {*range(64), *range(1000, 1064)}:
        wanted = seccomp.ALLOW if command in yes else refused(errno.EINVAL)
        if kind.bound and command in (6, 7, 37, 38):
            wanted = refused(0)
        assert kind.say(seccomp.FCNTL, 3, command, signal.SIGCONT) == wanted
    assert kind.say(seccomp.PRCTL, 1, signal.SIGCONT) == (refused(errno.EINVAL) if kind.bound else seccomp.ALLOW)


@every_kind
def test_a_process_changes_itself_in_few_ways(kind: Kind) -> None:
    """Its name and the like; not whose orphans it gets, who may trace it, what it may call, where its memory ends."""
    yes = {
        2,
        3,
        4,
        15,
        16,
        21,
        23,
        27,
        29,
        30,
        38,
        39,
        41,
        42,
        50,
        51,
        55,
        56,
        0x53564D41,
        *([] if kind.bound else [1]),
    }
    for option in {*range(128), *yes, 0x59616D61}:  # the last: who may trace it
        assert kind.say(seccomp.PRCTL, option) == (seccomp.ALLOW if option in yes else refused(errno.EINVAL))
    for persona, wanted in ((0, seccomp.ALLOW), (0xFFFFFFFF, seccomp.ALLOW), (0x40000, seccomp.ALLOW)):
        assert kind.say(seccomp.PERSONALITY, persona) == wanted
    for persona in (0x0400000, 0x0100000, 8, 0x40008):  # memory that can all be executed; pages at 0; 32 bits
        assert kind.say(seccomp.PERSONALITY, persona) == EPERM


@every_kind
def test_a_program_stays_who_it_is(kind: Kind) -> None:
    """The real and the saved user and group stay; `make` asks for the effective ones, which it has."""
    same = (1 << 32) - 1
    for call in (seccomp.SETRESUID, seccomp.SETRESGID):
        assert kind.say(call, same, 1000, same) == seccomp.ALLOW
        assert {kind.say(call, *ids) for ids in ((0, 0, 0), (0, same, same), (same, same, 0))} == {EPERM}


@every_kind
def test_where_others_can_be_seen_nobody_changes_how_they_run(kind: Kind) -> None:
    """Without namespaces, no call takes another process's limits or priority, or signals everybody at once."""
    wanted = seccomp.ALLOW if kind.sockets else EPERM
    assert kind.say(seccomp.PRLIMIT, 4711) == wanted
    assert kind.say(seccomp.PRLIMIT, 0) == seccomp.ALLOW
    for everybody, to in ((True, -1), (True, -4711), (False, 0), (False, 4711)):
        assert kind.say(seccomp.SIGNAL, to % (1 << 64), 9) == (wanted if everybody else seccomp.ALLOW)
    for call in seccomp.SCHEDULING.keys() - seccomp.STRAYING.keys():
        assert kind.say(seccomp.SCHEDULING[call]) == wanted
    assert kind.say(seccomp.SETPRIORITY, 0, 0, 5) == wanted
    assert kind.say(seccomp.SETPRIORITY, 0, 0, -5 % (1 << 32)) == EPERM


@every_kind
def test_a_foreign_numbering_is_the_end(kind: Kind) -> None:
    """A call in another architecture's numbers, or in x32's, kills the process, whatever its number is."""
    content = kind.content
    i386, arm = 0x40000003, 0x40000028
    for number in range(MOST):
        assert run(content, i386, number) == run(content, arm, number) == seccomp.KILL
        if kind.machine == "x86_64":
            assert run(content, kind.name, number | seccomp.X32_BIT) == seccomp.KILL


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_the_kernels(machine: str) -> None:
    """Every number of the tables stands in the kernel's headers beside the same name, if they are new enough."""
    column, filesystem = HEADERS[machine]
    header = next((Path(place) for place in filesystem if Path(place).exists()), None)
    if header is None:
        skip_for(Reason.COMPILER, "the kernel's headers are not on this machine")
    text = header.read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    if machine == "aarch64":
        known.update({"kexec_file_load": 294, "newfstatat": known["fstatat"]})
    newest = max(known.values())  # what is newer than the headers cannot be compared
    ours = {
        name: numbers[column]
        for name, numbers in {**TABLES, **LOOKED_AT, **NEVER}.items()
        if numbers[column] <= newest
    }
    assert {name: number for name, number in ours.items() if number >= 0} == {
        name: known[name] for name, number in ours.items() if number >= 0
    }
    assert [name for name, number in ours.items() if number < 0 and name in known and machine == "x86_64"] == []
