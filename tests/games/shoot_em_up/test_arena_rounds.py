"""What `R` of the program `arena` tells of combats that fail."""

from __future__ import annotations

from tests.games.shoot_em_up.scripted import Script, Talks


def test_what_failed_in_rounds_can_be_seen_again() -> None:
    """R names its first combat with an error, and the commands by which the very same one is shown."""
    known = "M 0 0\n" * 400
    lines = Talks(lambda: Script([f"{known}oops\n".encode()])).lines(b"G 9\nR 20\n")
    told = [line.decode() for line in lines if line.startswith(b"! COMBAT")]
    assert len(told) == 1
    number = int(told[0].split()[2])
    assert number > 1
    assert told[0].endswith(f"write R {number - 1}, - and . in the place of R 20")
    again = Talks(lambda: Script([f"{known}oops\n".encode()])).lines(f"G 9\nR {number - 1}\n-\n.\n".encode())
    assert again[-1].endswith(b"oops")
