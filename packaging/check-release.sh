#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release is the same wherever, whenever and by whomever it is
# made, that it honours SOURCE_DATE_EPOCH, and that it builds as packagers build
# it: without autotools, without network, outside of its source, which stays as
# it is, in parts, and into a folder.  RELEASE is one of the clone or release in
# the folder SOURCE_DIR.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

tarball=$RELEASE
source=$SOURCE_DIR
name=$(basename "$tarball" .tar.xz)
make=${MAKE:-make}

# One source in it may not be written to.
trap 'cd / && chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR || :

# What gives unshare the right to do its work.
as_root=
[ "$(id -u)" -eq 0 ] || as_root=-r

# left_out TEXT: the test ends as skipped, for want of this.
skipped=
left_out() {
    echo "not done: $*"
    skipped=yes
}

# In place of autotools and mandoc, which packagers need not have; git would
# tell of another project than this one.
mkdir shims
automake=$(tar -xOf "$tarball" "$name/Makefile.in" |
    sed -n '1s/.*automake \([0-9]*\.[0-9]*\).*/\1/p')
for tool in autoconf autoheader autom4te autoreconf autoscan autoupdate \
    aclocal automake libtoolize ifnames mandoc git; do
    # shellcheck disable=SC2016 # for it
    printf '#!/bin/sh\necho "$0 $*" >>"%s/called"\nexit 99\n' "$folder" \
        >shims/$tool
    chmod +x shims/$tool
done
ln -s aclocal "shims/aclocal-$automake"
ln -s automake "shims/automake-$automake"

# without_autotools COMMAND...
without_autotools() {
    (
        PATH=$folder/shims:$PATH
        export PATH
        "$@"
    )
    [ ! -e "$folder/called" ] || {
        cat "$folder/called"
        fail "these programs are not everywhere"
    }
}

# --- The same bytes ---

# release SOURCE BUILD: makes a release in the folder BUILD.
release() {
    mkdir -p "$2"
    (cd "$2" && quietly "$1/configure" -q && quietly "$make" -s dist)
}

# expect_release FILE: it has the bytes that it is to have.
expect_release() {
    cmp "$tarball" "$1" || {
        tar -tvf "$tarball" >expected-list
        tar -tvf "$1" >found-list
        diff expected-list found-list || :
        fail "$1 was expected to be the same as $tarball"
    }
}

# A release of the release, by somebody whose files nobody else may read, in a
# place where months have other names.
mkdir private
(
    umask 077
    tar -xf "$tarball" -C private
    TZ=Pacific/Auckland LANG=C.UTF-8 LC_ALL=C.UTF-8
    export TZ LANG LC_ALL
    without_autotools release "$folder/private/$name" "$folder/private/build"
)
expect_release "private/build/$name.tar.xz"
echo "a release of the release is the same"

# later COMMAND...: runs one at another time, with a /dev/shm of its own:
# libfaketime leaves files there.
later() {
    # shellcheck disable=SC2086 # words, or none
    unshare $as_root -m sh -c 'mount -t tmpfs tmpfs /dev/shm && exec "$@"' \
        sh $in_a_year "$@"
}
if ! later true >why 2>&1 || [ -s why ]; then
    cat why
    left_out "a release at another time, for want of what is told above"
    later() {
        "$@"
    }
elif ! is_in_a_year later; then
    fail "libfaketime was expected to tell another time"
fi

# One of a clone, in its own folder.
if [ ! -e "$source/.git" ]; then
    left_out "a release of a clone, as $source is none"
elif git -C "$source" status --porcelain -uno >changes && [ ! -s changes ]; then
    umask 027
    quietly git clone -q "$source" cloned/elsewhere
    umask 022
    (cd cloned/elsewhere && quietly later autoreconf -fi &&
        quietly later ./configure -q && quietly later "$make" -s dist)
    expect_release "cloned/elsewhere/$name.tar.xz"
    echo "a release of a clone is the same"
