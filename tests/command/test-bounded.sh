#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that what it takes for a file follows its size.  Where the maps of a
# file take more than all of them may, one sentence tells where that was; a map
# whose lumps alone are more is not read.  Small files that are made to take as
# much as they can take no more steps, and no more memory, than SECURITY.md says.
# With LONG in the environment these are larger.
#
# Steps are the same on every machine.  To read a table of offsets or a record
# takes none; test-instructions.sh counts that.  Processor time is printed, and
# nothing depends on it.  Quicker tests of limits build one map, and measure no
# command.

. "$SOURCE_DIR/tests/help/library.sh"

# --- What all maps may take ---

# expect_end LAST KIND ARGUMENT...: the maps of made.wad end after this number,
# which is a pattern, as they take too much of a kind.
expect_end() {
    last=$1
    kind=$2
    shift 2
    expect 1 blocksweep "$@"
    grep ' limit for a file of ' errors >ends
    expect_count 1 ends "^blocksweep: made.wad: the maps up to \
M0*$last used [0-9]* $kind; the limit for a file of \
$(wc -c <made.wad) bytes is [0-9]*; choose maps with --map"
}

make_wad crowd grids 40 different made.wad
expect_end 32 blocks verify made.wad
expect_line "M0000032 1 - 0 0 - 0 0 empty" "M0000033 0 - 0 - failed"
expect_end 32 blocks build --dry-run made.wad
expect_end 32 blocks build --quiet made.wad -o out.wad
expect_count 33 errors "left empty"
wadtool list out.wad >lumps
expect_count 33 lumps BLOCKMAP
expect 0 blocksweep verify --quiet --map=M0000033-M0000039 made.wad
expect_end 32 blocks show made.wad
expect_end 32 blocks diff made.wad out.wad
make_wad crowd lines 40 different made.wad
expect_end 4 steps build --quiet --preset=small made.wad -o out.wad
make_wad crowd lists 100 different made.wad
for command in verify show "diff $sample"; do
    # shellcheck disable=SC2086 # words
    expect_end 0 entries $command made.wad
done
for options in --preset=repack --lists=lump; do
    expect_end 0 steps build --quiet $options made.wad -o out.wad
done
make_wad crowd tiny 25000 alike made.wad
expect_end 20979 bytes build --quiet made.wad -o out.wad

# Lumps of several maps may share bytes.
rooms 2 2 64 64
head -c 1350000 /dev/zero | tr '\0' ' ' | cat TEXTMAP - >LARGE
{
    printf 'MAP01\nTEXTMAP %s/LARGE\nENDMAP\n' "$folder"
    for number in $(seq 2 20); do
        printf 'M%s\nTEXTMAP @1 0 %s\nENDMAP\n' "$number" "$(wc -c <LARGE)"
    done
} | wadtool make PWAD made.wad
for command in "build --quiet -o out.wad" verify show; do
    # shellcheck disable=SC2086 # words
    expect_end 17 'bytes of lumps' $command made.wad
done

# The lumps of one map may share bytes, too.
head -c 8000000 /dev/zero >OTHER
text_room MAP01 OTHER |
    awk '{ print }
        $1 == "OTHER" { for (i = 0; i < 7; i++) print "OTHER @2 0 8000000" }' |
    wadtool make PWAD made.wad
for arguments in "build made.wad -o out.wad" "verify made.wad" \
    "show made.wad" "diff made.wad rooms.wad"; do
    # shellcheck disable=SC2086 # each word is an argument
    expect 1 blocksweep $arguments
    expect_match errors "made.wad: MAP01: its lumps overlap and have 64"
done

# --- What it takes ---

# expect_memory KIBIBYTES ARGUMENT...: a run for $made takes no more memory.  It
# ends well, or says that maps fail, or that they differ.
expect_memory() {
    memory=$1
    shift
    [ "$1" != diff ] || set -- "$@" "$made"
    status=0
    as_built "$BUILD_DIR/tests/command/measured" measures \
        blocksweep "$@" "$made" >output 2>errors || status=$?
    [ "$status" -le 1 ] || fail_showing errors "$* ended with $status"
    read -r milliseconds kibibytes <measures
    echo "$kind: $*: $milliseconds ms, $kibibytes KiB of $memory"
    # Sanitizers take more.
    is_sanitized || [ "$kibibytes" -le "$memory" ] ||
        fail "$* took too much memory for $kind"
}

# What stands between the lumps of a map is not read, if it is much.
text_room FAR OTHER | wadtool make PWAD far.wad
wadtool set far.wad FAR/OTHER position 100000000
truncate -s "$((100000000 + $(wc -c <OTHER)))" far.wad
made=far.wad kind=far
expect_memory 40000 verify
expect_memory 40000 show

# expect_build_bounds MEMORY ARGUMENT...: the same of a build, and no more than
# $most_steps.  The report tells no steps of maps that fail.
expect_build_bounds() {
    memory=$1
    shift
    expect_memory "$memory" build --quiet --json "$@" -o out.wad
    expect_steps "$@"
}

# expect_steps OPTION...: the builds whose report is in output took no more than
# $most_steps.
expect_steps() {
    steps=$(sed -n 's/^ *"steps": \([0-9]*\).*/\1/p' output |
        awk '{ sum += $1 } END { printf "%.0f", sum }')
    echo "$steps steps of $most_steps"
    [ "$steps" -gt 0 ] || [ "$status" -eq 1 ] ||
        fail_showing output "steps were expected"
    [ "$steps" -le "$most_steps" ] || fail "$* took too many steps for $kind"
}

