#!/bin/sh
# Debian releases in folders of their own: README's first command in each, and the matrix of programs and libraries, compared with
# what Debian 12 comes to.  Needs root, debootstrap, and a mirror of Debian.  Of bullseye, whose C library is older than tourney's,
# the MPI libraries are taken, for the tourney that was built here.  The table of libraries is in FOLDER/table.md afterwards.
#
# usage: check.sh FOLDER BUILD RELEASE...
#   FOLDER   systems and downloads are kept there, so that the next time takes less
#   BUILD    where tourney was built in this system
#   RELEASE  `here` is this system
#   MIRROR   in the environment: default http://deb.debian.org/debian
#   FULL=1   runs `make check` in each, too
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1 build=$2
shift 2

. "$here/test/distros/chroot.sh"
. "$here/test/lib/told.sh"

# matrix NAME COMMAND...: the matrix's own cases are counted, each for itself.
matrix() {
    name=$1
    shift
    "$@" > "$folder/$name.matrix" 2>&1 || true
    grep -A1 '^differs' "$folder/$name.matrix" || true
    grep '^| ' "$folder/$name.matrix" >> "$folder/table.md" || true
    count=$(tail -n 1 "$folder/$name.matrix" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    if [ -n "$count" ]; then
        echo "$name: ${count% *} rows are as expected, ${count#* } differ"
        passed=$((passed + ${count% *})) failed=$((failed + ${count#* }))
    else
        echo "FAILED $name: the matrix does not come to its end"
        tail -n 5 "$folder/$name.matrix"
        failed=$((failed + 1))
    fi
}

# old_matrix LIBRARY INCLUDE FILE, in this system
old_matrix() {
    matrix "bullseye-$1" /usr/bin/python3 "$here/test/distros/matrix.py" "$build" --expected "$here/test/distros/expected.txt" \
        --other "bullseye-$1=-I$2 $3 -Wl,--disable-new-dtags,-rpath,$(dirname "$3"),--allow-shlib-undefined"
}

check_old_libraries() {
    root=$folder/bullseye
    bootstrap bullseye "$root" "$folder/bullseye.log" || return
    install_in "$root" libmpich-dev libopenmpi-dev openmpi-bin || return
    sh "$here/test/distros/old_libraries.sh" "$root" "$folder/old"
}

check_bullseye() {
    told "bullseye: libraries are set up" check_old_libraries
    lib=$(echo "$folder/bullseye"/usr/lib/*-linux-gnu)
    old_matrix mpich "$folder/bullseye/usr/include/$(basename "$lib")/mpich" "$folder/old/mpich/lib/libmpich.so.12"
    OPAL_PREFIX=$folder/bullseye/usr old_matrix openmpi "$lib/openmpi/include" "$folder/old/openmpi/lib/libmpi.so.40"
}

check_here() {
    matrix here /usr/bin/python3 "$here/test/distros/matrix.py" "$build" --expected "$here/test/distros/expected.txt"
}

# The sources as they would be cloned: what is not in git yet is not there.
take_sources() {
    rm -rf --one-file-system "$root/tourney"
    mkdir "$root/tourney"
    (cd "$here" && git ls-files | tar cf - -T -) | tar xf - -C "$root/tourney"
}

set_up() {
    bootstrap "$release" "$root" "$folder/$release.log" && install_in "$root" make && take_sources
}

make_demo() {
    inside "$root" make -C /tourney demo > "$folder/$release.build" 2>&1 || { cat "$folder/$release.build"; return 1; }
}

# Of compilers and linkers; what programs of the demo say is indented.
builds_without_warnings() {
    ! grep -E '^[^ ]+: .*(warning|error): ' "$folder/$release.build" | grep -vE '^(dpkg|update-alternatives|debconf): '
}

check_release() {
    release=$1 root=$folder/$1
    told "$release: the system is set up" set_up
    told "$release: make demo" make_demo
    told "$release: no warnings" builds_without_warnings
    told "$release: doctor" inside "$root" /tourney/build/tourney doctor
    matrix "$release" inside "$root" /usr/bin/python3 /tourney/test/distros/matrix.py /tourney/build --expected /tourney/test/distros/expected.txt
    further="calls fortran mpi4py newer nothing_left"
    ! ls "$root"/usr/lib/*/libmpi_abi_*.so.1* > /dev/null 2>&1 || further="$further abi_values abi_fortran"
    for what in $further; do
        told "$release: $what" inside "$root" sh /tourney/test/distros/further.sh /tourney $what
    done
    [ -z "${FULL:-}" ] || told "$release: make check" inside "$root" make -C /tourney check
}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
log=$folder/log
{
    echo '| system | compiler | C library | MPI library | matrix | as on Debian 12 |'
    echo '|---|---|---|---|---|---|'
} > "$folder/table.md"
for release in "$@"; do
    case $release in
    bullseye) check_bullseye ;;
    here) check_here ;;
    *) check_release "$release" ;;
    esac
done
cat "$folder/table.md"
end_told
