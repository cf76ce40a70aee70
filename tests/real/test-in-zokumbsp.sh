#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of ZokumBSP in ZOKUMBSP_SOURCE that with the stage its
# blockmaps of all maps of Freedoom list the linedefs that it lists by itself, in
# just the blocks that they are in, and are not larger; that its specials, merged
# lines and suboptions of -b count as without; that its other lumps are the same,
# and its files its own where no stage is asked for; and that it ends with a
# failure and no file where the one that is asked for is missing or fails.  Prints
# the sizes of lumps and the times that both take.

# shellcheck disable=SC2034,SC2086 # for builder.sh; commands are words

builder=zokumbsp
name=ZokumBSP
source=${ZOKUMBSP_SOURCE-}
failure=255
other_forms=

# ZokumBSP reads memory that it has not set, writes nodes past the ends of arrays,
# and crashes at some maps by itself; here it has room for that, and zeros in it.
preload_memory() {
    cat >room.cpp <<'END'
#include <cstdlib>
#include <new>
void *operator new[](std::size_t size)
{
    return std::calloc(1, size + 65536);
}
void *operator new(std::size_t size)
{
    return std::calloc(1, size + 65536);
}
END
    quietly ${CXX:-c++} -shared -fPIC room.cpp -o room.so
}

build() {
    quietly make -C "$1/src/zokumbsp" zokumbsp
    cp "$1/src/zokumbsp/zokumbsp" "$1/program"
}

run() {
    program=$1 in=$2 out=$3
    shift 3
    LD_PRELOAD=$folder/room.so "$program" "$@" "$in" -o "$out"
}

# pairs TASK ARGUMENT...: see zokumbsp.pl.
pairs() {
    perl "$SOURCE_DIR/tests/real/zokumbsp.pl" "$@"
}

# both IN ARGUMENT...: makes own.wad and staged.wad without nodes and REJECT.
both() {
    in=$1
    shift
    expect 0 run plain/program "$in" own.wad -n- -r- "$@"
    expect 0 run staged/program "$in" staged.wad -n- -r- "$@" \
        --blockmap-plugin "$PLUGIN"
    expect_others_kept own.wad staged.wad
}

. "$SOURCE_DIR/tests/help/builder.sh"

# check_tree TREE: all maps.
# shellcheck disable=SC2317 # builder.sh calls it
check_tree() {
    build_both "$1"
    expect_failing
    make_wad convert "$freedoom2" hexen.wad $(seq -f MAP%02g=hexen 1 20)
    both hexen.wad
    expect 0 pairs compare own.wad staged.wad

    maps=0
    for wad in freedoom1 freedoom2 freedm; do
        in=$freedoom_dir/$wad.wad
        expect 0 run plain/program "$in" plain.wad
        expect 0 run staged/program "$in" staged.wad --blockmap-plugin="$PLUGIN"
        expect_others_kept plain.wad staged.wad
        expect 0 pairs compare plain.wad staged.wad
        cat output
        maps=$((maps + $(wadtool list staged.wad | grep -c ' BLOCKMAP ')))
        expect_plain "$freedoom_dir/$wad.wad"
    done
    [ $maps -eq 100 ] || fail "100 maps were expected, not $maps"
}

need make
preload_memory
freedoom1=$freedoom_dir/freedoom1.wad
freedoom2=$freedoom_dir/freedoom2.wad
check_builder

# The rest is tried with the newest.

# --- What it ends with ---

rm -f other.wad
# Also with a blank, and after the file, which would have been saved already.
for request in "$folder/removed.so" "$PLUGIN,pak=nest" nothing; do
    cp "$sample" in.wad
    expect 255 run staged/program in.wad other.wad --blockmap-plugin "$request"
    expect 255 staged/program in.wad --blockmap-plugin "$request" -o other.wad
    expect 255 staged/program in.wad --blockmap-plugin="$request"
    expect_count 1 errors "^--blockmap-plugin: "
    expect_same "$sample" in.wad
    expect_absent other.wad
done
expect 255 staged/program in.wad -o other.wad --blockmap-plugin
expect_match errors "^--blockmap-plugin: NAME is missing"
expect_absent other.wad
expect 0 staged/program -n- -r- in.wad --blockmap-plugin "$PLUGIN" -o after.wad
expect 0 staged/program --blockmap-plugin "$PLUGIN" -n- -r- in.wad -o before.wad
expect_same after.wad before.wad
# The first map is made, a later one is not.
expect 255 run staged/program "$freedoom2" other.wad -n- -r- \
    --blockmap-plugin "$PLUGIN,grid=-600,-1900"
