#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the command ends well wherever memory runs out: each of its
# requests is refused in turn, alone and with all that follow.  Either all is as
# if nothing had been refused, or the command fails and says why; nothing leaks,
# no file is left that is not whole or was not asked for, and no process.
# Commands that only look at files may end at once, with one sentence; what they
# have in memory is then not freed, and a report in JSON is cut off.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

is_sanitized && skip "sanitizers have an allocator of their own"
preload=$BUILD_DIR/tests/command/.libs/refuse-memory.so
[ -r "$preload" ] || skip "$preload is not there"
use_own_temporary_folder

command=blocksweep
# A file that is in the folder work before, as a copy of another.
present=
original=

# run_refused REQUEST ARGUMENT...: runs the command, with its exit status in
# status, and in requests and blocks how often it asked for memory and what it
# did not free.
run_refused() {
    refused=$1
    shift
    rm -rf work report
    mkdir work
    [ -z "$present" ] || cp "$original" "$present"
    status=0
    "$BUILD_DIR/run" env LD_PRELOAD="$preload" \
        REFUSED_PROGRAM="${command##*/}" \
        REFUSED="$refused" REFUSED_REPORT=report \
        "$command" "$@" >output 2>errors || status=$?
    [ -s report ] || {
        cat errors
        fail "$command $* ended with $status at request $refused"
    }
    read -r requests blocks <report
    # Times differ from run to run.
    sed '/seconds"/d' output >told
}

# A builder that does not end all that it has started.
cat >leave <<'END'
#!/bin/sh
sh -c 'echo $$ >left.new; mv left.new left; exec sleep 100' &
until [ -s left ]; do sleep 0.01; done
cp "$1" "$2"
END
chmod +x leave

# What a run has made, as one file.
list_work() {
    find work -type f | sort | while read -r file; do
        echo "$file"
        cat "$file"
    done >made
}

# Whether the command has said that there was no memory.  The C library does
# not always say why it cannot load a stage.
has_said_why() {
    grep -q -e 'emory' -e 'the stage cannot be loaded' errors
}

# What was there may be there still, and a map that failed keeps its lumps;
# nothing else may be in a file.
check_files() {
    find work -type f | while read -r file; do
        cmp -s "$file" "all-$file" && continue
        [ "$file" = "$present" ] && cmp -s "$file" "$original" && continue
        [ "$status" -eq 1 ] ||
            fail "at request $refused, $file is neither whole nor absent"
        case $file in
        *.gz) gzip -dc "$file" >plain.wad ;;
        *) cp "$file" plain.wad ;;
        esac
        expect_lumps_kept "$input" plain.wad
    done
    expect_nothing_temporary
}

# fail_run ARGUMENT...
fail_run() {
    cat errors
    fail "at request $refused, blocksweep $* ended with $status"
}

# Whether all is as if no memory had been refused.
is_as_always() {
    list_work
    [ "$status" -eq "$all_status" ] && cmp -s told all-told &&
        cmp -s made all-made
}

# ended_at_once ARGUMENT...: whether a command that only looks at files has said
# in one sentence that memory ran out.
ended_at_once() {
    case $1 in
    verify | show | diff | plugins | --complete) ;;
    *) return 1 ;;
    esac
    [ "$status" -eq 3 ] &&
        [ "$(grep -c '^blocksweep: out of memory$' errors)" -eq 1 ]
}

# check_blocks ARGUMENT...: nothing leaks.
check_blocks() {
    [ "$blocks" -eq 0 ] || ended_at_once "$@" ||
        fail "at request $refused, $blocks blocks leak: $*"
}

# check_report ARGUMENT...: a report in JSON ends, if it has begun.
check_report() {
    ! ended_at_once "$@" || return 0
    case $* in
    *--json*) ;;
    *) return 0 ;;
    esac
    opened=$(tr -cd '{[' <output | wc -c)
    closed=$(tr -cd '}]' <output | wc -c)
    [ "$opened" -eq "$closed" ] || {
        cat output
        fail "at request $refused, the report is cut off"
    }
}

