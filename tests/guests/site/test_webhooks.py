"""Webhooks: what is told, to whom, and that no message goes to an address inside."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import sqlite3
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from sqlalchemy import select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders, pausing
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.hooks import outbox, sending, webhooks
from dohyo.guests.site.hooks.deliverer import Deliverer
from dohyo.guests.site.hooks.outbox import PAUSES
from dohyo.guests.site.people.accounts import Person, key_of, sign_up
from dohyo.guests.site.tables import open_site
from dohyo.series.store.database import Database
from tests.guests.site.conftest import RunningSite, Visitor, new_ladder
from tests.guests.site.test_api import author

INSIDE = [
    "192.0.0.192",
    "127.0.0.1",
    "127.8.8.8",
    "10.0.0.1",
    "172.16.3.4",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::1",
    "::127.0.0.1",
]


class Receiver(BaseHTTPRequestHandler):
    """Takes messages, or answers what a test wants."""

    status = 204
    location = ""
    taken: list[tuple[dict[str, str], bytes]]

    def do_POST(self) -> None:
        """Take a message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).taken.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.status)
        if self.location:
            self.send_header("Location", self.location)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ssl.SSLContext]:
    """A certificate for receiver.example with its key in a file, and who trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receiver.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("receiver.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public = made.public_bytes(serialization.Encoding.PEM)
    plain = serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file = tmp_path_factory.mktemp("certificate") / "both.pem"
    file.write_bytes(secret + public)
    return str(file), ssl.create_default_context(cadata=public.decode())


@pytest.fixture
def receiver(certificate: tuple[str, ssl.SSLContext]) -> Iterator[tuple[str, Any]]:
    """A receiver with HTTPS on this machine: the address of receiver.example with its port, and what it took."""
    kind = type("Somebody", (Receiver,), {"taken": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[0])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://receiver.example:{server.server_port}/told", kind
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """The database of a site that nobody serves."""
    found = open_site(str(tmp_path / "site.db"))
    yield found
    found.close()


@pytest.fixture
def person(database: Database) -> Person:
    """Somebody with an account."""
    return sign_up(database, "Hana", "correct horse", "here")


def delivers(database: Database, tmp_path: Path, sends: Any) -> Deliverer:
    """Whoever delivers, without a thread."""
    return Deliverer(database, Arena(str(tmp_path / "arena.db"), tmp_path / "frozen"), sends)


def note(database: Database, person: Person) -> None:
    """Something happened to a bot of this person."""
    database.write(lambda connection: outbox.note(connection, person.id, "hand-in.examined", {"bot": "Kumo"}))


def waiting(database: Database) -> list[Any]:
    """What is still to be told."""
    return list(database.read(lambda connection: connection.execute(select(tables.messages)).mappings().all()))


def test_a_message_arrives_signed(
    database: Database,
    person: Person,
    tmp_path: Path,
    receiver: tuple[str, Any],
    certificate: tuple[str, ssl.SSLContext],
) -> None:
    """What happened arrives once, over HTTPS, and its signature fits the secret that its owner was shown."""
    url, kind = receiver
    secret = webhooks.make(database, person, url)
    note(database, person)

    def sends(url: str, headers: dict[str, str], body: bytes) -> str:
        return sending.send(url, headers, body, certificate[1], lambda host, port: "127.0.0.1")

    deliverer = delivers(database, tmp_path, sends)
    deliverer.step()
    deliverer.step()
    ((headers, body),) = kind.taken
    assert json.loads(body)["data"] == {"bot": "Kumo"}
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{wanted}"
    assert waiting(database) == []


def test_what_is_not_taken_is_tried_later_and_given_up_in_the_end(
    database: Database, person: Person, tmp_path: Path
) -> None:
    """Pauses grow from try to try; after the last one the owner reads why, and nothing waits for ever."""
    webhooks.make(database, person, "https://receiver.example/")
    note(database, person)
    tried: list[str] = []

    def sends(url: str, headers: dict[str, str], body: bytes) -> str:
        tried.append(headers["webhook-id"])
        return "503"

    deliverer = delivers(database, tmp_path, sends)
    for number in range(len(PAUSES) + 1):
        deliverer.step()
        deliverer.step()  # its time has not come yet
        assert len(tried) == number + 1
        database.write(lambda connection: connection.execute(update(tables.messages).values(next=0.0)))
    assert len(set(tried)) == 1  # a receiver can tell that it is the same message
    assert waiting(database) == []
    (hook,) = webhooks.of_person(database, person)
    assert hook.trouble == "503"


def test_a_number_that_is_free_again_is_another_message(database: Database, person: Person, tmp_path: Path) -> None:
    """Each message has an identifier of its own, and what came of one whose webhook is gone touches no other."""
    tried: list[str] = []

    def sends(url: str, headers: dict[str, str], body: bytes) -> str:
        tried.append(headers["webhook-id"])
        return ""

    webhooks.make(database, person, "https://receiver.example/")
    deliverer = delivers(database, tmp_path, sends)
    for _ in range(2):
        note(database, person)
        database.write(lambda connection: connection.execute(update(tables.messages).values(body=f'"{len(tried)}"')))
        deliverer.step()
    assert len({*tried}) == 2
    note(database, person)
    (sent,) = outbox.take(database, 1)
    (hook,) = webhooks.of_person(database, person)
    webhooks.remove(database, person, hook.id)
    webhooks.make(database, person, "https://other.example/")
    note(database, person)
    (other,) = waiting(database)
    assert other["id"] == sent.id
    outbox.done(database, sent, "")
    assert waiting(database) == [other]


def test_a_webhook_does_not_pile_up_messages(database: Database, person: Person) -> None:
    """Where nobody takes messages, only so many wait."""
    webhooks.make(database, person, "https://receiver.example/")
    for _ in range(outbox.MAX_WAITING + 5):
        note(database, person)
    assert len(waiting(database)) == outbox.MAX_WAITING


def test_addresses_that_do_not_answer_keep_nobody_waiting(database: Database, person: Person) -> None:
    """Each person has one message on the way at once, and those for addresses that failed come after all others."""
    other, third = (sign_up(database, name, "correct horse", "here") for name in ("Berta", "Chiyo"))
    for number in range(5):
        webhooks.make(database, person, f"https://silent{number}.example/")
    for each in (other, third):
        webhooks.make(database, each, f"https://{each.name.lower()}.example/")
    for each in (person, other, third):
        note(database, each)
    assert [one.url[8:14] for one in outbox.take(database, 4)] == ["silent", "berta.", "chiyo."]
    messages = tables.messages
    failed = update(messages).values(tries=1, next=0.0).where(messages.c.webhook <= 5)
    database.write(lambda connection: connection.execute(failed))
    database.write(lambda connection: connection.execute(update(messages).values(next=0.0)))
    assert [one.url[8:14] for one in outbox.take(database, 2)] == ["berta.", "chiyo."]


# --- nothing goes inside


def test_an_author_is_told_that_a_bot_pauses_unless_results_are_hidden(database: Database, person: Person) -> None:
    """A bot that fails again and again pauses by itself: its author hears of it, and of a frozen ladder nothing."""
    webhooks.make(database, person, "https://receiver.example/x")
    ladder = ladders.make(database, person, "othello")
    row = {"ladder": ladder.id, "person": person.id, "name": "Kumo", "key": key_of("Kumo")}
    database.write(lambda connection: tables.inserted(connection, tables.bots, row))
    pausing.note(database, ladder, "Kumo")
    (told,) = [json.loads(each["body"]) for each in waiting(database)]
    assert (told["type"], told["data"]) == ("bot.paused", {"ladder": ladder.slug, "bot": "Kumo"})
    ladders.freeze(database, person, ladder, 1.0)
    pausing.note(database, ladder, "Kumo")
    assert len(waiting(database)) == 1


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither as it is typed nor as a name's answer is an address inside ever connected to."""
    shown = f"[{address}]" if ":" in address else address
    with pytest.raises(OperatorError):
        sending.checked(f"https://{shown}/")
    answers = [(ip_address("8.8.8.8"), ip_address(address)), (ip_address(address),)]
    for answer in answers:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (str(each), 443)) for each in answer]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, found=found, **__: found)
        monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("connected"))
        assert sending.send("https://rebinding.example/", {}, b"") == "inside"


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111"])
def test_an_address_outside_is_none_of_these(address: str) -> None:
    """An address of the whole internet is one."""
    assert sending.is_outside(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://receiver.example/",
        "https://",
        "https://user:secret@receiver.example/",
        "https://receiver.example:0/",
        "https://receiver.example:99999/",
        "https://localhost/",
        "https://judge/",
        "https://printer.local/",
        "https://0x7f000001/",
        "https://2130706433/",
        "https://receiver.example/\r\nX: y",
        "https://receiver.example/#a b",
        "https://receiver.example/" + "x" * 500,
        "https://\u2460\u2461\u2466.0.0.1/",
        "ftp://receiver.example/",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_impossible_address_is_refused(url: str) -> None:
    """Only https, by a name or an address of the whole internet, with nothing that could be read in two ways."""
    with pytest.raises(OperatorError):
        sending.checked(url)


def test_no_redirection_is_followed(receiver: tuple[str, Any], certificate: tuple[str, ssl.SSLContext]) -> None:
    """A receiver that sends us on is one that does not take the message."""
    url, kind = receiver
    kind.status, kind.location = 307, url
    assert sending.send(url, {}, b"{}", certificate[1], lambda host, port: "127.0.0.1") == "307"
    assert len(kind.taken) == 1


def test_a_certificate_of_another_is_not_good(
    receiver: tuple[str, Any], certificate: tuple[str, ssl.SSLContext]
) -> None:
    """The receiver has to show that it is the host that its owner named."""
    url, kind = receiver
    other = url.replace("receiver.example", "other.example")
    assert sending.send(other, {}, b"{}", certificate[1], lambda host, port: "127.0.0.1") == "tls"
    assert sending.send(url, {}, b"{}", None, lambda host, port: "127.0.0.1") == "tls"
    assert kind.taken == []


def test_a_receiver_that_says_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A receiver that takes the connection and is silent, or drips, holds nobody for longer than the whole time."""
    monkeypatch.setattr(sending, "WHOLE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        begun = monotonic()
        port = server.getsockname()[1]
        assert sending.send(f"https://slow.example:{port}/", {}, b"", None, lambda host, port: "127.0.0.1")
        assert monotonic() - begun < sending.CONNECT


def test_a_slow_name_server_does_not_lengthen_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all the time was over before there was a connection, nothing more is sent or awaited."""
    monkeypatch.setattr(sending, "WHOLE", 0.01)
    over = threading.Event()
    cut = sending._Connection.cut
    monkeypatch.setattr(sending._Connection, "cut", lambda connection: (cut(connection), over.set()))

    def resolve(host: str, port: int) -> str:
        assert over.wait(60)
        return "127.0.0.1"

    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"https://slow.example:{server.getsockname()[1]}/"
        assert sending.send(url, {}, b"", None, resolve) == "unreachable"
        taken, _ = server.accept()
        with taken:
            assert taken.recv(100) == b"", "nothing is said, not even hello"


# --- on the site


def test_an_examined_hand_in_is_told_to_its_author_alone(site: RunningSite, organiser: Visitor) -> None:
    """With a webhook, what the judge finds waits to be told; the page shows it, and nobody else can remove it."""
    slug = new_ladder(organiser, "wondev-woman", "Of webhooks")
    kim, lee = author(site), author(site)
    answer = kim.post("/webhooks", {"url": "https://receiver.invalid/told"})
    assert answer.status_code == 200
    assert "whsec_" in answer.text
    assert "whsec_" not in kim.get("/webhooks").text
    assert lee.post("/webhooks", {"url": "https://10.0.0.1/"}).status_code == 422
    place = kim.hand_in(slug, "Told", "told.py", b"def (:\n")
    kim.await_text(place, "refused</span>")
    lee.await_text(lee.hand_in(slug, "Not told", "told.py", b"def (:\n"), "refused</span>")
    with sqlite3.connect(site.folder / "site.db", timeout=60) as kept:
        bodies = [row[0] for row in kept.execute("SELECT body FROM messages")]
    kept.close()
    (told,) = [json.loads(body) for body in bodies if "Told" in body]
    assert told["type"] == "hand-in.examined"
    assert told["data"]["state"] == "refused"
    assert "1 message waits" in kim.get("/webhooks").text
    number = kim.get("/webhooks").text.partition('action="/webhooks/')[2].partition("/")[0]
    assert lee.post(f"/webhooks/{number}/remove").status_code == 404
    assert kim.post(f"/webhooks/{number}/remove").status_code == 303
    assert "receiver.invalid" not in kim.get("/webhooks").text
