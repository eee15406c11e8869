"""The system calls that a boxed program has no business with, and their numbers.

Numbers are of x86_64 and of aarch64, from the kernel's headers; -1 where an architecture has no such call. A test
compares them with the headers of the machine, where it has any.
"""

from __future__ import annotations

# What looks into other processes, loads code into the kernel, changes what is mounted or the machine's settings,
# keeps secrets outside the process, gives it memory that no limit counts, or something of which the whole machine has
# little (the queues of `io_setup`). Refused with EPERM.
REFUSED: dict[str, tuple[int, int]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgctl": (71, 187),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "setns": (308, 268),
    "unshare": (272, 97),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "uselib": (134, -1),
    "modify_ldt": (154, -1),
    "memfd_secret": (447, 447),
    "io_setup": (206, 0),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}

# Refused as if the kernel were older: programs then do without. What clone3 asks for lies in memory, where a filter
# cannot look; the C library takes clone instead.
UNKNOWN: dict[str, tuple[int, int]] = {
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}

# Memory behind a descriptor: a cgroup counts it, nothing else does. Unknown where there is no cgroup.
UNCOUNTED: dict[str, tuple[int, int]] = {"memfd_create": (319, 279)}

# What would take a process out of its group, by which it is paused and killed, or off its cores; and a timer, whose
# signal may be the one by which a paused process runs on. For bots alone.
STRAYING: dict[str, tuple[int, int]] = {
    "timer_create": (222, 107),
    "setpgid": (109, 154),
    "setsid": (112, 157),
    "sched_setaffinity": (203, 122),
}

# What changes a file's permissions, owner, times and attributes: Landlock knows no right for these, so where it alone
# closes the disk they are refused. For bots alone: compilers make files that can be executed.
ATTRIBUTES: dict[str, tuple[int, int]] = {
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}

# What changes how another process of the same user is scheduled: Landlock knows of signals and tracing alone. Where
# no process tree of its own hides the others, these are refused; a program cannot do it to itself then either.
SCHEDULING: dict[str, tuple[int, int]] = {
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
}

# Looked at by their arguments.
SOCKET = (41, 198)
SOCKETPAIR = (53, 199)
CLONE = (56, 220)
IOCTL = (16, 29)
SETSOCKOPT = (54, 208)
FCNTL = (72, 25)
PRCTL = (157, 167)
PRLIMIT = (302, 261)
SIGNAL = (62, 129)  # which the kernel calls kill
