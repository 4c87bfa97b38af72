#!/bin/sh
# What the matrix has not, on the libraries of this system.
#
# usage: further.sh SOURCE calls | fortran | abi_fortran | mpi4py | newer | abi_values | nothing_left
set -eu
cd "$1"

# some PATTERN...: these tests of test/prog, of which there is at least one.
some() {
    for pattern; do
        /usr/bin/python3 test/run.py --only "$pattern"
    done | tee /dev/stderr | awk '/ passed, / { passed += $1; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed"; exit !passed || failed }'
}

case $2 in
calls) some status_of_several buffer_of_comm newest_calls ;; # those of MPI 4.1 and 5.0
fortran) some 'f_*' ;;
abi_fortran) /usr/bin/python3 test/distros/abi_fortran/check.py build ;;
mpi4py) some 'py_*' ;;
newer) /usr/bin/python3 test/distros/newer.py build ;;
abi_values) /usr/bin/python3 test/distros/abi_values.py ;;
nothing_left)
    TMPDIR=$(mktemp -d)
    export TMPDIR
    for mpi in mpich openmpi; do
        mpicc.$mpi -g test/explore/by_sender.c -o "$TMPDIR/program"
        build/tourney -n 3 -o "$TMPDIR/result" "$TMPDIR/program" > /dev/null 2>&1 || [ $? = 1 ]
        rm -r "$TMPDIR/program" "$TMPDIR/result"
        [ -z "$(ls -A "$TMPDIR")" ] || { echo "left in TMPDIR by $mpi: $(ls -A "$TMPDIR")"; exit 1; }
    done
    rmdir "$TMPDIR" ;;
*)
    echo "further.sh: what is '$2'?" >&2
    exit 3 ;;
esac
