// SPDX-License-Identifier: GPL-2.0-or-later
//
// A block is known by its column and row, as what is missing may be outside the
// grid; a point is in map units.
"use strict";

const BLOCK = 128; // map units
const MOST_ROWS = 1000; // of what is missing
const STILL = 4; // pixels that a click may move

const at = id => document.getElementById(id);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const view = at("view");
const data = JSON.parse(at("data").textContent);
const entries = data.missing;

// For each word where its list ends, at a -1.
const ends = new Int32Array(data.words.length);
for (let w = data.words.length - 1; w >= 0; w--)
    ends[w] = data.words[w] === -1 ? w : ends[w + 1];

// --- Blocks ---

const nameOf = ({column, row}) => `${column},${row}`;
const cornerOf = ({column, row}) =>
    [data.origin_x + column * BLOCK, data.origin_y + row * BLOCK];
const blockAt = ({x, y}) => ({column: Math.floor((x - data.origin_x) / BLOCK),
                              row: Math.floor((y - data.origin_y) / BLOCK)});
const isInside = block => block && block.column >= 0 && block.row >= 0 &&
    block.column < data.columns && block.row < data.rows;
const square = block => `M${cornerOf(block)}h${BLOCK}v${BLOCK}h${-BLOCK}z`;

function mark(blocks, lines, sharing) {
    const paths = [...blocks.map(square),
                   ...lines.map(line => "M" + (data.lines[line] ?? "0,0"))];
    at("marked").setAttribute("d", paths.join(""));
    at("sharing").setAttribute("d", sharing.map(square).join(""));
}

function show(block) {
    const texts = block
        ? [`Block ${nameOf(block)} at ${cornerOf(block)}`] : ["No block"];
    const missing = entries.filter(
        ({column, row}) => column === block?.column && row === block?.row);
    let lines = [], sharing = [];
    if (isInside(block)) {
        const [offset, begin] =
            data.blocks[block.row * data.columns + block.column];
        const words = begin < 0 ? [] : data.words.slice(begin, ends[begin]);
        lines = [...new Set(words)].filter(word => word >= 0);
        sharing = data.blocks.flatMap(([other], i) => other !== offset ? []
            : [{column: i % data.columns, row: Math.floor(i / data.columns)}]);
        const isNested = data.blocks.some(([, other]) =>
            other >= 0 && other < begin && ends[other] === ends[begin]);
        const kind = begin < 0 ? "that cannot be read"
            : (sharing.length > 1 ? `shared by ${sharing.length} blocks`
                                  : "of this block alone") +
              (isNested ? ", nested in a longer list" : "");
        texts.push(`Offset ${offset}`, `List ${kind}`,
                   `Linedefs: ${lines.join(" ") || "none"}`);
    }
    if (missing.length > 0)
        texts.push("Missing: " + missing.map(entry => entry.linedef).join(" "));
    at("block").innerHTML = texts.map(text => `<p>${text}</p>`).join("");
    mark(block ? [block] : [], lines, sharing);
}

let chosen = null; // a block, which stays while others are pointed at

function choose(block) {
    chosen = block;
    document.querySelector("[aria-current]")?.removeAttribute("aria-current");
    show(block);
}

// --- The place: the point in the middle of the view, and pixels a map unit ---

const place = {x: 0, y: 0, scale: 0};

function draw() {
    const x = view.clientWidth / 2 - place.x * place.scale;
    const y = view.clientHeight / 2 + place.y * place.scale;
    at("map").setAttribute(
        "transform", `matrix(${place.scale} 0 0 ${-place.scale} ${x} ${y})`);
    view.style.setProperty("--line", clamp(place.scale * BLOCK / 32, 0.2, 1.4));
}

function moveTo(x, y, scale = place.scale) {
    place.x = clamp(x, data.west, data.west + data.width);
    place.y = clamp(y, data.south, data.south + data.height);
    place.scale = clamp(scale, data.scale / 8, 16);
    requestAnimationFrame(draw);
}

const moveBy = (x, y) =>
    moveTo(place.x - x / place.scale, place.y + y / place.scale);

// Shows all of a part of the map, or the whole map.
function showPart(x = data.west, y = data.south, width = data.width,
                  height = data.height) {
    moveTo(x + width / 2, y + height / 2, 0.95 * Math.min(
        view.clientWidth / width, view.clientHeight / height));
}

