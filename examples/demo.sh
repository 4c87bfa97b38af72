#!/bin/sh
# Shows tourney on the programs of this folder, and checks what it says.
# usage: demo.sh TOURNEY [DIR]; programs are built in DIR, or else in a place that is removed.
tourney=$1
bin=$2
here=$(dirname "$0")
failed=0

if [ ! -x "$tourney" ]; then
    echo "demo.sh: there is no tourney at '$tourney'; use make demo, or tourney demo" >&2
    exit 1
fi
if [ -z "$bin" ]; then
    bin=$(mktemp -d) || exit 1
    trap 'rm -rf "$bin"' EXIT
fi
for mpicc in ${MPICC:-mpicc.mpich mpicc.openmpi mpicc}; do
    command -v "$mpicc" >/dev/null && break
    mpicc=
done
if [ -z "$mpicc" ]; then
    echo "demo.sh: ${MPICC:-neither mpicc.mpich nor mpicc.openmpi nor mpicc} is ${MPICC:+not }there; MPICC may name another compiler" >&2
    exit 1
fi

say() {
    printf '\n%s\n\n' "$1"
}

# Echoes a command and runs it; its output is indented, the exit code kept in $code.
show() {
    echo "    \$ $*"
    "$@" >"$bin/output" 2>&1
    code=$?
    sed 's/^/    /' "$bin/output"
}

compile() {
    show "$mpicc" -g "$@"
    [ $code = 0 ] || exit 1
}

# expect CODE WORDS: what the command just shown must have done.
expect() {
    if [ $code != "$1" ] || ! grep -qF -e "$2" "$bin/output"; then
        echo "    !! expected exit code $1 (it was $code) and the words \"$2\""
        failed=$((failed + 1))
    fi
}

mkdir -p "$bin" || exit 1

say "A correct program runs as under mpiexec.  Its master hears from any worker."
compile -o "$bin/pi" "$here"/pi.c
show "$tourney" run -n 4 "$bin/pi"
expect 0 "pi is about 3.141593"

say "Two ranks that both receive first wait for each other: for ever under mpiexec."
compile -o "$bin/swap" "$here"/swap.c
show "$tourney" run -n 2 "$bin/swap"
expect 1 "cycle: rank 0 waits for 1, which waits for 0"

say "This ring works if MPI buffers its messages, and only then."
compile -o "$bin/ring" "$here"/ring.c
show "$tourney" run -n 3 "$bin/ring"
expect 0 "the sum of all ranks is 3"
show "$tourney" run -n 3 --buffering=zero "$bin/ring"
expect 1 "deadlock: 3 of 3 ranks can never continue"

say "Mixed-up tags in a halo exchange, and the same repaired."
compile -o "$bin/heat" "$here"/heat.c
show "$tourney" run -n 4 "$bin/heat"
expect 1 "MPI_Recv(source=0, tag=1, 1 MPI_DOUBLE, MPI_COMM_WORLD)"
compile -DREPAIRED -o "$bin/heat" "$here"/heat.c
show "$tourney" run -n 4 "$bin/heat"
expect 0 "of the heat is left"

say "One run tells little where messages race.  All of them tell: here one of two hangs."
compile -o "$bin/luck" "$here"/luck.c
show "$tourney" run -n 3 "$bin/luck"
expect 0 "report of rank 2: 2"
show "$tourney" -n 3 -o "$bin/luck.out" "$bin/luck"
expect 1 "any buffering: 2 runs, 1 of them fails"
show "$tourney" replay "$bin/luck.out" 1
expect 0 "finding 1 was reproduced: deadlock"

say "A run can be recorded, and read afterwards."
show "$tourney" run -n 2 -o "$bin/swap.tny" "$bin/swap"
expect 1 "deadlock: 2 of 2 ranks can never continue"
show "$tourney" dump "$bin/swap.tny"
expect 0 "(never returned)"

rm -f "$bin/output"
if [ $failed != 0 ]; then
    say "$failed of these did not behave as expected." >&2
    exit 1
fi
say "All of this behaved as expected.  Next: tourney -n N YOUR_PROGRAM, and tourney --help."
