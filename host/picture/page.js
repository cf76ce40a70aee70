// SPDX-License-Identifier: GPL-2.0-or-later
//
// The whole map moves as one.  `place` is the point of it in the middle of the
// view, in map units, and the pixels of a map unit.  A block is known by its
// column and row, as what is missing may be outside the grid.
"use strict";

const BLOCK = 128; // map units
const TERMINATOR = -1; // the word that ends lists
const MOST_ROWS = 1000; // of what is missing
const STILL = 4; // pixels that a click may move
const FAULTS = ["", "its offset is in the table of offsets",
                "its offset is outside the lump", "it has no end"];

const at = id => document.getElementById(id);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

const data = JSON.parse(at("data").textContent);
const view = at("view");
const entries = data.missing.map(
    ([line, column, row, units, reason]) =>
        ({line, column, row, units, reason}));

// ---------------------------------------------------------------------------
// Blocks

const isInside = ({column, row}) =>
    column >= 0 && column < data.columns && row >= 0 && row < data.rows;
const cornerOf = ({column, row}) =>
    [data.originX + column * BLOCK, data.originY + row * BLOCK];
const blockAt = ({x, y}) => ({column: Math.floor((x - data.originX) / BLOCK),
                              row: Math.floor((y - data.originY) / BLOCK)});

// For each word where its list ends, and for each end where the first list that
// ends there begins.
const ends = new Int32Array(data.words.length);
for (let w = data.words.length - 1; w >= 0; w--)
    ends[w] = data.words[w] === TERMINATOR ? w : ends[w + 1];
const firsts = new Map();
for (const [, begin] of data.blocks)
    if (begin >= 0)
        firsts.set(ends[begin], Math.min(begin, firsts.get(ends[begin]) ?? begin));

// What the list of a block inside the grid is like, its linedefs, and the
// blocks that have it.
function listOf({column, row}) {
    const [offset, begin] = data.blocks[row * data.columns + column];
    const words = begin < 0 ? [] : data.words.slice(begin, ends[begin]);
    const lines = [...new Set(words)].filter(word => word in data.lines);
    const sharing = data.blocks.flatMap(([other], i) => other !== offset ? []
        : [{column: i % data.columns, row: Math.floor(i / data.columns)}]);
    const kind = begin < 0 ? `it cannot be read: ${FAULTS[-begin]}`
        : (sharing.length > 1 ? `shared by ${sharing.length} blocks`
                              : "of this block alone") +
          (firsts.get(ends[begin]) < begin ? ", nested in a longer list" : "");
    return {lines, sharing, texts: [
        `Offset ${offset}`, `List ${kind}`,
        `${counted(lines.length, "linedef")}: ${lines.join(" ")}`]};
}

const square = block => `M${cornerOf(block)}h${BLOCK}v${BLOCK}h${-BLOCK}z`;

function mark(blocks, lines, sharing) {
    const strokes = lines.map(line => "M" + data.lines[line]);
    at("marked").setAttribute("d", [...blocks.map(square), ...strokes].join(""));
    at("sharing").setAttribute("d", sharing.map(square).join(""));
}

function show(block) {
    const {lines, sharing, texts} = block && isInside(block) ? listOf(block)
        : {lines: [], sharing: [], texts: ["No block"]};
    const missing = entries.filter(({column, row}) =>
        column === block?.column && row === block?.row);
    const title = block ? `Block ${block.column},${block.row} at ` +
        cornerOf(block) : "";
    if (missing.length > 0)
        texts.push("Missing: " + missing.map(({line}) => line).join(" "));
    at("block").innerHTML = `<h2>${title}</h2>` +
        texts.map(text => `<p>${text}</p>`).join("");
    mark(block ? [block] : [], lines, sharing);
}

let chosen = null; // a block, which stays while others are pointed at

function choose(block) {
    chosen = block;
    document.querySelector("[aria-current]")?.removeAttribute("aria-current");
    show(block);
}

// ---------------------------------------------------------------------------
// The place

const place = {x: 0, y: 0, scale: data.scale};
let isWhole = true; // until the map is moved
let frame; // in which it is drawn

const strokes = ["stroke-width", "stroke-dasharray"].flatMap(name =>
    [...document.querySelectorAll(`#map [${name}]`)].map(path =>
        ({path, name, pixels: path.getAttribute(name).split(" ")})));

// How many times as wide as their style says lines are, as in map.c.
const lineFactor = scale => clamp(scale * BLOCK / 32, 0.2, 1.4) / scale;

function draw() {
    const {x, y, scale} = place;
    const factor = lineFactor(scale) / lineFactor(data.scale);
    at("map").setAttribute("transform", `matrix(${scale} 0 0 ${-scale} ` +
        `${view.clientWidth / 2 - x * scale} ` +
        `${view.clientHeight / 2 + y * scale})`);
    for (const {path, name, pixels} of strokes)
        path.setAttribute(name, pixels.map(n => n * factor).join(" "));
}

function moveTo(x, y, scale = place.scale) {
    place.x = clamp(x, data.west, data.west + data.width);
    place.y = clamp(y, data.south, data.south + data.height);
    place.scale = clamp(scale, data.scale / 8, 16);
    isWhole = false;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
}

