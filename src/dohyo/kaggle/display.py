"""A replay in a notebook."""

from __future__ import annotations

from typing import Any

from dohyo.core.replay import Replay


def show(replay: Replay) -> Any:
    """Show Dohyo's viewer as the output of a notebook's cell; without IPython, return the replay."""
    try:
        from IPython.display import HTML, display  # type: ignore[import-not-found]
    except ImportError:
        return replay
    from dohyo.web.page import replay_html

    display(HTML(replay_html(replay)))
    return None
