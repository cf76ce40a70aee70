#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# patch.sh BUILDER FOLDER
#
# Adds the stage to a source package of Debian, zdbsp or glbsp, that apt-get source
# has unpacked in the folder.  It needs dpkg-dev, devscripts, nbstage-dev and
# pkg-config.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
builder=$1
cd "$2"
what="Let a plugin build blockmaps: --blockmap-plugin"

"$here/../$builder/apply.sh" --system .
# glBSP has a makefile there, which a patch may not change.
[ ! -e debian/makefile ] ||
    sed -i 's/^\tblockmap\.o/& blockmap-plugin.o nbstage-host.o/' debian/makefile
# A version that sorts above Debian's own and its rebuilds, and below its next.
dch --nmu "$what"
EDITOR=true dpkg-source --commit . blockmap-plugin
sed -i -e "1iDescription: $what" \
    -e '1,/^Last-Update:/{/^Author:/!{/^Last-Update:/!d}}' \
    debian/patches/blockmap-plugin
sed -i -e 's/^Build-Depends:/& nbstage-dev,/' \
    -e "/^Package: $builder$/,/^Description:/s/^Description:/Suggests: blocksweep\n&/" \
    debian/control
