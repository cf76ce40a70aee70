// SPDX-License-Identifier: GPL-2.0-or-later
//
// The map is moved as one: `place` says which point of it is in the middle of
// the view, and how many pixels a map unit has.  What is chosen, a block or a
// line, is marked in a picture above it.  Lines are found by their distance,
// and the coordinates they have in the picture.
//
// The paths of the picture are cut into those of tiles, so that the browser
// need not look at what is out of sight.
"use strict";

const BLOCK = 128; // map units
const TILE = 32; // blocks
const TERMINATOR = -1, HEADER = -2; // words that are no linedefs
const KINDS = 4; // of lines
const REACH = 6; // pixels from a line that still hit it
const STILL = 4; // pixels that a click may move
const MOST_SHOWN = 2000; // numbers in a list
const FAULTS = ["", "its offset is in the table of offsets",
                "its offset is outside the lump", "it has no end"];

const at = id => document.getElementById(id);
const data = JSON.parse(at("data").textContent);
const view = at("view");
const lineCount = data.kinds.length;
const blockCount = data.columns * data.rows;
const ends = readLines();
cutPaths();

// ---------------------------------------------------------------------------
// The blockmap

// Four coordinates for each line.  In the picture those of a kind are in one
// path, in ascending order.
function readLines() {
    const numbers = [...document.querySelectorAll("#lines path")].map(
        path => path.getAttribute("d").split(/[ML ]/));
    const next = numbers.map(() => 1); // behind the first M
    const all = new Float64Array(4 * lineCount);
    for (let line = 0; line < lineCount; line++) {
        const kind = data.kinds[line] % KINDS;
        for (let i = 0; i < 4; i++)
            all[4 * line + i] = numbers[kind][next[kind]++];
    }
    return all;
}

// Cuts a path into one for each tile that has a beginning of a piece in it; a
// tile has so many of the path's units.
function cutPath(path, size) {
    const tiles = new Map();
    for (const piece of path.getAttribute("d").split("M").slice(1)) {
        const [x, y] = piece.split(/[^-\d.e+]/, 2);
        const tile = `${Math.floor(x / size)},${Math.floor(y / size)}`;
        if (!tiles.has(tile))
            tiles.set(tile, []);
        tiles.get(tile).push("M", piece);
    }
    path.replaceWith(...[...tiles.values()].map(pieces => {
        const part = path.cloneNode();
        part.setAttribute("d", pieces.join(""));
        return part;
    }));
}

function cutPaths() {
    for (const path of document.querySelectorAll("#lines path"))
        cutPath(path, TILE * BLOCK);
    for (const path of document.querySelectorAll("#colours path"))
        cutPath(path, TILE);
    for (const id of ["groups", "group-borders"])
        if (at(id))
            cutPath(at(id), TILE);
}

// The words of a block's list: linedefs, each once, and what is odd about it.
function listOf(block) {
    const words = [];
    for (let w = data.begins[block]; w >= 0 && data.words[w] !== TERMINATOR;
         w++)
        if (data.words[w] !== HEADER)
            words.push(data.words[w]);
    const last = new Map(words.map((line, i) => [line, i]));
    const known = words.map(line => line < lineCount);
    return {
        linedefs: words.filter((line, i) => known[i] && last.get(line) === i),
        repeated: words.filter((line, i) => known[i] && last.get(line) !== i),
        tooLarge: words.filter((line, i) => !known[i]),
    };
}

// The blocks that list a line.  From the end to the beginning, each word knows
// whether the line comes before the next terminator.
function blocksOf(line) {
    const words = data.words;
    const comes = new Uint8Array(words.length + 1);
    for (let w = words.length - 1; w >= 0; w--)
        comes[w] = words[w] === line ||
            (words[w] !== TERMINATOR && comes[w + 1]);
    const blocks = [];
    for (let block = 0; block < blockCount; block++)
        if (data.begins[block] >= 0 && comes[data.begins[block]])
            blocks.push(block);
    return blocks;
}

function sharersOf(block) {
    const sharers = [];
    for (let other = 0; other < blockCount; other++)
        if (data.begins[other] === data.begins[block])
            sharers.push(other);
    return sharers;
}

