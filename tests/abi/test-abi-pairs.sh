#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that hosts and stages of different versions of nbstage.h work with each
# other: a host and a stage are compiled with every frozen header, with today's
# and with one of the future, whose structures have more members; others were
# compiled when a header was frozen.  Every pair runs, as do the hosts with the
# module and the stages with the command; all must tell what today's host and
# stage tell each other.

. "$SOURCE_DIR/tests/help/library.sh"

programs=$SOURCE_DIR/tests/abi

# compile VERSION: makes VERSION/host and VERSION/other.so with its nbstage.h.
compile() {
    # shellcheck disable=SC2086 # flags are words, here and below
    ${CC:-cc} -std=c11 ${SANITIZE_FLAGS-} -I"$1" "$programs/abi-host.c" \
        -o "$1/host" -ldl
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 ${SANITIZE_FLAGS-} -I"$1" -shared -fPIC \
        "$SOURCE_DIR/tests/command/other-stage.c" -o "$1/other.so"
}

# expect_pair HOST STAGE: with these it tells what today's two tell.
expect_pair() {
    expect 0 "$1/host" "./$2/other.so" motto="a b" delay=10 size=x
    expect_no_errors
    diff today-output output ||
        fail "a host of $1 with a stage of $2 tells otherwise"
}

# expect_module HOST OPTION...: so it does with the module.
expect_module() {
    host=$1
    shift
    expect 0 today/host "$PLUGIN" "$@"
    mv output expected
    expect 0 "$host/host" "$PLUGIN" "$@"
    expect_no_errors
    diff expected output ||
        fail "a host of $host with the module tells otherwise"
}

# use_command STAGE: writes what the command makes of it into $1.txt, $1.wad.
use_command() {
    other=./$1/other.so
    blocksweep --help --plugin="$other" | grep '^  ' >"$1.txt"
    expect 0 blocksweep --plugin="$other" --json --motto="a b" in.wad \
        -o out.wad
    mv out.wad "$1.wad"
    grep -v '"seconds"' output | cat - errors >>"$1.txt"
    expect 1 blocksweep --plugin="$other" --mood=bad in.wad -o out.wad
    cat errors >>"$1.txt"
}

# expect_command STAGE: with it the command makes what it makes with today's.
expect_command() {
    use_command "$1"
    diff today.txt "$1.txt" ||
        fail "the command with a stage of $1 tells otherwise"
    expect_same today.wad "$1.wad"
}

# It warns of every map.
OTHER_STAGE=warns
export OTHER_STAGE

# --- Every version ---

mkdir today future
cp "$SOURCE_DIR/include/nbstage.h" today
awk -f "$programs/declarations.awk" today/nbstage.h >declarations
cp "$BUILD_DIR/tests/command/future/nbstage.h" future
[ "$(grep -c 'later\[NBSTAGE_LATER\];' future/nbstage.h)" -ge 10 ] ||
    fail "the header of the future was expected to have longer structures"
versions="today future"
for header in "$programs"/*/nbstage.h; do
    awk -f "$programs/declarations.awk" "$header" | cmp -s - declarations &&
        continue # the same as today's
    version=$(basename "$(dirname "$header")")
    mkdir "$version"
    cp "$header" "$version"
    versions="$versions $version"
done
for version in $versions; do
    compile "$version"
done
for recorded in "$programs"/*/"$(uname -m)-linux"; do
    version=recorded-$(basename "$(dirname "$recorded")")
    [ -d "$recorded" ] || continue # in a release
    if is_sanitized || ! "$recorded/host" 2>&1 | grep -q '^usage: abi-host'; then
        echo "programs of $version do not run here"
    else
        cp -R "$recorded" "$version"
        versions="$versions $version"
    fi
done

# --- Every pair ---

expect 0 today/host ./today/other.so motto="a b" delay=10 size=x
cp output today-output
for line in "option failed 3" "message 1 weather" "lump BLOCKMAP" \
    "build failed 8" "0 blocks of memory are left"; do
    grep -q "^$line" today-output || fail "'$line' was expected of today's host"
done
write_room
room MAP01 | without BLOCKMAP | wadtool make PWAD in.wad
use_command today
grep -q '"sunny": true' today.txt || fail "a fact that is a flag was expected"

for version in $versions; do
    for stage in $versions; do
        expect_pair "$version" "$stage"
    done
    expect_module "$version"
    expect_module "$version" grid=search pack=nest prune=inert
    expect_command "$version"
done
