# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of glbsp-blocksweep for bash: blocksweep's has it.

# shellcheck disable=SC1091 # it is installed beside this
. "${BASH_SOURCE[0]%/*}/blocksweep.bash"
