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

for debian in bookworm trixie; do
    fetch_system $debian ca-certificates
    make_system $debian $debian
    tar -xf "$RELEASE" -C "$folder/$debian/srv"
    mv "$folder/$debian/srv"/* "$folder/$debian/srv/source"
    rm "$folder/$debian/srv/source/configure" # it is made there again
    for command in demo check; do
        begin=$(date +%s)
        quietly run_in $debian sh -c "cd /srv/source && ./bootstrap $command"
        echo "$debian: $command: $(($(date +%s) - begin)) s:" \
            "$(tail -n 1 "$folder/said")"
    done
    rm -rf "${folder:?}/$debian" "$folder/$debian.tar"
done
