# SPDX-License-Identifier: GPL-2.0-or-later
#
# complete.fish [LINE...]: what complete.zsh is for other shells.  fish has a
# command that tells the candidates of a line, and finds completions in the
# folders of XDG_DATA_DIRS.

for line in $argv
    echo "$line:"
    complete -C "$line" | string replace -r '\t.*' '' |
        string replace -r '^--[^=]*=(.)' '$1'
end
exit 0 # not that of the last replacement
