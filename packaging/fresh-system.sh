# shellcheck shell=sh disable=SC2154 # folder is that of library.sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fresh systems in folders, for scripts that have sourced library.sh.

[ "$(id -u)" -eq 0 ] || skip "only root can make another system"
need mmdebstrap unshare
unshare --mount --pid --fork true 2>/dev/null ||
    skip "there are no new namespaces here, as in most containers"

# fetch_system RELEASE PACKAGE,...: makes RELEASE.tar, the least that this
# release of Debian is and some packages.
fetch_system() {
    quietly mmdebstrap --variant=minbase --include="$2" "$1" "$folder/$1.tar"
}

# make_system NAME RELEASE: makes a fresh one, with the lists of its packages.
make_system() {
    mkdir "$folder/$1"
    tar -xf "$folder/$2.tar" -C "$folder/$1"
    quietly run_in "$1" apt-get update -q
}

# run_in NAME COMMAND...: runs a command there, as root or as the user $run_as.
# What is mounted for it is gone when it ends, and so are the processes that it
# has left.
run_in() {
    root=$folder/$1
    shift
    # shellcheck disable=SC2016 # for that shell
    unshare --mount --pid --fork --kill-child sh -euc '
        user=$1
        root=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/dev/shm"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            chroot --userspec="$user:$user" --groups= "$root" "$@"
    ' sh "${run_as:-0}" "$root" "$@"
}
