"""The programs that make the documentation: pictures (`pictures.py`) and the site (`website/`)."""
