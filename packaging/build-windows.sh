#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build-windows.sh SOURCE MACHINE NAME
#
# Builds a release, the folder SOURCE, for Windows on x86_64 or i686, by
# MinGW-w64, and packs NAME.zip.  It has the same bytes wherever it is made:
# sorted names, and the time of SOURCE_DATE_EPOCH, which has to be set.

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
cp "$source"/man/*.html "$source/man/manual.css" "$name/manual"
cp "$source"/builders/kit/nbstage-host.[ch] "$source/include/nbstage.h" \
    "$source/doc/hosting.md" "$name/kit"

# to_windows FILE PLACE: copies a text, with the ends of lines as on Windows.
to_windows() {
    sed "s/@VERSION@/$version/; s/@MACHINE@/$machine/
        s/program = \"blocksweep\"/program = \"blocksweep.exe\"/
        s/\$/\r/" "$1" >"$name/$2"
}
# README.txt has the entries for editors to paste: of one editor the whole file,
# of the other one the first entry.
sed '/^\/\//d; /^$/d' "$source/editors/blocksweep.cfg" >ultimate.txt
sed -n '/^\tblocksweep$/,/^\t}$/p' "$source/editors/nodebuilders.cfg" >slade.txt
sed -e '/^@ULTIMATE DOOM BUILDER@$/{r ultimate.txt' -e 'd;}' \
    -e '/^@SLADE@$/{r slade.txt' -e 'd;}' \
    "$source/packaging/windows/README.txt" >readme.txt
to_windows readme.txt README.txt
rm ultimate.txt slade.txt readme.txt
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
