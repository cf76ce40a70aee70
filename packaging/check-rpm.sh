#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release, RELEASE, can be made into RPM packages, with the
# rpmbuild that is here: on Debian it has no packages to look for and none of
# Fedora's compiler flags, and has to be told to compress manuals and to strip
# programs.  rpmlint looks at the specification and at what is built.

set -eu
packaging=$SOURCE_DIR/packaging
for program in rpmbuild rpmlint appstreamcli; do
    command -v $program >/dev/null || {
        echo "$program is not there"
        exit 77
    }
done
unset MAKEFLAGS MFLAGS MAKELEVEL || : # those of this check
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$folder/SOURCES"
cp "$RELEASE" "$folder/SOURCES"
rpmbuild -ba --nodeps --quiet \
    --define "_topdir $folder" \
    --define '__os_install_post bash %{_rpmconfigdir}/brp-compress \
        find %{buildroot} -type f -perm /111 -exec %{__strip} {} +' \
    --define '_docdir %{_datadir}/doc' \
    --define '_metainfodir %{_datadir}/metainfo' \
    "$packaging/rpm/blocksweep.spec"
find "$folder" -name '*.rpm' >"$folder/packages"
cat "$folder/packages"
# shellcheck disable=SC2046 # a word a package
rpmlint --strict --config "$packaging/rpm/rpmlint.toml" \
    "$packaging/rpm/blocksweep.spec" $(cat "$folder/packages")
