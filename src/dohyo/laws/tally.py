"""What a law exercised, counted; too little is a failure."""

from __future__ import annotations

from collections import Counter


class Tally(Counter[str]):
    """Counts by what was counted, such as `turns`; `note` is a sentence that goes with them."""

    note = ""
    is_strict = True  # whether a floor is a number to be reached; otherwise something of the kind is enough
    part = 1.0  # of the sizes that stand in the laws: our own runs without `--full` take a sixteenth of them

    def reach(self, **floors: int) -> None:
        """Fail when a count is below its floor, or that part of it."""
        floors = {name: int(floor * self.part) for name, floor in floors.items()}
        if not self.is_strict:  # a small game has few numbers, and short matches
            floors = {name: min(floor, 1) for name, floor in floors.items()}
        short = {name: f"{self[name]} < {floor}" for name, floor in floors.items() if self[name] < floor}
        assert not short, f"the law was not exercised enough: {short}"

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {count}" for name, count in self.items())
        return f"{counts} ({self.note})" if self.note else counts
