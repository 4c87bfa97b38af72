# Sourced by the scripts of this folder: clean Debian systems in folders, and commands in them.
mirror=${MIRROR:-http://deb.debian.org/debian}

[ "$(id -u)" = 0 ] || { echo "$(basename "$0"): this needs root, for debootstrap and chroot" >&2; exit 3; }
command -v debootstrap > /dev/null || { echo "$(basename "$0"): install debootstrap first" >&2; exit 3; }

# bootstrap RELEASE FOLDER LOG: unless it is there.  What was begun and not finished is begun anew.
bootstrap() {
    [ -e "$2/etc/debian_version" ] || {
        rm -rf --one-file-system "$2" "$2.part"
        debootstrap --variant=minbase "$1" "$2.part" "$mirror" > "$3" 2>&1 || { tail -n 5 "$3" >&2; return 1; }
        mv "$2.part" "$2"
    }
    cp /etc/resolv.conf "$2/etc/resolv.conf"
    # A mirror may be a snapshot, of which apt would say that it has expired.
    echo 'Acquire::Check-Valid-Until "false";' > "$2/etc/apt/apt.conf.d/90-snapshot"
}

# inside ROOT COMMAND...: mounts and processes are the command's own, so that they are gone when it ends, however it does.  The
# shell stays, as the first process, which is the parent of those that lose theirs.
inside() {
    root=$1
    shift
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1
        shift
        mount -t proc proc "$root/proc" && mount -t sysfs sys "$root/sys" && mount --rbind /dev "$root/dev" &&
            mount -t tmpfs -o mode=1777 shm "$root/dev/shm" || exit 3
        chroot "$root" env -u TMPDIR DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
        exit $?' sh "$root" "$@"
}

# install_in ROOT PACKAGE...
install_in() {
    root=$1
    shift
    inside "$root" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends "$@"' sh "$@"
}
