#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of glBSP in GLBSP_SOURCE that with the stage its blockmaps
# of all maps of Freedoom are exact and its other lumps the same, that its files
# are its own where no stage is asked for, and that it ends with a failure where
# the one that is asked for is missing or fails.

# shellcheck disable=SC2034 # for builder.sh

builder=glbsp
name=glBSP
source=${GLBSP_SOURCE-}
failure=5
other_forms=hexen

build() {
    quietly make -C "$1" -f Makefile.unx glbsp
    cp "$1/glbsp" "$1/program"
}

# Without -normal it keeps blockmaps that are there.
run() {
    program=$1
    in=$2
    out=$3
    shift 3
    "$program" -normal "$@" "$in" -o "$out"
}

. "$SOURCE_DIR/tests/help/builder.sh"
need make
check_builder
