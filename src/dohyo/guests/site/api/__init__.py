"""What programs ask of a site: REST below `/api/v1`, described by OpenAPI, signed in to by tokens.

`calling.py` says who calls, `problems.py` what is answered when something is wrong. `values.py` has what is answered
and asked, `ladders.py`, `matches.py` and `hand_ins.py` the handlers, `routes.py` all of them and their description.
"""
