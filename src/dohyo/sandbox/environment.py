"""The variables of the operator's environment that a bot gets: by name, so that none is passed on by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dohyo import languages
from dohyo.core.sandbox import OUR_PREFIX, PARAMETER_PREFIX

# The variables of the operator's environment that a bot gets, the same in every command, in a sandbox or not
# (docs/bots.md). Variables that change how a language's programs behave (PYTHONUNBUFFERED, NODE_OPTIONS,
# JAVA_TOOL_OPTIONS, ...) are not included: a bot must play equally well from every shell.
SANDBOX_VARIABLES = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "DOHYO_SEED", "DOHYO_TURN", "DOHYO_BUILD", "DOHYO_BUILD_SECONDS"),
        *("DOHYO_GAME", "DOHYO_SETUP", "DOHYO_LIMIT", "DOHYO_FIRST_LIMIT", "DOHYO_CLOCK_MODE"),
        "DOHYO_WALL_LIMIT",
        "DOHYO_GAMES",
        *(*languages.HOMES, "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"),
        *(*languages.DEBUG_SETTINGS, *languages.STACK_SETTINGS, "PYTHONHASHSEED"),
        # A script may start a language of our own guests, whatever its own is, and guests are not looked up for each
        # match: so these are passed on to every bot.
        *("JAVA_HOME", "DOTNET_ROOT", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO", "MSBUILDDISABLENODEREUSE"),
    }
)
# Without a sandbox, also the variables that say where a program finds its own files, and ours.
UNSANDBOXED_VARIABLES = frozenset({"HOME", "USER", "LOGNAME", "TMPDIR"})


def variables_of(speaker: languages.Language) -> frozenset[str]:
    """The variables that a language's programs read: where it is installed, and what its row sets for them."""
    settings = (*speaker.debug_settings, *speaker.build_settings, *speaker.stack_settings)
    return frozenset({name for name, _ in settings} | ({speaker.home.variable} if speaker.home else set()))


def variables_for(programs: Iterable[str]) -> frozenset[str]:
    """The variables of the languages that guests bring, for a bot that uses these programs, paths or names."""
    return frozenset().union(*map(variables_of, languages.brought_for(programs)))


def sandboxed_environment(environment: Mapping[str, str], more: frozenset[str] = frozenset()) -> dict[str, str]:
    """The part of an environment that a bot gets in a sandbox; `more` are variables of its language."""
    return {
        name: value
        for name, value in environment.items()
        if name in SANDBOX_VARIABLES or name in more or name.startswith(("LC_", PARAMETER_PREFIX))
    }


def unsandboxed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of our environment that a bot gets without a sandbox; a sandbox passes on a part of that."""
    more = {
        name: value
        for name, value in environment.items()
        if name in UNSANDBOXED_VARIABLES or name.startswith(OUR_PREFIX)
    }
    found = {**sandboxed_environment(environment), **more}
    return {name: value for name, value in found.items() if not name.startswith(PARAMETER_PREFIX)}


def homes_for(programs: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Where guests' languages are installed, by the operator's environment: for a bot that uses these programs."""
    homes = (row.home.variable for row in languages.brought_for(programs) if row.home is not None)
    return {name: environment[name] for name in homes if name in environment}


def settings_for(programs: Iterable[str], *, debug: bool = False, asks_where: bool = False) -> dict[str, str]:
    """What a bot that uses these programs is told for its language, with the values.

    For a `debug` build the settings of those; with `asks_where` what makes programs print where they are when SIGABRT
    ends them.
    """
    if not debug and not asks_where:
        return {}
    rows = languages.brought_for(programs)
    told = {**languages.DEBUG_SETTINGS, **dict(pair for row in rows for pair in row.debug_settings)} if debug else {}
    if asks_where:
        told |= {**languages.STACK_SETTINGS, **dict(pair for row in rows for pair in row.stack_settings)}
    return told
