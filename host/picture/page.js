// SPDX-License-Identifier: GPL-2.0-or-later
//
// The whole map moves as one.  `place` is the point of it in the middle of the
// view, and the pixels of a map unit.  The chosen block or line is marked in a
// second picture above the map.  Lines are found by their distance, from their
// coordinates in the picture.
//
// A block is known by its corner {x, y} in the south-west, in map units, as what
// is found may lie outside the grid, or in the grid of an old file.
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
const MOST_SHOWN = 2000; // buttons in a list
const MOST_ROWS = 1000; // entries in a list of what is found
const LEAST_SHOWN = 48; // pixels of a block that is gone to
const LEAST_MARK = 14, MOST_BORDER = 6, PATTERN = 7; // as in blocks.c
const FAULTS = ["", "its offset is in the table of offsets",
                "its offset is outside the lump", "it has no end"];

const at = id => document.getElementById(id);
const all = selector => [...document.querySelectorAll(selector)];
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

const data = JSON.parse(at("data").textContent);
const view = at("view");
const lines = readLines();
const entries = data.entries.map(
    ([kind, x, y, line]) => ({kind, x, y, line})); // -1 for the whole list
for (const path of all("#map path:not(#grid, #old-grid)"))
    cutPath(path, path.closest("#block-grid") ? TILE : TILE * BLOCK);

// ---------------------------------------------------------------------------
// The blockmap

// The coordinates of each line.  In the picture the lines of a kind are one
// path, in ascending order.
function readLines() {
    const numbers = all("#lines path").map(
        path => path.getAttribute("d").slice(1).split(/[ML ]/).values());
    return Array.from(data.kinds, kind => {
        const [x1, y1, x2, y2] = Array.from(
            "1234", () => Number(numbers[kind % KINDS].next().value));
        return {x1, y1, x2, y2, sides: kind < KINDS ? "one" : "two"};
    });
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
    path.replaceWith(...Array.from(tiles.values(), pieces => {
        const part = path.cloneNode();
        part.setAttribute("d", pieces);
        return part;
    }));
}

// The words of a block's list.
function wordsOf(block) {
    const begin = data.begins[block];
    return begin < 0 ? [] : data.words
        .slice(begin, data.words.indexOf(TERMINATOR, begin))
        .filter(word => word !== HEADER);
}

const linesOf = block =>
    [...new Set(wordsOf(block))].filter(line => line in lines);

// The corners of the blocks whose list begins at a word for which this is true.
const cornersWhere = matches => data.begins.flatMap(
    (begin, block) => matches(begin) ? [cornerOf(block)] : []);

// The blocks that list a line.  `comes` tells for each word whether the line
// comes before the next terminator.
function blocksOf(line) {
    const words = data.words;
    const comes = new Uint8Array(words.length + 1);
    for (let w = words.length - 1; w >= 0; w--)
        comes[w] = words[w] === line ||
            (words[w] !== TERMINATOR && comes[w + 1]);
    return cornersWhere(begin => comes[begin]);
}

const cornerIn = (column, row) =>
    ({x: data.originX + column * BLOCK, y: data.originY + row * BLOCK});
const cornerOf = block =>
    cornerIn(block % data.columns, Math.floor(block / data.columns));
const isAt = (a, b) => a.x === b.x && a.y === b.y;

// The column and row of a point, with a fraction.
const cellOf = ({x, y}) =>
    [(x - data.originX) / BLOCK, (y - data.originY) / BLOCK];

// The block at a point; -1 outside the grid.
function blockAt(point) {
    const [column, row] = cellOf(point).map(Math.floor);
    return column >= 0 && column < data.columns && row >= 0 && row < data.rows
        ? row * data.columns + column : -1;
}

// The column and row of a block, or where it is if it lies across the grid.
const nameOf = corner => cellOf(corner).every(Number.isInteger)
    ? `${cellOf(corner)}` : `at ${corner.x},${corner.y}`;

function distanceTo({x1, y1, x2, y2}, {x, y}) {
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
    lines.forEach((line, number) => {
        const distance = distanceTo(line, point);
        if (distance <= least)
            [found, least] = [number, distance];
    });
    return found;
}

