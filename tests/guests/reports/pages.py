"""The pages of contests that tests hold, and what stands on them."""

from __future__ import annotations

from pathlib import Path

from dohyo.guests.reports.content import Content, content
from dohyo.guests.reports.page import html
from dohyo.i18n import Speaker
from dohyo.series.session import look
from dohyo.series.store import open_store


def page_of(where: Path, language: str = "en") -> str:
    """The report of the only contest of a store."""
    with open_store(str(where)) as store:
        return html(look(store, None), Speaker(language))


def content_of(where: Path) -> Content:
    """What the report of a store's contest shows. It may be read after the store is closed."""
    with open_store(str(where)) as store:
        return content(look(store, None))
