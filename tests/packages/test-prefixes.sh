#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that one build folder installs into one prefix after another, and each
# command finds its own stage; that an installation works after it was moved;
# and that a moved command takes no stage that somebody else may have put beside
# it.

. "$SOURCE_DIR/tests/help/library.sh"

unset NBSTAGE_PLUGIN_PATH
expect_build "$sample" -o expected.wad
make_in "$BUILD_DIR" distdir distdir="$folder/release"
mkdir build

# expect_stage FILE COMMAND...: it loads this stage.
expect_stage() {
    stage=$folder/$1
    shift
    expect 0 "$@" --version
    sed -n 's/^Stage .* from //p' output | expect_text - "$stage"
}

# expect_works BIN STAGES: the command there builds, by the stage there.
expect_works() {
    expect 0 "$1/blocksweep" "$sample" -o out.wad
    expect_same out.wad expected.wad
    expect_stage "$2/blocksweep.so" "$1/blocksweep"
}

# Each of these prefixes is gone before the next is tried.
while read -r prefix bin stages arguments; do
    # shellcheck disable=SC2086 # words
    (cd build && expect 0 ../release/configure -q -C CFLAGS=-O0 \
        --prefix="$folder/$prefix" $arguments)
    make_in build
    make_in build install
    expect_works "$prefix/$bin" "$prefix/$stages"
    mv "$prefix" last
    [ "$prefix" = three ] || rm -rf last
done <<'END'
one games/bin lib64/nbstage --bindir=${prefix}/games/bin --libdir=${prefix}/lib64
two bin lib/of-a-machine/nbstage --libdir=${prefix}/lib/of-a-machine
three bin lib/nbstage
END

# Another prefix for make install compiles nothing anew.
make_in build install prefix="$folder/four" CC=false
expect_works four/bin four/lib/nbstage

# The last was moved.  What was named comes first, what is at the old place last.
mkdir -p three/lib/nbstage
echo "no stage" >three/lib/nbstage/blocksweep.so
expect_works last/bin last/lib/nbstage
ln -s last/bin/blocksweep link
expect_stage four/lib/nbstage/blocksweep.so \
    env NBSTAGE_PLUGIN_PATH="$folder/four/lib/nbstage" ./link
rm -rf three

# expect_none COMMAND...: it finds no stage.
expect_none() {
    expect 0 "$@" --version
    expect_in output "No stage: " "$folder/three/lib/nbstage"
    expect_not_in output "$folder/last"
}

# It takes none that all may have put there.
chmod o+w last/lib/nbstage
expect_none last/bin/blocksweep
chmod o-w last/lib/nbstage
expect_stage last/lib/nbstage/blocksweep.so last/bin/blocksweep

# Nor what another user owns, and none at all if it has more rights than its
# user.
[ "$(id -u)" -eq 0 ] || skip "the rest: only root gives files away"
need_user
chown 65534 last/lib/nbstage
expect_none last/bin/blocksweep
chown 0 last/lib/nbstage
chmod 711 .
expect_stage last/lib/nbstage/blocksweep.so as_user last/bin/blocksweep
chmod 2755 last/bin/blocksweep
expect_none as_user last/bin/blocksweep
