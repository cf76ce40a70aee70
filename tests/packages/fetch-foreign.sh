#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fetch-foreign.sh FOLDER
#
# Fetches what the tests for other machines are linked with, Check and zlib for
# i386 and s390x, and the DLLs with which Wine runs programs of 32 bits, from
# where apt has its packages.  Nothing is installed, apt does not learn of the
# machines, and it need not be root who asks: a folder for each machine is all
# that is made.  Packages of a machine that is not kept at the versions of this
# one could not be installed beside these.

set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)

# ask_apt MACHINE ARGUMENT...: apt-get, as if on that machine.
ask_apt() {
    machine=$1
    shift
    apt-get -q -o APT::Architecture="$machine" \
        -o APT::Architectures="$machine" -o APT::Sandbox::User=root \
        -o Dir::State::Lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" "$@"
}

# fetch MACHINE: unpacks the packages into a folder of its name.
fetch() {
    rm -rf "$folder/lists" "$folder/cache" "$folder/new"
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" \
        "$folder/new"
    cd "$folder/cache"
    # One list that cannot be had is not the end: downloading tells.
    ask_apt "$1" update >/dev/null || :
    ask_apt "$1" download check libsubunit0 libsubunit-dev \
        zlib1g zlib1g-dev >/dev/null
    [ "$1" != i386 ] || ask_apt "$1" download libwine >/dev/null ||
        echo "fetch-foreign.sh: Wine will run no programs of 32 bits" >&2
    for package in *.deb; do
        dpkg-deb -x "$package" "$folder/new"
    done
    # The link that came leads out of the folder.
    ln -sf "../../../lib/$1-linux-gnu/libz.so.1" \
        "$folder/new/usr/lib/$1-linux-gnu/libz.so"
    mv "$folder/new" "$folder/$1"
}

for machine in i386 s390x; do
    [ -d "$folder/$machine" ] || fetch $machine
done
rm -rf "$folder/lists" "$folder/cache"
