// SPDX-License-Identifier: GPL-2.0-or-later
//
// The whole map moves as one.  `place` is the point of it in the middle of the
// view, and the pixels of a map unit.  The chosen block or line is marked in a
// second picture above the map.  Lines are found by their distance, from their
// coordinates in the picture.
//
// The paths of the picture are cut into tiles, so that the browser skips what is
// out of sight.
"use strict";

const BLOCK = 128; // map units
const TILE = 32; // blocks
const TERMINATOR = -1, HEADER = -2; // words that are no linedefs
const KINDS = 4; // of lines
const REACH = {mouse: 6, touch: 20}; // pixels from a line that still hit it
const STILL = 4; // pixels that a click may move
const MOST_SHOWN = 2000; // numbers in a list
const MOST_ROWS = 1000; // entries in a list of what is found
const LEAST_SHOWN = 48; // pixels of a block that is gone to
const LEAST_MARK = 14, MOST_BORDER = 6; // as in blocks.c
const FAULTS = ["", "its offset is in the table of offsets",
                "its offset is outside the lump", "it has no end"];

const at = id => document.getElementById(id);
const all = selector => [...document.querySelectorAll(selector)];
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

const data = JSON.parse(at("data").textContent);
const view = at("view");
const lineCount = data.kinds.length;
const ends = readLines();
for (const path of all("#map path:not(#grid, #old-grid)"))
    cutPath(path, path.closest("#block-grid") ? TILE : TILE * BLOCK);

// ---------------------------------------------------------------------------
// The blockmap

// The four coordinates of each line.  In the picture the lines of a kind are one
// path, in ascending order.
function readLines() {
    const numbers = all("#lines path").map(
        path => path.getAttribute("d").split(/[ML ]/));
    const next = numbers.map(() => 1); // after the first M
    const ends = new Float64Array(4 * lineCount);
    for (let i = 0; i < ends.length; i++) {
        const kind = data.kinds[Math.floor(i / 4)] % KINDS;
        ends[i] = numbers[kind][next[kind]++];
    }
    return ends;
}

// Cuts a path into one for each tile in which a piece of it begins.  `size` is
// the side of a tile in the path's units.
function cutPath(path, size) {
    const tiles = new Map();
    for (const piece of path.getAttribute("d").split("M").slice(1)) {
        const [x, y] = piece.split(/[^-\d.e+]/, 2);
        const tile = `${Math.floor(x / size)},${Math.floor(y / size)}`;
        tiles.set(tile, (tiles.get(tile) ?? "") + "M" + piece);
    }
    path.replaceWith(...[...tiles.values()].map(pieces => {
        const part = path.cloneNode();
        part.setAttribute("d", pieces);
        return part;
    }));
}

// The words of a block's list.
function wordsOf(block) {
    const begin = data.begins[block];
    return !(begin >= 0) ? [] : data.words
        .slice(begin, data.words.indexOf(TERMINATOR, begin))
        .filter(word => word !== HEADER);
}

const listOf = block => [...new Set(wordsOf(block))].filter(isLine);

const allBlocks = data.begins.map((begin, block) => block);

// The blocks that list a line.  `comes` tells for each word whether the line
// comes before the next terminator.
function blocksOf(line) {
    const words = data.words;
    const comes = new Uint8Array(words.length + 1);
    for (let w = words.length - 1; w >= 0; w--)
        comes[w] = words[w] === line ||
            (words[w] !== TERMINATOR && comes[w + 1]);
    return allBlocks.filter(block => comes[data.begins[block]]);
}

const sharersOf = block =>
    allBlocks.filter(other => data.begins[other] === data.begins[block]);

const columnOf = block => block % data.columns;
const rowOf = block => Math.floor(block / data.columns);
const westOf = block => data.originX + columnOf(block) * BLOCK;
const southOf = block => data.originY + rowOf(block) * BLOCK;

// The block in a column and row; -1 outside the grid.
const blockIn = (column, row) =>
    column >= 0 && column < data.columns && row >= 0 && row < data.rows
        ? row * data.columns + column : -1;

