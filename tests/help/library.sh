# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the scripts share.  Sourcing it goes into an empty folder, which is
# removed in the end, and has a command that fails end the script.  BUILD_DIR
# and SOURCE_DIR are absolute paths and come from `make check`.

set -eu
LC_ALL=C
export LC_ALL

# shellcheck disable=SC2034 # for scripts
sample=$SOURCE_DIR/samples/freedoom-sample.wad
# shellcheck disable=SC2034 # for scripts
freedoom_dir=${FREEDOOM_DIR:-/usr/share/games/doom}

# Sanitizers do not look for leaks as each command ends: that takes longer than most
# commands, and fails in one that is traced.  Tests that are programs, test-valgrind
# and test-out-of-memory look for leaks.
ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

folder=$(mktemp -d)
trap 'cd / && rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1

# Both are used in conditions, where `set -e` does not reach.
fail() {
    echo "FAILED: $*"
    exit 1
}

# fail_showing FILE SENTENCE: prints the file, too.
fail_showing() {
    cat "$1"
    shift
    fail "$@"
}

skip() {
    echo "skipped: $*"
    exit 77
}

is_sanitized() {
    [ -n "${SANITIZE_FLAGS-}" ]
}

has() {
    command -v "$1" >/dev/null
}

# need PROGRAM...: skips the test unless they are all there.
need() {
    for program in "$@"; do
        has "$program" || skip "$program is not there"
    done
}

# Prints the version of the build.
package_version() {
    sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$BUILD_DIR/config.h"
}

need_freedoom() {
    for name in freedoom1 freedoom2 freedm; do
        [ -r "$freedoom_dir/$name.wad" ] ||
            skip "$freedoom_dir/$name.wad is not there"
    done
}

# Has temporary files made in a folder that expect_nothing_temporary looks at.
use_own_temporary_folder() {
    mkdir temporary
    TMPDIR=$folder/temporary
    export TMPDIR
}

expect_nothing_temporary() {
    [ -z "$(ls -A temporary)" ] || {
        find temporary
        fail "temporary files are left"
    }
}

# --- The command ---

# as_built COMMAND...: runs one as `run` of the build does, without the shell
# that this starts: where a test runs hundreds of commands, that is half its time.
as_built() {
    PATH=$BUILD_DIR/command:$PATH \
        NBSTAGE_PLUGIN_PATH=$BUILD_DIR/plugin/.libs${NBSTAGE_PLUGIN_PATH:+:$NBSTAGE_PLUGIN_PATH} \
        command "$@"
}

blocksweep() {
    as_built blocksweep "$@"
}

# expect STATUS COMMAND...: runs a command, with what it prints in the files
# output and errors, and fails if it ends with another status.
expect() {
    expected=$1
    shift
    status=0
    "$@" >"$folder/output" 2>"$folder/errors" || status=$?
    [ "$status" -eq "$expected" ] || {
        cat "$folder/output" "$folder/errors"
        fail "$* ended with $status; $expected was expected"
    }
}

# expect_silent COMMAND...: fails if a command of the script prints anything, which
# stays in the file found.
expect_silent() {
    "$@" >found
    [ ! -s found ] || fail_showing found "$*: nothing was expected"
}

# quietly COMMAND...: runs one that says much, and shows the end of that if it
# fails.
quietly() {
    status=0
    "$@" >"$folder/said" 2>&1 || status=$?
    [ "$status" -eq 0 ] || {
        tail -n 150 "$folder/said"
        fail "$* ended with $status; 0 was expected"
    }
}

# expect_sentence PART...: the command has printed one line to standard error,
# and each of these is in it.
expect_sentence() {
    expect_count 1 "$folder/errors" '^blocksweep: '
    expect_count 1 "$folder/errors"
    expect_in "$folder/errors" "$@"
}

expect_no_errors() {
    [ ! -s "$folder/errors" ] ||
        fail_showing "$folder/errors" "nothing was expected on standard error"
}

