"""At which addresses others reach a site, and which lead nowhere else than to this computer."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from dohyo.guests.site.command import _tell_others
from dohyo.guests.site.edge import own_addresses
from dohyo.guests.site.edge.own_addresses import is_here
from dohyo.i18n import Speaker


def test_only_a_site_for_all_tells_addresses() -> None:
    """One that listens at a certain address tells none; all that are told are no loopback's."""
    assert own_addresses.own_addresses("127.0.0.1") == []
    assert own_addresses.own_addresses("192.0.2.7") == []
    found = own_addresses.own_addresses("::")
    assert not any(ip_address(each.strip("[]")).is_loopback for each in found)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_others_are_told_what_to_type(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address of the way out comes first, each once, those of this computer alone never."""
    monkeypatch.setattr(own_addresses, "_towards", lambda family: "192.168.1.20")
    monkeypatch.setattr(own_addresses, "_of_interfaces", lambda: iter(["127.0.0.1", "192.168.1.20", "10.0.0.3"]))
    _tell_others("0.0.0.0", 8080, Speaker(language))
    told = capsys.readouterr().out
    assert told.count("http://192.168.1.20:8080") == 1
    assert told.index("http://192.168.1.20:8080") < told.index("http://10.0.0.3:8080")
    assert "127.0.0.1" not in told


def test_a_link_that_opens_here_only_is_known() -> None:
    """By its host: a loopback's address or localhost."""
    assert all(map(is_here, ("http://127.0.0.1:8080", "http://localhost:8080/join/x", "http://[::1]:1")))
    assert not any(map(is_here, ("http://192.168.1.20:8080", "https://club.example")))