const columnOf = block => block % data.columns;
const rowOf = block => Math.floor(block / data.columns);
const westOf = block => data.originX + columnOf(block) * BLOCK;
const southOf = block => data.originY + rowOf(block) * BLOCK;

// The block at a point of the map; -1 outside of the grid.
function blockAt({x, y}) {
    const column = Math.floor((x - data.originX) / BLOCK);
    const row = Math.floor((y - data.originY) / BLOCK);
    return column >= 0 && column < data.columns && row >= 0 && row < data.rows
        ? row * data.columns + column : -1;
}

function distanceTo(line, {x, y}) {
    const [x1, y1, x2, y2] = ends.subarray(4 * line, 4 * line + 4);
    const width = x2 - x1, height = y2 - y1;
    const along = ((x - x1) * width + (y - y1) * height) /
        (width * width + height * height || 1);
    const nearest = Math.min(1, Math.max(0, along));
    return Math.hypot(x1 + nearest * width - x, y1 + nearest * height - y);
}

// The nearest line within reach; -1 if there is none.  From afar, reach leaves
// room to hit blocks.
function lineAt(point) {
    let found = -1, least = Math.min(REACH / place.scale, BLOCK / 4);
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

// Widths that the picture has at its own scale.
const strokes = [...document.querySelectorAll("#picture [stroke-width]")].map(
    element => ({
        element,
        width: element.getAttribute("stroke-width"),
        dashes: element.getAttribute("stroke-dasharray"),
    })).filter(({element}) => !element.closest("defs"));
const patterns = [...document.querySelectorAll("#picture pattern[id$=map]")]
    .map(element => ({element, size: element.getAttribute("width")}));

// How much wider lines are on the screen than in the picture.
function growth(scale) {
    const {block, least, most} = data.widths;
    const factor = scale => clamp(scale * BLOCK / block, least, most);
    return factor(scale) / factor(data.scale);
}

function drawMap() {
    const {x, y, scale} = place;
    const transform = `matrix(${scale} 0 0 ${-scale} ` +
        `${view.clientWidth / 2 - scale * x} ` +
        `${view.clientHeight / 2 + scale * y})`;
    at("map").setAttribute("transform", transform);
    at("marks-map").setAttribute("transform", transform);
}

function drawStrokes() {
    const pixels = data.scale / place.scale;
    const factor = pixels * growth(place.scale);
    for (const {element, width, dashes} of strokes) {
        element.setAttribute("stroke-width", width * factor);
        if (dashes)
            element.setAttribute("stroke-dasharray", dashes.split(" ")
                .map(dash => dash * factor).join(" "));
    }
    // From afar, lines let the colours through.
    at("lines").style.opacity = clamp(place.scale * BLOCK / 6, 0.35, 1);
    for (const {element, size} of patterns) {
        element.setAttribute("width", size * pixels);
        element.setAttribute("height", size * pixels);
    }
}

// The least step with so many pixels between numbers.
function chooseStep(pixels) {
    return data.steps.find(step => step * BLOCK * place.scale >= pixels) ||
        data.steps[data.steps.length - 1];
}

// Writes the numbers of columns or rows that are from `low` to `high` on the
// screen, where number 0 is at `first` and each is `size` behind the last.
function drawNumbers(group, count, step, first, size, low, high, where) {
    const texts = [];
    const begin = Math.max(0, Math.ceil((size > 0 ? low - first : high - first)
                                        / size / step)) * step;
    for (let i = begin; i < count; i += step) {
        const middle = first + i * size;
        if (middle < low || middle > high)
            break;
        const text = document.createElementNS(group.namespaceURI, "text");
        text.setAttribute("x", where(middle)[0]);
        text.setAttribute("y", where(middle)[1]);
        text.textContent = i;
        texts.push(text);
    }
    group.replaceChildren(...texts);
}

function drawEdges() {
    const width = view.clientWidth, height = view.clientHeight;
    const left = 36, below = 20; // of the bands
    const block = BLOCK * place.scale;
    const first = toScreen(data.originX + BLOCK / 2, data.originY + BLOCK / 2);
    setAll(at("row-band"), {width: left, height});
    setAll(at("column-band"), {x: left, y: height - below,
                               width: Math.max(0, width - left),
                               height: below});
    drawNumbers(at("row-numbers"), data.rows, chooseStep(data.rowNumber),
                first.y, -block, 10, height - below - 10,
                y => [left - 6, y + 4]);
    drawNumbers(at("column-numbers"), data.columns,
                chooseStep(data.columnNumber), first.x, block, left + 20,
                width - 20, x => [x, height - 6]);
}

function setAll(element, attributes) {
    for (const [name, value] of Object.entries(attributes))
        element.setAttribute(name, value);
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

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

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

// Moves the map if a point of it is out of sight.
function reveal(x, y) {
    const point = toScreen(x, y);
    if (point.x < 50 || point.x > view.clientWidth - 20 || point.y < 20 ||
        point.y > view.clientHeight - 40)
        moveTo(x, y);
}

// ---------------------------------------------------------------------------
// What is chosen

let chosenBlock = -1;

const square = block =>
    `M${westOf(block)} ${southOf(block)}h${BLOCK}v${BLOCK}h${-BLOCK}z`;

const stretch = line => {
    const [x1, y1, x2, y2] = ends.subarray(4 * line, 4 * line + 4);
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

// Numbers that each lead to what they are the number of.
function numbers(list, choose, label) {
    const element = document.createElement("div");
    for (const number of list.slice(0, MOST_SHOWN)) {
        const button = paragraph(number, "button");
        button.type = "button";
        button.title = `${label} ${number}`;
        // The button is about to go, so the keys go to the map.
        button.addEventListener("click", () => {
            choose(number);
            view.focus();
        });
        element.append(button);
    }
    if (list.length > MOST_SHOWN)
        element.append(paragraph(`and ${list.length - MOST_SHOWN} more`));
    return element;
}

// The same for what leads nowhere.
function oddities(label, list) {
    const more = list.length - MOST_SHOWN;
    return paragraph(`${label}: ${list.slice(0, MOST_SHOWN).join(" ")}` +
                     (more > 0 ? ` and ${more} more` : ""));
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function chooseNone(text = "Click on a linedef to see which blocks list it, " +
                    "or on a block to see what it lists.") {
    chosenBlock = -1;
    mark("", [], []);
    say(paragraph(text));
}

function describeList(block) {
    const {linedefs, repeated, tooLarge} = listOf(block);
    const sharers = sharersOf(block);
    const parts = [];
    if (data.begins[block] < 0)
        return [paragraph("The list cannot be read: " +
                          FAULTS[-data.begins[block]])];
    parts.push(paragraph(linedefs.length === 0 ? "No linedefs"
                         : counted(linedefs.length, "linedef") + ":"));
    parts.push(numbers(linedefs, chooseLine, "linedef"));
    if (repeated.length > 0)
        parts.push(oddities("Listed once more", repeated));
    if (tooLarge.length > 0)
        parts.push(oddities("No linedefs of the map", tooLarge));
    if (sharers.length > 1 && linedefs.length > 0)
        parts.push(paragraph(`The list of ${sharers.length} blocks:`),
                   numbers(sharers, chooseBlock, "block"));
    return parts;
}

function chooseBlock(block) {
    const west = westOf(block), south = southOf(block);
    chosenBlock = block;
    mark(square(block), [], listOf(block).linedefs);
    say(paragraph(`Block ${block}, column ${columnOf(block)}, ` +
                  `row ${rowOf(block)}`, "h2"),
        paragraph(`from ${west},${south} to ${west + BLOCK},${south + BLOCK}`),
        ...describeList(block));
    reveal(west + BLOCK / 2, south + BLOCK / 2);
}

function describeLine(line) {
    const [special, tag] = data.specials[line] || [0];
    const parts = [data.kinds[line] >= KINDS ? "two-sided" : "one-sided"];
    if (special !== 0)
        parts.push(`special ${special}`);
    if (tag)
        parts.push(tag);
    return parts.join(", ");
}

function chooseLine(line) {
    chosenBlock = -1;
    const [x1, y1, x2, y2] = ends.subarray(4 * line, 4 * line + 4);
    const blocks = blocksOf(line);
    mark("", blocks, [line]);
    say(paragraph(`Linedef ${line}`, "h2"), paragraph(describeLine(line)),
        paragraph(`from ${x1},${y1} to ${x2},${y2}`),
        paragraph(blocks.length === 0 ? "In no block"
                  : `In ${counted(blocks.length, "block")}:`),
        numbers(blocks, chooseBlock, "block"));
    reveal((x1 + x2) / 2, (y1 + y2) / 2);
}

function chooseAt(point, isBlockWanted) {
    const line = isBlockWanted ? -1 : lineAt(point);
    const block = blockAt(point);
    if (line >= 0)
        chooseLine(line);
    else if (block >= 0)
        chooseBlock(block);
    else
        chooseNone();
}

// ---------------------------------------------------------------------------
// Mouse and fingers

const pointers = new Map(); // where each was last
let travelled = 0; // pixels since the first went down

function inView(event) {
    const box = view.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
}

const span = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// The map follows a finger; with two, the one that rests is where it zooms.
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
        (block >= 0 ? ` in block ${block}` : "");
    if (pointers.has(event.pointerId))
        follow(event);
});

view.addEventListener("pointerup", event => {
    if (pointers.delete(event.pointerId) && pointers.size === 0 &&
        travelled <= STILL) {
        const {x, y} = inView(event);
        chooseAt(toMap(x, y), event.shiftKey);
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

const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1],
                ArrowDown: [0, -1]};

function goToNextBlock([right, up]) {
    const column = columnOf(chosenBlock) + right, row = rowOf(chosenBlock) + up;
    if (column >= 0 && column < data.columns && row >= 0 && row < data.rows)
        chooseBlock(row * data.columns + column);
}

function pressArrow(arrow, isShifted) {
    if (chosenBlock >= 0 && !isShifted)
        goToNextBlock(arrow);
    else
        moveBy(-80 * arrow[0], 80 * arrow[1]);
}

// The block in the middle of the view, or the one of the grid next to it.
function chooseMiddle() {
    const east = data.originX + data.columns * BLOCK - 1;
    const north = data.originY + data.rows * BLOCK - 1;
    chooseBlock(blockAt({x: clamp(place.x, data.originX, east),
                         y: clamp(place.y, data.originY, north)}));
}

const KEYS = {
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    "0": showWhole,
    Enter: chooseMiddle,
};

view.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey)
        return;
    if (ARROWS[event.key])
        pressArrow(ARROWS[event.key], event.shiftKey);
    else if (KEYS[event.key])
        KEYS[event.key]();
    else
        return;
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

// Chooses "linedef 7", "block 7", or the block at "7,7".
function find(text) {
    const number = text.match(/^(l|line|linedef|b|block) *(\d+)$/i);
    const point = text.match(/^(-?\d+(?:\.\d+)?) *, *(-?\d+(?:\.\d+)?)$/);
    const isLine = number && /^l/i.test(number[1]);
    const block = point ? blockAt({x: +point[1], y: +point[2]})
        : number && !isLine ? +number[2] : -1;
    if (!number && !point)
        chooseNone(`\u201c${text}\u201d is neither a linedef, such as ` +
                   "\u201clinedef 7\u201d, nor a block, such as " +
                   "\u201cblock 7\u201d or \u201c64,-128\u201d.");
    else if (isLine && +number[2] < lineCount)
        chooseLine(+number[2]);
    else if (block >= 0 && block < blockCount)
        chooseBlock(block);
    else if (isLine)
        chooseNone(`There is no ${text}; linedefs 0 to ${lineCount - 1} ` +
                   "were expected.");
    else
        chooseNone(`There is no block ${point ? "at " + text : number[2]}; ` +
                   `blocks 0 to ${blockCount - 1} were expected.`);
}

at("find").addEventListener("submit", event => {
    event.preventDefault();
    find(at("wanted").value.trim());
});

// ---------------------------------------------------------------------------

at("picture").removeAttribute("viewBox");
new ResizeObserver(() => isWhole ? showWhole() : drawSoon()).observe(view);
chooseNone();
showWhole();