expect_match errors '^--blockmap-plugin: MAP02: a grid with its origin at'
expect_absent other.wad
expect 0 staged/program -b- -n- --blockmap-plugin "$PLUGIN" in.wad -o other.wad
expect_match errors "^warning: the stage that was asked for was never used"

# --- What only ZokumBSP knows ---

# Lines that specials move lie elsewhere than in LINEDEFS.
pairs make specials.wad moved.wad
for way in r r-; do
    both specials.wad -b$way
    expect 0 pairs compare own.wad staged.wad moved.wad
    expect 1 pairs compare own.wad staged.wad
    expect_match output 'MAP01: .* linedef 4$' 'MAP02: .* linedef 4$'
done
wadtool extract staged.wad MAP03/LINEDEFS >lines
[ "$(wc -c <lines)" -eq $((14 * 12)) ] || fail "there are not five copies"

# Lines that it merges.
for way in 1 2; do
    for wad in "$freedoom1" "$freedoom2"; do
        expect 0 run plain/program "$wad" again.wad -n- -r- -gs=$way
        both "$wad" -gs=$way
        expect_others_kept again.wad own.wad
        expect 0 pairs compare own.wad staged.wad
    done
done

# --- What -b says ---

for way in o=0 o=1 o=5,9 i r-o=0; do
    for wad in freedoom1 freedoom2 freedm; do
        both "$freedoom_dir/$wad.wad" -b$way
        # By itself it leaves walls outside, or an extra entry makes lists equal.
        case $wad$way in
        freedoom1o=1) larger='E1M2: 7926 bytes are more than 7912' ;; # of 0.12.1
        freedoom2o=0) larger='MAP20: 21980 bytes are more than 21978' ;; # 0.13.0
        freedmr-o=0) larger='MAP09: 3924 bytes are more than 3918' ;;
        *) larger=none ;;
        esac
        pairs compare own.wad staged.wad >found || :
        expect_count 1 found ' with the stage$'
        ! grep -vxF "$larger" found | grep -v ' with the stage$' ||
            fail "lumps with the stage are wrong"
        expect 0 pairs grids own.wad staged.wad
    done
done
for way in o=3 o=4; do # by itself ZokumBSP takes hours
    expect 0 run staged/program "$freedoom2" other.wad -n- -r- -b$way \
        --blockmap-plugin "$PLUGIN"
    expect 0 run staged/program "$freedoom2" search.wad -n- -r- -bo=0 \
        --blockmap-plugin "$PLUGIN,grid=search"
    expect_same other.wad search.wad
done
both "$freedoom2" -bs
pairs compare own.wad staged.wad >found || :
expect_count 1 found ' with the stage$'
# The 0 before a list that is inside another counts as linedef 0 there.
! grep -vE ': (block [0-9]* lists linedef 0|linedef 0 is listed)$| are more than ' \
    found | grep -v ' with the stage$' || fail "nested lists are wrong"
expect 0 run staged/program "$freedoom2" nested.wad -n- -r- -bs- \
    --blockmap-plugin "$PLUGIN,pack=nest"
expect_same staged.wad nested.wad
for way in c-z=0 hz=2 bc-; do
    expect 0 run staged/program "$freedoom2" other.wad -n- -r- -b$way \
        --blockmap-plugin "$PLUGIN"
    expect_count 1 errors "^warning: with a stage these do nothing: -b$way\$"
done

# --- Times ---

# Beside the stage's file, the code that CreateBLOCKMAP had before.
sed 's/int CreateBLOCKMAP/int CreateOwnBLOCKMAP/' plain/src/zokumbsp/blockmap.cpp \
    >own.cpp
(
    cd staged/src || exit
    quietly ${CXX:-c++} -O2 -w -D__LINUX__ -Idoom -Icommon -Izokumbsp \
        "$SOURCE_DIR/tests/real/zokumbsp-times.cpp" "$folder/own.cpp" \
        zokumbsp/preprocess.cpp zokumbsp/quicksort.cpp \
        zokumbsp/blockmap-plugin.cpp doom/level.cpp doom/wad.cpp \
        doom/wadlist.cpp zokumbsp/nbstage-host.c -o "$folder/times" -ldl
)
for way in "0 1 5" "0 0 5" "2 1 2" "2 0 2"; do
    expect 0 ./times --blockmap-plugin "$PLUGIN" $way "$freedoom1" "$freedoom2" \
        "$freedoom_dir/freedm.wad"
    cat output
done