// ---------------------------------------------------------------------------
// The place

const place = {x: 0, y: 0, scale: data.scale};
let isWhole = true; // until the map is moved
let frame; // in which it is drawn

// What is as wide as the scale of the picture asks for.
const strokes = ["stroke-width", "stroke-dasharray"].flatMap(
    name => all(`#map [${name}]:not(#findings path)`).map(
        element => ({element, name, pixels: element.getAttribute(name)})));

// How many times as wide as their style says lines are, as in drawing.c.
const lineFactor = scale => clamp(scale * BLOCK / 32, 0.2, 1.4);

function drawMap() {
    const {x, y} = toScreen({x: 0, y: 0});
    for (const id of ["map", "marks-map"])
        at(id).setAttribute("transform",
            `matrix(${place.scale} 0 0 ${-place.scale} ${x} ${y})`);
}

// Marked blocks have a border, which is wide where they are small.
function drawStrokes() {
    const block = BLOCK * place.scale;
    const border = clamp((LEAST_MARK - block) / 2, 1.6, MOST_BORDER);
    const factor = data.scale / place.scale *
        lineFactor(place.scale) / lineFactor(data.scale);
    for (const {element, name, pixels} of strokes)
        element.setAttribute(
            name, pixels.split(" ").map(width => width * factor).join(" "));
    for (const path of all("#findings path"))
        path.setAttribute("stroke-width", (path.matches(".harmless, .extra")
            ? 0.8 : border) / block);
    // Far away, lines let the colours through.
    at("lines").style.opacity = clamp(block / 6, 0.35, 1);
    for (const pattern of all("pattern[id$=map]"))
        for (const side of ["width", "height"])
            pattern.setAttribute(side, PATTERN / block);
}

// Writes the numbers of columns or rows, each 1, 2, 5, 10, 20 ... after the one
// before, so that they have so many pixels.  `placeOf` returns where a number
// is, if it is in sight.
function drawNumbers(id, count, pixels, placeOf) {
    let step = 1;
    for (let i = 0; step * BLOCK * place.scale < pixels; i++)
        step *= i % 3 === 1 ? 2.5 : 2;
    at(id).innerHTML = Array.from({length: Math.ceil(count / step)}, (_, i) => {
        const [x, y] = placeOf(toScreen(
            cornerIn(i * step + 0.5, i * step + 0.5))) || [];
        return y ? `<text x="${x}" y="${y}">${i * step}</text>` : "";
    }).join("");
}

// The bands are as in page.html.
function drawEdges() {
    const {clientWidth: width, clientHeight: height} = view;
    drawNumbers("row-numbers", data.rows, 22,
                ({y}) => y >= 10 && y <= height - 28 && [30, y + 4]);
    drawNumbers("column-numbers", data.columns, 44,
                ({x}) => x >= 36 && x <= width - 20 && [x, height - 6]);
}

function drawSoon() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
        drawMap();
        drawStrokes();
        drawEdges();
    });
}

const toScreen = ({x, y}) => ({
    x: view.clientWidth / 2 + (x - place.x) * place.scale,
    y: view.clientHeight / 2 - (y - place.y) * place.scale,
});

const toMap = ({x, y}) => ({
    x: place.x + (x - view.clientWidth / 2) / place.scale,
    y: place.y - (y - view.clientHeight / 2) / place.scale,
});

function moveTo(x, y) {
    place.x = clamp(x, data.west, data.east);
    place.y = clamp(y, data.south, data.north);
    isWhole = false;
    drawSoon();
}

const moveBy = (x, y) =>
    moveTo(place.x - x / place.scale, place.y + y / place.scale);

// The scale at which the whole map is seen.
const wholeScale = () =>
    Math.max(Math.min((view.clientWidth - 90) / (data.east - data.west),
                      (view.clientHeight - 60) / (data.north - data.south)),
             1e-4);

function showWhole() {
    place.scale = wholeScale();
    moveTo((data.west + data.east) / 2 - 15 / place.scale,
           (data.south + data.north) / 2 - 10 / place.scale);
    isWhole = true;
}

