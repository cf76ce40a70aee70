# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tests of hosts share: the small trees of builders with the stage added, an
# example, the levels of these hosts as files for the command, and what they are
# expected to make.

# shellcheck disable=SC2086 # numbers, flags and options are words

builders="zdbsp glbsp elfbsp zokumbsp"
# shellcheck disable=SC2034 # for scripts
hosts="$builders source-port"
# What a source port sets itself.
port_options="--for=woof-dev --format=xbm1"

# write_walls NUMBER...: the walls around the rooms, with these after the flags.
write_walls() {
    for wall in "0 1 0" "1 2 0" "2 3 1" "3 4 2" "4 5 2" "5 6 2" "6 7 1" \
        "7 0 0"; do
        words ${wall% *} 1 "$@" ${wall##* } 65535
    done
}

# Writes a WAD for each host, with its levels as MAP01 and MAP02.
write_levels() {
    # Three rooms; the last line asks to be left out.
    words -200 -100 -200 500 100 500 400 560 900 650 700 -100 400 -100 100 -100 \
        >VERTEXES
    for sector in 0 1 2; do
        words 0 0 45 0 0 0 45 0 0 0 45 0 0 0 $sector
    done >SIDEDEFS
    for light_and_tag in "160 0" "192 0" "160 7"; do
        words 0 128 70 0 0 0 67 0 0 0 ${light_and_tag% *} 0 ${light_and_tag#* }
    done >SECTORS
    words 0 0 0 1 7 >THINGS
    words 0 0 0 0 0 1 7 0 0 0 >THINGS-HEXEN
    printf 'ACS\0\10\0\0\0\0\0\0\0\0\0\0\0' >BEHAVIOR
    write_walls 0 0 >LINEDEFS
    write_walls 0 0 0 >LINEDEFS-HEXEN # special and arguments are bytes
    words 7 2 4 0 0 1 0 6 3 4 97 7 2 1 6 4 4 0 999 2 2 >>LINEDEFS
    words 7 2 4 0 0 0 1 0 6 3 4 $((70 + 7 * 256)) 0 0 2 1 \
        6 4 4 $((108 + 256)) 0 0 2 2 >>LINEDEFS-HEXEN
    for name in THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS; do
        echo "$name $name"
    done >rooms
    {
        echo MAP01
        cat rooms
        echo MAP02
        sed 's/\(.*\) \(THINGS\|LINEDEFS\)$/\1 \2-HEXEN/' rooms
        echo BEHAVIOR BEHAVIOR
    } | wadtool make PWAD zdbsp.wad
    cp zdbsp.wad zokumbsp.wad
    cp zdbsp.wad glbsp.wad
    sides="blocking = true; sidefront = 0;"
    cat >TEXTMAP <<EOM
namespace = "zdoom";
vertex { x = -200.0; y = -100.0; }
vertex { x = -200.7; y = 500.0; }
vertex { x = 900.0; y = 650.25; }
linedef { v1 = 0; v2 = 1; $sides }
linedef { v1 = 1; v2 = 2; $sides }
linedef { v1 = 2; v2 = 0; $sides id = 999; }
sidedef { sector = 0; }
sector { }
EOM
    { echo MAP01; cat rooms; text_room MAP02; } |
        wadtool make PWAD elfbsp.wad
    words -200 -100 -200 500 900 650 >VERTEXES-PORT
    { linedef 0 1; linedef 1 2; linedef 2 0; } >LINEDEFS-PORT
    for name in MAP01 MAP02; do
        printf '%s\nLINEDEFS LINEDEFS-PORT\nVERTEXES VERTEXES-PORT\n' $name
    done | wadtool make PWAD source-port.wad
}

# add_stage BUILDER: a folder of this name with its small tree and the stage.
add_stage() {
    rm -rf "$1"
    cp -R "$SOURCE_DIR/tests/trees/$1" "$1"
    chmod -R u+w "$1"
    quietly "$SOURCE_DIR/builders/$1/apply.sh" "$1"
}

# compile_host COMPILER FLAG...: makes ./host of a builder's tree with the stage.
compile_host() {
    language=c++
    [ $host != glbsp ] || language=c
    "$@" -I$host/src -I$host/src/doom -x $language \
        $(find $host -name '*.c*' -type f) -o host -ldl ||
        fail "$host does not compile with $*"
}

# run_host [REQUEST [STATUS]]: the host makes the blockmaps of two levels.
run_host() {
    wanted=${2-0}
    if [ $host = source-port ]; then
        expect $wanted ./host ${1+--blockmap-plugin "$1"} MAP01 MAP02
    else
        expect $wanted ./host ${1+--blockmap-plugin "$1"}
        [ $# -eq 0 ] || {
            cp output output-of-two
            expect $wanted ./host "--blockmap-plugin=$1"
            expect_same output output-of-two
        }
    fi
}

# print_lists: prints the lists of an XBM1 lump, one a line, with their numbers.
print_lists() {
    od -An -v -td4 -w4 --endian=little -j8 | awk '
        { words[NR - 1] = $1 }
        END {
            for (block = 0; block < words[2] * words[3]; block++) {
                printf "%d:", block
                for (i = words[4 + block] + 1; words[i] != -1; i++)
                    printf " %d", words[i]
                print ""
            }
        }'
}

# expect_lumps OPTION...: the host makes for two levels what the command makes
# of them.  A source port has options that it sets itself.
expect_lumps() {
    [ $host != source-port ] || set -- "$@" $port_options
    own=
    # They leave that line out themselves.
    case $host in elfbsp | zokumbsp) own=--prune=tagged ;; esac
    blocksweep --quiet "$@" $own "$host.wad" -o expected.wad
    for name in MAP01 MAP02; do
        wadtool extract expected.wad $name/BLOCKMAP >lump
        [ -s lump ] || fail "the command has made no lump"
        if [ $host = source-port ]; then
            print_lists <lump
        else
            cat lump
        fi
    done >expected
    request=${PLUGIN_NAME:-$PLUGIN}
    for option in "$@"; do
        request=$request,${option#--}
    done
    run_host "$request"
    expect_no_errors
    expect_same output expected
}

# status_of_failure: with which status the host ends if the user would not get
# what they asked for.
status_of_failure() {
    case $host in
    zdbsp) echo 20 ;;
    glbsp) echo 5 ;;
    elfbsp) echo 3 ;;
    zokumbsp) echo 255 ;;
    *) echo 1 ;;
    esac
}
