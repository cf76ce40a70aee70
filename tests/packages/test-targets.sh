#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that each target of make that a document names is there, and that one
# which needs more than a build ends before it begins, with one line that names
# all that is missing and the packages that have it.

. "$SOURCE_DIR/tests/help/library.sh"

make=$(command -v "${MAKE:-make}")
documents="README.md CONTRIBUTING.md packaging/README.md doc/*.md
tests/fuzz/README.md tests/bench/NOTES.md builders/kit/*.h"

# What needs.sh itself is made of, and a user who is not root; nothing else is
# in PATH.
mkdir -p bin source/packaging
for program in sh dirname tr sed grep; do
    ln -s "$(command -v $program)" bin
done
make_program bin/id <<'END'
echo 1000
END
# A clone in which no manual has become a page.
cp "$SOURCE_DIR/packaging/needs.sh" source/packaging

# run_make WORD...: in the folder of the build.
run_make() {
    (cd "$BUILD_DIR" && env -i PATH="$folder/bin" FREEDOOM_DIR="$folder" \
        "$make" srcdir="$folder/source" "$@")
}

# expect_line_of TARGET MISSING PACKAGES WORD...: make ends with this line.
expect_line_of() {
    line="make $1 needs $2: install $3 (Debian's names) and run ./configure again"
    case $2 in
    root) line="make $1 needs root: run it as root" ;;
    MAPS=DIR) line="make $1 needs MAPS=DIR: name folders of WADs" ;;
    ZDBSP_SOURCE=DIR) line="make $1 needs $2: name this, or GLBSP_SOURCE, \
ELFBSP_SOURCE or ZOKUMBSP_SOURCE" ;;
    esac
    target=$1
    shift 3
    expect 2 run_make "$target" "$@"
    sed 's/^[^ ]*:[0-9]*: [*]* //; s/[.]  Stop[.]$//' errors |
        expect_text - "$line"
    expect_no_output
}

# --- Nothing is here ---

release="mandoc, xz, GNU tar in PATH or TAR"
release_packages="mandoc xz-utils tar"
tests="Check 0.15, perl"
tests_packages="check perl"
system="root, mmdebstrap, unshare"
system_packages="mmdebstrap util-linux"
mingw="x86_64-w64-mingw32-gcc, x86_64-w64-mingw32-g++, the zlib of MinGW"
mingw_packages="g++-mingw-w64-x86-64-posix libz-mingw-w64-dev"
freedoom="Freedoom in FREEDOOM_DIR"
lints="lintian, rpmbuild, rpmlint, appstreamcli, makepkg, bsdtar, pacman, fakeroot, shellcheck"
lints_packages="lintian rpm rpmlint appstream makepkg libarchive-tools pacman-package-manager fakeroot shellcheck"
while IFS='|' read -r target missing packages; do
    expect_line_of "$target" "$missing" "$packages" \
        CHECK_LIBS= MANDOC= MINGW= PERL= \
        CHOCOLATE_DOOM= CRISPY_DOOM= DSDA_DOOM= WOOF=
    echo "$target" >>tried
done <<END
check|$tests, mandoc|$tests_packages mandoc
quick|$tests|$tests_packages
mutants|$tests, mandoc|$tests_packages mandoc
check-parts|$tests|$tests_packages
check-long|$tests, mandoc|$tests_packages mandoc
check-engines|$tests, $freedoom, zdbsp, glbsp, a game that configure finds|$tests_packages freedoom freedm zdbsp glbsp chocolate-doom crispy-doom dsda-doom
check-builders|$tests, ZDBSP_SOURCE=DIR|$tests_packages
check-maps|$tests, MAPS=DIR|$tests_packages
check-foreign|$tests, mandoc, apt-get, i686-linux-gnu-gcc, s390x-linux-gnu-gcc, qemu-s390x|$tests_packages mandoc apt gcc-i686-linux-gnu gcc-s390x-linux-gnu qemu-user
check-packages|$tests, $release, $freedoom, $system, $lints|$tests_packages $release_packages freedoom freedm $system_packages $lints_packages
check-fresh|$tests, $release, $system|$tests_packages $release_packages $system_packages
check-artifacts|$tests, $release, $system|$tests_packages $release_packages $system_packages
distcheck|$tests, $release|$tests_packages $release_packages
test-programs|Check 0.15|check
bench|Check 0.15|check
compare|perl, $freedoom|perl freedoom freedm
coverage|$tests, mandoc, gcc, gcov|$tests_packages mandoc gcc
fuzz|$tests, mandoc, clang, libFuzzer of clang|$tests_packages mandoc clang libclang-rt-dev
dist|$release|$release_packages
distdir|mandoc|mandoc
release|mandoc, $system|mandoc $system_packages
windows|mandoc, $mingw, zip|mandoc $mingw_packages zip
vendor|perl|perl
END

# --- One thing is not ---

# What configure has found and is gone since, or has not found and is here.
expect_line_of vendor none perl PERL=none
make_program bin/perl </dev/null
expect_line_of vendor perl perl PERL=
expect_line_of bench "Check 0.15" check CHECK_LIBS=
expect_line_of check-builders "cmake, g++" "cmake g++" CHECK_LIBS=-lcheck PERL=perl \
    CXX=g++ ZDBSP_SOURCE=x
expect_line_of check-maps MAPS=DIR "" CHECK_LIBS=-lcheck PERL=perl
expect_line_of check-builders ZDBSP_SOURCE=DIR "" CHECK_LIBS=-lcheck PERL=perl
expect_line_of check-maps perl perl CHECK_LIBS=-lcheck PERL= MAPS="it's"
expect_line_of bench g++ g++ CHECK_LIBS=-lcheck CXX=g++ ZDBSP_SOURCE=x
touch source/packaging/blocksweep.1.html
for program in mandoc zip mmdebstrap unshare; do
    make_program bin/$program </dev/null
done
expect_line_of release root "" MANDOC=mandoc
make_program bin/i686-w64-mingw32-gcc <<'END'
echo /libz.a
END
one=MINGW=i686-w64-mingw32-gcc
expect_line_of windows i686-w64-mingw32-g++ g++-mingw-w64-i686-posix \
    WINDOWS_MACHINE=i686 MANDOC=mandoc $one
both="$one i686-w64-mingw32-g++"
expect_line_of windows i686-w64-mingw32-g++ g++-mingw-w64-i686-posix \
    WINDOWS_MACHINE=i686 MANDOC=mandoc "$both"
make_program bin/i686-w64-mingw32-g++ </dev/null
make_program bin/i686-w64-mingw32-gcc <<'END'
echo libz.a
END
expect_line_of windows "the zlib of MinGW" libz-mingw-w64-dev \
    WINDOWS_MACHINE=i686 MANDOC=mandoc "$both"
mkdir source/man
touch source/man/blocksweep.1.html
expect_line_of windows "the zlib of MinGW" libz-mingw-w64-dev \
    WINDOWS_MACHINE=i686 MANDOC= "$both"
expect 0 env CHECK_LIBS=-lcheck PERL=perl sh "$SOURCE_DIR/packaging/needs.sh" \
    quick
expect_no_output

# --- The documents ---

# Prints the targets that documents have as a command, in a paragraph or on a
# line of its own.
documented() {
    # shellcheck disable=SC2086 # patterns
    (cd "$SOURCE_DIR" && perl -0777 -ne '
        for (/`([^`]+)`/g, /^    (.+)/mg) {
            s/\s+#.*//;
            for (split /&&|;/) {
                my ($make, @words) = split;
                next if ($make // "") ne "make";
                @words = grep { !/^-|[A-Z_]=/ } @words;
                print "$_\n" for grep { /^[a-z-]+$/ } $words[0] // ();
            }
        }' $documents) | sort -u
}

# Plain builds need no more than configure has asked for.
printf '%s\n' install uninstall >>tried
documented >documented
[ "$(wc -l <documented)" -ge 18 ] || fail_showing documented "more were expected"
awk '/^[^#\t. =]+[^=]*:/ { sub(/:.*/, ""); for (i = 1; i <= NF; i++) print $i }' \
    "$BUILD_DIR/Makefile" | sort -u >targets
while read -r target; do
    grep -qx -e "$target" targets || fail "a target $target was expected"
    grep -qx -e "$target" tried || fail "$target was not tried here"
done <documented
cat documented
