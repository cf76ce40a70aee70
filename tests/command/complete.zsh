# SPDX-License-Identifier: GPL-2.0-or-later
#
# complete.zsh SHELL SHARE [LINE...]: types each line and a tab into an
# interactive bash or zsh that finds completions in the folder SHARE, such as
# /usr/share, and prints "LINE:" and below it the words that the last word of
# the line may become, or, of a word such as --pack=n, what may follow the "=".
#
# In both shells the tab inserts all candidates into the line, which is then
# printed between marks.

emulate -R zsh
zmodload zsh/zpty

# For less of a terminal zsh edits no lines.
export TERM=xterm

shell=$1 share=$2 received=
shift 2

# Takes what the shell prints up to a mark, without it, into $REPLY.
# What follows the mark is kept for the next time.  zpty reads whole lines.
receive_until() {
    local chunk
    until [[ $received == *$1* ]]; do
        zpty -r shell chunk || exit 1
        received+=$chunk
    done
    REPLY=${received%%$1*}
    received=${received#*$1}
}

case $shell in
(bash)
    zpty shell bash --norc --noprofile -i
    setup='PS1="@READY@
"
        XDG_DATA_DIRS='${(q)share}'
        . /usr/share/bash-completion/bash_completion
        bind "\"\C-x1\": insert-completions"
        bind -x "\"\C-x2\": show"
        bind "\"\t\": \"\C-x1\C-x2\""
        show() {
            printf "<<%s>>\n" "$READLINE_LINE"
            READLINE_LINE= READLINE_POINT=0
        }'
    ;;
(zsh)
    zpty shell zsh -f -i
    setup='PS1="@READY@
"
        fpath=('${(q)share}'/zsh/site-functions $fpath)
        autoload -Uz compinit; compinit -u -D
        insert_all() { compstate[insert]=all; compstate[list]= }
        show() {
            comppostfuncs=(insert_all)
            zle complete-word
            print -r -- "<<$BUFFER>>"
            zle kill-buffer
        }
        zle -N show; bindkey "^I" show'
    ;;
esac

# The setup goes through a file, so that the mark is seen first when the shell
# has read all of it and waits for a line.
script=$(mktemp)
print -r -- $setup >$script
zpty -w shell ". $script"
receive_until @READY@
rm $script

for line; do
    zpty -w -n shell $line$'\t'
    receive_until '<<'
    receive_until '>>'
    print -r -- "$line:"
    [[ $REPLY != $line ]] || continue
    before=(${(z)line})
    [[ $line == *\  ]] || shift -p before
    candidates=(${${(z)REPLY}[$#before+1,-1]})
    for word in "${(@Q)candidates}"; do
        [[ $word == --*=?* ]] && word=${word#*=}
        print -r -- $word
    done
done
zpty -d shell
