#!/bin/sh
# aarch64: the cross compiler builds tourney and its tests with Debian's libraries for that machine, and qemu-user runs them: units,
# judges, and programs that are compiled for it, with both MPI libraries.  doc/libraries.md says what of this cannot be had so.
#
# usage: check.sh FOLDER
#   FOLDER  libraries for aarch64 are unpacked there, and kept
#   MIRROR  in the environment: default http://deb.debian.org/debian
#   QEMU    a qemu-aarch64 that is linked statically, of version 8 or later: before that it takes minutes to map the memory that
#           ranks share.  Default: the one of this system, and if that is older, the one of a newer Debian
# Needs root for binfmt_misc, which starts programs of another machine; what it registers is gone afterwards.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
release=bookworm release_of_qemu=trixie
mirror=${MIRROR:-http://deb.debian.org/debian}
packages=libc6-dev,libmpich-dev,mpich,libopenmpi-dev,openmpi-bin,libdw-dev,libelf-dev,libzstd-dev,libjansson-dev,libcadical-dev,libcapstone-dev,libcmocka-dev,libstdc++-12-dev

. "$here/test/lib/told.sh"

stop() {
    echo "check.sh: $1" >&2
    exit 3
}

command -v mmdebstrap > /dev/null || stop "install mmdebstrap first"
command -v aarch64-linux-gnu-gcc > /dev/null || stop "install gcc-aarch64-linux-gnu first"
[ "$(id -u)" = 0 ] || stop "this needs root, for binfmt_misc"
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)
log=$folder/log

# ---- what is unpacked: qemu, and libraries for aarch64, with compilers that know where they are ----

# unpacked MACHINE RELEASE PACKAGES TO: unless it is there.
unpacked() {
    [ -e "$4" ] || {
        rm -rf "$4.part"
        mmdebstrap --quiet --variant=extract --architectures="$1" --include="$3" "$2" "$4.part" "$mirror" && mv "$4.part" "$4"
    }
}

is_new_enough() {
    version=$("$1" --version 2> /dev/null | sed -n 's/.* version \([0-9]*\).*/\1/p')
    [ "${version:-0}" -ge 8 ]
}

if [ -n "${QEMU:-}" ]; then
    qemu=$(command -v "$QEMU") && is_new_enough "$qemu" || stop "$QEMU is not there, or older than version 8"
else
    qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)
    is_new_enough "$qemu" || {
        unpacked "$(dpkg --print-architecture)" "$release_of_qemu" qemu-user "$folder/qemu"
        qemu=$folder/qemu/usr/bin/qemu-aarch64
    }
fi
root=$folder/root
unpacked arm64 "$release" "$packages" "$root"
multiarch=$root/usr/lib/aarch64-linux-gnu

cat > "$folder/bin/cc" <<END
#!/bin/sh
exec aarch64-linux-gnu-gcc --sysroot=$root -L$root/usr/lib/gcc/aarch64-linux-gnu/12 "\$@"
END

# usage: wrap FAMILY INCLUDE LIBRARIES
wrap() {
    cat > "$folder/bin/mpicc.$1" <<END
#!/bin/sh
libraries="$3 -Wl,--allow-shlib-undefined"
for argument; do
    case \$argument in -c | -E | -shared) libraries= ;; esac
done
exec $folder/bin/cc -I$2 "\$@" \$libraries
END
}
wrap mpich "$root/usr/include/aarch64-linux-gnu/mpich" "-lmpich"
wrap openmpi "$multiarch/openmpi/include" "-L$multiarch/openmpi/lib -lmpi"
chmod +x "$folder/bin/"*

# ---- programs of another machine are started as any other ----

binfmt=/proc/sys/fs/binfmt_misc
name=tourney-aarch64
forget() {
    [ ! -e $binfmt/$name ] || echo -1 > $binfmt/$name
    [ -z "$mounted" ] || umount $binfmt
}
mounted=
[ -e $binfmt/register ] || { mount -t binfmt_misc binfmt_misc $binfmt && mounted=yes; }
[ ! -e $binfmt/$name ] || stop "another such check is running, or was killed: see $binfmt/$name"
trap forget EXIT
trap 'exit 130' INT TERM HUP
echo ":$name:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00:\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff:$qemu:OCF" > $binfmt/register
export QEMU_LD_PREFIX="$root" PATH="$folder/bin:$PATH"

# ---- what is built and run ----

build=$folder/build
flags="B=$build CC=$folder/bin/cc MPICC_MPICH=$folder/bin/mpicc.mpich MPICC_OPENMPI=$folder/bin/mpicc.openmpi"
cd "$here"
told "the cross compiler builds all" make -j"$(nproc)" $flags all cross-tests
[ "$failed" = 0 ] || { end_told; exit 1; }

limit="timeout 900"

# The exit code says everything.  What is left out reads the memory and the registers of other processes, which are qemu's, or finds code
# by the rights of its pages, which qemu maps as data.
for unit in "$build"/test/unit/test_*; do
    case $unit in
    *.d) ;;
    */test_world | */test_image | */test_symbol) echo "left out: $(basename "$unit")" ;;
    *) told "$(basename "$unit")" $limit "$unit" ;;
    esac
done
told "sem_brute" $limit "$build/test/model/sem_brute" 1 1000
told "explore_brute" $limit "$build/test/model/explore_brute" 1 12
told "predict_brute" $limit "$build/test/model/predict_brute" 1 1000
told "dist_brute" $limit "$build/test/model/dist_brute" 1 50

# says WORDS COMMAND...: the command says them, in whatever lines.
says() {
    words=$1
    shift
    $limit "$@" 2>&1 | tr -s '\n ' ' ' > "$folder/said"
    grep -F -e "$words" "$folder/said" || { cat "$folder/said"; return 1; }
}

# As examples/demo.sh, but the search has a further finding here: qemu-user has a thread of its own.
for mpi in mpich openmpi; do
    programs=$build/examples-$mpi
    rm -rf "$programs"
    mkdir -p "$programs"
    for example in pi swap ring heat luck; do
        mpicc.$mpi -g examples/$example.c -o "$programs/$example"
    done
    told "$mpi: pi" says "pi is about 3.141593" "$build/tourney" run -n 4 "$programs/pi"
    told "$mpi: swap" says "cycle: rank 0 waits for 1, which waits for 0" "$build/tourney" run -n 2 "$programs/swap"
    told "$mpi: ring" says "the sum of all ranks is 3" "$build/tourney" run -n 3 "$programs/ring"
    told "$mpi: ring, nothing is buffered" says "deadlock: 3 of 3 ranks can never continue" "$build/tourney" run -n 3 --buffering=zero "$programs/ring"
    told "$mpi: heat" says "MPI_Recv(source=0, tag=1, 1 MPI_DOUBLE, MPI_COMM_WORLD)" "$build/tourney" run -n 4 "$programs/heat"
    told "$mpi: luck" says "any buffering: 2 runs, 1 of them fails" "$build/tourney" -n 3 --quiet -o "$programs/luck.out" "$programs/luck"
    told "$mpi: luck says what it does without" says "buffers by their sums" "$build/tourney" -n 3 --quiet -o "$programs/luck.out" "$programs/luck"
    told "$mpi: luck, replayed" says "finding 2 was reproduced: deadlock" "$build/tourney" replay "$programs/luck.out" 2
    told "$mpi: --engine=paths is refused" says "those of this machine are not known" "$build/tourney" -n 3 --engine=paths -o "$programs/paths.out" "$programs/luck"
done
end_told
