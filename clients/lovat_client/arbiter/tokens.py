"""Tokens and invitations: drawn here, kept only as salted hashes, compared in constant time.

A token is "MATCH.SIDE.SECRET", so that it alone says whose it is. The secret has 256 bits, which
nobody guesses; so one round of SHA-256 over salt and secret is enough.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

SECRET_BYTES = 32
SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Hashed:
    """What is kept of a secret; `none()` is of no secret at all and matches nothing."""

    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, secret: str) -> Hashed:
        salt = secrets.token_bytes(SALT_BYTES)
        return cls(salt, _digest(salt, secret))

    @classmethod
    def none(cls) -> Hashed:
        return cls(b"", b"")

    def matches(self, secret: str) -> bool:
        """Whether this is of that secret; takes the same time for every wrong one."""
        return hmac.compare_digest(self.digest, _digest(self.salt, secret))


@dataclass(frozen=True, slots=True)
class Claim:
    """Who a token says it is of. Says nothing about whether that is true."""

    match_id: str
    side: str
    secret: str


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def new_match_id() -> str:
    return secrets.token_hex(8)


def token_of(match_id: str, side: str, secret: str) -> str:
    return f"{match_id}.{side}.{secret}"


def claim_of(token: str) -> Claim | None:
    """The parts of a token; None if it is not one."""
    parts = token.split(".")
    return Claim(*parts) if len(parts) == 3 and all(parts) else None


def hash_of(text: str) -> bytes:
    """A plain SHA-256, for looking a request id up without keeping it; empty of no text."""
    return hashlib.sha256(text.encode()).digest() if text else b""


def _digest(salt: bytes, secret: str) -> bytes:
    return hashlib.sha256(salt + secret.encode()).digest()
