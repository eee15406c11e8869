"""How much fuzzing: little in every run of the tests, about an hour in all by `--full`."""

from __future__ import annotations

import hypothesis


def examples(usual: int, full: int) -> hypothesis.settings:
    """Settings that try `usual` examples in an ordinary run and `full` ones by `--full`."""
    return hypothesis.settings(max_examples=full if is_full() else usual)


def is_full() -> bool:
    """Whether `--full` was given. The profile is chosen before any test is collected."""
    return hypothesis.settings.get_current_profile_name() == "full"
