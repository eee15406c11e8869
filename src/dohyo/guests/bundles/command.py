"""A bundle of results for `dohyo contest export --format bundle`, and before `dohyo verify`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dohyo import clean
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.errors import OperatorError
from dohyo.doors import Verified
from dohyo.i18n import Message, Speaker

if TYPE_CHECKING:
    from dohyo.doors import ExportRequest
    from dohyo.guests.bundles.check import Checked

BEGINNING = re.compile(rb"(?s)README\.txt\0.{501}Results of a contest, written by Dohyo\.")


def is_one(head: bytes) -> bool:
    """Whether a file that begins like this is a bundle: a tar."""
    return head[257:262] == b"ustar"


def write(asked: ExportRequest, speaker: Speaker) -> None:
    """Write a contest's bundle, and its signature beside it."""
    from dohyo.cli.overwriting import begins, check_outputs
    from dohyo.guests.bundles import bundle, minisign
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    out, sign = asked.out, asked.sign
    if out is None:
        raise OperatorError("bundle-without-out")
    if Path(out).suffix != ".tar":  # nobody would look for a tar file under another name
        raise OperatorError("bundle-not-tar", path=out)
    check_outputs([("--out", out)], asked.force, fits=lambda path: begins(path, BEGINNING))
    if sign is not None:
        check_outputs([("--sign", out + minisign.ENDING)], asked.force, fits=minisign.is_signature)
    with open_store(asked.store, files=asked.files) as opened, opened.database.one_moment():
        view = look(opened, asked.name)
        count = bundle.write(view, out)
        typer.echo(speaker.say("contest.wrote", count=count, path=out))
    if sign is not None:
        comment = clean.line(f"dohyo contest {view.contest.name}, {view.game.name}, matches {count}")
        try:
            signature = minisign.sign(Path(out), sign, comment)
        except KeyboardInterrupt as interrupt:  # while minisign asked for the password
            sentence = clean.line(speaker.say("minisign-stopped", path=out, key=sign))
            raise Ended(exit_status(interrupt), sentence) from interrupt
        typer.echo(speaker.say("saved-signature", path=signature))


def verify(path: Path, key: str | None, signature: str | None, told: Callable[[int], None]) -> Verified:
    """Check a bundle, its signature first: what somebody else wrote need not be read."""
    from dohyo.guests.bundles import minisign
    from dohyo.guests.bundles.check import Checked, check
    from dohyo.system.plain_files import open_plain

    beside = Path(signature) if signature is not None else path.with_name(path.name + minisign.ENDING)
    checked = Checked()
    try:
        with open_plain(path) as file:  # once, for both
            signed = minisign.check(path, file, beside, key) if key is not None else None
            content = minisign.Hashed(file)
            findings = list(check(path, content, checked, told))
            if signed is not None:
                signed.check_again(path, file, content.digest())
    except OSError as error:
        raise OperatorError("cannot-read", path=path, reason=error) from error
    trusted = None if signed is None else signed.trusted
    about = {"contest": checked.name, "game": checked.game, "matches": checked.matches, "rated": checked.rated}
    about |= {"missing": checked.missing, "replays": checked.replays}
    return Verified(
        {"what": "results", "signed": trusted is not None, "comment": trusted, **about},
        findings,
        [_of_signature(path, beside, trusted)],
        list(_of_content(path, checked, is_whole=not findings)),
        OperatorError("bundle-not-whole", path=path, count=len(findings)) if findings else None,
    )


def _of_signature(path: Path, beside: Path, trusted: str | None) -> Message:
    if trusted is not None:
        return Message("bundle.signed", {"path": path, "comment": trusted})
    return Message("bundle.unsigned" if beside.exists() else "bundle.no-signature", {"path": path})


def _of_content(path: Path, checked: Checked, is_whole: bool) -> Iterator[Message]:
    if checked.missing:
        yield Message("bundle.missing", {"count": checked.missing})
    if is_whole:
        about = {"name": checked.name, "game": checked.game, "matches": checked.matches, "replays": checked.replays}
        yield Message("bundle.whole", {"path": path, **about})
        if not checked.rated:
            yield Message("bundle.unrated")
