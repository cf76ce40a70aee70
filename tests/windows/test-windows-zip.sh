#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that `make windows` makes a ZIP that is the same wherever it is packed;
# that its names and texts are as Windows takes them, and its links lead to
# files of it; and that what is in it works.

. "$SOURCE_DIR/tests/help/library.sh"
need zip unzip
. "$SOURCE_DIR/tests/windows/windows.sh"

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
zip=blocksweep-$(package_version)-windows-x86_64.zip

make_in "$BUILD_DIR" windows
mv "$BUILD_DIR/$zip" here.zip
mv "$BUILD_DIR/windows-build" elsewhere
(
    umask 077
    TZ=Pacific/Auckland
    export TZ
    expect 0 sh "$SOURCE_DIR/packaging/build-windows.sh" elsewhere x86_64 \
        "${zip%.zip}"
)
expect_same here.zip "$zip"

mkdir größe
quietly unzip -d größe here.zip
cd "größe/${zip%.zip}" || exit
find . -type f | sort >../names
sed 's|.*/||' ../names | while read -r name; do
    case $name in
    *[!A-Za-z0-9._-]* | *. | [Cc][Oo][Nn] | [Cc][Oo][Nn].* | [Nn][Uu][Ll].* | \
        [Pp][Rr][Nn].* | [Aa][Uu][Xx].* | [Cc][Oo][Mm][0-9].* | \
        [Ll][Pp][Tt][0-9].*) fail "Windows does not take the name $name" ;;
    esac
done
tr '[:upper:]' '[:lower:]' <../names | sort | uniq -d | expect_text - ""
for text in README.txt licences/*.txt editors/*; do
    [ "$(grep -c '' "$text")" -eq "$(grep -c "$(printf '\r')\$" "$text")" ] ||
        fail "$text has lines that do not end as on Windows"
done
expect_not_in README.txt @
for page in manual/*.html; do
    grep -o 'href="[^"#:]*[#"]' "$page" | sed 's/href="//; s/["#]$//' |
        while read -r link; do
            [ -z "$link" ] || [ -e "manual/$link" ] ||
                fail "$page links to $link"
        done
done
cp "$sample" "$folder/größe.wad"
expect 0 wine blocksweep.exe --preset=small "$folder/größe.wad" -o new.wad
blocksweep --preset=small "$folder/größe.wad" -o expected.wad >report
expect_same expected.wad new.wad
expect 0 wine nbstage-check.exe --only=results blocksweep
expect_in editors/blocksweep.cfg 'program = "blocksweep.exe"'
x86_64-w64-mingw32-gcc -Ikit -c kit/nbstage-host.c -o kit.o