const moveBy = (x, y) =>
    moveTo(place.x - x / place.scale, place.y + y / place.scale);

// Shows all of a part of the map.
function showPart(x, y, width, height) {
    moveTo(x + width / 2, y + height / 2,
           0.95 * Math.min(view.clientWidth / width, view.clientHeight / height));
}

function showWhole() {
    showPart(data.west, data.south, data.width, data.height);
    isWhole = true;
}

// The point of the map that is at a pointer.
function toMap({clientX, clientY}) {
    const {left, top, width, height} = view.getBoundingClientRect();
    return {x: place.x + (clientX - left - width / 2) / place.scale,
            y: place.y - (clientY - top - height / 2) / place.scale};
}

// Zooms so that a point of the map stays where it is.
function zoom(factor, {x, y} = place) {
    moveTo(x + (place.x - x) / factor, y + (place.y - y) / factor,
           place.scale * factor);
}

// ---------------------------------------------------------------------------
// What is missing: for each linedef its entries, solid ones first

const missing = [...Map.groupBy(entries, entry => entry.line).values()].sort(
    ([a], [b]) => !a.reason - !b.reason || a.line - b.line);
const rows = missing.slice(0, MOST_ROWS).map(blocks => {
    const [{line, reason}] = blocks;
    const units = blocks.reduce((sum, block) => sum + block.units, 0);
    const row = document.createElement("button");
    row.className = reason ? "solid" : "harmless";
    row.textContent = `Linedef ${line}, ${units.toFixed(1)} units, ` +
        (reason ? `solid: ${reason}` : "harmless") + ", in " +
        blocks.map(({column, row}) => `${column},${row}`).join(" ");
    row.onclick = () => goTo(row, blocks);
    return row;
});

function goTo(button, blocks) {
    const corners = blocks.map(cornerOf);
    const [west, south] = [0, 1].map(
        i => Math.min(...corners.map(corner => corner[i])) - BLOCK);
    const [east, north] = [0, 1].map(
        i => Math.max(...corners.map(corner => corner[i])) + 2 * BLOCK);
    choose(blocks[0]);
    mark(blocks, [blocks[0].line], []);
    showPart(west, south, east - west, north - south);
    button.setAttribute("aria-current", "true");
    button.scrollIntoView({block: "nearest"});
}

function goOn(step) {
    const now = rows.findIndex(row => row.ariaCurrent);
    const next = now < 0 && step < 0 ? -1 : now + step;
    rows.at(next % rows.length)?.click();
}

// ---------------------------------------------------------------------------
// Mouse and keys

let last; // where the pointer was
let moved = 0; // pixels since it went down

view.onpointerdown = event => {
    [last, moved] = [event, 0];
    view.setPointerCapture(event.pointerId);
};

view.onpointermove = event => {
    const [x, y] = last ? [event.clientX - last.clientX,
                           event.clientY - last.clientY] : [0, 0];
    last = event;
    moved += Math.hypot(x, y);
    if (event.buttons & 1)
        moveBy(x, y);
    else if (!chosen)
        show(blockAt(toMap(event)));
};

view.onclick = event => {
    const block = blockAt(toMap(event));
    if (moved <= STILL)
        choose(isInside(block) ? block : null);
};

view.onpointerleave = () => chosen || show(null);

view.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.002), toMap(event));
}, {passive: false});

// Moves the choice to the next block, or the map.
function pressArrow({shiftKey}, right, up) {
    if (!chosen || shiftKey) {
        moveBy(-80 * right, 80 * up);
        return;
    }
    const next = {column: chosen.column + right, row: chosen.row + up};
    const [x, y] = cornerOf(isInside(next) ? next : chosen);
    choose(blockAt({x, y}));
    if (Math.abs(x - place.x) * place.scale > view.clientWidth / 3 ||
        Math.abs(y - place.y) * place.scale > view.clientHeight / 3)
        moveTo(x, y);
}

// Those with long names work only where the map has the focus.
const KEYS = {
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    0: showWhole,
    n: () => goOn(1),
    p: () => goOn(-1),
    Enter: () => choose(blockAt(place)),
    ArrowLeft: event => pressArrow(event, -1, 0),
    ArrowRight: event => pressArrow(event, 1, 0),
    ArrowUp: event => pressArrow(event, 0, 1),
    ArrowDown: event => pressArrow(event, 0, -1),
};

document.onkeydown = event => {
    const {key, ctrlKey, altKey, metaKey} = event;
    if (key === "Escape")
        choose(null);
    if (!KEYS[key] || ctrlKey || altKey || metaKey ||
        (key.length > 1 && document.activeElement !== view))
        return;
    KEYS[key](event);
    event.preventDefault();
};

at("map").insertAdjacentHTML("beforeend",
    '<g id="mark"><path id="sharing"/><path id="marked"/></g>');
at("picture").removeAttribute("viewBox");
at("key").append(at("legend"));
at("legend").removeAttribute("transform");
at("missing").append(...rows);
new ResizeObserver(() => isWhole ? showWhole() : draw()).observe(view);
show(null);
