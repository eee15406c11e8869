"""A bot that stays at home, without Dohyo: python stay_at_home.py SITE TOKEN LADDER NAME (docs/connect.md)."""

import base64, json, os, random, socket, ssl, sys, time, urllib.parse  # noqa: E401, I001

HEAD = "GET {}/connect HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}\r\n\r\n"


def connected(site):  # the standard library has no WebSocket: this asks for one by hand (RFC 6455)
    parts, is_secure = urllib.parse.urlsplit(site), site.startswith("https:")
    wire = socket.create_connection((parts.hostname, parts.port or (443 if is_secure else 80)))
    wire = ssl.create_default_context().wrap_socket(wire, server_hostname=parts.hostname) if is_secure else wire
    head = HEAD.format(parts.path, parts.netloc) + KEY.format(base64.b64encode(os.urandom(16)).decode())
    wire.sendall(head.encode())
    stream = wire.makefile("rwb")
    list(iter(lambda: stream.readline().strip(), b""))  # the head of the answer
    return stream


def send(stream, kind, content):  # a frame; a client's are masked, and a mask of zeros changes nothing
    size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + len(content).to_bytes(2, "big")
    stream.write(bytes([0x80 | kind]) + size + bytes(4) + content)
    stream.flush()


def choose(text):  # your bot: the text is what a program of the game reads, and ends with "legal d3 c4 f5 e6"
    return random.choice(text.splitlines()[-1].split()[1:])


def play(site, token, ladder, name):
    stream = connected(site)
    send(stream, 1, json.dumps({"type": "hello", "token": token, "ladder": ladder, "bot": name}).encode())
    while True:
        kind, size = stream.read(2)
        size = int.from_bytes(stream.read(2 if size == 126 else 8), "big") if size > 125 else size
        content = stream.read(size)
        said = json.loads(content) if kind == 0x81 else {"type": kind}
        if said["type"] == "start":
            send(stream, 1, json.dumps({"type": "ready", "match": said["match"]}).encode())
        elif said["type"] == "turn":
            answer = {"match": said["match"], "number": said["number"], "line": choose(said["input"])}
            send(stream, 1, json.dumps({"type": "answer", **answer}).encode())
        elif kind == 0x89:  # a ping, for a pong
            send(stream, 10, content)
        elif kind == 0x88 and content[:2] >= b"\x11\x30":  # an end with a code from 4400 on: it is of no use again
            sys.exit(content[2:].decode())


while True:
    try:
        play(*sys.argv[1:])
    except (OSError, ValueError):  # the connection is lost: the site sends again what is unanswered
        time.sleep(1)
