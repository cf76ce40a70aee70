#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that on Windows no original is lost: "*.wad", which stands for one.wad~,
# too, by its short name, names no backups; those that are typed are built; and
# repair.bat keeps what was there, however often a file is dropped on it.

# shellcheck disable=SC2086 # lists are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/windows/windows.sh"
unset NBSTAGE_PLUGIN_PATH

write_room
echo "things" >things
make_room room.wad
make_room other.wad THINGS "$folder/things"
expect_build room.wad -o built.wad
expect_build other.wad -o other-built.wad

windows() {
    wine "$home/blocksweep.exe" "$@"
}

# expect_names NAME...: these files and no others are there.
expect_names() {
    find work -type f | sort | expect_text - "$(printf 'work/%s\n' "$@")"
}

check_wildcards() {
    rm -rf work
    mkdir work
    cp room.wad work/one.wad
    expect 0 windows -q --in-place --backup 'work/*.wad'
    expect_same work/one.wad~ room.wad
    set -f # this shell is to expand none
    for wildcard in '*.wad' '*' 'one.*' '*~ work/*.wad'; do
        cp room.wad work/one.wad
        cp other.wad work/one.wad~
        expect 0 windows -q --in-place work/$wildcard
        expect_no_errors
        expect_same work/one.wad built.wad
        expect_same work/one.wad~ other.wad
    done
    set +f
    expect_names one.wad one.wad~
    # Once typed, it is built once.
    expect 0 windows -q --in-place work/one.wad~ 'work/*'
    expect_same work/one.wad~ other-built.wad
    expect 0 windows verify -q 'work/on?.wad' work/one.wad~
}

check_repair() {
    rm -rf work
    mkdir work
    cp "$SOURCE_DIR/packaging/windows/repair.bat" "$home/"
    for wad in room other room; do
        cp $wad.wad work/one.wad
        wine cmd /c "$home\\repair.bat" 'work\one.wad' </dev/null >output 2>&1
    done
    expect_names one.wad one.wad.~2~ one.wad.~3~ one.wad~
    expect_same work/one.wad built.wad
    expect_same work/one.wad~ room.wad
    expect_same work/one.wad.~2~ other.wad
    expect_same work/one.wad.~3~ room.wad
}

for machine in $machines; do
    build_windows $machine command/blocksweep.exe plugin/blocksweep.la
    home="$machine"-home
    mkdir "$home"
    cp $machine/command/blocksweep.exe "$home/"
    cp $machine/plugin/.libs/blocksweep.dll "$home/"
    expect_system_libraries "$home/blocksweep.exe"
    check_wildcards
    check_repair
done
