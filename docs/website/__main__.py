"""Build the documentation's site: `./dev docs [--zip]`, or `python -m docs.website`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from docs.website.build import BUILD, PACKED, SiteError, build, pack


def main(arguments: list[str]) -> int:
    """Build the site, and say where it is; the exit status."""
    parser = argparse.ArgumentParser(prog="./dev docs", description="Build the documentation's site.")
    parser.add_argument("--zip", action="store_true", help=f"also pack it into build/{PACKED}")
    parser.add_argument("--out", type=Path, default=BUILD / "site", help="the folder for the site, made anew")
    options = parser.parse_args(arguments)
    if not _may_be_replaced(options.out):
        sys.stderr.write(f"{options.out} exists and is no site of ours: name another folder, or delete it.\n")
        return 2
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dohyo-docs-") as work:
        try:
            pages = build(options.out, Path(work))
        except SiteError as error:
            sys.stderr.write(f"{error}\n")
            return 1
    print(f"{len(pages)} pages in {time.monotonic() - started:.1f} s: {options.out / 'index.html'}")
    if options.zip:
        packed = options.out.parent / PACKED
        print(f"{packed}: {pack(options.out, packed) / 1e6:.1f} MB")
    return 0


def _may_be_replaced(site: Path) -> bool:
    """Whether nothing is lost when the folder is made anew: it is not there, empty, or a site."""
    return not site.exists() or (site / "dohyo" / "mark.svg").exists() or (site.is_dir() and not any(site.iterdir()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
