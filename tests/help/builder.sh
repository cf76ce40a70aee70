# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests in real builders share.  Each sources this with $builder, $name,
# $source, and in $failure the status with which the builder fails, and has two
# functions:
#
#   build FOLDER                the source there to FOLDER/program
#   run PROGRAM IN OUT [ARGUMENT]

# shellcheck disable=SC2086,SC2154 # commands are words; what scripts set

. "$SOURCE_DIR/tests/help/library.sh"

[ -n "$source" ] || skip "$(echo "$builder" | tr '[:lower:]' '[:upper:]')_SOURCE does not name a source tree of $name"
need_freedoom

# build_both: builds the source as it is, and with the stage.
build_both() {
    for folder_name in plain staged; do
        cp -R "$source" $folder_name
        chmod -R u+w $folder_name
        rm -rf $folder_name/build
    done
    quietly "$SOURCE_DIR/builders/$builder/apply.sh" staged
    build plain
    build staged
}

# expect_plain IN ARGUMENT...: with the stage's lines the file is the builder's
# own.
expect_plain() {
    in=$1
    shift
    expect 0 run staged/program "$in" other.wad "$@"
    expect_same plain.wad other.wad
}

# expect_refused SENTENCE REQUEST: the builder says this once, and fails.
expect_refused() {
    rm -f other.wad
    expect $failure run staged/program "$sample" other.wad \
        --blockmap-plugin="$2"
    cat output errors >said
    expect_count 1 said "^--blockmap-plugin: .*$1"
}

# expect_failing: no stage, a wrong option, and the four ways in which the
# skeleton fails.
expect_failing() {
    quietly ${CC:-cc} -I"$SOURCE_DIR/include" -shared -fPIC \
        -DLUMP='"BLOCKMAP"' "$SOURCE_DIR/builders/examples/skeleton-stage.c" \
        -o skeleton.so
    expect 0 run plain/program "$sample" plain.wad
    expect_plain "$sample" --blockmap-plugin=
    expect_refused "no such file" "$folder/removed.so"
    expect_absent other.wad
    expect_refused "no such option" "$folder/skeleton.so,fial=no"
    expect_absent other.wad
    expect_refused "fail: open" "$folder/skeleton.so,fail=open"
    expect_absent other.wad
    expect_refused "fails on purpose" "$folder/skeleton.so,fail=build"
    for way in empty:0 huge:16777216; do
        expect 0 run staged/program "$sample" other.wad \
            --blockmap-plugin="$folder/skeleton.so,fail=${way%:*}"
        expect_others_kept plain.wad other.wad
        wadtool list other.wad | grep ' BLOCKMAP ' >blockmaps
        expect_count 3 blockmaps " ${way#*:} "
    done
}

# check_builder: all maps of Freedoom.
check_builder() {
    build_both
    expect_failing
    maps=0
    for wad in freedoom1 freedoom2 freedm; do
        in=$freedoom_dir/$wad.wad
        expect 0 run plain/program "$in" plain.wad
        expect 0 run staged/program "$in" staged.wad \
            --blockmap-plugin="$PLUGIN"
        expect_others_kept plain.wad staged.wad
        expect 0 blocksweep verify --strict --json staged.wad
        ! grep -E '"(missing|extra)_entries": [1-9]' output ||
            fail "blockmaps of $wad are not exact"
        maps=$((maps + $(wadtool list staged.wad | grep -c ' BLOCKMAP ')))
        expect_plain "$in"
    done
    [ $maps -eq 100 ] || fail "100 maps were expected, not $maps"
    ! cmp -s plain.wad staged.wad || fail "the stage has made no difference"
}
