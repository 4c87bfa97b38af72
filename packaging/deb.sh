#!/bin/sh
# Debian packages, from a copy of the sources.
# usage: deb.sh FOLDER VERSION
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
command -v dh > /dev/null && command -v dpkg-buildpackage > /dev/null ||
    { echo "To make Debian packages takes debhelper and dpkg-dev: apt-get install -y build-essential debhelper" >&2; exit 1; }
(cd "$here/.." && dpkg-checkbuilddeps) || { echo "As root: apt-get build-dep -y ./" >&2; exit 1; }
rm -rf "$folder"
sh "$here/source.sh" "$folder/tourney-$2" || exit 1
(cd "$folder/tourney-$2" && dpkg-buildpackage --no-sign --build=binary) > "$folder/log" 2>&1 ||
    { tail -n 30 "$folder/log" >&2; echo "the whole log is $folder/log" >&2; exit 1; }
rm -rf "$folder/tourney-$2"
ls "$folder"/*.deb
