"""Layer 3's launcher: a program that confines itself and then becomes the bot. Nothing of Dohyo is imported.

    python -I -S launcher.py PLAN WORDS ...

PLAN is what the words may read and write, limits, files; as `marshal` writes it, which takes no time to import.

A launcher, because to confine itself in between fork
and exec a process of ours would have to fork whole, which costs 34 ms at 1 GB; bubblewrap is not here to do it.

What fails before the file `entered` is written to is no fault of the bot's.
"""

import ctypes
import marshal
import os
import resource
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
NO_NEW_PRIVILEGES, DEATH_SIGNAL, SUBREAPER, SECCOMP, DROP_BOUNDING = 38, 1, 36, 22, 24  # of prctl
MODE_FILTER = 2
CAPABILITIES_3 = 0x20080522
LAST_CAPABILITY = 63

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1, 2, 4, 8, 1 << 14, 1 << 15
FIRST_VERSION = (1 << 13) - 1
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
BIND_TCP, CONNECT_TCP = 1, 2
ABSTRACT_SOCKETS, SIGNALS = 1, 2


class Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        sys.exit(f"{what}: {os.strerror(number)}")
    return result


def rights(version: int) -> int:
    """Every right on files that this version of Landlock knows."""
    more = {2: 1 << 13, 3: TRUNCATE, 5: IOCTL_DEV}
    return FIRST_VERSION | sum(bit for since, bit in more.items() if version >= since)


def confine_files(version: int, readable: "list[str]", writable: "list[str]") -> None:
    """Landlock: everything is closed but for these paths; signals stay inside, where the kernel can do that."""
    known = rights(version)
    handled = Ruleset(known, BIND_TCP | CONNECT_TCP, ABSTRACT_SOCKETS | SIGNALS)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = check(LIBC.syscall(CREATE_RULESET, ctypes.byref(handled), size, 0), "landlock")
    allowed = [(path, READ) for path in readable] + [(path, known & ~EXECUTE | READ) for path in writable]
    for path, right in allowed:
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        possible = right & known if os.path.isdir(path) else right & known & OF_FILES
        check(LIBC.syscall(ADD_RULE, rules, 1, ctypes.byref(Beneath(possible, folder)), 0), path)
        os.close(folder)
    check(LIBC.syscall(RESTRICT_SELF, rules, 0), "landlock")
    os.close(rules)


def drop_capabilities() -> None:
    """Be nobody special, also where we are root."""
    for number in range(LAST_CAPABILITY + 1):
        LIBC.prctl(DROP_BOUNDING, number, 0, 0, 0)
    head = (ctypes.c_uint32 * 2)(CAPABILITIES_3, 0)
    check(LIBC.capset(ctypes.byref(head), ctypes.byref((ctypes.c_uint32 * 6)())), "capset")


def main() -> None:
    plan, words = marshal.loads(bytes.fromhex(sys.argv[1])), sys.argv[2:]
    for door in plan["doors"]:
        with open(door, "w") as file:
            file.write("0")
    for kind, value in plan["limits"].items():
        number = getattr(resource, kind)
        most = resource.getrlimit(number)[1]
        own = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(number, (own, own))
    with open(plan["filter"], "rb") as file:
        steps = file.read()
    entered = os.open(plan["entered"], os.O_WRONLY | os.O_CLOEXEC)
    LIBC.prctl(DEATH_SIGNAL, 9, 0, 0, 0)
    # A process that loses its parent falls to the bot, so that the watch still finds it below the bot.
    LIBC.prctl(SUBREAPER, 1, 0, 0, 0)
    drop_capabilities()
    check(LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no_new_privs")
    confine_files(plan["version"], plan["readable"], plan["writable"])
    content = ctypes.create_string_buffer(steps, len(steps))
    program = Program(len(steps) // 8, ctypes.cast(content, ctypes.c_void_p))
    check(LIBC.prctl(SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")
    os.write(entered, b"ok")
    try:
        os.execv(words[0], words)
    except OSError as error:
        sys.stderr.write(f"{words[0]}: {error.strerror}\n")
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main()
