"""A replay's page from a server on one's own machine, whose buttons have the match analysed, or played on.

`server.py` is the server, `local.py` who may ask a server of ours on this machine at all, `running.py` the one
analysis that runs, in a process that a guest brings (what that does: `working.py`), `playing.py` the matches that are
played at pages; `play_server.py` begins with one. The buttons are `web/viewer/analyse.js`, `web/viewer/onward.js`.
"""
