"""What the operator is told of bots that are found: what else their words could mean, and what their builds say."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from dohyo.bots.bot import Bot
from dohyo.bots.samples import Samples, found_sample
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, HandIn, Speaking


def tell_hidden(specs: Iterable[BotSpec], samples: Mapping[str, Path]) -> None:
    """Tell where a word was taken for what lies in the current folder, and is a sample bot's name, too."""
    for spec in (spec.program if isinstance(spec, Speaking) else spec for spec in specs):
        # In a folder of hand-ins, and in a store, the names are not the operator's words.
        if (
            not isinstance(spec, HandIn)
            or spec.entry
            or "/" in spec.typed
            or os.path.abspath(spec.typed) != spec.path
        ):
            continue
        if sample := _word_for(spec.typed, samples):
            own = os.path.join(".", spec.typed)
            notices.tell("bot-hides-sample", name=spec.typed, own=own, sample=shlex.quote(sample))


def _word_for(name: str, samples: Mapping[str, Path]) -> str:
    """What still means the sample bot of this name where something of the current folder is called so, too.

    That is its name with its ending, in capitals, or its file's path, the first that is not there itself. It is empty
    where no sample bot has this name.
    """
    is_none = isinstance(samples, Samples) and not samples.may_have(name)  # and no language need be asked
    if is_none or (path := found_sample(samples, name)) is None:
        return ""
    words = [*(word for word in samples if samples[word] == path), name.upper()]
    return next((word for word in words if not os.path.lexists(word)), str(path))


def tell_notes(bot: Bot) -> None:
    """Tell on what the bot's build says of it."""
    from dohyo.core import build_notes

    if note := build_notes.key_in(bot.log):
        notices.tell(note, bot=bot.name)
