"""A ladder as a file, by a button of its organisers: in every form that is there, and signed where a key is named."""

from __future__ import annotations

import io
import os
import subprocess
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.upkeep import exporting, sweeping
from dohyo.guests.site.upkeep.export_process import Wanted
from tests import skips
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder


@pytest.fixture(scope="module")
def played(site: RunningSite, organiser: Visitor) -> str:
    """A ladder with matches; its name in addresses."""
    slug = new_ladder(organiser, "shoot-em-up", "To take home")
    author = Visitor(site.url).sign_up("taken home")
    author.hand_in(slug, "Taken", "robot.py", GOOD.read_bytes())
    author.await_text(f"/ladders/{slug}/bots/Taken", "/matches/")
    return slug


def test_an_organiser_downloads_results_and_nobody_else_does(
    site: RunningSite, organiser: Visitor, played: str
) -> None:
    """The file is what the command writes, the log says that it was taken, and an unknown form is a sentence."""
    place = f"/ladders/{played}/export"
    assert f'href="{place}"' in organiser.get(f"/ladders/{played}/organise").text
    assert "not signed" in organiser.get(place).text
    table = organiser.post(place, {"form": "csv"})
    assert table.status_code == 200
    assert table.headers["content-disposition"] == f'attachment; filename="{played}.csv"'
    assert table.text.startswith("contest,game,match,")
    assert "Taken" in table.text
    assert "downloaded its results (csv)" in organiser.get(f"/ladders/{played}/organise").text
    wrong = organiser.post(place, {"form": "../x"})
    assert wrong.status_code == 422
    assert "Choose one of the list" in wrong.text
    for who in (Visitor(site.url), Visitor(site.url).sign_up("takes nothing")):
        assert who.get(place).status_code in (401, 404)
        assert who.post(place, {"form": "csv"}).status_code in (401, 404)
    assert not [*SiteFolder(site.folder).work.glob(f"{exporting.PREFIX}*")], "nothing is left behind"


def test_a_bundle_is_signed_with_the_sites_key(site: RunningSite, played: str, tmp_path: Path) -> None:
    """Bundle and signature come in one zip, and minisign finds that they belong together."""
    minisign = skips.program("minisign")
    secret, public = tmp_path / "site.key", tmp_path / "site.pub"
    subprocess.run([minisign, "-G", "-W", "-s", secret, "-p", public], check=True, capture_output=True)
    ladder = Ladder(1, played, "To take home", "shoot-em-up")
    name, file = exporting.export(SiteFolder(site.folder), ladder, "bundle", str(secret), "en")
    with file:
        content = file.read()
    assert name == f"{played}.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == [f"{played}.tar", f"{played}.tar.minisig"]
        archive.extractall(tmp_path)
    words = [minisign, "-V", "-p", public, "-m", tmp_path / f"{played}.tar"]
    subprocess.run(words, check=True, capture_output=True)


def test_a_key_that_is_none_is_said_in_the_log(
    site: RunningSite, played: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Who asked learns that it could not be written; why is for whoever runs the site, and nothing is left."""
    skips.program("minisign")
    (tmp_path / "no.key").write_text("no key\n")
    ladder = Ladder(1, played, "To take home", "shoot-em-up")
    with pytest.raises(OperatorError) as caught:
        exporting.export(SiteFolder(site.folder), ladder, "bundle", str(tmp_path / "no.key"), "en")
    assert caught.value.key == "serve-export-failed"
    assert "minisign" in caplog.text
    assert not [*SiteFolder(site.folder).work.glob(f"{exporting.PREFIX}*")]


def test_one_is_written_at_a_time(tmp_path: Path) -> None:
    """Who comes meanwhile is asked to come again: ten at once would take the machine from the judge."""
    ladder = Ladder(1, "x", "X", "shoot-em-up")
    with exporting._RUNS, pytest.raises(OperatorError) as caught:
        exporting.export(SiteFolder(tmp_path), ladder, "csv", "", "en")
    assert caught.value.key == "serve-export-runs"


def test_what_a_killed_process_has_left_of_one_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written where what takes minutes is written, and goes from there when it is old."""
    site = SiteFolder(tmp_path / "site")
    lock = site.take()
    assert lock is not None
    lock.release()

    def is_killed(wanted: Wanted) -> None:
        is_written.append(Path(wanted.out).parent)
        raise OperatorError("serve-export-failed")

    is_written: list[Path] = []
    monkeypatch.setattr(exporting, "_write", is_killed)
    with pytest.raises(OperatorError):
        exporting.export(site, Ladder(1, "x", "X", "shoot-em-up"), "csv", "", "en")
    (folder,) = is_written
    assert not folder.exists()
    folder.mkdir()  # as a process leaves it that is killed
    (folder / "x.csv").write_text("some of it")
    os.utime(folder, (1.0, 1.0))
    with closing(tables.open_site(site.site)) as database:
        sweeping.sweep(site, database)
    assert not folder.exists()
