"""URLs that users give us to post to: their syntax, and the IP addresses they may resolve to.

Users must not be able to reach our own network through us. A host name is resolved once, every IP address must be
public, and the caller connects to exactly these addresses, so that the name cannot be rebound in between.
"""

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext

from games.errors import GameError

LONGEST = 1000  # characters; push services use about 200, or 500
LOOK_UP = 5  # seconds for resolving a name
PORT = 443
TRIED = 4  # IP addresses of one name
LABEL = r"(?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = re.compile(
    rf"(?:[a-z0-9]{LABEL}\.)*[a-z]{LABEL}"
)  # the last label starts with a letter, because 0x7f.1 is a number
PLAIN = re.compile(r"[!-\[\]-~]+")  # printable ASCII without spaces and backslashes
MAPPED = ip_network("::ffff:0:0/96")
NAT64 = ip_network("64:ff9b::/96")
UNICAST = ip_network("2000::/3")
ODD = tuple(
    ip_network(net)
    for net in (
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays of 6to4
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)
# So that a slow name server can be abandoned: a thread waits for it longer than we do, and users choose the servers
look_ups = ThreadPoolExecutor(max_workers=100, thread_name_prefix="look-up")


class NotTaken(GameError):  # noqa: N818 # a refusal is no error
    """A post failed. The sentence says why."""


class BadAddress(NotTaken):
    """The URL is not allowed."""


class NoAnswer(NotTaken):
    """The host did not respond."""


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    path: str

    @property
    def is_trusted(self) -> bool:
        """Whether the operator has listed the host in `OUTGOING_HOSTS`, so that it may be private."""
        return f"{self.host}:{self.port}" in settings.OUTGOING_HOSTS


def read(url: str) -> Address:
    """Parse a URL. Raises `BadAddress` with a sentence for the person who typed it."""
    if not PLAIN.fullmatch(url) or len(url) > LONGEST:
        raise BadAddress(gettext("That isn’t a valid URL. Copy all of it, without spaces."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORT
    except ValueError as error:
        raise BadAddress(gettext("That isn’t a valid URL. Copy all of it, without spaces.")) from error
    if parts.scheme != "https":
        raise BadAddress(gettext("The URL must start with https://."))
    if "@" in parts.netloc:
        raise BadAddress(gettext("The URL must not contain a user name or password."))
    if not NAME.fullmatch(host) or len(host) > 253:
        raise BadAddress(gettext("The URL must use a host name, not an IP address."))
    address = Address(host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    if port != PORT and not address.is_trusted:
        raise BadAddress(gettext("The URL must not contain a port number."))
    return address


def resolve(address: Address) -> list[str]:
    """Return the IP addresses of the host. Raises `BadAddress` if one is not public, `NoAnswer` if there is none.

    Both have the same sentence, so that nobody can find out which names our own network knows.
    """
    unknown = gettext("We can’t find %(host)s on the public internet. Check the URL.") % vars(address)
    lookup = look_ups.submit(socket.getaddrinfo, address.host, address.port, type=socket.SOCK_STREAM)
    try:
        ips = list(dict.fromkeys(str(sockaddr[0]) for *_how, sockaddr in lookup.result(LOOK_UP)))
    except (OSError, UnicodeError) as error:  # TimeoutError is an OSError
        lookup.cancel()  # if it has not begun
        raise NoAnswer(unknown) from error
    if not address.is_trusted and not all(is_public(ip_address(ip)) for ip in ips):
        raise BadAddress(unknown)
    return ips[:TRIED]


def is_public(ip: IPv4Address | IPv6Address) -> bool:
    """Return whether the IP address is public. For IPv6 addresses that embed an IPv4 address, the latter counts."""
    if isinstance(ip, IPv6Address):
        if ip in MAPPED or ip in NAT64:
            return is_public(IPv4Address(int(ip) & 0xFFFFFFFF))
        if ip not in UNICAST:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not any(ip in net for net in ODD)
