#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that what the guide has for CMake, Meson, make and pkg-config builds a
# program: examples as C99 and as C++11, from an installation in a DESTDIR, in a
# project of their own; that they find the stage of that installation by its
# name and make what the command makes; and that the projects of the installed
# examples build.

# shellcheck disable=SC2086 # flags and files are words

. "$SOURCE_DIR/tests/help/library.sh"
. "$SOURCE_DIR/tests/help/hosts.sh"

need cmake meson ninja pkg-config "${CXX##* }"

install_to "$folder/root"
examples=$(dirname "$(find root -name CMakeLists.txt)")
nbstage_DIR=$folder/$(dirname "$(find root -name nbstage-config.cmake)")
PKG_CONFIG_PATH=$folder/$(dirname "$(find root -name nbstage.pc)")
PKG_CONFIG_SYSROOT_DIR=$folder/root
CFLAGS="-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Werror"
CFLAGS="$CFLAGS ${SANITIZE_FLAGS-}"
CXXFLAGS=$CFLAGS
LDFLAGS=${SANITIZE_FLAGS-}
export nbstage_DIR PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR CC CXX CFLAGS CXXFLAGS LDFLAGS
write_levels

# The code of the guide: cmake-1, cmake-2, ...
awk '/^```/ { inside = /^```(cmake|meson|make|sh)$/; kind = substr($0, 4)
              number[kind] += inside; next }
     inside { print >(kind "-" number[kind]) }' "$SOURCE_DIR/doc/hosting.md"

# print_cmake and print_meson print how a project of C99 or C++11 begins.
print_cmake() {
    case $1 in
    c) language=C standard=99 ;;
    cc) language=CXX standard=11 ;;
    esac
    echo "cmake_minimum_required(VERSION 3.12)
project(yourbsp $language)
set(CMAKE_${language}_STANDARD $standard)
set(CMAKE_${language}_EXTENSIONS OFF)"
}

print_meson() {
    case $1 in
    c) languages="'c'" standard=c_std=c99 ;;
    cc) languages="'c', 'cpp'" standard=cpp_std=c++11 ;;
    esac
    echo "project('yourbsp', $languages, meson_version: '>= 0.62',
        default_options: ['$standard'])"
}

build_cmake() {
    quietly cmake -G Ninja -S "$1" -B "$1/build"
    quietly cmake --build "$1/build"
}

build_meson() {
    quietly meson setup "$1/build" "$1"
    quietly ninja -C "$1/build"
}

# expect_built PROGRAM: it makes what the command makes.
expect_built() {
    cp "$1" host
    PLUGIN_NAME=blocksweep expect_lumps --grid=search --pack=nest
}

# begin_project NAME ENDING [FILE...]: makes a folder with the host as
# yourbsp.ENDING, and these.
begin_project() {
    directory=$1
    mkdir "$directory"
    cp "$examples/$host.c" "$directory/yourbsp.$2"
    shift 2
    [ $# -eq 0 ] || cp "$@" "$directory"
}

# expect_project cmake|meson NUMBER ENDING [FILE...]: the guide's code of this
# number builds the host in a project of its own.
expect_project() {
    system=$1
    code=$1-$2
    ending=$3
    shift 3
    begin_project "$code-$host-$ending" "$ending" "$@"
    case $system in
    cmake) file=$directory/CMakeLists.txt ;;
    meson) file=$directory/meson.build ;;
    esac
    "print_$system" "$ending" >"$file"
    sed "s/yourbsp[.]c/yourbsp.$ending/" "$code" >>"$file"
    "build_$system" "$directory"
    expect_built "$directory/build/yourbsp"
}

# --- With an installation ---

host=source-port
expect_project cmake 2 c
expect_project meson 2 c
expect_project cmake 2 cc
expect_project meson 2 cc

# The version: this one or an earlier one is enough.
version=$(package_version)
mkdir wanted
cat >wanted/CMakeLists.txt <<EOM
cmake_minimum_required(VERSION 3.12)
project(yourbsp C)
foreach(wanted 0.0.1 $version "$version;EXACT" 99 "0.0.1;EXACT")
  set(nbstage_FOUND no)
  find_package(nbstage \${wanted} QUIET)
  message("found \${wanted}: \${nbstage_FOUND}")
endforeach()
EOM
expect 0 cmake -S wanted -B wanted/build
grep found errors | expect_text - "found 0.0.1: 1
found $version: 1
found $version;EXACT: 1
found 99: 0
found 0.0.1;EXACT: 0"

# expect_skeleton: the stage is loaded; this host asks for an option of another.
expect_skeleton() {
    expect 1 all/build/minimal-host all/build/skeleton-stage.so
    expect_text errors "grid: no such option; expected fail"
}

cp -R "$examples" all
build_cmake all
expect_skeleton
expect_built all/build/$host
rm -r all/build
build_meson all
expect_skeleton
expect_built all/build/$host
expect 0 all/build/minimal-host "$PLUGIN"

begin_project by-hand c
sed 's/^cc /$CC $CFLAGS /' sh-1 >compile
(cd "$directory" && sh -e ../compile)
expect_built "$directory/yourbsp"

# --- With the three files, which look for stages in the usual folders ---

three=$(find root -name 'nbstage*.[ch]')
NBSTAGE_PLUGIN_PATH=${PLUGIN%/*}
export NBSTAGE_PLUGIN_PATH
expect_project cmake 1 c $three
expect_project meson 1 c $three
begin_project three-make c $three
cp make-1 "$directory/Makefile"
make_in "$directory" CC="$CC" CFLAGS="$CFLAGS" yourbsp
expect_built "$directory/yourbsp"
