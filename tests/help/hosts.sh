# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tests of the example hosts share: the levels of these hosts as files for
# the command, and what they are expected to make.

hosts="structures-host sixteen-bit-host double-host source-port"
# What a source port sets itself.
port_options="--for=woof --format=xbm1"

# Writes a WAD for each host, with its level as MAP01.
write_levels() {
    # A line whose tag is 999 asks to be left out in the format of Doom; in UDMF
    # its id is as good as any other.
    words -200 -100 -200 500 900 650 700 -100 >VERTEXES
    {
        linedef 0 1; linedef 1 2; linedef 2 3; linedef 3 0
        words 0 2 4 0 999 4 5
    } >LINEDEFS
    printf 'MAP01\nLINEDEFS LINEDEFS\nVERTEXES VERTEXES\n' >lumps
    wadtool make PWAD sixteen-bit-host.wad <lumps
    # The same without it: left out by the host, whatever options say.
    { linedef 0 1; linedef 1 2; linedef 2 3; linedef 3 0; } >LINEDEFS
    wadtool make PWAD structures-host.wad <lumps
    { linedef 0 1; linedef 1 2; linedef 2 0; } >LINEDEFS
    wadtool make PWAD source-port.wad <lumps
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
    text_room MAP01 | wadtool make PWAD double-host.wad
}

# run_host [REQUEST]: the host makes the blockmaps of two levels.
run_host() {
    [ $# -eq 0 ] || set -- --blockmap-plugin "$1"
    expect 0 ./host "$@" MAP01 MAP02
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
# of the first.  A source port has options that it sets itself.
expect_lumps() {
    [ $host != source-port ] || set -- "$@" $port_options
    blocksweep --quiet "$@" "$host.wad" -o expected.wad
    wadtool extract expected.wad MAP01/BLOCKMAP >lump
    [ -s lump ] || fail "the command has made no lump"
    if [ $host = source-port ]; then
        print_lists <lump >lists
        mv lists lump
    fi
    cat lump lump >expected
    request=${PLUGIN_NAME:-$PLUGIN}
    for option in "$@"; do
        request=$request,${option#--}
    done
    run_host "$request"
    expect_no_errors
    expect_same output expected
}
