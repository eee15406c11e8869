"""What is said where `DOHYO_LANG` asks for a language that there is not."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.cli.options import asked_language
from dohyo.core import notices
from dohyo.i18n import languages
from dohyo.i18n.catalogue import OF_NO_LANGUAGE, USUAL, of_locale


def check(asked: str, arguments: Sequence[str]) -> None:
    """Tell of the languages that there are, unless this word of `DOHYO_LANG` is one, or the arguments name one.

    A locale is of the whole machine: nobody is told what Dohyo lacks of that.
    """
    code = asked.replace("-", "_").split("_")[0].split(".")[0].lower()
    is_had = code in (USUAL, *OF_NO_LANGUAGE) or of_locale({"DOHYO_LANG": asked}) != USUAL
    if not is_had and not asked_language(arguments):
        notices.tell("unknown-language", name=asked, known=", ".join(languages()))
