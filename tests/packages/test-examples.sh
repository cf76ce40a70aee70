#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that hosts are short, the examples and three small builders to which
# builders/ adds the stage; that the example of a stage keeps what nbstage.h
# promises, makes a REJECT of the right size and fails in each of the ways that
# write-a-stage.md lists; that they and the host kit compile as C99 to C23 and as
# C++11 to C++20, make what the command makes of the same levels, go on by
# themselves without the stage, which they say once, and end if an option is
# wrong; and that the code in the guide and nbstage(3) is theirs, or
# compiles and works.

# shellcheck disable=SC2086 # flags are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/help/hosts.sh"

examples=$SOURCE_DIR/builders/examples
kit=$SOURCE_DIR/builders/kit/nbstage-host.c
flags="-pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion
    -Werror
    -I$SOURCE_DIR/include -I$SOURCE_DIR/builders/kit ${SANITIZE_FLAGS-}"
c_compiler=${CC:-cc}
cxx_compiler=${CXX:-c++}

# compile_c ARGUMENT...: compiles and links C99.
compile_c() {
    $c_compiler -std=c99 $flags "$@" -ldl || fail "$* does not compile"
}

# expect_short MOST FILE: the file has no more lines.
expect_short() {
    [ "$(wc -l <"$2")" -le "$1" ] || fail "$2 has more than $1 lines"
}

# program_in PAGE: prints the program in a manual page.
program_in() {
    awk '/^\.Bd/ { block = ""; next }
         /^\.Ed/ { if (block ~ /int main/) printf "%s", block }
         { block = block $0 "\n" }' "$SOURCE_DIR/man/$1" | sed 's/\\e/\\/g'
}

# --- The smallest host, which has no kit ---

# expect_grid: it prints the grid of its map, a room of 512 x 256 units around
# 0,0 whose northern and eastern lines are on the borders of blocks.
expect_grid() {
    expect 0 ./example "$PLUGIN"
    expect_no_errors
    for fact in "grid: fit" "origin_x: -256" "origin_y: -128" "columns: 5" \
        "rows: 3" "linedefs: 4" "BLOCKMAP has [1-9][0-9]* bytes"; do
        expect_match output "^$fact\$"
    done
    expect 1 ./example ./no-such-stage.so
    expect_match errors ./no-such-stage.so
}

expect_short 110 "$examples/minimal-host.c"
compile_c "$examples/minimal-host.c" -o example
expect_grid
if has "${cxx_compiler%% *}"; then
    cp "$examples/minimal-host.c" example.cc
    $cxx_compiler $flags example.cc -o example -ldl
    expect_grid
else
    echo "$cxx_compiler is not there: nothing was compiled as C++"
fi

program_in nbstage.3 >manual.c
[ -s manual.c ] || fail "nbstage.3 has no program"
compile_c manual.c -o manual
expect 0 ./manual "$PLUGIN"
expect_match output '^BLOCKMAP: [1-9][0-9]* bytes$'
expect 1 ./manual ./no-such-stage.so

# --- The example of a stage ---

compile_c -shared -fPIC "$examples/skeleton-stage.c" -o reject.so
compile_c -shared -fPIC '-DLUMP="BLOCKMAP"' "$examples/skeleton-stage.c" \
    -o blockmap.so
for stage in reject blockmap; do
    quietly env PLUGIN=./$stage.so "$BUILD_DIR/tests/unit/test-stage"
done

# In REJECT there is a bit for each pair of sectors, of 26 bytes each.
cat >sectors.c <<'END'
#include "nbstage-host.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
    static struct nbstage stage;
    const size_t size = argc > 1 ? (size_t)atoi(argv[1]) : 0;
    const struct nbstage_lump sectors = {sizeof sectors, "SECTORS",
                                         calloc(1, size), size, NBSTAGE_PLAIN};
    const struct nbstage_map map = nbstage_map_from_lumps("MAP01", &sectors, 1);
    const struct nbstage_lump *lump = NULL;
    if (nbstage_load(&stage, "./reject.so", NULL, NULL, "REJECT", NULL))
        lump = nbstage_build(&stage, &map);
    if (lump)
        printf("%s of %d bytes\n", lump->name, (int)lump->data_size);
    else
        printf("%s\n", stage.error);
    free((void *)sectors.data);
    nbstage_close(&stage);
    return 0;
}
END
compile_c sectors.c "$kit" -o sectors
while IFS='|' read -r bytes sentence; do
    expect 0 ./sectors "$bytes"
    expect_text output "$sentence"
done <<END
286|REJECT of 16 bytes
26|REJECT of 1 bytes
27|MAP01: SECTORS is cut off; expected 26 bytes for each
$((26 * 65536))|MAP01: expected at most 65535 sectors
END

# The command: what it says, and what verify says of what was written.
expect 2 blocksweep --plugin=./blockmap.so --fail=never "$sample" -o out.wad
expect_sentence "expected no, open, build, empty or huge"
while IFS='|' read -r mode code sentence verified verdict; do
    expect_match "$SOURCE_DIR/doc/write-a-stage.md" "^| \`$mode\` "
    rm -f out.wad
    expect $code blocksweep --plugin=./blockmap.so --fail=$mode "$sample" \
        -o out.wad
    cat errors >>output
    expect_match output "$sentence"
    [ -n "$verified" ] || { expect_absent out.wad; continue; }
    expect $verified blocksweep verify out.wad
    expect_match output "$verdict"
done <<'END'
open|3|out of memory; nothing was written||
build|1|MAP01: fails on purpose|0|^MAP01 .* 205 .* harmless$
empty|0|Wrote out.wad|0|  empty$
huge|0|Wrote out.wad|1|3 rejected
END

