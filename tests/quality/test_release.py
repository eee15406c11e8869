"""`./dev release`: a whole release of a copy of the project, up to the upload; and what it refuses."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests import skips
from tests.quality.project import ROOT, files, script

pytestmark = pytest.mark.xdist_group("wheel")

HOME = "https://example.org/dohyo"
WORDS = ("--home", HOME, "--native", "no")  # machine code takes a minute and a half


@pytest.fixture(scope="module")
def release() -> ModuleType:
    """The script."""
    return script("release")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project as it is now, as one commit of a repository that knows no other."""
    with pytest.MonkeyPatch.context() as patch:
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "A. Uthor")
            patch.setenv(f"GIT_{role}_EMAIL", "author@example.org")
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))  # no key of anybody's
        patch.delenv("DOHYO_REPOSITORY", raising=False)
        root = tmp_path_factory.mktemp("release") / "dohyo"
        for path in files():
            copy = root / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
        git(root, "init", "--quiet", "--initial-branch", "main")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "All of it")
        yield root


def git(root: Path, *words: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_one_command_makes_a_release(
    release: ModuleType, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A commit, a tag, packages that are the same twice, and all that lies beside them; the rest is said."""
    root = tmp_path / "dohyo"
    git(tmp_path, "clone", "--quiet", str(whole), str(root))
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    before = git(root, "rev-parse", "HEAD")
    assert release.main(["0.2.0", *WORDS], root) == 0, capsys.readouterr().err
    told = capsys.readouterr().out
    assert git(root, "log", "--format=%s", f"{before}..main") == "Dohyo 0.2.0"
    assert git(root, "cat-file", "-t", "v0.2.0") == "tag"
    assert git(root, "rev-parse", "v0.2.0^{commit}") == git(root, "rev-parse", "main")
    assert git(root, "status", "--porcelain") == ""
    assert len(git(root, "worktree", "list").splitlines()) == 1
    for name, pattern in script("version").PLACES.items():
        found = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert found is not None
        assert found[1] == "0.2.0", name
    now = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.sub(r"(?m)^## 0\.2\.0 - \d{4}-\d\d-\d\d$", "## Unreleased", now) == changes

    made = root / "build" / "release" / "0.2.0"
    packages = {"dohyo-0.2.0-py3-none-any.whl", "dohyo-0.2.0.tar.gz"}
    beside = {"dohyo-0.2.0.cdx.json", "NOTES-0.2.0.md"}
    assert {path.name for path in made.iterdir()} == {*packages, *beside, "SHA256SUMS"}
    sums = dict(line.split("  ")[::-1] for line in (made / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    assert sums == {name: hashlib.sha256((made / name).read_bytes()).hexdigest() for name in packages | beside}
    bill = json.loads((made / "dohyo-0.2.0.cdx.json").read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["version"] == "0.2.0"
    assert (made / "NOTES-0.2.0.md").read_text(encoding="utf-8") == release.notes_of(root, "0.2.0", HOME) + "\n"
    assert release.notes_of(root, "0.2.0", "") == release.part_of(changes, "Unreleased")
    assert "twice, the same byte for byte" in told
    assert "git push origin main v0.2.0" in told
    assert git(whole, "tag", "--list") == "", "something was pushed"

    # The tag's packages once more, as on another machine; after another commit the number is taken.
    assert release.main(["0.2.0", *WORDS, "--once"], root) == 0
    assert {name: hashlib.sha256((made / name).read_bytes()).hexdigest() for name in sums} == sums
    git(root, "commit", "--quiet", "--allow-empty", "--message", "More")
    assert release.main(["0.2.0", *WORDS], root) == 2
    assert "released already" in capsys.readouterr().err


def test_what_stands_in_the_way_is_a_sentence(
    release: ModuleType, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No number, no address, a change that is not committed, no list of changes: and all stays as it was."""
    root = tmp_path / "dohyo"
    git(tmp_path, "clone", "--quiet", str(whole), str(root))
    git(root, "remote", "remove", "origin")
    assert refusal(release, root, capsys, "next", *WORDS) == (
        "'next' is no version: three numbers such as 0.1.0, which may end in rc1."
    )
    assert "--home https://HOST/OWNER/dohyo" in refusal(release, root, capsys, "0.2.0", "--native", "no")
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(text + "more\n", encoding="utf-8")
    assert "README.md" in refusal(release, root, capsys, "0.2.0", *WORDS)
    readme.write_text(text, encoding="utf-8")
    (root / "CHANGELOG.md").write_text(
        "# Changes\n\n## Unreleased\n\n## 0.0.1 - 2020-01-01\n- One.\n", encoding="utf-8"
    )
    git(root, "commit", "--quiet", "--all", "--message", "No changes")
    assert "lists no change" in refusal(release, root, capsys, "0.2.0", *WORDS)


def refusal(release: ModuleType, root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said where there is no release; nothing has changed then."""
    before = git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")
    assert release.main(words, root) == 2
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == before
    assert git(root, "tag", "--list") == ""
    assert len(git(root, "worktree", "list").splitlines()) == 1
    assert not (root / "build").exists()
    return capsys.readouterr().err.strip()


def test_where_the_project_is_follows_from_git(release: ModuleType, whole: Path, tmp_path: Path) -> None:
    """By the address that it is fetched from, however that is written."""
    root = tmp_path / "dohyo"
    git(tmp_path, "clone", "--quiet", str(whole), str(root))
    for address in (
        "git@example.org:own/er.git",
        "https://me@example.org/own/er",
        "ssh://git@example.org/own/er.git",
    ):
        git(root, "remote", "set-url", "origin", address)
        assert release.home_of(root) == "https://example.org/own/er"


def test_other_packages_are_no_release(release: ModuleType, tmp_path: Path) -> None:
    """A second build that is not the first one ends it, and so does one that says another version of itself."""
    first, second = tmp_path / "a.whl", tmp_path / "b" / "a.whl"
    second.parent.mkdir()
    first.write_bytes(b"1")
    second.write_bytes(b"1")
    release.check_alike([first], [second])
    second.write_bytes(b"2")
    with pytest.raises(release.ReleaseError, match=r"others: a\.whl"):
        release.check_alike([first], [second])


def test_notes_are_read_elsewhere(release: ModuleType, tmp_path: Path) -> None:
    """Their links lead to the files of that version, and they end where the next version begins."""
    text = (
        "# Changes\n\n## 0.2.0 - 2026-12-01\n[a](docs/a.md) [b](https://b) [c](#d)\n\n## 0.1.0 - 2026-11-01\n- Old\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")
    wanted = f"[a]({HOME}/blob/v0.2.0/docs/a.md) [b](https://b) [c](#d)"
    assert release.notes_of(tmp_path, "0.2.0", HOME) == wanted
    assert release.notes_of(tmp_path, "0.3.0", HOME) == "No change is listed."


def test_what_is_printed_can_be_typed_and_read(
    release: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A branch's name is quoted, an address stands as it is, and no control character reaches the terminal."""
    asked = release.Asked("0.2.0", HOME, "", "", tests=False, once=False, key=None)
    assert "git push origin 'a;id' v0.2.0\n" in release.what_is_left(asked, tmp_path, "a;id", "1234")
    (tmp_path / "CHANGELOG.md").write_text("## 0.2.0\n\x1b]0;x\x07é [a](b.md)\u202e\n", encoding="utf-8")
    assert (
        release.notes_of(tmp_path, "0.2.0", r"https://x/\g<0>\1") == r"]0;xé [a](https://x/\g<0>\1/blob/v0.2.0/b.md)"
    )
    assert release.main(["0.2.0", "--notes"], tmp_path) == 0
    assert capsys.readouterr().out == "]0;xé [a](b.md)\n"
    assert release.VERSION.fullmatch("0.2.0rc1")
    assert not release.VERSION.fullmatch("0.2.\u0663")


def test_a_key_signs_the_digests(release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By minisign, which then verifies them; without a key that is said, and a key that is named has to be there."""
    program = skips.program("minisign")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.whl").write_bytes(b"1")
    sums = release.write_digests(tmp_path)
    assert release.sign(sums, None).startswith("not signed")
    key = tmp_path / "key"
    with pytest.raises(release.ReleaseError, match="There is no key"):
        release.sign(sums, key)
    subprocess.run([program, "-G", "-W", "-p", tmp_path / "pub", "-s", key], check=True, capture_output=True)
    assert release.sign(sums, key) == "signed by minisign: SHA256SUMS.minisig"
    subprocess.run([program, "-V", "-m", sums, "-p", tmp_path / "pub"], check=True, capture_output=True)


def test_the_bill_names_every_package_once() -> None:
    """With version and licence; what the core needs is required, and the same packages have the same bill."""
    licences = script("licences")
    text = licences.bill("0.2.0")
    assert licences.bill("0.2.0") == text
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["name"]: part for part in bill["components"]}
    assert parts.keys() == licences.packages().keys()
    assert len(parts) == len(bill["components"])
    assert all(part["version"] and part["licenses"] for part in parts.values())
    assert parts["msgspec"]["scope"] == "required"
    assert parts["numba"]["scope"] == "optional"
    assert {"name": "dohyo:extra", "value": "fast"} in parts["numba"]["properties"]
    refs = {bill["metadata"]["component"]["bom-ref"], *(part["bom-ref"] for part in parts.values())}
    assert {row["ref"] for row in bill["dependencies"]} == refs
    assert {one for row in bill["dependencies"] for one in row["dependsOn"]} <= refs
