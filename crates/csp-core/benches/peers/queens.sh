#!/usr/bin/env bash
# User time of whole processes, this engine beside Gecode's, on the same tree, run in turn.
# Needs g++, libgecode-dev and GNU time. Usage: queens.sh N [RUNS] [sum]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
n=${1:-12} runs=${2:-15} extra=${3:-}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
g++ -O2 "$here/gecode_queens.cpp" -lgecodesearch -lgecodeint -lgecodekernel -lgecodesupport -o "$build/gecode"
(cd "$here/../../../.." && cargo build --release --example queens --message-format=json 2>/dev/null) |
    sed -n 's/.*"executable":"\([^"]*examples\/queens\)".*/\1/p' >"$build/ours"
ours=$(tail -n 1 "$build/ours")
"$ours" "$n" $extra
"$build/gecode" "$n" all val ff $extra
for _ in $(seq "$runs"); do
    /usr/bin/time -a -o "$build/a" -f %U "$ours" "$n" $extra >/dev/null
    /usr/bin/time -a -o "$build/b" -f %U "$build/gecode" "$n" all val ff $extra >/dev/null
done
paste "$build/a" "$build/b" | awk '{ print $1, $2, $2 / ($1 > 0 ? $1 : 0.01) }' | sort -k3 -n |
    awk -v n="$runs" '{ a[NR] = $1; b[NR] = $2; r[NR] = $3 }
        END { m = int((n + 1) / 2); printf "median ratio %.2f (%.2f s against %.2f s; ratios %.2f to %.2f)\n", r[m], a[m], b[m], r[1], r[n] }'
