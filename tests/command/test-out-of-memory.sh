#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command ends well wherever memory runs out: each of its
# requests is refused in turn, alone and with all that follow.  Either all is as
# if nothing had been refused, or the command fails and says why; nothing leaks,
# no file is left that is not whole or was not asked for, and no process.
# Commands that only look at files may end at once, with one sentence; what they
# have in memory is then not freed, and a report in JSON is cut off.  The
# quicker test-refused-memory refuses only what the stage asks for.

. "$SOURCE_DIR/tests/help/library.sh"

is_sanitized && skip "sanitizers have an allocator of their own"
need perl
PRELOAD=$BUILD_DIR/tests/command/.libs/refuse-memory.so
[ -r "$PRELOAD" ] || skip "$PRELOAD is not there"
REFUSED_PROGRAM=env REFUSED_REPORT=report LD_PRELOAD="$PRELOAD" env >nothing
[ -s report ] || skip "memory cannot be refused with this C library"
use_own_temporary_folder
mkdir work
export PRELOAD PRESENT ORIGINAL INPUT

# refuse CHECK ARGUMENT...: see tests/command/refuse.pl.
refuse() {
    check=$1
    shift
    "$BUILD_DIR/run" perl "$SOURCE_DIR/tests/command/refuse.pl" "$check" \
        "$BUILD_DIR/command/blocksweep" "$@" || exit 1
}

# A builder that does not end all that it has started.
make_program leave <<'END'
sh -c 'echo $$ >left.new; mv left.new left; exec sleep 10000' &
until [ -s left ]; do sleep 0.01; done
cp "$1" "$2"
END

expect_build --grid=fit --pack=nest "$sample" -o nested.wad
gzip -c "$sample" >sample.wad.gz
write_room
make_room room.wad BLOCKMAP -
words 0 0 512 512 >large-grid
make_room damaged.wad BLOCKMAP large-grid
linedef 0 9 >wild
make_room bad.wad LINEDEFS wild

map=--map=MAP01
INPUT=$sample
refuse run --quiet $map "$sample" -o work/out.wad
refuse run --json --grid=search --backup $map sample.wad.gz \
    -o work/out.wad.gz
PRESENT=work/map.wad ORIGINAL=$sample
refuse run --quiet --in-place --backup $map work/map.wad
PRESENT=
refuse run --json --builder='cp {in} {out}' $map "$sample" -o work/out.wad
INPUT=room.wad
refuse processes --quiet --builder='./leave {in} {out}' room.wad \
    -o work/out.wad
INPUT=$sample
refuse run verify $map "$sample"
refuse run verify --json --nodes $map "$sample" nested.wad
INPUT=room.wad
refuse run verify --json --verbose room.wad
INPUT=$sample
refuse run show $map --svg=work/map.svg "$sample"
refuse run show --json $map --html=work/map.html "$sample"
refuse run show --list=0,0 room.wad
refuse run verify $map --svg=work/map.svg "$sample"
refuse run diff $map "$sample" nested.wad
refuse run diff --json --verbose $map "$sample" nested.wad

# Maps with which something is wrong.
INPUT=damaged.wad
refuse run --json --grid=keep damaged.wad -o work/out.wad
INPUT=bad.wad
refuse run --json bad.wad -o work/out.wad
refuse run verify --json damaged.wad bad.wad
refuse run show --json damaged.wad
refuse run diff --json damaged.wad bad.wad
