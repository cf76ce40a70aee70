#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that --help tells every option and choice of the stage, and that help
# and version are given without a stage.

. "$SOURCE_DIR/tests/help/library.sh"

version=$(package_version)
[ -n "$version" ] || fail "config.h tells no version"

# Every option of the stage, in its order.
for help in help "in.wad --quiet --help" "help build" "build --help"; do
    # shellcheck disable=SC2086 # words
    expect 0 blocksweep $help
    expect_no_errors
    mv output help
done
! grep '.\{81\}' help || fail "lines of 80 columns were expected"
"$BUILD_DIR/tests/command/list-options" "$PLUGIN" >expected-options
[ -s expected-options ] || fail "the stage has no options"
list_options | grep -v '^host ' >found-options
diff expected-options found-options ||
    fail "--help does not tell the options that the stage has"

# -h is a screen: what most people need, each line as --help has it or a list
# of choices.
for command in build verify show diff; do
    expect 0 blocksweep $command -h
    mv output short
    [ "$(wc -l <short)" -le 24 ] || fail_showing short "24 lines were expected"
    ! grep '.\{81\}' short || fail "lines of 80 columns were expected"
    expect 0 blocksweep $command --help
    grep -e '^  -' short >short-options
    [ "$(wc -l <short-options)" -ge 4 ] || fail_showing short "few options"
    while IFS= read -r line; do
        expect_in output "$line"
    done <short-options
done

# The other commands have theirs, with the options of the stage that they take.
expect_match help "^Commands, .*: build, "
other_commands="verify show diff"
for command in $other_commands; do
    expect_match help "^Commands, .* $command\>"
    expect 0 blocksweep "$command" --help
    expect_no_errors
    expect_match output "^Usage: blocksweep $command "
    ! grep '.\{81\}' output || fail "lines of 80 columns were expected"
    case $command in
        verify) taken="for|prune|max-memory" ;;
        show) taken="prune|max-memory" ;;
        diff) taken=max-memory ;;
    esac
    grep -E "^(stage|choice) ($taken)( |$)" expected-options \
        >expected-taken || :
    list_options "$command" | grep -v '^host ' >found-options || :
    diff expected-taken found-options ||
        fail "$command --help was expected to tell of $taken alone"
done

# Names that are too many for a line each have their help elsewhere.
expect_in help "--for=help explains the names"
[ "$(grep -c '^      .*,$' help)" -le 5 ] || fail_showing help "few lines"
sed -n 's/^choice for //p' expected-options >names
[ -s names ] || fail "the option for has no names"
for words in --for=help "in.wad --for help" "verify --for=help"; do
    # shellcheck disable=SC2086 # words
    expect 0 blocksweep $words
    expect_no_errors
    awk 'NF > 1 && /^      [^ ]/ { print $1 }' output >found-names
    diff names found-names || fail "$words does not explain each name"
done
expect 0 blocksweep --preset=help
expect_line "vanilla the smallest for Doom 1.9, by any means"

# Both say the same of the host's own options, whatever stage there is.
expect 0 env NBSTAGE_PLUGIN_PATH=/nonexistent "$BUILD_DIR/command/blocksweep" \
    --plugin=no-such-stage --help
expect_sentence no-such-stage
expect_in output 'options cannot be shown'
grep '^  -[A-Za-z],' help >expected-options
grep '^  -' output >found-options
diff expected-options found-options || fail "not the options of the host alone"

# The version.
for plugin in blocksweep no-such-stage; do
    expect 0 env NBSTAGE_PLUGIN_PATH=/nonexistent \
        "$BUILD_DIR/command/blocksweep" --plugin=$plugin --version
    expect_no_errors
    head -n 1 output | expect_text - "blocksweep $version"
done
expect 0 blocksweep version
head -n 1 output | expect_text - "blocksweep $version"
expect 0 blocksweep -V in.wad
head -n 1 output | expect_text - "blocksweep $version"
