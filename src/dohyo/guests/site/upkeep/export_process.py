"""Write a contest of a site's store: python -P -m dohyo.guests.site.upkeep.export_process HERE

What is wanted comes by the standard input, as JSON: addresses of databases may hold passwords. What is wrong goes to
the standard error, for whoever runs the site.
"""

from __future__ import annotations

import sys

import msgspec

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.series.store.files import files_at
from dohyo.system import interpreter


class Wanted(msgspec.Struct):
    """A contest of a store in a form, written to a file, and signed with a key (empty: not).

    The store's files are at a place, as a site has it.
    """

    store: str
    place: str
    name: str
    form: str
    out: str
    sign: str
    language: str


def main() -> None:
    """Write it."""
    interpreter.enter(sys.argv[1])
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Wanted)
    try:
        write = doors.load(doors.find("exports", wanted.form).write)
        write(
            doors.ExportRequest(
                store=wanted.store,
                name=wanted.name,
                form=wanted.form,
                out=wanted.out,
                sign=wanted.sign or None,
                force=False,
                everything=False,
                files=files_at(wanted.place, "arena.db.files"),
            ),
            Speaker(wanted.language),
        )
    except OperatorError as error:
        sys.stderr.write(error.say() + "\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
