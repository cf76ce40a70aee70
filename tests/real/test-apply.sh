#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on small trees that the scripts in adapters/ add at most 70 lines to a
# builder, and nothing twice or to a tree that they do not know; and that a
# builder with these lines says one sentence if a stage cannot be used, makes its
# own blockmaps then, and ends with its own status if an option is wrong.

# shellcheck disable=SC2086 # commands and names are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/help/hosts.sh"

cxx=${CXX:-c++}
need "${cxx%% *}"

# expect_refused PATTERN TEXT: a tree with this text instead is not touched.
expect_refused() {
    cp -R "$tree" source
    chmod -R u+w source
    find source -type f -exec sed -i "s/$1/$2/" {} +
    cp -R source before
    expect 1 "$apply" source
    expect_count 1 errors "^source is not the source of $name: .* has no .*$1"
    diff -r source before || fail "what is refused was changed"
    rm -r source before
}

# expect_own REQUEST PART: the builder goes on by itself and says once why.
expect_own() {
    run_host "$1"
    expect_text output "the builder's own blockmap of MAP01
the builder's own blockmap of MAP02"
    expect_count 1 errors
    expect_in errors "$2"
}

quietly $CC ${SANITIZE_FLAGS-} -I"$SOURCE_DIR/plugin" -shared -fPIC \
    "$SOURCE_DIR/examples/skeleton-stage.c" -o reject.so
echo "no stage" >text.so

while IFS='|' read -r host name version anchor; do
    tree=$SOURCE_DIR/tests/trees/$host
    apply=$SOURCE_DIR/adapters/$host/apply.sh
    page=$SOURCE_DIR/doc/hosting-$host.md

    # --- What is added ---

    expect 2 "$apply"
    expect_match errors "^Usage: .*apply.sh SOURCE"
    add_stage $host
    expect_match said "$name takes --blockmap-plugin="
    diff -r "$tree" $host >changes || :
    ! grep '^<' changes || fail "a line of $name was changed"
    {
        sed -n 's/^> //p' changes
        cat "$SOURCE_DIR/adapters/$host/blockmap-plugin.cpp"
    } >added
    lines=$(wc -l <added)
    [ "$lines" -le 70 ] || fail "$lines lines are added to $name"
    [ "$(wc -l <"$SOURCE_DIR/adapters/$host/blockmap-plugin.cpp")" -le 60 ] ||
        fail "the file for $name has over 60 lines"
    expect_in "$page" "$lines lines" "$name"
    for file in kit/nbstage-host.c kit/nbstage-host.h plugin/nbstage.h; do
        expect_same "$SOURCE_DIR/$file" "$(find $host -name "${file#*/}")"
    done
    cp -R $host again
    expect 0 "$apply" $host
    expect_text output "$host has the stage already; nothing was changed"
    diff -r $host again || fail "something was done twice"
    rm -r again

    # Lines may end as on Windows.
    cp -R "$tree" windows
    find windows -type f -exec sed -i 's/$/\r/' {} +
    quietly "$apply" windows
    sed -n 's/^diff -r [^ ]* //p' changes | while read -r file; do
        sed 's/$/\r/' "$file" | cmp - "windows/${file#*/}" ||
            fail "$file: lines of Windows are mixed with others"
    done
    rm -r windows

    # --- What is refused ---

    expect_refused "$version" 9.9
    expect_refused "$anchor" other

    # --- What a user meets ---

    # shellcheck disable=SC2086 # flags are words
    compile_host $cxx ${SANITIZE_FLAGS-} -std=c++11
    expect_own ./none.so ./none.so
    expect_own ./text.so ./text.so
    expect_own ./reject.so "BLOCKMAP"
    for request in "$PLUGIN,pak=nest" "$PLUGIN,pack=tight"; do
        run_host "$request" "$(status_of_typo)"
        expect_no_output
        expect_count 1 errors
        expect_in errors "pa"
    done
    (
        unset HOME
        NBSTAGE_PLUGIN_PATH=:/:$folder/none::./text.so:$(printf '\033')
        export NBSTAGE_PLUGIN_PATH
        expect_own no-such-stage "'no-such-stage'"
        expect_own blocksweep "'blocksweep'"
        run_host "$PLUGIN"
        expect_no_errors
    )
done <<'END'
zdbsp|ZDBSP 1.19|1.19|FBlockmapBuilder
elfbsp|ELFBSP 1.3|1.3.0|InitBlockmap
zokumbsp|ZokumBSP 1.1.1|1.1.1|parseArgs
END
