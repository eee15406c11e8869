"""The sentences about clusters, where many machines play a contest's matches: a part of `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-cluster": (
        "A cluster needs Dask distributed and cryptography, which are not both installed here; install them: pip install 'dohyo[cluster]' (in a clone, ./dev extras)",
        "クラスターには Dask distributed と cryptography が必要です。インストールしてください: pip install 'dohyo[cluster]' (クローンでは ./dev extras)",
    ),
    "cluster-address": (
        "'{address}' is no address of a cluster; write it as tls://HOST:PORT, as 'dohyo cluster local' prints it.",
        "「{address}」はクラスターのアドレスではありません。「dohyo cluster local」が表示する tls://HOST:PORT の形で書いてください。",
    ),
    "cluster-unreachable": (
        "No scheduler answers at {address}; start one with 'dohyo cluster local' or 'dohyo cluster scheduler', or correct the address.",
        "{address} のスケジューラーが応答しません。「dohyo cluster local」か「dohyo cluster scheduler」で起動するか、アドレスを直してください。",
    ),
    "cluster-unreachable-plain": (
        "No scheduler answers at {address} without TLS; start one with --plain-tcp, or write tls:// in place of tcp:// and leave --plain-tcp out.",
        "{address} では TLS なしのスケジューラーが応答しません。--plain-tcp を付けて起動するか、tcp:// を tls:// に変えて --plain-tcp を外してください。",
    ),
    "cluster-plain": (
        "{address} is a cluster that asks nobody for a key, and whoever reaches it can run programs on its workers; start it without --plain-tcp and use tls://HOST:PORT, or say --plain-tcp here too.",
        "{address} は鍵を確かめないクラスターで、接続できる人は誰でもワーカーでプログラムを実行できます。--plain-tcp なしで起動して tls://HOST:PORT を使うか、ここでも --plain-tcp を指定してください。",
    ),
    "cluster-not-plain": (
        "--plain-tcp does not fit {address}, which has keys; leave it out, or write tcp://HOST:PORT.",
        "--plain-tcp は鍵を使う {address} には使えません。外すか、tcp://HOST:PORT と書いてください。",
    ),
    "cluster-no-keys": (
        "There are no keys of a cluster in {folder}; copy the folder that 'dohyo cluster scheduler' named to this machine, or name it with --keys.",
        "{folder} にクラスターの鍵がありません。「dohyo cluster scheduler」が表示したフォルダーをこのマシンにコピーするか、--keys で指定してください。",
    ),
    "cluster-keys-taken": (
        "{folder} holds other files than a cluster's keys; name a folder with --keys that does not exist yet, or one with keys.",
        "{folder} には鍵以外のファイルがあります。まだ存在しないフォルダーか、鍵の入ったフォルダーを --keys で指定してください。",
    ),
    "cluster-other-keys": (
        "The scheduler at {address} does not have the keys in {folder}; copy the folder that it named when it was started to this machine, or name it with --keys.",
        "{address} のスケジューラーの鍵は {folder} のものと異なります。スケジューラーが起動時に表示したフォルダーをこのマシンにコピーするか、--keys で指定してください。",
    ),
    "cluster-keys-or-plain": (
        "--keys and --plain-tcp exclude each other; leave one of them out.",
        "--keys と --plain-tcp は同時に指定できません。どちらかを外してください。",
    ),
    "cluster-words-alone": (
        "--keys and --plain-tcp say how to reach a cluster; add --cluster ADDRESS, or leave them out.",
        "--keys と --plain-tcp はクラスターへの接続方法です。--cluster ADDRESS を加えるか、外してください。",
    ),
    "cluster-keys-in": (
        "Whoever has the keys in {folder} can use it: copy that folder to the other machines.",
        "{folder} の鍵を持つ人だけが使えます。このフォルダーをほかのマシンにコピーしてください。",
    ),
    "cluster-keys-made": (
        "The keys of a cluster are in {folder}; copy that folder to all its machines, and to nobody else.",
        "クラスターの鍵は {folder} にあります。クラスターのすべてのマシンにコピーし、ほかの人には渡さないでください。",
    ),
    "cluster-asks-nobody": (
        "It asks nobody for a key: whoever reaches it can run programs on its workers.",
        "鍵を確かめません。接続できる人は誰でもワーカーでプログラムを実行できます。",
    ),
    "cluster-keys-dask": (
        "Its keys are those of Dask's settings.",
        "鍵は Dask の設定のものです。",
    ),
    "cluster-lost": (
        "The connection to the cluster at {address} was lost; what was played is kept. Start the cluster again, then run the same command to go on.",
        "クラスター {address} との接続が切れました。実行済みの試合は残っています。クラスターを起動し直し、同じコマンドをもう一度実行すると続きから始まります。",
    ),
    "cluster-no-workers": (
        "The cluster at {address} has had no worker for {seconds:g} s; what was played is kept. Start some ('dohyo cluster worker {words}'), then run the same command to go on.",
        "クラスター {address} には {seconds:g} 秒間ワーカーがありません。実行済みの試合は残っています。「dohyo cluster worker {words}」で起動し、同じコマンドをもう一度実行してください。",
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
        "A cluster with {workers} workers runs at {address}; Ctrl-C ends it. Use it with: dohyo contest run ... --cluster {words}",
        "クラスター({workers} ワーカー)が {address} で動いています。Ctrl-C で終了します。使い方: dohyo contest run ... --cluster {words}",
    ),
    "cluster-scheduler-runs": (
        "A scheduler runs at {address}; Ctrl-C ends it. Give it workers: dohyo cluster worker {words}",
        "スケジューラーが {address} で動いています。Ctrl-C で終了します。ワーカーの追加: dohyo cluster worker {words}",
    ),
    "cluster-workers-run": (
        "{workers} workers play for {address}; Ctrl-C ends them.",
        "{workers} 個のワーカーが {address} のために試合を実行します。Ctrl-C で終了します。",
    ),
}
