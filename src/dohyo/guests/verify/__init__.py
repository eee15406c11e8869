"""Whether results can be trusted: `dohyo verify` and `dohyo contest verify`.

`stored.py` compares what a store has with the replays of its matches, `again.py` plays a sample of the matches again,
`difference.py` says where two replays part. `findings.py` tells what is wrong; `command.py` and `contest_command.py`
are the commands. An export that a guest brings is checked by that guest, through the door `exports`.
"""
