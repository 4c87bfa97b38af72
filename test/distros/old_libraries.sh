#!/bin/sh
# The MPI libraries of an older Debian, with what they need beside the C library, as prefixes that this system can use.
#
# usage: old_libraries.sh ROOT FOLDER
#   ROOT    where the release is set up, with libmpich-dev, libopenmpi-dev and openmpi-bin
#   FOLDER  gets mpich/lib, openmpi/lib, and openmpi/bin with the launcher, which finds its components in ROOT
set -eu
root=$1
to=$2
machine=$(cd "$root/usr/lib" && ls -d ./*-linux-gnu)
lib=/usr/lib/${machine#./}
mkdir -p "$to/mpich/lib" "$to/openmpi/lib" "$to/openmpi/bin"

# Files of ROOT, that of a library or a program and all that it needs, but for what newer systems have newer ones of.
needs() {
    for file in "$@"; do
        echo "$file"
        chroot "$root" ldd "$file" | awk '$2 == "=>" { print $3 }'
    done | sort -u | grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|libutil|libgcc_s|libstdc\+\+|libgfortran|libquadmath)\.so' | grep '\.so'
}

take() {
    place=$1
    shift
    needs "$@" | while read -r file; do
        cp -L "$root$file" "$place/"
    done
}

take "$to/mpich/lib" "$lib/libmpich.so.12"
components=$(cd "$root" && ls ."$lib"/openmpi/lib/openmpi3/mca_pmix_*.so)
take "$to/openmpi/lib" "$lib/libmpi.so.40" /usr/bin/orterun $(echo "$components" | sed 's/^\.//')
rm -f "$to"/openmpi/lib/mca_*.so
cat > "$to/openmpi/bin/mpiexec.openmpi" << EOF
#!/bin/sh
export OPAL_PREFIX=$root/usr LD_LIBRARY_PATH=$to/openmpi/lib PMIX_MCA_mca_base_component_path=$root$lib/pmix2/lib/pmix
exec $root/usr/bin/orterun "\$@"
EOF
chmod +x "$to/openmpi/bin/mpiexec.openmpi"
