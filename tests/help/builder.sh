# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests in real builders share.  Each sources this with $builder, $name,
# $source, in $failure the status with which the builder fails, in $other_forms
# those of hexen and udmf that it takes, and has two functions:
#
#   build FOLDER                the source there to FOLDER/program
#   run PROGRAM IN OUT [ARGUMENT...]
#
# Behind that it may have its own promised_commits, expect_exact, takes_form and
# check_tree.

# shellcheck disable=SC2046,SC2086,SC2154 # words; what scripts set

. "$SOURCE_DIR/tests/help/library.sh"

[ -n "$source" ] || skip "$(echo "$builder" | tr '[:lower:]' '[:upper:]')_SOURCE does not name a source tree of $name"
# What was asked for by name is not skipped.
skip() {
    fail "$*"
}
need_freedoom

# Lists the commits that the adapter is for, the oldest first.
promised_commits() {
    git -C "$source" log --first-parent --reverse --format=%H -60
}

# build_both TREE: builds the source as it is, and with the stage.
build_both() {
    for folder_name in plain staged; do
        rm -rf $folder_name
        cp -R "$1" $folder_name
        chmod -R u+w $folder_name
        rm -rf $folder_name/build
    done
    quietly "$SOURCE_DIR/builders/$builder/apply.sh" staged
    build plain
    build staged
}

# expect_exact FILE: blockmaps list what is in the blocks, and nothing else.
expect_exact() {
    expect 0 blocksweep verify --strict --json "$1"
    ! grep -E '"(missing|extra)_entries": [1-9]' output ||
        fail "blockmaps of $1 are not exact"
}

# expect_plain IN ARGUMENT...: with the stage's lines the file is the builder's
# own.
expect_plain() {
    in=$1
    shift
    expect 0 run staged/program "$in" other.wad "$@"
    expect_same plain.wad other.wad
}

# expect_refused SENTENCE REQUEST: the builder says this once, and fails.  An
# output that is there stays as it is.
expect_refused() {
    rm -f other.wad
    expect_failure "$@"
    expect_absent other.wad
    echo "as before" >other.wad
    expect_failure "$@"
    if [ -z "$may_remove" ] || [ -e other.wad ]; then
        expect_text other.wad "as before"
    fi
}

expect_failure() {
    expect $failure run staged/program "$sample" other.wad \
        --blockmap-plugin "$2"
    cat output errors >said
    expect_count 1 said "blockmap-plugin: .*$1"
}

# expect_failing: a stage that is missing, broken, mistyped, or fails on the first
# or a later map; then what the skeleton makes in place of a blockmap.
expect_failing() {
    quietly ${CC:-cc} -I"$SOURCE_DIR/include" -shared -fPIC \
        -DLUMP='"BLOCKMAP"' "$SOURCE_DIR/builders/examples/skeleton-stage.c" \
        -o skeleton.so
    expect 0 run plain/program "$sample" plain.wad
    expect_plain "$sample" --blockmap-plugin=
    echo "no shared object" >broken.so
    may_remove=
    expect_refused "no such file" "$folder/removed.so"
    expect_refused "there is no stage 'removed'" removed
    expect_refused "" "$folder/broken.so"
    expect_refused "no such option" "$folder/skeleton.so,fial=no"
    expect_refused "fail: open" "$folder/skeleton.so,fail=open"
    may_remove=yes
    expect_refused "fails on purpose" "$folder/skeleton.so,fail=build"
    expect_refused "fails on purpose" "$folder/skeleton.so,fail=later"
    for way in empty:0 huge:16777216; do
        expect 0 run staged/program "$sample" other.wad \
            --blockmap-plugin="$folder/skeleton.so,fail=${way%:*}"
        expect_others_kept plain.wad other.wad
        wadtool list other.wad | grep ' BLOCKMAP ' >blockmaps
        expect_count 3 blockmaps " ${way#*:} "
    done
}

# take_commit NUMBER: the source of one of the commits in the folder tree.  Fails
# if it does not compile by itself.
take_commit() {
    commit=$(sed -n "$1p" commits)
    [ -n "$commit" ] || fail "the last commit of $source does not compile"
    echo "$1 of $count commits, $(git -C "$source" log -1 \
        --format='%h of %cs: %s' $commit)"
    rm -rf tree probe
    mkdir tree
    git -C "$source" archive $commit | tar -x -C tree
    cp -R tree probe
    (build probe) >probed 2>&1
}

# check_builder: the source, or the first, middle and last of its commits, each or
# the next that compiles.
check_builder() {
    if [ ! -e "$source/.git" ] && [ ! -e "$source/HEAD" ]; then
        check_tree "$source"
        return
    fi
    promised_commits >commits
    count=$(wc -l <commits)
    [ "$count" -gt 0 ] || fail "no commit of $source is one for the adapter"
    for number in $(printf '%d\n' 1 $(((count + 1) / 2)) $count | uniq); do
        until take_commit $number; do
            echo "it does not compile by itself"
            number=$((number + 1))
        done
        check_tree tree
    done
}

# takes_form FORM: whether the builder in plain can read FORM.wad.
takes_form() {
    :
}

# check_forms: ten maps in each of the $other_forms that the builder takes.  It
# says once if it makes no blockmaps of them.
check_forms() {
    for form in $other_forms; do
        for number in 01 02 03 04 05 06 07 08 09 10; do
            echo MAP$number=$form
        done >form-of-maps
        make_wad convert "$freedoom_dir/freedoom2.wad" $form.wad \
            $(cat form-of-maps)
        takes_form $form || {
            echo "$builder does not read maps of $form here"
            continue
        }
        expect 0 run plain/program $form.wad plain.wad
        expect_plain $form.wad
        expect 0 run staged/program $form.wad staged.wad \
            --blockmap-plugin="$PLUGIN"
        cat output errors >said
        expect_others_kept plain.wad staged.wad
        if wadtool list plain.wad | grep -q ' BLOCKMAP '; then
            expect_exact staged.wad
        else
            expect_count 1 said "no BLOCKMAP"
        fi
    done
}

# check_tree TREE: all maps of Freedoom, and some others.
check_tree() {
    build_both "$1"
    expect_failing
    check_forms
    maps=0
    for wad in freedoom1 freedoom2 freedm; do
        in=$freedoom_dir/$wad.wad
        expect 0 run plain/program "$in" plain.wad
        expect 0 run staged/program "$in" staged.wad \
            --blockmap-plugin="$PLUGIN"
        expect_others_kept plain.wad staged.wad
        expect_exact staged.wad
        maps=$((maps + $(wadtool list staged.wad | grep -c ' BLOCKMAP ')))
        expect_plain "$in"
    done
    [ $maps -eq 100 ] || fail "100 maps were expected, not $maps"
    ! cmp -s plain.wad staged.wad || fail "the stage has made no difference"
}
