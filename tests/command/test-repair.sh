#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command with which verify ends does what it says: typed as it
# is printed, verify with the same options finds nothing to reject, the limit
# that a lump met is still met, other maps are as they were, and names of files
# are quoted; and that there is none where no build helps.

. "$SOURCE_DIR/tests/help/library.sh"
write_room

# expect_repair COMMAND ARGUMENT...: verify rejects something and ends with this
# command, which repairs it.
expect_repair() {
    wanted=$1
    shift
    expect 1 blocksweep verify "$@"
    sed -n '/^To repair: /,$p' output >last
    expect_text last "To repair: blocksweep --in-place --backup$wanted"
    sed -n 's/^To repair: //p' last >commands
    # shellcheck disable=SC1091 # made above
    . ./commands >typed 2>&1 || fail_showing typed "this was expected to repair"
    expect 0 blocksweep verify "$@"
    expect_not_in output "To repair"
}

# expect_no_repair ARGUMENT...: verify rejects something, and no build helps.
expect_no_repair() {
    expect 1 blocksweep verify "$@"
    expect_not_in output "To repair"
}

# --- The limit stays met ---

# A lump that lacks every third list meets the limit of Doom 1.9; one that has
# them all and keeps the grid does not.
scatter_lines 16000
expect 0 blocksweep --quiet map.wad -o whole.wad
expect_sentence "Doom 1.9 and Chocolate Doom crash"
wadtool cut whole.wad long.wad
wadtool plain long.wad cut.wad
for options in "--for=any,doom19 --preset=vanilla|" \
    "--for=boom,doom19 --preset=vanilla|--for=boom"
