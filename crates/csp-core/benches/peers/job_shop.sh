#!/usr/bin/env bash
# User time to the proof of optimal job shop schedules, the example beside CP-SAT with one worker, run in turn. CP-SAT
# tells the user time of its search alone, without that of Python; here it is that of the whole process.
# Needs GNU time, and Python with the package ortools. Usage: job_shop.sh FOLDER [PYTHON [INSTANCE...]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$1" && pwd)
python=${2:-python3}
shift $(($# > 2 ? 2 : $#))
instances=("$@")
if [ ${#instances[@]} -eq 0 ]; then
    instances=(la06 la07 la08 la09 la10 la11 la12 la13 la14 la15 la16 la17 la18 la19 la20 abz5 abz6 ft10)
fi
cd "$here/../../../.."
cargo build --release --example job_shop 2>/dev/null
example=${CARGO_TARGET_DIR:-$PWD/target}/release/examples/job_shop
ours=0
theirs=0
for instance in "${instances[@]}"; do
    file="$data/$instance.txt"
    time=$(mktemp)
    found=$(/usr/bin/time -o "$time" -f %U "$example" "$file" --no-picture --time-limit 300 2>/dev/null | tail -n 1)
    seconds=$(tail -n 1 "$time")
    rm -f "$time"
    line=$("$python" "$here/cpsat_sched.py" jsp "$file" 300 | grep solve_user)
    peer=$(grep -o 'solve_user[=: ]*[0-9.]*' <<<"$line" | grep -o '[0-9.]*$')
    ours=$(awk -v a="$ours" -v b="$seconds" 'BEGIN { print a + b }')
    theirs=$(awk -v a="$theirs" -v b="$peer" 'BEGIN { print a + b }')
    printf '%-8s %7.2f s, CP-SAT %7.2f s; %s; CP-SAT: %s\n' "$instance" "$seconds" "$peer" "$found" "$line"
done
awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "in sum   %7.2f s, CP-SAT %7.2f s: %.1f times\n", a, b, b / a }'
