#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the first two commands of README.md work in fresh systems with
# the least of packages, Debian 12 and 13, and install what they need; and that
# after each of them the targets of make that documents name work, or end with
# one line that says what to install.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=packaging/fresh-system.sh
. "$SOURCE_DIR/packaging/fresh-system.sh"

# Those that take a minute at most; `install` last, as it needs no line.
short="quick dist vendor bench windows fuzz install"
# Those that take long, and need more than a check.
long="check-packages check-foreign check-artifacts check-fresh release"
# A check brings what these need; Freedoom comes with a game.
all="check check-parts check-long check-engines compare coverage distcheck $long
$short"

# try_targets DEBIAN TARGET...
try_targets() {
    system=$1
    shift
    for target in "$@"; do
        status=0
        run_in "$system" make -s -C /srv/source "$target" FUZZ_SECONDS=2 \
            DESTDIR=/srv/root >said 2>&1 || status=$?
        [ "$status" -ne 0 ] || continue
        expect_count 1 said
        expect_in said "make $target needs " ": install "
        expect_match said "run [.]/configure again[.]  Stop[.]$"
    done
}

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
        # shellcheck disable=SC2086 # one word a target
        case $command in
        demo) try_targets $debian $all ;;
        check) try_targets $debian $long $short ;;
        esac
    done
    rm -rf "${folder:?}/$debian" "$folder/$debian.tar"
done
