#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Proves that a browser draws the picture of show as it is meant: no text lies
# over another one, over the map or beyond the edge, blocks and lines are where
# they belong, and a point of the picture leads to the block and the line there.

set -eu
# shellcheck source=tests/help/library.sh
. "$SOURCE_DIR/tests/help/library.sh"

has chromium || skip "Chromium is not there"
is_sanitized && skip "what a browser draws is the same"

# What the page does: it looks at all texts and marks, and tells what is wrong
# in an element that --dump-dom prints.
cat >check.js <<'END'
const faults = [];
const expect = (good, what) => { if (!good) faults.push(what); };
const box = element => element.getBoundingClientRect();
const overlap = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 &&
    a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
const inside = (a, b) => a.left >= b.left - 0.5 && a.right <= b.right + 0.5 &&
    a.top >= b.top - 0.5 && a.bottom <= b.bottom + 0.5;
const at = id => document.getElementById(id);

const whole = box(at("picture"));
const texts = [...document.querySelectorAll("text")];
expect(texts.length > 20, "few texts");
texts.forEach((text, i) => {
    expect(inside(box(text), whole), "beyond the edge: " + text.textContent);
    expect(!overlap(box(text), box(at("grid"))),
           "over the map: " + text.textContent);
    for (const other of texts.slice(i + 1))
        expect(!overlap(box(text), box(other)),
               text.textContent + " over " + other.textContent);
});
for (const mark of document.querySelectorAll("#legend rect, #legend path")) {
    expect(inside(box(mark), whole), "a mark beyond the edge");
    for (const text of texts)
        expect(!overlap(box(mark), box(text)), "a mark over a text");
}

// Block 0 is in the south-west, and as wide as high.
const grid = box(at("grid"));
expect(inside(grid, whole), "the grid is beyond the edge");
const first = at("b0") && box(at("b0"));
if (first) {
    expect(Math.abs(first.left - grid.left) < 1 &&
           Math.abs(first.bottom - grid.bottom) < 1, "block 0");
    expect(Math.abs(first.width - first.height) < 0.01, "a block is no square");
}

// A point in the middle of a block, or of a line there, has its tooltip.
let blocks = 0;
for (const block of [...document.querySelectorAll("#blocks path")].slice(0, 99)) {
    const place = box(block);
    const x = (place.left + place.right) / 2, y = (place.top + place.bottom) / 2;
    window.scrollTo(x - 100, y - 100);
    const hit = document.elementFromPoint(x - window.scrollX, y - window.scrollY);
    expect(hit === block || (hit && hit.closest("#targets")),
           "no way to " + block.id);
    blocks += hit === block;
    window.scrollTo(0, 0);
}
expect(!first || blocks > 0, "no block was hit");

// A point on a line, or a pixel beside it, has that line's tooltip, or that of
// another line which lies there.
const lineAt = (x, y) => {
    window.scrollTo(x - 100, y - 100);
    const hit = document.elementFromPoint(x - window.scrollX,
                                          y - window.scrollY);
    window.scrollTo(0, 0);
    return hit && hit.closest("#targets") ? hit : null;
};
let lines = 0;
const all = [...document.querySelectorAll("#targets path")];
const few = all.filter((line, i) => i % Math.ceil(all.length / 199) === 0);
for (const line of few) {
    const middle = line.getPointAtLength(line.getTotalLength() / 2)
        .matrixTransform(line.getScreenCTM());
    const hit = lineAt(middle.x, middle.y);
    expect(hit && hit.querySelector("title"), "no way to " + line.id);
    expect(lineAt(middle.x + 0.6, middle.y + 0.6), "a thin " + line.id);
    lines += hit === line;
}
const isTooLarge = texts.some(text => /^Too large/.test(text.textContent));
expect(isTooLarge ? all.length === 0 : lines > few.length / 2,
       `${lines} of ${few.length} lines were hit`);

// The legend of a large picture is on the first screen.
const legend = box(at("legend"));
expect(legend.left < 1200 && legend.top < 1200, "the legend is out of sight");
document.getElementById("verdict").textContent =
    faults.length ? faults.slice(0, 9).join("; ") : "nothing is wrong";
END

# look SVG: has the browser look at a picture.
look() {
    {
        echo '<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>'
        cat "$1"
        echo '<p id="verdict">nothing was done</p><script>'
        cat check.js
        echo '</script>'
    } >page.html
    chromium --headless --no-sandbox --disable-gpu --window-size=1200,900 \
        --user-data-dir="$folder/browser" --virtual-time-budget=60000 \
        --dump-dom "file://$folder/page.html" >dom 2>browser-errors || {
        cat browser-errors
        fail "Chromium has failed"
    }
    sed -n 's/.*<p id="verdict">\([^<]*\)<.*/\1/p' dom >verdict
    expect_text verdict "nothing is wrong"
}

# look_at_rooms COLUMNS ROWS STEP SIZE: draws rooms, and looks at them.
look_at_rooms() {
    rooms "$@"
    expect 0 blocksweep show --quiet --shared --svg=rooms.svg rooms.wad
    look rooms.svg
}

for map in MAP01 MAP30; do
    expect 0 blocksweep show --quiet --map=$map --svg=$map.svg "$sample"
    look $map.svg
done
look_at_rooms 1 1 100 60     # small
look_at_rooms 90 2 640 300   # wide
look_at_rooms 2 90 640 300   # high
look_at_rooms 16 16 1000 900 # large
look_at_rooms 60 60 1000 900 # too large for tooltips
