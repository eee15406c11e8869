"""What is said where `DOHYO_LANG` asks for a language that there is not."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.cli.options import asked_language
from dohyo.core import notices
from dohyo.i18n import languages
from dohyo.i18n.catalogue import OF_NO_LANGUAGE, code_of, is_known


def check(asked: str, arguments: Sequence[str]) -> None:
    """Tell of the languages that there are, unless this word of `DOHYO_LANG` is one, or the arguments name one.

    A locale is of the whole machine: nobody is told what Dohyo lacks of that.
    """
    code = code_of(asked)
    if code not in OF_NO_LANGUAGE and not is_known(code) and not asked_language(arguments):
        notices.tell("unknown-language", name=asked, known=", ".join(languages()))
