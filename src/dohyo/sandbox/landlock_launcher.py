"""Layer 3's launcher: a program that confines itself and then becomes the bot. Nothing of Dohyo is imported.

    python -I -S -c STUB CODE PLAN WORDS ...

CODE is this file, compiled by the process that starts it: compiling it each time would take 2 ms. PLAN is what the
program WORDS may read and write, its limits and files, written by `marshal`, which takes no time to import.

Why a launcher: to confine itself between fork and exec, our own process would have to be copied by a full fork, which
costs 34 ms at 1 GB of memory; and bubblewrap, which could do it, is not available in this layer.

It runs at every bot's start, so it imports only modules that are built in or small: not `os`, and of `ctypes` (4 ms)
only `_ctypes`, its part in C.

A failure before the file `entered` is written is not the bot's fault.
"""

import _ctypes
import marshal
import posix
import resource
import sys

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


FOLDER, KIND = 0o040000, 0o170000  # of a file's mode


class Long(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "l"


class Char(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "c"


class Call(_ctypes.CFuncPtr):
    """A function of the C library that takes numbers and addresses (bytes), and returns a number."""

    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = Long


LIBC = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]  # None: the libraries that this program is linked with
SYSCALL, PRCTL, CAPSET = (Call(_ctypes.dlsym(LIBC, name)) for name in ("syscall", "prctl", "capset"))


def numbers(size: int, *values: int) -> bytes:
    """The numbers as bytes, `size` bytes each, one after the other."""
    return b"".join(value.to_bytes(size, sys.byteorder) for value in values)


def check(result: int, what: str) -> int:
    if result < 0:
        sys.exit(f"{what}: {posix.strerror(_ctypes.get_errno())}")
    return result


def rights(version: int) -> int:
    """Every right on files that this version of Landlock knows."""
    more = {2: 1 << 13, 3: TRUNCATE, 5: IOCTL_DEV}
    return FIRST_VERSION | sum(bit for since, bit in more.items() if version >= since)


def confine_files(version: int, readable: "list[str]", writable: "list[str]") -> None:
    """Landlock: only these paths are open; signals cannot leave the sandbox, if the kernel can do that."""
    known = rights(version)
    handled = numbers(8, known, BIND_TCP | CONNECT_TCP, ABSTRACT_SOCKETS | SIGNALS)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = check(SYSCALL(CREATE_RULESET, handled, size, 0), "landlock")
    allowed = [(path, READ) for path in readable] + [(path, known & ~EXECUTE | READ) for path in writable]
    for path, right in allowed:
        try:
            place = posix.open(path, posix.O_PATH | posix.O_CLOEXEC)
        except OSError:
            continue
        is_folder = posix.fstat(place).st_mode & KIND == FOLDER
        possible = right & known if is_folder else right & known & OF_FILES
        check(SYSCALL(ADD_RULE, rules, 1, numbers(8, possible) + numbers(4, place), 0), path)
        posix.close(place)
    check(SYSCALL(RESTRICT_SELF, rules, 0), "landlock")
    posix.close(rules)


def drop_capabilities() -> None:
    """Give up all special rights, even if we are root."""
    for number in range(LAST_CAPABILITY + 1):
        if PRCTL(DROP_BOUNDING, number, 0, 0, 0) < 0:
            break  # the kernel knows no more of them, or we have none to give up
    check(CAPSET(numbers(4, CAPABILITIES_3, 0), bytes(24)), "capset")


def filter_calls(steps: bytes) -> None:
    """Seccomp: from now on the kernel filters every system call."""

    class Steps(_ctypes.Array):  # type: ignore[type-arg]
        _type_, _length_ = Char, len(steps)

    content = Steps.from_buffer_copy(steps)
    program = numbers(8, len(steps) // 8, _ctypes.addressof(content))  # the length takes two bytes, then comes a gap
    check(PRCTL(SECCOMP, MODE_FILTER, program, 0, 0), "seccomp")


def main() -> None:
    plan, words = marshal.loads(bytes.fromhex(sys.argv[2])), sys.argv[3:]
    for door in plan["doors"]:
        group = posix.open(door, posix.O_WRONLY | posix.O_CLOEXEC)
        posix.write(group, b"0")
        posix.close(group)
    for kind, value in plan["limits"].items():
        number = getattr(resource, kind)
        most = resource.getrlimit(number)[1]
        own = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(number, (own, own))
    with open(plan["filter"], "rb") as file:
        steps = file.read()
    entered = posix.open(plan["entered"], posix.O_WRONLY | posix.O_CLOEXEC)
    PRCTL(DEATH_SIGNAL, 9, 0, 0, 0)
    # A process that loses its parent becomes a child of the bot, so that the monitor still finds it.
    PRCTL(SUBREAPER, 1, 0, 0, 0)
    drop_capabilities()
    check(PRCTL(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no_new_privs")
    confine_files(plan["version"], plan["readable"], plan["writable"])
    filter_calls(steps)
    posix.chdir(plan["folder"])  # only now, so that we never search a stranger's folder for our own modules
    posix.write(entered, b"o")
    posix.fstat(entered)  # who asks for a file's time makes the next one exact
    posix.write(entered, b"k")
    try:
        posix.execv(words[0], words)
    except OSError as error:
        sys.stderr.write(f"{words[0]}: {error.strerror}\n")
        posix._exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main()
