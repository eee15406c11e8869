"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "referee": Command(
            "Referee one match for another arena's runner.",
            "dohyo.guests.arenas.command:app",
            group="games",
            place=2,
        ),
        "contest words": Command(
            "Carry out words of fastchess, cutechess or brutaltester.",
            "dohyo.guests.arenas.contest_words:app",
            hidden=True,
            claims="dohyo.guests.arenas.contest_words:is_foreign",
            epilog="""\b
The words of fastchess, cutechess and brutaltester work too
(the page 'From fastchess, cutechess or brutaltester' of the documentation):
  dohyo contest -game wondev-woman -engine cmd=./a name=A
      -engine cmd=./b name=B -each st=0.1 -rounds 100 -repeat -concurrency 4
  dohyo contest -r wondev-woman -p1 ./a -p2 ./b -n 100 -s -t 4""",
        ),
    },
    referees={"toml": "dohyo.guests.arenas.referees.kind:TOML"},
)
