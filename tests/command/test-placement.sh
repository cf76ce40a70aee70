#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a map whose BLOCKMAP ports would not find fails in one sentence
# and keeps its lumps; that the sentence names ZDBSP only if that puts the lumps
# in place, and what it leaves behind; that a map is built for the ports that do
# find the lump, in the place of the old one; and that verify says what each port
# does, also without the lump.
#
# The places were tried in Chocolate Doom, Crispy Doom, DSDA-Doom and Woof.

. "$SOURCE_DIR/tests/help/library.sh"
need_json
write_room
echo "text of the author" >NOTES

# make_map NAME...: writes map.wad, the room with its lumps in this order, and
# another map behind it.
make_map() {
    room MAP01 >lumps-of-room
    {
        echo MAP01
        for name in "$@"; do
            grep "^$name " lumps-of-room || echo "$name $folder/NOTES"
        done
        room MAP02
    } | wadtool make PWAD map.wad
}

nodes="SEGS SSECTORS NODES"
start="THINGS LINEDEFS SIDEDEFS VERTEXES"
usual="$start $nodes SECTORS REJECT BLOCKMAP"

# A ZDBSP that does not help.
mkdir bin
make_program bin/zdbsp <<'END'
echo "zdbsp was heard"
exit 1
END
real_path=$PATH
PATH=$folder/bin:$PATH

# expect_new MAP...: in out.wad these have a blockmap of the room.
expect_new() {
    for map in "$@"; do
        wadtool blockmap out.wad "$map/BLOCKMAP" >grid
        expect_match grid '^0 0 2 1 '
    done
}

# expect_misplaced OPTION SENTENCE: MAP01 fails with it, and only MAP02 is built.
expect_misplaced() {
    expect 1 blocksweep --quiet "$1" map.wad -o out.wad
    grep ": MAP01: " errors | expect_text - "blocksweep: map.wad: MAP01: $2"
    expect_lumps_kept map.wad out.wad
    expect_lump out.wad MAP01/BLOCKMAP BLOCKMAP
    expect_new MAP02
}

# expect_placed OPTION: both maps are built; names and order stay.
expect_placed() {
    expect 0 blocksweep --quiet "$1" map.wad -o out.wad
    expect_lumps_kept map.wad out.wad
    expect_new MAP01 MAP02
}

# --- Another lump inside ---

# shellcheck disable=SC2086 # names
make_map $start $nodes SECTORS NOTES REJECT BLOCKMAP
expect_misplaced --for=any "NOTES stands inside the map: ZDoom 2.8.1 does not see \
REJECT and BLOCKMAP, and Doom 1.9 reads NOTES as REJECT and REJECT as \
BLOCKMAP"
expect_misplaced --for=zandronum "NOTES stands inside the map: ZDoom 2.8.1 does not \
see REJECT and BLOCKMAP"
expect_misplaced --for=srb2,chocolate-doom "NOTES stands inside the map: Doom \
1.9 reads NOTES as REJECT and REJECT as BLOCKMAP"
expect_misplaced --for=eternity "NOTES stands inside the map: Eternity refuses \
the map, as REJECT is not lump 9 of it"
expect_placed --for=srb2
expect_placed --for=edge-classic

# shellcheck disable=SC2086
make_map $start $nodes SECTORS REJECT NOTES BLOCKMAP
expect_misplaced --for=any "NOTES stands inside the map: ZDoom 2.8.1 does not see \
BLOCKMAP, and Doom 1.9 reads NOTES as BLOCKMAP"

# ZDBSP does not find what comes behind such lumps either.
make_map THINGS NOTES LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS \
    REJECT BLOCKMAP
expect_misplaced --for=any "NOTES stands inside the map: ZDoom 2.8.1 refuses the map, \
as it finds NOTES in place of LINEDEFS, and Doom 1.9 reads NOTES as LINEDEFS"
make_map THINGS LINEDEFS SIDEDEFS VERTEXES NOTES SEGS SSECTORS NODES SECTORS \
    REJECT BLOCKMAP
