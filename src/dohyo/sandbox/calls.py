"""The system calls that a boxed program may make, those that it is refused, and their numbers.

What no table allows fails as in a kernel that does not have it (ENOSYS), so that programs and C libraries which try
a newer call do without: `clone3` (what it asks for lies in memory, where a filter cannot look), the calls of io_uring
(what they do no filter sees), and all that kernels have learnt or will learn that no language needs.

A row is the name, then the number on x86_64 and on aarch64, from the kernel's headers; - where an architecture has no
such call. A test compares them with the headers of the machine, where it has any.
"""

from __future__ import annotations

Table = dict[str, tuple[int, int]]


def _table(text: str) -> Table:
    rows = [row.split() for row in text.split(",")]
    return {name: (_number(first), _number(second)) for name, first, second in rows}


def _number(word: str) -> int:
    return -1 if word == "-" else int(word)


# What languages and their compilers need. Found by running a program in each of them, and each compiler, under it:
# `tests/sandbox/test_languages.py`; `tests/sandbox/asked.py` says which calls a program makes that are not here.
ALLOWED: Table = {
    # Files and folders.
    **_table("""
    read 0 63, write 1 64, open 2 -, close 3 57, stat 4 -, fstat 5 80, lstat 6 -, lseek 8 62, pread64 17 67,
    pwrite64 18 68, readv 19 65, writev 20 66, access 21 -, sendfile 40 71, flock 73 32, fsync 74 82, fdatasync 75 83,
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
    # What a process is, may do and has used; the time.
    **_table("""
    sched_yield 24 124, uname 63 160, getrlimit 97 163, getrusage 98 165, sysinfo 99 179, times 100 153,
    getuid 102 174, getgid 104 176, geteuid 107 175, getegid 108 177, getgroups 115 158, getresuid 118 148,
    getresgid 120 150, capget 125 90, getpriority 140 141, sched_getparam 143 121, sched_getscheduler 145 120,
    sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127, setrlimit 160 164,
    sched_getaffinity 204 123, ioprio_get 252 31, getcpu 309 168, sched_getattr 315 275, getrandom 318 278,
    nanosleep 35 101, gettimeofday 96 169, time 201 -, clock_gettime 228 113, clock_getres 229 114,
    clock_nanosleep 230 115
    """),
    # Over a socket that it has; which one it gets is looked at below.
    **_table("""
    sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212, shutdown 48 210, getsockname 51 204,
    getpeername 52 205, getsockopt 55 209, recvmmsg 299 243, sendmmsg 307 269
    """),
}

# What looks into other processes, loads code into the kernel, changes what is mounted or the machine's settings,
# keeps secrets outside the process, gives it memory that no limit counts, something of which the whole machine has
# little (the queues of `io_setup`), or another user's rights. Refused with EPERM: who asks learns that it may not.
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

# Memory behind a descriptor: a cgroup counts it, nothing else does. Where there is none, it is unknown.
UNCOUNTED: Table = {"memfd_create": (319, 279)}

# What would take a process out of its group, by which it is paused and killed, or off its cores; and a timer, whose
# signal may be the one by which a paused process runs on. Refused to bots; builds have them.
STRAYING: Table = _table("timer_create 222 107, setpgid 109 154, setsid 112 157, sched_setaffinity 203 122")

# What waits for changes of files: the user has few of its queues. Builds have them; to bots the kernel has no such.
WATCHING: Table = _table(
    "inotify_init 253 -, inotify_init1 294 26, inotify_add_watch 254 27, inotify_rm_watch 255 28"
)

# What changes a file's permissions, owner, times and attributes: Landlock knows no right for these, so where it alone
# closes the disk they are refused. To bots alone: compilers make files that can be executed.
ATTRIBUTES: Table = _table("""
    chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
    fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5, lsetxattr 189 6,
    fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16
""")

# What changes how another process of the same user is scheduled: Landlock knows of signals and tracing alone. Where
# no process tree of its own hides the others, these are refused; a program cannot do it to itself then either.
SCHEDULING: Table = _table("""
    ioprio_set 251 30, sched_setscheduler 144 119, sched_setparam 142 118,
    sched_setattr 314 274, sched_setaffinity 203 122
""")

# What gives a socket a name, or somebody else's to talk to. Refused where no namespace hides those of others: there a
# program has pairs of sockets alone.
NAMING: Table = _table("connect 42 203, accept 43 202, bind 49 200, listen 50 201, accept4 288 242")

# Looked at by their arguments.
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
