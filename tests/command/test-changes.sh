#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the report of a build says of each map what changed, and that its
# numbers are those of verify: the entries that the old lump lacked, the extra
# ones, and the lists that could not be read.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
write_room

# build_from WORD...: builds a room that has this blockmap.
build_from() {
    words "$@" >old-blockmap
    room MAP01 | replacing BLOCKMAP old-blockmap | wadtool make PWAD in.wad
    expect 0 blocksweep --grid=auto --json in.wad -o out.wad
    read_json
    cp facts built
    expect 0 blocksweep in.wad -o out.wad
    tr -s ' ' <output | sed -n 's/^MAP01 [0-9]* [0-9]* [0-9]* of 32767 //p' >row
}

# The word in JSON, the text, and the old lump.  The new lists are 0 1 3 and
# 1 2 3, each behind a 0.  Headers other than 0 are not entries; nor is a
# linedef that is listed twice two entries.
while IFS='|' read -r change text old; do
    # shellcheck disable=SC2086 # words
    build_from $old
    expect_text row "$text"
    expect_facts maps.0.change "$change"
    [ "$change" = lists ] || continue
    blocksweep verify --json in.wad >output || [ $? = 1 ]
    read_json
    missing=$(fact files.0.maps.0.missing_entries)
    extra=$(fact files.0.maps.0.extra_entries)
    unreadable=$(fact files.0.maps.0.unreadable_blocks)
    cp built facts
    expect_facts maps.0.only_new_entries "$missing" \
        maps.0.only_old_entries "$extra" \
        maps.0.unreadable_blocks "$unreadable"
done <<'END_OF_TABLE'
none|unchanged|0 0 2 1 6 11 0 0 1 3 65535 0 1 2 3 65535
storage|same lists, stored anew|0 0 2 1 11 6 0 1 2 3 65535 0 0 1 3 65535
headers|different headers|0 0 2 1 6 10 0 1 3 65535 1 2 3 65535
headers|different headers|0 0 2 1 6 11 3 0 1 3 65535 2 1 2 3 65535
order|different order in lists|0 0 2 1 6 11 0 0 3 1 65535 0 1 2 3 65535
lists|1 missing entry added|0 0 2 1 6 11 0 0 1 3 65535 0 1 2 65535
lists|1 missing entry added|0 0 2 1 6 11 3 0 1 3 65535 2 1 2 65535
lists|1 extra entry removed|0 0 2 1 6 12 0 0 1 2 3 65535 0 1 2 3 65535
lists|1 extra entry removed|0 0 2 1 6 11 0 1 2 3 65535 1 2 3 65535
lists|1 extra entry removed|0 0 2 1 6 13 0 0 1 2 2 3 65535 0 1 2 3 65535
lists|2 missing added, 1 extra removed|0 0 2 1 6 11 0 0 1 2 65535 0 1 2 65535
lists|3 missing entries added|0 0 1 1 5 0 0 1 3 65535
lists|1 extra entry removed|0 0 3 1 7 12 17 0 0 1 3 65535 0 1 2 3 65535 0 2 65535
lists|1 damaged list replaced|0 0 2 1 6 999 0 0 1 3 65535
grid|different grid|64 0 1 1 5 0 0 1 2 3 65535
unknown|lists could not be compared|0 0
END_OF_TABLE

# A map without nodes has no demos, but its first blockmap is one.
room MAP01 | without BLOCKMAP | without SEGS | without SSECTORS |
    without NODES | wadtool make PWAD in.wad
expect 0 blocksweep --json in.wad -o out.wad
read_json
expect_facts maps.0.change first

# New lists with extra entries, and pruned linedefs: what was added need not
# have been missing, and what was removed need not have been extra.
expect 0 blocksweep --preset=repack --map=MAP07 "$sample" -o out.wad
expect_match output '  30 added, 2 extra removed$'
expect 0 blocksweep --prune=inert --map=MAP01 "$sample" -o out.wad
expect_match output '  49 missing added, 1 removed$'

# The form alone is no header.
expect 0 blocksweep --quiet --format=xbm1 "$sample" -o wide.wad
expect 0 blocksweep wide.wad -o new.wad
expect_count 3 output 'most ports read only this one$'
expect 0 blocksweep --format=xbm1 new.wad -o wide.wad
expect_count 3 output 'most ports read only the old one$'
expect_not_in errors 'different headers'

# With a builder, all is said of the input's lump.  Lists of a text's linedefs are
# not compared, as they may be of others; the bytes are.
need zdbsp
expect 0 blocksweep --builder=zdbsp --map=MAP01 "$sample" -o out.wad
expect_match output '^MAP01  *5482 .*  205 missing added, 1 extra removed$'
make_wad convert "$sample" text.wad MAP01=udmf MAP07=udmf MAP30=udmf
expect 0 blocksweep --quiet --builder=zdbsp text.wad -o out.wad
expect 0 blocksweep --builder=zdbsp out.wad -o new.wad
expect_count 3 output '^MAP.* unchanged$'
expect 0 blocksweep --builder=zdbsp --preset=repack out.wad -o new.wad
expect_count 3 output '^MAP.* lists could not be compared$'
