#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the example hosts are short, that they and the host kit compile
# as C99 and as C++, make what the command makes of the same level, and go on
# by themselves without the stage, which they say once; and that the code in
# the guide and in nbstage-host(3) is theirs, or compiles.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

hosts="integer-host fixed-point-host double-host"
examples=$SOURCE_DIR/examples
kit=$SOURCE_DIR/kit
flags="-pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Werror
    -I$SOURCE_DIR/plugin -I$kit ${SANITIZE_FLAGS-}"

for host in $hosts; do
    [ "$(wc -l <"$examples/$host.c")" -lt 60 ] ||
        fail "$host.c was expected to have less than 60 lines"
done

# --- Their levels, as files for the command ---

vertex() {
    echo "vertex { x = $1; y = $2; }"
}

# line V1 V2 [FIELD]: one in UDMF, as the examples have them.
line() {
    echo "linedef { v1 = $1; v2 = $2; blocking = true; sidefront = 0; ${3-} }"
}

# tagged_linedef V1 V2: prints one that asks to be left out.
tagged_linedef() {
    words "$1" "$2" 4 0 999 4 5
}

write_integer_level() {
    words -200 -100 -200 500 900 650 700 -100 >VERTEXES
    {
        linedef 0 1; linedef 1 2; linedef 2 3; linedef 3 0
        tagged_linedef 0 2
    } >LINEDEFS
    printf 'MAP01\nLINEDEFS LINEDEFS\nVERTEXES VERTEXES\n' |
        wadtool make PWAD integer-host.wad
}

# write_fraction_level NAME [FIELD]: the last line has this field.
write_fraction_level() {
    {
        echo 'namespace = "zdoom";'
        vertex -200.0 -100.0
        vertex -200.7 500.0
        vertex 900.0 650.25
        line 0 1; line 1 2; line 2 0 "${2-}"
        echo 'sidedef { sector = 0; } sector { }'
    } >TEXTMAP
    printf 'MAP01\nTEXTMAP TEXTMAP\nENDMAP\n' |
        wadtool make PWAD "$1.wad"
}

# A line whose tag is 999 asks to be left out in the format of Doom; in UDMF
# its id is as good as any other.
write_integer_level
write_fraction_level fixed-point-host
write_fraction_level double-host "id = 999;"

# --- What they make ---

