#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what the module is to the process that loads it: one symbol, code that
# is shared, no library but those of every system, and no way to print, to
# write files or to end the process.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"

is_sanitized && skip "sanitizers bring symbols and calls of their own"
for tool in nm readelf; do
    has $tool || skip "$tool is not there"
done

nm -D --defined-only "$PLUGIN" | awk '{ print $NF }' >symbols
expect_text symbols nbstage_describe

readelf -d "$PLUGIN" >dynamic
! grep TEXTREL dynamic || fail "the module's text is relocated"

sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' dynamic >libraries
! grep -vE '^(libc|libz|libpthread|ld-linux.*)\.so\.' libraries ||
    fail "these libraries are not everywhere"

# What remains is called for memory and for text in memory.
nm -D --undefined-only "$PLUGIN" | sed 's/.* //; s/@.*//' | sort >calls
grep -qx malloc calls || fail "calls were not found"
forbidden='_*exit|_Exit|quick_exit|abort|raise|kill|__assert.*|signal|sigaction'
forbidden="$forbidden|(__)?v?f?printf(_chk)?|(__)?v?dprintf(_chk)?|perror"
forbidden="$forbidden|f?puts|f?putc|putchar|fwrite|write|f?d?open(64)?|freopen"
forbidden="$forbidden|stdout|stderr|stdin|setlocale|getenv|setenv|atexit"
! grep -xE "$forbidden" calls || fail "a stage must not call these"
