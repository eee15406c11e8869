"""Reads a large file through its memory and drops it again, until it has computed for three times its time."""

import mmap
import os
import time
from contextlib import suppress

from guest import WORDS, begin, play_on

DROP = (20, 21)  # MADV_COLD, MADV_PAGEOUT

begin()
largest = max(
    (entry for folder in ("/usr/bin", "/usr/lib", "/lib") if os.path.isdir(folder) for entry in os.scandir(folder)),
    key=lambda entry: entry.stat().st_size if entry.is_file() and os.access(entry, os.R_OK) else 0,
)
end = time.process_time() + 3 * float(WORDS["seconds"])
with open(largest, "rb") as file:
    while time.process_time() < end:
        with mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ) as pages:
            for at in range(0, len(pages), mmap.PAGESIZE):
                pages[at]
                if time.process_time() >= end:
                    break
            for advice in DROP:
                with suppress(OSError):
                    pages.madvise(advice)
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
play_on()