expect_misplaced --for=boom "NOTES stands inside the map: PrBoom+ reads NOTES as \
SEGS"

# Behind BLOCKMAP, and behind all that ports look for, anything may stand.
# shellcheck disable=SC2086
make_map $usual NOTES
expect_placed --for=everywhere
# shellcheck disable=SC2086
make_map $usual NOTES BLOCKMAP
expect_placed --for=everywhere
expect_sentence "MAP01: lump 12 is a second BLOCKMAP, which no port takes; it \
is kept"
expect 1 blocksweep verify map.wad
expect_line "an old BLOCKMAP after the map, which no port uses: lump 12"

# --- Another order, and lumps that are missing ---

# shellcheck disable=SC2086
make_map $start SECTORS $nodes REJECT BLOCKMAP
expect_misplaced --for=any "SECTORS stands before SEGS: ZDoom 2.8.1 does not see SEGS, \
SSECTORS, NODES, REJECT and BLOCKMAP, and Doom 1.9 reads SECTORS as SEGS"
# shellcheck disable=SC2086
make_map $start $nodes SECTORS BLOCKMAP REJECT
expect_misplaced --for=any "BLOCKMAP stands before REJECT: Doom 1.9 reads \
BLOCKMAP as REJECT and REJECT as BLOCKMAP"
expect_placed --for=gzdoom
# shellcheck disable=SC2086
make_map $start $nodes SECTORS BLOCKMAP
expect_misplaced --for=any "the map has no REJECT: Doom 1.9 reads BLOCKMAP as \
REJECT and MAP02 as BLOCKMAP"
expect_placed --for=gzdoom,srb2

# As do the options in --plugin, and a preset.
expect_placed --plugin=blocksweep,for=gzdoom,srb2,pack=share
expect_misplaced --plugin=blocksweep,pack=share,for=doom19,gzdoom "the map has \
no REJECT: Doom 1.9 reads BLOCKMAP as REJECT and MAP02 as BLOCKMAP"

# Without any lump for nodes, a node builder is to come.
# shellcheck disable=SC2086
make_map $start SECTORS BLOCKMAP
expect_placed --for=any

# --- Alphabetical order ---

# shellcheck disable=SC2046,SC2086
make_map $(printf '%s\n' $usual | sort)
alphabet="the lumps are in alphabetical order, and only SRB2 finds them there; \
try --for=srb2"
expect_misplaced --for=any "$alphabet"
expect_misplaced --for=srb2,zdoom "$alphabet"
expect_placed --for=srb2
expect 0 blocksweep verify --for=srb2 out.wad

# --- verify ---

# expect_outcomes OUTCOME ENGINE...: verify tells this of them.
expect_outcomes() {
    told=$1
    shift
    for engine in "$@"; do
        perl -MJSON::PP -0777 -e '
            my ($told, $engine) = @ARGV;
            my $map = decode_json(<STDIN>)->{files}[0]{maps}[0];
            for my $group (@{$map->{groups}}) {
                next if !grep { $_ eq $engine } @{$group->{engines}};
                exit 0 if $group->{verdict} eq $told;
                die "$engine: $group->{verdict}, not $told\n";
            }
            die "$engine is not told of\n"' "$told" "$engine" <outcomes
    done
}

# shellcheck disable=SC2086
make_map $start $nodes SECTORS NOTES REJECT BLOCKMAP
blocksweep build --quiet --for=srb2 map.wad -o map.wad
expect 1 blocksweep verify --json map.wad
mv output outcomes
for level in vanilla "below MBF21" MBF21; do
    expect_outcomes crashes "DSDA-Doom ($level)" "unreleased Woof ($level)" \
        "Woof ($level)" "Nugget Doom ($level)"
