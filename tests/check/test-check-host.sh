#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage-check --host passes hosts that do well with stages that
# misbehave, blocksweep among them, and finds each of the faults below in a
# small host, by the test that is there for it.  With LONG the host without
# faults passes 25 times.

. "$SOURCE_DIR/tests/help/library.sh"

use_own_temporary_folder
host=$BUILD_DIR/tests/check/small-host
own="$host {in} {out} [{stage},{option}]"
blocksweep="'$BUILD_DIR/host/blocksweep' build -p {stage} --{option} {in}"

check() {
    "$BUILD_DIR/check/nbstage-check" "$@"
}

# passes SKIPPED COMMAND ARGUMENT...: the host passes all tests but so many.
passes() {
    expect 0 check --host="$2"
    tail -n 1 output | expect_match - "^[0-9]* passed, 0 failed, $1 skipped "
    expect_count "$1" output ^skipped
    expect_no_errors
    expect_nothing_temporary
}

passes 0 "$own"
passes 2 "\\$host \"{in}\" '{out}' [{stage}]"
# It keeps the input's blockmap, so it needs no run without the stage.
for arguments in "-o {out}" "--json -o {out}" "-q --in-place"; do
    passes 0 "$blocksweep $arguments"
done

if [ -n "${LONG-}" ]; then
    for _ in $(seq 25); do
        passes 0 "$own"
    done
fi

# --- Faults ---

# A fault, a test that finds it, and a part of its sentence.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}abort_on_error=1:detect_leaks=0
export ASAN_OPTIONS
count=0
while read -r fault test sentence; do
    seconds=60
    [ "$fault" != tries-for-ever ] || seconds=2
    SMALL_HOST=$fault expect 1 check --seconds=$seconds --only="$test" \
        --host="$own"
    expect_match output "^failed  $test: .*$sentence"
    expect_in output "again: nbstage-check --only=$test" "--host='"
    expect_nothing_temporary
    count=$((count + 1))
done <<'END'
aborts-on-kind unknown-facts ended by signal
aborts-on-level warnings ended by signal
aborts-on-status unknown-status ended by signal
aborts-on-status negative-status ended by signal
changes-input plain changed its input
crashes fails ended by signal
empties-file fails the host's file is empty
ends fails wrote no file
fixed-size large-lump ended by signal
frees-first plain MAP01: BLOCKMAP, of 52 bytes, is not the one
frees-twice plain breaks the contract: .* gets the same result twice
half-allocates plain breaks the contract: .* only one of allocate
ignores-empty empty-lump MAP01: BLOCKMAP, of 26 bytes, is not
ignores-options bad-value ended with status 0
ignores-options unknown-option ended with status 0
is-silent says-nothing did not say that the stage failed
is-silent no-file did not say that the stage failed
keeps-100-warnings warnings ended by signal
keeps-last fails-once MAP02: BLOCKMAP, of 46 bytes, is neither
leaves-lock plain left a file behind in the folder of {out}: out.wad.lock
leaves-temporary plain left a file behind in TMPDIR: left
loses-map fails-once lump [0-9]* of the host.s file is AFTER; expected THINGS
loses-others plain lump 0 of the host.s file is THINGS; expected BEFORE
misaligns plain breaks the contract: .* not aligned
needs-set-default bare ended by signal
needs-stage no-library ended by signal
no-size plain breaks the contract: the size of nbstage_map
prints-raw raw-sentence printed byte .x1B of the stage's sentence as it is
refuses-newer newer-interface MAP01: BLOCKMAP, of 26 bytes, is not
short-line long-sentence ended by signal
steps-by-index longer-structures ended by signal
swaps-lumps plain lump [0-9]* of the host's file is BLOCKMAP; expected REJECT
takes-first-lump other-lump-first MAP01: BLOCKMAP, of 12 bytes, is not
tries-for-ever fails had not ended after 1 s$
wrong-form plain breaks the contract: the arrays are not those of the map
wrong-stride plain breaks the contract: the arrays are not those of the map
END
echo "$count faults were found"

# --- The user ends it ---

"$BUILD_DIR/check/nbstage-check" \
    --host='sh -c "sleep 60" {in} {stage}' &
sleep 1
kill $!
status=0
wait $! || status=$?
[ "$status" = 143 ] || fail "it ended with status $status, not by the signal"
expect_nothing_temporary

# --- Command lines ---

write_room
make_room none.wad BLOCKMAP -

while IFS='|' read -r code sentence arguments; do
    eval "expect $code check $arguments"
    expect_in errors "$sentence"
done <<END
2|it has no {in}|--host='$host {stage}'
2|it has no {stage}|--host='$host {in}'
2|it names no program|--host=' '
2|a quote is not closed|--host='$host "{in}" "{stage}'
2|a bracket is not closed|--host='$host {in} [{stage}'
2|it ends with a backslash|--host='$host {in} {stage} \\'
2|no test sizes|--only=sizes --host='$own'
2|nothing besides the host|--host='$own' blocksweep
3|cannot be started|--host='./nowhere {in} {stage}'
3|without the stage, the host ended with status 1|--host='false {in} [{stage}]'
3|status 0, and its file cannot be read|--host='true {in} {out} [{stage}]'
3|wrote 0 BLOCKMAP lumps; expected 3|--host='sh -c "cp none.wad {in}" x [{stage}]'
END
expect 0 check --host="$own" --list
expect_match output '^plain  *builds every map'
expect_count 30 output
expect 1 env SMALL_HOST=crashes "$BUILD_DIR/check/nbstage-check" --json \
    --only=plain --only=fails --host="$own"
has_json || exit 0
read_json
expect_facts host "$own" tests 2 tests.0.name plain tests.0.outcome passed \
    tests.1.name fails tests.1.outcome failed
