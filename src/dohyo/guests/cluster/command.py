"""`dohyo cluster`: the processes of a cluster on this machine, for contests of many machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.options import Language, application
from dohyo.core.asked import says
from dohyo.core.request_fields import Keys, PlainTcp, Workers
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.guests.cluster.keys import ClusterAccess

app = application(help="Start a cluster, or a part of one: contests on many machines.")

PORT = 8786  # Dask's own

Host = Annotated[str, says("The address of this machine that others reach it at.", "HOST")]
Port = Annotated[int, says("Where it listens; 0 takes any.", "PORT", at_least=0, at_most=65535)]


@app.callback(invoke_without_command=True)
def cluster(context: typer.Context, lang: Language = None) -> None:
    """Start a cluster, or a part of one: contests on many machines."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@asks(app)
def local(
    workers: Workers = None,
    port: Port = PORT,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    *,
    speaker: Speaker,
) -> None:
    """Start a scheduler and workers on this machine, until Ctrl-C: to try what a cluster is like."""
    from dohyo.guests.cluster.keys import scheduler_keys
    from dohyo.guests.cluster.processes import ClusterProcesses

    with ClusterProcesses() as processes:
        access = processes.start_scheduler("127.0.0.1", port, scheduler_keys(keys, plain_tcp))
        number = processes.start_workers(access, workers, "127.0.0.1")
        runs = speaker.say("cluster-runs", workers=number, address=access.address, words=access.words)
        typer.echo(f"{runs} {_who(access, speaker)}")
        processes.watch()


@asks(app)
def scheduler(
    host: Host = "", port: Port = PORT, keys: Keys = None, plain_tcp: PlainTcp = False, *, speaker: Speaker
) -> None:
    """Start a scheduler, until Ctrl-C. It makes the cluster's keys, unless there are some, and asks for them."""
    from dohyo.guests.cluster.keys import scheduler_keys
    from dohyo.guests.cluster.processes import ClusterProcesses

    with ClusterProcesses() as processes:
        access = processes.start_scheduler(host, port, scheduler_keys(keys, plain_tcp))
        runs = speaker.say("cluster-scheduler-runs", address=access.address, words=access.words)
        typer.echo(f"{runs} {_who(access, speaker)}")
        processes.watch()


@asks(app)
def worker(
    address: Annotated[str, says("The scheduler's, as tls://HOST:PORT.", "ADDRESS", is_bare=True)],
    workers: Workers = None,
    host: Host = "",
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    *,
    speaker: Speaker,
) -> None:
    """Start workers on this machine for a scheduler, until Ctrl-C, each on its share of the cores."""
    from dohyo.guests.cluster.keys import cluster_access
    from dohyo.guests.cluster.processes import ClusterProcesses

    with ClusterProcesses() as processes:
        number = processes.start_workers(cluster_access(address, keys, plain_tcp), workers, host)
        typer.echo(speaker.say("cluster-workers-run", workers=number, address=address))
        processes.watch()


@asks(app, name="keys")
def make_keys(keys: Keys = None, *, speaker: Speaker) -> None:
    """Make the keys of a cluster before it is started, unless they are there, and say where they are."""
    from dohyo.guests.cluster.keys import made_keys

    typer.echo(speaker.say("cluster-keys-made", folder=made_keys(keys)))


def _who(access: ClusterAccess, speaker: Speaker) -> str:
    """Who can use the cluster, in one sentence."""
    from dohyo.guests.cluster.keys import FROM_DASK

    if access.keys is None:
        return speaker.say("cluster-asks-nobody")
    if access.keys == FROM_DASK:
        return speaker.say("cluster-keys-dask")
    return speaker.say("cluster-keys-in", folder=access.keys)