done
expect_outcomes crashes "Doom 1.9" "Chocolate Doom" "Crispy Doom" Eternity \
    "Odamex 10.6 (usual)" "Odamex 10.6 (co_blockmapfix)" \
    "unreleased Odamex (demos)" "unreleased Odamex (no demos)"
expect_outcomes rebuilds Zandronum GZDoom "Doom Retro" k8vavoom
expect_outcomes loads SRB2
expect 0 blocksweep verify --for=srb2 map.wad
expect 1 blocksweep verify --for=crispy-doom map.wad
expect_line "Crispy Doom, International Doom: crashes: the tenth lump is REJECT"

# A lump that is read as SEGS ends most ports.
# shellcheck disable=SC2086
make_map $start SECTORS $nodes REJECT BLOCKMAP
blocksweep build --quiet --for=srb2 map.wad -o map.wad
expect 1 blocksweep verify --json map.wad
mv output outcomes
expect_outcomes crashes "Doom 1.9" "DSDA-Doom (MBF21)" "Woof (MBF21)" Eternity
expect_outcomes rebuilds Zandronum GZDoom
expect_outcomes loads SRB2
expect 1 blocksweep verify map.wad
expect_in output "crashes: it reads SECTORS as SEGS" \
    "SECTORS stands before SEGS: "
expect_not_in output "zdbsp"
expect_text errors ""
expect_not_in output "To repair"

# Woof reads what is in place of REJECT whole, with room for a right REJECT.
: >NOTES
# shellcheck disable=SC2086
make_map $start $nodes SECTORS NOTES REJECT BLOCKMAP
blocksweep build --quiet --for=srb2 map.wad -o map.wad
expect 1 blocksweep verify --json map.wad
mv output outcomes
expect_outcomes crashes "Chocolate Doom" "Crispy Doom"
expect_outcomes rebuilds "Woof (MBF21)" "Woof (vanilla)"
# shellcheck disable=SC2086
make_map $start $nodes SECTORS BLOCKMAP
blocksweep build --quiet --for=srb2 map.wad -o map.wad
expect 1 blocksweep verify --json map.wad
mv output outcomes
expect_outcomes crashes "Doom 1.9" "Woof (MBF21)"
expect_outcomes rebuilds "Crispy Doom"

# A lump that is too short to be read makes ports build their own.
printf x >REJECT
# shellcheck disable=SC2086
make_map $start $nodes SECTORS NOTES REJECT BLOCKMAP
blocksweep build --quiet --for=srb2 map.wad -o map.wad
expect 1 blocksweep verify --json map.wad
mv output outcomes
expect_outcomes rebuilds "Crispy Doom" "DSDA-Doom (MBF21)"
expect_outcomes crashes Eternity "unreleased Woof (vanilla)" \
    "unreleased Woof (below MBF21)" "unreleased Woof (MBF21)"
expect 0 blocksweep verify --for=crispy-doom map.wad
expect_line "Crispy Doom, International Doom: builds its own: the tenth lump is REJECT"

# --- What helps ---

# expect_hint [HINT]: build ends the sentence on MAP01 with it, or without any.
# verify runs no other program.
expect_hint() {
    expect 1 blocksweep --quiet map.wad -o out.wad
    grep ": MAP01: " errors >sentences
    expect_count 1 sentences .
    if [ -z "${1-}" ]; then
        expect_not_in sentences "--builder"
    else
        sed 's/.*\(; --builder\)/\1/' sentences | expect_text - "$1"
    fi
    expect 1 blocksweep verify map.wad
    expect_not_in output "--builder"
    expect_match output "^map.wad: none of the options that were tried repairs .*; a build \
says why$"
}
helps="; --builder=zdbsp puts the lumps in place"