else
    left_out "a release of a clone, as $source has changes"
fi

# The time is the one that is asked for, and it is all that differs.
quietly env SOURCE_DATE_EPOCH=1000000000 "$make" -s -C private/build dist
[ "$(tar -tvf "private/build/$name.tar.xz" --full-time --utc |
    awk '{ print $4, $5 }' | sort -u)" = "2001-09-09 01:46:40" ] ||
    fail "SOURCE_DATE_EPOCH was expected to be the time of all files"
echo "SOURCE_DATE_EPOCH is honoured"

# --- Building ---

# What commands are run by, so that they have no network.
without_network="unshare $as_root -n"
$without_network true || {
    left_out "builds without network, as $without_network does not work here"
    without_network=
}

# build SOURCE BUILD OPTION...: builds there, and installs into BUILD-root.
build() {
    from=$1
    build=$2
    shift 2
    mkdir -p "$build"
    # shellcheck disable=SC2086 # words, or none
    (
        cd "$build"
        without_autotools quietly $without_network "$from/configure" -q \
            CFLAGS=-O2 --prefix=/usr --libdir=/usr/lib/of-a-machine "$@"
        without_autotools quietly $without_network "$make" -s
        without_autotools quietly "$make" -s install DESTDIR="$build-root"
    )
}

# list SOURCE: what is there, and what it holds.
list() {
    (cd "$1" && find . -type d -print -o -exec cksum {} + | LC_ALL=C sort)
}

tar -xf "$tarball"
chmod -R a-w "$name"
list "$name" >before
# shellcheck disable=SC2016 # for make
build "$folder/$name" "$folder/whole" --disable-static \
    --without-bash-completion-dir \
    --with-zsh-completion-dir='${datadir}/zsh/vendor-completions'
list "$name" >after
diff before after || fail "the source was expected to stay as it was"
echo "builds outside of a source that may not be written"

mkdir parts
tar -xf "$tarball" -C parts
build "$folder/parts/$name" "$folder/parts/$name" --without-command
quietly "$make" -s -C "$folder/parts/$name" dist
expect_release "parts/$name/$name.tar.xz"
quietly "$make" -s -C "parts/$name" check \
    TESTS=tests/packages/test-install.sh
echo "builds without the command, and makes the same release"

root=whole-root
for file in usr/bin/blocksweep \
    usr/lib/of-a-machine/nbstage/blocksweep.so \
    usr/lib/of-a-machine/cmake/nbstage/nbstage-config.cmake \
    usr/lib/of-a-machine/pkgconfig/nbstage.pc \
    usr/include/nbstage.h usr/share/man/man1/blocksweep.1 \
    usr/share/doc/blocksweep/manual/blocksweep.1.html \
    usr/share/zsh/vendor-completions/_blocksweep; do
    [ -e "$root/$file" ] || fail "/$file was expected"
done
! find $root -name '*.bash' | grep . || fail "nothing for bash was expected"
! find $root -name '*.l[ao]' -o -name '*.a' | grep . ||
    fail "only what hosts load was expected"

quietly env NBSTAGE_PLUGIN_PATH="$folder/$root/usr/lib/of-a-machine/nbstage" \
    $root/usr/bin/blocksweep -q "$name/samples/freedoom-sample.wad" -o out.wad
[ -s out.wad ] || fail "a file was expected to be built"

root=parts/$name-root
(cd "$root" && find . ! -type d) >parts-files
! grep '/bin/\|completion\|editors\|man1' parts-files ||
    fail "nothing of a command was expected without it"
grep -q 'man7/blocksweep-stage\.7' parts-files || fail "the stage was expected"

# In another folder, with other parts around it, the stage has the same bytes.
stage=usr/lib/of-a-machine/nbstage/blocksweep.so
cmp whole-root/$stage "$root/$stage" ||
    fail "the stage tells where it was built"
echo "the stage is the same in both"
[ -z "$skipped" ] || exit 77
