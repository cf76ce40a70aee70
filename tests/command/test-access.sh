#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nobody may do more with a file after a build than before: that the
# new file and a copy that is its backup have the access list (ACL) of the old
# one; that where this cannot be, a sentence says so, and the list's mask is not
# left to the group; and that a new file gets what any program's does.

. "$SOURCE_DIR/tests/help/library.sh"
need setfacl getfacl
need_disturbances
touch probe-list
setfacl -m u:1234:r probe-list 2>/dev/null ||
    skip "the file system has no access lists"

cp "$sample" before.wad
chmod 644 before.wad
expect_build before.wad -o built.wad

# start LIST: a folder with a file that has this list.
start() {
    rm -rf work mark
    mkdir work
    cp before.wad work/map.wad
    setfacl -m "$1" work/map.wad
    list work/map.wad >listed
}

# list FILE: its owner, group and access.
list() {
    getfacl -nE "$1" | grep -v '^# file: '
}

# expect_listed_same FILE...: they have what was listed.
expect_listed_same() {
    for file in "$@"; do
        list "$file" | expect_text - "$(cat listed)"
    done
}

# expect_entries FILE BYTES ENTRY...: the file has these bytes and entries.
expect_entries() {
    expect_same "$1" "$2"
    getfacl -ncE "$1" >entries
    shift 2
    expect_text entries "$(printf '%s\n' "$@")"
}

# --- The list stays ---

for entries in u:1234:rw,g::---,m::rw u:1234:---,g:2345:r,o::r \
    u:1234:rwx,m::---; do
    start "$entries"
    expect_build --in-place --backup work/map.wad
    expect_listed_same work/map.wad work/map.wad~
    expect_same work/map.wad built.wad
    expect_same work/map.wad~ before.wad
done
start u:1234:rw,g::---,m::rw
chmod 6775 work/map.wad
chmod 1777 work
list work/map.wad >listed
ln -s map.wad work/link.wad
expect_build before.wad -o work/link.wad
expect_same work/map.wad built.wad
expect_listed_same work/map.wad
[ "$(id -u)" -ne 0 ] || [ -n "$(find work/map.wad -perm 6775)" ] ||
    fail "6775 was expected to stay: $(ls -l work/map.wad)"

# A file that may only be written has a list, too.
start u:1234:rw,g::---,m::rw
chmod u=w work/map.wad
list work/map.wad >listed
expect_build before.wad -o work/map.wad
expect_listed_same work/map.wad

# Without hard links the backup is a copy.
start u:1234:rw,g::---,m::rw
BROKEN_MISSING=linkat expect 0 disturbed_blocksweep write 0 \
    BROKEN_COMMAND='getfacl -ncE work/.b* | sed "/^$/d" >>during' \
    --quiet --in-place --backup work/map.wad
[ -n "$(find work/map.wad~ -links 1)" ] || fail "a copy was expected"
expect_listed_same work/map.wad work/map.wad~
expect_same work/map.wad~ before.wad
LC_ALL=C sort -u during | expect_text - "$(printf '%s\n' group::--- mask::rw- \
    other::r-- user:1234:rw- user::rw-)"

# --- The folder's list ---

# A file without a list gets none from the folder.
start u:1234:r
setfacl -b work/map.wad
chmod 660 work/map.wad
setfacl -d -m u:1234:rwx,g::rwx work
expect_build --in-place work/map.wad
expect_entries work/map.wad built.wad user::rw- group::rw- other::---

# A new file gets what any program's does.
for entries in u:1234:rwx,g::rx,o::--- g::rw,o::rw; do
    rm -rf work
    mkdir work
    setfacl -d -m $entries work
    for mask in 022 077; do
        (
            umask $mask
            echo >work/any
            expect_build before.wad -o work/new.wad
        )
        list work/any >listed
        expect_listed_same work/new.wad
        expect_same work/new.wad built.wad
        rm work/new.wad work/any
    done
done

# --- The list cannot be kept ---

no_room=28
not_supported=95
lost="the access list could not be kept, so the group and those it named lost \
their access"

# Then the group may do nothing, and others no more than anybody in the list.
while read -r entries other; do
    for error in $no_room $not_supported; do
        start "$entries"
        expect 0 disturbed_blocksweep fsetxattr 0 BROKEN_ERROR="$error" \
            --quiet --in-place work/map.wad </dev/null
        expect_text errors "blocksweep: work/map.wad: $lost"
        expect_entries work/map.wad built.wad user::rw- group::--- \
            "other::$other"
    done
done <<'END'
u:1234:rw,g::---,m::rw ---
u:1234:---,g::rw,o::rw ---
g:2345:r,g::rw,o::rw r--
u:1234:rw,g::rw,o::r r--
u:1234:rw,m::---,o::r ---
END
start u:1234:rw,g::r,m::rw
expect 0 disturbed_blocksweep fgetxattr 0 BROKEN_ERROR=$no_room \
    --quiet --in-place work/map.wad
expect_text errors "blocksweep: work/map.wad: $lost"
expect_entries work/map.wad built.wad user::rw- group::--- other::---
start u:1234:rw,g::r,m::rw
BROKEN_MISSING=linkat expect 0 disturbed_blocksweep fsetxattr 2 \
    BROKEN_ERROR=$no_room --quiet --in-place --backup work/map.wad
expect_text errors "blocksweep: work/map.wad, its backup: $lost"
expect_listed_same work/map.wad
expect_entries work/map.wad~ before.wad user::rw- group::--- other::r--

# --- The group cannot be kept ---

# Members of the old group are others then, and were not to read it.
not_permitted=1
start g::---
chmod 604 work/map.wad
expect 0 disturbed_blocksweep fchown 0 BROKEN_ERROR=$not_permitted \
    --quiet --in-place work/map.wad
expect_entries work/map.wad built.wad user::rw- group::--- other::---
start u:1234:rw,g::---,o::r
expect 0 disturbed_blocksweep fchown 0 BROKEN_ERROR=$not_permitted \
    --quiet --in-place work/map.wad
expect_entries work/map.wad built.wad user::rw- user:1234:rw- group::--- \
    mask::rw- other::---
