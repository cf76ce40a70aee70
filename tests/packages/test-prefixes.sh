#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that one build folder installs into one prefix after another, and each
# command finds its own stage; that an installation of any layout works after
# it was moved; and that a moved command takes no stage that somebody else may
# have put beside it.

. "$SOURCE_DIR/tests/help/library.sh"

unset NBSTAGE_PLUGIN_PATH BLOCKSWEEP_GLBSP_ADAPTER
expect_build "$sample" -o expected.wad
make_in "$BUILD_DIR" distdir distdir="$folder/release"
mkdir build

# expect_works BIN LINE...: the command there builds, and plugins says at its
# end that these folders were searched, and no others.
expect_works() {
    bin=$1
    shift
    expect 0 "$bin/blocksweep" "$sample" -o out.wad
    expect_same out.wad expected.wad
    expect 0 "$bin/blocksweep" plugins
    tr -s ' ' <output | grep '^Installed\|^Moved\|^Searched' >searched
    printf '%s\n' "$@" | diff - searched || fail "other folders were expected"
    ! has glbsp || expect 0 "$bin/glbsp-blocksweep" "$sample" -o gl.wad
}

# Each of these prefixes is gone before the next is tried.
while read -r prefix bin plugins arguments; do
    # shellcheck disable=SC2086 # words
    (cd build && expect 0 ../release/configure -q -C CFLAGS=-O0 \
        --prefix="$folder/$prefix" $arguments)
    make_in build
    make_in build install
    expect_works "$prefix/$bin" "Installed in $folder/$prefix/$plugins: 2 files"
    mv "$prefix" last
    [ "$prefix" = three ] || rm -rf last
done <<'END'
one bin lib/nbstage
two bin lib/of-a-machine/nbstage --libdir=${prefix}/lib/of-a-machine
three games/bin lib64/nbstage --bindir=${prefix}/games/bin --libdir=${prefix}/lib64
END

# Another prefix for make install compiles nothing anew.
make_in build install prefix="$folder/four" CC=false
gone="Installed in $folder/three/lib64/nbstage"
expect_works four/games/bin "Moved to $folder/four/lib64/nbstage: 2 files" \
    "$gone: not there"

# The last was moved.  What was named comes first, what is at the old place last.
moved="Moved to $folder/last/lib64/nbstage: 2 files"
mkdir -p three/lib64/nbstage
echo "no stage" >three/lib64/nbstage/blocksweep.so
expect_works last/games/bin "$moved" "$gone: 0 files"
ln -s last/games/bin/blocksweep link
NBSTAGE_PLUGIN_PATH=$folder/four/lib64/nbstage expect 0 ./link plugins
sed -n '2p' output | expect_text - "$folder/four/lib64/nbstage/blocksweep.so"
expect_line "${moved% 2*} 0 files" "$gone: 0 files"
expect 0 ./link plugins --json
expect_count 2 output '"installed": true'
rm -rf three

# expect_none COMMAND...: it finds no stage.
expect_none() {
    expect 1 "$@" plugins
    expect_line "$gone: not there"
    expect_not_in output "$folder/last"
}

# Alone, it takes none from folders near.  Nor one that all may have put there.
mkdir last/games/other
cp last/games/bin/blocksweep last/games/other
expect_none last/games/other/blocksweep
for open in last/lib64/nbstage last/lib64 last; do
    chmod o+w $open
    expect_none last/games/bin/blocksweep
    chmod o-w $open
done
expect 0 last/games/bin/blocksweep plugins
if [ "$(id -u)" -eq 0 ]; then # only root gives folders to any group
    chgrp 23456 last/lib64
    expect 0 last/games/bin/blocksweep plugins
    chmod g+w last/lib64
    expect_none last/games/bin/blocksweep
    chmod g-w last/lib64
    chgrp 0 last/lib64
fi

# Nor what another user owns, and none at all if it has more rights than its
# user.
[ "$(id -u)" -eq 0 ] || skip "the rest: only root gives files away"
need_user
chown 65534 last/lib64
expect_none last/games/bin/blocksweep
chown 0 last/lib64
chmod 711 .
expect 0 as_user last/games/bin/blocksweep plugins
chmod 2755 last/games/bin/blocksweep
expect_none as_user last/games/bin/blocksweep
