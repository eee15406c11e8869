"""How the tables of an older site become those of this Dohyo: `upgrade.py` takes the steps, one file each, in order.

`versions/step_0001.py` is the whole first state. A later change of the tables gets a step of its own, never a change
of an older one: `python -m tests.site_steps NAME` writes it from what has changed, to be read and completed by hand.
"""
