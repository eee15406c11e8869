"""`dohyo version`: which version this is, and what a report of a defect should name."""

from __future__ import annotations

import os
import platform
import sys

from dohyo import __version__, clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.request_fields import AsJson
from dohyo.i18n import Speaker

app = application()


@asks(app)
def version(as_json: AsJson = False, *, speaker: Speaker) -> None:
    """Print the version, and what this installation is."""
    from dohyo.core.replay import FORMAT

    system = os.uname()
    facts = {
        "version": __version__,
        "python": platform.python_version(),
        "system": f"{system.sysname} {system.release} {system.machine}",
        "replay_format": FORMAT,
        "place": os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    }
    if as_json:
        sys.stdout.write(clean.document(facts))
        return
    told = {**facts, "executable": sys.executable}
    sys.stdout.write(f"dohyo {__version__}\n{clean.line(speaker.say('version.of', **told))}\n")
