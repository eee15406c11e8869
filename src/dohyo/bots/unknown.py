"""A word for a bot that means nothing: what was probably meant."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dohyo.bots.content import printable
from dohyo.bots.kinds import all_kinds
from dohyo.core.errors import OperatorError
from dohyo.i18n import Message


def _is_near(spec: str, name: str) -> bool:
    """Whether a word may be a name, misspelt; what both end in makes no two names alike."""
    from dohyo.core.spelling import is_near

    (stem, ending), (other, same) = os.path.splitext(spec), os.path.splitext(name)
    return is_near(stem, other) if ending == same else is_near(spec, name) or is_near(stem, name)


def unknown(spec: str, samples: Mapping[str, Path]) -> OperatorError:
    """The error for a word that means nothing here, with what was probably meant."""
    import difflib

    path = Path(os.path.abspath(os.path.expanduser(spec)))
    typed, spec = spec, spec.rstrip("/") or spec  # 'bots/' is looked for where 'bots' would be
    beside = []
    if os.path.isdir(path.parent) and os.access(path.parent, os.R_OK | os.X_OK):
        given = os.path.dirname(spec)
        beside = [os.path.join(given, name) for name in os.listdir(path.parent) if not name.startswith(".")]
    stems = {os.path.splitext(name)[0]: name for name in sorted(beside)}
    plain = sorted(name for name in samples if "." not in name)
    near: list[str] = []
    for known in (samples if "." in spec else plain, stems, beside):
        near += [one for one in difflib.get_close_matches(spec, list(known), n=2, cutoff=0.6) if _is_near(spec, one)]
    near[:0] = [one for _, kind in all_kinds() if (one := kind.meant(spec)) is not None]
    meant = list(dict.fromkeys(stems.get(name, name) if name not in samples else name for name in near))
    return OperatorError(
        "bot-unknown",
        bot=printable(typed),
        nearest=Message("nearest-of", {"words": ", ".join(printable(name) for name in meant[:3])}) if meant else "",
        samples=", ".join(plain) or "-",
    )
