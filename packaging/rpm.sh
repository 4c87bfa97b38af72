#!/bin/sh
# RPM packages, from a copy of the sources; further arguments go to rpmbuild.
# usage: rpm.sh FOLDER VERSION [ARGUMENTS]
here=$(cd "$(dirname "$0")" && pwd)
command -v rpmbuild > /dev/null || { echo "To make RPM packages takes rpmbuild: install rpm-build (Debian: rpm)" >&2; exit 1; }
folder=$1 version=$2
shift 2
rm -rf "$folder"
sh "$here/source.sh" "$folder/tourney-$version" || exit 1
tar czf "$folder/tourney-$version.tar.gz" -C "$folder" "tourney-$version" && rm -rf "$folder/tourney-$version"
rpmbuild -bb --define "_topdir $folder" --define "_sourcedir $folder" "$@" "$here/tourney.spec" > "$folder/log" 2>&1 ||
    { tail -n 30 "$folder/log" >&2; echo "the whole log is $folder/log" >&2; exit 1; }
rm -rf "$folder/BUILD" "$folder/BUILDROOT"
ls "$folder"/RPMS/*/*.rpm
