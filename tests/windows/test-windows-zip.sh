#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that `make windows` makes a ZIP that is the same wherever it is packed;
# that its names and texts are as Windows takes them, and its links lead to
# files of it; that the texts to paste are entries of editors; and that what is
# in it works: the programs, a WAD that is dropped on blocksweep.exe, and the
# batch file that repairs.  No quicker test uses the ZIP as it is.

. "$SOURCE_DIR/tests/help/library.sh"
need zip unzip
. "$SOURCE_DIR/tests/windows/windows.sh"

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
zip=blocksweep-$(package_version)-windows-x86_64.zip

make_in "$BUILD_DIR" windows
tail -n 1 output | expect_text - "Made $zip"
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
for text in README.txt repair.bat licences/*.txt editors/*; do
    [ "$(grep -c '' "$text")" -eq "$(grep -c "$(printf '\r')\$" "$text")" ] ||
        fail "$text has lines that do not end as on Windows"
done
expect_not_in README.txt @
while read -r editor file count; do
    tr -d '\r' <"editors/$file" >"$folder/text"
    perl "$SOURCE_DIR/tests/real/editor.pl" "$editor" "$folder/text" \
        >"$folder/entries"
    expect_count "$count" "$folder/entries"
done <<'END'
builder blocksweep.cfg 3
slade nodebuilders.cfg 5
END
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
expect_in editors/blocksweep.cfg 'program = "blocksweep.exe"'
x86_64-w64-mingw32-gcc -Ikit -c kit/nbstage-host.c -o kit.o

# README.txt says that Windows 7 has what they call: SetThreadErrorMode is one of
# its functions, and no DLL of later systems is named.
for program in *.exe *.dll; do
    machine=x86_64
    expect_system_libraries "$program"
    expect_not_in libraries api-ms-win
done

# --- Dropping ---

cp "$folder/größe.wad" "$folder/a & b.wad"
expect 0 wine cmd /c repair.bat "$folder/a & b.wad" </dev/null
expect_in "$folder/output" "Wrote " "Press any key"
blocksweep "$sample" -o expected.wad >report
expect_same "$folder/a & b.wad" expected.wad
expect_same "$folder/a & b.wad~" "$sample"
expect_not_in "$folder/output" rename
# Explorer leaves a name without a space unquoted, so cmd cuts it.
cp "$sample" "a&b.wad"
wine cmd /c repair.bat "a&b.wad" </dev/null >"$folder/output" 2>&1 || :
expect_in "$folder/output" "rename it if its name has %, or & or ^ but no space."
expect_same "a&b.wad" "$sample"
expect 3 wine cmd /c repair.bat none.wad </dev/null
expect 2 wine cmd /c repair.bat </dev/null
expect_in "$folder/output" "Drop a WAD on repair.bat to repair it."

# read_screen: prints what a terminal shows.
read_screen() {
    perl -pe 's/\e\[(\d*)C/" " x ($1 || 1)/ge; s/\e\[[?\d;]*[A-Za-z]|\r//g' screen
}

asks_for_key() {
    read_screen | grep -q '^Press a key to close this window'
}

# in_console STATUS WORD...: runs this in a console of its own.
in_console() {
    asked=$1
    shift
    status=0
    : >screen
    script -qefc "'$WINE' $*" screen >/dev/null || status=$?
    read_screen >text
    [ "$status" -eq "$asked" ] || fail_showing text "$* ended with $status"
}

has script || skip "the rest: script is not there"
cp "$sample" DROPPED.WAD
{ await asks_for_key; printf x; } | in_console 0 blocksweep.exe DROPPED.WAD
expect_match text '^MAP01 ' 'harmless: 205$' '^Total  *1882 '
cp "$sample" other.wad
echo text >note.txt
{ await asks_for_key; printf x; } | in_console 1 blocksweep.exe DROPPED.WAD \
    other.wad note.txt
expect_match text '^Total  *3764 '
expect_in text "note.txt: not a WAD file"
{ await asks_for_key; printf x; } | in_console 2 blocksweep.exe
expect_in text "no file was given"
# A program that somebody types, or runs, asks for nothing.
in_console 2 cmd /c blocksweep.exe DROPPED.WAD </dev/null
expect_in text "no output was given"
in_console 0 blocksweep.exe verify -q DROPPED.WAD </dev/null
expect_not_in text "Press a key"
