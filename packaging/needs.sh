#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# needs.sh TARGET
#
# Prints one line if something that this target of make needs is not here, and
# nothing if all is or the target needs no more than a build.  What configure has
# found comes from the Makefile, in the environment: CHECK_LIBS, MANDOC, MINGW,
# PERL, CXX, ENGINES; and what the user has given to make: MAPS,
# WINDOWS_MACHINE, SOURCES of builders, ZDBSP_SOURCE.

set -eu
cd "$(dirname "$0")/.."
target=$1
machine=${WINDOWS_MACHINE-}

# What a release is packed with; a clone makes the pages of the manuals anew.
release="pages xz tar"
case $target in
check | check-long | mutants) needs="check perl pages" ;;
quick | check-parts) needs="check perl" ;;
check-engines) needs="check perl freedoom builders engine" ;;
check-builders) needs="check perl sources ${ZDBSP_SOURCE:+cmake cxx}" ;;
check-maps) needs="check perl maps" ;;
check-foreign) needs="check perl pages apt foreign" ;;
check-packages) needs="check perl $release freedoom system distributions" ;;
distcheck) needs="check perl $release" ;;
check-fresh | check-artifacts) needs="check perl $release system" ;;
test-programs) needs=check ;;
bench) needs="check ${ZDBSP_SOURCE:+cxx}" ;;
compare) needs="perl freedoom" ;;
coverage) needs="check perl pages gcc" ;;
fuzz) needs="check perl pages clang" ;;
dist | dist-xz | dist-all) needs=$release ;;
distdir) needs=pages ;;
release) needs="pages system" ;;
windows) needs="pages mingw zip" ;;
vendor) needs=perl ;;
*) exit ;;
esac

missing= # as it is called
packages= # Debian's
how="run it as root" # if no package helps

# lack NAME PACKAGE
lack() {
    missing="$missing${missing:+, }$1"
    case "$packages " in
    *" $2 "*) ;;
    *) packages="$packages${2:+ $2}" ;;
    esac
}

# lack_word NAME HOW: the command line of make lacks it.
lack_word() {
    lack "$1" ""
    how=$2
}

# need_program NAME PACKAGE: NAME is empty if configure has not found PACKAGE.
need_program() {
    command -v "$1" >/dev/null || lack "${1:-$2}" "$2"
}

# Both compilers, as libtool links a wrong DLL without the second, and a zlib.
need_mingw() {
    gcc=$machine-w64-mingw32-gcc
    package=g++-mingw-w64-$(echo "$machine" | tr _ -)-posix
    for program in "$gcc" "$machine-w64-mingw32-g++"; do
        case " ${MINGW-} " in
        *" $program "*) need_program "$program" "$package" ;;
        *) lack "$program" "$package" ;;
        esac
    done
    case $("$gcc" -print-file-name=libz.a 2>/dev/null) in
    */*) ;;
    *) lack "the zlib of MinGW" libz-mingw-w64-dev ;;
    esac
}

# What each distribution's packages are made and checked with.
need_distributions() {
    need_program lintian lintian
    need_program rpmbuild rpm
    need_program rpmlint rpmlint
    need_program appstreamcli appstream
    need_program makepkg makepkg
    need_program bsdtar libarchive-tools
    need_program pacman pacman-package-manager
    need_program fakeroot fakeroot
    need_program shellcheck shellcheck
}

# libFuzzer is in a package of its own.
need_fuzzer() {
    need_program clang clang
    echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null ||
        lack "libFuzzer of clang" libclang-rt-dev
}

for need in $needs; do
    case $need in
    check) [ -n "${CHECK_LIBS-}" ] || lack "Check 0.15" check ;;
    perl) need_program "${PERL-}" perl ;;
    pages) [ -e man/blocksweep.1.html ] ||
        need_program "${MANDOC-}" mandoc ;;
    xz) need_program xz xz-utils ;;
    zip) need_program zip zip ;;
    gcc) need_program gcc gcc
        need_program gcov gcc ;;
    cxx) need_program "${CXX%% *}" g++ ;;
    clang) need_fuzzer ;;
    mingw) need_mingw ;;
    apt) need_program apt-get apt ;;
    cmake) need_program cmake cmake ;;
    builders) need_program zdbsp zdbsp
        need_program glbsp glbsp ;;
    engine) [ -n "${ENGINES-}" ] || lack "a game that configure finds" \
            "chocolate-doom crispy-doom dsda-doom" ;;
    distributions) need_distributions ;;
    maps) [ -n "${MAPS-}" ] || lack_word MAPS=DIR "name folders of WADs" ;;
    sources) [ -n "${SOURCES-}" ] || lack_word ZDBSP_SOURCE=DIR \
            "name this, or GLBSP_SOURCE, ELFBSP_SOURCE or ZOKUMBSP_SOURCE" ;;
    tar) "${TAR-tar}" --version 2>/dev/null | grep -q 'GNU tar' ||
        lack "GNU tar in PATH or TAR" tar ;;
    freedoom) for wad in "${FREEDOOM_DIR:-/usr/share/games/doom}"/freed*.wad; do
            [ -e "$wad" ] || lack "Freedoom in FREEDOOM_DIR" "freedoom freedm"
        done ;;
    foreign) for triplet in i686-linux-gnu s390x-linux-gnu; do
            need_program $triplet-gcc "gcc-$triplet"
        done
        need_program qemu-s390x qemu-user ;;
    system) [ "$(id -u)" -eq 0 ] || lack root ""
        need_program mmdebstrap mmdebstrap
        need_program unshare util-linux ;;
    esac
done
[ -n "$missing" ] || exit 0
[ -z "$packages" ] ||
    how="install$packages (Debian's names) and run ./configure again"
echo "make $target needs $missing: $how"
