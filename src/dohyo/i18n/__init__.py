"""What people are told, in their own language.

`en.json` and `ja.json` hold every sentence, one file a language; a third language is one more file. A game has files
of its own. `say` fills the places of a sentence, and every text that it puts in is cleaned; `duration` writes a time
for people. `fault_details` and `values` tell in another language what was written down in English.
docs/decisions/0015 says why JSON.
"""

from dohyo.i18n.catalogue import LANGUAGES, Catalogue, all_keys, duration, has, load, say, section

__all__ = ["LANGUAGES", "Catalogue", "all_keys", "duration", "has", "load", "say", "section"]
