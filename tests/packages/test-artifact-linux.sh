#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the archive for Linux works where it is unpacked: in a fresh
# Debian 12, a fresh Debian 13, and a system that is nothing but a shell; that
# the command is small and needs no library, the plugin none but a glibc of
# 2012; and that a command loads the plugin.  Then, in that Debian 12, that
# what people compile does: the source, and the example of the single file.

. "$SOURCE_DIR/tests/packages/artifacts.sh"
. "$SOURCE_DIR/packaging/fresh-system.sh"
need objdump readelf

linux=blocksweep-$version-linux-x86_64

# in_place USER COMMAND...: runs a command in the system and folder, as a user.
in_place() {
    run_as=$1
    shift
    # shellcheck disable=SC2016 # for that shell
    run_in "$system" sh -c 'cd "/srv/$0" && exec "$@"' "$place" "$@"
}

# use_linux SYSTEM: unpacks the archive in an empty folder there, and uses it.
use_linux() {
    system=$1
    mkdir "$folder/$system/srv/unpacked" "$folder/$system/srv/$place"
    tar -xf "$release-linux-x86_64.tar.xz" -C "$folder/$system/srv/unpacked"
    cd "$folder/$system/srv/$place"
    command=/srv/unpacked/$linux/blocksweep
    use_artifact in_place 0 "$command"
    expect_refused in_place 65534 "$command"
    expect 2 in_place 0 "$command" --plugin="$command.so" "alte Größe.wad" \
        -o none.wad
    expect_sentence "this is a static build and cannot load stages"
    [ "$system" = bookworm ] || expect_same new.wad \
        "$folder/bookworm/srv/$place/new.wad"
    cd "$folder"
}

for system in bookworm trixie; do
    fetch_system $system ca-certificates
    make_system $system $system
    use_linux $system
done
quietly run_in bookworm apt-get install -q -y busybox-static
mkdir -p busybox/bin busybox/dev busybox/proc busybox/srv
cp bookworm/bin/busybox busybox/bin/sh
use_linux busybox

# --- What it is ---

cd "bookworm/srv/unpacked/$linux"
size=$(wc -c <blocksweep)
[ "$size" -lt 1500000 ] || fail "the command has $size bytes"
expect 0 readelf -d blocksweep
expect_not_in "$folder/output" NEEDED
readelf -d blocksweep.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    expect_text - libc.so.6
objdump -T blocksweep.so | grep -o 'GLIBC_[0-9.]*' >needed
[ -s needed ] || fail "functions of glibc were expected"
{ echo GLIBC_2.17; cat needed; } | sort -V | tail -n 1 |
    expect_text - GLIBC_2.17
expect_match manual/blocksweep.1.txt '^BLOCKSWEEP(1)' '^SYNOPSIS'
expect_in manual/blocksweep.1.html "</html>"
expect_in README.txt "blocksweep $version for Linux"
cd "$folder"

# --- What is compiled ---

system=bookworm
quietly run_in $system apt-get install -q -y --no-install-recommends \
    gcc libc6-dev make pkg-config zlib1g-dev glbsp
for file in "$release.tar.xz" "$release-vendor.tar.xz"; do
    tar -xf "$file" -C $system/srv
done
quietly run_in $system sh -ec "cd /srv/blocksweep-$version-vendor
    cc -O2 -Wall -Werror vendored-host.c blocksweep.c -o host -lz
    ./host && test -s BLOCKMAP.lmp
    cc -c -Wall -Werror nbstage-host.c"
quietly run_in $system sh -ec "cd /srv/blocksweep-$version
    ./configure -q && make -s && make -s install
    rm /usr/local/lib/nbstage/blocksweep.so"
in_place 0 env NBSTAGE_PLUGIN_PATH="/srv/unpacked/$linux" \
    /usr/local/bin/blocksweep --builder=glbsp "alte Größe.wad" \
    -o glbsp.wad >said
expect_in said "Builder glbsp took"
expect 0 in_place 0 "/srv/unpacked/$linux/blocksweep" verify --strict --nodes \
    glbsp.wad
