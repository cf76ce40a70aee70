#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release, RELEASE, is a Debian package, of Debian 12 or of those
# named in DEBIAN_SUITES.  As root; this system stays as it is: all happens in two
# fresh systems of each, in folders, made of Debian's archive.  In one the
# packages are built, with what they ask for and nothing else.  The other gets the
# packages alone, and try-installed.sh is run there.  On Debian 12 lintian looks
# at the packages; and they are built again in another folder, at another time and
# for another umask, and have to have the same bytes.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
need lintian
# shellcheck source=packaging/fresh-system.sh
. "$packaging/fresh-system.sh"

# build_packages SUITE: leaves them in the folder $packages.
build_packages() {
    # What Debian installs for those who use it, beside the least that it is.
    fetch_system "$1" bash-completion,man-db,zsh
    make_system builder "$1"
    mkdir -p "$folder/builder/root/source/debian"
    cp "$RELEASE" "$packaging/build-debian.sh" "$folder/builder/root"
    cp "$packaging/debian/control" "$folder/builder/root/source/debian"
    quietly run_in builder apt-get build-dep -q -y /root/source
    quietly run_in builder sh -c 'cd && ./build-debian.sh *.tar.xz packages'
    packages=$folder/builder/root/packages
}

try_packages() {
    make_system user "$1"
    cp -R "$packages" "$packaging/try-installed.sh" "$folder/user/root"
    quietly run_in user sh -c 'cd && ./try-installed.sh packages'
    echo "$1: $(cd "$packages" && echo *.deb): built and tried"
    rm -rf "${folder:?}/user" "$folder/builder" "$folder/$1.tar"
}

build_again() {
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
        expect_same "$package" \
            "$folder/builder/srv/there/packages/${package##*/}"
    done
}

for suite in ${DEBIAN_SUITES:-bookworm}; do
    build_packages "$suite"
    if [ "$suite" = bookworm ]; then
        lintian --display-info --pedantic --fail-on none \
            "$packages"/*.changes >hints
        cat hints
        # appstreamcli 1.0 warns that there is no homepage.
        ! grep '^[EW]:' hints |
            grep -v ' appstream-metadata-validation-failed ' ||
            fail "lintian was expected to warn of nothing else"
        build_again
    fi
    try_packages "$suite"
done
