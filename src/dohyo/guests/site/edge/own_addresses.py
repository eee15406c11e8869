"""The addresses at which others on the network reach this machine, found without a word to anybody."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

MAX_TOLD = 4
# Addresses that documentation alone uses: a datagram socket that is tied to one sends nothing, and knows its own end.
AFAR = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
ASK_ADDRESS = 0x8915  # SIOCGIFADDR, of Linux
INNER = ("docker", "br-", "veth", "virbr", "cni", "podman")  # interfaces that lead to containers and virtual machines


def own_addresses(host: str) -> list[str]:
    """The addresses of this machine as a URL has them, the likeliest first, where `host` means every address.

    Empty where it is a single one.
    """
    if host not in ("0.0.0.0", "::"):
        return []
    families = [socket.AF_INET, *([socket.AF_INET6] if host == "::" else [])]
    found = [*filter(None, map(_towards, families)), *_of_interfaces()]
    told = [each for each in map(ip_address, dict.fromkeys(found)) if not (each.is_loopback or each.is_link_local)]
    return [f"[{each}]" if isinstance(each, IPv6Address) else str(each) for each in told[:MAX_TOLD]]


def is_here(url: str) -> bool:
    """Whether an address leads to whatever machine it is typed on, so that nobody else reaches this one by it."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _towards(family: socket.AddressFamily) -> str:
    """The address that this machine has on its way out; empty without one."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as one:
        one.connect((AFAR[family], 9))
        return str(one.getsockname()[0]).partition("%")[0]
    return ""


def _of_interfaces() -> Iterator[str]:
    """The first address of each interface, for IPv4; none where the system is not asked that way."""
    with suppress(OSError, ImportError):
        from fcntl import ioctl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            for _, name in socket.if_nameindex():
                if name.startswith(INNER):
                    continue
                with suppress(OSError):
                    asked = struct.pack("256s", name.encode()[:15])
                    yield socket.inet_ntoa(ioctl(one.fileno(), ASK_ADDRESS, asked)[20:24])
