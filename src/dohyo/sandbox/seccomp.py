"""The seccomp filter: which system calls a program in the sandbox may make, as instructions for the kernel.

Theory of operation
-------------------
The filter is written here without any library, so that the core needs none. Every system call number has a verdict: a
short list of instructions that ends in a return. Neighbouring numbers with the same verdict form a span; the filter
finds a call's span by binary search, with eight comparisons for any call, and no jump is longer than one such list. A
call that is in no table fails as in a kernel that has no such call. A test simulates the filter for every call number
and every architecture.

A kernel from 5.11 on remembers which calls are allowed whatever their arguments are, and does not run the filter for
them. So the filter looks at arguments of only a few calls, and of none that a turn needs.

Calls with another numbering (32-bit programs on x86_64, the x32 numbering) are all refused: the process is killed.

A call that no table allows fails as in a kernel that does not have it (ENOSYS), so that programs and C libraries
which try a newer call can do without it. These are `clone3` (its arguments are in memory, where a filter cannot
look), the calls of io_uring (a filter cannot see what they do), and all newer and future calls that no language
needs.

A row of a table is the name, then the number on x86_64 and on aarch64, from the kernel's headers; - where an
architecture has no such call. A test compares them with the headers of the machine, where it has any.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Sequence

Table = dict[str, tuple[int, int]]


def _table(text: str) -> Table:
    rows = [row.split() for row in text.split(",")]
    return {name: (_number(first), _number(second)) for name, first, second in rows}


def _number(word: str) -> int:
    return -1 if word == "-" else int(word)


# What languages and their compilers need. Found by running a program in each of them, and each compiler, under it:
# `tests/sandbox/test_languages.py`; `tests/sandbox/refused_calls.py` says which other calls a program makes.
ALLOWED: Table = {
    # Files and folders.
    **_table("""
    read 0 63, write 1 64, open 2 -, close 3 57, stat 4 -, fstat 5 80, lstat 6 -, lseek 8 62, pread64 17 67,
    pwrite64 18 68, readv 19 65, writev 20 66, access 21 -, sendfile 40 71, fsync 74 82, fdatasync 75 83,
    truncate 76 45, ftruncate 77 46, getdents 78 -, getcwd 79 17, chdir 80 49, fchdir 81 50, rename 82 -, mkdir 83 -,
    rmdir 84 -, creat 85 -, link 86 -, unlink 87 -, symlink 88 -, readlink 89 -, umask 95 166, mknod 133 -,
    statfs 137 43, fstatfs 138 44, readahead 187 213, getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10,
    listxattr 194 11, llistxattr 195 12, flistxattr 196 13, getdents64 217 61, fadvise64 221 223, openat 257 56,
    mkdirat 258 34, mknodat 259 33, newfstatat 262 79, unlinkat 263 35, renameat 264 38, linkat 265 37,
    symlinkat 266 36, readlinkat 267 78, faccessat 269 48, splice 275 76, tee 276 77, sync_file_range 277 84,
    fallocate 285 47, preadv 295 69, pwritev 296 70, renameat2 316 276, copy_file_range 326 285, preadv2 327 286,
    pwritev2 328 287, statx 332 291, close_range 436 436, openat2 437 437, faccessat2 439 439
    """),
    # Descriptors: pipes, waiting, events.
    **_table("""
    poll 7 -, pipe 22 -, select 23 -, dup 32 23, dup2 33 -, epoll_create 213 -, epoll_wait 232 -, epoll_ctl 233 21,
    pselect6 270 72, ppoll 271 73, epoll_pwait 281 22, signalfd 282 -, timerfd_create 283 85, eventfd 284 -,
    timerfd_settime 286 86, timerfd_gettime 287 87, signalfd4 289 74, eventfd2 290 19, epoll_create1 291 20,
    dup3 292 24, pipe2 293 59, epoll_pwait2 441 441
    """),
    # Memory.
    **_table("""
    mmap 9 222, mprotect 10 226, munmap 11 215, brk 12 214, mremap 25 216, msync 26 227, mincore 27 232,
    madvise 28 233, mlock 149 228, munlock 150 229, mlockall 151 230, munlockall 152 231, mbind 237 235,
    set_mempolicy 238 237, get_mempolicy 239 236, membarrier 324 283, mlock2 325 284, pkey_mprotect 329 288,
    pkey_alloc 330 289, pkey_free 331 290, map_shadow_stack 453 453, mseal 462 462
    """),
    # Processes, threads, signals.
    **_table("""
    rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, pause 34 -, getitimer 36 102, alarm 37 -,
    setitimer 38 103, getpid 39 172, fork 57 -, vfork 58 -, execve 59 221, exit 60 93, wait4 61 260, getppid 110 173,
    getpgrp 111 -, getpgid 121 155, getsid 124 156, rt_sigpending 127 136, rt_sigtimedwait 128 137,
    rt_sigqueueinfo 129 138, rt_sigsuspend 130 133, sigaltstack 131 132, arch_prctl 158 -, gettid 186 178,
    tkill 200 130, futex 202 98, set_tid_address 218 96, restart_syscall 219 128, timer_settime 223 110,
    timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111, exit_group 231 94, tgkill 234 131,
    waitid 247 95, set_robust_list 273 99, rt_tgsigqueueinfo 297 240, execveat 322 281, rseq 334 293,
    pidfd_send_signal 424 424, pidfd_open 434 434
    """),
    # A process's identity, rights and use of resources; the time.
    **_table("""
    sched_yield 24 124, uname 63 160, getrlimit 97 163, getrusage 98 165, sysinfo 99 179, times 100 153,
    getuid 102 174, getgid 104 176, geteuid 107 175, getegid 108 177, getgroups 115 158, getresuid 118 148,
    getresgid 120 150, capget 125 90, getpriority 140 141, sched_getparam 143 121, sched_getscheduler 145 120,
    sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127, setrlimit 160 164,
    sched_getaffinity 204 123, ioprio_get 252 31, getcpu 309 168, sched_getattr 315 275, getrandom 318 278,
    nanosleep 35 101, gettimeofday 96 169, time 201 -, clock_gettime 228 113, clock_getres 229 114,
    clock_nanosleep 230 115
    """),
    # Use of a socket that it has; which sockets it can get is decided below.
    **_table("""
    sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212, shutdown 48 210, getsockname 51 204,
    getpeername 52 205, getsockopt 55 209, recvmmsg 299 243, sendmmsg 307 269
    """),
}

# Calls that look into other processes, load code into the kernel, change mounts or the machine's settings, store
# secrets outside the process, or give it memory that no limit counts, something of which the whole machine has little
# (the queues of `io_setup`), or another user's rights. Refused with EPERM, so that a program learns that it may not.
REFUSED: Table = _table("""
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440,
    process_mrelease 448 448, kcmp 312 272, pidfd_getfd 438 438, add_key 248 217, request_key 249 218, keyctl 250 219,
    bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, seccomp 317 277,
    shmget 29 194, shmat 30 196, shmctl 31 195, shmdt 67 197, semget 64 190, semctl 66 191, semop 65 193,
    semtimedop 220 192, msgget 68 186, msgctl 71 187, msgsnd 69 189, msgrcv 70 188, mq_open 240 180,
    mq_unlink 241 181,
    mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, open_tree 428 428, open_tree_attr 467 467,
    move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442,
    setns 308 268, unshare 272 97, name_to_handle_at 303 264, open_by_handle_at 304 265,
    init_module 175 105, finit_module 313 273, delete_module 176 106, kexec_load 246 104, kexec_file_load 320 294,
    reboot 169 142, swapon 167 224, swapoff 168 225, acct 163 89, quotactl 179 60, quotactl_fd 443 443,
    syslog 103 116,
    settimeofday 164 170, clock_settime 227 112, clock_adjtime 305 266, adjtimex 159 171,
    sethostname 170 161, setdomainname 171 162, vhangup 153 58, fanotify_init 300 262, lookup_dcookie 212 18,
    iopl 172 -, ioperm 173 -, uselib 134 -, modify_ldt 154 -, memfd_secret 447 447, io_setup 206 0,
    migrate_pages 256 238, move_pages 279 239,
    setuid 105 146, setgid 106 144, setreuid 113 145, setregid 114 143, setgroups 116 159, setfsuid 122 151,
    setfsgid 123 152, capset 126 91
