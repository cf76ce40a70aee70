# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of blocksweep for bash.  The command itself tells what a word may
# become, a line each: the word, a tab, and what it stands for.  A line without
# a tab asks for the names of files; what comes before "files" or "wads" in it
# stays.

# Takes the quotes off a word, open ones too, and leaves it in $unquoted, and in
# $kept what readline does not replace: it takes what follows an open quote, or
# the last of the letters that end words for it, such as "=" and ":".
_blocksweep_unquote() {
    local rest=$1 quote="" opened letter
    unquoted="" kept=""
    while [[ $rest ]]; do
        letter=${rest:0:1}
        rest=${rest:1}
        case $quote$letter in
        "''" | '""') quote="" ;;
        \' | \")
            quote=$letter
            opened=$unquoted
            ;;
        \\ | \"\\)
            if [[ ! $quote || $rest == [\"\\\$\`]* ]]; then
                letter=${rest:0:1}
                rest=${rest:1}
            fi
            unquoted+=$letter
            ;;
        *)
            unquoted+=$letter
            if [[ ! $quote && $COMP_WORDBREAKS == *"$letter"* ]]; then
                kept=$unquoted
            fi
            ;;
        esac
    done
    if [[ $quote ]]; then
        kept=$opened
    fi
}

# Adds the files that begin with a path that is not complete, if they are folders or of
# this pattern, to what the word may become.
_blocksweep_files() {
    local before=$1 path=$2 pattern=$3 home="" file
    if [[ $path == "~"/* ]]; then
        home=$HOME
        path=$HOME${path#"~"}
    fi
    for file in "$path"*; do
        # shellcheck disable=SC2053 # a pattern
        if [[ -d $file || (-e $file && $file == $pattern) ]]; then
            COMPREPLY+=("$before${home:+"~"}${file#"$home"}")
            compopt -o filenames
        fi
    done
}

_blocksweep() {
    # shellcheck disable=SC2034 # filled in by the next command
    local cur prev words cword
    _init_completion -n "=:@" || return

    local word program unquoted kept
    local given=() after=()
    for word in "${words[@]:cword+1}"; do
        [[ $word != -- ]] || break
        _blocksweep_unquote "$word"
        after+=("$unquoted")
    done
    for word in "${words[@]:0:cword}" "$cur"; do
        _blocksweep_unquote "$word"
        given+=("$unquoted")
    done
    program=${given[0]/#"~/"/"$HOME/"}
    if [[ ${program##*/} == glbsp-blocksweep ]]; then
        given=("" glbsp-blocksweep "${given[@]:1}")
        program=blocksweep
    fi
    type -P -- "$program" >/dev/null || program=blocksweep
    local line before
    while IFS= read -r line; do
        word=${line%%$'\t'*}
        case $line in
        "$unquoted"*$'\t'*) COMPREPLY+=("$word") ;;
        *$'\t'*) ;;
        *files)
            before=${line%files}
            _blocksweep_files "$before" "${unquoted#"$before"}" "*"
            ;;
        *wads)
            _blocksweep_files "" "$unquoted" "*.[Ww][Aa][Dd]?(.[Gg][Zz])"
            ;;
        esac
    done < <("$program" --complete "${after[@]}" -- "${given[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
} && complete -F _blocksweep blocksweep glbsp-blocksweep
