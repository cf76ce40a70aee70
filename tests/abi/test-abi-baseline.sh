#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the exported interface, types and all, is the one stored in
# tests/abi/nbstage-amd64.abi: of nbstage.h, and of the module.  With --renew
# (`make renew-abi`) stores what it is now.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

baseline=$SOURCE_DIR/tests/abi/nbstage-amd64.abi

${CC:-cc} -dM -E - </dev/null >macros
for macro in __x86_64__ __LP64__; do
    grep -q "^#define $macro " macros ||
        skip "the interface is stored for amd64; this is for another machine"
done
for tool in abidiff abidw; do
    has $tool || skip "$tool is not there"
done

# expect_interface LIBRARY: it has the interface that is stored.
expect_interface() {
    abidiff --harmless --fail-no-debug-info --ignore-soname --no-show-locs \
        --suppressions opaque "$baseline" "$1" >changes || {
        cat changes
        fail "${1##*/}: the interface is not the one that is stored." \
            "Structures may get members at their ends, the header new" \
            "constants and structures; then store it with 'make renew-abi'." \
            "Anything else breaks hosts and stages that exist."
    }
}

# Compiled here, it is the same whatever the compiler and its flags.
cp "$SOURCE_DIR/tests/abi/interface.c" .
${CC:-cc} -std=c11 -g -shared -fPIC -I"$SOURCE_DIR/plugin" interface.c \
    -o interface.so
if [ "${1-}" = --renew ]; then
    abidw --no-comp-dir-path --no-corpus-path --no-show-locs \
        --out-file "$baseline" interface.so
    exit
fi

# What an instance is made of is each stage's own.
printf '[suppress_type]\nname = nbstage_instance\n' >opaque
expect_interface interface.so
if is_sanitized || ! readelf -S "$PLUGIN" | grep -q '\.debug_info'; then
    echo "not looked at: the module, which has no types, or sanitizers in it"
else
    expect_interface "$PLUGIN"
fi
