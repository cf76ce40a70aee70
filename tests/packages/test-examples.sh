#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that hosts are short, the examples and four small builders to which
# builders/ adds the stage; that the example of a stage keeps what nbstage.h
# promises, makes a REJECT of the right size and fails in each of the ways that
# write-a-stage.md lists; that hosts and kit compile as C99 and as C++20, make what
# the command makes of the same levels, go on by themselves if nobody asked for a
# stage, and end with a sentence if the stage that was asked for cannot be loaded or
# fails; and that the code in the guide and nbstage(3) is theirs, or compiles and
# works.  With LONG in the environment also as C++11 and C++17, and by clang.

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

# --- The example of a stage ---

compile_c -shared -fPIC "$examples/skeleton-stage.c" -o reject.so
compile_c -shared -fPIC '-DLUMP="BLOCKMAP"' "$examples/skeleton-stage.c" \
    -o blockmap.so
for stage in reject blockmap; do
    quietly env PLUGIN=./$stage.so "$BUILD_DIR/tests/unit/test-stage"
done

# In REJECT there is a bit for each pair of sectors, of 26 bytes each, or of 24 in
# Doom 64's format.
cat >sectors.c <<'END'
#include "nbstage-host.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    static struct nbstage stage;
    const size_t size = argc > 1 ? (size_t)atoi(argv[1]) : 0;
    const struct nbstage_lump lumps[] = {
        {"SECTORS", calloc(1, size), size}, {"LEAFS", "", 1}};
    static struct nbstage_map map;
    const struct nbstage_lump *lump;
    map.size = sizeof map;
    map.name = "MAP01";
    map.format = argc > 2 ? (uint32_t)atoi(argv[2]) : NBSTAGE_FORMAT_DETECT;
    map.lumps = lumps;
    map.lump_count = argc > 3 ? 2 : 1;
    if (nbstage_open(&stage, "./reject.so", NULL, "REJECT") &&
        nbstage_build(&stage, &map, &lump))
        printf("%s of %d bytes\n", lump->name, (int)lump->data_size);
    else
        printf("%s\n", stage.error);
    free((void *)lumps[0].data);
    nbstage_close(&stage);
    return 0;
}
END
compile_c sectors.c "$kit" -o sectors
while IFS='|' read -r words sentence; do
    # shellcheck disable=SC2086 # words
    expect 0 ./sectors $words
    expect_text output "$sentence"
done <<END
286|REJECT of 16 bytes
26 2|REJECT of 1 bytes
624 3|REJECT of 85 bytes
624 0 LEAFS|REJECT of 85 bytes
624 1 LEAFS|REJECT of 72 bytes
27|MAP01: SECTORS is cut off; expected 26 bytes each; Doom 64: 24
26 3|MAP01: SECTORS is cut off; expected 26 bytes each; Doom 64: 24
$((26 * 65536))|MAP01: expected at most 65535 sectors
END

# The command: what it says, and what verify says of what was written.
expect 2 blocksweep --plugin=./blockmap.so --fail=never "$sample" -o out.wad
expect_sentence "expected no, open, build, later, empty or huge"
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

# --- The smallest hosts: in C, in C++, in the manual, and in Python ---

# expect_small BYTES COMMAND...: the host, which takes FILE[,OPTION=VALUE]...,
# prints the size of the lump, or a sentence.
expect_small() {
    bytes=$1
    shift
    while IFS='|' read -r code request text; do
        expect "$code" "$@" "$request" </dev/null
        cat output errors >said
        expect_match said "$text"
        [ "$code" -eq 0 ] || expect_no_output
    done <<END
0|$PLUGIN|^BLOCKMAP.* $bytes bytes\$
0|$PLUGIN,format=xbm1|^BLOCKMAP.* $((2 * bytes + 8)) bytes\$
1|$PLUGIN,pack=tight|'pack' does not take 'tight'
1|./no-such-stage.so|./no-such-stage.so: .*o such file
1|./blockmap.so,fail=open|^fail: open, as if there were no memory\$
1|./blockmap.so,fail=build|^MAP01: fails on purpose\$
0|./blockmap.so,fail=empty|^BLOCKMAP.* 0 bytes\$
0|./blockmap.so,fail=huge|^BLOCKMAP.* 16777216 bytes\$
END
}

expect_short 70 "$examples/minimal-host.c"
compile_c "$examples/minimal-host.c" "$kit" -o small
expect_small 98 ./small
if has "${cxx_compiler%% *}"; then
    cp "$examples/minimal-host.c" small.cc
    cp "$kit" small-kit.cc
    $cxx_compiler $flags small.cc small-kit.cc -o small -ldl
    expect_small 98 ./small
else
    echo "$cxx_compiler is not there: nothing was compiled as C++"
fi

program_in nbstage.3 >manual.c
[ -s manual.c ] || fail "nbstage.3 has no program"
compile_c manual.c "$kit" -o manual
expect_small 30 ./manual

# Python has no sanitizers that a stage could call.
expect_short 70 "$examples/host.py"
is_sanitized || ! has python3 || expect_small 98 python3 "$examples/host.py"

write_levels

# --- What they make ---

# expect_own_blockmaps: the host has gone on by itself.
expect_own_blockmaps() {
    expect_text output "the $whose own blockmap of MAP01
the $whose own blockmap of MAP02"
}