""")

# Memory behind a descriptor: a cgroup counts it, nothing else does. Without a cgroup, it fails as unknown.
UNCOUNTED: Table = {"memfd_create": (319, 279)}

# Calls that would take a process out of its group, by which it is paused and killed, or off its cores; and timers,
# whose signal may be the one that makes a paused process go on. Refused to bots, allowed to builds.
STRAYING: Table = _table("timer_create 222 107, setpgid 109 154, setsid 112 157, sched_setaffinity 203 122")

# A lock on a file: others who have the same file open see it, through any sandbox, and all bots see the system's
# files. So bots could tell each other something by it: for them, the call does nothing, and says that it did. By an
# error, libraries fail, and Java writes a line to standard output from version 19 on. Allowed to builds. The same of
# `fcntl`: LOCKS.
LOCKING: Table = _table("flock 73 32")
DONE = 0  # in the place of an error's number

# Calls that change a file's permissions, owner, times and attributes: Landlock has no right for these, so they are
# refused in the layer that has only Landlock. Only to bots: compilers make executable files.
ATTRIBUTES: Table = _table("""
    chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
    fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5, lsetxattr 189 6,
    fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16
""")

# Calls that change how another process of the same user is scheduled: Landlock restricts only signals and tracing. If
# the program can see other process trees, these are refused; then it cannot use them for itself either.
SCHEDULING: Table = _table("""
    ioprio_set 251 30, sched_setscheduler 144 119, sched_setparam 142 118,
    sched_setattr 314 274, sched_setaffinity 203 122
