"""Passwords and other secrets: what is kept of them is a digest."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from threading import BoundedSemaphore

import argon2
from argon2.exceptions import Argon2Error, InvalidHashError

from dohyo.core.errors import OperatorError

SHORTEST, LONGEST = 8, 200  # characters of a password
_ROOM = BoundedSemaphore(2)  # each password that is looked at takes 64 MiB, and two cores do no more at once


def hashed(password: str) -> str:
    """What is kept of a new password. Raises `OperatorError` for a short or a long one."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise OperatorError("serve-password-short", least=SHORTEST, most=LONGEST)
    with _ROOM:
        return _hasher().hash(password)


def fits(kept: str | None, password: str) -> bool:
    """Whether it is the password of which this is kept; where nothing is, it takes as long to say no."""
    with _ROOM:
        try:
            return _hasher().verify(kept or _nobodys(), password[: LONGEST + 1]) and bool(kept)
        except (Argon2Error, InvalidHashError):
            return False


def digest_of(secret: str) -> str:
    """What is kept of a secret that was drawn at random: of a session, or of a link."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


@cache
def _hasher() -> argon2.PasswordHasher:
    return argon2.PasswordHasher()


@cache
def _nobodys() -> str:
    """What a password is compared with where there is no such person: it takes as long."""
    return _hasher().hash(secrets.token_hex(16))
