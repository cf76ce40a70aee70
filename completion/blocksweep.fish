# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of blocksweep for fish.  The command itself tells what a word may
# become, a line each: the word, a tab, and what it stands for.  A line without
# a tab asks for the names of files; what comes before "files" or "wads" in it
# stays.

# Prints what a path that is not complete may become: folders, and the files
# that a regular expression matches, after what comes before the path.
function __blocksweep_files -a before path pattern
    set -l begin (string replace -r '^~/' "$HOME/" -- "$path")
    set -l paths $begin*
    for file in $paths
        set -l typed (string replace -- "$begin" "$path" $file)
        if test -d $file
            echo -- $before$typed/
        else if string match -q -r -i -- $pattern $file
            echo -- $before$typed
        end
    end
end

function __blocksweep_complete
    set -l token (commandline -ct) # as it is typed, with quotes
    set -l word (string unescape -- "$token"; or echo -- "$token")
    set -l given (commandline -opc)
    set -l all (commandline -op)
    set -l next (math (count $given) + 2) # after the word
    set -l after $all[$next..-1]
    if set -l end (contains -i -- -- $after)
        set -e after[$end..-1]
    end
    set -l program (string replace -r '^~/' "$HOME/" -- $given[1])
    if string match -q '*glbsp-blocksweep' -- $program
        set given blocksweep glbsp-blocksweep $given[2..-1]
        set program blocksweep
    end
    type -q "$program"; or set program blocksweep
    for line in ($program --complete $after -- $given[2..-1] "$word" 2>/dev/null)
        set -l kept (string replace -r '(files|wads)$' '' -- "$line")
        set -l path (string replace -- "$kept" '' "$word")
        switch $line
            case '*'\t'*'
                echo -- $line
            case '*files'
                __blocksweep_files "$kept" "$path" '.*'
            case '*wads'
                __blocksweep_files "$kept" "$path" '\.wad(\.gz)?$'
        end
    end
end

complete -c blocksweep -f -k -a '(__blocksweep_complete)'
