"""Make a bot of a trained policy: python export.py policy.zip FOLDER

The bot is a copy of the one in `trained/`, with the policy's weights in place of its own. It needs no libraries.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

BOT = Path(__file__).parent / "trained"
FILES = ("bot.toml", "bot.py", "features.py")
DIGITS = 4  # behind the point; what is lost by that does not show in matches


def layers_of(policy: Any) -> list[dict[str, Any]]:
    """The network from what is seen to a score for each action; what judges a position is for training alone."""
    parts = [*policy.policy.mlp_extractor.policy_net, policy.policy.action_net]
    return [
        {name: _rounded(getattr(part, name).tolist()) for name in ("weight", "bias")}
        for part in parts
        if hasattr(part, "weight")
    ]


def _rounded(numbers: Any) -> Any:
    return [_rounded(each) for each in numbers] if isinstance(numbers, list) else round(numbers, DIGITS)


def export(policy: Any, folder: Path) -> None:
    """Write the bot's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if folder.resolve() != BOT:
            shutil.copy(BOT / name, folder / name)
    write_weights(policy, folder)


def write_weights(policy: Any, folder: Path) -> None:
    """Write what a bot reads its network from."""
    text = json.dumps(layers_of(policy), separators=(",", ":")).replace("],[", "],\n[")
    (folder / "weights.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    from stable_baselines3 import PPO  # all else here works without it

    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("policy", type=Path)
    words.add_argument("folder", type=Path)
    given = words.parse_args()
    export(PPO.load(given.policy, device="cpu"), given.folder)
    print(f"{given.folder} is a bot: dohyo play drop-block {given.folder} random random random")


if __name__ == "__main__":
    main()