# What a builder that uses the adapter ends with in place of 3.
status_of_file=3

# check_run ARGUMENT...: all went well, or it was said why not.
check_run() {
    if has_said_why; then
        case $status in
        1 | 2 | 3 | "$status_of_file") return 0 ;;
        esac
        fail_run "$@"
    fi
    is_as_always || fail_run "$@"
}

# check_help ARGUMENT...: the help of a stage that cannot be loaded is missing.
check_help() {
    "$BUILD_DIR/run" env NBSTAGE_PLUGIN_PATH="$folder/no-stages" \
        blocksweep "$@" >help-without-stage 2>no-stage
    case $status in
    0) is_as_always || {
        grep -q 'cannot be loaded' errors && cmp -s told help-without-stage
    } ;;
    3) has_said_why ;;
    *) false ;;
    esac || fail_run "$@"
}

# check_words ARGUMENT...: what a shell is offered may be less.
check_words() {
    sort all-told >all-words
    sort told | comm -23 - all-words >wrong-words
    [ ! -s wrong-words ] || fail_run "$@"
    case $status in
    0) ;;
    3) has_said_why ;;
    *) false ;;
    esac || fail_run "$@"
}

# check_plugins ARGUMENT...: as check_run does; but of a stage that the C library
# had no memory to load the report may say so, and go on.
check_plugins() {
    if [ "$status" -ne 0 ] ||
        ! grep -q 'the stage cannot be loaded' output; then
        check_run "$@"
    fi
}

# check_processes ARGUMENT...: as check_run does, and what the builder has
# started is gone.
check_processes() {
    check_run "$@"
    [ ! -s left ] || expect_gone left
    rm -f left
}

# refuse_each CHECK ARGUMENT...: refuses each of the command's requests in turn,
# and then each with all behind it, and runs CHECK after each.
refuse_each() {
    check=$1
    shift
    run_refused "" "$@"
    [ "$blocks" -eq 0 ] || fail "$blocks blocks leak: $*"
    all_status=$status
    all_requests=$requests
    list_work
    rm -rf all-work
    mv made all-made
    cp told all-told
    cp -R work all-work
    $check "$@"
    for behind in "" -; do
        request=0
        while [ "$request" -lt "$all_requests" ]; do
            request=$((request + 1))
            run_refused "$request$behind" "$@"
            check_blocks "$@"
            check_files
            check_report "$@"
            $check "$@"
        done
    done
    echo "$all_requests requests: ${command##*/} $*"
}

refuse_everywhere() {
    refuse_each check_run "$@"
}

REFUSED_PROGRAM=env REFUSED_REPORT=report LD_PRELOAD="$preload" env >nothing
[ -s report ] || skip "memory cannot be refused with this C library"

mkdir no-stages
echo "no shared object" >no-stages/blocksweep.so
mkdir links
ln -s "$PLUGIN" links/linked.so
expect_build --grid=fit --pack=nest "$sample" -o nested.wad
gzip -c "$sample" >sample.wad.gz
write_room
room MAP01 | without BLOCKMAP | wadtool make PWAD room.wad
words 0 0 512 512 >large-grid
room MAP01 | replacing BLOCKMAP large-grid | wadtool make PWAD damaged.wad
linedef 0 9 >LINEDEFS
room MAP01 | wadtool make PWAD bad.wad

map=--map=MAP01
other_stage=$BUILD_DIR/tests/command/.libs/other-stage.so
input=$sample
refuse_everywhere --version
refuse_each check_help --help
refuse_each check_help show --help
for word in -- --grid= --plugin=; do
    refuse_each check_words --complete -- "$word"
