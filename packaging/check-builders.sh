#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves, in fresh systems with Debian 12 and 13, that builders/debian/patch.sh
# adds the stage to Debian's source packages of zdbsp and glbsp: these build with
# our nbstage-dev of a release, RELEASE, and take the place of Debian's own
# packages; with blocksweep beside them the blockmaps of Freedoom's 100 maps are
# exact and all other lumps the same as without; without the option the files are
# those of the source as it was, and without blocksweep there is an error and no
# file.

# shellcheck disable=SC2086 # names without blanks

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
# shellcheck source=packaging/fresh-system.sh
. "$SOURCE_DIR/packaging/fresh-system.sh"
need_freedoom
builders='zdbsp glbsp'

# Unpacks a builder's source.  An archive may lack a source's folder debian; one
# of five files is then in its place.
cat >fetch-source <<'END'
mkdir "$1" && cd "$1"
! apt-get source -q "$1" || exit 0
version=$(apt-cache showsrc "$1" | sed -n '/^Version: /{s///p;q}')
echo "$1 $version: the archive lacks its folder debian" >>/root/lacks
mkdir source && tar -xf "$1"_*.orig.tar.* --strip-components=1 -C source
cd source && mkdir -p debian/source
echo '3.0 (quilt)' >debian/source/format
cat >debian/changelog <<EOM
$1 ($version) unstable; urgency=medium

  * In place of Debian's.

 -- Nobody <nobody@localhost>  Thu, 01 Jan 2026 00:00:00 +0000
EOM
cat >debian/control <<EOM
Source: $1
Maintainer: Nobody <nobody@localhost>
$(apt-cache showsrc "$1" | sed -n '/^Build-Depends: /{p;q}')

Package: $1
Architecture: any
Depends: \${misc:Depends}, \${shlibs:Depends}
Description: node builder
EOM
cat >debian/rules <<EOM
#!/usr/bin/make -f
%:
	dh \$@
override_dh_auto_install:
	install -D -t debian/$1/usr/bin obj-*/$1
EOM
chmod +x debian/rules
grep -q debhelper-compat debian/control || echo 10 >debian/compat
END

# build_all SUITE: our packages and the builders' in one system.
build_all() {
    fetch_system "$1" ca-certificates
    make_system builder "$1"
    sed -i 's/^deb \(.*\)/&\ndeb-src \1/' "$folder/builder/etc/apt/sources.list"
    built=$folder/builder/root
    mkdir -p "$built/source/debian"
    cp "$SOURCE_DIR/packaging/debian/control" "$built/source/debian"
    cp -R "$RELEASE" "$SOURCE_DIR/packaging/build-debian.sh" fetch-source \
        "$SOURCE_DIR/builders" "$built"
    quietly run_in builder sh -euc 'cd
        apt-get update -q
        apt-get install -q -y --no-install-recommends devscripts
        apt-get build-dep -q -y ./source
        DEB_BUILD_OPTIONS=nocheck ./build-debian.sh blocksweep-*.tar.xz ours
        apt-get install -q -y ./ours/nbstage-dev_*.deb'
    for name in $builders; do
        # shellcheck disable=SC2016 # for that shell
        quietly run_in builder sh -euc 'cd
            sh -eu ./fetch-source "$1"
            cd "$1"/*/
            apt-get build-dep -q -y .
            cp -R . ../copy
            (cd ../copy && dpkg-buildpackage -b -us -uc)
            mkdir ../own && mv ../*.deb ../own
            DEBFULLNAME=Nobody DEBEMAIL=nobody@localhost \
                /root/builders/debian/patch.sh "$1" .
            apt-get build-dep -q -y .
            dpkg-buildpackage -us -uc' sh $name
    done
    [ ! -e "$built/lacks" ] || cat "$built/lacks"
}

# run_builder NAME OUT [OPTION...]: as the distribution's manual says to.  glBSP
# writes the time into its lumps; here it is always the same.
run_builder() {
    name=$1
    out=$2
    shift 2
    case $name in
    zdbsp) set -- "$@" -o "/root/$out" "/root/$wad.wad" ;;
    glbsp) set -- -normal "$@" "/root/$wad.wad" -o "/root/$out" ;;
    esac
    # shellcheck disable=SC2016 # for the linker
    run_in user env 'LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1' \
        FAKETIME='2026-01-01 12:00:00' $name "$@"
}

# run_all KIND [OPTION...]: makes files NAME-WAD-KIND.wad.
run_all() {
    kind=$1
    shift
    for name in $builders; do
        for wad in freedoom1 freedoom2 freedm; do
            quietly run_builder $name $name-$wad-"$kind".wad "$@"
        done
    done
}

try_all() {
    make_system user "$1"
    cp "$built"/ours/blocksweep_*.deb "$built"/*/*bsp_*.deb \
        "$built"/*/*bsp3_*.deb "$freedoom_dir"/free*.wad "$folder/user/root"
    # Other compilers make other nodes, so their own are built here, too.
    cp -R "$built"/*/own "$folder/user/root"
    quietly run_in user apt-get install -q -y zdbsp glbsp libfaketime
    quietly run_in user sh -c 'dpkg -i /root/own/*bsp_*.deb /root/own/*bsp3_*.deb'
    run_all plain
    # apt-get refuses versions below those of Debian, and of its rebuilds.
    quietly run_in user apt-get install -q -y zdbsp glbsp
    quietly run_in user sh -c 'cd && apt-get install -q -y ./*.deb'
    run_all without
    run_all staged --blockmap-plugin blocksweep
    quietly run_in user apt-get purge -q -y blocksweep
    cd "$folder/user/root"
    for name in $builders; do
        maps=0
        for wad in freedoom1 freedoom2 freedm; do
            expect_same $name-$wad-plain.wad $name-$wad-without.wad
            expect_others_kept $name-$wad-plain.wad $name-$wad-staged.wad
            expect 0 blocksweep verify --strict --json $name-$wad-staged.wad
            ! grep -E '"(missing|extra)_entries": [1-9]' "$folder/output" ||
                fail "blockmaps of $wad are not exact"
            maps=$((maps + $(wadtool list $name-$wad-staged.wad |
                grep -c ' BLOCKMAP ')))
        done
        [ $maps -eq 100 ] || fail "100 maps were expected, not $maps"
        ! run_builder $name missing.wad --blockmap-plugin blocksweep \
            >"$folder/said" 2>&1 || fail "$name has not missed the stage"
        expect_in "$folder/said" "there is no stage 'blocksweep'"
        expect_absent missing.wad
    done
    cd "$folder"
}

for suite in bookworm trixie; do
    build_all $suite
    try_all $suite
    echo "$suite: $(cd "$folder/user/root" && echo zdbsp_*.deb glbsp_*.deb):" \
        "built, installed, 100 maps each"
    rm -rf "${folder:?}/user" "$folder/builder" "$folder/$suite.tar"
done
