#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on small trees that the scripts in builders/ add a file of at most 70
# lines, with the kit or, for distributions, with a line that includes it, and
# beside it only lines, which the script tells; nothing twice or to a tree that
# they do not know; and that what a builder does with a map that gets no blockmap
# is said once.  What a builder with these lines does test-examples proves.

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
    expect_no_output
    expect_count 1 errors "^source is not the source of $name: .* has no .*$1"
    expect_count 1 errors
    diff -r source before || fail "what is refused was changed"
    rm -r source before
}

# A kit that is installed, as pkg-config tells.
mkdir installed
cat >installed/nbstage.pc <<END
kitdir=$SOURCE_DIR/builders/kit
Name: nbstage
Description: for this test
Version: 1
END
installed="env PKG_CONFIG_LIBDIR=$folder/installed"

while IFS='|' read -r host name known anchor; do
    tree=$SOURCE_DIR/tests/trees/$host
    apply=$SOURCE_DIR/builders/$host/apply.sh
    adapter=$(cd "$SOURCE_DIR/builders/$host" && echo blockmap-plugin.c*)

    # --- What is added ---

    expect 2 "$apply"
    expect_match errors "^Usage: .*apply.sh \[--system\] SOURCE"
    add_stage $host
    cp said told
    expect_match told "$name takes --blockmap-plugin="
    # Lines that were there may have more blanks before them.
    ! diff -rw "$tree" $host | grep '^<' || fail "a line of $name was changed"
    diff -rw "$tree" $host | grep -c '^>' >>inserted || :
    own=$(wc -l <"$SOURCE_DIR/builders/$host/$adapter")
    [ "$own" -le 70 ] || fail "the file for $name has over 70 lines"
    for file in builders/kit/nbstage-host.c builders/kit/nbstage-host.h include/nbstage.h; do
        expect_same "$SOURCE_DIR/$file" "$(find $host -name "${file##*/}")"
    done

    # --- What is told ---

    (cd "$tree" && find . -type f) | while read -r file; do
        count=$(diff -w "$tree/$file" "$host/$file" | grep -c '^>') || :
        [ $count -eq 0 ] || expect_in told "    ${file#./}: $count at "
        [ $count -gt 0 ] || ! grep -F "    ${file#./}:" told ||
            fail "$file has no more lines"
    done
    expect_match told "$adapter: $own, and the kit"
    # The first of these numbers is that of the first line that differs.
    sed -n 's/^    \([^ ]*\): [0-9]* at \([0-9]*\).*/\1 \2/p' told >places
    [ -s places ] || fail "no place is told"
    while read -r file number; do
        diff -w "$tree/$file" "$host/$file" >changes || :
        expect_match changes "a$number\(,.*\)\{0,1\}\$"
    done <places
    expect_in told "Message for the commit:" "Try it in $host:" \
        "blockmap-plugin blocksweep " "blocksweep verify OUT.wad"

    cp -R $host again
    expect 0 "$apply" $host
    expect_text output "$host has the stage already; nothing was changed"
    diff -r $host again || fail "something was done twice"
    rm -r again

    # Lines may end as on Windows.
    cp -R "$tree" windows
    find windows -type f -exec sed -i 's/$/\r/' {} +
    quietly "$apply" windows
    diff -rqw "$tree" windows | sed -n 's/^Files [^ ]* and \([^ ]*\) .*/\1/p' |
        while read -r file; do
            sed 's/$/\r/' "$host/${file#*/}" | cmp - "$file" ||
                fail "$file: lines of Windows are mixed with others"
        done
    rm -r windows

    # --- With an installed kit ---

    if has pkg-config; then
        cp -R "$tree" system
        chmod -R u+w system
        expect 1 env PKG_CONFIG_LIBDIR=/nowhere "$apply" --system system
        expect_count 1 errors "--system needs nbstage-dev"
        diff -r "$tree" system || fail "something was done without the kit"
        quietly $installed "$apply" --system system
        expect_in said "and nbstage-host.c, which includes that in $SOURCE_DIR/builders/kit"
        diff -r $host system >changes || :
        expect_count 2 changes "^Only in $host.*: nbstage\(-host\)\{0,1\}\.h\$"
        expect_count 1 changes "^diff "
        expect_text "$(find system -name nbstage-host.c)" \
            "#include \"$SOURCE_DIR/builders/kit/nbstage-host.c\""
        rm -r system
    else
        echo "pkg-config is not there: nothing was tried with an installed kit"
    fi

    # --- What is refused ---

    expect_refused "$known" other
    expect_refused "$anchor" other
done <<'END'
zdbsp|ZDBSP 1.12 or later|WriteUDMF|FBlockmapBuilder
glbsp|glBSP 2.24|2.24|PutBlockmap
elfbsp|ELFBSP of April 2026 or later|BMAP_XBM1|InitBlockmap
zokumbsp|ZokumBSP 1.0.10 or later|lineDefsCollidable|CreateBLOCKMAP
END

# NEWS tells the fewest and the most lines; the tree of glBSP lacks some places.
told=$(tr '\n' ' ' <"$SOURCE_DIR/NEWS" |
    sed -n 's/.* and \([0-9]* to [0-9]*\) inserted ones.*/\1/p')
expect_count 4 inserted
while read -r count; do
    if [ "$count" -lt "${told%% *}" ] || [ "$count" -gt "${told##* }" ]; then
        fail "$count lines are inserted, but NEWS tells $told"
    fi
done <inserted
expect_count 1 inserted "^${told%% *}\$"

# ZDBSP's own lines get a block around them, and a tab more.
add_stage zdbsp
sed -n '/if (!BuildPluginBlockmap/,/^$/p' zdbsp/processor.cpp >block
expect_count 4 block "^			[^	]"
expect_count 7 block .

# --- Trees with other makefiles ---

# Older versions of ZDBSP have a makefile, and none of CMake.
cp -R "$SOURCE_DIR/tests/trees/zdbsp" old
chmod -R u+w old
rm old/CMakeLists.txt
cat >old/Makefile <<'END'
  EXE = zdbsp.exe
else
  EXE = zdbsp
endif
OBJS = main.o processor.o
CXXFLAGS = $(CFLAGS)
END
quietly "$SOURCE_DIR/builders/zdbsp/apply.sh" old
expect_in said "    Makefile: 3 at 4, 7" "    make" "    ./zdbsp "
sed -n 4p old/Makefile >flags
expect_text flags "  LDFLAGS += -ldl"

# --- Maps without a blockmap ---

quietly ${CC:-cc} -I"$SOURCE_DIR/include" -shared -fPIC '-DLUMP="BLOCKMAP"' \
    "$SOURCE_DIR/builders/examples/skeleton-stage.c" -o blockmap.so
host=zdbsp
! has "${CXX%% *}" || is_sanitized || {
    compile_host $CXX -I$SOURCE_DIR/include
    expect 0 ./host -u --blockmap-plugin=./blockmap.so,fail=empty
    cat output errors >said
    expect_count 1 said "no BLOCKMAP"
    expect 0 ./host -u
    expect_count 0 output "no BLOCKMAP"
}
host=glbsp
is_sanitized || {
    compile_host ${CC:-cc}
    expect 0 ./host -nonormal --blockmap-plugin=./blockmap.so
    expect_no_output
    expect_text errors "Warning: Without normal nodes the BLOCKMAP is left as it is (see -normal)"
    expect 0 ./host -nonormal
    expect_no_errors
    # glBSP lists no line without length.
    expect 0 ./host --blockmap-plugin="$PLUGIN"
    mv output longer
    expect 0 ./host -zero --blockmap-plugin="$PLUGIN"
    [ "$(wc -c <output)" -lt "$(wc -c <longer)" ] ||
        fail "a line that was left out is listed"
}
