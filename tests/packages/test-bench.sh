#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the benchmark works with what is installed and without it, and
# that the maps it generates are the same in every run.

. "$SOURCE_DIR/tests/help/library.sh"

need_json
use_own_temporary_folder
BLOCKSWEEP=$BUILD_DIR/host/blocksweep
export BLOCKSWEEP

# bench FILE ARGUMENT...: runs it; what is in the record is in facts.
bench() {
    record=$1
    shift
    expect 0 "$BUILD_DIR/bench/bench" --quick --json="$record" "$@"
    expect_no_errors
    mv output tables
    cp "$record" output
    read_json
}

# list_maps: prints what does not depend on time.
list_maps() {
    members="lines|entries|lump_bytes|form|input_bytes|peak_memory_bytes"
    grep -E "^growth\.[0-9]*\.($members) " facts
}

# All there is.
bench all.json --freedoom="$freedoom_dir"
expect_facts version 1 stage.name blocksweep growth 4 growth.0.lines 1000 \
    growth.1.lines 10000 growth.2.lines 100000 growth.3.lines 200000 \
    growth.2.threads 1 growth.3.threads 2
expect_count 4 facts '^growth\.[0-9]*\.build_ns [0-9.e+]*[1-9]'
! grep '.\{81\}' tables || fail "tables of 80 columns were expected"
list_maps >maps
expect_count 24 maps
if [ -r "$freedoom_dir/freedoom2.wad" ]; then
    expect_facts freedoom.maps 4 freedoom.maps.0.map MAP01 \
        freedoom.maps.3.map MAP04 hosted.ways 8 hosted.ways.2.way strided
    expect_count 8 facts '^hosted\.ways\.[0-9]*\.later_ns [0-9.e+]*[1-9]'
    # Peak memory is that of a command, not of the benchmark, which has the WAD.
    size=$(stat -c %s "$freedoom_dir/freedoom2.wad")
    ! grep "\.commands\..*\.peak_memory_bytes " facts |
        awk -v most="$size" '$2 < 1e6 || $2 >= most; END { if (NR < 7) print NR }' |
        grep . ||
        fail "peak memory from 1 MB to $size bytes was expected"
    expect_facts processes.files 1 large_file.files 1 small_files.files 16
fi

# Without Freedoom, and the same maps again.
bench growth.json --freedoom=nowhere
sed 's/[. ].*//' facts | sort -u | tr '\n' ' ' |
    expect_text - "growth stage version "
for section in freedoom search packing hosted processes; do
    expect_match tables "^Section $section is left out: "
done
list_maps | diff maps - || fail "other maps"

# Without other builders.
if [ -r "$freedoom_dir/freedoom2.wad" ]; then
    expect 0 env PATH="$folder" "$BUILD_DIR/bench/bench" --quick \
        --only=processes --freedoom="$freedoom_dir"
    expect_match output "^zdbsp is left out: "
fi

# Failures are a sentence, and leave no file.
for arguments in --only=nothing --nonsense "--quick more" --files=0; do
    # shellcheck disable=SC2086 # two words
    expect 1 "$BUILD_DIR/bench/bench" $arguments
    expect_count 1 errors
done
expect 1 env PLUGIN=nowhere "$BUILD_DIR/bench/bench" --json=none.json
expect_absent none.json
expect_nothing_temporary
