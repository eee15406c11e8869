"""The sentences of a contest's report, a page for browsers: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "report.standings": ("Standings", "順位表"),
}
