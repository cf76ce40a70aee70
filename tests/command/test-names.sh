#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that 1,000 names of maps, lumps and files, which have every byte and
# every control character and control of the direction of writing in them, get
# out of the command as printable text only, from every command and in every
# form of a report, in the C locale and in one of UTF-8; and that JSON has each
# name.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
write_room
write_segs
"$BUILD_DIR/run" perl "$SOURCE_DIR/tests/command/names.pl" ||
    fail "names of any bytes"
