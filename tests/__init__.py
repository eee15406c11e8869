"""The tests of Dohyo: one folder for each room, and `laws`, `quality` and `recordings` beside them."""