function pointAt({clientX, clientY}) {
    const {left, top, width, height} = view.getBoundingClientRect();
    return {x: place.x + (clientX - left - width / 2) / place.scale,
            y: place.y - (clientY - top - height / 2) / place.scale};
}

// Zooms so that a point stays where it is.
const zoom = (factor, {x, y} = place) =>
    moveTo(x + (place.x - x) / factor, y + (place.y - y) / factor,
           place.scale * factor);

// --- What is missing: a row for each linedef, solid ones first ---

function goTo(row, blocks) {
    const [x1, y1, x2, y2] = data.lines[blocks[0].linedef];
    choose(blocks[0]);
    mark(blocks, [blocks[0].linedef], []);
    showPart(Math.min(x1, x2) - BLOCK, Math.min(y1, y2) - BLOCK,
             Math.abs(x2 - x1) + 2 * BLOCK, Math.abs(y2 - y1) + 2 * BLOCK);
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({block: "nearest"});
}

const ofLine = {};
entries.forEach(entry => (ofLine[entry.linedef] ||= []).push(entry));
const missing = Object.values(ofLine).sort(
    ([a], [b]) => !a.reason - !b.reason || a.linedef - b.linedef);
const rows = missing.slice(0, MOST_ROWS).map(blocks => {
    const [{linedef, reason}] = blocks;
    const units = blocks.reduce((sum, block) => sum + block.units, 0);
    const kind = reason ? `solid: ${reason}` : "harmless";
    const row = document.createElement("button");
    row.className = reason ? "solid" : "harmless";
    row.textContent = `Linedef ${linedef}, ${units.toFixed(1)} units, ` +
        `${kind}, in ${blocks.map(nameOf).join(" ")}`;
    row.onclick = () => goTo(row, blocks);
    return row;
});

function goOn(step) {
    const now = rows.findIndex(row => row.ariaCurrent);
    const next = now < 0 && step < 0 ? -1 : now + step;
    rows.at(next % rows.length)?.click();
}

// --- Mouse and keys ---

let moved = 0; // pixels since the pointer went down

view.onpointerdown = event => {
    moved = 0;
    view.setPointerCapture(event.pointerId);
};

view.onpointermove = event => {
    moved += Math.hypot(event.movementX, event.movementY);
    if (event.buttons & 1)
        moveBy(event.movementX, event.movementY);
    else if (!chosen)
        show(blockAt(pointAt(event)));
};

view.onclick = event => moved > STILL || choose(blockAt(pointAt(event)));

view.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.002), pointAt(event));
}, {passive: false});

// Moves the choice to the next block, or the map.
function pressArrow({shiftKey}, right, up) {
    if (!chosen || shiftKey) {
        moveBy(-80 * right, 80 * up);
        return;
    }
    const next = {column: chosen.column + right, row: chosen.row + up};
    if (isInside(next))
        choose(next);
    moveTo(...cornerOf(chosen));
}

// Arrows and Enter work only where the map has the focus.
const KEYS = {
    "+": () => zoom(1.25),
    "-": () => zoom(0.8),
    0: () => showPart(),
    n: () => goOn(1),
    p: () => goOn(-1),
    Escape: () => choose(null),
    Enter: () => choose(blockAt(place)),
    ArrowLeft: event => pressArrow(event, -1, 0),
    ArrowRight: event => pressArrow(event, 1, 0),
    ArrowUp: event => pressArrow(event, 0, 1),
    ArrowDown: event => pressArrow(event, 0, -1),
};

document.onkeydown = event => {
    const isForMap = /^Arrow|Enter/.test(event.key);
    if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey ||
        (isForMap && document.activeElement !== view))
        return;
    KEYS[event.key](event);
    event.preventDefault();
};

at("map").insertAdjacentHTML(
    "beforeend", '<g id="mark"><path id="sharing"/><path id="marked"/></g>');
at("picture").removeAttribute("viewBox");
at("key").append(at("legend"));
at("legend").removeAttribute("transform");
at("missing").append(...rows, missing.length > MOST_ROWS
    ? `and ${missing.length - MOST_ROWS} more linedefs` : "");
new ResizeObserver(() => place.scale ? moveTo(place.x, place.y) : showPart())
    .observe(view);
show(null);
