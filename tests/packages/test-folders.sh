#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a host finds a stage by its name in the folder nbstage beside the C
# library of its machine, where distributions install stages: here, and on i386,
# arm64 and s390x in QEMU; and that a set-ID host takes nothing from its user but
# a name.

. "$SOURCE_DIR/tests/help/library.sh"
is_sanitized && skip "sanitizers are built for this machine alone"

unset NBSTAGE_PLUGIN_PATH
kit=$SOURCE_DIR/builders/kit
examples=$SOURCE_DIR/builders/examples

# compile COMPILER: makes ./host, and ./skeleton.so, which makes an empty lump.
compile() {
    quietly "$1" -I"$SOURCE_DIR/include" -I"$kit" "$examples/minimal-host.c" \
        "$kit/nbstage-host.c" -o host -ldl
    quietly "$1" -I"$SOURCE_DIR/include" -shared -fPIC '-DLUMP="BLOCKMAP"' \
        "$examples/skeleton-stage.c" -o skeleton.so
}

# expect_stage_beside LIBRARIES COMMAND...: the host, run by the command, which has it
# use the C library in this folder, searches nbstage beside it last.
expect_stage_beside() {
    libraries=$1
    shift
    expect 1 "$@" ./host skeleton
    expect_text errors "there is no stage 'skeleton' in \
/usr/local/lib/nbstage:$libraries/nbstage"
    mkdir "$libraries/nbstage"
    cp skeleton.so "$libraries/nbstage"
    expect 0 "$@" ./host skeleton
    expect_text output "BLOCKMAP has 0 bytes"
    expect_no_errors
}

# Copies, as a test may write nothing beside the library of the system.
compile "${CC:-cc}"
mkdir here
ldd ./host | sed -n 's/.* => \(.*\.so[^ ]*\) .*/\1/p' | while read -r library; do
    cp "$library" here
done
expect_stage_beside "$folder/here" env LD_LIBRARY_PATH="$folder/here"

# --- A set-ID host ---

NBSTAGE_PLUGIN_PATH=$folder
export NBSTAGE_PLUGIN_PATH
expect 0 ./host skeleton
expect_text output "BLOCKMAP has 0 bytes"

# expect_ignored: the host takes nothing from its user but a name.
expect_ignored() {
    expect 1 as_user ./host skeleton
    expect_match errors "^there is no stage 'skeleton' in /usr/local/lib/"
    expect_not_in errors "$folder"
    expect 1 as_user ./host ./skeleton.so
    expect_text errors "./skeleton.so: a set-ID program takes no paths"
}

if [ "$(id -u)" -eq 0 ] && has setpriv; then
    chmod 711 .
    cp "$(command -v id)" .
    chmod 4755 id
    expect 0 as_user ./id -u
    if grep -qx 0 output; then
        chmod 4755 host
        expect_ignored
        chmod 2755 host
        expect_ignored
    else
        echo "set-ID programs have no more rights here: not tried"
    fi
else
    echo "only root makes set-ID programs: not tried"
fi
unset NBSTAGE_PLUGIN_PATH

# --- Other machines ---

while read -r machine emulator triplet; do
    if ! has "$emulator" || ! has "$triplet-gcc"; then
        echo "$emulator or $triplet-gcc is not there: not tried on $machine"
        continue
    fi
    compile "$triplet-gcc"
    cp -R "/usr/$triplet/lib" "$machine"
    expect_stage_beside "$folder/$machine" "$emulator" -L "/usr/$triplet" \
        -E LD_LIBRARY_PATH="$folder/$machine"
    echo "found on $machine"
done <<'END'
i386 qemu-i386 i686-linux-gnu
arm64 qemu-aarch64 aarch64-linux-gnu
s390x qemu-s390x s390x-linux-gnu
END