# expect_build ARGUMENT...: the command does its work, in silence; it may say
# that lumps have no headers.
expect_build() {
    expect 0 blocksweep --quiet "$@"
    ! grep -v ': these lumps have no headers: ' "$folder/errors" ||
        fail "nothing else was expected on standard error"
    expect_no_output
}

# expect_listed ARGUMENT... FILE: verify finds no missing entry, and as extra ones
# only the headers of nested lists, which are linedef 0.
expect_listed() {
    expect 0 blocksweep verify --verbose --json "$@"
    perl -MJSON::PP -0777 -ne '
        for my $map (map { @{$_->{maps}} } @{decode_json($_)->{files}}) {
            print "$map->{map}: missing linedef $_->{linedef}\n"
                for @{$map->{missing}};
            print "$map->{map}: extra linedef $_->{linedef}\n"
                for grep { $_->{linedef} != 0 } @{$map->{extra}};
        }' output >unlike
    [ ! -s unlike ] || fail_showing unlike "other lists were expected"
}

# expect_same FILE FILE: both have the same bytes.
expect_same() {
    cmp "$1" "$2" || fail "$1 and $2 were expected to be the same"
}

# expect_in FILE TEXT...: each of these is in the file.
expect_in() {
    expect_found -F "$@"
}

# expect_match FILE PATTERN...: each of these matches in the file.
expect_match() {
    expect_found -G "$@"
}

expect_found() {
    matching=$1
    looked_in=$2
    shift 2
    for looked_for in "$@"; do
        grep -q "$matching" -e "$looked_for" "$looked_in" ||
            fail_showing "$looked_in" \
                "this was expected in $looked_in: $looked_for"
    done
}

# expect_not_in FILE TEXT...: none of these is in the file.
expect_not_in() {
    looked_in=$1
    shift
    for looked_for in "$@"; do
        ! grep -F -e "$looked_for" "$looked_in" ||
            fail "this was not expected in $looked_in: $looked_for"
    done
}

# expect_count COUNT FILE [PATTERN]: so many lines of the file match, or so many
# it has.
expect_count() {
    set -- "$@" ""
    found_count=$(grep -c -e "$3" "$2" || :)
    [ "$found_count" -eq "$1" ] ||
        fail_showing "$2" \
            "$1 lines with '$3' were expected in $2, not $found_count"
}

# expect_line LINE...: these are lines of the output, but for the width of gaps.
expect_line() {
    for looked_for in "$@"; do
        tr -s ' ' <output | sed 's/^ //' | grep -qxF -e "$looked_for" ||
            fail_showing output "this line was expected: $looked_for"
    done
}

expect_no_output() {
    [ ! -s "$folder/output" ] ||
        fail_showing "$folder/output" "nothing was expected on standard output"
}

# expect_absent FILE...: there is none of these.
expect_absent() {
    for looked_for in "$@"; do
        [ ! -e "$looked_for" ] || fail "no file $looked_for was expected"
    done
}

# expect_text FILE TEXT: the file holds this text, or with "-" what is piped in.
expect_text() {
    found_text=$(cat "$1")
    [ "$found_text" = "$2" ] ||
        fail "'$2' was expected in $1; it is '$found_text'"
}