const nameBlock = block => `${columnOf(block)},${rowOf(block)}`;

// The block at a point of the map.
const blockAt = ({x, y}) => blockIn(Math.floor((x - data.originX) / BLOCK),
                                    Math.floor((y - data.originY) / BLOCK));

// The block with this south-west corner.
function blockFrom(x, y) {
    const block = blockAt({x, y});
    return block >= 0 && westOf(block) === x && southOf(block) === y
        ? block : -1;
}

// The column and row of a block with this corner, in the grid or outside it, or
// where it is if it lies across the grid.
function nameAt(x, y) {
    const column = (x - data.originX) / BLOCK, row = (y - data.originY) / BLOCK;
    return Number.isInteger(column) && Number.isInteger(row)
        ? `${column},${row}` : `at ${x},${y}`;
}

const endsOf = line => ends.subarray(4 * line, 4 * line + 4);

function distanceTo(line, {x, y}) {
    const [x1, y1, x2, y2] = endsOf(line);
    const width = x2 - x1, height = y2 - y1;
    const along = ((x - x1) * width + (y - y1) * height) /
        (width * width + height * height || 1);
    const nearest = clamp(along, 0, 1);
    return Math.hypot(x1 + nearest * width - x, y1 + nearest * height - y);
}

// The nearest line within reach of a pointer; -1 if there is none.  Far away,
// the reach is shorter than blocks are wide, to leave room to hit them.
function lineAt(point, type) {
    const reach = REACH[type] ?? REACH.mouse;
    let found = -1, least = Math.min(reach / place.scale, BLOCK / 4);
    for (let line = 0; line < lineCount; line++) {
        const distance = distanceTo(line, point);
        if (distance <= least) {
            least = distance;
            found = line;
        }
    }
    return found;
}

// ---------------------------------------------------------------------------
// The place

const place = {x: 0, y: 0, scale: data.scale};
let isWhole = true; // until the map is moved
let isWaiting = false;

// The widths of the picture at its own scale.
const strokes = all("#map [stroke-width]:not(#findings path)").map(element => ({
    element,
    width: element.getAttribute("stroke-width"),
    dashes: element.getAttribute("stroke-dasharray"),
}));
const patterns = all("#picture pattern[id$=map]").map(
    element => ({element, size: element.getAttribute("width")}));

// How many times as wide as their style says lines are, as in drawing.c.
const lineFactor = scale => clamp(scale * BLOCK / 32, 0.2, 1.4);

function drawMap() {
    const {x, y, scale} = place;
    const transform = `matrix(${scale} 0 0 ${-scale} ` +
        `${view.clientWidth / 2 - scale * x} ` +
        `${view.clientHeight / 2 + scale * y})`;
    at("map").setAttribute("transform", transform);
    at("marks-map").setAttribute("transform", transform);
}

// Marked blocks have a border, which is wide where they are small.
function drawStrokes() {
    const block = BLOCK * place.scale;
    const border = clamp((LEAST_MARK - block) / 2, 1.6, MOST_BORDER);
    const pixels = data.scale / place.scale;
    const factor = pixels * lineFactor(place.scale) / lineFactor(data.scale);
    for (const {element, width, dashes} of strokes) {
        element.setAttribute("stroke-width", width * factor);
        if (dashes)
            element.setAttribute("stroke-dasharray", dashes.split(" ")
                .map(dash => dash * factor).join(" "));
    }
    for (const path of all("#findings path"))
        path.setAttribute("stroke-width", (path.matches(".harmless, .extra")
            ? 0.8 : border) / block);
    // Far away, lines let the colours through.
    at("lines").style.opacity = clamp(block / 6, 0.35, 1);
    for (const {element, size} of patterns)
        for (const side of ["width", "height"])
            element.setAttribute(side, size * pixels);
}

