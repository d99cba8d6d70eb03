"""Settings from environment variables, each with a working default. An invalid value stops the start with a sentence.

`NAME_FILE` may name a file that contains the value of `NAME`, as used for container secrets.
"""

import base64
import os
import re
import secrets
import ssl
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from email.utils import parseaddr
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

from empire import private

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}
DATABASES = ("postgres", "postgresql", "sqlite")
QUEUES = ("redis", "rediss")
MAIL_SERVERS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}  # the default port of each
PUSH_KEY_BYTES = 32
SIGNING_KEY_BYTES = 32
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-5

HOST = re.compile(r"\*|\.?\w([\w-]*\.?)+|\[[0-9A-Fa-f:]+\]")
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
KEY = re.compile(r"[A-Za-z0-9_-]{43}")
SHORTEST_SECRET = 32
SHORTEST_TOKEN = 16
HIGHEST_PORT = 65_535

READ = set[str]()  # the variables that the settings have looked for
OF_COMPOSE = {"SITE_HOST", "DATABASE_NAME", "EMPIRE_VERSION"}  # read by docker-compose.yml itself
ASSIGNMENT = re.compile(r"\s*(?:export\s+)?(\w+)=")
# How similar to a setting a name must be, by difflib: for a warning about a variable, and for a suggestion in a file
MISSPELLED, SUGGESTED = 0.85, 0.6


def text(name: str, default: str = "") -> str:
    """Return the value of a variable; an empty value means the default."""
    READ.update((name, f"{name}_FILE"))
    path = os.environ.get(f"{name}_FILE", "").strip()
    value = (read(f"{name}_FILE", path) if path else os.environ.get(name, "")).strip()
    if not value.isprintable():
        raise bad(name, "***", "it must be one line of text")
    return value or default


