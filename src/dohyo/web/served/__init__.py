"""A replay's page from a server on one's own machine, whose button has the match analysed.

`server.py` is the server, `local.py` who may ask a server of ours on this machine at all, and `running.py` the one
analysis that runs, in a process that a guest brings. In the page the button is `web/viewer/analyse.js`.
"""