// Writes the numbers of columns or rows, each 1, 2, 5, 10, 20 ... after the one
// before, so that they have so many pixels.  `placeOf` returns where a number
// is, if it is in sight.
function drawNumbers(id, count, pixels, placeOf) {
    let step = 1;
    for (let i = 0; step * BLOCK * place.scale < pixels; i++)
        step *= i % 3 === 1 ? 2.5 : 2;
    at(id).innerHTML = Array.from({length: Math.ceil(count / step)}, (_, i) => {
        const [x, y] = placeOf((i * step + 0.5) * BLOCK * place.scale) || [];
        return y ? `<text x="${x}" y="${y}">${i * step}</text>` : "";
    }).join("");
}

// The bands are as in page.html.
function drawEdges() {
    const width = view.clientWidth, height = view.clientHeight;
    const corner = toScreen(data.originX, data.originY);
    drawNumbers("row-numbers", data.rows, 22, up => {
        const y = corner.y - up;
        return y >= 10 && y <= height - 28 && [30, y + 4];
    });
    drawNumbers("column-numbers", data.columns, 44, right => {
        const x = corner.x + right;
        return x >= 36 && x <= width - 20 && [x, height - 6];
    });
}

function draw() {
    isWaiting = false;
    drawMap();
    drawStrokes();
    drawEdges();
}

function drawSoon() {
    if (!isWaiting)
        requestAnimationFrame(draw);
    isWaiting = true;
}

const toScreen = (x, y) => ({
    x: view.clientWidth / 2 + (x - place.x) * place.scale,
    y: view.clientHeight / 2 - (y - place.y) * place.scale,
});

const toMap = (x, y) => ({
    x: place.x + (x - view.clientWidth / 2) / place.scale,
    y: place.y - (y - view.clientHeight / 2) / place.scale,
});

function moveTo(x, y) {
    place.x = clamp(x, data.west, data.east);
    place.y = clamp(y, data.south, data.north);
    isWhole = false;
    drawSoon();
}

function moveBy(x, y) {
    moveTo(place.x - x / place.scale, place.y + y / place.scale);
}

// The scale at which the whole map is seen.
function wholeScale() {
    return Math.min((view.clientWidth - 90) / (data.east - data.west),
                    (view.clientHeight - 60) / (data.north - data.south));
}

function showWhole() {
    place.scale = Math.max(wholeScale(), 1e-4);
    moveTo((data.west + data.east) / 2 - 15 / place.scale,
           (data.south + data.north) / 2 - 10 / place.scale);
    isWhole = true;
}

// Zooms so that a point of the view stays where it is.
function zoomAt(factor, x, y) {
    const before = toMap(x, y);
    const least = Math.min(wholeScale(), data.scale) / 2;
    place.scale = clamp(place.scale * factor, Math.max(least, 1e-4), 16);
    const after = toMap(x, y);
    moveTo(place.x + before.x - after.x, place.y + before.y - after.y);
}

function zoom(factor) {
    zoomAt(factor, view.clientWidth / 2, view.clientHeight / 2);
}

// Moves the map if a point of it is out of sight, or at the edge.
function reveal(x, y) {
    const edge = 60, point = toScreen(x, y);
    if (point.x < edge || point.x > view.clientWidth - edge ||
        point.y < edge || point.y > view.clientHeight - edge)
        moveTo(x, y);
}

// ---------------------------------------------------------------------------
// What is chosen

let chosenBlock = -1;

const squareAt = (x, y) => `M${x} ${y}h${BLOCK}v${BLOCK}h${-BLOCK}z`;
const square = block => squareAt(westOf(block), southOf(block));

const stretch = line => {
    const [x1, y1, x2, y2] = endsOf(line);
    return `M${x1} ${y1}L${x2} ${y2}`;
};

function mark(chosen, blocks, lines) {
    const path = lines.map(stretch).join("");
    at("chosen").setAttribute("d", chosen);
    at("marked-blocks").setAttribute("d", blocks.map(square).join(""));
    at("casing").setAttribute("d", path);
    at("marked-lines").setAttribute("d", path);
}

function say(...elements) {
    at("choice").replaceChildren(...elements);
    at("choice").scrollTop = 0;
}

function paragraph(text, name = "p") {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
}

