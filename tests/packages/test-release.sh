#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release holds what releases can be made of, whatever they are
# configured with, and all that its documents link to; that all which is built has
# its version from one place; and that configure can say where the completion of shells is
# installed.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

# make_in FOLDER ARGUMENT...: runs make for a build there, for nothing else.
make_in() {
    build=$1
    shift
    expect 0 env MAKEFLAGS= "${MAKE:-make}" -s -C "$build" "$@"
}

# list_files FOLDER: prints the paths of the files in a folder.
list_files() {
    (cd "$1" && find . ! -type d | LC_ALL=C sort)
}

make_in "$BUILD_DIR" distdir distdir="$folder/release"
mkdir plain
cd plain
# shellcheck disable=SC2016 # for make
expect 0 ../release/configure -q CC="$CC" CXX="$CXX" --prefix=/usr \
    --without-adapters --without-fish-completion-dir \
    --with-zsh-completion-dir='${datadir}/zsh/vendor-completions'
cd ..
make_in plain distdir distdir="$folder/plain-release"
list_files plain-release >plain-files
list_files release >files
diff files plain-files || fail "a release was expected to hold the same"

# links_of DOCUMENT: prints the files that it links to.
links_of() {
    grep -o '](\([^)#:]*\))' "$1" | sed 's/^](//; s/)$//'
}

# sections_of DOCUMENT: prints its headings as links to them are.
sections_of() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-'
}

for document in README.md CONTRIBUTING.md SECURITY.md samples/README.md \
    editors/README.md bench/NOTES.md doc/hosting.md doc/engines.md; do
    links_of "release/$document" >links || :
    while read -r link; do
        [ -e "release/$(dirname $document)/$link" ] ||
            fail "$link, which $document links to, was expected in a release"
    done <links
done
sections_of release/README.md >sections
grep -o '](#[^)]*)' release/README.md | sed 's/^](#//; s/)$//' >links
grep -qx for-packagers links || fail "no link to a section was found"
while read -r link; do
    grep -qx "$link" sections || fail "README.md was expected to have #$link"
done <links
links_of release/README.md | grep -qx bench/NOTES.md || fail "no link was found"

# The version is in configure.ac, from where all else has it, and NEWS tells of
# it first.  What distributions make of a release has a history of its own, which
# test-packaging.sh looks at.
version=$(package_version)
grep -rlE "(^|[^0-9.])$(echo "$version" | sed 's/[.]/[.]/g')([^0-9.]|\$)" \
    release | grep -v -e '^release/packaging/[a-z]*/' -e '^release/build-aux/' |
    LC_ALL=C sort >told
expect_text told "release/NEWS
release/configure
release/configure.ac"
[ "$(sed -n '/^[0-9]/{ s/ .*//p; q; }' release/NEWS)" = "$version" ] ||
    fail "NEWS was expected to begin with $version"

make_in plain install-dist_bashcompletionDATA install-dist_zshcompletionDATA \
    install-dist_fishcompletionDATA DESTDIR="$folder/root"
list_files root >files
expect_text files "./usr/share/bash-completion/completions/blocksweep.bash
./usr/share/zsh/vendor-completions/_blocksweep"