// Zooms so that a point of the view, its middle if none is given, stays where it
// is.
function zoom(factor, point = toScreen(place)) {
    const before = toMap(point);
    const least = Math.min(wholeScale(), data.scale) / 2;
    place.scale = clamp(place.scale * factor, least, 16);
    const after = toMap(point);
    moveTo(place.x + before.x - after.x, place.y + before.y - after.y);
}

// Moves the map if a point of it is out of sight, or at the edge.
function reveal(point) {
    const edge = 60, {x, y} = toScreen(point);
    if (x < edge || x > view.clientWidth - edge ||
        y < edge || y > view.clientHeight - edge)
        moveTo(point.x, point.y);
}

// ---------------------------------------------------------------------------
// What is chosen

let chosen = null; // block

const square = ({x, y}) => `M${x} ${y}h${BLOCK}v${BLOCK}h${-BLOCK}z`;

function mark(block, blocks, numbers) {
    const path = numbers.map(number => lines[number])
        .map(({x1, y1, x2, y2}) => `M${x1} ${y1}L${x2} ${y2}`).join("");
    chosen = block;
    at("chosen").setAttribute("d", block ? square(block) : "");
    at("marked-blocks").setAttribute("d", blocks.map(square).join(""));
    at("casing").setAttribute("d", path);
    at("marked-lines").setAttribute("d", path);
}

function say(...elements) {
    at("choice").replaceChildren(...elements);
    at("choice").scrollTop = 0;
}

const element = (name, text, properties) => Object.assign(
    document.createElement(name), {textContent: text}, properties);

const paragraph = (text, className) =>
    element("p", text, className && {className});

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// Buttons that choose.
function buttons(label, list, nameOf, choose) {
    const group = element("div", "");
    group.append(...list.slice(0, MOST_SHOWN).map(
        item => element("button", nameOf(item), {
            title: `${label} ${nameOf(item)}`,
            onclick() {
                choose(item);
                view.focus(); // the choice replaces the button
            },
        })));
    if (list.length > MOST_SHOWN)
        group.append(paragraph(`and ${list.length - MOST_SHOWN} more`));
    return group;
}

const lineButtons = numbers =>
    buttons("linedef", numbers, number => number, chooseLine);
const blockButtons = corners => buttons("block", corners, nameOf, chooseBlock);

function chooseNone(text = "Click on a linedef to see which blocks list it, " +
                    "or on a block to see what it lists.") {
    mark(null, [], []);
    say(paragraph(text));
}

// For each kind of what is found the entries that match: a heading, and buttons.
const describeFound = (matches, buttonsOf) =>
    data.findings.flatMap(([id, label], kind) => {
        const found = entries.filter(
            entry => entry.kind === kind && entry.line >= 0 && matches(entry));
        return found.length === 0 ? []
            : [paragraph(`${label}:`, id), buttonsOf(found)];
    });

function describeList(block) {
    const begin = data.begins[block];
    const words = wordsOf(block), linedefs = linesOf(block);
    const sharers = cornersWhere(other => other === begin);
    if (begin < 0)
        return [paragraph("The list cannot be read: " + FAULTS[-begin])];
    return [
        paragraph(linedefs.length === 0 ? "No linedefs"
                  : counted(linedefs.length, "linedef") + ":"),
        lineButtons(linedefs),
        ...words.length === linedefs.length ? []
            : [paragraph("Its words: " + words.join(" "))],
        ...sharers.length < 2 || linedefs.length === 0 ? []
            : [paragraph(`The list of ${sharers.length} blocks:`),
               blockButtons(sharers)],
    ];
}

// Chooses a block, which may be outside the grid or of another one.  Marks its
// linedefs, or only the one of an entry.
function chooseBlock(corner) {
    const {x, y, line = -1} = corner;
    const block = blockAt(corner);
    const isOwn = block >= 0 && isAt(cornerOf(block), corner);
    const which = isOwn ? `number ${block}`
        : `${block < 0 ? "outside" : "across"} the grid`;
    mark(corner, [], line in lines ? [line] : isOwn ? linesOf(block) : []);
    say(element("h2", `Block ${nameOf(corner)}`),
        paragraph(`at ${x},${y}, to ${x + BLOCK},${y + BLOCK}; ${which}`),
        ...describeFound(
            entry => isAt(entry, corner),
            found => lineButtons(found.map(entry => entry.line))),
        ...isOwn ? describeList(block) : []);
    reveal({x: x + BLOCK / 2, y: y + BLOCK / 2});
}

