"""Where a server's name may lead: what somebody else's name service says is a stranger's word.

The operator types a server's address. If that is a name on the internet, whoever owns the name decides which machine
it means, and may change that between two matches: to this machine, or to one of its network that answers nobody from
outside. So a connection to such an address is made only where the operator has named it: by its number, as
`localhost`, or by a name of the own network. The addresses that were looked at are the ones that are connected to.
"""

from __future__ import annotations

import ipaddress
import socket

OWN = ("local", "localhost", "lan", "home.arpa", "internal", "test")  # ends of names that no name service sells


class PrivateAddressError(OSError):
    """A name leads to this machine or into its network, and does not say so."""

    def __init__(self, host: str, address: str) -> None:
        """`host` is the name, `address` where it leads."""
        told = f"{host} leads to {address}, which is this machine or in its network"
        super().__init__(f"{told}; if you mean that, type the number instead of the name")


def is_own_name(host: str) -> bool:
    """Whether a name says that it is in the own network: a number, one word, or an end that nobody sells."""
    name = host.rstrip(".").lower()
    if "." not in name or any(name.endswith(f".{end}") for end in OWN):
        return True
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether a number is on the internet, and no machine's own, no network's own, and no group's."""
    number = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(number, "ipv4_mapped", None)
    number = mapped or number
    return number.is_global and not number.is_multicast


def connect(address: tuple[str, int], timeout: float | None = None, source: None = None) -> socket.socket:
    """A connection to a server, as `socket.create_connection` makes it. Raises `OSError` (`PrivateAddressError`)."""
    host, port = address
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not is_own_name(host):
        for *_, where in found:
            if not is_public(str(where[0])):
                raise PrivateAddressError(host, str(where[0]))
    failed: OSError = OSError("no address")
    for family, kind, protocol, _, where in found:
        made = socket.socket(family, kind, protocol)
        try:
            made.settimeout(timeout)
            made.connect(where)
        except OSError as error:
            made.close()
            failed = error
        else:
            return made
    raise failed
