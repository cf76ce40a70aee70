#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves what bootstrap says where packages are missing: the command that
# installs them to a user, and one line to root if apt-get fails.

. "$SOURCE_DIR/tests/help/library.sh"

mkdir bin
cp "$SOURCE_DIR/bootstrap" .
# A Debian that has nothing, whose lists of packages are in the file lists.
make_program bin/dpkg-query <<'END_OF_PROGRAM'
exit 1
END_OF_PROGRAM
make_program bin/apt-cache <<'END_OF_PROGRAM'
grep -x -e "$2" lists
END_OF_PROGRAM
make_program bin/apt-get <<'END_OF_PROGRAM'
echo Reading
case $* in
*update) echo "W: Failed to fetch it" >&2 ;;
*) echo "E: Failed to install it" >&2; exit 100 ;;
esac
END_OF_PROGRAM
become() {
    make_program bin/id <<END_OF_PROGRAM
echo $1
END_OF_PROGRAM
}

run_bootstrap() {
    PATH="$folder/bin:$PATH" ./bootstrap
}

packages="gcc libc6-dev make autoconf automake libtool pkg-config zlib1g-dev"
command="apt-get update && apt-get install -y --no-install-recommends"

# expect_errors STATUS: bootstrap ends so, with these lines.
expect_errors() {
    expect "$1" run_bootstrap
    expect_text errors "$2"
}

# --- No lists, as in a new container ---

touch lists
become 1000
expect_errors 1 "bootstrap: packages are missing; install them as root with
$command $packages "
expect_no_output
become 0
expect_errors 1 "bootstrap: apt-get failed, as bootstrap.log tells: Failed to fetch it"
expect_no_output

# --- Lists, of all but one ---

echo "$packages" | tr ' ' '\n' | grep -vx libtool >lists
become 1000
lacks="bootstrap: this release of Debian has no libtool"
some=$(echo "$packages" | sed 's/libtool //')
expect_errors 1 "$lacks
bootstrap: packages are missing; install them as root with
$command  $some"
expect_no_output
become 0
expect_errors 1 "$lacks
bootstrap: apt-get failed, as bootstrap.log tells: Failed to install it"
