"""The list of all decisions, by their titles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.website.pages import LANGUAGES, Page, title_of
from docs.website.reference.markdown import choose, safe

FOLDER = "docs/decisions"


def pages(root: Path) -> list[Page]:
    """The list, unless somebody has written one."""
    if any((root / FOLDER / name).exists() for name in ("README.md", "index.md")):
        return []
    texts = {language: "\n".join(_written(root, language)) + "\n" for language in LANGUAGES}
    return [Page(f"{FOLDER}/index", "decisions/index", texts, "background", ("Decisions", "決定の記録"))]


def _written(root: Path, language: str) -> Iterator[str]:
    yield choose(language, "# Decisions", "# 決定の記録")
    yield ""
    yield choose(
        language,
        "What was decided, with what was rejected and what it costs.",
        "何を決め、何を選ばず、その代わりに何を払うか(英語)。",
    )
    yield ""
    for path in sorted((root / FOLDER).glob("[0-9]*.md")):
        if not path.name.endswith(tuple(f".{other}.md" for other in LANGUAGES[1:])):
            yield f"* [{safe(title_of(path.read_text(encoding='utf-8')))}]({path.name})"
