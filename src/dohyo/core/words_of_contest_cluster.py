"""The sentences about clusters, where many machines play a contest's matches: a part of `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-cluster": (
        "A cluster needs Dask distributed, which is not installed here; install it: pip install 'dohyo[cluster]' (in a clone, ./dev extras)",
        "クラスターには Dask distributed が必要です。インストールしてください: pip install 'dohyo[cluster]' (クローンでは ./dev extras)",
    ),
    "cluster-address": (
        "'{address}' is no address of a cluster; write it as tcp://HOST:PORT, as 'dohyo cluster local' prints it.",
        "「{address}」はクラスターのアドレスではありません。「dohyo cluster local」が表示する tcp://HOST:PORT の形で書いてください。",
    ),
    "cluster-unreachable": (
        "No scheduler answers at {address}; start one with 'dohyo cluster local' or 'dohyo cluster scheduler', or correct the address.",
        "{address} のスケジューラーが応答しません。「dohyo cluster local」か「dohyo cluster scheduler」で起動するか、アドレスを直してください。",
    ),
    "cluster-lost": (
        "The connection to the cluster at {address} was lost; what was played is kept. Start the cluster again, then run the same command to go on.",
        "クラスター {address} との接続が切れました。実行済みの試合は残っています。クラスターを起動し直し、同じコマンドをもう一度実行すると続きから始まります。",
    ),
    "cluster-no-workers": (
        "The cluster at {address} has had no worker for {seconds:g} s; what was played is kept. Start some ('dohyo cluster worker {address}'), then run the same command to go on.",
        "クラスター {address} には {seconds:g} 秒間ワーカーがありません。実行済みの試合は残っています。「dohyo cluster worker {address}」で起動し、同じコマンドをもう一度実行してください。",
    ),
    "cluster-other-version": (
        "The cluster's worker {worker} has another version of Dohyo ({theirs}) than this machine ({ours}); install the same on both, start the worker again, then run the same command to go on.",
        "クラスターのワーカー {worker} の Dohyo({theirs})はこのマシンのもの({ours})と異なります。同じものをインストールしてワーカーを起動し直し、同じコマンドをもう一度実行してください。",
    ),
    "cluster-cannot-load": (
        "The cluster at {address} cannot load Dohyo's code ({reason}); install the same version on its scheduler and workers, then run the same command to go on.",
        "クラスター {address} は Dohyo のコードを読み込めません({reason})。スケジューラーとワーカーに同じ版をインストールし、同じコマンドをもう一度実行してください。",
    ),
    "cluster-bot-differs": (
        "The bot '{bot}' is not the same on {worker} as here; it may be a command line that names files of this machine: hand in the files themselves.",
        "ボット「{bot}」は {worker} では別のものになります。このマシンのファイルを指すコマンドかもしれません。ファイルそのものを指定してください。",
    ),
    "cluster-port": (
        "The scheduler cannot listen at {host}:{port}; take another --port (0 takes any that is free) or --host.",
        "スケジューラーは {host}:{port} で待ち受けできません。別の --port(0 で空いているもの)か --host を指定してください。",
    ),
    "cluster-worker-ends": (
        "Workers of the cluster at {address} end at their start; look at what they wrote above.",
        "クラスター {address} のワーカーが起動直後に終了します。上の出力を確認してください。",
    ),
    "cluster-scheduler-ended": (
        "The cluster's scheduler ended; its workers were ended too. Start the cluster again, then run the contest's command to go on.",
        "クラスターのスケジューラーが終了したため、ワーカーも終了しました。クラスターを起動し直し、大会のコマンドをもう一度実行してください。",
    ),
    "cluster-workers": (
        "A cluster needs at least one worker, not {given}; give another --workers.",
        "クラスターには 1 つ以上のワーカーが必要です({given} は使えません)。--workers を変えてください。",
    ),
    "cluster-runs": (
        "A cluster with {workers} workers runs at {address}; Ctrl-C ends it. Use it with: dohyo contest run ... --cluster {address}",
        "クラスター({workers} ワーカー)が {address} で動いています。Ctrl-C で終了します。使い方: dohyo contest run ... --cluster {address}",
    ),
    "cluster-scheduler-runs": (
        "A scheduler runs at {address}; Ctrl-C ends it. Give it workers: dohyo cluster worker {address}",
        "スケジューラーが {address} で動いています。Ctrl-C で終了します。ワーカーの追加: dohyo cluster worker {address}",
    ),
    "cluster-workers-run": (
        "{workers} workers play for {address}; Ctrl-C ends them.",
        "{workers} 個のワーカーが {address} のために試合を実行します。Ctrl-C で終了します。",
    ),
}