# list_options COMMAND: prints the options that its --help lists, those of build
# without a command: "host LETTER NAME", "stage NAME", and behind that "choice
# NAME CHOICE" for each of its choices.
list_options() {
    blocksweep "$@" --help | awk '
        /^  -[A-Za-z], --/ { print "host", substr($1, 2, 1), name($2) }
        /^  --/ { option = name($1); print "stage", option }
        /^  --[a-z-]*=NUMBER/ { print "choice", option, "NUMBER" }
        /^      [^ ]/ {
            names = $1 ~ /,$/ ? NF : 1 # or a name and its help
            for (i = 1; i <= names; i++) {
                name_of_choice = $i
                sub(/,$/, "", name_of_choice)
                print "choice", option, name_of_choice
            }
        }
        function name(text) {
            sub(/^--/, "", text)
            sub(/[[=].*/, "", text)
            return text
        }'
}

has_json() {
    perl -MJSON::PP -e 1 2>/dev/null
}

# need_json: skips the test where no JSON can be read.
need_json() {
    has_json || skip "perl's JSON::PP is not there"
}

# read_json: from the JSON in the file output, makes lines such as
# "maps.0.linedefs 12" in the file facts.  Of an array, "maps" is the length.
# What a build reports of a single file is there as if it had no "files.0.".
read_json() {
    perl -MJSON::PP -0777 -e '
        sub flatten {
            my ($path, $value) = @_;
            if (ref $value eq "HASH") {
                flatten("$path.$_", $value->{$_}) for sort keys %$value;
                return;
            }
            if (ref $value eq "ARRAY") {
                flatten("$path.$_", $value->[$_]) for 0 .. $#$value;
                $value = @$value;
            }
            $value = $value ? "true" : "false" if JSON::PP::is_bool($value);
            print substr($path, 1), " ", $value // "-", "\n";
        }
        binmode STDOUT, ":utf8";
        my $report = JSON::PP->new->utf8->decode(<STDIN>);
        $report = {%$report, %{$report->{files}[0]}}
            if $report->{command} eq "build" && @{$report->{files}} == 1;
        flatten("", $report);' \
        <output >facts ||
        fail_showing output "this is no JSON"
}

# fact PATH: prints a member of what read_json has read; "-" if there is none.
fact() {
    awk -v path="$1" '$1 == path { sub(/^[^ ]* /, ""); print; found = 1; exit }
        END { if (!found) print "-" }' facts
}

# expect_facts PATH VALUE PATH VALUE...
expect_facts() {
    printf '%s\n' "$@" >wanted-facts
    awk 'FILENAME == "facts" {
            path = $1
            sub(/^[^ ]* /, "")
            if (!(path in found)) found[path] = $0
            next
        }
        FNR % 2 { path = $0; next }
        { is = path in found ? found[path] : "-" }
        is != $0 { printf "FAILED: %s was expected to be %s, not %s\n",
                       path, $0, is; wrong = 1 }
        END { exit wrong }' facts wanted-facts ||
        fail_showing facts "other facts were expected"
}

# --- Other processes ---

# make_program FILE: writes one of commands of the shell on standard input.
make_program() {
    { echo '#!/bin/sh'; cat; } >"$1"
    chmod 755 "$1"
}

# await COMMAND...: runs it until it ends well, for some minutes at most.
await() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 30000 ] || fail "for minutes this was expected: $*"
        sleep 0.01
    done
}

# need_user: skips the rest where nobody can be had to whom permissions apply.
need_user() {
    [ "$(id -u)" -ne 0 ] ||
        setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null ||
        skip "the rest: setpriv cannot become another user"
}

# as_user COMMAND...: runs it as that user.
as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

# --- WAD files ---

# wadtool TASK ARGUMENT...: see tests/help/wadtool.pl.
wadtool() {
    perl "$SOURCE_DIR/tests/help/wadtool.pl" "$@"
}

# make_wad TASK ARGUMENT...: see tests/help/make-wad.pl.
make_wad() {
    perl "$SOURCE_DIR/tests/help/make-wad.pl" "$@"
}

# Prints a number as a byte, whose octal digits are in the format.
octet() {
    # shellcheck disable=SC2059
    printf "\\$(($1 >> 6))$(($1 >> 3 & 7))$(($1 & 7))"
}

# Prints numbers as words of 16 bits.
words() {
    for word in "$@"; do
        octet $((word & 255))
        octet $((word >> 8 & 255))
    done
}

# xbm1 NUMBER...: prints a lump of these in 32 bits.
xbm1() {
    printf 'XBM1\0\0\0\0'
    for number in "$@"; do
        words $((number)) $((number >> 16))
    done
}

# linedef V1 V2: prints one as it is in LINEDEFS.
linedef() {
    words "$1" "$2" 1 0 0 0 65535
}

