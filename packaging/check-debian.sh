#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release, RELEASE, is a Debian package.  As root; this system
# stays as it is: all happens in two fresh Debian 12, in folders, made of
# Debian's archive.  In one the packages are built, with what they ask for and
# nothing else, and lintian looks at them; they are built again in another
# folder, at another time and for another umask, and have to have the same
# bytes.  The other gets the packages alone, and try-installed.sh is run there.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
need lintian
# shellcheck source=packaging/fresh-system.sh
. "$packaging/fresh-system.sh"

# What Debian installs for those who use it, beside the least that it is.
fetch_system bookworm bash-completion,man-db,zsh

make_system builder bookworm
mkdir -p "$folder/builder/root/source/debian"
cp "$RELEASE" "$packaging/build-debian.sh" "$folder/builder/root"
cp "$packaging/debian/control" "$folder/builder/root/source/debian"
quietly run_in builder apt-get build-dep -q -y /root/source
quietly run_in builder sh -c 'cd && ./build-debian.sh *.tar.xz packages'
packages=$folder/builder/root/packages
lintian --display-info --pedantic --fail-on error,warning "$packages"/*.changes

quietly run_in builder apt-get install -q -y --no-install-recommends \
    libfaketime
# shellcheck disable=SC2086 # words
is_in_a_year run_in builder $in_a_year ||
    fail "libfaketime was expected to work in a fresh Debian"
# shellcheck disable=SC2086 # words
quietly run_in builder $in_a_year DEB_BUILD_OPTIONS=nocheck sh -c \
    'cd && umask 077 && mkdir /srv/there &&
        ./build-debian.sh *.tar.xz /srv/there/packages'
for package in "$packages"/*.deb; do
    expect_same "$package" "$folder/builder/srv/there/packages/${package##*/}"
done

make_system user bookworm
cp -R "$packages" "$packaging/try-installed.sh" "$folder/user/root"
quietly run_in user sh -c 'cd && ./try-installed.sh packages'
echo "check-debian.sh: $(cd "$packages" && echo *.deb): built and tried"
