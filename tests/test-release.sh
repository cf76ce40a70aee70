#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release holds what releases can be made of, whatever they are
# configured with, and all that its documents link to; and that configure can
# say where the completion of shells is installed.

set -eu
# shellcheck source=tests/library.sh
. "$SOURCE_DIR/tests/library.sh"

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

for document in README.md SECURITY.md samples/README.md editors/README.md \
    bench/NOTES.md doc/hosting.md; do
    links_of "release/$document" >links || :
    while read -r link; do
        [ -e "release/$(dirname $document)/$link" ] ||
            fail "$link, which $document links to, was expected in a release"
    done <links
done
links_of release/README.md | grep -qx bench/NOTES.md || fail "no link was found"

make_in plain install-dist_bashcompletionDATA install-dist_zshcompletionDATA \
    install-dist_fishcompletionDATA DESTDIR="$folder/root"
list_files root >files
expect_text files "./usr/share/bash-completion/completions/blocksweep.bash
./usr/share/zsh/vendor-completions/_blocksweep"
