#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on small trees that the scripts in builders/ add a file of at most 75
# lines and at most ten to those of a builder, and nothing twice or to a tree that
# they do not know.  What a builder with these lines does test-examples proves.

# shellcheck disable=SC2086 # names are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/help/hosts.sh"

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

while IFS='|' read -r host name version anchor; do
    tree=$SOURCE_DIR/tests/trees/$host
    apply=$SOURCE_DIR/builders/$host/apply.sh
    page=$SOURCE_DIR/doc/hosting-$host.md

    # --- What is added ---

    expect 2 "$apply"
    expect_match errors "^Usage: .*apply.sh \[--system\] SOURCE"
    add_stage $host
    expect_match said "$name takes --blockmap-plugin="
    diff -r "$tree" $host >changes || :
    ! grep '^<' changes || fail "a line of $name was changed"
    {
        sed -n 's/^> //p' changes
        cat "$SOURCE_DIR/builders/$host/blockmap-plugin.cpp"
    } >added
    lines=$(wc -l <added)
    own=$(wc -l <"$SOURCE_DIR/builders/$host/blockmap-plugin.cpp")
    [ "$own" -le 75 ] || fail "the file for $name has over 75 lines"
    [ "$lines" -le $((own + 10)) ] || fail "$lines lines are added to $name"
    expect_in "$page" "$lines lines" "$name"
    for file in builders/kit/nbstage-host.c builders/kit/nbstage-host.h include/nbstage.h; do
        expect_same "$SOURCE_DIR/$file" "$(find $host -name "${file##*/}")"
    done
    cp -R $host again
    expect 0 "$apply" $host
    expect_text output "$host has the stage already; nothing was changed"
    diff -r $host again || fail "something was done twice"
    rm -r again

    # The kit may be an installed one.
    cp -R "$tree" system
    chmod -R u+w system
    quietly "$apply" --system system
    diff -r $host system >changes.system || :
    expect_count 2 changes.system "^Only in $host.*: nbstage.*\.h\$"
    expect_count 1 changes.system "^> "
    expect_in changes.system "> #include <../share/nbstage/nbstage-host.c>"
    rm -r system

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
done <<'END'
zdbsp|ZDBSP 1.19|1.19|FBlockmapBuilder
elfbsp|ELFBSP 1.3|1.3.0|InitBlockmap
zokumbsp|ZokumBSP 1.1.1|1.1.1|parseArgs
END
