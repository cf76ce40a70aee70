#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the stage for Windows, with 64 and with 32 bits, is one DLL with
# one symbol that needs nothing but Windows; that the kit finds and loads it, also
# by names that are not in English; that the examples make with it what they make
# here; that hosts that are told to use another end and say why; and that clang
# warns of nothing in all that is built for Windows.  No quicker test loads the
# DLL.

# shellcheck disable=SC2086 # flags are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/help/hosts.sh"
. "$SOURCE_DIR/tests/windows/windows.sh"

kit=$SOURCE_DIR/builders/kit/nbstage-host.c
flags="-pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Werror
    -I$SOURCE_DIR/include -I$SOURCE_DIR/builders/kit"
named='größe von Räumen' # letters of the hosts' code page

# --- The DLL, and the hosts ---

check_dll() {
    "$triplet-objdump" -p "$dll" >headers
    awk '/Name Pointer. Table/ { inside = 1 } inside && /^\t\[/ { print $NF }' \
        headers | expect_text - nbstage_describe
    expect_match headers DYNAMIC_BASE NX_COMPAT
    expect_system_libraries "$dll"
}

# run_there STATUS REQUEST: the host makes the blockmaps of its levels.
run_there() {
    if [ $host = source-port ]; then
        expect "$1" wine beside/host.exe --blockmap-plugin "$2" MAP01 MAP02
    else
        expect "$1" wine beside/host.exe "--blockmap-plugin=$2"
    fi
}

expect_loaded() {
    run_there 0 "$1,$options"
    expect_no_errors
    expect_same output expected
}

# expect_refused REQUEST PART...
expect_refused() {
    run_there "$(status_of_failure)" "$1"
    shift
    expect_count 1 errors
    expect_in errors "$@"
}

check_beside() {
    unset NBSTAGE_PLUGIN_PATH
    rm -rf beside
    mkdir beside
    cp example.exe beside/host.exe
    run_there 0 ""
    expect_no_errors
    expect_same output own
    cp "$dll" beside/
    expect_loaded BlockSweep
}

check_places() {
    rm -rf first "$named"
    mkdir first "$named"
    here=Z:$(echo "$folder" | sed 's|/|\\|g')
    echo "no stage" >beside/blocksweep.dll
    expect_refused blocksweep "blocksweep.dll: cannot be loaded: Windows error"
    rm beside/blocksweep.dll
    expect_refused blocksweep "there is no stage 'blocksweep' in $here\\beside"
    cp "$dll" "$named/$named.dll"
    cp "$dll" first/größe.dll
    # What is no file hides none.
    mkdir first/second.dll
    cp "$dll" "$named/second.dll"
    NBSTAGE_PLUGIN_PATH="$here\\first;$here\\$named"
    export NBSTAGE_PLUGIN_PATH
    for name in größe "$named" second; do
        expect_loaded "$name"
    done
    expect_refused third "'third' in $here\\first;$here\\gr??e von R?umen;$here\\beside"
    cp "$dll" example.dll
    for path in "$here\\example.dll" ./example.dll Z:example.dll \
        "z:$folder/example.dll" "$here\\$named\\$named.dll"; do
        expect_loaded "$path"
    done
    "$triplet-gcc" -shared -x c /dev/null -o empty.dll
    expect_refused ./missing.dll "./missing.dll: there is no such file"
    expect_refused "$here\\first" "first: there is no such file"
    expect_refused ./binary.c "./binary.c: cannot be loaded: Windows error"
    expect_refused .\\empty.dll ".\\empty.dll: cannot be loaded: Windows error"
    expect_refused ./example.dll,pack=tight "'pack' does not take 'tight'"
}

# What hosts print has the bytes that they wrote.
cat >binary.c <<'END'
#include <fcntl.h>
#include <io.h>
__attribute__((__constructor__)) static void set_binary(void)
{
    _setmode(1, _O_BINARY);
}
END

# check_hosts NAME...: the smallest host, and these.
check_hosts() {
    "$triplet-gcc" -std=c99 $flags "$SOURCE_DIR/builders/examples/minimal-host.c" \
        "$kit" -o minimal.exe
    expect 0 wine ./minimal.exe "./$dll"
    tr -d '\r' <output >grid
    expect_same grid expected-grid
    expect 1 wine ./minimal.exe ./missing.dll
    expect_in errors "./missing.dll: there is no such file"
    "$triplet-gcc" -c binary.c
    for host in "$@"; do
        if [ $host = source-port ]; then
            mkdir -p $host
            cp "$SOURCE_DIR/builders/examples/source-port.c" "$kit" $host
        else
            add_stage $host
        fi
        case $host in
        glbsp) native=${CC:-cc} cross=$triplet-gcc standard=c99 language=c ;;
        elfbsp) standard=c++20 ;;
        *) standard=c++11 ;;
        esac
        [ $host = glbsp ] || {
            native=${CXX:-c++} cross=$triplet-g++ language=c++
        }
        compile_host $native -std=$standard $flags
        options=grid=search,pack=nest
        run_host
        cp output own
        run_host "$PLUGIN,$options"
        cp output expected
        # shellcheck disable=SC2046 # files are words
        "$cross" -std=$standard $flags -I$host/src -I$host/src/doom \
            -x $language $(find $host -name '*.c*' -type f) -x none binary.o \
            -static -o example.exe
        check_beside
        [ $host = source-port ] || continue
        "$triplet-gcc" -std=c99 $flags $host/*.c binary.o -o example.exe
        check_beside
    done
    check_places
}

${CC:-cc} -std=c99 $flags "$SOURCE_DIR/builders/examples/minimal-host.c" "$kit" \
    -o minimal -ldl
expect 0 ./minimal "$PLUGIN"
cp output expected-grid
for machine in $machines; do
    triplet=$machine-w64-mingw32
    build_windows $machine plugin/blocksweep.la
    dll=$machine/plugin/.libs/blocksweep.dll
    check_dll
    if [ $machine = x86_64 ]; then
        check_hosts $hosts
    else
        check_hosts source-port
    fi
done

has clang || exit 0
mkdir clang
cd clang || exit
libraries=$(dirname "$(x86_64-w64-mingw32-gcc -print-libgcc-file-name)")
expect 0 ../release/configure -q --enable-werror --host=x86_64-w64-mingw32 \
    CC="clang -target x86_64-w64-mingw32" LDFLAGS="-L$libraries" CFLAGS=-O0
make_in .