# expect_end REQUEST PART: the user would not get what they asked for, so the
# host says why, once, and builds nothing.
expect_end() {
    rm -f tmp.wad # ZDBSP's output
    run_host "$1" "$(status_of_failure)"
    cat output errors >said
    expect_short 1 said
    expect_match said "-blockmap-plugin: .*$2"
    expect_absent tmp.wad
}

# A stage that warns is heard.
check_host() {
    expect_lumps --grid=search --pack=nest --for=boom,mbf21
    expect_lumps --grid=-208,-108 --for=woof-dev --format=xbm1
    expect_lumps --prune=none
    run_host
    expect_own_blockmaps
    expect_no_errors
    run_host ""
    expect_own_blockmaps
    expect_no_errors
    expect_end ./no-such-stage.so,pack=nest "./no-such-stage.so: there is no"
    expect_end no-such-stage "there is no stage 'no-such-stage'"
    expect_end "$PLUGIN,pack=tight" "'pack' does not take 'tight'"
    expect_end "$PLUGIN,grid=8,8" "MAP01: .*8,8"
    expect_end ./blockmap.so,fail=open "fail: open"
    expect_end ./blockmap.so,fail=build "MAP01: fails on purpose"
    run_host ./blockmap.so,fail=later "$(status_of_failure)"
    cat output errors >said
    expect_match said "-blockmap-plugin: MAP02: fails on purpose"
    expect_absent tmp.wad
    run_host ./blockmap.so,fail=empty
    expect_no_errors
    case $host in
    source-port) expect_own_blockmaps ;;
    *) expect_no_output ;;
    esac
    run_host "$PLUGIN,grid=keep"
    expect_match errors '^warning: MAP01: .*there is no grid to keep'
}

# ELFBSP's host hands over all that tells which lines are inert.
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
other_compilers=gcc
cxx_compilers=g++
standards=c++20
if [ -n "${LONG-}" ]; then
    other_compilers="gcc clang"
    cxx_compilers="g++ clang++"
    standards="c++11 c++17 c++20"
fi
if is_sanitized; then
    other_compilers=
    cxx_compilers=${CXX##* }
fi

for option in $port_options; do
    expect_in "$examples/source-port.c" \
        "set(\"$(echo "${option#--}" | sed 's/=/", "/')\")"
done
for host in $hosts; do
    whose="builder's"
    if [ $host = glbsp ]; then
        add_stage $host
        for compiler in ${other_compilers:-${CC%% *}}; do
            has "$compiler" || continue
            compile_host "$compiler" -std=c99 $flags
            check_host
        done
        continue
    fi
    if [ $host = source-port ]; then
        whose="port's"
        expect_short 110 "$examples/source-port.c"
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
        for standard in $standards; do
            [ $host.$standard != elfbsp.c++11 ] || continue # it is C++20
            if [ $host = source-port ]; then
                compile cc "$compiler" -std=$standard
            else
                compile_host "$compiler" -std=$standard $flags
            fi
        done
        check_host
        [ $host != elfbsp ] || check_inert
    done
done

# --- The guide ---

# Code after "From `FILE`:" is in that file; that of write-a-stage.md is in the
# example; other code is a host that works, or compiles as C++.
for page in hosting builders write-a-stage; do
    example=
    [ $page != write-a-stage ] || example=builders/examples/skeleton-stage.c
    awk -v file=$example -v example=$example '/(From|^) ?`(examples|builders).*:$/ {
             match($0, /(examples|builders)[^`]*/)
             file = substr($0, RSTART, RLENGTH)
             sub(/^examples/, "builders/&", file)
             next }
         /^```/ { inside = /c(pp)?$/; code = /cpp$/ ? "cpp" : "c"; next }
         inside && file { print file ":" $0 }
         inside && !file { print >>("guide." code) }
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
done
expect_short 200 "$SOURCE_DIR/doc/hosting.md"
expect_short 120 "$SOURCE_DIR/doc/builders.md"
expect_short 90 "$SOURCE_DIR/doc/write-a-stage.md"
expect_match guide.c nbstage_build
cat >>guide.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void fail(const char *sentence)
{
    fprintf(stderr, "%s\n", sentence);
    exit(1);
}
int main(int argc, char **argv)
{
    struct vertex v[] = {{-256, -128}, {-256, 128}, {256, 128}, {256, -128}};
    struct line l[] = {{v, v + 1, 1, 0, 0}, {v + 1, v + 2, 1, 0, 0},
                       {v + 2, v + 3, 1, 0, 0}, {v + 3, v, 1, 0, 0}};
    const struct nbstage_lump *lump;
    stage_open(argc > 1 ? argv[1] : NULL);
    lump = stage_build("MAP01", v, 4, l, 4);
    if (lump)
        printf("BLOCKMAP has %d bytes\n", (int)lump->data_size);
    nbstage_close(&stage);
    return 0;
}
END
compile_c -Wno-unused-function -Wno-missing-prototypes guide.c "$kit" -o guide
expect_small 98 ./guide
{
    printf '#include <vector>\n#include "nbstage-host.h"\n%s\n' \
        'struct vertex { short x, y; };
        struct { std::vector<vertex> vertices; } level;
        void describe(nbstage_vertices &v) {'
    cat guide.cpp
    echo '}'
} >guide.cc
! has "${cxx_compiler%% *}" || $cxx_compiler -std=c++11 $flags -c guide.cc ||
    fail "the C++ in hosting.md does not compile"
