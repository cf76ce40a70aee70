#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves on the source of glBSP in GLBSP_SOURCE that with the stage its blockmaps
# of all maps of Freedoom are exact and its other lumps the same, that its files
# are its own where no stage is asked for, and that it ends with a failure where
# the one that is asked for is missing or fails.

# shellcheck disable=SC2034,SC2086 # for builder.sh; commands are words

builder=glbsp
name=glBSP
source=${GLBSP_SOURCE-}
failure=5
other_forms=hexen

build() {
    quietly make -C "$1" -f Makefile.unx glbsp
    cp "$1/glbsp" "$1/program"
}

# glBSP writes the time into its lumps; here it is always the same.
preload_time() {
    cat >noon.c <<'END'
#include <time.h>
time_t time(time_t *now)
{
    return *now = 43200;
}
END
    quietly ${CC:-cc} -shared -fPIC noon.c -o noon.so
}

# Without -normal it keeps blockmaps that are there.
run() {
    program=$1
    in=$2
    out=$3
    shift 3
    LD_PRELOAD=$folder/noon.so "$program" -normal "$@" "$in" -o "$out"
}

. "$SOURCE_DIR/tests/help/builder.sh"
need make
preload_time
check_builder
