#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that blocksweep.exe, with 64 and with 32 bits, needs nothing but
# Windows and the DLL beside it; that it makes the files of this system's
# command of all maps of Freedoom, in every format, with 32 bits of FreeDM's; and
# the same reports; that names may have any letters; that a target is the old
# file or the new one, whatever has it open, is full, or is ended; and that
# builders run as on other systems.  No quicker test runs it on real maps.

# shellcheck disable=SC2046,SC2086 # lists are words

. "$SOURCE_DIR/tests/help/library.sh"
need_freedoom
. "$SOURCE_DIR/tests/windows/windows.sh"
unset NBSTAGE_PLUGIN_PATH

for name in freedoom1 freedoom2 freedm; do
    cp "$freedoom_dir/$name.wad" .
    for form in hexen doom64 udmf tenths; do
        make_wad convert $name.wad $name-$form.wad $(wadtool list $name.wad |
            awk '$2 ~ /^(MAP..|E.M.)$/ { print $2 "='$form'" }')
    done
done
gzip -1 -k freedm.wad freedm-udmf.wad
presets=$(list_options | awk '/^choice preset / { print "--preset=" $3 }')
[ "$(echo $presets | wc -w)" -gt 3 ] || fail "more presets were expected"

windows() {
    wine "$home/blocksweep.exe" "$@"
}

# --- The same as here ---

# run_both WORD...: both commands end with the same status, print the same, but
# for times, and write the same files to out.
run_both() {
    for command in blocksweep windows; do
        rm -rf out $command-out
        mkdir out
        status=0
        $command "$@" >output 2>$command-errors </dev/null || status=$?
        sed 's/"seconds": [0-9.e-]*/"seconds":/' output >$command-output
        echo "status $status" >>$command-output
        mv out $command-out
    done
    expect_same blocksweep-output windows-output
    expect_same blocksweep-errors windows-errors
    (cd blocksweep-out && find . -type f) | sort >written
    (cd windows-out && find . -type f) | sort | cmp - written
    while read -r file; do
        skipped=0
        # The tenth byte of these is the system's.
        case $file in *.gz) skipped=10 ;; esac
        cmp -i $skipped blocksweep-out/$file windows-out/$file ||
            fail "$* was expected to write the same $file"
    done <written
}

# check_maps COUNT PRESET...: of $wads, which have so many maps, and of $others,
# the same in other formats.
check_maps() {
    count=$1
    shift
    for preset in "$@"; do
        run_both --json $preset -o out $wads
        expect_count $count output '"map":'
    done
    run_both -q -o out $others
    expect_count $(echo $others | wc -w) written
    run_both --prune=inert --pack=nest --for=boom freedm-hexen.wad -o out
    run_both --dry-run freedm.wad
    run_both verify --json freedm.wad freedm.wad.gz
    run_both show freedoom2.wad --map=MAP01
    run_both show --json freedm.wad
    run_both verify -q --svg=out/m.svg --html=out/m.html --map=MAP01 freedm.wad
    expect_count 2 written
    run_both diff --json freedm.wad freedm-tenths.wad
}

check_usage() {
    run_both
    run_both --frobnicate freedm.wad
    run_both --pack=tight freedm.wad -o out/map.wad
    run_both freedm.wad freedoom1.wad -o out/map.wad
    run_both freedm.wad -o .
    run_both --builder=no-in freedm.wad -o out/map.wad
    run_both missing.wad -o out/map.wad
    run_both out -o out/map.wad
    run_both freedm.wad -o out/missing/map.wad
    run_both freedm.wad.gz.wad.gz
    run_both written -o out/map.wad
    run_both -q - -o out/map.wad
    run_both show --help
}

# --- Names ---

# Wine does not pass on names of more than 260 characters, as Windows can.
check_names() {
    place='größe 日本 😀 x'
    rm -rf "$place"
    mkdir "$place"
    cp room.wad "$place/$named.wad"
    expect 0 windows -q --in-place --backup "$place/$named.wad"
    expect_no_errors
    expect_same "$place/$named.wad" built.wad
    expect_same "$place/$named.wad~" room.wad
    expect_text - "$(printf '%s\n' "$named.wad" "$named.wad~")" <<NAMES
$(ls -A "$place")
NAMES
    expect 0 windows verify "$place/$named.wad" 'built.wa?'
    expect_in output "$place/$named.wad" built.wad
    long=$(printf '%0130d' 0)
    mkdir -p "$long"
    expect 3 windows -q room.wad -o "$long/$long.wad"
    expect_sentence "$long.wad" "File name too long"
}

# --- Replacing ---

# expect_kept SENTENCE...: the command cannot replace map.wad.
expect_kept() {
    expect 3 windows -q --in-place map.wad
    expect_sentence "blocksweep: map.wad: " "$@" "; nothing was written"
    expect_same map.wad room.wad
    expect_absent .blocksweep.*
}

# begin COMMAND...: runs it in the background until it waits to be let go.
begin() {
    rm -f begun go
    "$@" &
    await test -e begun
}

let_go() {
    touch go
    wait $! || fail "what was let go was expected to end well"
}

