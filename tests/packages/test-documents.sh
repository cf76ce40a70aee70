#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the commands in README.md, editors/README.md, doc/ and the manuals
# work as they are written, with a fresh installation, and print what the text
# shows: a "$" begins a command whose output follows.  Section 3 has C, which
# test-examples compiles.

. "$SOURCE_DIR/tests/help/library.sh"
need zdbsp

install_to "$folder/root"
PATH=$(dirname "$(find "$root" -name blocksweep -path '*/bin/*')"):$PATH
mkdir bin samples
ln -s "$SOURCE_DIR/samples/e2m1.wad" samples
PATH=$folder/bin:$PATH
# A builder that loads the stage, which its first two arguments name.
make_program bin/yourbsp <<'END'
shift
blocksweep --quiet --plugin "$@"
END
for file in samples/freedoom-sample.wad IN.wad MY.wad OLD.wad NEW.wad; do
    cp "$SOURCE_DIR/samples/freedoom-sample.wad" $file
done

# blocks_of FILE: the commands in it, each with its output: a line "command",
# what is typed, "expected" if the text shows output, and the lines of that.  A
# display of a manual is typed as a whole.
blocks_of() {
    case $1 in
    *.md) sed -n 's/^    //p; /^$/p' "$1" ;;
    *) awk '
        sub(/^\.Dl /, "") { print }
        /^\.Ed/ { print display; display = "" }
        /^\.Bd/, /^\.Ed/ { if (/^[^.]/) display = display $0 "; " }' "$1" ;;
    esac | awk '
        sub(/^\$ /, "") { print "command"; print; print "expected"; shown = 1
                          next }
        /^(blocksweep |[A-Za-z_]+=)/ { print "command"; print; shown = 0; next }
        /^$/ { shown = 0 }
        shown { print }'
}

# try_command FILE: runs what is in the file command, and compares its output
# with the file expected unless that is empty.
try_command() {
    [ -s command ] || return 0
    status=0
    sh command >output 2>&1 </dev/null || status=$?
    case $status,$(cat command) in
    0,* | 1,blocksweep\ verify* | 1,blocksweep\ diff*) ;;
    *) fail_showing output "$1: '$(cat command)' ended with status $status" ;;
    esac
    [ ! -s expected ] || diff expected output ||
        fail "$1: '$(cat command)' does not print what the text shows"
    echo "$1: $(cat command)" >>tried
}

# The compiler finds nbstage.h there.
C_INCLUDE_PATH=$(dirname "$(find "$root" -name nbstage.h)")
export C_INCLUDE_PATH
cp "$SOURCE_DIR/builders/examples/skeleton-stage.c" .

for document in README.md editors/README.md doc/hosting.md doc/engines.md \
    doc/write-a-stage.md man/blocksweep.1 \
    man/blocksweep-stage.7; do
    blocks_of "$SOURCE_DIR/$document" >blocks
    : >command
    while IFS= read -r line; do
        case $line in
        command)
            try_command "$document"
            : >expected
            IFS= read -r typed
            printf '%s\n' "$typed" >command
            ;;
        expected) ;;
        *) printf '%s\n' "$line" >>expected ;;
        esac
    done <blocks
    try_command "$document"
    least=$(grep -cE '^(\.Dl|   ) (\$ )?blocksweep ' \
        "$SOURCE_DIR/$document") || :
    found=$(grep -c "^$document: " tried) || :
    [ "$found" -ge "$least" ] ||
        fail "$found of at least $least commands of $document were found"
done
cat tried
expect_match tried "README.md: blocksweep verify --for=boom samples/e2m1.wad"
