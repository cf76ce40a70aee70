#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-debian.sh TARBALL FOLDER
#
# Builds the Debian packages of a release, source and binary, in a folder that
# is made for it.

set -eu
if [ $# -ne 2 ] || [ ! -f "$1" ] || [ -e "$2" ]; then
    echo "build-debian.sh: a tarball and a folder that is not there yet were" \
        "expected" >&2
    exit 2
fi
tarball=$1
mkdir "$2"
folder=$(cd "$2" && pwd)

release=$(basename "$tarball" .tar.xz)
version=${release#blocksweep-}
cp "$tarball" "$folder/blocksweep_$version.orig.tar.xz"
tar -xf "$tarball" -C "$folder"
cd "$folder/$release"
cp -R packaging/debian debian
dpkg-buildpackage -us -uc
