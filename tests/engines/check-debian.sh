#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-debian.sh SUITE FOLDER: runs `make check-engines` with the source ports
# of another release of Debian, such as trixie, which it installs in a new
# folder, by mmdebstrap, as root; a folder that is there is taken as it is.  The
# tables that the runs came to are then in FOLDER/blocksweep/engines-tables.md.

set -eu
suite=$1
folder=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
[ -d "$folder" ] || mmdebstrap --variant=minbase --include="gcc libc6-dev make \
    autoconf automake libtool pkg-config zlib1g-dev check perl freedoom freedm \
    zdbsp glbsp chocolate-doom crispy-doom dsda-doom woof-doom" \
    "$suite" "$folder"
mkdir -p "$folder/blocksweep"
git -C "$source" ls-files -z | (cd "$source" && tar -c --null -T -) |
    tar -x -C "$folder/blocksweep"
# They look for their processors and for their own variables there.
mountpoint -q "$folder/proc" || mount -t proc proc "$folder/proc"
trap 'umount "$folder/proc"' EXIT
chroot "$folder" sh -c 'cd blocksweep && autoreconf -fi && ./configure -q &&
    make -s -j"$(nproc)" && make -s check-engines'
