#!/usr/bin/env bash
# Counting all solutions, whole processes run in turn: by joining halves, by bit masks with look-ahead, and
# on two threads. Needs GNU time. Usage: counting.sh [N] [RUNS] [PEER COMMAND…]
# A peer is any command that is to be timed in the same turns, such as Gecode's `a.out 12 all val ff`
# (crates/csp-core/benches/peers/gecode_queens.cpp).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
n=${1:-16} runs=${2:-5}
shift $(($# < 2 ? $# : 2))
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT
(cd "$here/../../.." && cargo build --release -p csp-nqueens --message-format=json 2>/dev/null) |
    sed -n 's/.*"executable":"\([^"]*\/nqueens\)".*/\1/p' >"$times/program"
nqueens=$(tail -n 1 "$times/program")

# Runs a command and adds its user time, wall time and peak memory to a list.
measure() { local name=$1; shift; /usr/bin/time -a -o "$times/$name" -f '%U %e %M' "$@" >/dev/null; }
for _ in $(seq "$runs"); do
    measure join "$nqueens" count "$n" --method join
    measure threads "$nqueens" count "$n" --method join --threads 2
    measure look-ahead "$nqueens" count "$n" --method look-ahead
    if [ $# -gt 0 ]; then measure peer "$@"; fi
done

# Best user time, best wall time, largest memory of a list.
best() { awk 'NR == 1 || $1 < u { u = $1 } NR == 1 || $2 < w { w = $2 } $3 > m { m = $3 } END { print u, w, m }' "$times/$1"; }
read -r join_user join_wall join_memory <<<"$(best join)"
read -r _ threads_wall _ <<<"$(best threads)"
read -r look_user _ _ <<<"$(best look-ahead)"
echo "n = $n, best of $runs: join $join_user s user, $((join_memory / 1024)) MiB; look-ahead $look_user s user"
awk -v a="$look_user" -v b="$join_user" -v c="$join_wall" -v d="$threads_wall" 'BEGIN {
    printf "look-ahead takes %.1f times as long; two threads are %.2f times as fast (%s s against %s s, wall)\n",
        a / (b > 0 ? b : 0.01), c / (d > 0 ? d : 0.01), d, c }'
if [ $# -gt 0 ]; then
    read -r peer_user _ _ <<<"$(best peer)"
    awk -v a="$look_user" -v b="$peer_user" 'BEGIN { printf "the peer: %s s user; look-ahead takes %.1f times as long\n", b, a / b }'
fi
