"""The sentences about games in batch: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-cuda": (
        "Games on a graphics card need numba-cuda, which is not installed here; install it: pip install 'dohyo[cuda]' (in a clone, .venv/bin/pip install -e '.[cuda]')",
        "グラフィックスカードで対戦させるには numba-cuda が必要です。インストールしてください: pip install 'dohyo[cuda]' (クローンでは .venv/bin/pip install -e '.[cuda]')",
    ),
    "no-gpu": (
        'No NVIDIA graphics card can be used here ({reason}); check with nvidia-smi, or play with device="cpu".',
        '使える NVIDIA のグラフィックスカードがありません({reason})。nvidia-smi で確かめるか、device="cpu" を使ってください。',
    ),
    "old-gpu-driver": (
        "The graphics card's driver is for CUDA {found}, and the installed numba-cuda needs one for {needed} or newer; update the driver, or install numba-cuda[cu{found_major}].",
        "グラフィックスカードのドライバーは CUDA {found} 用ですが、numba-cuda には {needed} 以上が必要です。ドライバーを更新するか、numba-cuda[cu{found_major}] を入れてください。",
    ),
    "old-gpu": (
        "The graphics card '{name}' has the compute capability {found}, and CUDA {cuda} needs {needed} or higher; play with device=\"cpu\".",
        'グラフィックスカード「{name}」の compute capability は {found} ですが、CUDA {cuda} には {needed} 以上が必要です。device="cpu" を使ってください。',
    ),
    "gpu-memory": (
        "The graphics card has no room for {bytes} bytes more; play fewer games at once, or end what else uses the card.",
        "グラフィックスカードにあと {bytes} バイトの空きがありません。一度に対戦させる数を減らすか、カードを使っているほかのものを終了してください。",
    ),
    "no-cuda-compiler": (
        "The CUDA compiler does not start ({reason}); install what belongs to it: pip install 'dohyo[cuda]' (in a clone, .venv/bin/pip install -e '.[cuda]')",
        "CUDA のコンパイラーが動きません({reason})。必要なものを入れてください: pip install 'dohyo[cuda]' (クローンでは .venv/bin/pip install -e '.[cuda]')",
    ),
}
