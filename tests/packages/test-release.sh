#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a release holds all that its documents link to; that all which is
# built has its version from one place, and the packages of all distributions are
# of this version and date; and that what knows the forms of licences, packages and
# scripts finds nothing wrong.

. "$SOURCE_DIR/tests/help/library.sh"

packaging=$SOURCE_DIR/packaging
make_in "$BUILD_DIR" distdir distdir="$folder/release"

# --- Links ---

# links_of DOCUMENT: prints the files that it links to.
links_of() {
    grep -o '](\([^)#:]*\))' "$1" | sed 's/^](//; s/)$//'
}

for document in README.md CONTRIBUTING.md SECURITY.md samples/README.md \
    samples/blockmaps/README.md editors/README.md tests/bench/NOTES.md \
    doc/hosting.md doc/blockmap.md doc/engines.md; do
    links_of "release/$document" >links || :
    while read -r link; do
        [ -e "release/$(dirname $document)/$link" ] ||
            fail "$link, which $document links to, was expected in a release"
    done <links
done
links_of release/README.md | grep -qx tests/bench/NOTES.md || fail "no link was found"

# --- The version ---

# It is in configure.ac, from where all else has it, and NEWS tells of it first.
# What distributions make of a release has a history of its own, and an old
# interface is named for the version that it was before; the ABI is promised from
# one version on.
version=$(package_version)
grep -rE "(^|[^0-9.])$(echo "$version" | sed 's/[.]/[.]/g')([^0-9.]|\$)" \
    release | grep -av -e before- -e "[0-9] or later" | cut -d : -f 1 |
    grep -v -e '^release/packaging/[a-z]*/' -e '^release/build-aux/' |
LC_ALL=C sort -u | expect_text - "release/NEWS
release/configure
release/configure.ac"
sed -n '/^[0-9]/{ s/ .*//p; q; }' release/NEWS | expect_text - "$version"
date=$(sed -n "s/^$version (\([0-9-]*\))\$/\1/p" release/NEWS)

# expect_version FILE EXPRESSION: what sed prints of the file is the version.
expect_version() {
    found=$(sed -n "$2" "$packaging/$1" | head -n 1)
    [ "$found" = "$version" ] ||
        fail "$1 is for version '$found'; $version was expected"
}

expect_version debian/changelog 's/^blocksweep (\(.*\)-.*) .*/\1/p'
expect_version rpm/blocksweep.spec 's/^Version: *//p'
expect_version arch/PKGBUILD 's/^pkgver=//p'
expect_version "appstream/example.blocksweep.blocksweep.metainfo.xml" \
    's/.*<release version="\([^"]*\)".*/\1/p'

# expect_date FILE EXPRESSION: the same of the date that NEWS has.
expect_date() {
    found=$(sed -n "$2" "$packaging/$1" | head -n 1)
    [ "$(date -u -d "${found:-1970-01-01}" +%F)" = "$date" ] ||
        fail "$1 is of '$found'; $date was expected"
}

expect_date debian/changelog 's/^ -- .*>  //p'
expect_date rpm/blocksweep.spec 's/^[*] [A-Z][a-z]* \(.*\) The .*/\1/p'
expect_date "appstream/example.blocksweep.blocksweep.metainfo.xml" \
    's/.*<release .*date="\([^"]*\)".*/\1/p'

# --- What those say who know the forms ---

if [ -e "$SOURCE_DIR/.git" ] && has reuse; then
    expect 0 reuse --root "$SOURCE_DIR" lint
fi
# What a fork is tested by runs on Debian what is run here.
workflow=$SOURCE_DIR/.github/workflows/ci.yml
if [ -e "$workflow" ] && perl -MCPAN::Meta::YAML -e 1 2>/dev/null; then
    perl -MCPAN::Meta::YAML -e '
        my $job = CPAN::Meta::YAML->read($ARGV[0])->[0]{jobs}{debian};
        print "$job->{container}{image} $job->{steps}[-1]{run}\n"' \
        "$workflow" | expect_text - "debian:12 .ci/run"
    [ -x "$SOURCE_DIR/.ci/run" ] || fail "a program .ci/run was expected"
fi
# Some versions warn that there is no home page, which the project has not got;
# others do not know that warning.
if has appstreamcli; then
    appstreamcli validate --no-net "$packaging"/appstream/*.metainfo.xml \
        >judgement 2>&1 || :
    grep -q Validation judgement || fail "$(cat judgement)"
    ! grep '^[EW]:' judgement | grep -v ' url-homepage-missing$' ||
        fail "appstreamcli was expected to warn of nothing else"
fi
if has shellcheck; then
    cd "$SOURCE_DIR"
    expect 0 shellcheck -x packaging/*.sh packaging/arch/PKGBUILD \
        packaging/debian/tests/*-* builders/*/*.sh
fi
