"""Tables on the output that people open in a spreadsheet."""

from __future__ import annotations

import sys

from dohyo import clean
from dohyo.i18n import Speaker


def csv_begin(speaker: Speaker, *, is_file: bool = False) -> str:
    """What stands before a table in CSV, on the output or in a file: in Japanese a mark, but not on a terminal.

    Without one, Excel takes a file to be in the machine's old encoding. That is Shift-JIS in Japan, where each name
    of a person or a bot may be Japanese; in English nothing is put before the first heading, for programs' sake.
    """
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    is_kept = is_file or (is_unicode and not sys.stdout.isatty())
    return clean.CSV_MARK if speaker.language == "ja" and is_kept else ""