function buttonOf(text, press) {
    const button = paragraph(text, "button");
    button.type = "button";
    button.addEventListener("click", press);
    return button;
}

// Numbers as buttons that choose their linedefs or blocks.
function numbers(list, choose, label, nameOf = number => number) {
    const element = document.createElement("div");
    for (const number of list.slice(0, MOST_SHOWN)) {
        // The choice replaces the button, so the map gets the keys.
        const button = buttonOf(nameOf(number), () => {
            choose(number);
            view.focus();
        });
        button.title = `${label} ${button.textContent}`;
        element.append(button);
    }
    if (list.length > MOST_SHOWN)
        element.append(paragraph(`and ${list.length - MOST_SHOWN} more`));
    return element;
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function chooseNone(text = "Click on a linedef to see which blocks list it, " +
                    "or on a block to see what it lists.") {
    chosenBlock = -1;
    mark("", [], []);
    say(paragraph(text));
}

function describeList(block) {
    const words = wordsOf(block), linedefs = listOf(block);
    const sharers = sharersOf(block);
    if (data.begins[block] < 0)
        return [paragraph("The list cannot be read: " +
                          FAULTS[-data.begins[block]])];
    return [
        paragraph(linedefs.length === 0 ? "No linedefs"
                  : counted(linedefs.length, "linedef") + ":"),
        numbers(linedefs, chooseLine, "linedef"),
        ...words.length === linedefs.length ? []
            : [paragraph("Its words: " + words.join(" "))],
        ...sharers.length < 2 || linedefs.length === 0 ? []
            : [paragraph(`The list of ${sharers.length} blocks:`),
               numbers(sharers, chooseBlock, "block", nameBlock)],
    ];
}

// Chooses a block by its south-west corner.  It may be outside the grid, or of
// another one.  Marks its linedefs, or only one.
function choosePlace(x, y, line) {
    const block = blockFrom(x, y);
    const which = block >= 0 ? `number ${block}`
        : `${blockAt({x, y}) < 0 ? "outside" : "across"} the grid`;
    chosenBlock = block;
    mark(squareAt(x, y), [], line !== undefined ? [line].filter(isLine)
         : listOf(block));
    say(paragraph(`Block ${nameAt(x, y)}`, "h2"),
        paragraph(`at ${x},${y}, to ${x + BLOCK},${y + BLOCK}; ${which}`),
        ...describeFound(entry => entry[1] === x && entry[2] === y,
                         found => numbers(found.map(entry => entry[3]),
                                          chooseLine, "linedef")),
        ...block >= 0 ? describeList(block) : []);
    reveal(x + BLOCK / 2, y + BLOCK / 2);
}

const chooseBlock = block => choosePlace(westOf(block), southOf(block));

function chooseLine(line) {
    if (!isLine(line)) {
        chooseNone(`Linedef ${line} is only in the old file.`);
        return;
    }
    chosenBlock = -1;
    const [x1, y1, x2, y2] = endsOf(line);
    const blocks = blocksOf(line);
    const count = blocks.length, expected = data.expected[line] ?? count;
    mark("", blocks, [line]);
    const sides = data.kinds[line] < KINDS ? "one-sided" : "two-sided";
    say(paragraph(`Linedef ${line}`, "h2"),
        paragraph(`${sides}, from ${x1},${y1} to ${x2},${y2}`),
        paragraph((count > 0 ? `In ${counted(count, "block")}` : "In no block") +
                  (expected !== count ? ` (should be in ${expected})` : "")),
        numbers(blocks, chooseBlock, "block", nameBlock),
        ...describeFound(
            entry => entry[3] === line,
            found => numbers(found, chooseEntry, "block", nameOf)));
    reveal((x1 + x2) / 2, (y1 + y2) / 2);
}

function chooseAt(point, isBlockWanted, type) {
    const line = isBlockWanted ? -1 : lineAt(point, type);
    const block = blockAt(point);
    if (line >= 0)
        chooseLine(line);
    else if (block >= 0)
        chooseBlock(block);
    else
        chooseNone();
}

// ---------------------------------------------------------------------------
// What is found: entries [kind, x, y of the block, linedef or -1]

const isLine = line => line >= 0 && line < lineCount;

// The entries that are listed, kind by kind, and their rows.
const rows = [];
let current = -1;

const nameOf = ([, x, y]) => nameAt(x, y);

// For each kind the entries that match: a heading, and `list` of them.
const describeFound = (matches, list) =>
    data.findings.flatMap(([id, label], kind) => {
        const found = data.entries.filter(
            entry => entry[0] === kind && entry[3] >= 0 && matches(entry));
        if (found.length === 0)
            return [];
        const heading = paragraph(`${label}:`);
        heading.className = id;
        return [heading, list(found)];
    });

// Goes to where an entry is, so near that its block is seen.
function chooseEntry([, x, y, line]) {
    place.scale = Math.max(place.scale, LEAST_SHOWN / BLOCK);
    choosePlace(x, y, line < 0 ? undefined : line);
    drawSoon();
}

function chooseNext(step) {
    if (rows.length === 0)
        return;
    current = (Math.max(current + step, -1) + rows.length) % rows.length;
    const {entry, row} = rows[current];
    for (const list of all("select"))
        list.value = list === row.parentElement ? current : "";
    chooseEntry(entry);
}

// Adds the folded list of a kind, and unfolds the first one that has entries.
function addList([id, label, found], kind) {
    const listed = data.entries.filter(entry => entry[0] === kind)
        .slice(0, MOST_ROWS);
    const more = found - listed.length;
    const details = document.createElement("details");
    details.open = found > 0 && rows.length === 0;
    details.innerHTML = `<summary><svg class="${id}" width="30" height="14">` +
        '<path d="M1 1h28v12H1z" stroke="currentColor" ' +
        `fill="url(#${id}-legend)"/></svg> ${label} <b>${found}</b></summary>` +
        `<select id="list-${id}" size="12"></select>`;
    const list = details.lastChild;
    for (const entry of listed) {
        const [, x, y, line] = entry;
        const what = line < 0 ? "list of" : `linedef ${line} in`;
        const row = new Option(`${what} block ${nameAt(x, y)}`, rows.length);
        rows.push({entry, row});
        list.add(row);
    }
    list.hidden = found === 0;
    details.append(paragraph(found === 0 ? "none" : more === 0 ? ""
                             : `and ${more} more, which are not listed`));
    list.onchange = list.onclick = () => {
        if (list.value === "")
            return;
        current = Number(list.value);
        chooseNext(0);
    };
    at("found").append(details);
}

data.findings.forEach((finding, kind) => {
    if (data.shown >> kind & 1)
        addList(finding, kind);
});

// ---------------------------------------------------------------------------
// Mouse and fingers

const pointers = new Map(); // where each was last
let travelled = 0; // pixels since the first went down

function inView(event) {
    const box = view.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
}

const span = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// The map follows a finger.  With two fingers it zooms at the one that rests.
function follow(event) {
    const before = pointers.get(event.pointerId), now = inView(event);
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId);
    travelled += span(before, now);
    pointers.set(event.pointerId, now);
    if (other)
        zoomAt(span(now, other[1]) / (span(before, other[1]) || 1),
               other[1].x, other[1].y);
    else if (travelled > STILL)
        moveBy(now.x - before.x, now.y - before.y);
}