""")

# Calls that give a socket a name, or connect it to another program's. Refused if no namespace hides other programs'
# sockets: then a program can only use pairs of its own.
NAMING: Table = _table("connect 42 203, accept 43 202, bind 49 200, listen 50 201, accept4 288 242")

# Calls that are judged by their arguments.
SETPRIORITY = (141, 140)
SOCKET = (41, 198)
SOCKETPAIR = (53, 199)
CLONE = (56, 220)
IOCTL = (16, 29)
SETSOCKOPT = (54, 208)
FCNTL = (72, 25)
PRCTL = (157, 167)
PRLIMIT = (302, 261)
SETRESUID = (117, 147)
SETRESGID = (119, 149)
SIGNAL = (62, 129)  # which the kernel calls kill
PERSONALITY = (135, 92)

# Places in the kernel's `struct seccomp_data`: the call's number, the architecture, the low half of an argument. All
# arguments that the filter looks at have 32 bits in the kernel, which ignores the high half too.
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32

LOAD, JUMP, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06  # BPF_LD|W|ABS, JA, JEQ, JGE, JSET
FARTHEST = 255  # instructions that a comparison can jump over
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # the kernel's name, the column of the tables
X32_BIT = 0x40000000

AF_UNIX = 1
NO_PAIR = 2  # a bit of SOCK_DGRAM and SOCK_RAW, not of SOCK_STREAM and SOCK_SEQPACKET
SAME = 0xFFFFFFFF  # for users and groups: unchanged
NEGATIVE = 0x80000000  # and above: numbers below 0
SO_SNDBUF, SO_SNDBUFFORCE = 7, 32  # how many unread bytes a socket may hold
# CLONE_NEW: mount, cgroup, uts, ipc, user, pid, net. CLONE_NEWTIME shares its bit with the exit signal's, and exists
# for clone3 and unshare alone.
NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
CLONE_PARENT = 0x00008000  # makes a child not of the bot, but of the process that started the bot
# A paused process goes on at SIGCONT, which the kernel sends on request: when a file can be read or written (fcntl's
# F_SETSIG), at a parent's death (prctl's PR_SET_PDEATHSIG), at a child's, in place of SIGCHLD (the last byte of
# clone's flags). These bits are in none of the signals 0 and SIGCHLD.
PR_SET_PDEATHSIG, ODD_SIGNALS = 1, 0xEE
# What can be asked of a descriptor that is a file, a pipe or a pair of sockets: whether it is a terminal and how wide
# (TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ), how much can be read (FIONREAD), whether it is closed at exec, blocks
# (FIOCLEX, FIONCLEX, FIONBIO). A terminal has many more such requests.
REQUESTS = (0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5451, 0x5450, 0x5421)
# Duplicates, flags, the size of a pipe, seals; not the receiver or number of a signal, and no lease on a file.
COMMANDS = (*range(5), 1030, 1031, 1032, 1033, 1034)
ASK_LOCKS = (5, 36)  # F_GETLK, and the same for open files: for builds
LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, and the same for open files
# Its name, whether it can be dumped, its rights, how exact its timers are, that it gives up new rights, its huge
# pages, names of its memory; on aarch64, vectors and tagged addresses.
OPTIONS = (2, 3, 4, 15, 16, 21, 23, 27, 29, 30, 38, 39, 41, 42, 50, 51, 55, 56, 0x53564D41)
PERSONALITIES = (0, 0xFFFFFFFF, 0x0040000)  # the usual one; a query; one without random addresses

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant
Verdict = tuple[Instruction, ...]


def supports(machine: str) -> bool:
    """Whether a filter for this kind of processor is known."""
    return machine in ARCHITECTURES


def assemble(machine: str, *, counted: bool, sockets: bool, bound: bool) -> bytes:
    """The filter's instructions, as the kernel takes them.

    `counted`: a cgroup counts all memory. `sockets`: sockets within the machine (AF_UNIX) are allowed, because
    namespaces hide other programs' sockets and processes; a pair of connected sockets is always allowed. `bound`: the
    program stays in its process group and on its cores, and cannot end its own pause.
    """
    return b"".join(struct.pack("=HBBI", *each) for each in program(machine, counted, sockets, bound))


def program(machine: str, counted: bool, sockets: bool, bound: bool) -> list[Instruction]:
    """The filter's instructions as numbers."""
    architecture, column = ARCHITECTURES[machine]
    steps = [_load(ARCHITECTURE), (EQUAL, 1, 0, architecture), _return(KILL), _load(NUMBER)]
    if machine == "x86_64":
        steps += [(AT_LEAST, 0, 1, X32_BIT), _return(KILL)]
    verdicts = {**_plain(column, counted, sockets, bound), **_by_argument(column, counted, sockets, bound)}
    return [*steps, *_find(_spans(verdicts))]


