"""What to type so that a contest goes on."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.series.spec import Spec
    from dohyo.series.store import Store
    from dohyo.series.store.records import Contest


def words_again(store: Store, where: str, contest: Contest, spec: Spec, referee: str = "FILE.toml") -> str:
    """The words after `dohyo contest run` that resume a contest in the store that the operator calls `where`.

    They name the sandbox, the interpreter and the `referee`'s file, which are never taken from a store; they never
    contain a password.
    """
    import shlex

    from dohyo.core.request_fields import STRICT

    words = [where if store.database.is_sqlite else store.database.address.shown]
    if spec.sandbox != STRICT:
        words += ["--sandbox", spec.sandbox]
    if spec.python is not None:
        words += ["--python", spec.python]
    if spec.referee is not None:
        words += ["--referee", referee]
    if len(store.contests()) > 1:
        words += ["--name", contest.name]
    return " ".join([shlex.join(words), *_typed_again(store, contest, spec)])


def _typed_again(store: Store, contest: Contest, spec: Spec) -> list[str]:
    """The options for the bots that the store holds as words alone, or without files that their arguments name."""
    from dohyo.bots import archive
    from dohyo.series.typed_again import meant_by, option_for

    options = []
    for entrant in store.entrants(contest.id):
        with suppress(OperatorError):
            content = b"" if entrant.version.archive is None else store.files.get(entrant.version.archive)
            found = archive.read(content) if content else None
            if found is not None and (not found.name or any(map(os.path.isfile, found.words))):
                name = entrant.version.name
                options.append(option_for(name, meant_by(name, found, spec)))
    return list(dict.fromkeys(options))
