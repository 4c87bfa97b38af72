#!/bin/sh
# Installs the Debian packages that building and testing need, if they are
# missing and this user may; otherwise says what to type.
# usage: packages.sh [FURTHER PACKAGES]
if ! command -v dpkg-query > /dev/null; then
    echo "This is not Debian: what is missing is told by \`make\` as it goes." >&2
    exit 0
fi
packages="$(sh "$(dirname "$0")/../packaging/needs.sh" --list apt) gfortran python3-jsonschema pkg-config
    python3-mpi4py libcmocka-dev gdb spin $*"
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
