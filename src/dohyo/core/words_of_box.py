"""The sentences about the sandbox and `dohyo doctor`: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "unknown-sandbox": (
        "There is no sandbox '{mode}'; take one of {known}.",
        "「{mode}」というサンドボックスはありません。{known} のどれかを指定してください。",
    ),
    "no-sandbox": (
        "This machine cannot make a sandbox that is strong enough for '--sandbox require'; 'dohyo doctor' says what is "
        "missing. '--sandbox auto' (in a contest's file: sandbox = \"auto\") takes what there is, '--trust' is for bots of "
        "your own.",
        "このマシンでは「--sandbox require」に足りるサンドボックスを作れません。何が足りないかは「dohyo doctor」で分かります。"
        '「--sandbox auto」(大会のファイルでは sandbox = "auto")はこのマシンで使えるものを使い、「--trust」は自分のボットのためのものです。',
    ),
    "trust-with-sandbox": (
        "--trust runs bots without a sandbox, --sandbox {mode} asks for one; leave one of them away.",
        "--trust はサンドボックスを使わず、--sandbox {mode} は必ず使います。どちらか一方だけを指定してください。",
    ),
    # --- dohyo doctor
    "doctor.sandbox": ("Sandbox", "サンドボックス"),
    "doctor.languages": ("Languages", "言語"),
    "doctor.machine": ("{system} {kernel}, {processor}", "{system} {kernel}、{processor}"),
    "doctor.works": ("works", "使えます"),
    "doctor.fails": ("does not work: {reason}", "使えません: {reason}"),
    "doctor.taken": (
        "Bots run in layer {number}: {name}.",
        "ボットはレイヤー {number} で動きます: {name}。",
    ),
    "doctor.taken-none": (
        "Bots run WITHOUT a sandbox, with your rights: run only those that you trust.",
        "ボットはサンドボックスなしで、あなたの権限で動きます。信頼できるものだけを動かしてください。",
    ),
    "doctor.no-contest": (
        "'dohyo contest' asks for layer 1 or 2: here it needs '--sandbox auto' (in a contest's file: "
        "sandbox = \"auto\"), or '--trust' for bots of your own.",
        '「dohyo contest」はレイヤー 1 か 2 を求めます。ここでは「--sandbox auto」(大会のファイルでは sandbox = "auto")、'
        "自分のボットなら「--trust」が必要です。",
    ),
    "doctor.nothing-missing": ("Nothing is missing.", "足りないものはありません。"),
    "doctor.missing": ("What is missing for a stronger one:", "より強いものに足りないもの:"),
    "doctor.not-linux": (
        "The sandbox is made of what only Linux has; on this system, run strangers' bots in a virtual machine with Linux.",
        "サンドボックスは Linux にしかない仕組みを使います。他人のボットは Linux の仮想マシンで動かしてください。",
    ),
    "doctor.processor": (
        "There is no filter of system calls for this kind of processor; x86_64 and aarch64 have one.",
        "この種類のプロセッサー用のシステムコールフィルターはありません。x86_64 と aarch64 にはあります。",
    ),
    "doctor.bubblewrap": (
        "There is no bubblewrap; install it, here or as your system's package (in Debian: sudo apt install bubblewrap):",
        "bubblewrap がありません。ここに、またはシステムのパッケージとして(Debian: sudo apt install bubblewrap)入れてください:",
    ),
    "doctor.namespaces": (
        "The kernel's settings forbid user namespaces to those who are not root; allow them (in /etc/sysctl.d to stay):",
        "カーネルの設定で root 以外のユーザー名前空間が禁止されています。許可してください(恒久的には /etc/sysctl.d に):",
    ),
    "doctor.container": (
        "Bubblewrap is here, but may not make a box; in a container, that has to be allowed when it is started:",
        "bubblewrap はありますが、サンドボックスを作れません。コンテナの場合は起動時に許可が必要です:",
    ),
    "doctor.cgroup": (
        "No control group can be made for bots, so memory and processes are counted by a watch, not by the kernel; mended by:",
        "ボット用の cgroup を作れないため、メモリとプロセス数はカーネルではなく監視で数えます。次のように起動すると直ります:",
    ),
    "doctor.landlock": (
        "The kernel has no Landlock; take Linux 5.13 or newer, and add to the kernel's command line:",
        "カーネルに Landlock がありません。Linux 5.13 以降にし、カーネルの起動引数に加えてください:",
    ),
    "doctor.no-language": ("not found; for example: {install}", "見つかりません。例: {install}"),
    "sandbox-none": (
        "WARNING: there is NO sandbox: these bots run with your rights, and can read, change and delete what you can. 'dohyo doctor' says what this machine lacks; --trust says that the bots are your own.",
        "警告: サンドボックスがありません。ボットはあなたの権限で動き、あなたにできる読み書きや削除がすべてできます。何が足りないかは「dohyo doctor」で分かります。自分のボットなら --trust を付けてください。",
    ),
    # --- what `check` says of a bot that a limit held, and that went on
    "check.ran-into": (
        "It ran into a limit, and answered all the same ({detail}).",
        "制限に達しましたが、返答はできました({detail})。",
    ),
    "check.ran-into.do": (
        "Let it use less: what it wanted beyond that, it did not get, and an answer that comes late by it gets the"
        " limit's verdict.",
        "使う量を減らしてください。超えた分は与えられず、そのために返答が遅れると、その制限の違反になります。",
    ),
}
