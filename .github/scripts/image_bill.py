#!/usr/bin/env python3
"""Print what an image holds, Debian's packages and Python's, as a bill of materials (CycloneDX 1.6 in JSON).

    docker run --rm --interactive --entrypoint /opt/dohyo/bin/python IMAGE - < .github/scripts/image_bill.py

Nothing but the standard library. Licences are what packages say of themselves: in Debian's copyright files, where
those are written for machines, and in the metadata of Python's packages.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

DOC = Path("/usr/share/doc")
FIELDS = "${Package}\t${Version}\t${Architecture}\n"


def debian() -> list[dict[str, Any]]:
    """Debian's packages, by name."""
    words = ["dpkg-query", "--show", "--showformat", FIELDS]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = []
    for line in sorted(shown.splitlines()):
        name, version, machine = line.split("\t")
        purl = f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={machine}"
        found.append(component(name, version, purl, licences_of(name)))
    return found


def licences_of(name: str) -> list[str]:
    """The short names of licences in a package's copyright file; none where that is prose."""
    try:
        text = (DOC / name / "copyright").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return sorted({each.strip() for each in re.findall(r"^License: *(\S[^\n]*)", text, re.MULTILINE)})


def python() -> list[dict[str, Any]]:
    """The packages that this Python sees, by name."""
    found = {}
    for each in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower()
        classified = [line for line in each.metadata.get_all("Classifier", []) if line.startswith("License ::")]
        told = [line.rpartition(" :: ")[2] for line in classified]
        said = each.metadata.get("License-Expression") or each.metadata.get("License") or ""
        licences = [str(said).partition("\n")[0]] if said else told
        found[name] = component(name, each.version, f"pkg:pypi/{name}@{quote(each.version)}", licences)
    return [found[name] for name in sorted(found)]


def component(name: str, version: str, purl: str, licences: list[str]) -> dict[str, Any]:
    """A package as the bill has it."""
    about: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    return about | ({"licenses": [{"license": {"name": each}} for each in licences]} if licences else {})


def bill() -> str:
    """The whole bill: the same for the same packages."""
    own = {"type": "container", "bom-ref": "image", "name": "dohyo", "version": metadata.version("dohyo")}
    parts = [*debian(), *python()]
    about: dict[str, Any] = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}
    properties = [{"name": "machine", "value": platform.machine()}]
    about |= {"metadata": {"component": own, "properties": properties}, "components": parts}
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(about, sort_keys=True))
    return json.dumps({**about, "serialNumber": f"urn:uuid:{number}"}, indent=1)


if __name__ == "__main__":
    print(bill())
