#!/bin/sh
# Installs the Debian packages that building and testing need, if they are
# missing and this user may; otherwise says what to type.
# usage: packages.sh [FURTHER PACKAGES]
packages="gcc g++ gfortran make python3 python3-jsonschema pkg-config
    libmpich-dev mpich libopenmpi-dev openmpi-bin python3-mpi4py
    libdw-dev libelf-dev libzstd-dev libjansson-dev libcadical-dev libcapstone-dev libcmocka-dev gdb spin $*"
missing=
for package in $packages; do
    case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" in
    *" installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -z "$missing" ] && exit 0
install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "Some packages are missing.  As root: $install" >&2
    exit 1
fi
$as_root apt-get update -q
DEBIAN_FRONTEND=noninteractive $as_root $install
