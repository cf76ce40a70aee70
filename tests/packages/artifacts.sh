# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of a release's files share.  They know these files, which
# `make release` has put into RELEASE_FILES, and nothing of the build.

. "$SOURCE_DIR/tests/help/library.sh"

# A folder whose name has spaces and letters of other languages.
# shellcheck disable=SC2034,SC2154 # for scripts; what library.sh sets
place="Größe der Karten"
[ -n "${RELEASE_FILES-}" ] || skip "make check-artifacts runs this"
(cd "$RELEASE_FILES" && quietly sha256sum --strict -c SHA256SUMS)
version=$(package_version)
find "$RELEASE_FILES" -type f -printf "%f\n" | sort | expect_text - "SHA256SUMS
blocksweep-$version-editors.zip
blocksweep-$version-linux-x86_64.tar.xz
blocksweep-$version-vendor.tar.xz
blocksweep-$version-windows-i686.zip
blocksweep-$version-windows-x86_64.zip
blocksweep-$version.tar.xz"
# shellcheck disable=SC2034 # for scripts
release=$RELEASE_FILES/blocksweep-$version

# use_artifact COMMAND...: does with a command what a person does first, in the
# folder $place, which is current, and leaves new.wad there.
use_artifact() {
    expect 0 "$@" --version
    expect_match "$folder/output" "^blocksweep $version" \
        "^Stage blocksweep $version built in"
    cp "$sample" "alte Größe.wad"
    expect 1 "$@" verify --strict "alte Größe.wad"
    expect_match "$folder/output" "harmless: 205$"
    expect 0 "$@" "alte Größe.wad" -o "neue Größe.wad"
    expect 0 "$@" verify --strict --map=MAP07 --html=Bild.html "neue Größe.wad"
    expect_match "$folder/output" '^MAP07 .* 0  *0  good'
    expect_in Bild.html "</html>" MAP07
    expect 0 "$@" show "neue Größe.wad"
    expect_match "$folder/output" '^MAP30  *320 .* 0$'
    mv "neue Größe.wad" new.wad
}

# expect_refused COMMAND...: run by a user to whom $place does not belong, it
# writes nothing there.
expect_refused() {
    expect 3 "$@" "alte Größe.wad" -o none.wad
    expect_sentence "none.wad: cannot be written: cannot create a file in its folder"
    expect_absent none.wad
}