done
refuse_each check_words --complete -- show room.wad --map=
refuse_each check_words --complete -- --plugin="$other_stage" --
refuse_everywhere --quiet --threads=1 $map "$sample" -o work/out.wad
refuse_everywhere --json --grid=search --threads=2 --backup $map \
    sample.wad.gz -o work/out.wad.gz
present=work/map.wad original=$sample
refuse_everywhere --quiet --in-place --backup $map work/map.wad
present=
refuse_everywhere --json --builder='cp {in} {out}' $map "$sample" \
    -o work/out.wad
input=room.wad
refuse_each check_processes --quiet --builder='./leave {in} {out}' room.wad \
    -o work/out.wad
input=$sample
refuse_everywhere verify $map "$sample"
refuse_everywhere verify --json --verbose --nodes $map "$sample" nested.wad
refuse_everywhere show $map --svg=work/map.svg --shared "$sample"
refuse_everywhere show --json $map --html=work/map.html "$sample"
refuse_everywhere show $map --svg=work/map --html=./work/map "$sample"
refuse_everywhere show --list=0,0 room.wad
refuse_everywhere diff $map --svg=work/map.svg "$sample" nested.wad
refuse_everywhere diff --json --verbose $map "$sample" nested.wad
NBSTAGE_PLUGIN_PATH=$folder/links
export NBSTAGE_PLUGIN_PATH
refuse_each check_plugins plugins
refuse_each check_plugins plugins --json
refuse_each check_plugins plugins --plugin="$other_stage"
unset NBSTAGE_PLUGIN_PATH

# Maps with which something is wrong.
input=damaged.wad
refuse_everywhere --json --grid=keep damaged.wad -o work/out.wad
input=bad.wad
refuse_everywhere --json bad.wad -o work/out.wad
refuse_everywhere verify --json damaged.wad bad.wad
refuse_everywhere show --json damaged.wad
refuse_everywhere show --list=7 damaged.wad
refuse_everywhere diff --json damaged.wad bad.wad

# --- In builders ---

adapter=$BUILD_DIR/adapters/glbsp/.libs/glbsp-adapter.so
[ -r "$adapter" ] || exit 0

# Builders have the same in another process, on a file that they have written.
preload=$preload:$adapter:$BUILD_DIR/tests/real/.libs/no-glbsp.so
command=$BUILD_DIR/tests/real/glbsp-user
present=work/map.wad original=$sample
input=$sample
status_of_file=5
refuse_everywhere work/map.wad
cmp -s all-work/map.wad "$sample" && fail "blockmaps were expected to be built"

# The launcher makes way for glbsp, so that there is no report of its requests.
mkdir bin
cat >bin/glbsp <<'END'
#!/bin/sh
echo "$NBSTAGE_OPTIONS $LD_PRELOAD $*"
END
chmod +x bin/glbsp
failures=0
for behind in "" -; do
    request=0
    while [ "$request" -lt 24 ]; do
        request=$((request + 1))
        status=0
        "$BUILD_DIR/run" env PATH="$folder/bin:$PATH" \
            NBSTAGE_OPTIONS=grid=fit LD_PRELOAD="${preload%%:*}" \
            REFUSED_PROGRAM=glbsp-blocksweep REFUSED="$request$behind" \
            "$BUILD_DIR/adapters/glbsp/glbsp-blocksweep" --stage pack=nest \
            IN.wad >output 2>errors || status=$?
        case $status in
        0) expect_text output "grid=fit,pack=nest $adapter IN.wad" ;;
        3)
            expect_text errors "glbsp-blocksweep: out of memory"
            failures=$((failures + 1))
            ;;
        *) fail "at request $request$behind, the launcher ended with $status" ;;
        esac
    done
    [ "$status" -eq 0 ] || [ "$behind" ] ||
        fail "the launcher asks for memory more than $request times"
done
[ $failures -gt 1 ] || fail "the launcher was expected to need memory"
echo "$failures failures of 48: glbsp-blocksweep"
