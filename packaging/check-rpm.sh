#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release, RELEASE, can be made into RPM packages, with the
# rpmbuild that is here: on Debian it has no packages to look for and none of
# Fedora's compiler flags, and has to be told to compress manuals and to strip
# programs, but not scripts.  rpmlint looks at the specification and at what is
# built, and rpm installs it in an empty folder and removes all of it.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
need rpmbuild rpmlint appstreamcli
unset MAKEFLAGS MFLAGS MAKELEVEL || : # those of this check

# rpmlint asks for the modes that files have with most people.
umask 022
mkdir SOURCES
install -m 644 "$RELEASE" SOURCES
install -m 644 "$packaging/rpm/blocksweep.spec" .
quietly rpmbuild -ba --nodeps \
    --define "_topdir $folder" \
    --define '__os_install_post bash %{_rpmconfigdir}/brp-compress \
        find %{buildroot} -type f -exec grep -q "^[^ -~]ELF" {} ";" -exec strip {} +' \
    --define '_docdir %{_datadir}/doc' \
    blocksweep.spec
find "$folder" -name '*.rpm' >packages
cat packages
# shellcheck disable=SC2046 # a word a package
rpmlint --strict --config "$packaging/rpm/rpmlint.toml" \
    blocksweep.spec $(cat packages)

mkdir root
# rpm_there ARGUMENT...: rpm, in the folder root.
rpm_there() {
    quietly rpm --root "$folder/root" --dbpath /database --nodeps "$@"
}

# shellcheck disable=SC2046 # a word a package
rpm_there --install $(grep -v -e '[.]src[.]rpm$' -e debug packages)
NBSTAGE_PLUGIN_PATH=$(echo "$folder"/root/usr/lib*/nbstage) \
    root/usr/bin/blocksweep --version >version
expect_match version "^Stage blocksweep $(package_version) from $folder/root/"
rpm_there --erase blocksweep nbstage-devel
find root ! -type d ! -path 'root/database/*' | expect_text - ""
