#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a builder which loses or changes anything but nodes, REJECT and
# BLOCKMAP is refused in one sentence that names the lump, the linedef or the
# block, and nothing is written; and that what ZDBSP and others do with numbers,
# texts and what nothing uses is taken.

. "$SOURCE_DIR/tests/help/library.sh"
need perl
use_own_temporary_folder
lose=$SOURCE_DIR/tests/command/lose.pl
perl "$lose" make in.wad
cp in.wad same.wad

make_program builder <<'END'
exec perl "$LOSE" "$CHANGE" "$1" "$2"
END
cp builder zokumbsp
LOSE=$lose
export LOSE CHANGE

# --- What is refused ---

# A change, and parts of the sentence about it.
count=0
while IFS='|' read -r CHANGE part other_part; do
    cp same.wad in.wad
    expect 1 blocksweep --builder="./builder {in} {out}" --in-place --backup \
        in.wad </dev/null
    expect_sentence "builder ./builder: the file that it wrote: " "$part" \
        "${other_part:-; nothing was written}"
    expect_same in.wad same.wad
    expect_absent in.wad~
    expect_nothing_temporary
    count=$((count + 1))
done <<'END'
$kind = "IWAD"|kind IWAD|PWAD was expected
drop "TEXTURE1"|lump 0, TEXTURE1, is gone
drop "DEHACKED"|DEHACKED, is gone
drop "S_END"|S_END, is gone
pop @lumps; pop @lumps|D_RUNNIN, is gone
drop qw(TEXTURE1 DEHACKED D_RUNNIN D_RUNNIN S_END)|TEXTURE1, is gone
swap "TEXTURE1", "DEHACKED"|lump 0 is DEHACKED; TEXTURE1 was expected
lump("DEHACKED") = "Patch file"|DEHACKED has changed at byte 6
lump("D_RUNNIN") .= "!"|D_RUNNIN has 6 bytes|5 were expected
add "MAP01", splice @lumps, place("D_RUNNIN"), 1|lump 2 is D_RUNNIN; MAP01 was expected
push @lumps, ["TEXTURE1", "textures"]|a further TEXTURE1
push @lumps, @lumps[place("MAP01") .. place("GL_MAP01") - 1]|a further MAP01
push @lumps, splice @lumps, place("MAP01"), 11|MAP01 was expected
lump("MAP01") = "script"|MAP01 has 6 bytes
lump("MAP01/THINGS") = ""|MAP01: THINGS has 0 things|3 were expected
drop "MAP02/THINGS"|MAP02: THINGS is gone
put "MAP01/THINGS", 10, 1, 4, "v", 180|MAP01: THINGS: thing 1 has changed
put "MAP02/THINGS", 20, 2, 13, "C", 9|MAP02: THINGS: thing 2 has changed
lump("MAP01/LINEDEFS") = substr lump("MAP01/LINEDEFS"), 0, 56|MAP01: linedef 4, 128,128 to 256,128, is gone
drop "MAP01/SIDEDEFS", "MAP01/SECTORS"|MAP01: SIDEDEFS is gone
lump("MAP01/SECTORS") = ""|MAP01: SECTORS is gone
drop "MAP02/BEHAVIOR"|MAP02: BEHAVIOR is gone
lump("MAP02/BEHAVIOR") = "ACS"|MAP02: BEHAVIOR has changed
add "GL_MAP01", ["BEHAVIOR", "ACS"]|MAP01: BEHAVIOR was added
put "MAP01/VERTEXES", 4, 4, 0, "v", 257|MAP01: linedef 5, 256,128 to 256,0, is gone
put "MAP01/LINEDEFS", 14, 1, 4, "v", 3|MAP01: linedef 1, 0,128 to 128,128, has different flags
put "MAP01/LINEDEFS", 14, 2, 6, "v", 0|linedef 2, 128,128 to 128,0, has a different special
put "MAP01/LINEDEFS", 14, 2, 8, "v", 6|linedef 2, 128,128 to 128,0, has a different tag
put "MAP02/LINEDEFS", 16, 2, 11, "C", 9|MAP02: linedef 2|or arguments
put "MAP01/LINEDEFS", 14, 2, 12, "v", 65535|linedef 2|a different back side
put "MAP01/LINEDEFS", 14, 2, 0, "v2", 3, 2|linedef 2, 128,128 to 128,0, is gone
put "MAP01/SIDEDEFS", 30, 5, 20, "a8", "WALL9"|linedef 4|a different front side
put "MAP01/SIDEDEFS", 30, 3, 0, "v", 9|linedef 2|a different back side
put "MAP01/SIDEDEFS", 30, 3, 28, "v", 0|linedef 2|a different sector behind
put "MAP01/SECTORS", 26, 0, 20, "v", 128|linedef 0|a different sector in front
put "MAP01/SECTORS", 26, 1, 24, "v", 0|linedef 2|a different sector behind
lump("MAP01/LINEDEFS") .= substr lump("MAP01/LINEDEFS"), 0, 14|MAP01: linedef 8, 0,0 to 0,128, was added
lump("MAP01/$_") = "" for qw(SEGS SSECTORS NODES); drop "GL_MAP01", map { "GL_$_" } qw(VERT SEGS SSECT NODES)|MAP01: its nodes are gone
lump("MAP02/NODES") = ""|MAP02: its nodes are gone
drop "MAP03/ZNODES"|MAP03: its nodes are gone
exchange qw(MAP03 MAP04 TEXTMAP)|MAP03: linedef 2|a different sector behind
lump("MAP01/LINEDEFS") = lump("MAP02/LINEDEFS")|MAP01: linedef
edit "MAP03", qr/namespace = "ZDoom"/, 'namespace = "Doom"'|MAP03: TEXTMAP: the fields outside
edit "MAP03", qr/y = 2; type = 2/, "y = 2; type = 3"|MAP03: TEXTMAP: thing 1 has changed: type
edit "MAP03", qr/a \\"b;}/, 'a "'|MAP03: TEXTMAP has changed, and cannot be read
edit "MAP03", qr/thing \{ x = 64.0; y = 3.*/, ""|MAP03: TEXTMAP: thing 2 is gone
edit "MAP03", qr/^/, "thing { x = 1; } "|MAP03: TEXTMAP: thing 0 has changed: x
edit "MAP03", qr/$/, "zone { x = 1; } "|MAP03: TEXTMAP: zone 0 was added
edit "MAP03", qr/arg0 = 7/, "arg0 = 8"|MAP03: linedef 2, 128,128 to 128,0, has different fields|arg0
edit "MAP03", qr/y = 128;/, "y = 128.001;"|MAP03: linedef 0, 0,0 to 0,128, is gone
edit "MAP03", qr/(?<=x = 0.000; y = 0;)/, "zfloor = 1;"|MAP03: linedef 0, 0,0 to 0,128, has different ends
edit "MAP03", qr/WALL3/, "WALL4"|MAP03: linedef 3|a different front side
edit "MAP03", qr/160; id = 7/, "161; id = 7"|MAP03: linedef 2|a different sector behind
edit "MAP03", qr/linedef.*\n/, ""|MAP03: linedef 0|is gone
drop "MAP04/BEHAVIOR"|MAP04: lump 39, BEHAVIOR, is gone
lump("MAP04/DIALOGUE") = "hullo"|MAP04: DIALOGUE has changed at byte 1
END
[ "$count" -gt 50 ] || fail "only $count changes were tried"

# Of two sectors that are equal, a side keeps its own: doors move one of them.
perl "$lose" 'put "MAP01/SECTORS", 26, 1, 24, "v", 0' same.wad equal.wad
CHANGE='put "MAP01/SIDEDEFS", 30, 5, 28, "v", 0'
expect 1 blocksweep --builder="./builder {in} {out}" equal.wad -o out.wad
expect_sentence "MAP01: linedef 4, 128,128 to 256,128, has a different sector in"
expect_absent out.wad

# What has a name that builders use is a builder's only behind a map.
perl "$lose" 'unshift @lumps, ["LEAFS", "text"], ["GL_PVS", "text"]' same.wad \
    stray.wad
CHANGE='shift @lumps'
expect 1 blocksweep --builder="./builder {in} {out}" stray.wad -o out.wad
expect_sentence "lump 0, LEAFS, is gone"
CHANGE='splice @lumps, 1, 1'
expect 1 blocksweep --builder="./builder {in} {out}" stray.wad -o out.wad
expect_sentence "lump 1, GL_PVS, is gone"
expect_absent out.wad

# A lump of an unselected map may lie outside the old file.
make_program whole <<'END'
cp same.wad "$2"
END
for setting in "position 100000000" "position 4000000000" "size 300000000"; do
    cp same.wad damaged.wad
    # shellcheck disable=SC2086 # a member and its value
    wadtool set damaged.wad MAP02/LINEDEFS $setting
    expect 1 blocksweep --map=MAP01 --builder="./whole {in} {out}" damaged.wad \
        -o out.wad
    expect_sentence "MAP02: linedef "
    expect_absent out.wad
done

# GL_VERT follows a marker of GL nodes; it does not follow GL_NOTE, which must stay.
perl "$lose" 'add "D_RUNNIN", ["GL_NOTE", "text"]' same.wad stray.wad
CHANGE='drop "GL_NOTE"'
expect 1 blocksweep --builder="./builder {in} {out}" stray.wad -o out.wad
expect_sentence "GL_NOTE, is gone"
expect_absent out.wad

# A file whose lumps overlap takes no time that does not follow its size.
head -c 1000000 /dev/zero >large
{ room MAP01; perl -e 'print "LARGE $ARGV[0]/large\n",
    map { "L$_ \@11 0 1000000\n" } 1 .. 300' "$folder"; } >recipe
write_room
wadtool make PWAD shared.wad <recipe
expect 1 blocksweep --builder="true {in}" shared.wad -o out.wad
expect_sentence "builder true: the file that it wrote: its lumps overlap too"
expect_absent out.wad

# --- What is taken ---

while read -r CHANGE; do
    cp same.wad in.wad
    expect_build --builder="./builder {in} {out}" --in-place in.wad </dev/null
done <<'END'
1
tidy
reformat
tidy; reformat
lump("MAP01/$_") = "new $_" for qw(SEGS SSECTORS NODES REJECT BLOCKMAP)
lump("MAP03/ZNODES") = "new"
drop "GL_MAP01", map { "GL_$_" } qw(VERT SEGS SSECT NODES)
lump("MAP01/$_") = "" for qw(SEGS SSECTORS NODES)
add "D_RUNNIN", ["GL_PVS", "new"]
push @lumps, ["NOTES", "new"]
lump("MAP01/LINEDEFS") = join "", reverse unpack "(a14)*", lump("MAP01/LINEDEFS")
put "MAP01/SIDEDEFS", 30, 3, 4, "a8", "-\0rubbish"
put "MAP01/SIDEDEFS", 30, 9, 4, "a8", "unused"
edit "MAP03", qr/y = 128;/, "y = 128.00005;"
END

# --- What a builder is documented to change ---

# ZokumBSP adds linedefs, and loses those whose tag says so; no other may.
perl "$lose" 'put "MAP01/LINEDEFS", 14, 1, 8, "v", 998' same.wad tagged.wad
while IFS='|' read -r status_of_other CHANGE; do
    for program in zokumbsp builder; do
        wanted=0
        [ $program = zokumbsp ] || wanted=$status_of_other
        expect "$wanted" blocksweep --quiet --builder="./$program {in} {out}" \
            tagged.wad -o out.wad </dev/null
    done
done <<'END'
1|lump("MAP01/LINEDEFS") .= substr lump("MAP01/LINEDEFS"), 0, 14
1|cut "MAP01/LINEDEFS", 14, 1
END
CHANGE='cut "MAP01/LINEDEFS", 14, 2'
expect 1 blocksweep --builder="./zokumbsp {in} {out}" tagged.wad -o lost.wad
expect_sentence "builder ./zokumbsp: " "MAP01: linedef 2"
expect_absent lost.wad
perl "$lose" 'put "MAP01/LINEDEFS", 14, 1, 6, "v2", 1078, 0' same.wad moving.wad
CHANGE='cut "MAP01/LINEDEFS", 14, 4'
expect 1 blocksweep --builder="./zokumbsp {in} {out}" moving.wad -o lost.wad
expect_sentence "builder ./zokumbsp: " "MAP01: linedef 4"

# --- What the builder did not find ---

# As in SRB2's maps, whose lumps are sorted by name.
perl "$lose" '@lumps[3 .. 12] = sort { $a->[0] cmp $b->[0] } @lumps[3 .. 12]' \
    same.wad sorted.wad
perl "$lose" 'lump("MAP02/$_") = "" for qw(SEGS SSECTORS NODES)' same.wad \
    plain.wad
while read -r name map; do
    CHANGE='lump("MAP03/ZNODES") = "new"'
    expect 0 blocksweep --quiet --for=srb2 \
        --builder="./builder {in} {out}" "$name.wad" -o out.wad
    expect_sentence "builder ./builder: 1 of 4 maps have no new nodes" ": $map"
done <<'END'
sorted MAP01
plain MAP02
END