view.addEventListener("pointerdown", event => {
    if (event.button !== 0)
        return;
    travelled = pointers.size === 0 ? 0 : Infinity;
    pointers.set(event.pointerId, inView(event));
    view.setPointerCapture(event.pointerId);
});

view.addEventListener("pointermove", event => {
    const {x, y} = inView(event);
    const point = toMap(x, y);
    const block = blockAt(point);
    at("pointed").textContent =
        `${Math.round(point.x)},${Math.round(point.y)}` +
        (block >= 0 ? ` in block ${nameBlock(block)}` : "");
    if (pointers.has(event.pointerId))
        follow(event);
});

view.addEventListener("pointerup", event => {
    if (pointers.delete(event.pointerId) && pointers.size === 0 &&
        travelled <= STILL) {
        const {x, y} = inView(event);
        chooseAt(toMap(x, y), event.shiftKey, event.pointerType);
    }
});

view.addEventListener("pointercancel",
                      event => pointers.delete(event.pointerId));

view.addEventListener("wheel", event => {
    const {x, y} = inView(event);
    const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
    event.preventDefault();
    zoomAt(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), x, y);
}, {passive: false});

// ---------------------------------------------------------------------------
// Keys

// Moves the choice to the next block, or the map.
function pressArrow({shiftKey}, right, up) {
    if (chosenBlock < 0 || shiftKey) {
        moveBy(-80 * right, 80 * up);
        return;
    }
    const next = blockIn(columnOf(chosenBlock) + right,
                         rowOf(chosenBlock) + up);
    if (next >= 0)
        chooseBlock(next);
}