def read(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise bad(name, path, f"cannot read the file ({error.strerror})") from error
    except ValueError as error:
        raise bad(name, path, "the file contains no text") from error


def matching(name: str, pattern: str, sentence: str, default: str = "", *, is_shown: bool = False) -> str:
    """Return a value that may be empty, else must match the pattern. Secrets are not shown."""
    value = text(name, default)
    if value and not re.fullmatch(pattern, value):
        raise bad(name, value if is_shown else "***", sentence)
    return value


def all_matching(name: str, pattern: re.Pattern[str], sentence: str, default: Sequence[str] = ()) -> list[str]:
    """Return comma-separated words that match the pattern."""
    values = words(name, default)
    for word in values:
        if not pattern.fullmatch(word):
            raise bad(name, word, sentence)
    return values


def is_set(*names: str) -> bool:
    return any(text(name) for name in names)


def flag(name: str, default: bool) -> bool:
    value = text(name, "yes" if default else "no").lower()
    if value not in YES | NO:
        raise bad(name, value, "it must be 1 or 0")
    return value in YES


def number(name: str, default: int, *, least: int = 0, most: int) -> int:
    value = text(name, str(default))
    if not re.fullmatch("[0-9]{1,12}", value) or not least <= int(value) <= most:
        raise bad(name, value, f"it must be a whole number from {least} to {most}")
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
    """Parse `A=1,B=2`."""
    values = {}
    for word in words(name):
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise bad(name, "***", "it must look like NAME=value,NAME=value")
        values[key] = value
    return values


def user_and_password(name: str) -> str:
    return matching(name, "[^:]+:.+", "it must look like name:password")


def hosts(name: str, default: Sequence[str]) -> list[str]:
    """Return host names in the format of `ALLOWED_HOSTS`."""
    return all_matching(name, HOST, "it must be host names like play.example.org, without https:// and port", default)


def hosts_and_ports(name: str) -> list[str]:
    """Return addresses in the form `host:port`."""
    values = words(name)
    for word in values:
        host, _colon, port = word.rpartition(":")
        if not HOST.fullmatch(host) or not port.isdecimal() or not 0 < int(port) <= HIGHEST_PORT:
            raise bad(name, word, "it must look like host:443,other:8443")
    return values


def secret(name: str) -> str:
    least = SHORTEST_SECRET
    return matching(name, f".{{{least},}}", f"it must be a random string of at least {least} characters")


def token(name: str) -> str:
    """Return a token that can be sent in a header."""
    least = SHORTEST_TOKEN
    return matching(
        name, f"[!-~]{{{least},}}", f"it must be at least {least} printable ASCII characters without spaces"
    )


def sender(name: str, default: str) -> str:
    """Return `Name <address>` or an address."""
    value = text(name, default)
    if not ADDRESS.fullmatch(parseaddr(value)[1]):
        raise bad(name, value, "it must look like Eight Minutes <games@example.org>")
    return value


def addresses(name: str) -> list[str]:
    return all_matching(name, ADDRESS, "it must be comma-separated addresses like you@example.org")


def web_address(name: str, default: str) -> str:
    """Return the address of a site, `https://play.example.org`, without a path or a final slash."""
    value = text(name, default).rstrip("/")
    try:
        parts = urlsplit(value)
        is_good = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or value != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise bad(name, value, "it must look like https://play.example.org")
    return value


def database(name: str, default: str) -> dict[str, Any]:
    """Return the database that a URL names, as an entry of `DATABASES`."""
    value = text(name, default)
    parts = address(name, value, DATABASES)
    if parts.scheme == "sqlite" and parts.netloc:
        raise bad(name, "sqlite://…", "it must look like sqlite:////folder/file, with four slashes")
    config = dict(Env.db_url_config(value))
    if config["NAME"] in {"", ":memory:"}:
        raise bad(name, f"{parts.scheme}://…", "it does not name a database")
    if parts.scheme == "sqlite" and not Path(str(config["NAME"])).parent.is_dir():
        raise bad(name, value, "the folder does not exist")
    return config


def queue(name: str) -> str:
    value = text(name)
    if value:
        parts = address(name, value, QUEUES)
        if not parts.hostname or not re.fullmatch("(/[0-9]*)?", parts.path):
            raise bad(name, f"{parts.scheme}://…", "it must look like redis://host:6379/0")
    return value


def email(name: str) -> dict[str, Any]:
    """Return the email server that a URL names, as Django's settings."""
    value = text(name)
    parts = address(name, value, tuple(MAIL_SERVERS))
    if not parts.hostname:
        raise bad(name, f"{parts.scheme}://…", "it does not name a mail server")
    return {**Env.email_url_config(value), "EMAIL_PORT": parts.port or MAIL_SERVERS[parts.scheme]}


def address(name: str, value: str, schemes: Sequence[str]) -> SplitResult:
    """Parse a URL. Errors do not quote it, because it may contain a password."""
    start = value.partition(":")[0]
    if start not in schemes or "://" not in value:
        raise bad(name, start, f"it must begin with one of {', '.join(f'{scheme}://' for scheme in schemes)}")
    try:
        parts = urlsplit(value)
        has_port = parts.port != 0
    except ValueError:
        has_port = False
    if not has_port or parts.fragment:
        written = "in passwords, write / ? # @ : % as %2F %3F %23 %40 %3A %25"
        raise bad(name, f"{start}://…", f"its host or port is invalid; {written}")
    return parts


def folder(name: str, default: Path) -> Path:
    """Return a writable folder, created if missing and closed to other accounts with all its contents."""
    path = Path(text(name, str(default)))
    try:
        private.make_folder(path)
    except OSError as error:
        raise bad(name, str(path), f"cannot create the folder ({error.strerror})") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise bad(name, str(path), "the folder is not writable")
    if path.stat().st_mode & stat.S_ISVTX:
        raise bad(name, str(path), "other accounts share this folder; choose one for this site only")
    private.close_folder(path)
    return path


def place(name: str, default: Path) -> Path:
    """Return the path of a folder that may not exist yet."""
    path = Path(text(name, str(default)))
    if path.exists() and not path.is_dir():
        raise bad(name, str(path), "it is not a folder")
    return path


def file(name: str, default: Path) -> Path:
    """Return the absolute path of a writable file that may not exist yet, in a folder that does."""
    path = Path(text(name, str(default))).absolute()
    if path.is_dir() or not path.parent.is_dir():
        raise bad(name, str(path), "it must be a file in an existing folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise bad(name, str(path), "this account cannot write to the file")
    return path


def authorities(name: str) -> str:
    """Return the path of a file with certificates, or an empty string."""
    path = text(name)
    if path:
        try:
            ssl.create_default_context(cafile=path)
        except ssl.SSLError as error:
            raise bad(name, path, "the file contains no certificate") from error
        except OSError as error:
            raise bad(name, path, f"cannot read the file ({error.strerror})") from error
    return path


def sentry(name: str) -> str:
    """Return the Sentry DSN, or an empty string."""
    form = r"https?://[^@\s/:]+(:[^@\s/]+)?@[^@\s/]+(/[^\s?#]*)?/[0-9]+"
    value = matching(name, form, "it must look like https://key@host/1")
    if value and not find_spec("sentry_sdk"):
        raise bad(name, "***", "sentry-sdk is not installed; install the prod extra")
    return value


def contact(name: str, default: str) -> str:
    """Return a contact address as a URL."""
    form, sentence = r"mailto:[^@\s]+@[^@\s]+|https://[^/\s]+", "mailto:you@example.org or https://example.org"
    return matching(name, form, f"it must look like {sentence}", default, is_shown=True)


def push_key(name: str) -> str:
    """Return the private key that signs pushes (RFC 8292): 32 bytes in base64url, a scalar of the curve P-256."""
    value = text(name)
    if value and not is_push_key(value):
        sentence = "it must be a 32-byte key in base64url; unset it and run `python manage.py vapid_key` to create one"
        raise bad(name, "***", sentence)
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


def signing_key(name: str, kept: Path) -> str:
    """Return the key that signs records (Ed25519), by default the one in the file `kept`, which is created once."""
    value = text(name) or kept_secret(kept, new_signing_key).strip()
    if not KEY.fullmatch(value):
        sentence = "it must be a 32-byte key in base64url, as created by `python manage.py record_key`"
        raise bad(name, "***", sentence if text(name) else f"{sentence}; the same applies to the file {kept}")
    return value


def public_keys(name: str) -> list[str]:
    """Return public keys of earlier signing keys, each 32 bytes as base64url."""
    return all_matching(name, KEY, "it must be comma-separated 32-byte public keys in base64url")


def new_signing_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(SIGNING_KEY_BYTES)).decode().rstrip("=")


def new_secret() -> str:
    return secrets.token_urlsafe(50)


def kept_secret(path: Path, new: Callable[[], str] = new_secret) -> str:
    """Return the secret in the file, created once; processes that start at the same time agree on one."""
    if not path.exists():
        draft = path.with_suffix(f".{secrets.token_hex(8)}")
        try:
            private.write(draft, new().encode())
            with suppress(FileExistsError):
                os.link(draft, path)
        except OSError as error:
            raise bad("VAR_DIR", str(path.parent), f"the folder is not writable ({error.strerror})") from error
        finally:
            draft.unlink(missing_ok=True)
    return path.read_text()


def unread(variables: Iterable[str], lines: Iterable[str] = ()) -> Iterator[tuple[int, str, str]]:
    """Yield what no setting reads: the number of the line, the name, and the most similar name of a setting, if any.

    `lines` are those of a file with settings. All its names should be ours; of the other `variables`, which have
    number 0, only those that are probably misspelled, because most of them belong to other programs.
    """
    in_file = set[str]()
    for number, line in enumerate(lines, 1):
        if (match := ASSIGNMENT.match(line)) and (name := match[1]) not in READ | OF_COMPOSE:
            in_file.add(name)
            if not name.startswith(("COMPOSE_", "DOCKER_")):
                yield number, name, _most_similar(name, SUGGESTED)
    for name in sorted(variables):
        if name not in READ | OF_COMPOSE | in_file and (similar := _most_similar(name, MISSPELLED)):
            yield 0, name, similar


def _most_similar(name: str, least: float) -> str:
    return next(iter(get_close_matches(name.upper(), READ, n=1, cutoff=least)), "")


def bad(name: str, value: str, sentence: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"The setting {name} is {value!r}: {sentence}.")


def one_sentence(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Exception hook that prints only the sentence for an invalid setting, without a traceback."""
    if kind.__name__ == "ImproperlyConfigured":  # Django's and Celery's
        print(error, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)
