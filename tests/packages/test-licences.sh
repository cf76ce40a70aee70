#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that every file of a release, and of the source where it is kept in
# git, tells its licence, in a line of its own or in packaging/debian/copyright;
# that both tell the same; and that LICENSES has the text of each.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

# Reads the table into lines "PATTERN LICENSE", where a later one goes before.
awk '/^Files:/ { in_files = 1; count = 0 }
     /^[A-Z][A-Za-z-]*:/ && !/^Files:/ { in_files = 0 }
     in_files {
         for (i = /^Files:/ ? 2 : 1; i <= NF; i++)
             patterns[++count] = $i
     }
     /^License:/ && count > 0 {
         sub(/^License: /, "")
         gsub(/ /, "-")
         for (i = 1; i <= count; i++)
             print patterns[i], $0
         count = 0
     }' "$SOURCE_DIR/packaging/debian/copyright" >table

# told_in_table FILE: prints "PATTERN LICENSE" of the last pattern that fits it,
# in which, as in that of a case, * stands for slashes, too.
told_in_table() {
    found=
    while read -r pattern licence; do
        # shellcheck disable=SC2254 # a pattern
        case $1 in
        $pattern) found="$pattern $licence" ;;
        esac
    done <table
    echo "$found"
}

# told_in_file FILE: prints what its line says, if it has one.
told_in_file() {
    head -n 5 "$1" | sed -n 's|.*SPDX-License[-]Identifier: *||
        t found
        d
        : found
        s| *[*-][*-]*[/>]* *$||
        p
        q'
}

# check_file FOLDER FILE
check_file() {
    case $2 in
    COPYING | LICENSES/*) return ;;
    esac
    in_file=$(told_in_file "$1/$2")
    in_table=$(told_in_table "$2")
    if [ -z "$in_file" ]; then
        [ "${in_table%% *}" != "*" ] ||
            fail "$2 has no line that tells its licence"
    elif [ "$in_file" != "${in_table#* }" ]; then
        fail "$2 is $in_file; the table has it as ${in_table#* }"
    fi
    echo "${in_table#* }" >>licences
}

# check_files FOLDER: takes the names of files.
check_files() {
    while read -r name; do
        check_file "$1" "$name"
    done
}

expect 0 env MAKEFLAGS= "${MAKE:-make}" -s -C "$BUILD_DIR" distdir \
    distdir="$folder/release"
: >licences
(cd release && find . -type f | sed 's|^\./||') >files
check_files release <files
if [ -e "$SOURCE_DIR/.git" ] && has git; then
    git -C "$SOURCE_DIR" ls-files >listed
    grep -v '^\.reuse/' listed >files
    check_files "$SOURCE_DIR" <files
fi
[ "$(wc -l <licences)" -gt 400 ] || fail "more files were expected"

# What autoconf, automake and libtool add tells its own.
sort -u licences | grep -vx -e FSFUL -e FSFULLR -e X11 -e '.*-with-.*' |
    while read -r licence; do
        [ -s "release/LICENSES/$licence.txt" ] ||
            fail "LICENSES has no text of $licence"
    done

# And what a program for all this says.
if [ -e "$SOURCE_DIR/.git" ] && has reuse; then
    expect 0 reuse --root "$SOURCE_DIR" lint
fi
