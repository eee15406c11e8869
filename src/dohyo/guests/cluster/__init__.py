"""Many machines: a cluster of Dask distributed.

`executor.py` gives a contest's matches to a cluster; `processes.py` starts and watches its processes,
`dask_process.py` is one of them, `dask_tasks.py` is what they do, `keys.py` says who may use it. `command.py` is
`dohyo cluster`.
"""
