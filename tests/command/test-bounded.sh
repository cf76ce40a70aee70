#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that what it takes for a file follows its size.  Where the maps of a
# file take more than all of them may, one sentence tells where that was; a map
# whose lumps alone are more is not read.  And small files that are made to take
# as much as they can take no more than 50 times the processor time of an honest
# file of the same size, or 5 s, and no more memory than SECURITY.md says.  With
# LONG in the environment these are larger.  A text takes verify at most twice
# what it takes build, counted with valgrind.  Quicker tests of limits build one
# map, and measure no command.

. "$SOURCE_DIR/tests/help/library.sh"

# --- What all maps may take ---

# expect_end LAST KIND ARGUMENT...: the maps of made.wad end after this number,
# which is a pattern, as they take too much of a kind.
expect_end() {
    last=$1
    kind=$2
    shift 2
    expect 1 blocksweep "$@"
    grep ' maps of a file of ' errors >ends
    expect_count 1 ends "^blocksweep: made.wad: the maps up to \
M0*$last take [0-9]* $kind; all maps of a file of \
$(wc -c <made.wad) bytes may take [0-9]*; choose maps with --map"
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
expect_end '[1-9][0-9]*' steps build --quiet --preset=small made.wad -o out.wad
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
    expect_match errors "made.wad: MAP01: its lumps share bytes and have 64"
done

# --- What a text takes ---

# count ARGUMENT...: prints how many instructions the command takes.
count() {
    "$BUILD_DIR/run" valgrind --tool=callgrind --callgrind-out-file=counts \
        blocksweep "$@" 2>counts.log >/dev/null || fail_showing counts.log "$*"
    awk '/ Collected :/ { print $4 }' counts.log
}

# expect_twice PART: with 100,000 bytes of it at the end of a text, verify takes
# at most twice what a build takes.
expect_twice() {
    make_wad text "$1" $((100000 / ${#1})) made.wad
    built=$(count build --quiet made.wad -o out.wad)
    taken=$(count verify --quiet out.wad)
    echo "$1: verify takes $taken instructions, build $built"
    [ "$taken" -le $((2 * built)) ] || fail "verify takes too much for $1"
}

if ! is_sanitized && command -v valgrind >/dev/null; then
    for part in ';' '{ ' '"" ' 'a=1;' 'zone{a=1;}' 'sector{a=1;}' 'thing{}' \
        'linedef{v1=0;v2=1;a=1;}'; do
        expect_twice "$part"
    done
fi

# --- What it takes ---

! is_sanitized || exit 0 # they take more

# measure FILE ARGUMENT...: runs the command for a file; sets `milliseconds` and
# `kibibytes`.  It ends well, or says that maps fail, or that they differ.
measure() {
    measured=$1
    shift
    [ "$1" != diff ] || set -- "$@" "$measured"
    status=0
    "$BUILD_DIR/run" "$BUILD_DIR/tests/command/measured" measures \
        blocksweep "$@" "$measured" >output 2>errors || status=$?
    [ "$status" -le 1 ] || fail_showing errors "$* ended with $status"
    read -r milliseconds kibibytes <measures
}

# expect_bounds BYTES MEMORY ARGUMENT...: a run for $made takes no more memory in
# KiB, and no more time than so many bytes of the sample.
expect_bounds() {
    bytes=$1
    memory=$2
    shift 2
    measure "$made" "$@"
    taken=$milliseconds
    echo "$kind: $*: $taken ms, $kibibytes KiB of $memory"
    [ "$kibibytes" -le "$memory" ] || fail "$* took too much memory for $kind"
    [ "$taken" -gt 5000 ] || return 0
    measure "$sample" "$@"
    slowest=$((milliseconds * 50 * bytes / $(wc -c <"$sample")))
    echo "$slowest ms would be 50 times as long as for an honest file"
    [ "$taken" -le "$slowest" ] || fail "$* took too long for $kind"
}

# expect_bounded LUMP KEPT: all commands keep to the bounds for $made, whose
# largest lump has so many bytes that they read.  For its lines the stage takes
# and keeps so many KiB at most, once for each file.
expect_bounded() {
    size=$(gzip -dcf "$made" | wc -c)
    for preset in compatible repack small vanilla; do
        expect_bounds "$size" $((131072 + size / 32)) \
            build --quiet --preset=$preset -o out.wad
    done
    most=$((65536 + $1 / 64 + $2))
    expect_bounds "$size" $most verify --quiet
    expect_bounds "$size" $most show --quiet
    expect_bounds "$size" $((most + $1 / 64 + $2)) diff --quiet
}

# crowd KIND COUNT: the same for so many maps that share bytes.
crowd() {
    for same in alike different; do
        kind="$2 $1, $same"
        make_wad crowd "$1" "$2" $same made.wad
        expect_bounded 0 65536
        [ "$1" != lists ] || expect_bounds "$size" $((131072 + size / 32)) \
            build --quiet --lists=lump -o out.wad
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
    expect_bounds "$size" $((size / 64)) build --quiet --prune=inert -o out.wad
}

made=made.wad
if [ -z "${LONG-}" ]; then
    crowd tiny 300
    crowd grids-with-lumps 6
    crowd lines 2
    crowd lists 20000
    lump classic 2
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
