"""Attacks on a cluster by who has no keys: on its ports, from the network; and by a bot that plays on a worker.

Its own members are trusted: whoever has the keys (`docs/scaling.md`).
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dohyo.core import replay_format as replays
from dohyo.guests.cluster.executor import Cluster
from dohyo.guests.cluster.keys import dask_security, made_keys
from tests.executors.test_executors import order
from tests.guests.cluster.clusters import MARK, ONE_WORKER, Started, local, packed
from tests.hostile.layers import small_sandbox
from tests.match.conftest import Bot, bot
from tests.processes import marked
from tests.skips import Reason, skip_for

__all__ = ["bot", "local"]

pytestmark = ONE_WORKER

LONG = 60.0  # seconds: nothing depends on how fast the machine is
LISTENING = "0A"  # as Linux tells the state of a socket
STRANGERS = {
    "a page": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "Dask's own words": b"\x01\0\0\0\0\0\0\0" + b"\x10\0\0\0\0\0\0\0" + b"\x90" * 16,
    "nothing but zeros": b"\0" * 65536,
}


def listening(own: Started) -> dict[int, int]:
    """The ports on which processes of a cluster listen, and who does."""
    sockets: dict[str, int] = {}
    for name in ("tcp", "tcp6"):
        with suppress(OSError):
            rows = [line.split() for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
            sockets |= {row[9]: int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == LISTENING}
    found = {}
    for pid in marked(MARK, own.mark):
        for entry in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                link = os.readlink(f"/proc/{pid}/fd/{entry}")
                if (port := sockets.get(link.removeprefix("socket:[").rstrip("]"))) is not None:
                    found[port] = pid
    return found


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_each_port_asks_for_the_keys(local: Started, tmp_path: Path, version: ssl.TLSVersion) -> None:
    """A cluster has one port for each process; nobody is answered there without its keys, or with other ones."""
    ports = listening(local)
    processes = local.processes("scheduler") + local.processes("worker")
    assert sorted(ports.values()) == sorted(processes)
    other = Path(made_keys(str(tmp_path / "other")))
    for port in ports:
        for certificate in (None, other):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            context.minimum_version = context.maximum_version = version
            if certificate is not None:
                context.load_cert_chain(certificate / "member.pem", certificate / "member-key.pem")
            plain = socket.create_connection(("127.0.0.1", port), LONG)
            secure = context.wrap_socket(plain, do_handshake_on_connect=False)
            with secure, pytest.raises(OSError):  # noqa: PT011, PT012
                secure.do_handshake()
                secure.sendall(b"x")
                assert secure.recv(1) == b"nothing comes"
        for content in STRANGERS.values():
            answer = b""
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), LONG) as plain:
                plain.sendall(content)
                answer = plain.recv(100)
            assert answer[:1] in (b"", b"\x15")  # nothing, or TLS's own way to refuse


def test_who_shows_no_keys_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections on which nothing comes do not stay: with enough of them a process could open nothing more."""
    pytest.importorskip("distributed")
    from distributed.comm import listen, tcp

    from dohyo.guests.cluster import dask_process

    monkeypatch.setattr(tcp.TLSListener, "_prepare_stream", tcp.TLSListener._prepare_stream)  # put back at the end
    monkeypatch.setattr(dask_process, "HANDSHAKE", 0.01)
    security = dask_security(made_keys(str(tmp_path / "keys")))

    async def silent() -> bytes:
        async def nobody(comm: Any) -> None:
            raise AssertionError(comm)

        dask_process.bound_handshakes()
        async with listen("tls://127.0.0.1:0", nobody, **security.get_listen_args("scheduler")) as listener:
            host, port = listener.get_host_port()
            reader, writer = await asyncio.open_connection(host, port)
            try:
                return await asyncio.wait_for(reader.read(1), LONG)
            finally:
                writer.close()

    with ThreadPoolExecutor(1) as pool:  # after a test with a browser this thread has a loop already
        assert pool.submit(lambda: asyncio.run(silent())).result() == b""


LOOK = """
import os, socket
for path in {paths}:
    try:
        found = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read()
        print("GOT", path, len(found), flush=True)
    except OSError as error:
        print("NOT", path, error.errno, flush=True)
for port in {ports}:
    try:
        socket.create_connection(("127.0.0.1", port), 1)
        print("GOT", port, flush=True)
    except OSError as error:
        print("NOT", port, error.errno, flush=True)
for name, value in os.environ.items():
    if "KEYS" in name or "TLS" in name or "cluster" in value.lower():
        print("GOT", name, flush=True)
"""


def test_a_bot_on_a_worker_reaches_neither_keys_nor_ports(bot: Bot, local: Started) -> None:
    """In a sandbox it reads none of the cluster's files, sees no key in its environment, and connects to no port."""
    if small_sandbox(1) is None and small_sandbox(2) is None:
        skip_for(Reason.KERNEL, "no sandbox in which a program sees only what it is shown")
    assert local.keys is not None
    workers = local.processes("worker")
    secret = [local.keys / name for name in ("member-key.pem", "authority.pem")]
    secret += [local.keys, local.cache / "parcels", local.temporary]
    paths = [str(path) for path in secret] + [f"/proc/{pid}/{name}" for pid in workers for name in ("environ", "mem")]
    looks = LOOK.format(paths=paths, ports=list(listening(local))).encode().hex()
    given = order("0", bot(f"python3 -c \"exec(bytes.fromhex('{looks}'))\" >&2; echo A"), sandbox="require")
    with Cluster(local.access, packed) as executor:
        (report,) = executor.play([given])
    assert report.error == ""
    replay = replays.decode(report.replay)
    said = "".join(move.stderr for turn in replay.turns for move in turn.moves)
    assert said.count("NOT ") >= len(paths)
    assert "GOT" not in said
