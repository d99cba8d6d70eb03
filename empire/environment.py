"""Settings read from the environment, each a name with a working default; a bad value stops the start with a sentence.

`NAME_FILE` may name a file that holds the value of `NAME` instead, as secrets of containers do.
"""

import base64
import os
import re
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env, FileAwareEnv
from environ.fileaware_mapping import FileAwareMapping

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off", ""}
DATABASES = ("postgres", "postgresql", "sqlite")
QUEUES = ("redis", "rediss")
PUSH_KEY_BYTES = 32
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-5

env = FileAwareEnv()
env.ENVIRON = FileAwareMapping(cache=False)


def text(name: str, default: str = "") -> str:
    return str(env.str(name, default=default)).strip()


def is_set(*names: str) -> bool:
    return any(text(name) for name in names)


def flag(name: str, default: bool) -> bool:
    value = text(name, "yes" if default else "no").lower()
    if value not in YES | NO:
        raise bad(name, value, "say 1 or 0")
    return value in YES


def number(name: str, default: int, *, least: int = 0) -> int:
    value = text(name, str(default))
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise bad(name, value, f"it must be a whole number, {least} or more")
    return int(value)


def one_of(name: str, default: str, choices: Sequence[str]) -> str:
    value = text(name, default)
    if value not in choices:
        raise bad(name, value, f"it must be one of {', '.join(choices)}")
    return value


def words(name: str, default: Sequence[str] = ()) -> list[str]:
    value = text(name, ",".join(default))
    return [word.strip() for word in value.split(",") if word.strip()]


def pairs(name: str) -> dict[str, str]:
    """`A=1,B=2`."""
    found = {}
    for word in words(name):
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise bad(name, "***", "it must look like NAME=value,NAME=value")
        found[key] = value
    return found


def user_and_password(name: str) -> str:
    value = text(name)
    if value and not all(value.partition(":")):
        raise bad(name, "***", "it must be a name and a password with a colon between")
    return value


def web_address(name: str, default: str) -> str:
    value = text(name, default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
        raise bad(name, value, "it must look like https://play.example.org")
    return value


def database(name: str, default: str) -> dict[str, Any]:
    check_scheme(name, text(name, default), DATABASES)
    return dict(env.db_url(name, default=default))


def queue(name: str) -> str:
    value = text(name)
    if value:
        check_scheme(name, value, QUEUES)
    return value


def mail(name: str) -> dict[str, Any]:
    check_scheme(name, text(name), Env.EMAIL_SCHEMES)
    return dict(env.email_url(name))


def check_scheme(name: str, value: str, schemes: Sequence[str] | dict[str, str]) -> None:
    if urlsplit(value).scheme not in schemes or "://" not in value:
        start = value.partition(":")[0]  # the rest may hold a password
        raise bad(name, start, f"it must begin with one of {', '.join(f'{scheme}://' for scheme in schemes)}")


def file(name: str) -> str:
    """The path of a file that is there, or nothing."""
    value = text(name)
    if value and not Path(value).is_file():
        raise bad(name, value, "there is no such file")
    return value


def contact(name: str, default: str) -> str:
    """Whom push services write to when something is wrong."""
    value = text(name, default)
    if not re.fullmatch(r"mailto:[^@\s]+@[^@\s]+|https://[^/\s]+", value):
        raise bad(name, value, "it must look like mailto:you@example.org or https://example.org")
    return value


def push_key(name: str) -> str:
    """The private key that signs pushes (RFC 8292): 32 bytes as base64url, a number of the curve P-256."""
    value = text(name)
    if value and not is_push_key(value):
        raise ImproperlyConfigured(
            f"The setting {name} is no key of 32 bytes in base64url; without it `python manage.py vapid_key` makes one."
        )
    return value


def is_push_key(value: str) -> bool:
    try:
        key = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return False
    return len(key) == PUSH_KEY_BYTES and 0 < int.from_bytes(key, "big") < P256_ORDER


def new_push_key() -> str:
    number = 1 + secrets.randbelow(P256_ORDER - 1)
    return base64.urlsafe_b64encode(number.to_bytes(PUSH_KEY_BYTES, "big")).decode().rstrip("=")


def new_secret() -> str:
    return secrets.token_urlsafe(50)


def kept_secret(path: Path, new: Callable[[], str] = new_secret) -> str:
    """A secret made once for this machine; two processes starting at once agree on one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(new())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text()


def bad(name: str, value: str, sentence: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"The setting {name} is {value!r}: {sentence}.")
