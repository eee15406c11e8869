"""In which sandbox a contest is played for which nobody has said it.

Where layer 1 or 2 works, in that. Where the machine has layer 3 alone (a common Ubuntu, a container), strangers'
programs are refused, with the sentence that says what mends the machine; an operator's own bots play in layer 3, and
that is said. Without any sandbox nothing is played that nobody has asked for by `--trust`.

Whose bots they are, nobody can prove. They count as the operator's own if each was named, by a word or in a contest's
file. A folder of hand-ins (`--folder`), a list of names, an archive, and more files of one folder than somebody types
(a shell's `*`) are what others have handed in.
"""

from __future__ import annotations

import os
from collections import Counter

from dohyo.core.bot_spec import HandIn
from dohyo.core.notices import Tell
from dohyo.core.request_fields import STRICT
from dohyo.sandbox import WEAKEST_REQUIRED, layers
from dohyo.series.request import ContestRequest
from dohyo.series.roster import stored_terms

AUTO = "auto"
MAX_OF_A_FOLDER = 8  # own bots that lie in one folder
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst")


def usual_sandbox(request: ContestRequest, tell: Tell) -> str:
    """The word for the sandbox of a contest that names none: `require`, or `auto` for one's own bots in layer 3.

    A contest that was begun with `auto` goes on so, as far as its bots are the operator's own. Raises `OperatorError`
    where the store holds others alone, as `stored_terms` does.
    """
    begun = stored_terms(request)
    if begun is not None and begun.sandbox != AUTO:
        return STRICT
    layer = layers.strongest().layer
    if begun is None and layer <= WEAKEST_REQUIRED:
        return STRICT
    if layer > layers.LANDLOCK or not are_own(request):
        return STRICT  # which refuses the contest, or to go on with it
    if layer > WEAKEST_REQUIRED:
        tell("contest.own-bots", layer=layer)
    return AUTO


def are_own(request: ContestRequest) -> bool:
    """Whether the bots count as the operator's own, see above."""
    if request.folder is not None or request.names is not None:
        return False
    folders = Counter[str]()
    for _, given in request.bots:
        path = given.path if isinstance(given, HandIn) else given if isinstance(given, str) else ""
        if path.lower().endswith(ARCHIVES):
            return False
        folders[os.path.dirname(os.path.abspath(os.path.expanduser(path)))] += isinstance(given, HandIn)
    return max(folders.values(), default=0) <= MAX_OF_A_FOLDER
