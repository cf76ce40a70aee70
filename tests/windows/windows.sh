# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests for Windows share: a release that MinGW-w64 compiles, in a
# folder of the build for all of them, and Wine, which needs no display and has
# a copy of its files in the folder of the test.  It runs programs of 32 bits
# if it has the DLLs for them, and the kernel lets it; fetch-foreign.sh has put
# the DLLs into FOREIGN_DIR, or build-foreign in the build.

# shellcheck disable=SC2034,SC2154 # for scripts; what library.sh sets

WINEPREFIX=$folder/wine
WINEDEBUG=-all
WINEDLLOVERRIDES='mscoree,mshtml=' # nothing is to be installed
WINEDLLPATH=${FOREIGN_DIR:-$BUILD_DIR/build-foreign}/i386/usr/lib/i386-linux-gnu/wine
LC_ALL=C.UTF-8 # names of files are in UTF-8
XDG_RUNTIME_DIR=$folder # without one, Wine 10 prints an error
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES WINEDLLPATH LC_ALL XDG_RUNTIME_DIR
unset DISPLAY WAYLAND_DISPLAY

need wine x86_64-w64-mingw32-gcc
make_in "$BUILD_DIR" distdir distdir="$folder/release"
windows_tests=$BUILD_DIR/windows-tests

# On a busy machine Wine at times fails to start a program, with an error of its
# own or without a word, so it gets three attempts, and the log tells of them.
# Programs print something when they fail here.  When a process ends while its
# threads run, Wine can put words of its own before the program's.
WINE=$(command -v wine)
export WINE
mkdir wine-again
make_program wine-again/wine <<'END'
for _ in 1 2 3; do
    status=0
    "$WINE" "$@" >"$0.$$.output" 2>"$0.$$.errors" || status=$?
    [ "$status" -ne 0 ] || break
    case $(cat "$0.$$.output" "$0.$$.errors") in
    '' | *'ShellExecuteEx failed: Internal error'*) ;;
    *) break ;;
    esac
    echo "Wine failed (status $status): $*" >>"$0.failures"
done
cat "$0.$$.output"
sed 's/^wine client error:[0-9a-f]*: //' "$0.$$.errors" >&2
rm "$0.$$".*
exit $status
END
PATH=$folder/wine-again:$PATH

# A program of Wine's goes on for some seconds, and writes to its files then.
trap 'wineserver -k || :; umount small 2>/dev/null || :
    cat "$folder"/wine-again/*.failures 2>/dev/null || :
    cd / && rm -rf "$folder"' EXIT
mkdir -p "$windows_tests"
# What was made before the DLLs for 32 bits came runs no such programs.
prefix=$windows_tests/wine
[ ! -d "$WINEDLLPATH/i386-windows" ] || prefix=$prefix-32-bits
(
    flock 9
    [ -d "$prefix" ] || {
        mkdir "$WINEPREFIX"
        quietly wine wineboot
        wineserver -w
        mv "$WINEPREFIX" "$prefix"
    }
    cp -R "$prefix" "$WINEPREFIX"
) 9>"$windows_tests/lock"
wineserver --persistent=60 # seconds, from one program to the next

# Some kernels of virtual machines run nothing of 32 bits, so Wine is tried.
runs_32_bits() {
    echo 'int main(void) { return 7; }' >seven.c
    i686-w64-mingw32-gcc -o seven.exe seven.c
    status=0
    wine ./seven.exe || status=$?
    [ "$status" -eq 7 ]
}
machines=x86_64
if ! has i686-w64-mingw32-gcc || [ ! -d "$WINEDLLPATH/i386-windows" ]; then
    echo "nothing was tested with 32 bits: no compiler, or no $WINEDLLPATH"
elif ! runs_32_bits; then
    echo "nothing was tested with 32 bits: Wine runs no such program here"
else
    machines="x86_64 i686"
fi

# build_windows MACHINE TARGET...: makes these for Windows, in a folder named
# after the machine; what another test has made is there.  One test at a time
# does so, and replaces only what has changed in the sources.
build_windows() {
    machine=$1
    shift
    mkdir -p "$windows_tests/$machine"
    ln -sf "$windows_tests/$machine" .
    (
        flock 9
        cp -Rpu release "$windows_tests"
        cd "$windows_tests/$machine" || exit
        [ -e Makefile ] ||
            expect 0 ../release/configure -q --enable-werror \
                --host="$machine-w64-mingw32" CC="$machine-w64-mingw32-gcc"
        make_in . -j2 "$@"
    ) 9>"$windows_tests/lock"
}

# expect_system_libraries FILE: the program or DLL needs what every Windows has,
# and nothing else.
expect_system_libraries() {
    "$machine-w64-mingw32-objdump" -p "$1" | sed -n 's/^\tDLL Name: //p' \
        >libraries
    expect_match libraries '^KERNEL32.dll$'
    ! grep -vixE '(kernel32|advapi32|shell32|msvcrt|api-ms-win-crt-.*)[.]dll' \
        libraries || fail "these DLLs are not in every Windows"
}
