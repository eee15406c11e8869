"""Files that set a site up elsewhere. Containers cannot run here: what stands in the files is read as it will be."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from dohyo.cli.options import command_of
from dohyo.core.asked import check, fields
from dohyo.guests.site.command import app
from dohyo.guests.site.request import ServeRequest

PACKAGING = Path(__file__).parents[3] / "packaging"
COMPOSE = PACKAGING / "compose" / "compose.yaml"
UNIT = PACKAGING / "systemd" / "system" / "dohyo-site@.service"


def compose() -> dict[str, Any]:
    """The file, with what it takes over from itself."""
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return found


def understood(words: list[str]) -> dict[str, Any]:
    """What `dohyo serve` understands by these words; each value is one that it takes."""
    assert words[0] == "serve"
    found = command_of(app).make_context("serve", words[1:]).params
    for field in fields(ServeRequest):
        value = found.get(field.name)
        if value not in (None, []):
            check(field, value, field.option)
    return found


def test_the_compose_file_is_whole() -> None:
    """Every network, volume, secret and file that it names is there."""
    found = compose()
    for name, service in found["services"].items():
        assert {*service.get("networks", ())} <= {*found["networks"]}, name
        assert {*service.get("secrets", ())} <= {*found["secrets"]}, name
        assert {*service.get("depends_on", ())} <= {*found["services"]}, name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in found["volumes"] or (COMPOSE.parent / source).is_file(), (name, source)
        assert "privileged" not in service


def test_the_commands_in_it_are_commands() -> None:
    """Pages and both judges are of one site, and only the proxy is believed about addresses."""
    found = compose()
    commands = {name: understood(one["command"]) for name, one in found["services"].items() if "command" in one}
    assert {name: one["only"] for name, one in commands.items()} == {
        "web": "web",
        "judge-1": "judge",
        "judge-2": "judge",
    }
    assert len({(one["store"], one["files"]) for one in commands.values()}) == 1
    assert len({one["folder"] for one in commands.values()}) == 3
    proxy = found["services"]["proxy"]["networks"]["front"]["ipv4_address"]
    assert [*commands["web"]["proxy"]] == [proxy]
    assert urlsplit(commands["web"]["url"]).netloc in (COMPOSE.parent / "Caddyfile").read_text()


@pytest.mark.parametrize("options", ["", "--url https://club.example/arena --log json"])
def test_the_unit_starts_a_site(options: str) -> None:
    """What systemd runs is a command, with what the operator has added."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    (line,) = (line.partition("=")[2] for line in lines if line.startswith("ExecStart="))
    words = shlex.split(line.replace("%i", "arena").replace("$OPTIONS", options))
    assert words[0] == "/opt/dohyo/bin/dohyo"
    assert understood(words[1:])["folder"] == "/var/lib/dohyo/arena"
