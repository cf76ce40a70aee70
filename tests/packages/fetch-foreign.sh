#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fetch-foreign.sh FOLDER [MACHINE]
#
# Fetches what the tests for other machines are linked with, Check and zlib for
# i386 and s390x, and the DLLs with which Wine runs programs of 32 bits, from
# where apt has its packages.  For musl, which has no packages, both are compiled
# from Debian's sources.  Nothing is installed, apt does not learn of the
# machines, and it need not be root who asks: a folder for each machine is all
# that is made.  Packages of a machine that is not kept at the versions of this
# one could not be installed beside these.  What cannot be had for one machine
# does not keep the others away.

set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)

if [ $# -eq 1 ]; then
    status=0
    for machine in i386 s390x musl; do
        sh "$0" "$folder" $machine || {
            echo "fetch-foreign.sh: tests for $machine will be skipped" >&2
            status=1
        }
    done
    exit $status
fi
[ ! -d "$folder/$2" ] || exit 0
trap 'rm -rf "$folder/lists" "$folder/cache" "$folder/new"' EXIT

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

# Prints where apt has packages, as places of sources.
list_sources() {
    set -- /etc/apt/sources.list /etc/apt/sources.list.d/*.list
    for list in "$@"; do
        [ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$list" ] || awk 'BEGIN { RS = ""; FS = "\n" }
            function value(name) {
                for (i = 1; i <= NF; i++)
                    if (index($i, name ": ") == 1)
                        return substr($i, length(name) + 3)
            }
            { key = value("Signed-By")
              count = split(value("Suites"), suite, " ")
              for (j = 1; j <= count; j++)
                  print "deb-src", key ? "[signed-by=" key "]" : "",
                      value("URIs"), suite[j], value("Components") }' "$list"
    done
}

# Both for musl, as other libraries of this system are for glibc.  zlib is linked
# into the stage, so it may lie anywhere.
make_musl() {
    rm -rf "$folder/lists" "$folder/cache" "$folder/new"
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    cd "$folder/cache"
    list_sources >sources.list
    for words in update "source --download-only --tar-only zlib check"; do
        # shellcheck disable=SC2086 # words
        ask_apt "$(dpkg --print-architecture)" \
            -o Dir::Etc::SourceList="$PWD/sources.list" \
            -o Dir::Etc::SourceParts=/dev/null $words >/dev/null
    done
    for file in *.orig.tar.*; do
        tar -xf "$file"
    done
    (
        cd zlib-*/
        CC=musl-gcc CFLAGS='-O2 -fPIC' ./configure --static \
            --prefix="$folder/new"
        make -s install
    ) >zlib.log 2>&1
    (
        cd check-*/
        ./configure -q CC=musl-gcc --disable-shared --disable-subunit
        make -s -C lib
        make -s -C src libcheck.la
        cp check_stdint.h src/check.h "$folder/new/include"
        cp src/.libs/libcheck.a "$folder/new/lib"
    ) >check.log 2>&1
    mv "$folder/new" "$folder/musl"
}

case $2 in
musl) ! command -v musl-gcc >/dev/null || make_musl ;;
*) fetch "$2" ;;
esac
