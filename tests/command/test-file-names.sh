#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that files can have names which look like something else.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"
write_room

make_room in.wad
for name in build -dash.wad --help "two  words.wad" "%s%n.wad" "$(
    printf 'new\nline')"; do
    cp in.wad "./$name"
    expect_build -o out1 "./$name"
    expect_build -o out2 -- "./$name"
    expect 0 blocksweep build -o out3 -- "$name"
    expect_build in.wad -o "./new$name"
    expect_build in.wad -o "$name"
    for wad in out1 out2 out3 "./new$name" "./$name"; do
        expect_room "$wad" MAP01
    done
    rm out1 out2 out3
done

# Any bytes but NUL, in names of folders, too.
folder_name=$(printf ' a\nfolder \377\376')
file_name=$(printf '\351t\351 \\ "1"\t*.wad')
mkdir "$folder_name"
file=$folder_name/$file_name
cp in.wad "$file"
expect_build --in-place --backup "$file"
expect_room "$file" MAP01
expect_same "$file~" in.wad
expect_build "$file" -o "$file.gz"
gzip -dc "$file.gz" | cmp - "$file" || fail "other bytes were expected"
# shellcheck disable=SC2016 # for another shell
expect_build --builder='sh -c "cp \"\$1\" \"\$2\"" sh {in} {out}' \
    --in-place "$file"
expect_room "$file" MAP01
expect 0 blocksweep --json --in-place "$file"
! has perl || perl -MJSON::PP -0777 -ne 'decode_json($_)' output ||
    fail "JSON was expected"
expect 0 blocksweep show --svg="$file.svg" "$file"
expect 0 blocksweep verify "$file"
mv "$file" "$file.svg" "$file~" "$file.gz" .
rmdir "$folder_name" || fail "other files were not expected"
expect 3 blocksweep --quiet --in-place "$file"
expect_sentence "No such file"

# Only the first word can be the command.
cp in.wad build
expect 0 blocksweep build build -o out.wad
expect_room out.wad MAP01
