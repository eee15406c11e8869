"""Who may use a cluster: members have its keys; the others are told in one sentence, and get nothing."""

from __future__ import annotations

import os
import socket
import ssl
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.cluster import executor as cluster
from dohyo.guests.cluster import keys as cluster_keys
from dohyo.guests.cluster.executor import Cluster
from dohyo.guests.cluster.keys import (
    CERTIFICATE,
    FILES,
    FROM_DASK,
    KEY,
    ClusterAccess,
    check_keys,
    cluster_access,
    dask_security,
    existing_keys,
    made_keys,
)
from tests.executors.test_pool import orders, told
from tests.guests.cluster.clusters import ONE_WORKER, Started, local, packed, plain
from tests.match.conftest import Bot

__all__ = ["local", "plain"]

LISTENS = "0A"  # in the kernel's list of sockets


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the operator's settings lie."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def key_of(call: object, *words: object) -> str:
    """The key of the sentence with which this is refused."""
    with pytest.raises(OperatorError) as refused:
        call(*words)  # type: ignore[operator]
    assert str(refused.value).count("\n") == 0
    return refused.value.key


def test_keys_are_made_once_and_are_the_operators_alone(home: Path) -> None:
    """The folder and its files can be read by their owner alone; who asks again gets the same."""
    folder = Path(made_keys(None))
    assert folder == home / "dohyo" / "cluster"
    assert sorted(os.listdir(folder)) == sorted(FILES)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in FILES} == {0o600}
    before = (folder / KEY).read_bytes()
    assert (made_keys(None), existing_keys(None)) == (str(folder), str(folder))
    assert (folder / KEY).read_bytes() == before
    assert os.listdir(folder.parent) == ["cluster"]  # nothing half made lies beside it


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    """A folder that is there and empty is taken, and is then the operator's alone too."""
    (tmp_path / "keys").mkdir(mode=0o755)
    assert made_keys(str(tmp_path / "keys")) == str(tmp_path / "keys")
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


def test_nothing_signs_another_member(tmp_path: Path) -> None:
    """The authority's own key is in no file: the one that is written is the member's."""
    folder = Path(made_keys(str(tmp_path / "keys")))
    ssl.create_default_context().load_cert_chain(folder / CERTIFICATE, folder / KEY)
    assert [name for name in FILES if b"PRIVATE KEY" in (folder / name).read_bytes()] == [KEY]


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (("127.0.0.1:8786", None, False), "cluster-address"),
        (("tls://x", None, False), "cluster-address"),
        (("tcp://127.0.0.1:8786", None, False), "cluster-plain"),
        (("tls://127.0.0.1:8786", None, True), "cluster-not-plain"),
        (("tls://127.0.0.1:8786", None, False), "cluster-no-keys"),
        (("tcp://127.0.0.1:8786", "keys", True), "cluster-keys-or-plain"),
    ],
)
def test_words_that_do_not_fit(home: Path, words: tuple[str, str | None, bool], key: str) -> None:
    """An address as it was written before there were keys, and other mistakes: a sentence each."""
    assert key_of(cluster_access, *words) == key


def test_a_folder_with_other_things(tmp_path: Path) -> None:
    """Keys are not written among somebody's other files."""
    (tmp_path / "thesis.txt").touch()
    assert key_of(made_keys, str(tmp_path)) == "cluster-keys-taken"


def test_what_is_no_key(tmp_path: Path) -> None:
    """Files that are no keys are told as such, before anything is asked for."""
    for name in FILES:
        (tmp_path / name).write_text("?")
    assert key_of(check_keys, ClusterAccess("tls://127.0.0.1:1", str(tmp_path))) == "cluster-no-keys"


