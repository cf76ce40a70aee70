#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the first two commands of README.md work in fresh systems with
# the least of packages, Debian 12 and 13, and install what they need.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=packaging/fresh-system.sh
. "$SOURCE_DIR/packaging/fresh-system.sh"

for release in bookworm trixie; do
    fetch_system $release ca-certificates
    make_system $release $release
    cp -R "$SOURCE_DIR" "$folder/$release/srv/source"
    for command in demo check; do
        begin=$(date +%s)
        quietly run_in $release sh -c \
            "cd /srv/source && rm -f configure && ./bootstrap $command"
        echo "$release: $command: $(($(date +%s) - begin)) s:" \
            "$(tail -n 1 "$folder/said")"
    done
    rm -rf "${folder:?}/$release" "$folder/$release.tar"
done
