#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# try-installed.sh FOLDER
#
# Installs the Debian packages in a folder that build-debian.sh has made, proves
# that all they promise works, removes them, proves that nothing is left of
# them, and runs their own tests.  As root, on a system that may be thrown away
# and has nothing that the packages need.

set -eu
folder=$(cd "$1" && pwd)
source=$(echo "$folder"/blocksweep-*.*/)
sample=$source/samples/freedoom-sample.wad
HOME=$(mktemp -d) # for what shells keep
export HOME
cd

fail() {
    echo "try-installed.sh: $*" >&2
    exit 1
}

# expect_output TEXT COMMAND...: it succeeds, and this is in what it prints.
expect_output() {
    text=$1
    shift
    "$@" >output 2>&1 || {
        cat output
        fail "$* has failed"
    }
    grep -qF -e "$text" output || {
        cat output
        fail "'$text' was expected of $*"
    }
}

# Lists all files, but those that come and go by themselves, apt's own, and what
# the system notes and keeps of whatever is installed.
list_files() {
    find / -xdev -path /proc -prune -o -path /dev -prune -o -path /tmp -prune \
        -o -path /var/lib/apt -prune -o -path /var/cache -prune \
        -o -path /var/log -prune -o -path "$folder" -prune -o -print | sort
}

# completes SHELL: a tab completes the command there.
completes() {
    expect_output verify zsh "$source/tests/command/complete.zsh" "$1" /usr/share \
        'blocksweep ver'
}

try_command() {
    expect_output "blocksweep " blocksweep --version
    blocksweep "$sample" -o built.wad
    expect_output "good" blocksweep verify built.wad
    expect_output "Stage blocksweep" blocksweep --version
}

try_manual() {
    for page in blocksweep blocksweep-stage nbstage; do
        expect_output "$page" man "$page"
    done
}

try_completion() {
    completes bash
    completes zsh
}

try_development() {
    expect_output -I/usr/include env PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        pkg-config --cflags nbstage
    stages=$(pkg-config --variable=plugindir nbstage)
    [ -f "$stages/blocksweep.so" ] || fail "no stage is in $stages"
}

list_files >before
apt-get install -q -y "$folder"/*.deb >/dev/null
try_command
try_manual
try_completion
try_development

apt-get purge -q -y blocksweep nbstage-dev >/dev/null
apt-get autoremove -q -y --purge >/dev/null
list_files >after
diff before after || fail "this is left of the packages"

apt-get install -q -y --no-install-recommends autopkgtest >/dev/null
autopkgtest "$folder"/*.deb "$folder"/*.dsc -- null
