#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that another user of the target's folder, where everybody may write,
# cannot have the command touch any file but the target and its backup once it
# has opened the folder: ATTACKS runs of each kind, 12 where nothing else is
# said, and as many in which each system call is delayed.

. "$SOURCE_DIR/tests/help/library.sh"
[ "$(id -u)" -eq 0 ] || skip "only root can become another user"
need_disturbances
write_room
make_room room.wad

mkdir work private
chmod 777 work
cp room.wad private/victim.wad
cp room.wad work/bystander.wad
chmod 666 private/victim.wad # so that hard links to it are permitted
attacker=
# shellcheck disable=SC2154 # what library.sh sets
trap '[ -z "$attacker" ] || kill "$attacker";  cd / && rm -rf "$folder"' EXIT

# Leaks cannot be looked for in a program that is traced.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

# What nobody may touch, without the number of links.
print_state() {
    ls -lniAR private work/bystander.wad | awk '{ $3 = ""; print }'
    cat private/*.wad work/bystander.wad | cksum
}
print_state >state

# attack RARITY MISSING ARGUMENT...: runs the command as often as said, on a file
# system that does not permit a function.
attack() {
    rm -rf work/link work/spoils work/map.wad*
    "$BUILD_DIR/tests/command/attacker" work "$1" &
    attacker=$!
    missing=BROKEN_MISSING=$2
    shift 2
    replaced=0
    run=0
    while [ $run -lt "${ATTACKS:-12}" ]; do
        run=$((run + 1))
        rm -rf work/map.wad* work/.b*
        # The attacker may be at work on this.
        ln -sf ../private/victim.wad work/shortcut.wad 2>messages || :
        cp room.wad fresh.wad
        mv -f fresh.wad work/map.wad
        status=0
        disturbed_blocksweep none 1 "$missing" --quiet "$@" 2>errors ||
            status=$?
        case $status in
        0) replaced=$((replaced + 1)) ;;
        1 | 3) expect_sentence ;; # 1 for an empty file
        77) skip "programs cannot be traced here" ;;
        *) fail_showing errors "$* ended with $status; 0, 1 or 3 expected" ;;
        esac
        # It makes links and empty files, and gets none of root's.
        case $* in
        *--in-place*)
            find work -type f -user 65534 -size +1 2>messages >found || :
            [ ! -s found ] || fail_showing found "$*: files of another user"
            ;;
        esac
        kill -0 $attacker || skip "nobody can become another user here"
    done
    kill $attacker
    wait $attacker 2>messages || :
    attacker=
    print_state | diff state - || fail "$*: another file was touched"
    echo "$replaced of $run runs replaced the target: $missing $*"
    all_replaced=$((all_replaced + replaced))
    all_runs=$((all_runs + run))
}

# Until some of the runs have failed, and some not: how often an attack comes in
# time is the machine's matter.
all_replaced=0
all_runs=0
rarity=200
while [ $all_replaced -eq 0 ] || [ $all_replaced -eq $all_runs ]; do
    for slowly in "" "$BUILD_DIR/tests/command/signal-at 0 150"; do
        attack $rarity "" --in-place --backup work/map.wad
        attack $rarity linkat --in-place --backup work/map.wad
        attack $rarity "" --in-place work/map.wad
        attack $rarity "" --backup room.wad -o work/map.wad
        rarity=$((5 * rarity))
    done
    rarity=$((all_replaced == 0 ? 4 * rarity : rarity / 100 + 1))
done
