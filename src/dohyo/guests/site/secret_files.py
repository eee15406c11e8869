"""Secrets that the operator keeps in files of their own, for others not to read them from a list of processes."""

from __future__ import annotations

from pathlib import Path

from dohyo.core.errors import OperatorError

LONGEST = 4096  # bytes


def read_secret(path: str) -> str:
    """The secret in a file, without blanks around it.

    Raises `OperatorError` for a file that cannot be read, holds none, or more than a secret.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(LONGEST + 1)
        secret = content.decode("ascii").strip()
    except (OSError, ValueError) as error:
        raise OperatorError("cannot-read", path=path, reason=error) from error
    if not secret or len(content) > LONGEST or not secret.isprintable() or " " in secret:
        raise OperatorError("serve-no-secret", path=path)
    return secret
