# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of glbsp-blocksweep for fish: blocksweep's has it.

source (status dirname)/blocksweep.fish
complete -c glbsp-blocksweep -f -k -a '(__blocksweep_complete)'
