#!/bin/sh
# Tells what the build needs and does not find, and what to type for it.  Ends with 1 if something is missing.
#
# usage: needs.sh 'COMPILER FLAGS' [FAMILY=MPICC]...    looks; a family that is not named, or has no compiler, is not needed
#        needs.sh --list MANAGER [NEED]...              prints packages of apt, dnf, zypper, apk or spack, for all needs or these
table=$(dirname "$0")/needs.table
managers="apt dnf zypper apk spack"

column() {
    at=3
    for manager in $managers; do
        [ "$manager" = "$1" ] && { echo $at; return; }
        at=$((at + 1))
    done
    echo "needs.sh: '$1' is none of: $managers" >&2
    exit 1
}

# packages MANAGER [NEED]...: each once, in the order of the table.
packages() {
    at=$(column "$1") || exit 1
    shift
    awk -v at="$at" -v needs=" $* " '
        /^#/ || NF == 0 { next }
        needs ~ /^ +$/ || index(needs, " " $1 " ") {
            count = split($at, names, ",")
            for (i = 1; i <= count; i++)
                if (!seen[names[i]]++)
                    line = line (line == "" ? "" : " ") names[i]
        }
        END { print line }' "$table"
}

if [ "$1" = --list ]; then
    shift
    packages "$@"
    exit
fi

compiler=$1
shift

is_there() {
    case $2 in
    compiler:) command -v "${compiler%% *}" > /dev/null ;;
    command:*) command -v "${2#*:}" > /dev/null ;;
    header:*) echo "#include <${2#*:}>" | $compiler -E -x c - > /dev/null 2>&1 ;;
    mpi:*)
        for family in $families; do
            [ "${family%%=*}" = "$1" ] && ! command -v "${family#*=}" > /dev/null && return 1
        done
        return 0 ;;
    *) echo "needs.sh: '$2' in $table is no probe" >&2; exit 1 ;;
    esac
}

# The compiler of a family may have options.
families=
for argument in "$@"; do
    set -- ${argument#*=}
    [ -z "${1:-}" ] || families="$families ${argument%%=*}=$1"
done

missing=
while read -r need probe _; do
    case $need in
    '' | \#*) ;;
    *) is_there "$need" "$probe" || missing="$missing $need" ;;
    esac
done < "$table"
[ -n "$missing" ] || exit 0

command_of() {
    case $1 in
    apt) echo "apt-get install -y --no-install-recommends" ;;
    apk) echo "apk add" ;;
    dnf | zypper) echo "$1 install -y" ;;
    spack) echo "spack repo add packaging/spack; spack install" ;;
    esac
}

# What is typed for one of them; parentheses have to be quoted.
line_for() {
    echo "  $1:  $(command_of "$1") $(packages "$1" $missing | sed "s/[^ ]*([^ ]*)/'&'/g")"
}

echo "The build needs what is not here:$missing"
told=
for manager in $managers; do
    program=$manager
    [ "$manager" = apt ] && program=apt-get
    command -v "$program" > /dev/null && { line_for "$manager"; told=yes; }
done
[ -n "$told" ] || for manager in $managers; do line_for "$manager"; done
case "$missing " in
*" mpich "* | *" openmpi "*)
    echo "  One MPI library is enough: \`make MPICC_OPENMPI=\` builds for MPICH only, \`make MPICC_MPICH=\` for Open MPI only."
    echo "  One whose compiler has another name: \`make MPICC_MPICH=/usr/lib64/mpich/bin/mpicc MPICC_OPENMPI=/usr/lib64/openmpi/bin/mpicc\`." ;;
esac
case "$missing " in
*" cadical "*)
    echo "  Not every distribution has CaDiCaL; where it was built from source: \`CPPFLAGS=-I.../src LDFLAGS=-L.../build make\`." ;;
esac
exit 1
