#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that work of over a second shows how far it is on a terminal, that
# nothing of this is left on the screen, and that there is none of it anywhere
# else.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

need script
script -qec true typescript >/dev/null 2>&1 ||
    skip "script cannot give a command a terminal here"

other=$BUILD_DIR/tests/command/.libs/other-stage.so
{ room MAP01; room MAP02; room MAP03; } | wadtool make PWAD in.wad

# on_terminal ARGUMENT...: runs the command on a terminal; what it shows is in
# the file screen.
on_terminal() {
    script -qec "'$BUILD_DIR/run' blocksweep in.wad -o out.wad $*" screen \
        >/dev/null </dev/null || fail "$* did not work on a terminal"
}

# Three maps of half a second each.
on_terminal "-p '$other'" --delay=500
tr '\r' '\n' <screen >shown
expect_match shown '^MAP0[23]: map [23] of 3, [0-9]* % *$'

# Whatever was shown is overwritten with blanks before the next line.
tr '\r' '\n' <screen | awk '
    /^MAP0[0-9]: map/ { shown = 1; next }
    shown && /^ *$/ && length($0) == 60 { shown = 0; next }
    shown && NF { print "left on the screen before: " $0; bad = 1 }
    END { exit bad }' || fail "a line of progress was left"

# Short work; work of a second that is not to be told; work on no terminal.
on_terminal "-p '$other'" --delay=10
expect_not_in screen ' of 3, '
on_terminal "-p '$other'" --delay=500 --quiet
expect_not_in screen ' of 3, '
expect 0 blocksweep -p "$other" --delay=500 in.wad -o out.wad
expect_no_errors
expect_not_in output "$(printf '\r')"
