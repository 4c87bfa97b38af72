#!/bin/sh
# Packages and tarball in clean Debian systems, each in a folder of its own: installed by root, used by somebody else.  RPM packages are
# installed there by rpm, with a database of its own; what they require must be there, though rpm does not know it.
#
# usage: packages.sh FOLDER DEBS RPMS TARBALL RELEASE...
#   FOLDER  clean systems are kept there, and copied
#   DEBS    the folder of the .deb files
#   RPMS    that of the .rpm files
#   MIRROR  in the environment: default http://deb.debian.org/debian
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1 debs=$2 rpms=$3 tarball=$4
shift 4

. "$here/test/distros/chroot.sh"
. "$here/test/lib/told.sh"

as_user() {
    inside "$root" su -s /bin/sh -c "$1" somebody
}

install_debs() {
    mkdir "$root/debs" && cp "$debs"/tourney_*.deb "$debs"/tourney-shims_*.deb "$root/debs/" &&
        inside "$root" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends /debs/*.deb'
}

# As autopkgtest does it: what a test depends on is installed, and it runs as somebody who is not root.
each_test() {
    cp -r "$here/debian/tests" "$root/tests"
    awk '/^Tests:/ { test = $2 } /^Depends:/ { sub(/^Depends: *(@, *)?/, ""); gsub(/,/, ""); print test, $0 }' "$here/debian/tests/control" > "$folder/tests"
    while read -r test needed; do
        told "$release: what test $test depends on" inside "$root" apt-get install -y -q --no-install-recommends $needed < /dev/null
        told "$release: test $test of debian/tests, by an ordinary user" as_user "sh /tests/$test" < /dev/null
    done < "$folder/tests"
}

removed() {
    inside "$root" apt-get purge -y -q --autoremove tourney tourney-shims && ! ls "$root/usr/bin/tourney" "$root/usr/lib/tourney" "$root/usr/share/tourney" 2> /dev/null
}

# Libraries that nobody but tourney needed are gone.  In a folder whose name has a space.
unpacked() {
    ! ls "$root"/usr/lib/*/libdw.so.1 2> /dev/null || { echo "libdw is still there"; return 1; }
    mkdir -p "$root/home/somebody/any where" && tar xzf "$tarball" -C "$root/home/somebody/any where" --strip-components 1 &&
        as_user '"/home/somebody/any where/bin/tourney" demo'
}

linked_with_itself() {
    inside "$root" ldd "/home/somebody/any where/bin/tourney" > "$folder/libraries" &&
        grep -q 'libdw.so.1 => /home/somebody/any where/' "$folder/libraries" && ! grep -q 'not found' "$folder/libraries"
}

# rpm_of NAME: its file.
rpm_of() {
    ls "$rpms"/*/"$1"-[0-9]*.rpm
}

in_rpm_root() {
    rpm --root "$root" "$@"
}

# Debian knows nothing of rpm, so --nodeps; what would have been looked for is looked for by rpms_have_what_they_require.
install_rpms() {
    in_rpm_root --initdb && in_rpm_root --install --nodeps "$(rpm_of tourney)" "$(rpm_of tourney-shims)" &&
        [ "$(in_rpm_root --query tourney tourney-shims | grep -c "^tourney")" = 2 ]
}

# Whatever is on disk is as the packages have it: sizes, sums, modes, owners.
rpms_are_whole() {
    in_rpm_root --verify --nodeps tourney tourney-shims
}

# Shared libraries by name, and versions of their symbols; programs by path; and each other.
rpms_have_what_they_require() {
    rpm --query --requires --package "$(rpm_of tourney)" "$(rpm_of tourney-shims)" | sort -u > "$folder/required"
    inside "$root" ldconfig -p > "$folder/there"
    grep -q '^libdw.so.1' "$folder/required" || { echo "libdw is not among them"; return 1; }
    unknown=0
    while read -r what _; do
        case $what in
        rpmlib* | rtld* | tourney-shims*) ;;
        /*) [ -e "$root$what" ] || { echo "$what is not there"; unknown=1; } ;;
        *.so*) grep -qF "	${what%%(*} " "$folder/there" || { echo "$what is not there"; unknown=1; } ;;
        *) echo "nothing is known of $what"; unknown=1 ;;
        esac
    done < "$folder/required"
    return $unknown
}

rpms_are_removed() {
    in_rpm_root --erase --nodeps tourney tourney-shims &&
        ! ls -d "$root/usr/bin/tourney" "$root/usr/lib/tourney" "$root/usr/share/tourney" "$root/usr/share/doc/tourney" 2> /dev/null
}

# The libraries that an RPM system would have installed with it are Debian's.
check_rpms() {
    told "$release: rpm installs tourney and tourney-shims" install_rpms
    told "$release: what the RPMs require, by Debian's packages" install_in "$root" libdw1 libelf1 libzstd1 libjansson4 libcapstone4 gdb
    told "$release: all that the RPMs require is there" rpms_have_what_they_require
    told "$release: rpm --verify finds them whole" rpms_are_whole
    for mpi in mpich openmpi; do
        told "$release: test $mpi of debian/tests with the RPMs, by an ordinary user" as_user "sh /tests/$mpi"
    done
    told "$release: nothing is left when the RPMs are removed" rpms_are_removed
}

is_release_of_host() {
    [ "$(. /etc/os-release && echo "$VERSION_CODENAME")" = "$release" ]
}

check_packages() {
    release=$1 root=$folder/packages-$1
    bootstrap "$release" "$folder/clean-$release" "$folder/clean-$release.log"
    rm -rf --one-file-system "$root"
    cp -a "$folder/clean-$release" "$root"
    inside "$root" useradd -m somebody
    told "$release: tourney and tourney-shims install" install_debs
    each_test
    told "$release: nothing is left when they are removed" removed
    told "$release: the tarball's demo, by an ordinary user" unpacked
    told "$release: the tarball has its own libraries" linked_with_itself
    # Those of RPM are linked with Capstone's shared library, whose name is that of the system they were made on.
    ! is_release_of_host || check_rpms
    rm -rf --one-file-system "$root"
}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
log=$folder/packages.log
for release in "$@"; do
    check_packages "$release"
done
end_told
