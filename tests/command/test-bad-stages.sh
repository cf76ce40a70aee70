#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command refuses a stage that it cannot use with one sentence,
# writes nothing and does not hang.  test-host-kit has more of them.

. "$SOURCE_DIR/tests/help/library.sh"

kit=$BUILD_DIR/tests/unit/.libs/kit-stage.so

# plain ARGUMENT...: the command, with no other stages.
NBSTAGE_PLUGIN_PATH=/nonexistent
export NBSTAGE_PLUGIN_PATH
plain() {
    timeout 60 "$BUILD_DIR/command/blocksweep" "$@"
}

# expect_refused STAGE PART: a build and --version say this of it.
expect_refused() {
    expect 2 plain -p "$1" "$sample" -o out.wad
    expect_sentence "$2"
    expect_no_output
    expect_absent out.wad
    expect 0 plain -p "$1" --version
    expect_no_errors
    expect_in output "No stage: " "$2"
}

for fault in name version summary lump_names fact_names options create destroy \
    set_option build get_lump get_fact last_error size-0 size-short abi-2 \
    refuses option-short option-name option-default option-help \
    option-choices; do
    export KIT_STAGE=$fault
    expect_refused "$kit" "this is not a complete stage of version 1"
done
KIT_STAGE="other-lumps"
expect_refused "$kit" "this stage does not make BLOCKMAP"
KIT_STAGE="no-instance"
expect 3 plain -p "$kit" "$sample" -o out.wad
expect_sentence "out of memory"
unset KIT_STAGE

mkdir folder.so
mkfifo fifo.so
ln -s nowhere link.so
for file in folder fifo link; do
    expect_refused ./$file.so "./$file.so: there is no such file"
done
: >empty.so
echo "no stage" >text.so
cp "$kit" machine.so
printf '\377' | dd of=machine.so bs=1 seek=18 conv=notrunc 2>said
echo 'int absent(void); int nbstage_describe(void) { return absent(); }' |
    ${CC:-cc} -shared -fPIC -x c - -o undefined.so
echo 'int describe;' | ${CC:-cc} -shared -fPIC -x c - -o nothing.so
for file in empty text machine undefined nothing; do
    expect_refused ./$file.so "cannot be loaded: "
    expect_in output $file.so
done
