#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that makepkg makes a package of a release, RELEASE, as a user who is not
# root, and that pacman installs it in an empty folder and removes all of it.
# On Debian neither knows of the packages that it needs.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
need makepkg pacman fakeroot shellcheck
need_user
unset MAKEFLAGS MFLAGS MAKELEVEL || : # those of this check

shellcheck "$packaging/arch/PKGBUILD"
mkdir arch
cp "$RELEASE" "$packaging/arch/PKGBUILD" arch
[ "$(id -u)" -ne 0 ] || chown -R 65534 arch
chmod 755 . arch
(cd arch && quietly as_user env HOME="$PWD" makepkg --nodeps --nocolor)

# pacman_there ARGUMENT...: pacman, in the folder root.
pacman_there() {
    quietly fakeroot pacman --root "$folder/root" --dbpath "$folder/database" \
        --cachedir "$folder" --logfile "$folder/log" --noconfirm "$@"
}

mkdir root database
pacman_there -Udd arch/blocksweep-*-x86_64.pkg.tar.*
root/usr/bin/blocksweep --version >version
expect_match version "^Stage blocksweep $(package_version) from $folder/root/"
(cd root && find . ! -type d | sort)
pacman_there -Rdd blocksweep
find root ! -type d | expect_text - ""