check_targets() {
    cp room.wad map.wad
    chmod 444 map.wad
    expect_kept "cannot be replaced: Permission denied"
    chmod 644 map.wad
    for share in 0 1 3 7; do
        begin wine ./other-program.exe hold map.wad $share
        expect_kept ": another program has it open"
        let_go
    done
    expect 0 windows -q --in-place map.wad
    expect_same map.wad built.wad
    cp room.wad map.wad
    begin windows -q --in-place map.wad \
        --builder="./other-program wait {in} {out}"
    expect 3 windows -q --in-place map.wad
    expect_sentence "map.wad: another process is at work on this file"
    expect_same map.wad room.wad
    let_go
    expect_same map.wad built.wad
    mkdir -p small other
    cp room.wad other/MAP.WAD
    expect 2 windows -q map.wad other/MAP.WAD -o small
    expect_sentence "'map.wad'" "'other/MAP.WAD' are the same file"
    expect 2 windows -q -i map.wad MAP.wad
    expect_sentence "input 'map.wad' and input 'MAP.wad' are the same file"
    if mount -t tmpfs -o size=64k none small 2>/dev/null; then
        cp room.wad small/map.wad
        dd if=/dev/zero of=small/rest 2>/dev/null || :
        expect 3 windows -q --in-place small/map.wad
        expect_sentence "small/map.wad: cannot be written: No space left"
        expect_same small/map.wad room.wad
        expect_absent small/.blocksweep.*
        umount small
    fi
}

# Each time at another moment between its start and a little after its end.  How
# long it takes changes as other programs come and go, so this is followed.
check_kills() {
    killed=0
    longest=400 # milliseconds
    part=0
    while [ $killed -lt 12 ]; do
        part=$(((part + 5) % 12))
        cp freedm.wad map.wad
        "$WINE" "$home/blocksweep.exe" -q --in-place map.wad 2>errors &
        moment=$((longest * part / 12))
        sleep "$(printf %d.%03d $((moment / 1000)) $((moment % 1000)))"
        kill -9 $! 2>/dev/null || :
        status=0
        wait $! 2>/dev/null || status=$?
        if [ $status -eq 137 ]; then
            killed=$((killed + 1))
            longest=$((longest + longest / 4))
        else
            longest=$((longest - longest / 4))
        fi
        wine cmd /c exit # by now the server has closed what was open
        cmp -s map.wad freedm.wad || cmp -s map.wad expected.wad ||
            fail "map.wad was expected to be the old or the new file"
    done
    rm -f .blocksweep.*
}

# --- Builders ---

temporary() {
    find "$WINEPREFIX/drive_c/users" -name 'blocksweep.*'
}

# run_builder STATUS MODE WORDS OPTION...
run_builder() {
    asked=$1
    line="./other-program $2 {in} {out} $3"
    shift 3
    expect "$asked" windows "$@" room.wad -o map.wad --builder="$line"
    tr -d '\r' <errors >text
    temporary | expect_text - ""
}

check_builders() {
    rm -f map.wad
    run_builder 0 copy "" -q
    expect_same map.wad built.wad
    run_builder 1 fail "'a \"b\\' 'c d\\' '' ü\\\\\\\"" -v
    expect_match text '^word 61 20 22 62 5c$' '^word 63 20 64 5c$' '^word$' \
        '^word fc 5c 22$' 'it ended with status 7; nothing was written$'
    run_builder 1 crash "" -q
    expect_in text "it was ended by exception 0xC0000005"
    run_builder 1 sleep "" -q --builder-timeout=2
    expect_in text "it was ended because it took more than 2 s"
    run_builder 0 leave "" -q
    wine tasklist >tasks
    ! grep other-program tasks || fail "no builder was expected to be left"
    expect 2 windows -q room.wad -o map.wad --builder='missing {in}'
    expect_sentence "builder missing: it cannot be started: it is neither"
    touch script.bat
    expect 2 windows -q room.wad -o map.wad --builder='./script.bat {in}'
    expect_sentence "a script needs a shell; a program was expected"
    expect 2 windows -q room.wad -o map.wad --builder='./room.wad {in}'
    expect_sentence "it cannot be started: Exec format error"
}

has_no_temporary() {
    [ -z "$(temporary)" ]
}

# The terminal of `script` is a console, in which Ctrl-C is pressed.  A shell
# that waits there would be interrupted, too.
check_interrupt() {
    has script || return 0
    rm -f begun go
    status=0
    { await test -e begun; printf '\003'; await has_no_temporary; } |
        script -qec "exec '$WINE' '$home/blocksweep.exe' room.wad -o new.wad \
        '--builder=./other-program.exe wait {in} {out}'" /dev/null \
        >said || status=$?
    [ "$status" -eq 58 ] || fail "status 58 was expected; it is $status"
    temporary | expect_text - ""
    expect_absent new.wad
}

write_room
make_room room.wad
expect_build room.wad -o built.wad
expect_build freedm.wad -o expected.wad
named='mäp 日本 😀'
for machine in $machines; do
    build_windows $machine command/blocksweep.exe plugin/blocksweep.la
    home="$machine 日本"
    mkdir "$home"
    cp $machine/command/blocksweep.exe "$home/"
    cp $machine/plugin/.libs/blocksweep.dll "$home/"
    expect_system_libraries "$home/blocksweep.exe"
    "$machine-w64-mingw32-gcc" -municode -Wall -Wextra -Werror \
        "$SOURCE_DIR/tests/windows/other-program.c" -o other-program.exe
    if [ $machine = x86_64 ]; then
        wads="freedoom1.wad freedoom2.wad freedm.wad"
        others=$(echo free*-*.wad freedm*.wad.gz)
        check_maps 100 $presets
    else
        wads=freedm.wad
        others=$(echo freedm-*.wad)
        check_maps 32 --preset=small
    fi
    check_usage
    check_names
    check_targets
    check_kills
    check_builders
    check_interrupt
done
