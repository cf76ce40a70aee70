# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the scripts about glbsp share; sourced behind library.sh.

# shellcheck disable=SC2034 # for scripts
adapter=$BUILD_DIR/adapters/glbsp/.libs/glbsp-adapter.so

# What libglbsp does not free is not ours to find.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

# compile ARGUMENT...: compiles with Debian's header, as the build does.
compile() {
    # shellcheck disable=SC2086 # flags are words
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror ${SANITIZE_FLAGS-} "$@" \
        2>compiler-errors || {
        cat compiler-errors
        fail "$* was not compiled"
    }
}

# compile_caller FILE: makes a program that uses libglbsp.
compile_caller() {
    compile "$SOURCE_DIR/tests/real/glbsp-caller.c" -o "$1" -lglbsp
}

has_libglbsp() {
    echo "#include <glbsp.h>" | ${CC:-cc} -E - >header 2>&1
}

# without_times FILE: in place of the times at which glBSP says that it built the
# maps, there is the same text everywhere.
without_times() {
    sed 's/^TIME=....-..-.. ..:..:..[.]....$/TIME=0000-00-00 00:00:00.0000/' \
        "$1" >without-times
    mv without-times "$1"
}

# with_settings COMMAND SETTING... -- ARGUMENT...: runs a function with these
# settings of the environment as one text, which is words for env, and with the
# arguments behind it.
with_settings() {
    function=$1
    shift
    settings=
    while [ "$1" != -- ]; do
        settings="$settings $1"
        shift
    done
    shift
    "$function" "$settings" "$@"
}

# expect_our_blockmaps GLBSP OURS OPTION...: of a file that glbsp alone has
# written, OURS is what the command makes with these options.
expect_our_blockmaps() {
    alone=$1
    ours=$2
    shift 2
    expect_build "$@" "$alone" -o expected.wad
    expect_lumps_kept "$alone" "$ours"
    expect_same expected.wad "$ours"
}
