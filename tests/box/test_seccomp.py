"""The filter of system calls, run in a simulation of the kernel's machine."""

from __future__ import annotations

import errno
import re
import signal
import struct
from pathlib import Path

import pytest

from dohyo.box import calls, seccomp
from tests.skips import Reason, skip_for

HEADERS = {
    "x86_64": (0, ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"]),
    "aarch64": (1, ["/usr/include/asm-generic/unistd.h"]),
}
TABLES = {
    **calls.REFUSED,
    **calls.UNKNOWN,
    **calls.UNCOUNTED,
    **calls.STRAYING,
    **calls.ATTRIBUTES,
    **calls.SCHEDULING,
}
MOST = 1024  # more than any kernel has calls
LOOKED_AT = {
    "socket": calls.SOCKET,
    "socketpair": calls.SOCKETPAIR,
    "clone": calls.CLONE,
    "ioctl": calls.IOCTL,
    "setsockopt": calls.SETSOCKOPT,
    "fcntl": calls.FCNTL,
    "prctl": calls.PRCTL,
    "prlimit64": calls.PRLIMIT,
    "kill": calls.SIGNAL,
}


def run(content: bytes, machine: int, number: int, first: int = 0, second: int = 0, third: int = 0) -> int:
    """What the filter says of a call: the kernel's machine, for the instructions that the filter is made of."""
    memory = struct.pack("=iIQQQQQQQ", number, machine, 0, first, second, third, 0, 0, 0)
    steps = list(struct.iter_unpack("=HBBI", content))
    place = accumulator = 0
    while True:
        code, jump, other, constant = steps[place]
        place += 1
        if code == 0x06:
            return constant
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", memory, constant)
            continue
        holds = {
            0x15: accumulator == constant,
            0x35: accumulator >= constant,
            0x45: bool(accumulator & constant),
        }[code]
        place += jump if holds else other


def refused(error: int) -> int:
    """What the filter returns for a call that fails with `error`."""
    return seccomp.ERRNO | error


@pytest.mark.parametrize("machine", HEADERS)
@pytest.mark.parametrize(("counted", "bound"), [(True, True), (False, False)])
def test_every_call_is_judged_as_the_tables_say(machine: str, counted: bool, bound: bool) -> None:
    """Each number of a call, plainly called, is refused just where a table says so, and else allowed."""
    name, column = seccomp.ARCHITECTURES[machine]
    content = seccomp.assemble(machine, counted=counted, sockets=True, bound=bound)
    expected = dict.fromkeys(range(MOST), seccomp.ALLOW)
    expected.update({numbers[column]: refused(errno.EPERM) for numbers in calls.REFUSED.values()})
    expected.update({numbers[column]: refused(errno.ENOSYS) for numbers in calls.UNKNOWN.values()})
    if not counted:
        expected.update({numbers[column]: refused(errno.ENOSYS) for numbers in calls.UNCOUNTED.values()})
    if bound:
        expected.update({numbers[column]: refused(errno.EPERM) for numbers in calls.STRAYING.values()})
    for each in (calls.SOCKET, calls.SOCKETPAIR):  # family 0
        expected[each[column]] = refused(errno.EAFNOSUPPORT)
    expected.pop(-1, None)
    assert {number: run(content, name, number) for number in expected} == expected


@pytest.mark.parametrize("machine", HEADERS)
def test_arguments_decide_where_they_are_looked_at(machine: str) -> None:
    """Sockets of one family, no new namespace by any flag, no terminal taken over; the rest is allowed."""
    name, column = seccomp.ARCHITECTURES[machine]
    free = seccomp.assemble(machine, counted=True, sockets=True, bound=True)
    shut = seccomp.assemble(machine, counted=True, sockets=False, bound=True)
    for family in range(64):
        wanted = seccomp.ALLOW if family == 1 else refused(errno.EAFNOSUPPORT)
        assert run(free, name, calls.SOCKET[column], family) == wanted
        assert run(shut, name, calls.SOCKET[column], family) == refused(errno.EAFNOSUPPORT)
        assert run(shut, name, calls.SOCKETPAIR[column], family) == wanted
    build = seccomp.assemble(machine, counted=True, sockets=True, bound=False)
    for bit in range(8, 32):
        is_namespace = bit in (17, 25, 26, 27, 28, 29, 30)
        wanted = refused(errno.EPERM) if is_namespace else seccomp.ALLOW
        assert run(free, name, calls.CLONE[column], 1 << bit | 17) == wanted
        assert run(build, name, calls.CLONE[column], 1 << bit | 17) == wanted
    # TIOCSTI, TIOCLINUX, TIOCSPGRP, TCSETS, TCSETSF2; TIOCGWINSZ, TCGETS, TIOCGPGRP.
    no = dict.fromkeys((0x5412, 0x541C, 0x5410, 0x5402, 0x402C542D), errno.EPERM)
    for request, wanted in (no | dict.fromkeys((0x5413, 0x5401, 0x540F), 0)).items():
        for high in (0, 1 << 32):  # the kernel looks at the low half alone
            said = run(free, name, calls.IOCTL[column], 1, high | request)
            assert said == (refused(wanted) if wanted else seccomp.ALLOW)
    for numbers in calls.ATTRIBUTES.values():
        if numbers[column] >= 0:
            assert run(shut, name, numbers[column]) == refused(errno.EPERM)
            assert run(free, name, numbers[column]) == seccomp.ALLOW
    for counted in (True, False):
        content = seccomp.assemble(machine, counted=counted, sockets=True, bound=True)
        for option in range(64):
            wanted = refused(errno.EPERM) if option in (7, 32) and not counted else seccomp.ALLOW
            assert run(content, name, calls.SETSOCKOPT[column], 3, 1, option) == wanted


@pytest.mark.parametrize("machine", HEADERS)
def test_nobody_has_the_signal_sent_that_wakes(machine: str) -> None:
    """No call by which the kernel would send a paused bot SIGCONT; builds, which nobody pauses, have them."""
    name, column = seccomp.ARCHITECTURES[machine]
    for bound in (True, False):
        content = seccomp.assemble(machine, counted=True, sockets=True, bound=bound)
        wanted = refused(errno.EPERM) if bound else seccomp.ALLOW
        assert run(content, name, calls.CLONE[column], signal.SIGCONT) == wanted
        assert run(content, name, calls.FCNTL[column], 3, 10, signal.SIGCONT) == wanted
        assert run(content, name, calls.PRCTL[column], 1, signal.SIGCONT) == wanted
        for usual in (0, signal.SIGCHLD):
            assert run(content, name, calls.CLONE[column], usual) == seccomp.ALLOW
        for command in {*range(40)} - {10}:
            assert run(content, name, calls.FCNTL[column], 3, command) == seccomp.ALLOW
        for option in {*range(70)} - {1}:
            assert run(content, name, calls.PRCTL[column], option) == seccomp.ALLOW


@pytest.mark.parametrize("machine", HEADERS)
@pytest.mark.parametrize("bound", [True, False])
def test_where_others_can_be_seen_nobody_changes_how_they_run(machine: str, bound: bool) -> None:
    """Without namespaces, no call takes another process's limits or priority, or signals everybody at once."""
    name, column = seccomp.ARCHITECTURES[machine]
    for sockets in (True, False):
        content = seccomp.assemble(machine, counted=True, sockets=sockets, bound=bound)
        wanted = seccomp.ALLOW if sockets else refused(errno.EPERM)
        assert run(content, name, calls.PRLIMIT[column], 4711) == wanted
        assert run(content, name, calls.PRLIMIT[column], 0) == seccomp.ALLOW
        for everybody, to in ((True, -1), (True, -4711), (False, 0), (False, 4711)):
            said = run(content, name, calls.SIGNAL[column], to % (1 << 64), 9)
            assert said == (wanted if everybody else seccomp.ALLOW)
        for call in calls.SCHEDULING.keys() - calls.STRAYING.keys():
            assert run(content, name, calls.SCHEDULING[call][column]) == wanted


@pytest.mark.parametrize("machine", HEADERS)
def test_a_foreign_numbering_is_the_end(machine: str) -> None:
    """A call in another architecture's numbers, or in x32's, kills the process, whatever its number is."""
    content = seccomp.assemble(machine, counted=True, sockets=True, bound=True)
    name, _ = seccomp.ARCHITECTURES[machine]
    i386, arm = 0x40000003, 0x40000028
    for number in range(MOST):
        assert run(content, i386, number) == run(content, arm, number) == seccomp.KILL
        if machine == "x86_64":
            assert run(content, name, number | seccomp.X32_BIT) == seccomp.KILL


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_the_kernels(machine: str) -> None:
    """Every number of the tables stands in the kernel's headers beside the same name, if they are new enough."""
    column, places = HEADERS[machine]
    header = next((Path(place) for place in places if Path(place).exists()), None)
    if header is None:
        skip_for(Reason.COMPILER, "the kernel's headers are not on this machine")
    text = header.read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    if machine == "aarch64":
        known.update({"kexec_file_load": 294})
    newest = max(known.values())  # what is newer than the headers cannot be compared
    ours = {name: numbers[column] for name, numbers in {**TABLES, **LOOKED_AT}.items() if numbers[column] <= newest}
    assert {name: number for name, number in ours.items() if number >= 0} == {
        name: known[name] for name, number in ours.items() if number >= 0
    }
    assert [name for name, number in ours.items() if number < 0 and name in known and machine == "x86_64"] == []
