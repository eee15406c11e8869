"""No name that somebody else owns leads Dohyo to this machine, or into its network."""

from __future__ import annotations

import socket
from contextlib import closing
from time import monotonic

import pytest

from dohyo.guests.servers.group import Server
from dohyo.guests.servers.http_addresses import PrivateAddressError, connect, is_own_name, is_public
from tests.guests.servers.snake_server import respond, snake
from tests.told import detail

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
    *("::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::", "224.0.0.1", "ff02::1"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_numbers_are_known(address: str) -> None:
    """This machine's numbers, those of own networks, and those of groups are not on the internet."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_numbers_are_known(address: str) -> None:
    """Others are."""
    assert is_public(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "pc7", "pc7.local", "pc7.lan.", "a.b.home.arpa"])
def test_names_of_the_own_network(host: str) -> None:
    """What the operator has named by its number, or by a name that nobody can buy, is meant."""
    assert is_own_name(host)


@pytest.mark.parametrize("host", ["snake.example.com", "127.0.0.1.nip.io", "local.example.org", "evil.com."])
def test_names_of_the_internet(host: str) -> None:
    """All other names are somebody's."""
    assert not is_own_name(host)


def leading(monkeypatch: pytest.MonkeyPatch, *addresses: tuple[str, int]) -> list[str]:
    """Let every name lead to these addresses; the names that are asked for."""
    asked: list[str] = []

    def found(host: str, port: int, *_: object, **__: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, own or port)) for address, own in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return asked


def test_a_strangers_name_for_this_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server behind a name that leads to this machine gets no request, even if only one of its numbers does so."""
    came: list[object] = []
    with snake(lambda body, handler: came.append(body)) as server:
        port = server.server_address[1]
        leading(monkeypatch, ("8.8.8.8", 0), ("127.0.0.1", port))
        response = Server(f"http://snake.example.com:{port}").request("/move", b"{}", monotonic(), monotonic() + 60)
        assert response.fault is not None
        assert "snake.example.com leads to 127.0.0.1" in detail(response.fault)
        assert server.told == came == []


def test_a_name_of_the_own_network_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name of the own network may lead there, and each number is tried in its order."""
    with snake(lambda body, handler: respond(handler, b"{}")) as server:
        asked = leading(monkeypatch, ("127.0.0.1", 1), ("127.0.0.1", server.server_address[1]))
        with closing(connect(("pc7.local", 80), 60.0)) as made:
            assert made.getpeername() == server.server_address
        assert asked == ["pc7.local"]


def test_no_number_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none can be reached, the error is the last one's."""
    leading(monkeypatch, ("127.0.0.1", 1))
    with pytest.raises(ConnectionRefusedError):
        connect(("pc7.local", 80), 60.0)
    with pytest.raises(PrivateAddressError):
        connect(("pc7.example.com", 80), 60.0)