function chooseLine(number) {
    if (!(number in lines)) {
        chooseNone(`Linedef ${number} is only in the old file.`);
        return;
    }
    const {x1, y1, x2, y2, sides} = lines[number];
    const blocks = blocksOf(number);
    const count = blocks.length, expected = data.expected[number] ?? count;
    mark(null, blocks, [number]);
    say(element("h2", `Linedef ${number}`),
        paragraph(`${sides}-sided, from ${x1},${y1} to ${x2},${y2}`),
        paragraph((count > 0 ? `In ${counted(count, "block")}` : "In no block") +
                  (expected !== count ? ` (should be in ${expected})` : "")),
        blockButtons(blocks),
        ...describeFound(entry => entry.line === number, blockButtons));
    reveal({x: (x1 + x2) / 2, y: (y1 + y2) / 2});
}

// ---------------------------------------------------------------------------
// What is found

// Goes to where the entry of a row is, so near that its block is seen.
function chooseRow(row) {
    for (const list of all("select"))
        list.value = list === row.parentElement ? row.value : "";
    place.scale = Math.max(place.scale, LEAST_SHOWN / BLOCK);
    chooseBlock(entries[row.value]);
    drawSoon();
}

function chooseNext(step) {
    const rows = all("option");
    const next = Math.max(rows.findIndex(row => row.selected) + step, -1);
    if (rows.length > 0)
        chooseRow(rows.at(next % rows.length));
}

// Adds the folded list of a kind.
function addList([id, label, found], kind) {
    const rows = entries.flatMap((entry, i) => entry.kind !== kind ? []
        : [new Option((entry.line < 0 ? "list of" : `linedef ${entry.line} in`) +
                      ` block ${nameOf(entry)}`, i)]).slice(0, MOST_ROWS);
    const more = found - rows.length;
    at("found").insertAdjacentHTML("beforeend", `<details><summary>
        <svg class="${id}" width="30" height="14"><path d="M1 1h28v12H1z"
        stroke="currentColor" fill="url(#${id}-legend)"/></svg>
        ${label} <b>${found}</b></summary>
        <select id="list-${id}" size="12"></select><p></p></details>`);
    const details = at("found").lastChild;
    const list = details.querySelector("select");
    list.append(...rows);
    list.hidden = found === 0;
    list.onchange = list.onclick = () => {
        if (list.selectedOptions.length > 0)
            chooseRow(list.selectedOptions[0]);
    };
    details.lastChild.textContent = found === 0 ? "none" : more === 0 ? ""
        : `and ${more} more, which are not listed`;
}

data.findings.forEach((finding, kind) => {
    if (data.shown >> kind & 1)
        addList(finding, kind);
});
all("details:has(option)")[0]?.toggleAttribute("open");

// ---------------------------------------------------------------------------
// Mouse and fingers.  The view begins at the corner of the window.

const pointers = new Map(); // where each was last
let travelled = 0; // pixels since the first went down

const pointOf = event => ({x: event.clientX, y: event.clientY});
const span = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// The map follows a finger.  With two fingers it zooms at the one that rests.
function follow(event) {
    const before = pointers.get(event.pointerId), now = pointOf(event);
    pointers.delete(event.pointerId);
    const [other] = pointers.values();
    pointers.set(event.pointerId, now);
    travelled += span(before, now);
    if (other)
        zoom(span(now, other) / (span(before, other) || 1), other);
    else if (travelled > STILL)
        moveBy(now.x - before.x, now.y - before.y);
}

view.onpointerdown = event => {
    if (event.button !== 0)
        return;
    travelled = pointers.size === 0 ? 0 : Infinity;
    pointers.set(event.pointerId, pointOf(event));
    view.setPointerCapture(event.pointerId);
};

