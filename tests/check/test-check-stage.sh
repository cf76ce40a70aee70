#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that nbstage-check passes a stage that keeps its promises, blocksweep
# within 20 seconds, and that each of the faults below is found by the test that
# is there for it.  With LONG both stages pass 25 times, with other maps.
# tests/windows/test-windows-check.sh runs this for Windows.

# shellcheck disable=SC2086 # a command is words

. "$SOURCE_DIR/tests/help/library.sh"

check=${CHECK:-$BUILD_DIR/check/nbstage-check} # words

# compile FILE FLAG...: compiles the stage with faults.
compile() {
    file=$1
    shift
    # shellcheck disable=SC2086 # words
    quietly $CC ${SANITIZE_FLAGS-} -std=c11 -g -shared -fPIC -pthread "$@" \
        -I"$SOURCE_DIR/plugin" "$SOURCE_DIR/tests/check/faulty-stage.c" \
        -o "$file" -lm
}

# A locale with a decimal comma, which localedef regrets to be poor.
cat >comma.source <<'SOURCE'
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
SOURCE
localedef -c -i comma.source ./de_DE 2>warnings || true
if [ -e de_DE/LC_NUMERIC ]; then
    LOCPATH=$folder
    export LOCPATH
fi

# fails FAULT TEST [STAGE]
fails() {
    case ${WINDOWS-}$1 in
    yessignal-* | yesumask | yeswrites-file | yesstarts-process) return 0 ;;
    esac
    case $2 in
    locale) [ -n "${LOCPATH-}" ] || return 0 ;;
    # Sanitizers make calls, keep memory and start threads of their own.
    system-calls | loads | threads-ended) ! is_sanitized || return 0 ;;
    esac
    status=0
    case $1 in *hangs) limit=2 ;; *) limit=60 ;; esac
    FAULT=$1 $check --seconds=$limit --only="$2" "${3-./faulty.so}" \
        >found 2>&1 || status=$?
    [ "$status" = 1 ] || fail_showing found "$1 was not found by $2: $status"
    expect_match found "^failed  $2: ."
    expect_match found "again: nbstage-check --only=$2 --seed=1 '"
    count=$((count + 1))
}

compile faulty.so
compile exports.so -DSECOND_EXPORT

$check ./faulty.so >passed || fail_showing passed "a fault was found"
# The time of the processor: tests run side by side.
perl -e 'my $status = system @ARGV;
         my $seconds = (times)[2] + (times)[3];
         print STDERR "blocksweep: $seconds seconds\n";
         exit($status != 0 || $seconds >= 20)' $check "$PLUGIN" >passed ||
    fail_showing passed "blocksweep was to pass within 20 seconds"
tail -n 1 passed
! grep '^skipped' passed >skipped || cat skipped

count=0
fails second-export symbols ./exports.so
while read -r fault test; do
    fails "$fault" "$test"
done <<END
two-descriptors describe
summary descriptor
half-decoder descriptor
lower-lump descriptor
option-name options
option-twice options
flag-choices options
default-refused values
maximum values
takes-more bad-values
takes-any-choice bad-values
refused-is-set bad-values
unknown-is-bad bad-values
global-options instances
keeps-pointer instances
other-default instances
null null
create-keeps host-sizes
host-size host-sizes
map-size map-sizes
result-size result-sizes
ignores-step longer
needs-callbacks no-callbacks
half-pair no-callbacks
unchecked-memory refused
spoilt-by-memory refused
leaks-when-it-fails refused
leaks-when-it-fails cancelled
ignores-cancel cancelled
progress-total cancelled
leaves-results left-results
leaks-bytes results
short-block results
ignores-allocate results
releases-null results
releases-twice results
other-thread results
log-level results
log-newline results
error-newline results
error-stop results
error-bytes results
error-missing results
error-null results
error-at-first results
wrong-status results
failed-with-lumps results
fact-name results
fact-flag results
fact-list results
lump-name results
lump-packed results
lump-size results
lump-null results
no-lumps results
result-size-changed results
prints results
warns results
exits results
aborts results
hangs results
shared-result live
option-spoils live
keeps-result live
unstable repeated
not-for-threads threads
misses-line blockmap
writes-map results
reads-beyond results
uses-map-later map-unused
ignores-stride forms
ignores-form forms
left-out-count left-out
ignores-left-out left-out
trusts-members members
damage-crashes damaged
damage-hangs damaged
decode-wrong decode
decode-null decode
decode-size decode
decode-longer decode
decode-leaks decode-ends
explains-beyond explain
needs-more needs-lump
default-wins set-default
default-stays set-default
writes-file system-calls
starts-process system-calls
calls-late threads-ended
leaves-thread threads-ended
signal-handler process
signal-mask process
locale process
folder process
umask process
environment process
rounding-mode process
descriptor process
rounding-matters rounding
locale-matters locale
leak loads
descriptor loads
stays-loaded loads
END
echo "$count faults were found"

# What is no stage, or is not for this version, is not tested.
for fault in refuses no-functions; do
    status=0
    FAULT=$fault $check ./faulty.so 2>errors || status=$?
    [ "$status" = 3 ] || fail_showing errors "$fault: the status is $status"
done

! FAULT=error-bytes $check --json --only=results --only=loads \
    ./faulty.so >results.json || fail "a fault was to be found"
! has python3 || python3 -m json.tool results.json >/dev/null

[ -n "${LONG-}" ] || exit 0
for seed in $(seq 25); do
    for stage in ./faulty.so "$PLUGIN"; do
        $check --seed="$seed" "$stage" >passed ||
            fail_showing passed "a false alarm"
    done
done
