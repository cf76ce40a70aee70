#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-release.sh SOURCE FOLDER
#
# Makes all files of a release of SOURCE, in a new FOLDER, with the compilers of
# this system, which make-release.sh chooses.  Their bytes depend on these and
# on SOURCE_DATE_EPOCH, which has to be set, and on nothing else.

set -eu
source=$1
release=$2
: "${SOURCE_DATE_EPOCH:?}"
LC_ALL=C
MAKEFLAGS=-j$(nproc)
export LC_ALL MAKEFLAGS
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$release"
cd "$work"

# pack NAME: makes NAME.tar.xz of the folder NAME.
pack() {
    tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner \
        --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" -cf - "$1" |
        xz -9e -T1 >"$release/$1.tar.xz"
}

# Leaves the source in the folder $name.  What other versions of autotools and
# mandoc may have made is made anew.
make_source() {
    cp -R "$source" anew
    (
        cd anew
        autoreconf -fi
        ./configure -q
        make -s maintainer-clean
        ./configure -q
        make -s dist
    )
    name=$(basename anew/*.tar.xz .tar.xz)
    cp anew/*.tar.xz "$release"
    tar -xf "$release/$name.tar.xz"
}

# The command needs no library; the stage needs no other than libc.
make_linux() {
    linux=$name-linux-x86_64
    mkdir build "$linux" "$linux/manual" "$linux/licences"
    (
        cd build
        "../$name/configure" -q --with-stage=only \
            ZLIB_CFLAGS=' ' ZLIB_LIBS=-l:libz.a LDFLAGS=-Wl,--gc-sections \
            CFLAGS="-O2 -ffunction-sections -ffile-prefix-map=$work=."
        make -s command/blocksweep plugin/blocksweep.la
    )
    strip -o "$linux/blocksweep" build/command/blocksweep
    strip --strip-unneeded -o "$linux/blocksweep.so" \
        build/plugin/.libs/blocksweep.so
    sed "s/@VERSION@/${name#*-}/g" "$name/packaging/linux/README.txt" \
        >"$linux/README.txt"
    cp "$name"/man/*.html "$name/man/manual.css" "$linux/manual"
    for page in "$name"/man/*.[1-9]; do
        mandoc -T ascii -I os=blocksweep "$page" | sed 's/.\x08//g' \
            >"$linux/manual/${page##*/}.txt"
    done
    cp "$name"/LICENSES/*.txt "$linux/licences"
    cp /usr/share/common-licenses/LGPL-2.1 "$linux/licences/LGPL-2.1.txt"
    for library in libc6-dev zlib1g-dev; do
        cp /usr/share/doc/$library/copyright "$linux/licences/$library.txt"
    done
    pack "$linux"
}

make_windows() {
    for machine in x86_64 i686; do
        cp -R "$name" windows
        sh "$name/packaging/build-windows.sh" windows $machine \
            "$name-windows-$machine"
        mv "$name-windows-$machine.zip" "$release"
        rm -r windows
    done
}

make_vendor() {
    vendor=$name-vendor
    (cd build && make -s vendor VENDOR_FOLDER="$work/$vendor")
    cp "$name"/builders/kit/nbstage-host.[ch] "$name/include/nbstage.h" \
        "$name/doc/hosting.md" "$vendor"
    cp -R "$name/LICENSES" "$vendor/licences"
    pack "$vendor"
}

# What is copied into the folders of editors, all of which run on Windows.
make_editors() {
    editors=$name-editors
    builders="$editors/Ultimate Doom Builder/Compilers/Nodebuilders"
    unzip -q "$release/$name-windows-x86_64.zip"
    windows=$name-windows-x86_64
    mkdir -p "$builders" "$editors/SLADE"
    cp "$windows/blocksweep.exe" "$windows/repair.bat" \
        "$windows/editors/blocksweep.cfg" "$builders"
    cp "$windows/blocksweep.exe" "$windows/repair.bat" \
        "$windows/editors/nodebuilders.cfg" "$editors/SLADE"
    # With the ends of lines as on Windows.
    sed "s/@VERSION@/${name#*-}/; s/\$/\r/" \
        "$name/packaging/windows/editors.txt" >"$editors/README.txt"
    cp -R "$windows/licences" "$editors"
    find "$editors" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    find "$editors" -type f | sort |
        TZ=UTC zip -q -X -9 "$release/$editors.zip" -@
}

make_source
make_linux
make_windows
make_vendor
make_editors
cd "$release"
sha256sum blocksweep-* >SHA256SUMS
