#!/bin/sh
# An installation that can be unpacked anywhere, with the libraries that tourney is linked with beside it, save those of the C
# library; of MPI it needs none.
#
# usage: tarball.sh INSTALLED NAME FOLDER
#   INSTALLED  has bin/tourney, linked so that it looks for libraries in OWN (below)
set -eu
installed=$1 name=$2 folder=$3
OWN=lib/tourney/own
# What comes with the C library, or with the kernel: it must be that of the machine.
SYSTEM='^(linux-vdso|linux-gate|ld-linux.*|ld64|lib(c|m|dl|rt|pthread|util|resolv|nsl|anl|mvec|BrokenLocale))\.so'

whole=$(ldd "$installed/bin/tourney")
mkdir -p "$installed/$OWN"
echo "$whole" | awk '$2 == "=>" { print $1, $3 }' | while read -r library path; do
    echo "$library" | grep -qE "$SYSTEM" && continue
    [ -e "$path" ] || { echo "tarball.sh: $library is not found" >&2; exit 1; }
    cp -L --no-preserve=ownership "$path" "$installed/$OWN/$library"
done

# From now on each must be the one beside it.
elsewhere=$(ldd "$installed/bin/tourney" | awk '$2 == "=>" { print $1, $3 }' | grep -vE "$SYSTEM" |
    grep -vF "$(cd "$installed" && pwd)/" || true)
[ -z "$elsewhere" ] || { echo "tarball.sh: these would be taken from the system: $elsewhere" >&2; exit 1; }

rm -rf "$installed/lib/pkgconfig"   # it would name a prefix
mkdir -p "$folder"
tar czf "$folder/$name.tar.gz" --owner=0 --group=0 --transform "s,^\.,$name," -C "$installed" .
newest=$(find "$installed/bin" "$installed/lib" -type f -exec objdump -T {} + | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
echo "$folder/$name.tar.gz, for systems with $(echo "$newest" | sed 's/GLIBC_/glibc /') or newer"