# expect_bounded LUMP KEPT: all commands keep to the bounds for $made, whose
# largest lump has so many bytes that they read.  For its lines the stage takes
# and keeps so many KiB at most, once for each file.
expect_bounded() {
    size=$(gzip -dcf "$made" | wc -c)
    # One map takes hardly more than a step for each byte.  All maps of a crowd
    # take what the file allows for and the last map: twice its work limit, or
    # reading as many lists twice as memory holds.
    case $kind in
    *lists*) most_steps=$(((1 << 33) + (1 << 30) + 1024 * size)) ;;
    *alike | *different) most_steps=$((3 * (1 << 29) + 9216 * size)) ;;
    *) most_steps=$((65536 + size)) ;;
    esac
    for preset in compatible repack small vanilla; do
        expect_build_bounds $((131072 + size / 32)) --preset=$preset
    done
    most=$((65536 + $1 / 64 + $2))
    expect_memory $most verify --quiet
    expect_memory $most show --quiet
    expect_memory $((most + $1 / 64 + $2)) diff --quiet
    # What a build may take is also for a check of nodes.
    expect_memory $((131072 + size / 32)) verify --quiet --nodes
}

# crowd KIND COUNT [SAME]: the same for so many maps that share bytes.
crowd() {
    for same in ${3-alike different}; do
        kind="$2 $1, $same"
        make_wad crowd "$1" "$2" "$same" made.wad
        expect_bounded 0 65536
        [ "$1" != lists ] ||
            expect_build_bounds $((131072 + size / 32)) --lists=lump
    done
}

# lump KIND MEBIBYTES: and for a lump of this size.
lump() {
    kind="$1 of $2 MiB"
    make_wad vast-lump "$1" "$2" made.wad
    [ "$made" = made.wad ] || gzip -kf made.wad
    expect_bounded $(($2 << 20)) 0
}

# sectors COUNT: and for so many empty sectors, compressed.
sectors() {
    kind="$1 sectors"
    make_wad text 'sector{}' "$1" made.wad
    [ "$made" = made.wad ] || gzip -kf made.wad
    expect_bounded $(($1 * 8)) 0
    expect_build_bounds $((size / 64)) --prune=inert
}

# Of a compressed file the steps follow 16 times its own size, whether from a
# file or a pipe: 9,000 maps that share 8,800 bytes of lumps, and zeros, 62 MB in
# all, of some 130 KB of gzip.  The last map takes twice its work limit at most.
make_wad crowd lines 9000 different made.wad
head -c 61500000 /dev/zero >>made.wad
gzip -9nf made.wad
made=made.wad.gz kind="9000 lines, compressed"
packed=$(wc -c <$made)
most_steps=$((3 * (1 << 29) + 1024 * 16 * packed + 8192 * 8800))
limited="the limit for a compressed file of $packed bytes is"
# A dry run tries the presets within the same steps: none is left for them.
expect_memory 200000 build --dry-run --json --preset=small
expect_count 1 errors "^blocksweep: $made: the maps up to M00[0-9]* used \
[0-9]* steps; $limited $(((1 << 30) + 1024 * 16 * packed)); choose maps"
expect_count 4 output '"failed": 9000$'
expect_not_in errors "not all presets"
expect_steps --dry-run
[ "$steps" -gt 0 ] || fail "steps were expected"
# Where they are enough for the build alone, it says so.
write_room
perl -e 'srand 1;
    for (1 .. 6500) {
        my ($x, $y) = map { int rand 10240 } 0, 1;
        print pack "v4", $x, $y, $x + int rand 400, $y + int rand 400;
    }' >VERTEXES
make_lines
expect 0 blocksweep --dry-run map.wad
expect_match errors "not all presets were tried on all maps: the maps up to MAP01 \
used [0-9]* steps; the limit for a file of $(wc -c <map.wad) bytes is"
expect_match output "^vanilla .* 1\$"
# With lists of the usual kind blocks end first.
limited="$limited $(((1 << 23) + 8 * packed)); choose maps"
for command in build\ --output=out.wad verify show diff; do
    # shellcheck disable=SC2086 # words
    expect_memory 200000 $command --quiet
    expect_match errors "$limited"
done
# shellcheck disable=SC2002 # a pipe is what is tried
cat $made | expect 1 blocksweep build --quiet - -o out.wad
expect_count 1 errors "^blocksweep: -: the maps up to .*; $limited"
# A builder writes a plain file, whose limits are those of its input.
# shellcheck disable=SC2016 # in the program
echo 'cp "$1" "$2"' | make_program copy
expect 1 blocksweep build --quiet --builder="$folder/copy {in} {out}" $made \
    -o out.wad
expect_in errors "$limited"

made=made.wad
if [ -z "${LONG-}" ]; then
    crowd tiny 300 different
    crowd grids-with-lumps 6 different
    crowd lines 2 different
    crowd lists 100 different
    lump classic 2
    expect_memory $((131072 + size / 32)) verify # which tries repairs
    lump xbm1 2
    sectors 200000
    exit
fi
crowd tiny 80000
crowd grids-with-lumps 2000
crowd grids 45000
crowd lines 60
crowd lists 45000
lump zeros 64
lump classic 131
lump xbm1 268
made=made.wad.gz
lump zeros 63
sectors 8388000
