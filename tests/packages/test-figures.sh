#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that figures in README.md and NEWS are true: what lumps of Freedoom have
# with each preset, and how many lines a builder adds.

. "$SOURCE_DIR/tests/help/library.sh"

# expect_figure FILE PATTERN FIGURE: where the pattern has "@" the file, with its
# lines joined, has this number.
expect_figure() {
    tr '\n' ' ' <"$SOURCE_DIR/$1" | tr -s ' ' |
        sed -n "s/.*${2%%@*}\([0-9]*\)${2#*@}.*/\1/p" |
        expect_text - "$3"
}

# to_ten NUMBER: prints it as a multiple of ten.
to_ten() {
    echo $((($1 + 5) / 10 * 10))
}

# --- Lines ---

kit=$(cat "$SOURCE_DIR"/builders/kit/nbstage-host.[ch] | wc -l)
expect_figure NEWS "a kit of @ lines" "$(to_ten "$kit")"
code=$(awk '/^```/ { if (inside) exit; inside = 1; next } inside && NF' \
    "$SOURCE_DIR/doc/hosting.md" | wc -l)
expect_figure README.md "copies three files and adds @ lines" \
    "$(to_ten "$code")"

# --- Lumps ---

need_json
need_freedoom
# Without other builders.
mkdir bin
for program in perl sh; do
    ln -s "$(command -v $program)" bin
done
quietly "$BUILD_DIR/run" env PATH="$folder/bin" perl \
    "$SOURCE_DIR/tests/bench/compare-builders.pl" \
    "$BUILD_DIR/command/blocksweep" 1 "$freedoom_dir"/freed*.wad

# rows FILE: prints those of blocksweep, and of the maps as they come, without
# times.
rows() {
    sed -n 's/^\(| \(Freedoom,\|blocksweep\) .*\) |[^|]*|$/\1/p' "$1"
}
rows said >found
rows "$SOURCE_DIR/README.md" >told
expect_count 4 found
grep -qxF -e "$(head -n 1 told)" found ||
    skip "README.md tells of another release of Freedoom"
diff told found || fail "'<' is what README.md tells, '>' what there is"

# percent ROW: how much smaller its lumps are than those of the release.
percent() {
    awk -F ' [|] ' -v row="$1" '
        { bytes[NR] = $6 }
        END { print int(100 * (1 - bytes[row] / bytes[1])) }' found
}
expect_figure NEWS "lumps become @ percent smaller" "$(percent 3)"
expect_figure NEWS "they become @ percent smaller" "$(percent 4)"
