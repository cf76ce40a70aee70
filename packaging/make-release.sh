#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make-release.sh SOURCE FOLDER
#
# Makes all files of a release of SOURCE, which `make distdir` has made, in
# FOLDER.  As root: it installs a Debian 12 in a new folder and runs
# build-release.sh there, so that files have the same bytes whatever the system
# here is.  SOURCE_DATE_EPOCH has to be set.

set -eu
SOURCE_DIR=$(cd "$1" && pwd)
mkdir -p "$2"
release=$(cd "$2" && pwd)
: "${SOURCE_DATE_EPOCH:?}"
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
skip() {
    fail "$@"
}
# shellcheck source=packaging/fresh-system.sh
. "$SOURCE_DIR/packaging/fresh-system.sh"

fetch_system bookworm ca-certificates
make_system builder bookworm
quietly run_in builder apt-get install -q -y --no-install-recommends \
    autoconf automake gcc libc6-dev libtool make mandoc perl pkg-config unzip \
    xz-utils zip zlib1g-dev libz-mingw-w64-dev g++-mingw-w64-i686-posix \
    g++-mingw-w64-x86-64-posix
cp -R "$SOURCE_DIR" "$folder/builder/srv/source"
quietly run_in builder env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
    sh /srv/source/packaging/build-release.sh /srv/source /srv/release
rm -f "$release"/blocksweep-* "$release/SHA256SUMS"
cp "$folder/builder/srv/release"/* "$release"
cat "$release/SHA256SUMS"
