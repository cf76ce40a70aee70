#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that the example stage keeps what nbstage.h promises, makes a REJECT of
# the right size in a host, and fails in `build` in each of the ways that
# write-a-stage.md lists; and that the code on that page is the example's.

# shellcheck disable=SC2086 # flags are words

. "$SOURCE_DIR/tests/help/library.sh"

check=$BUILD_DIR/check/nbstage-check
page=$SOURCE_DIR/doc/write-a-stage.md
flags="-std=c99 -pedantic-errors -Wall -Wextra -Werror ${SANITIZE_FLAGS-}
    -I$SOURCE_DIR/include -I$SOURCE_DIR/builders/kit"

# compile_stage NAME [FLAG]: makes ./NAME.so.
compile_stage() {
    quietly $CC $flags -Wshadow -Wconversion -Wsign-conversion ${2-} \
        -shared -fPIC "$SOURCE_DIR/builders/examples/skeleton-stage.c" -o "$1.so"
}
compile_stage reject
compile_stage blockmap '-DLUMP="BLOCKMAP"'
for stage in reject blockmap; do
    $check ./$stage.so >output || fail_showing output "a promise is broken"
done

# host BYTES: builds a map whose SECTORS has so many bytes.
cat >host.c <<'EOM'
#include "nbstage-host.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
    static struct nbstage stage;
    const size_t size = argc > 1 ? (size_t)atoi(argv[1]) : 0;
    const struct nbstage_lump sectors = {sizeof sectors, "SECTORS",
                                         calloc(1, size), size, NBSTAGE_PLAIN};
    const struct nbstage_map map = nbstage_map_from_lumps("MAP01", &sectors, 1);
    const struct nbstage_lump *lump;
    struct nbstage_fact fact = {.size = sizeof fact};
    if (!nbstage_load(&stage, "./reject.so", NULL, NULL, "REJECT", NULL))
        return 1;
    lump = nbstage_build(&stage, &map);
    if (lump)
        printf("%s of %zu bytes", lump->name, lump->data_size);
    else
        printf("not built: %s", stage.error);
    stage.descriptor->get_fact(stage.instance, 0, &fact);
    printf(", %d sectors\n", (int)fact.value);
    free((void *)sectors.data);
    nbstage_close(&stage);
    return 0;
}
EOM
quietly $CC $flags host.c "$SOURCE_DIR/builders/kit/nbstage-host.c" -o host -ldl

# In REJECT there is a bit for each pair of sectors, of 26 bytes each.
while IFS='|' read -r bytes sentence; do
    expect 0 ./host "$bytes"
    expect_text output "$sentence"
done <<EOM
286|REJECT of 16 bytes, 11 sectors
26|REJECT of 1 bytes, 1 sectors
27|not built: MAP01: SECTORS is cut off; expected 26 bytes for each, 0 sectors
$((26 * 65536))|not built: MAP01: expected at most 65535 sectors, 65536 sectors
EOM

# The command: what it says, and what verify says of what was written.
expect 2 blocksweep --plugin=./blockmap.so --fail=never "$sample" -o out.wad
expect_sentence "expected no, open, build, empty or huge"
while IFS='|' read -r mode code sentence verified verdict; do
    rm -f out.wad
    expect $code blocksweep --plugin=./blockmap.so --fail=$mode "$sample" \
        -o out.wad
    cat errors >>output
    expect_match output "$sentence"
    [ -n "$verified" ] || { expect_absent out.wad; continue; }
    expect $verified blocksweep verify out.wad
    expect_match output "$verdict"
done <<'EOM'
open|3|out of memory; nothing was written||
build|1|MAP01: fails on purpose|0|^MAP01 .* 205 .* harmless$
empty|0|Wrote out.wad|0|  empty$
huge|0|Wrote out.wad|1|3 rejected
EOM

# --- The page ---

expect_match "$page" '^| `open` ' '^| `build` ' '^| `empty` ' '^| `huge` '
expect_in "$page" "-DLUMP='\"BLOCKMAP\"'"
awk '/^```/ { inside = /c$/; next } inside' "$page" >quotes
[ "$(wc -l <quotes)" -ge 4 ] || fail "write-a-stage.md has too little code"
while IFS= read -r line; do
    grep -qxF -e "$line" "$SOURCE_DIR/builders/examples/skeleton-stage.c" ||
        fail "write-a-stage.md has '$line', which is not in the example"
done <quotes
[ "$(wc -l <"$page")" -le 90 ] || fail "write-a-stage.md has over 90 lines"