def test_dasks_own_settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has set Dask's TLS up needs no keys of ours; a folder that is named goes before that."""
    dask = pytest.importorskip("dask")
    monkeypatch.setattr(cluster_keys, "_dask_has_keys", lambda: True)
    assert cluster_access("tls://127.0.0.1:1", None, False) == ClusterAccess("tls://127.0.0.1:1", FROM_DASK)
    with dask.config.set({"distributed.comm.tls.ca-file": "/a.pem"}):
        found = dask_security(FROM_DASK)
    assert (found.tls_ca_file, found.require_encryption) == ("/a.pem", True)
    assert cluster_access("tls://127.0.0.1:1", made_keys(str(home / "own")), False).keys == str(home / "own")


@ONE_WORKER
def test_without_the_key_nobody_gets_in(local: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another cluster's member, a client without TLS, and one that shows no certificate: none is answered."""
    monkeypatch.setattr(cluster, "CONNECTING", 1.0)
    others = made_keys(str(tmp_path / "others"))
    assert key_of(Cluster, ClusterAccess(local.address, others), packed) == "cluster-other-keys"
    plain = local.address.replace("tls://", "tcp://")
    assert key_of(Cluster, ClusterAccess(plain, None), packed) == "cluster-unreachable-plain"
    host, port = local.address.removeprefix("tls://").split(":")
    nobody = ssl.create_default_context(cafile=str(local.keys and local.keys / "authority.pem"))
    nobody.check_hostname = False
    assert first_words(nobody, host, int(port)) == b""
    member = dask_security(local.access.keys).get_connection_args("client")["ssl_context"]
    assert first_words(member, host, int(port)) != b""


def first_words(context: ssl.SSLContext, host: str, port: int) -> bytes:
    """What a scheduler says to somebody before it is asked anything; nothing where it hangs up."""
    try:
        with socket.create_connection((host, port)) as raw, context.wrap_socket(raw) as connection:
            return connection.recv(4096)
    except OSError:  # an SSLError is one
        return b""


@ONE_WORKER
def test_nothing_of_a_cluster_listens_without_tls(local: Started) -> None:
    """Scheduler and workers have one port each that speaks, and that asks for the key."""
    listening = set()
    for pid in [*local.processes("scheduler"), *local.processes("worker")]:
        inodes = {os.readlink(entry).strip("socket:[]") for entry in Path(f"/proc/{pid}/fd").iterdir()}
        for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
            _, own, _, state, *_, inode = line.split()[:10]
            if state == LISTENS and inode in inodes:
                listening.add(int(own.split(":")[1], 16))
    assert len(listening) >= 3
    with Cluster(local.access, packed) as executor:
        addresses = {local.address, *executor._client.scheduler_info()["workers"]}
    assert len(addresses) == 3
    assert all(address.startswith("tls://") for address in addresses)
    ports = {int(address.rpartition(":")[2]) for address in addresses}
    member = dask_security(local.access.keys).get_connection_args("client")["ssl_context"]
    assert all(first_words(member, "127.0.0.1", port) for port in ports)
    assert ports == listening  # no page of Dask's either, which asks for no key


@ONE_WORKER
def test_with_the_key_a_contest_runs(bot: Bot, local: Started) -> None:
    """A member plays, and a folder that was copied to another place makes a member."""
    given = orders(bot(), 3)
    with Cluster(local.access, packed) as executor:
        assert sorted(told(list(executor.play(given)))) == ["0", "1", "2"]


@ONE_WORKER
def test_workers_with_other_keys_end_with_a_sentence(local: Started, tmp_path: Path) -> None:
    """They are told at once, rather than wait for a scheduler that will never answer them."""
    made_keys(str(tmp_path / "others"))
    words = ("cluster", "worker", local.address, "--workers", "1", "--keys", str(tmp_path / "others"))
    done = subprocess.run([sys.executable, "-m", "dohyo", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert str(tmp_path / "others") in done.stderr


@ONE_WORKER
def test_plain_tcp_by_the_operators_word(bot: Bot, plain: Started) -> None:
    """Said on both sides, it is as it was before there were keys; the cluster says who can use it."""
    assert plain.access.keys is None
    assert plain.address.startswith("tcp://")
    with Cluster(plain.access, packed) as executor:
        told(list(executor.play(orders(bot(), 2))))