do
    cp cut.wad in.wad
    # shellcheck disable=SC2086 # none, or one
    expect_repair " ${options%|*} in.wad" ${options#*|} in.wad
    [ "$(wadtool blockmap in.wad MAP01/BLOCKMAP | cut -d' ' -f6)" -le 32767 ] ||
        fail "the limit of Doom 1.9 was expected to stay met"
done

# Where a lump for every port does not fit, one for those that are named may,
# and the report says so.
cp cut.wad in.wad
expect_repair " --for=doom19 in.wad
in.wad: this repair is for the ports in --for; others may miss lines" \
    --for=doom19 in.wad

# A lump that missed it may miss it.
wadtool cut whole.wad in.wad
expect_repair " in.wad" in.wad
expect 0 blocksweep verify in.wad
expect_in output "Doom 1.9, Chocolate Doom: crashes"

# --- Other maps stay ---

write_room
words 0 0 2 1 6 11 0 0 1 65535 0 1 2 3 65535 >wrong-blockmap
words 0 0 2 1 6 11 0 0 3 1 65535 0 1 2 3 65535 >good-blockmap
words 0 0 2 1 6 12 0 0 1 2 3 65535 0 1 2 3 65535 >extra-blockmap
{
    room MAP01 | replacing BLOCKMAP good-blockmap
    room MAP02 | replacing BLOCKMAP wrong-blockmap
    room MAP03 | replacing LINEDEFS /dev/null
    room MAP04 | replacing BLOCKMAP wrong-blockmap
    room MAP05 | without BLOCKMAP
} | wadtool make PWAD mixed.wad
cp mixed.wad in.wad
expect_repair " --map=MAP02,MAP04 in.wad" --map=MAP01,MAP02,MAP04,MAP05 in.wad
expect_lump in.wad MAP01/BLOCKMAP good-blockmap
expect_lump in.wad MAP02/BLOCKMAP room-blockmap
# Another map is damaged, which no build helps.
cp mixed.wad in.wad
expect 1 blocksweep verify in.wad
expect_in output \
    "To repair: blocksweep --in-place --backup --map=MAP02,MAP04 in.wad"

# --- Other ports keep what they have ---

# Without headers, Boom and ZDoom would miss linedefs that they find now.
for ports in doom19 eternity crispy-doom; do
    cp mixed.wad in.wad
    expect_repair " --for=any,$ports --map=MAP02 in.wad" --for=$ports \
        --map=MAP02 in.wad
    expect 0 blocksweep verify --map=MAP02 in.wad
done

# --- What only --strict rejects ---

cp mixed.wad in.wad
expect_repair " --map=MAP05 in.wad" --strict --map=MAP01,MAP05 in.wad
room MAP01 | replacing BLOCKMAP extra-blockmap | wadtool make PWAD extra.wad
expect 0 blocksweep verify extra.wad
expect_not_in output "To repair"
expect_repair " --max-memory=64 extra.wad" --strict --max-memory=64 extra.wad

# --- Several files ---

for name in one two three; do
    room MAP01 | replacing BLOCKMAP wrong-blockmap | wadtool make PWAD $name.wad
done
cp cut.wad large.wad
expect_repair " one.wad two.wad three.wad
To repair: blocksweep --in-place --backup --for=any,doom19 --preset=vanilla \
large.wad" one.wad large.wad two.wad three.wad

# --- Names that cannot be typed as they are printed ---

{
    room MAP01 | replacing BLOCKMAP good-blockmap
    room A,B | replacing BLOCKMAP wrong-blockmap
    room "$(printf 'E2\033M')" | replacing BLOCKMAP wrong-blockmap
    room MAP02 | replacing BLOCKMAP wrong-blockmap
} | wadtool make PWAD names.wad
cp names.wad in.wad
expect 1 blocksweep verify in.wad
sed -n '/^To repair: /p' output | expect_text - \
    "To repair: blocksweep --in-place --backup --map=MAP02 in.wad"
tab=$(printf 't\tab.wad')
cp one.wad~ "$tab"
expect_no_repair "$tab"
cp one.wad~ in.wad
expect 1 blocksweep verify in.wad "$tab"
tail -n 1 output | expect_text - "To repair: blocksweep --in-place --backup in.wad"

# --- No build helps ---

room MAP01 | replacing LINEDEFS /dev/null | wadtool make PWAD in.wad
expect_no_repair in.wad
# Over the limit of Doom 1.9, whatever is tried, but within it now.
scatter_lines 33000
words 0 0 63 63 >VAST
perl -e 'print pack "v*", (4 + 63 * 63) x (63 * 63), 0, 65535' >>VAST
room MAP01 | replacing BLOCKMAP VAST | wadtool make PWAD in.wad
expect_no_repair --for=doom19 in.wad
# None is tried.
expect 1 blocksweep verify --for=doom19 - <in.wad
expect_not_in output "options that were tried"

# --- Names of files ---

mkdir repair
cd repair || exit
wadtool cut "$sample" cut.wad
for name in "it's a map.wad" -x.wad 'big & 100%.wad'; do
    cp cut.wad "./$name"
done
cp "$sample" good.wad
expect 1 blocksweep verify --for='boom,Doom Retro' --map=MAP01-MAP30 good.wad \
    "it's a map.wad" cut.wad 'big & 100%.wad' ./-x.wad
tail -n 1 "$folder/output" >last
expect_text last "To repair: blocksweep --in-place --backup \
--for='boom,Doom Retro' --map=MAP01-MAP30 'it'\\''s a map.wad' cut.wad \
'big & 100%.wad' ./-x.wad"
eval "$(sed 's/^To repair: //' last)" >/dev/null 2>&1 || fail_showing last "this was expected to repair"
expect 0 blocksweep verify ./*.wad
expect_count 0 "$folder/output" '^To repair'
expect_same good.wad "$sample"
# What is extra is in the way only where that is asked for.
expect 1 blocksweep verify --strict good.wad
tail -n 1 "$folder/output" | expect_text - \
    "To repair: blocksweep --in-place --backup good.wad"
# Standard input cannot be repaired, and JSON has facts.
for arguments in - "--json cut.wad~" "--quiet cut.wad~"; do
    # shellcheck disable=SC2086 # words
    expect 1 blocksweep verify $arguments <cut.wad~
    expect_not_in "$folder/output" "To repair"
done
