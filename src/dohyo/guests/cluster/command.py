"""`dohyo cluster`: the processes of a cluster on this machine, for contests of many machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.options import Keys, Language, PlainTcp, application
from dohyo.i18n import Speaker, say

if TYPE_CHECKING:
    from dohyo.guests.cluster.keys import ClusterAccess

app = application(help="Start a cluster, or a part of one: contests then play on many machines.")

PORT = 8786  # Dask's own

Workers = Annotated[int | None, typer.Option(metavar="N", help="Matches at once. Without it: one a core.")]
Host = Annotated[str, typer.Option(metavar="HOST", help="The address of this machine that others reach it at.")]
Port = Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="Where it listens; 0 takes any.")]


@app.callback(invoke_without_command=True)
def cluster(context: typer.Context, lang: Language = None) -> None:
    """Start a cluster, or a part of one: contests then play on many machines."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def local(
    workers: Workers = None,
    port: Port = PORT,
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    lang: Language = None,
) -> None:
    """Start a scheduler and workers on this machine, until Ctrl-C: to try what a cluster is like."""
    from dohyo.guests.cluster.processes import ClusterProcesses

    with ClusterProcesses() as processes:
        access = processes.start_scheduler("127.0.0.1", port, _keys(keys, plain_tcp))
        number = processes.start_workers(access, workers, "127.0.0.1")
        runs = say("cluster-runs", str(lang), workers=number, address=access.address, words=access.words)
        typer.echo(f"{runs} {_who(access, Speaker(str(lang)))}")
        processes.watch()


@app.command()
def scheduler(
    host: Host = "", port: Port = PORT, keys: Keys = None, plain_tcp: PlainTcp = False, lang: Language = None
) -> None:
    """Start a scheduler, until Ctrl-C. It makes the cluster's keys, unless there are some, and asks for them."""
    from dohyo.guests.cluster.processes import ClusterProcesses

    with ClusterProcesses() as processes:
        access = processes.start_scheduler(host, port, _keys(keys, plain_tcp))
        runs = say("cluster-scheduler-runs", str(lang), address=access.address, words=access.words)
        typer.echo(f"{runs} {_who(access, Speaker(str(lang)))}")
        processes.watch()


@app.command()
def worker(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The scheduler's, as tls://HOST:PORT.")],
    workers: Workers = None,
    host: Host = "",
    keys: Keys = None,
    plain_tcp: PlainTcp = False,
    lang: Language = None,
) -> None:
    """Start workers on this machine for a scheduler, until Ctrl-C, each on its share of the cores."""
    from dohyo.guests.cluster.keys import cluster_access
    from dohyo.guests.cluster.processes import ClusterProcesses

    with ClusterProcesses() as processes:
        number = processes.start_workers(cluster_access(address, keys, plain_tcp), workers, host)
        typer.echo(say("cluster-workers-run", str(lang), workers=number, address=address))
        processes.watch()


@app.command("keys")
def make_keys(keys: Keys = None, lang: Language = None) -> None:
    """Make the keys of a cluster before it is started, unless they are there, and say where they are."""
    from dohyo.guests.cluster.keys import made_keys

    typer.echo(say("cluster-keys-made", str(lang), folder=made_keys(keys)))


def _keys(keys: str | None, plain_tcp: bool) -> str | None:
    """The folder with the keys that a scheduler requires, made if necessary; none for plain TCP."""
    from dohyo.guests.cluster.keys import scheduler_keys

    return scheduler_keys(keys, plain_tcp)


def _who(access: ClusterAccess, speaker: Speaker) -> str:
    """Who can use the cluster, in one sentence."""
    from dohyo.guests.cluster.keys import FROM_DASK

    if access.keys is None:
        return speaker.say("cluster-asks-nobody")
    if access.keys == FROM_DASK:
        return speaker.say("cluster-keys-dask")
    return speaker.say("cluster-keys-in", folder=access.keys)
