"""Parameters of bots: values that an operator, or a `bot.toml`, gives a bot without changing its source.

A value is a word of the bot's command: `DOHYO_PARAM_DEPTH=4`. So it travels, is stored and is packed with the bot as
its arguments are. When the program is started, such words are taken out of the command: the program finds them in
its environment, and a word of its command that has `{depth}` in it has the value there.

In the same way a word says that a program speaks another protocol than the game's: `DOHYO_PROTOCOL=NAME`. The values
of its parameters are those of its options. Which protocols there are, guests say (`dohyo.doors`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dohyo.core.sandbox import PARAMETER_PREFIX

LONGEST_NAME = 32  # characters
PROTOCOL_WORD = "DOHYO_PROTOCOL="
GO_LIMITS = ("nodes", "depth")  # that every search may have, besides the clock's
_SPEAKING = re.compile(rf"{PROTOCOL_WORD}([a-z][a-z0-9]{{0,19}})")
_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}}")
_WORD = re.compile(rf"{PARAMETER_PREFIX}({_NAME.pattern})=(.*)", re.DOTALL)
_PLACE = re.compile(rf"\{{({_NAME.pattern})\}}")


def is_name(name: str) -> bool:
    """Whether a parameter may be called so: a letter, then letters, digits and _, at most 32 in all."""
    return _NAME.fullmatch(name) is not None


def words(values: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a command that give these values, by name. `ValueError` for a name that none can have."""
    if wrong := [name for name in values if not is_name(name)]:
        raise ValueError(f"{wrong[0]!r} is no name of a parameter")
    return tuple(f"{variable(name)}={value}" for name, value in values.items())


def variable(name: str) -> str:
    """The variable of the environment in which a bot finds the parameter of this name."""
    return PARAMETER_PREFIX + name.upper()


def speaking(protocol: str) -> tuple[str, ...]:
    """The words of a command that say which protocol the program speaks; none for the game's own."""
    return (PROTOCOL_WORD + protocol,) if protocol else ()


def without_protocol(command: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """A command without such words, and the protocol; empty for the game's own."""
    rest: list[str] = []
    spoken = ""
    for word in command:
        if found := _SPEAKING.fullmatch(word):
            spoken = spoken or found[1]
        else:
            rest.append(word)
    return tuple(rest), spoken


def as_typed(command: Sequence[str]) -> tuple[str, list[str]] | None:
    """What stands before a program with another protocol (`NAME:`), and its words, as an operator types them; none if
    they cannot be typed.

    `DOHYO_PARAM_HASH=4` is `option.hash=4` there, `DOHYO_PARAM_GO_NODES=5` is `go.nodes=5`.
    """
    rest, protocol = without_protocol(command)
    if not protocol or not rest:
        return None
    typed: list[str] = []
    for word in rest:
        if found := _WORD.fullmatch(word):
            name = found[1].lower()
            short = name.removeprefix("go_")
            kind = "go." if name != short and short in GO_LIMITS else "option."
            typed.append(f"{kind}{short if kind == 'go.' else name}={found[2]}")
        elif word.startswith(("option.", "go.", PROTOCOL_WORD)):
            return None
        else:
            typed.append(word)
    return protocol + ":", typed


def settings(values: Mapping[str, str]) -> dict[str, str]:
    """Values by the names of the parameters, in small letters, from values by variable."""
    return {variable.removeprefix(PARAMETER_PREFIX).lower(): value for variable, value in values.items()}


def given(command: Iterable[str]) -> tuple[str, ...]:
    """The words of a command that give values, or say which protocol the program speaks."""
    return tuple(word for word in command if _SPEAKING.fullmatch(word) or _WORD.fullmatch(word))


def in_short(command: Iterable[str]) -> list[str]:
    """A command's words as a table shows them: `hash=64` for a value, nothing for the protocol."""
    found = []
    for word in command:
        if value := _WORD.fullmatch(word):
            found.append(f"{value[1].lower()}={value[2]}")
        elif not _SPEAKING.fullmatch(word):
            found.append(word)
    return found


def places(command: Iterable[str]) -> set[str]:
    """The names, in small letters, of the parameters that have a place such as {depth} in a command."""
    return {found[1].lower() for word in command if not _WORD.fullmatch(word) for found in _PLACE.finditer(word)}


def parted(command: Iterable[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """A command as it is started, places filled in, and the variables with the values.

    Of two words for one parameter the later one counts. A place whose parameter has no value stays as it is.
    """
    rest: list[str] = []
    values: dict[str, str] = {}
    for word in command:
        if found := _WORD.fullmatch(word):
            values[variable(found[1])] = found[2]
        else:
            rest.append(word)
    if not values:
        return tuple(rest), values
    filled = (_PLACE.sub(lambda found: values.get(variable(found[1]), found[0]), word) for word in rest)
    return tuple(filled), values
