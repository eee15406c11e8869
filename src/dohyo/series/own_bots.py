"""In which sandbox a contest is played for which nobody has said it.

Where layer 1 or 2 works, in that. Where the machine has layer 3 alone (a common Ubuntu, a container), strangers'
programs are refused, with the sentence that says what mends the machine; an operator's own bots play in layer 3, and
that is said. Without any sandbox nothing is played that nobody has asked for by `--trust`.

Whose bots they are, nobody can prove. They count as the operator's own if each was named, by a word or in a contest's
file. A folder of hand-ins (`--folder`), a list of names, an archive, and more bots with files than somebody types (a
shell's `*`) are what others have handed in. So is what a store holds and no word names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from dohyo.bots import samples_of
from dohyo.bots.content import is_unpacked
from dohyo.bots.typed_words import paths_in, read
from dohyo.core.bot_spec import BotSpec, CommandLine, Speaking
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.notices import Tell
from dohyo.core.request_fields import STRICT
from dohyo.executors.refereed import game_of_word
from dohyo.sandbox import WEAKEST_REQUIRED, layers
from dohyo.series.request import ContestRequest
from dohyo.series.roster import gather, stored_contest

AUTO = "auto"
MOST_OWN = 8  # own bots with files; samples are no part of that


def usual_sandbox(request: ContestRequest, tell: Tell) -> str:
    """The word for the sandbox of a contest that names none: `require`, or `auto` for one's own bots in layer 3.

    A contest that was begun with `auto` goes on so, as far as its bots are the operator's own. Raises `OperatorError`
    where the store holds others alone, as `stored_terms` does.
    """
    stored = stored_contest(request)
    if stored is not None and stored[0].sandbox != AUTO:
        return STRICT
    layer = layers.strongest().layer
    if stored is None and layer <= WEAKEST_REQUIRED:
        return STRICT
    if layer > layers.LANDLOCK or not are_own(request) or (stored is not None and not _are_named(request, stored[1])):
        return STRICT  # which refuses the contest, or to go on with it
    if layer > WEAKEST_REQUIRED:
        tell("contest.own-bots", layer=layer)
    return AUTO


def are_own(request: ContestRequest) -> bool:
    """Whether the bots count as the operator's own, see above."""
    if request.folder is not None or request.names is not None:
        return False
    samples = samples_of(game_of_word(request.game))
    programs = set[tuple[str, ...]]()
    for _, given in request.bots:
        try:
            spec = read(given, samples) if isinstance(given, str) else given
        except OperatorError:  # no bot, or one of a repository
            programs.add((str(given),))
            continue
        files = tuple(os.path.realpath(path) for path in _files(spec))
        if any(map(is_unpacked, (*files, *_files(spec)))):
            return False
        if files or isinstance(spec, CommandLine):
            programs.add(files or (str(spec),))
    return len(programs) <= MOST_OWN


def _files(spec: BotSpec) -> Iterator[str]:
    """The files and folders that a bot's words name."""
    program = spec.program if isinstance(spec, Speaking) else spec
    for path in map(os.path.expanduser, paths_in(program)):
        with suppress(ValueError):  # a NUL is in no path
            if os.path.lexists(path):
                yield path


def _are_named(request: ContestRequest, entrants: list[Entrant]) -> bool:
    """Whether the words name everybody who still takes part in the stored contest."""
    game = game_of_word(request.game)
    built, _ = gather(game, replace(request, sandbox=AUTO), lambda bot, error: None, lambda key, **details: None)
    named = {each.contender.name for each in built}
    return all(entrant.until is not None or entrant.version.name in named for entrant in entrants)
