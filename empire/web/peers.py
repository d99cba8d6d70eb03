"""The client of a request: whether it is this machine itself, and its address. Also the types of ASGI."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from io import BytesIO
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

IPV6_PREFIX = 64  # a home gets such a network, so its addresses cost nothing

# Headers that proxies, tunnels and CDNs add to a request, besides those that start with X-Forwarded
PASSED_ON = {
    "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for", "client-ip",
    "true-client-ip", "cf-connecting-ip", "fastly-client-ip", "x-envoy-external-address",
}  # fmt: skip


def is_this_machine(address: str, headers: Iterable[str]) -> bool:
    """Return whether the request comes from this machine itself, and no header shows that it was forwarded."""
    names = {name.lower().replace("_", "-") for name in headers}
    if names & PASSED_ON or any(name.startswith("x-forwarded") for name in names):
        return False
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback


def client_address(request: HttpRequest) -> str:
    """Return the address that rate limits use, for IPv6 the /64 network. Raises `PermissionDenied` if it is unknown."""
    address = get_adapter().get_client_ip(request)
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        return str(IPv6Network((int(ip), IPV6_PREFIX), strict=False).network_address)
    return address


def client(scope: Scope) -> str:
    """Return the address that rate limits use. Empty if unknown."""
    try:
        return client_address(ASGIRequest(scope, BytesIO()))
    except (KeyError, PermissionDenied):  # peers of a Unix socket have no address
        return ""
