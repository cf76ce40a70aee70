#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the time that a release of this source has, in seconds since 1970: as
# SOURCE_DATE_EPOCH says, or of the last commit, or of the release that this is.
# Where git cannot tell, it is that of a file, and others do not get the same.

set -eu
cd "$(dirname "$0")/.."

if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
    echo "$SOURCE_DATE_EPOCH"
elif ! [ -e .git ]; then
    stat -c %Y configure.ac
elif ! git log -1 --format=%ct; then
    echo "the time of the last commit was expected of git; the release has" \
        "that of configure.ac" >&2
    stat -c %Y configure.ac
fi
