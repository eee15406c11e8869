"""How much a hand-in may hold, and what is made of it: one table, for whatever reads, copies, packs or builds one.

A hand-in is refused where it is read if it is beyond these limits. What is within them can be copied, built, packed
and unpacked everywhere: each later limit is at least as wide as the one before it, and a test holds that. Nothing
else defines such a limit.

Depth counts the folders that a file or folder lies in, and the outermost one is among them. Paths are relative to the
hand-in's folder.
"""

from __future__ import annotations

# A hand-in, and its archive.
MAX_DEPTH = 64  # folders within each other: each is open while it is copied, and a process may open few files
MAX_ENTRIES = 50_000  # files and folders
MAX_BYTES = 256 << 20  # of all files: more than any bot needs, less than a home folder that was named by mistake
MAX_LINKS = 1000  # symbolic links
MAX_LINK_CHAIN = 40  # links behind each other: the kernel follows no more
MAX_PATH_BYTES = 1000  # of a path in it, and of a link's way
MAX_LINK_TARGET_BYTES = MAX_PATH_BYTES + 3 * MAX_DEPTH  # of a link's text: its way, after `../` for each folder
MAX_NAME_BYTES = 255  # of one file's or folder's own name: no file system takes longer ones
MAX_WHOLE_PATH_BYTES = 4000  # of an absolute path: the system takes no longer ones
MAX_ARCHIVED_ENTRIES = MAX_ENTRIES + MAX_LINKS  # links are counted apart in a folder
MAX_ARCHIVED_WORDS = 1000  # of a command line, or of a bot's arguments
MAX_ARCHIVED_WORDS_BYTES = 1 << 17  # the system accepts no longer words
# Bytes of an archive: its content, each name, a link's target, and what MessagePack writes beside them.
MAX_ARCHIVE_BYTES = (
    MAX_BYTES
    + MAX_ARCHIVED_ENTRIES * (MAX_PATH_BYTES + 16)
    + MAX_LINKS * MAX_LINK_TARGET_BYTES
    + MAX_ARCHIVED_WORDS_BYTES
    + 2048
)

# Words of a bot's commands. What a sandbox can start: bubblewrap accepts 9000 words, including its own, and the
# kernel accepts 2 MiB of words, including the environment.
MAX_COMMAND_WORDS = 1000  # of the command that starts a bot
MAX_COMMAND_BYTES = 64 << 10
MAX_BUILD_WORDS = 8000  # of a command of a build, in which every source is a word
MAX_BUILD_WORDS_BYTES = 1 << 20
MAX_WORD_PATH_CHARACTERS = 4096  # of a word that may be a path

# What is copied with a single source that names other files.
MAX_NAMED_SOURCES = 2000  # more are probably a mistake
MAX_NAMED_SOURCES_BYTES = 64 << 20
MAX_NAMED_DEPTH = 20  # folders below the source's own
MAX_LOOKS = 50_000  # names of files that are there or not

# A folder that is used again: a build, which holds the hand-in's files and what its commands made, and a copy of one.
MAX_BUILT_DEPTH = MAX_DEPTH + 16
MAX_BUILT_ENTRIES = 250_000
MAX_BUILT_BYTES = 1 << 30
MAX_BUILT_PATH_BYTES = 2000


def is_too_deep(path: str, most: int | None = None) -> bool:
    """Whether a relative path lies in more folders than `most`, by default `MAX_DEPTH`."""
    return path.count("/") >= (MAX_DEPTH if most is None else most)
