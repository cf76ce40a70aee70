#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-windows.sh SOURCE MACHINE NAME
#
# Builds a release, the folder SOURCE, for Windows on x86_64 or i686, by
# MinGW-w64, and packs NAME.zip.  It has the same bytes wherever it is made:
# sorted names, and the time of SOURCE_DATE_EPOCH, which has to be set.  The
# program and the DLL are tried before that.

set -eu
source=$1
machine=$2
triplet=$machine-w64-mingw32
name=$3
version=${name#*-}
version=${version%%-*}
: "${SOURCE_DATE_EPOCH:?}"
LC_ALL=C
TZ=UTC # of the times in a ZIP
export LC_ALL TZ
umask 022

(
    cd "$source"
    ./configure -q --host="$triplet" --with-stage=builtin \
        CC="$triplet-gcc" CXX="$triplet-g++" \
        CFLAGS=-O2 LDFLAGS=-Wl,--no-insert-timestamp
    "${MAKE:-make}" -s
)
rm -rf "$name" "$name.zip"
mkdir "$name" "$name/manual" "$name/editors" "$name/kit" "$name/licences"
for file in command/blocksweep.exe plugin/.libs/blocksweep.dll; do
    "$triplet-strip" -o "$name/${file##*/}" "$source/$file"
done

fail() {
    echo "build-windows.sh: $*" >&2
    exit 1
}

# expect_built FILE BYTES: it is a program or a DLL, not what a linker makes of
# nothing, of at least so many bytes.
expect_built() {
    "$triplet-objdump" -f "$name/$1" | grep -q 'file format pei-' ||
        fail "$1 is no program or DLL"
    [ "$(wc -c <"$name/$1")" -ge "$2" ] ||
        fail "$1 is too small; $2 bytes or more were expected"
}

# expect_stage TEXT OPTION...: the command tells so of its stage, in Wine, which
# at times fails to start a program on a busy machine.
expect_stage() {
    expected=$1
    shift
    for _ in 1 2 3; do
        said=$(cd "$name" && wine blocksweep.exe --version "$@" 2>&1 |
            tr -d '\r') || :
        case $said in
        *"Stage blocksweep $version $expected"*) return ;;
        esac
    done
    fail "'Stage blocksweep $version $expected' was expected; it is '$said'"
}

try_in_wine() (
    if [ -z "${WINEPREFIX-}" ]; then
        WINEPREFIX=$(mktemp -d)
        trap 'wineserver -k || :; rm -rf "$WINEPREFIX"' EXIT
    fi
    WINEDEBUG=-all
    WINEDLLOVERRIDES='mscoree,mshtml=' # nothing is to be installed
    export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
    expect_stage "built in"
    expect_stage from --plugin=./blocksweep.dll
)

expect_built blocksweep.exe 200000
expect_built blocksweep.dll 50000
"$triplet-objdump" -p "$name/blocksweep.dll" | grep -q ' nbstage_describe$' ||
    fail "blocksweep.dll was expected to export nbstage_describe"
# Wine has programs of 32 bits run on few systems.
if [ "$machine-$(uname -m)" = x86_64-x86_64 ] && command -v wine >/dev/null; then
    try_in_wine
fi
cp "$source"/man/*.html "$source/man/manual.css" "$name/manual"
cp "$source"/builders/kit/nbstage-host.[ch] "$source/include/nbstage.h" \
    "$source/doc/hosting.md" "$name/kit"

# to_windows FILE PLACE: copies a text, with the ends of lines as on Windows.
to_windows() {
    sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/
        s/program = \"blocksweep\"/program = \"blocksweep.exe\"/
        s/\$/\r/" "$1" >"$name/$2"
}
to_windows "$source/packaging/windows/README.txt" README.txt
to_windows "$source/packaging/windows/repair.bat" repair.bat
to_windows "$source/packaging/windows/runtime.txt" licences/runtime.txt
for file in "$source"/LICENSES/*.txt; do
    to_windows "$file" "licences/${file##*/}"
done
for file in README.md blocksweep.cfg nodebuilders.cfg; do
    to_windows "$source/editors/$file" "editors/$file"
done
find "$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
find "$name" -type f | sort | zip -q -X -9 "$name.zip" -@
rm -rf "$name"
echo "Made $name.zip"