def _plain(column: int, counted: bool, sockets: bool, bound: bool) -> dict[int, Verdict]:
    """The verdicts on calls, whatever their arguments are."""
    allowed = [ALLOWED]
    refused = [REFUSED]
    if counted:
        allowed.append(UNCOUNTED)
    (refused if bound else allowed).append(STRAYING)
    if not bound:
        allowed.append(LOCKING)
    (allowed if sockets or not bound else refused).append(ATTRIBUTES)
    for table in (SCHEDULING, NAMING):
        (allowed if sockets else refused).append(table)
    # The refused ones last: a call in two tables is refused.
    found: dict[int, Verdict] = {
        numbers[column]: (_return(ALLOW),) for table in allowed for numbers in table.values()
    }
    found |= {numbers[column]: (_error(errno.EPERM),) for table in refused for numbers in table.values()}
    if bound:
        found |= {numbers[column]: (_error(DONE),) for numbers in LOCKING.values()}
    found.pop(-1, None)
    return found


def _by_argument(column: int, counted: bool, sockets: bool, bound: bool) -> dict[int, Verdict]:
    """The verdicts on calls by one of their arguments."""
    no_family = _error(errno.EAFNOSUPPORT)
    pair = _only(FIRST, [AF_UNIX], errno.EAFNOSUPPORT)
    same = _but(FIRST, [(EQUAL, 1, 0, SAME)], errno.EPERM, _only(THIRD, [SAME], errno.EPERM))
    found = {
        SOCKET: pair if sockets else (no_family,),
        # A socket of a connectionless kind could send to any socket that has a name.
        SOCKETPAIR: pair if sockets else _but(SECOND, [(ANY_BIT, 0, 1, NO_PAIR)], errno.ESOCKTNOSUPPORT, pair),
        CLONE: _but(FIRST, [(ANY_BIT, 0, 1, NAMESPACES | CLONE_PARENT | (ODD_SIGNALS if bound else 0))], errno.EPERM),
        IOCTL: _only(SECOND, REQUESTS, errno.ENOTTY),
        FCNTL: _but(SECOND, [(EQUAL, 0, 1, lock) for lock in LOCKS], DONE, _only(SECOND, COMMANDS, errno.EINVAL))
        if bound
        else _only(SECOND, (*COMMANDS, *ASK_LOCKS, *LOCKS), errno.EINVAL),
        PRCTL: _only(FIRST, OPTIONS if bound else (*OPTIONS, PR_SET_PDEATHSIG), errno.EINVAL),
        PERSONALITY: _only(FIRST, PERSONALITIES, errno.EPERM),
        # `make` starts its children in this way: with the effective user and group that they already have.
        SETRESUID: same,
        SETRESGID: same,
        SETSOCKOPT: (_return(ALLOW),),
        PRLIMIT: (_return(ALLOW),),
        SIGNAL: (_return(ALLOW),),
    }
    no_more = _but(THIRD, [(AT_LEAST, 0, 1, NEGATIVE)], errno.EPERM)
    found[SETPRIORITY] = no_more if sockets else (_error(errno.EPERM),)  # of other processes too, if they can be seen
    if not sockets:
        found[PRLIMIT] = _only(FIRST, [0], errno.EPERM)  # only for the process itself
        # A Landlock version without rules for signals would let it kill all of the user's processes by one call.
        found[SIGNAL] = _but(FIRST, [(AT_LEAST, 0, 1, NEGATIVE)], errno.EPERM)
    if not counted:  # then the kernel's memory for a socket is estimated by the usual size
        sizes = [(EQUAL, 0, 1, SO_SNDBUF), (EQUAL, 0, 1, SO_SNDBUFFORCE)]
        found[SETSOCKOPT] = _but(THIRD, sizes, errno.EPERM)
    return {numbers[column]: verdict for numbers, verdict in found.items()}