# Writes the lumps of a room of 200 x 100 units into files of their names, also
# TEXTMAP, and into room-blockmap what BLOCKMAP is to become.
write_room() {
    for name in THINGS SIDEDEFS SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP; do
        echo "what was in $name" >$name
    done
    words 0 0 0 100 200 100 200 0 >VERTEXES
    { linedef 0 1; linedef 1 2; linedef 2 3; linedef 3 0; } >LINEDEFS
    {
        words 0 0 2 1 # the grid
        words 6 11    # offsets
        words 0 0 1 3 65535
        words 0 1 2 3 65535
    } >room-blockmap
    cat >TEXTMAP <<'END'
namespace = "Doom"; // the room
vertex { x = 0; y = 0; }
vertex { x = 0.0; y = 100.000; }
vertex { x = 200; y = 1e2; }
vertex { x = 200; y = 0; }
linedef { v1 = 0; v2 = 1; sidefront = 0; blocking = true; }
linedef { v1 = 1; v2 = 2; sidefront = 1; blocking = true; }
linedef { v1 = 2; v2 = 3; sidefront = 2; blocking = true; }
linedef { v1 = 3; v2 = 0; sidefront = 3; blocking = true; }
END
}

# Gives the room segs, one for each linedef.
write_segs() {
    for seg in "0 1 0 0" "1 2 0 1" "2 3 0 2" "3 0 0 3"; do
        # shellcheck disable=SC2086 # words
        words $seg 0 0
    done >SEGS
    words 4 0 >SSECTORS
    : >NODES
}

# room MARKER: prints the room as a recipe for wadtool.
room() {
    printf "%s\n" "$1"
    for name in THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS \
        REJECT BLOCKMAP; do
        echo "$name $folder/$name"
    done
}

# text_room MARKER NAME...: the same in UDMF, with these lumps between TEXTMAP
# and ENDMAP.
text_room() {
    echo "$1"
    echo "TEXTMAP $folder/TEXTMAP"
    shift
    for name in "$@" ENDMAP; do
        [ -e "$name" ] || echo "what was in $name" >"$name"
        echo "$name $folder/$name"
    done
}

# without NAME: copies a recipe but for lumps of this name.
without() {
    sed "/^$1 /d"
}

# replacing NAME FILE: copies a recipe, with other bytes for lumps of this name.
replacing() {
    sed "s|^$1 .*|$1 $2|"
}

# make_room FILE [NAME BYTES]...: makes a WAD of the room as MAP01, with other
# bytes, those of a file, for lumps of these names; without them for "-".
make_room() {
    made_wad=$1
    shift
    room MAP01 >recipe-of-room
    while [ $# -gt 0 ]; do
        case $2 in
        -) sed -i "/^$1 /d" recipe-of-room ;;
        *) sed -i "s|^$1 .*|$1 $2|" recipe-of-room ;;
        esac
        shift 2
    done
    wadtool make PWAD "$made_wad" <recipe-of-room
}

# make_lines: writes map.wad, whose MAP01 has a one-sided linedef from each even
# vertex in VERTEXES to the next one, and no more.
make_lines() {
    for name in THINGS SEGS SSECTORS NODES REJECT BLOCKMAP; do
        : >$name
    done
    perl -e '
        print pack "v7", 2 * $_, 2 * $_ + 1, 1, 0, 0, 0, 65535
            for 0 .. (-s "VERTEXES") / 8 - 1;
    ' >LINEDEFS
    perl -e 'print pack "v2a8a8a8v", 0, 0, "-", "-", "-", 0' >SIDEDEFS
    perl -e 'print pack "v2a8a8v3", 0, 128, "F", "F", 160, 0, 0' >SECTORS
    room MAP01 | wadtool make PWAD map.wad
}

# scatter_lines COUNT: writes map.wad, whose MAP01 has so many one-sided linedefs
# in a square of 8,000 units, none of them longer than 100.
scatter_lines() {
    perl -e '
        srand 1;
        for (1 .. shift) {
            my ($x, $y) = map { int rand 7900 } 0, 1;
            print pack "v4", $x, $y, $x + 1 + int rand 70, $y + int rand 70;
        }
    ' "$1" >VERTEXES
    make_lines
}