write_levels

# --- What they make ---

# expect_own_blockmaps: the host has gone on by itself.
expect_own_blockmaps() {
    expect_text output "the $whose own blockmap of MAP01
the $whose own blockmap of MAP02"
}

# expect_fallback REQUEST PART: the stage cannot be used; it is said once why.
expect_fallback() {
    run_host "$1"
    expect_own_blockmaps
    expect_refusal "$2"
}

expect_refusal() {
    expect_short 1 errors
    expect_match errors "$1" '^--blockmap-plugin: '
}

# expect_end REQUEST PART: the user is wrong, and the host builds nothing.
expect_end() {
    run_host "$1" "$(status_of_typo)"
    expect_no_output
    expect_refusal "$2"
}

# A stage that fails says so of each level, and one that warns is heard.
check_host() {
    expect_lumps --grid=search --pack=nest --for=boom,mbf21
    expect_lumps --grid=-208,-108 --for=woof-dev --format=xbm1
    expect_lumps --prune=none
    run_host
    expect_own_blockmaps
    expect_no_errors
    expect_fallback ./no-such-stage.so,pack=nest ./no-such-stage.so
    expect_end "$PLUGIN,pack=tight" "'pack' does not take 'tight'"
    run_host "$PLUGIN,grid=8,8"
    expect_own_blockmaps
    expect_count 2 errors '^MAP0[12]: .*8,8'
    run_host "$PLUGIN,grid=keep"
    expect_match errors '^warning: MAP01: .*there is no grid to keep'
}

# A builder's host describes all that tells which lines are inert.
check_inert() {
    for prune in tagged inert; do
        blocksweep --quiet --map=MAP01 --prune=$prune $host.wad -o $prune.wad
        wadtool extract $prune.wad MAP01/BLOCKMAP >$prune
        run_host "$PLUGIN,prune=$prune"
        head -c "$(wc -c <$prune)" output >first
        expect_same first $prune
    done
    ! cmp -s tagged inert || fail "$host.wad has no inert line"
}

# --- Compilers ---

# compile ENDING COMPILER...: makes ./host of the source port and the kit, with
# its files named as those of a language.
compile() {
    ending=$1
    shift
    cat "$examples/source-port.c" >"host.$ending"
    cat "$kit" >"nbstage-host.$ending"
    "$@" $flags "host.$ending" "nbstage-host.$ending" -o host -ldl ||
        fail "the source port does not compile with $*"
}

# The stage needs the sanitizers of its own compiler.
other_compilers="gcc clang"
cxx_compilers="g++ clang++"
if is_sanitized; then
    other_compilers=
    cxx_compilers=${CXX##* }
fi

expect_match "$examples/source-port.c" \
    "\"$(echo "$port_options" | sed 's/--//g; s/ /,/g')\""
for host in $hosts; do
    whose="builder's"
    if [ $host = source-port ]; then
        whose="port's"
        expect_short 99 "$examples/source-port.c"
        for compiler in $other_compilers; do
            has "$compiler" || continue
            compile c "$compiler" -std=c99
            check_host
        done
    else
        add_stage $host
    fi
    for compiler in $cxx_compilers; do
        has "$compiler" || continue
        for standard in c++11 c++20; do
            if [ $host = source-port ]; then
                compile cc "$compiler" -std=$standard
            else
                compile_host "$compiler" -std=$standard $flags -Wold-style-cast
            fi
        done
        check_host
        [ $host = source-port ] || check_inert
        expect_fallback no-such-stage "'no-such-stage'"
    done
done

# --- The guide ---

# Code after "From `FILE`:" is in that file; that of write-a-stage.md is in the
# example; other code compiles.
for page in hosting hosting-zdbsp hosting-elfbsp hosting-zokumbsp \
    write-a-stage; do
    example=
    [ $page != write-a-stage ] || example=builders/examples/skeleton-stage.c
    awk -v file=$example -v example=$example '/(From|^) ?`(examples|builders).*:$/ {
             match($0, /(examples|builders)[^`]*/)
             file = substr($0, RSTART, RLENGTH)
             sub(/^examples/, "builders/&", file)
             next }
         /^```/ { inside = /c(pp)?$/; next }
         inside && file { print file ":" $0 }
         inside && !file { print >>"functions.c" }
         !inside && NF { file = example }' "$SOURCE_DIR/doc/$page.md" >quotes
    while IFS=: read -r file line; do
        grep -qxF -e "$line" "$SOURCE_DIR/$file" ||
            fail "$page.md has '$line', which is not in $file"
    done <quotes
    # A page is read where it is installed, beside the examples alone.
    ! grep -n ']([^h]' "$SOURCE_DIR/doc/$page.md" ||
        fail "$page.md has links to files"
    grep -oE '(examples|builders)/[a-z/-]*\.(c|cpp|sh)' \
        "$SOURCE_DIR/doc/$page.md" | sed 's|^examples|builders/&|' |
        while read -r file; do
            [ -f "$SOURCE_DIR/$file" ] || fail "$page.md tells of $file"
        done
    [ $page = hosting ] || expect_short 90 "$SOURCE_DIR/doc/$page.md"
done
expect_short 300 "$SOURCE_DIR/doc/hosting.md"
{ echo '#include "nbstage-host.h"'; cat functions.c; } >guide.c
expect_match guide.c nbstage_build
$c_compiler -std=c99 $flags -Wno-unused-function -c guide.c ||
    fail "what hosting.md has does not compile"
