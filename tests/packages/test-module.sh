#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what the module is to the process that loads it: one symbol, code that
# is shared, a stack that is not code, addresses that cannot be written once it
# is loaded, no data that changes, no library but those of every system, and no
# way to print, to write files, to catch signals or to end the process.

. "$SOURCE_DIR/tests/help/library.sh"

is_sanitized && skip "sanitizers bring symbols and calls of their own"
need nm readelf size

nm -D --defined-only "$PLUGIN" | awk '{ print $NF }' |
    expect_text - nbstage_describe

# Its own functions are called directly, whatever the process has of that name.
readelf -rW "$PLUGIN" >relocations
expect_not_in relocations nbstage_describe

readelf -d "$PLUGIN" >dynamic
expect_not_in dynamic TEXTREL

readelf -lW "$PLUGIN" >segments
awk '$1 == "GNU_STACK" { print $7 }' segments | expect_text - RW
expect_in segments GNU_RELRO
expect_match dynamic 'BIND_NOW\|FLAGS.* NOW'

sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' dynamic >libraries
! grep -vE '^(libc|libz|ld-linux.*)\.so\.' libraries ||
    fail "these libraries are not everywhere"

# Neither it nor the kit has data that changes: threads may use both at once.
size -A "$BUILD_DIR/src/.libs/libstage.a" "$BUILD_DIR"/builders/kit/.libs/*nbstage-host.o \
    >sizes
expect_in sizes "nbstage-host.o"
expect_in sizes "entries.o"
awk '$1 ~ /^[.]t?(data|bss)/ && $1 !~ /rel[.]ro/ && $2 > 0' sizes |
    expect_text - ""

# What remains is called for memory, to sort it and for text in it, and what
# compilers put in.  There is no abort, atexit or sigaction here.
nm -D --undefined-only "$PLUGIN" | sed 's/^ *[Uw] //; s/@.*//' | sort >calls
expect_match calls '^malloc$'
allowed='malloc|free|qsort|bcmp|(__)?mem(chr|cmp|cpy|move|set)(_chk)?'
allowed="$allowed|str(chr|cmp|cspn|len|ncmp|str)|(__)?v?snprintf(_chk)?"
allowed="$allowed|inflate(End|Init_)?"
allowed="$allowed|__stack_chk_fail|__cxa_finalize|__gmon_start__|_ITM_[A-Za-z]+"
! grep -vxE "$allowed" calls || fail "a stage was not expected to call these"

# It loads with any glibc since 2.17, of 2012, or with the first that there was
# for this machine, which malloc is as old as.
nm -D --undefined-only "$PLUGIN" |
    sed -n 's/^.* \([^ ]*\)@GLIBC_\([0-9]*\)[.]\([0-9]*\).*/\1 \2 \3/p' >versions
expect_match versions '^malloc '
awk '{ version[$1] = $2 * 1000 + $3 }
     END {
         oldest = version["malloc"] > 2017 ? version["malloc"] : 2017
         for (name in version)
             if (version[name] > oldest)
                 print name
     }' versions | expect_text - ""
