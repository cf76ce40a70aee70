#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves, in Wine with a clean prefix, that the ZIPs for Windows work where they
# are unpacked and make the files that the command for Linux makes, and that the
# folders for Ultimate Doom Builder and SLADE, as they are, do what the editors
# run there.

. "$SOURCE_DIR/tests/packages/artifacts.sh"
need unzip zdbsp
. "$SOURCE_DIR/tests/windows/windows.sh"
unset NBSTAGE_PLUGIN_PATH

tar -xf "$release-linux-x86_64.tar.xz"
linux=$folder/blocksweep-$version-linux-x86_64/blocksweep
$linux --quiet "$sample" -o expected.wad

# Another user, with a prefix of its own.
chmod 711 "$folder"
cp -R "$WINEPREFIX" other-wine
rm other-wine/wineserver # says where the server is
chown -R 65534 other-wine
wine_of_other() {
    as_user env WINEPREFIX="$folder/other-wine" HOME="$folder/other-wine" \
        "$WINE" "$@"
}

for machine in $machines; do
    mkdir "$machine" "$machine/$place"
    quietly unzip -d "$machine" "$release-windows-$machine.zip"
    home="$folder/$machine/blocksweep-$version-windows-$machine"
    expect_system_libraries "$home/blocksweep.exe"
    expect_system_libraries "$home/blocksweep.dll"
    cd "$folder/$machine/$place"
    use_artifact wine "$home/blocksweep.exe"
    expect_same new.wad "$folder/expected.wad"
    expect_refused wine_of_other "$home/blocksweep.exe"
    cd "$folder"
done
as_user env WINEPREFIX="$folder/other-wine" wineserver -k || :

# --- Editors ---

# In place of zdbsp.exe, which comes with one editor: copies a file that has
# nodes.
cat >zdbsp.c <<'END'
#include <string.h>
#include <windows.h>
int main(int argc, char **argv)
{
    return argc != 4 || strcmp(argv[1], "-o") != 0 ||
           !CopyFileA(argv[3], argv[2], FALSE);
}
END
x86_64-w64-mingw32-gcc zdbsp.c -o zdbsp.exe
quietly unzip "$release-editors.zip"
editors=$folder/blocksweep-$version-editors
expect 0 zdbsp -o nodes.wad "$sample"

# run_entry FOLDER COMMAND IN OUT: runs blocksweep.exe of the folder, beside
# zdbsp.exe, with the words of an entry.
run_entry() {
    program=$1/blocksweep.exe
    [ -f "$1/zdbsp.exe" ] || cp zdbsp.exe "$1"
    words=$(echo "$2" | sed "s|%FI|$3|; s|%FO|$4|; s|\$o||; s|\$f|$3|")
    # shellcheck disable=SC2086 # words
    (cd "$folder/$place" && expect 0 wine "$program" $words)
}

# expect_entries EDITOR FOLDER FILE IN OUT: the entries of the file for an editor
# build with nodes what the command for Linux makes of a file with these.
expect_entries() {
    perl "$SOURCE_DIR/tests/real/editor.pl" "$1" "$2/$3" >entries
    expect_match entries '^blocksweep_vanilla'
    while IFS='	' read -r key command _; do
        preset=compatible
        case $key in *_small* | *_vanilla*) preset=${key#*_} ;; esac
        $linux --quiet --preset="${preset%_alone}" nodes.wad -o expected.wad \
            2>said
        cp nodes.wad "$place/$4"
        run_entry "$2" "$command" "$4" "$5"
        expect_same "$place/$5" expected.wad
    done <entries
}

mkdir "$place"
expect_entries builder "$editors/Ultimate Doom Builder/Compilers/Nodebuilders" \
    blocksweep.cfg k3x9qa7b.tmp p2m4.tmp
expect_entries slade "$editors/SLADE" nodebuilders.cfg sladetemp.wad \
    sladetemp.wad

# Its text names what is there, in plain text.
tr -d '\r' <"$editors/README.txt" >text
expect_not_in text @ "](" '`' '|--' .md
(cd "$editors" && find . -mindepth 1 -maxdepth 1 -type d | sed 's|^\./||' |
    sort) >folders
sed -n 's/^\([A-Z][A-Za-z ]*\|licences\)\\ .*/\1/p' text | sort >named
expect_same named folders
for file in blocksweep.exe blocksweep.cfg nodebuilders.cfg repair.bat; do
    expect_in text "$file"
    [ -n "$(find "$editors" -name "$file")" ] || fail "$file was expected"
done
[ "$machines" = "x86_64 i686" ] || skip "the ZIP for 32 bits was not tried"
