# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads the --help of each command, then a script, and prints this with the
# options in place of the line "@OPTIONS@": for bash as the cases of commands,
# and below them those of values; for zsh, whose script begins with "#compdef",
# as arguments of _arguments.

/^Usage:/ {
    command = $3 == "[build]" ? "build" : $3
    commands[++count] = command
}
/^  -/ {
    end_option()
    letter = $1 ~ /^--/ ? "" : substr($1, 1, 2)
    name = letter ? $2 : $1
    value = name ~ /=/ ? name : ""
    gsub(/.*=|]/, "", value)
    can_be_alone = name ~ /\[/ # --NAME[=VALUE]
    sub(/[[=].*/, "", name)
    help = substr($0, 25, 2) == "  " ? substr($0, 27) : ""
    next
}
/^      [a-z0-9]/ { # a choice and its help, or names with commas
    for (i = 1; i == 1 || (i <= NF && $1 ~ /,$/); i++)
        choices = choices " " $i
    gsub(/,/, "", choices)
}
/^                          / {
    line = substr($0, 27)
    if (help && gsub(/, /, " ", line))
        choices = " " line
    else if (!help)
        help = line
}
/^$/ { end_option() }
FNR == 1 && /^#/ { is_script = 1; is_zsh = /compdef/ }
is_script && $1 == "@OPTIONS@" { write_options(); next }
is_script

function end_option() {
    if (name && !for_bash[command, name]++)
        add_option()
    name = choices = ""
}

function add_option(names) {
    bash[command] = bash[command] " " name \
        (value && !can_be_alone ? "=" : "")
    names = (can_be_alone ? "true:" : "*:") name (letter ? " | *:" letter : "")
    if (value && !known[name]++) {
        if (value == "FILE")
            files = files " | " names
        else if (choices)
            values = values "    " names ") values=\"" \
                substr(choices, 2) "\" ;;\n"
        else
            others = others " | " names
    }
    gsub(/'/, "'\\''", help)
    gsub(/[][]/, "\\\\&", help)
    zsh[command] = zsh[command] "    '" \
        (letter ? "(" letter " " name ")'{" letter \
            (value ? "+," name "=" : "," name) "}'" : name (can_be_alone ? "=-" : "=")) \
        "[" help "]" (value ? (can_be_alone ? "::" : ":") value ":" action() : \
        "") "'\n"
}

function action() {
    if (value == "FILE")
        return "_files"
    if (value == "LIST" && choices)
        return "_sequence compadd -" choices
    return choices ? "(" substr(choices, 2) ")" : " "
}

function write_options(i) {
    for (i = 1; i <= count; i++)
        if (is_zsh)
            printf "(%s) options=(\n%s    ) ;;\n", commands[i], \
                zsh[commands[i]]
        else
            printf "    %s) options=\"%s\" ;;\n", commands[i], \
                substr(bash[commands[i]], 2)
    if (!is_zsh)
        printf "    esac\n    case $split:$prev in\n    %s)\n        " \
            "_filedir\n        return\n        ;;\n    %s) return ;;\n%s", \
            substr(files, 4), substr(others, 4), values
}
