#!/usr/bin/env bash
# User time of whole processes, the examples beside Gecode's FlatZinc program on the same models, with the same
# order of variables and values, every solution printed to nowhere, run in turn. Gecode runs twice: with
# all_different whole, and split into disequalities as Debian's package has it; the faster counts.
# Needs GNU time and Debian's minizinc and flatzinc. Usage: classic.sh [RUNS]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
runs=${1:-7}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cd "$here/../../../.."
cargo build --release --example golomb_ruler --example all_interval --example costas --example latin 2>/dev/null
examples=${CARGO_TARGET_DIR:-$PWD/target}/release/examples

# compare NAME MODEL DATA OUR-COMMAND...
compare() {
    local name=$1 model=$2 data=$3
    shift 3
    local whole="$build/$name.whole.fzn" split="$build/$name.split.fzn"
    minizinc -c -I "$here/models/gecode" -G gecode --no-output-ozn --fzn "$whole" "$here/models/$model.mzn" -D "$data" 2>/dev/null
    minizinc -c -G gecode --no-output-ozn --fzn "$split" "$here/models/$model.mzn" -D "$data" 2>/dev/null
    local ours theirs
    ours=$("$@" --stats 2>&1 >/dev/null | grep -o '[0-9]* nodes')
    theirs=$(fzn-gecode -s -a "$whole" 2>&1 | grep -o 'nodes=[0-9]*' | cut -d= -f2)
    rm -f "$build"/[abc]
    for _ in $(seq "$runs"); do
        /usr/bin/time -a -o "$build/a" -f %U "$@" >/dev/null 2>&1
        /usr/bin/time -a -o "$build/b" -f %U fzn-gecode -a "$whole" >/dev/null 2>&1
        /usr/bin/time -a -o "$build/c" -f %U fzn-gecode -a "$split" >/dev/null 2>&1
    done
    median() { sort -n "$1" | sed -n "$(((runs + 1) / 2))p"; }
    awk -v name="$name" -v ours="$ours" -v theirs="$theirs" -v a="$(median "$build/a")" \
        -v b="$(median "$build/b")" -v c="$(median "$build/c")" 'BEGIN {
            f = b < c ? b : c
            printf "%-16s %s, Gecode %s; %.2f s, Gecode %.2f s (split %.2f s): %.1f times\n",
                name, ours, theirs, a, b, c, f / (a > 0 ? a : 0.01) }'
}

compare golomb-9 golomb m=9 "$examples/golomb_ruler" 9
compare golomb-10 golomb m=10 "$examples/golomb_ruler" 10
compare all-interval-11 allinterval n=11 "$examples/all_interval" 11 --all
compare all-interval-12 allinterval n=12 "$examples/all_interval" 12 --all
compare costas-10 costas n=10 "$examples/costas" 10 --all
compare costas-11 costas n=11 "$examples/costas" 11 --all
compare latin-6 latin n=6 "$examples/latin" count 6 --all
