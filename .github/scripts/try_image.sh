#!/usr/bin/env bash
# Try an image: try_image.sh docker|podman IMAGE. It needs nothing but the program that runs containers.
#
# The options are those of docs/container.md: they let bubblewrap make its namespaces, and take all else away.
set -euo pipefail
program=$1 image=$2
unmask=unmask=ALL
if [ "$program" = docker ]; then unmask=systempaths=unconfined; fi
options=(--rm --network none --cap-drop ALL --security-opt no-new-privileges --pids-limit 2048)
options+=(--security-opt seccomp=unconfined --security-opt "${UNMASK:-$unmask}")
if [ "$program" = docker ]; then
    options+=(--security-opt apparmor=unconfined)
fi
read -r -a more <<< "${MORE:-}"  # further options, such as --cgroups=disabled
store=$("$program" volume create)
trap '"$program" volume rm -f "$store" > /dev/null' EXIT
run() { "$program" run "${options[@]}" "${more[@]}" --volume "$store:/contest" "$image" "$@"; }

echo "== version"
run --version
echo "== not root, and no more rights than that"
[ "$("$program" run --rm --network none "${more[@]}" --entrypoint id "$image" -u)" = 10001 ]
echo "== the sandbox is layer 2 or better"
run doctor --json | python3 -c '
import json, sys
found = json.load(sys.stdin)["taken"]
print("layer", found)
sys.exit(found not in (1, 2))'
echo "== a match, in that sandbox"
run play drop-block hunter random random random --seed 7 --sandbox require --save m.replay
run replay m.replay --verify
echo "== a contest, stopped and gone on with"
run contest run --game wondev-woman climber random --rounds 2
run contest run contest.db
run contest verify contest.db --again
echo "== every game"
run play wondev-woman climber random --seed 1
run play shoot-em-up gunner random --seed 1
run play abotcalypse random builder --seed 1 --setup turns=40
echo "The image works."
