#!/bin/sh
# What a user does first: the demo, a search of an example, its page and its replay.
# usage: smoke.sh MPICC
set -eu
export MPICC="$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

expect() {
    wanted=$1
    shift
    code=0
    "$@" > said 2>&1 || code=$?
    [ $code = "$wanted" ] || { echo "'$*' ends with $code, not $wanted:"; cat said; exit 1; }
}

says() {
    grep -qF -e "$1" said || { echo "'$1' is not in:"; cat said; exit 1; }
}

expect 0 tourney --version
expect 0 tourney doctor
expect 0 tourney demo
says "All of this behaved as expected"

"$MPICC" -g /usr/share/tourney/examples/luck.c -o luck
expect 1 tourney -n 3 ./luck
says "any buffering: 2 runs, 1 of them fails"
says "deadlock: 1 of 3 ranks can never continue"
says "luck.c:26 in main"
expect 0 tourney report tourney.out
expect 0 tourney replay tourney.out 1
says "finding 1 was reproduced: deadlock"
echo "$MPICC: as expected"
