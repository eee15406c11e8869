"""A referee of rock, paper, scissors for `rps.toml`: each bot is started with the seed, and prints R, P or S."""

import json
import subprocess
import sys

LIMIT = 10  # seconds; a bot that hangs would end the whole match, without a result

seed, *players = sys.argv[1:]
hands = []
for player in players:  # one word: what starts the bot
    try:
        done = subprocess.run([player], input=f"{seed}\n", capture_output=True, text=True, timeout=LIMIT, check=False)
        hands.append(done.stdout.strip())
    except subprocess.TimeoutExpired:
        hands.append("")
errors = [int(hand not in ("R", "P", "S")) for hand in hands]
won = [not any(errors) and mine + other in ("RS", "PR", "SP") for mine, other in zip(hands, hands[::-1], strict=True)]
scores = [int(one) - error for one, error in zip(won, errors, strict=True)]
ranks = [sum(other > mine for other in scores) for mine in scores]
print(json.dumps({"ranks": ranks, "errors": errors, "scores": scores}))
