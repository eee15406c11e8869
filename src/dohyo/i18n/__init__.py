"""What people are told, in their own language.

What is to be told is a `Message`: a key and values. At the edge, where somebody reads it, a `Speaker` says it in a
language (`speaker.py`). `en.json` and `ja.json` hold every sentence, one file a language; a third language is one
more file. A game has files of its own. docs/decisions/0015 says why JSON,
docs/decisions/0038 why nothing is said before it is read.
"""

from dohyo.i18n.catalogue import LANGUAGES, Catalogue, all_keys, has, languages, load, section
from dohyo.i18n.messages import Message
from dohyo.i18n.speaker import ENGLISH, Speaker

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Catalogue",
    "Message",
    "Speaker",
    "all_keys",
    "has",
    "languages",
    "load",
    "section",
]
