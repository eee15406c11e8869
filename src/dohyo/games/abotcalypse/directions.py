"""How far a meteor goes in a turn, for each direction from -180 to -1 degrees.

Cosine and sine are worked out here by their series, in whole numbers, and are then the doubles next to the true
values. So they are those of the contest's own recordings on every machine: a machine's own cosine may differ in the
last bit, and a meteor's square would in time differ with it.
"""

from __future__ import annotations

DEGREE = 0.017453292519943295  # in radians
FIRST = -180  # degrees, of the tables' first entries
ANGLE_BITS = 255  # of an entry's number, which compiled code then knows not to be negative
SPEED = 2  # squares a turn
BITS = 120  # behind the point: the smallest of these sines is near 2**-53, and a double has 53 bits


def _velocity(degrees: int) -> tuple[float, float]:
    """Squares to the right and upward in a turn, for a direction below 0."""
    numerator, denominator = (-degrees * DEGREE).as_integer_ratio()
    angle = (numerator << BITS) // denominator
    term = SPEED << BITS
    sums = [0, 0, 0, 0]  # of every fourth term
    count = 0
    while term:
        sums[count % 4] += term
        count += 1
        term = (term * angle >> BITS) // count
    return (sums[0] - sums[2]) / (1 << BITS), (sums[3] - sums[1]) / (1 << BITS)


ACROSS, UPWARD = zip(*map(_velocity, range(FIRST, 0)), strict=True)