view.onpointermove = event => {
    const point = toMap(pointOf(event)), block = blockAt(point);
    at("pointed").textContent =
        `${Math.round(point.x)},${Math.round(point.y)}` +
        (block >= 0 ? ` in block ${nameOf(cornerOf(block))}` : "");
    if (pointers.has(event.pointerId))
        follow(event);
};

// Chooses a line, or a block.
view.onpointerup = event => {
    const isDrag = !pointers.delete(event.pointerId) || travelled > STILL;
    const point = toMap(pointOf(event)), block = blockAt(point);
    const line = event.shiftKey ? -1 : lineAt(point, event.pointerType);
    if (isDrag || pointers.size > 0)
        return;
    if (line >= 0)
        chooseLine(line);
    else if (block >= 0)
        chooseBlock(cornerOf(block));
    else
        chooseNone();
};

view.onpointercancel = event => pointers.delete(event.pointerId);

view.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)),
         pointOf(event));
}, {passive: false});

// ---------------------------------------------------------------------------
// Keys

// Moves the choice to the next block, or the map.
function pressArrow({shiftKey}, right, up) {
    if (!chosen || shiftKey) {
        moveBy(-80 * right, 80 * up);
        return;
    }
    const next = {x: chosen.x + BLOCK * right, y: chosen.y + BLOCK * up};
    if (blockAt(next) >= 0)
        chooseBlock(next);
}

const KEYS = {
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    "0": showWhole,
    n: () => chooseNext(1),
    p: () => chooseNext(-1),
    Enter: () => chooseBlock(cornerOf(Math.max(blockAt(place), 0))),
    ArrowLeft: event => pressArrow(event, -1, 0),
    ArrowRight: event => pressArrow(event, 1, 0),
    ArrowUp: event => pressArrow(event, 0, 1),
    ArrowDown: event => pressArrow(event, 0, -1),
};

view.onkeydown = event => {
    if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey)
        return;
    KEYS[event.key](event);
    event.preventDefault();
};

document.onkeydown = event => {
    if (event.key !== "Escape")
        return;
    chooseNone();
    view.focus();
};

at("closer").onclick = () => zoom(1.5);
at("farther").onclick = () => zoom(1 / 1.5);
at("whole").onclick = showWhole;

// Chooses linedef "7" or "linedef 7", block "9,8", "block 7" by its number, or
// "at 64,-128" in map units.  A line of a report names its block in this way.
const FIND_LINE = /^(?:l|line|linedef)? *(\d+)$/i;
const FIND_NUMBER = /^b(?:lock)? *(\d+)$/i;
const FIND_CELL = /^(?:(?:.* )?b(?:lock)? *)?(-?\d+) *, *(-?\d+)$/i;
const FIND_POINT = /\bat +(-?[\d.]+) *, *(-?[\d.]+)/i;

function find(text) {
    const [line, number, cell, point] =
        [FIND_LINE, FIND_NUMBER, FIND_CELL, FIND_POINT].map(
            form => text.match(form)?.slice(1).map(Number));
    const wanted = number ? cornerOf(number[0]) : cell ? cornerIn(...cell)
        : point && {x: point[0], y: point[1]};
    if (line && line[0] in lines)
        chooseLine(line[0]);
    else if (line)
        chooseNone(`There is no linedef ${line[0]}; linedefs 0 to ` +
                   `${lines.length - 1} were expected.`);
    else if (!wanted)
        chooseNone(`\u201c${text}\u201d is neither a linedef, such as ` +
                   "\u201c7\u201d, nor a block, such as \u201c9,8\u201d, " +
                   "\u201cblock 7\u201d or \u201cat 64,-128\u201d.");
    else if (entries.some(entry => isAt(entry, wanted)))
        chooseBlock(wanted);
    else if (blockAt(wanted) >= 0)
        chooseBlock(cornerOf(blockAt(wanted)));
    else
        chooseNone("There is no such block; blocks 0,0 to " +
                   `${data.columns - 1},${data.rows - 1} were expected.`);
}

at("find").onsubmit = () => {
    find(at("wanted").value.trim());
    return false;
};

at("picture").removeAttribute("viewBox");
new ResizeObserver(() => isWhole ? showWhole() : drawSoon()).observe(view);
chooseNone();
showWhole();