# expect_lumps HOST OPTION...: the host makes for two levels what the command
# makes of the first.
expect_lumps() {
    host=$1
    shift
    blocksweep --quiet "$@" "$host.wad" -o expected.wad
    wadtool extract expected.wad MAP01/BLOCKMAP >lump
    [ -s lump ] || fail "the command has made no lump"
    cat lump lump >expected
    request=$PLUGIN
    for option in "$@"; do
        request=$request,${option#--}
    done
    expect 0 ./host --blockmap-plugin "$request" MAP01 MAP02
    expect_no_errors
    expect_same output expected
}

expect_all_lumps() {
    expect_lumps "$1"
    expect_lumps "$1" --pack=none
    expect_lumps "$1" --grid=search --pack=nest --header=any --threads=1
    expect_lumps "$1" --grid=-208,-108 --format=xbm1
    expect_lumps "$1" --pack=cover --grid=-300,-200 --header=none
    expect_lumps "$1" --preset=id --prune=none
}

# expect_own_blockmaps: the host has gone on by itself.
expect_own_blockmaps() {
    expect_text output "the builder's own blockmap of MAP01
the builder's own blockmap of MAP02"
}

# expect_fallback REQUEST PART: the stage cannot be used; it is said once that
# the host does without, and why.
expect_fallback() {
    expect 0 ./host --blockmap-plugin "$1" MAP01 MAP02
    expect_own_blockmaps
    [ "$(wc -l <errors)" -eq 1 ] || {
        cat errors
        fail "one sentence was expected"
    }
    grep -qF -e "$2" errors || fail "'$2' was expected in the sentence"
    grep -q '^--blockmap-plugin: .*; going on without it$' errors ||
        fail "it was expected to be said that the host goes on"
}

expect_all_fallbacks() {
    expect 0 ./host MAP01 MAP02
    expect_own_blockmaps
    expect_no_errors
    expect_fallback no-such-stage "'no-such-stage'"
    expect_fallback ./no-such-stage.so,pack=nest ./no-such-stage.so
    expect_fallback "$SOURCE_DIR/README.md" README.md
    expect_fallback "$PLUGIN,pack=tight" "'pack' does not take 'tight'"
    expect_fallback "$PLUGIN,grid=8,8,pak=nest" "'pak'"
}

# A stage that fails says so of each level, and one that warns is heard.
expect_failures_of_levels() {
    expect 0 ./host --blockmap-plugin "$PLUGIN,grid=8,8" MAP01 MAP02
    expect_own_blockmaps
    [ "$(grep -c '^MAP0[12]: .*8,8' errors)" -eq 2 ] || {
        cat errors
        fail "a sentence for each level was expected"
    }
    expect 0 ./host --blockmap-plugin "$PLUGIN,grid=keep" MAP01
    grep -q '^warning: MAP01: .*there is no grid to keep' errors ||
        fail "a warning was expected"
}

check_host() {
    expect_all_lumps "$1"
    expect_all_fallbacks
    expect_failures_of_levels
}

# --- Compilers ---

# compile ENDING COMPILER...: makes ./host of an example and the kit, with its
# files named as those of a language.
compile() {
    ending=$1
    shift
    cat "$examples/$host.c" >"host.$ending"
    cat "$kit/nbstage-host.c" >"nbstage-host.$ending"
    # shellcheck disable=SC2086 # flags are words
    "$@" $flags "host.$ending" "nbstage-host.$ending" -o host -ldl ||
        fail "$host.c does not compile with $*"
}

# The stage needs the sanitizers of its own compiler.
c_compilers="gcc clang"
cxx_compilers="g++ clang++"
if is_sanitized; then
    c_compilers=$CC
    cxx_compilers=$CXX
fi

for host in $hosts; do
    for compiler in $c_compilers; do
        has "$compiler" || continue
        compile c "$compiler" -std=c99
        check_host "$host"
    done
    for compiler in $cxx_compilers; do
        has "$compiler" || continue
        compile cc "$compiler" -std=c++11
        compile cc "$compiler" -std=c++17
        check_host "$host"
    done
done

# On Windows they do without; the kit compiles there, and links.
for host in $hosts; do
    # shellcheck disable=SC2086 # a command and its flags
    compile c ${CC:-cc} -std=c99 -D_WIN32
    expect_fallback "$PLUGIN" "stages cannot be loaded on Windows"
    is_sanitized || ! nm -u host | grep dlopen || fail "dlopen is called"
done

# Casts are C++'s where C++ compilers look at them.
cp "$kit/nbstage-host.c" kit.cc
for compiler in $cxx_compilers; do
    # shellcheck disable=SC2086 # flags are words
    ! has "$compiler" || "$compiler" $flags -Wold-style-cast -c kit.cc ||
        fail "the kit has casts of C"
done

# A vertex that does not fit: the host goes on by itself, without the stage.
sed 's/{900, 650.25}/{32768, 650.25}/' "$examples/double-host.c" >host.c
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c99 $flags host.c "$kit/nbstage-host.c" -o host -ldl
expect 0 ./host --blockmap-plugin "$PLUGIN" MAP01 MAP02
expect_own_blockmaps
expect_no_errors

# Without a folder that is compiled in, stages are looked for where systems have
# them, for their kind of machine, too.
host=integer-host
# shellcheck disable=SC2086 # a command and its flags
compile c ${CC:-cc} -std=c99
expect_fallback no-such-stage /usr/local/lib/nbstage
expect_fallback no-such-stage :/usr/lib/nbstage
case $(uname -s),$(${CC:-cc} -print-multiarch 2>/dev/null) in
Linux,x86_64-linux-gnu)
    expect_fallback no-such-stage :/usr/lib/x86_64-linux-gnu/nbstage:
    expect_fallback no-such-stage :/usr/lib64/nbstage: ;;