# One that writes the maps in place, leaves lumps behind, writes no BLOCKMAP, or
# changes nothing.
# shellcheck disable=SC2086
{
    make_map $usual
    blocksweep build --quiet map.wad -o usual.wad
    make_map $usual NOTES REJECT SEGS BLOCKMAP
    blocksweep build --quiet map.wad -o behind.wad
    make_map $start $nodes SECTORS REJECT
    cp map.wad without.wad
    make_map $start $nodes SECTORS BLOCKMAP
    cp map.wad same.wad
}
make_program bin/zdbsp <<END
echo run >>'$folder/runs'
cp "\$(cat '$folder/made')" "\$2"
END
for made in usual behind without same; do
    echo "$folder/$made.wad" >made
    : >runs
    case $made in
    usual) expect_hint "$helps" ;;
    behind)
        expect_hint "$helps, and leaves the old REJECT, SEGS after the map"
        ;;
    *) expect_hint ;;
    esac
    expect_count 1 runs run # once a file
done

# It has a minute, here of 12 seconds.
# shellcheck disable=SC2016 # for the loader
fast='/usr/$LIB/faketime/libfaketime.so.1'
if LD_PRELOAD=$fast sh -c : 2>&1 | grep -q faketime || is_sanitized; then
    echo "libfaketime is not there: a ZDBSP that takes too long was not tried"
else
    make_program bin/zdbsp <<END
sleep 80
cp '$folder/usual.wad' "\$2"
END
    expect 1 env LD_PRELOAD="$fast" FAKETIME='+0 x5' "$BUILD_DIR/run" \
        blocksweep --quiet map.wad -o out.wad
    expect_in errors ": MAP01: "
    expect_not_in errors "--builder"
fi

rm bin/zdbsp
PATH=$real_path
if ! has zdbsp; then
    expect_hint
    exit 0
fi
for order in "SECTORS NOTES REJECT BLOCKMAP" "SECTORS BLOCKMAP REJECT" \
    "SECTORS BLOCKMAP"; do
    write_room
    for name in SEGS SSECTORS NODES REJECT BLOCKMAP; do
        : >$name
    done
    perl -e 'print pack "s<5", 50, 50, 0, 1, 7' >THINGS
    perl -e 'print pack("s<2a8a8a8v", 0, 0, "-", "-", "STARTAN3", 0) x 4' >SIDEDEFS
    perl -e 'print pack "s<2a8a8v3", 0, 128, "FLAT1", "FLAT1", 160, 0, 0' >SECTORS
    # shellcheck disable=SC2086
    make_map $start $nodes $order
    case $order in
    *NOTES*)
        expect_hint "$helps, and leaves the old REJECT after the map"
        ;;
    *"BLOCKMAP REJECT")
        expect_hint "$helps, and leaves the old REJECT after the map"
        ;;
    *) expect_hint "$helps" ;;
    esac
    expect 0 blocksweep --quiet --builder=zdbsp map.wad -o out.wad
    expect_room out.wad MAP01 MAP02
    expect 0 blocksweep verify out.wad
    list_names out.wad | expect_match - "^MAP01 $usual"
    list_names out.wad | tr " " "\n" >names
    expect_count 2 names "^BLOCKMAP$"
done

# Maps without nodes.
# shellcheck disable=SC2086
make_map $start SECTORS
expect 0 blocksweep map.wad -o out.wad
expect_sentence "2 of 2 maps have no nodes; run a node builder first"

# Maps in alphabetical order it does not find.
# shellcheck disable=SC2046,SC2086
make_map $(printf '%s\n' $usual | sort)
expect 1 blocksweep --quiet map.wad -o out.wad
expect_not_in errors "--builder"

# --- A map without BLOCKMAP is found by most, and refused by two ---

room MAP01 | without BLOCKMAP | wadtool make PWAD none.wad
for port in eternity woof-dev; do
    expect 1 blocksweep verify --for=$port none.wad
    expect_in output "refuses the map, as BLOCKMAP is not lump 10 of it"
done
for port in dsda-doom woof crispy-doom zdoom srb2; do
    expect 0 blocksweep verify --for=$port none.wad
    expect_in output "builds its own: it "
done
