"""`dohyo demo`: a first look, by commands that everybody can type."""