const KEYS = {
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    "0": showWhole,
    n: () => chooseNext(1),
    p: () => chooseNext(-1),
    Enter: () => chooseBlock(Math.max(blockAt(place), 0)), // in the middle
    ArrowLeft: event => pressArrow(event, -1, 0),
    ArrowRight: event => pressArrow(event, 1, 0),
    ArrowUp: event => pressArrow(event, 0, 1),
    ArrowDown: event => pressArrow(event, 0, -1),
};

view.addEventListener("keydown", event => {
    if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey)
        return;
    KEYS[event.key](event);
    event.preventDefault();
});

document.addEventListener("keydown", event => {
    if (event.key !== "Escape")
        return;
    chooseNone();
    view.focus();
});

at("closer").addEventListener("click", () => zoom(1.5));
at("farther").addEventListener("click", () => zoom(1 / 1.5));
at("whole").addEventListener("click", showWhole);

// Chooses linedef "7" or "linedef 7", block "9,8", "block 7" by its number, or
// "at 64,-128" in map units.  A line of a report names its block in this way.
const FIND_LINE = /^(?:l|line|linedef)? *(\d+)$/i;
const FIND_NUMBER = /^b(?:lock)? *(\d+)$/i;
const FIND_CELL = /^(?:(?:.* )?b(?:lock)? *)?(-?\d+) *, *(-?\d+)(?: +at .*)?$/i;
const FIND_POINT =
    /^(?:(?:.* )?block +)?at +(-?[\d.]+) *, *(-?[\d.]+)(?:[,:].*)?$/i;

function find(text) {
    const [line, number, cell, point] =
        [FIND_LINE, FIND_NUMBER, FIND_CELL, FIND_POINT].map(
            form => text.match(form)?.slice(1).map(Number));
    const [x, y] = point ||
        cell?.map((index, i) => [data.originX, data.originY][i] + index * BLOCK)
        || [];
    const block = number ? number[0] : blockAt({x, y});
    if (line && isLine(line[0]))
        chooseLine(line[0]);
    else if (line)
        chooseNone(`There is no linedef ${line[0]}; linedefs 0 to ` +
                   `${lineCount - 1} were expected.`);
    else if (data.entries.some(entry => entry[1] === x && entry[2] === y))
        choosePlace(x, y);
    else if (block >= 0 && block < data.begins.length)
        chooseBlock(block);
    else if (number || cell || point)
        chooseNone("There is no such block; blocks 0,0 to " +
                   `${data.columns - 1},${data.rows - 1} were expected.`);
    else
        chooseNone(`\u201c${text}\u201d is neither a linedef, such as ` +
                   "\u201c7\u201d, nor a block, such as \u201c9,8\u201d, " +
                   "\u201cblock 7\u201d or \u201cat 64,-128\u201d.");
}

at("find").addEventListener("submit", event => {
    event.preventDefault();
    find(at("wanted").value.trim());
});

at("picture").removeAttribute("viewBox");
new ResizeObserver(() => isWhole ? showWhole() : drawSoon()).observe(view);
chooseNone();
showWhole();
