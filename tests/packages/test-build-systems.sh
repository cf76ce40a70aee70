#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that CMake, Meson, make and pkg-config build a host, as C99 and as C++11,
# with the kit of an installation in a DESTDIR and with the three files that the
# guide has builders copy; that it finds the stage of that installation by its
# name and makes what the command makes; and that the projects of the installed
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

# How a host is built with the three files, and with an installation.
cat >cmake-three <<'END'
add_executable(yourbsp yourbsp.c nbstage-host.c)
target_link_libraries(yourbsp PRIVATE ${CMAKE_DL_LIBS})
END
cat >cmake-installed <<'END'
find_package(nbstage REQUIRED)
add_executable(yourbsp yourbsp.c)
target_link_libraries(yourbsp PRIVATE nbstage::host)
END
cat >meson-three <<'END'
executable('yourbsp', 'yourbsp.c', 'nbstage-host.c',
  dependencies: dependency('dl'))
END
cat >meson-installed <<'END'
nbstage = dependency('nbstage')
executable('yourbsp', 'yourbsp.c',
  files(nbstage.get_variable(pkgconfig: 'kitdir') / 'nbstage-host.c'),
  c_args: '-DNBSTAGE_PLUGINDIR="@0@"'.format(
    nbstage.get_variable(pkgconfig: 'plugindir')),
  dependencies: [nbstage, dependency('dl')])
END
# The guide has the makefile, and nbstage(3) the command.
awk '/^```/ { inside = /^```make$/; next }
     inside' "$SOURCE_DIR/doc/hosting.md" >make-three
sed -n '/^cc /,/^\.Ed/p' "$SOURCE_DIR/man/nbstage.3" |
    sed '/^\.Ed/d; s/\\e/\\/g; s/^cc /$CC $CFLAGS /; s/host host.c/yourbsp yourbsp.c/' \
        >compile

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

# expect_project cmake|meson KIND ENDING [FILE...]: the code of this kind, three or
# installed, builds the host in a project of its own.
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
expect_project cmake installed c
expect_project meson installed c
expect_project cmake installed cc
expect_project meson installed cc

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

# expect_skeleton: the stage is loaded, and makes REJECT.
expect_skeleton() {
    expect 1 all/build/minimal-host all/build/skeleton-stage.so
    expect_text errors \
        "all/build/skeleton-stage.so: this stage does not make BLOCKMAP"
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
(cd "$directory" && sh -e ../compile)
expect_built "$directory/yourbsp"

# --- With the three files, which look for stages in the usual folders ---

three=$(find root -name 'nbstage*.[ch]')
NBSTAGE_PLUGIN_PATH=${PLUGIN%/*}
export NBSTAGE_PLUGIN_PATH
expect_project cmake three c $three
expect_project meson three c $three
begin_project three-make c $three
cp make-three "$directory/Makefile"
make_in "$directory" CC="$CC" CFLAGS="$CFLAGS" yourbsp
expect_built "$directory/yourbsp"