# rooms COLUMNS ROWS STEP SIZE: writes rooms.wad, whose MAP01 has square rooms.
rooms() {
    awk -v columns="$1" -v rows="$2" -v step="$3" -v size="$4" \
        -f "$SOURCE_DIR/tests/command/rooms.awk" >TEXTMAP
    text_room MAP01 | wadtool make PWAD rooms.wad
}

# expect_lump FILE LUMP BYTES: the lump has the bytes of another file.
expect_lump() {
    wadtool extract "$1" "$2" >lump-found
    expect_same lump-found "$3"
}

# expect_room FILE MARKER...: these maps have the room's blockmap.
expect_room() {
    built_wad=$1
    shift
    for built_map in "$@"; do
        expect_lump "$built_wad" "$built_map/BLOCKMAP" room-blockmap
    done
}

# list_names FILE: prints the names of its lumps in one line.
list_names() {
    wadtool list "$1" | awk '{ printf "%s%s", separator, $2; separator = " " }'
}

# expect_lumps_kept OLD NEW: all but BLOCKMAP have the same numbers, names and
# bytes in both.
expect_lumps_kept() {
    expect_same_lists 's/^\([0-9]* BLOCKMAP\) .*/\1/' "$@"
}

# expect_others_kept OLD NEW: the same, but numbers may be others.
expect_others_kept() {
    expect_same_lists 's/^[0-9]* //; /^BLOCKMAP /d' "$@"
}

expect_same_lists() {
    wadtool list "$2" | sed "$1" >old-list
    wadtool list "$3" | sed "$1" >new-list
    diff old-list new-list || fail "lumps of $2 are not the same in $3"
}

# expect_stable FILE BUILT: built again, or from the result, it stays the same.
expect_stable() {
    expect_build "$1" -o again.wad
    expect_same "$2" again.wad
    expect_build "$2" -o twice.wad
    expect_same "$2" twice.wad
}

# --- An installation ---

# make_in FOLDER ARGUMENT...: runs make there, for nothing else.
make_in() {
    made_in=$1
    shift
    expect 0 env MAKEFLAGS= "${MAKE:-make}" -s -C "$made_in" "$@"
}

# install_to FOLDER: installs the build there, as into the root of a system.
install_to() {
    root=$1
    make_in "$BUILD_DIR" install DESTDIR="$root"
}

# package ARGUMENT...: asks pkg-config about what was installed.
package() {
    PKG_CONFIG_PATH=$(dirname "$(find "$root" -name nbstage.pc)") \
        pkg-config "$@" nbstage
}

# variable NAME: prints one of those in nbstage.pc.
variable() {
    package --variable="$1"
}

# --- Another time ---

# What commands are run by, to be run as if it were more than a year later.  The
# command faketime fails where it gets no semaphores; its library goes on.
# shellcheck disable=SC2034 # for scripts
in_a_year='env LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1 FAKETIME=+400d'

# is_in_a_year COMMAND...: what these run is told such a time.
is_in_a_year() {
    [ "$("$@" date +%s)" -ge $(($(date +%s) + 365 * 86400)) ]
}

# --- Disks that break, and others at work on the same files ---

# disturbed_blocksweep CALL NUMBER VARIABLE=VALUE ARGUMENT...: runs the command
# and, at one of its calls of a function, has happen what the variable tells;
# see tests/command/broken-disk.c.  If the call is reached there is a file named
# mark.
disturbed_blocksweep() {
    call=$1
    number=$2
    what=$3
    shift 3
    # A sanitizer that is a library wants to be loaded before all others, but
    # does not need it.
    as_built env BROKEN_CALL="$call" BROKEN_AT="$number" "$what" \
        BROKEN_MARK="$folder/mark" \
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" \
        LD_PRELOAD="$BUILD_DIR/tests/command/.libs/broken-disk.so" \
        blocksweep "$@"
}

# need_disturbances: skips the test where nothing can be preloaded.
need_disturbances() {
    disturbed_blocksweep none 1 BROKEN_ERROR=0 --version >probe 2>&1 || {
        cat probe
        skip "the command does not run with another library preloaded"
    }
}
