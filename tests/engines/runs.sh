# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs of players alone on a map, and what is to tell of them; to be sourced
# behind tests/help/library.sh and play.sh.  One process makes the runs of one
# engine with one kind of blockmaps and prints a line.

# shellcheck disable=SC2154 # library.sh and play.sh have set these

# How long each player runs.
run_tics=2000

# begin_runs ENGINE PART LUMPS PROGRAM...: ends the process, with its line,
# unless the engine, these programs and Freedoom are there.
begin_runs() {
    run_engine=$1 run_part=$2 run_lumps=$3
    shift 3
    [ -n "$(program_of "$run_engine")" ] ||
        skip_runs "$run_engine is not installed"
    for program in "$@"; do
        has "$program" || skip_runs "$program is not installed"
    done
    [ -r "$freedoom_dir/freedm.wad" ] || skip_runs "Freedoom is not there"
    use_home "$folder/home"
}

report() {
    echo "$run_engine: $run_part, $run_lumps: $*"
}

skip_runs() {
    report "skipped: $*"
    exit 0
}

fail_runs() {
    report "FAILED: $*"
    exit 1
}

tool() {
    program=$1
    shift
    "$BUILD_DIR/tests/engines/$program" "$@"
}

# list_maps FILE: prints the names of the maps in it.
list_maps() {
    wadtool list "$1" | awk '
        $2 ~ /^E[1-9]M[1-9]$/ || $2 ~ /^MAP[0-9][0-9]$/ { print $2 }'
}

# make_demo MAP SEED: writes a demo of a player alone on the map to demo.lmp.
make_demo() {
    case $1 in
    MAP*)
        number=${1#MAP}
        set -- 1 "${number#0}" "$2"
        ;;
    *)
        episode=${1%M*}
        set -- "${episode#E}" "${1#*M}" "$2"
        ;;
    esac
    tool demotool --no-monsters "$1" "$2" 3 "$run_tics" "$3" >demo.lmp
}

# run IWAD PWAD MAP: plays demo.lmp and holds the path of the player against the
# walls of the map.  Succeeds if the engine came to the end; `judgement` is then
# what is to tell, and is_clear is yes if no wall was passed.
run() {
    wadtool extract "$2" "$3/BLOCKMAP" >lump
    is_played=yes
    play "$run_engine" "$1" demo.lmp trace lump -file "$2" || is_played=no
    is_clear=yes
    tool pathtool check "$2" "$3" trace >judgement || is_clear=no
    [ "$(blockmap_in trace)" = loaded ] ||
        fail_runs "$3: the blockmap in use is another: $(blockmap_in trace)"
    [ $is_played = yes ]
}

# expect_clear IWAD PWAD MAP: the same, and all has to go well.
expect_clear() {
    run "$@" || fail_runs "$3 ended with $status: $(tail -n 1 trace.said)"
    [ $is_clear = yes ] || fail_runs "$3: $(cat judgement)"
    # shellcheck disable=SC2034 # for scripts
    read -r positions moves jumps met wall <judgement
    [ "$positions" -ge "$run_tics" ] ||
        fail_runs "$3: only $positions positions"
}
