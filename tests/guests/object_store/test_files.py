"""Files of a site in an object store, against a server that speaks S3."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from dohyo.core.errors import OperatorError
from dohyo.guests.object_store import files as of_objects
from dohyo.series.store.files import AnyFiles, files_at
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

BUCKET = "arena"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that speaks S3, with a bucket; the environment says how it is reached."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    told = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
    for name, value in {**told, "AWS_ENDPOINT_URL": address, "AWS_DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    boto3.client("s3", endpoint_url=address).create_bucket(Bucket=BUCKET)
    of_objects.reach.cache_clear()
    yield address
    of_objects.reach.cache_clear()
    server.stop()


@pytest.fixture
def files(endpoint: str) -> AnyFiles:
    """Files there."""
    return files_at(f"s3://{BUCKET}/site", "files")


def test_what_was_put_is_there(files: AnyFiles, endpoint: str) -> None:
    """Content comes back by its digest, once however often it is put, below the name that was given."""
    digest = files.put(b"a replay")
    assert digest == files.put(b"a replay", sync=False) == hashlib.sha256(b"a replay").hexdigest()
    assert files.get(digest) == b"a replay"
    found = boto3.client("s3", endpoint_url=endpoint).list_objects_v2(Bucket=BUCKET, Prefix="site/files/")["Contents"]
    assert [each["Key"] for each in found].count(f"site/files/{digest[:2]}/{digest[2:]}") == 1
    files.remove(digest)
    files.remove(digest)
    with pytest.raises(OperatorError) as caught:
        files.get(digest)
    assert caught.value.key == "store-file-missing"


def test_what_was_changed_or_is_too_large_is_refused(files: AnyFiles, endpoint: str) -> None:
    """What somebody else has written in its place, and what is larger than is wanted, is not taken."""
    digest = files.put(b"a replay")
    with pytest.raises(OperatorError) as caught:
        files.get(digest, 7)
    assert caught.value.key == "object-damaged"
    key = f"site/files/{digest[:2]}/{digest[2:]}"
    boto3.client("s3", endpoint_url=endpoint).put_object(Bucket=BUCKET, Key=key, Body=b"something else")
    with pytest.raises(OperatorError) as caught:
        files.get(digest)
    assert caught.value.key == "object-damaged"
    assert files.get(files.put(b"a replay")) == b"a replay"


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "\n" * 64])
def test_a_name_that_is_no_digest_leads_nowhere(files: AnyFiles, name: str) -> None:
    """Only digests are names."""
    files.remove(name)
    with pytest.raises(OperatorError) as caught:
        files.get(name)
    assert caught.value.key == "store-file-missing"


def test_what_cannot_be_reached_is_told(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No such bucket, and nobody there: one sentence each, when the place is opened."""
    with pytest.raises(OperatorError) as caught:
        files_at("s3://nowhere/site", "files")
    assert caught.value.key == "object-store-fails"
    monkeypatch.setattr(of_objects, "RETRYING", {"max_retries": 0})
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(OperatorError) as caught:
        files_at(f"s3://{BUCKET}/other", "files")
    assert caught.value.key == "object-store-fails"


def test_an_address_that_nobody_knows_is_told() -> None:
    """An address begins as one that a guest brings, or it is a folder."""
    with pytest.raises(OperatorError) as caught:
        files_at("gopher://there", "files")
    assert caught.value.key == "guest-missing"


def test_a_site_has_its_files_there(endpoint: str, tmp_path: Path) -> None:
    """Hand-ins and replays are objects; the judge reads and writes them, and pages show them."""
    site = RunningSite(tmp_path / "site")
    site.start("--workers", "1", "--files", f"s3://{BUCKET}/site")
    organiser = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
    try:
        slug = new_ladder(organiser, "shoot-em-up", "Robots")
        place = organiser.hand_in(slug, "Robot", "robot.py", GOOD.read_bytes())
        assert "plays</span>" in organiser.await_text(place, "plays</span>", "refused</span>")
        assert 'id="viewer"' in organiser.get(f"{place}/board").text
        page = organiser.await_text(f"/ladders/{slug}/bots/Robot", "/matches/")
        match = page.partition(f'href="/ladders/{slug}/matches/')[2].partition('"')[0]
        assert 'id="viewer"' in organiser.get(f"/ladders/{slug}/matches/{match}/board").text
    finally:
        site.stop()
        organiser.http.close()
    assert not (tmp_path / "site" / "files").exists()