esac

# The folder of stages that is compiled in.
host=integer-host
# shellcheck disable=SC2086 # a command and its flags
compile c ${CC:-cc} -std=c99 "-DNBSTAGE_PLUGINDIR=\"${PLUGIN%/*}\""
expect 0 ./host --blockmap-plugin blocksweep,pack=none MAP01 MAP02
expect_no_errors
[ "$(wc -c <output)" -gt 100 ] || fail "two lumps were expected"

# --- The guide, and the manual page ---

# Code behind "From `examples/HOST.c`:" is in that file; other code compiles.
awk '/From `examples.*:$/ { split($0, parts, "`"); file = parts[2]; next }
     /^`examples.*:$/ { split($0, parts, "`"); file = parts[2]; next }
     /^```/ { inside = /c$/; next }
     inside && file { print file ":" $0 }
     inside && !file { print > "functions.c" }
     !inside && NF { file = "" }' "$SOURCE_DIR/doc/hosting.md" >quotes
for host in $hosts; do
    grep -q "^examples/$host.c:" quotes || fail "nothing of $host.c was found"
done
while IFS=: read -r file line; do
    grep -qxF -e "$line" "$SOURCE_DIR/$file" ||
        fail "hosting.md has '$line', which is not in $file"
done <quotes
# The guide is read where it is installed, beside the examples alone.
! grep -n ']([^h]' "$SOURCE_DIR/doc/hosting.md" ||
    fail "hosting.md has links to files"
grep -o 'examples/[a-z-]*\.c' "$SOURCE_DIR/doc/hosting.md" >named
while read -r file; do
    [ -f "$SOURCE_DIR/$file" ] || fail "hosting.md tells of $file"
done <named
{ echo '#include "nbstage-host.h"'; cat functions.c; } >guide.c
grep -q nbstage_load guide.c || fail "the guide has no functions"
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c99 $flags -Wno-unused-function -c guide.c ||
    fail "what is in hosting.md does not compile"

awk '/^\.Bd/ { block = ""; next }
     /^\.Ed/ { if (block ~ /int main/) printf "%s", block }
     { block = block $0 "\n" }' "$SOURCE_DIR/man/nbstage-host.3" |
    sed 's/\\e/\\/g' >host.c
[ -s host.c ] || fail "nbstage-host.3 has no program"
# shellcheck disable=SC2086
${CC:-cc} -std=c99 $flags host.c "$kit/nbstage-host.c" -o host -ldl ||
    fail "what is in nbstage-host.3 does not compile"
expect 0 ./host "$PLUGIN"
grep -qx 'BLOCKMAP: [1-9][0-9]* bytes' output || fail "its output was expected"
expect_no_errors
expect 0 ./host no-such-stage
expect_text output "BLOCKMAP as this builder makes it"

# --- Valgrind ---

is_sanitized && exit 0
has valgrind || {
    echo "valgrind is not there: nothing was run under it"
    exit 0
}

# checked ARGUMENT...: valgrind has nothing to say.
checked() {
    expect 0 valgrind --quiet --error-exitcode=99 --leak-check=full \
        --show-leak-kinds=all --errors-for-leak-kinds=all ./host "$@" \
        MAP01 MAP02
    ! grep '^==' errors || fail "valgrind has found something"
}

for host in $hosts; do
    # shellcheck disable=SC2086 # a command and its flags
    compile c ${CC:-cc} -std=c99 -g
    checked
    checked --blockmap-plugin "$PLUGIN,grid=search,pack=nest"
    checked --blockmap-plugin "$PLUGIN,grid=8,8"
    checked --blockmap-plugin "$PLUGIN,pack=tight"
    checked --blockmap-plugin no-such-stage
    checked --blockmap-plugin ./no-such-stage.so
done
