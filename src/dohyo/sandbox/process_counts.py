"""What a program's processes take of the machine, counted from /proc where no control group does that."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress

from dohyo.system.disk import TOO_MUCH

FEW_FILES = 128  # open files of all processes, that are not worth a look
MAX_FILES = 8192  # the same, of which one need not know what they are: no program has so many for a good purpose
IN_A_SOCKET = 208 * 1024  # bytes that the kernel keeps of what nobody reads from a socket of the usual size
IN_A_PIPE = 64 * 1024  # the same of a pipe
IN_A_FILE = 1024  # bytes that it keeps for a file of a tmpfs, beside what is in it
PINNED = 1 / 4  # of the disk that it may have: a library that is loaded and then removed is no attack, four are
DELETED = b" (deleted)\n"  # ends a line of `maps` whose file has lost its name
LONGEST_LOOK = 4 << 20  # bytes of `maps`: some forty thousand lines
ONE_LOOK = 256  # of those, that looking at one open file takes as long as


def tasks(members: Sequence[int]) -> int:
    """Processes and threads."""
    count = 0
    for member in members:
        with suppress(OSError):
            count += len(os.listdir(f"/proc/{member}/task"))
    return count


def memory(members: Sequence[int], enough: int = 0) -> int:
    """Bytes of memory that processes take, and the kernel for their tables of pages; what several share is counted
    once, and files read from disk not at all.

    The exact number costs a walk over all their pages, so it is asked for only when a rough one, which is never
    smaller, is above `enough`.
    """
    rough = sum(_told(member, "status", ("VmRSS:", "VmSwap:", "VmPTE:")) for member in members)
    if rough <= enough:
        return rough
    own = sum(_told(member, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")) for member in members)
    return own + sum(_told(member, "status", ("VmPTE:",)) for member in members)


def _told(pid: int, file: str, names: tuple[str, ...]) -> int:
    """The sum of what lines with these names tell in a file of a process, in bytes."""
    for place in _places(pid):
        with suppress(OSError, ValueError, IndexError), open(f"{place}/{file}", errors="replace") as lines:
            if found := [int(line.split()[1]) for line in lines if line.startswith(names)]:
                return sum(found) * 1024
    return 0


def _files(pid: int) -> list[str]:
    """The paths of a process's open files."""
    for place in _places(pid):
        with suppress(OSError):
            if names := os.listdir(f"{place}/fd"):
                return [f"{place}/fd/{name}" for name in names]
    return []


def _places(pid: int) -> Iterator[str]:
    """Where the system shows a process: at its first thread, which shows nothing once it has ended; then others."""
    yield f"/proc/{pid}"
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if thread != str(pid):
                yield f"/proc/{pid}/task/{thread}"


def in_channels(members: Sequence[int]) -> int:
    """Bytes that processes may take of the kernel by filling sockets and pipes that nobody reads: it does not say how
    many. `TOO_MUCH` where it takes too long to look through all their open files."""
    if has_too_many_files(members):
        return TOO_MUCH
    files = [file for member in members for file in _files(member)]
    if len(files) <= FEW_FILES:
        return 0
    names = set()
    for path in files:
        with suppress(OSError):
            names.add(os.readlink(path))
    return sum(IN_A_SOCKET * name.startswith("socket:") + IN_A_PIPE * name.startswith("pipe:") for name in names)


def has_too_many_files(members: Sequence[int]) -> bool:
    """Whether processes have more files open than any program has for a good purpose."""
    count = 0
    for member in members:
        count += len(_files(member))
        if count > MAX_FILES:
            return True
    return False


def without_names(members: Sequence[int], folders: Sequence[str], limit: int, inside: Sequence[str] = ()) -> int:
    """Bytes of files in the folders that have no name any more, and that processes have open or mapped.

    `inside` are the folders' names in the sandbox. One mapped page keeps a whole file, of which only root
    is told the size: to others it counts as `PINNED` of `limit`, or as what is mapped of it if that is more.
    `TOO_MUCH` where it takes too long to look through it all.
    """
    disks = set()
    for folder in folders:
        with suppress(OSError):
            disks.add(os.stat(folder).st_dev)
    paths = {path for folder in folders for path in (folder, os.path.realpath(folder))} | set(inside)
    within = tuple(os.fsencode(path).replace(b"\n", b"\\012") + b"/" for path in paths)  # as `maps` writes it
    open_files: dict[tuple[int, int], int] = {}
    mapped: dict[tuple[bytes, int], tuple[str, int]] = {}
    left = LONGEST_LOOK
    for member in members:
        left -= _open_nameless(member, open_files)
        left -= _mapped_nameless(member, within, left, mapped)
        if left <= 0:
            return TOO_MUCH
    total = sum(size for (device, _), size in open_files.items() if device in disks)
    known = {number for _, number in open_files}  # not by the disk: some file systems tell two numbers for one
    for (_, number), (path, length) in mapped.items():
        if number not in known:
            try:
                found = os.stat(path)  # of the file, and not of what is mapped
                total += 0 if found.st_nlink else found.st_blocks * 512
            except OSError:
                total += max(length, int(limit * PINNED))
    return total


def _open_nameless(member: int, sizes: dict[tuple[int, int], int]) -> int:
    """Add the sizes of the nameless files that a process has open; how long that took, in bytes of `maps`."""
    files = _files(member)
    for file in files:
        with suppress(OSError):
            found = os.stat(file)
            if not found.st_nlink and stat.S_ISREG(found.st_mode):
                sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return len(files) * ONE_LOOK


def _mapped_nameless(
    member: int, within: tuple[bytes, ...], most: int, mapped: dict[tuple[bytes, int], tuple[str, int]]
) -> int:
    """Add a path and the mapped bytes of each nameless file that a process has mapped, if its name lay `within`
    folders; how long that took, in bytes of `maps`, of which no more than `most` are read.

    The kernel writes the names by which the program knows its files.
    """
    took = 0
    for place in _places(member):
        with suppress(OSError), open(f"{place}/maps", "rb") as maps:
            for line in maps:
                took += len(line)
                if line.endswith(DELETED):  # addresses, rights, place in the file, disk, file, its name
                    addresses, _, _, device, number, name = line.split(maxsplit=5)
                    if name.startswith(within):
                        took += ONE_LOOK
                        start, end = (int(word, 16) for word in addresses.split(b"-"))
                        path = f"/proc/{member}/map_files/{start:x}-{end:x}"
                        length = max(end - start, mapped.get((device, int(number)), (path, 0))[1])
                        mapped[device, int(number)] = (path, length)
                if took > most:
                    break
        if took:
            break
    return took


def in_files(inside: Sequence[int]) -> int:
    """Bytes that the kernel keeps for files in the sandbox's memory; the limit on their size does not count those.

    Only in a file system of the sandbox's own. While a sandbox is made, and when its program ends, such a folder is
    the machine's disk in one moment and memory in the next: so it is opened once, and both questions are about what
    was opened.
    """
    count = 0
    for member in inside:
        for place in ("/tmp", "/dev/shm"):
            with suppress(OSError):
                root = f"/proc/{member}/root"
                opened = os.open(f"{root}{place}", os.O_PATH)
                try:
                    if os.fstat(opened).st_dev not in (os.stat(place).st_dev, os.stat(root).st_dev):
                        status = os.fstatvfs(opened)
                        count += status.f_files - status.f_ffree
                finally:
                    os.close(opened)
    return count * IN_A_FILE