def _load(place: int) -> Instruction:
    return (LOAD, 0, 0, place)


def _return(value: int) -> Instruction:
    return (RETURN, 0, 0, value)


def _error(number: int) -> Instruction:
    return _return(ERRNO | number)


def _only(place: int, values: Sequence[int], error: int) -> Verdict:
    """Allow only these values of an argument."""
    tests = [(EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return (_load(place), *tests, _error(error), _return(ALLOW))


def _but(place: int, tests: Iterable[Instruction], error: int, rest: Verdict = ((RETURN, 0, 0, ALLOW),)) -> Verdict:
    """Refuse a call if a test of an argument is true: each test may jump over the refusal after it."""
    inside = [_load(place)]
    for test in tests:
        inside += [test, _error(error)]
    return (*inside, *rest)


def _spans(verdicts: dict[int, Verdict]) -> list[tuple[int, Verdict]]:
    """Where each span of numbers begins, with its verdict; the last one has no end."""
    unknown = (_error(errno.ENOSYS),)
    spans: list[tuple[int, Verdict]] = []
    for number in range(max(verdicts) + 2):
        verdict = verdicts.get(number, unknown)
        if not spans or spans[-1][1] != verdict:
            spans.append((number, verdict))
    return spans


def _find(spans: Sequence[tuple[int, Verdict]]) -> list[Instruction]:
    """Find the span of the loaded number by binary search, and return its verdict."""
    if len(spans) == 1:
        return list(spans[0][1])
    middle = len(spans) // 2
    below, above = _find(spans[:middle]), _find(spans[middle:])
    pivot = spans[middle][0]
    if len(below) <= FARTHEST:
        return [(AT_LEAST, len(below), 0, pivot), *below, *above]
    return [(AT_LEAST, 0, 1, pivot), (JUMP, 0, 0, len(below)), *below, *above]
