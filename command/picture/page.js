// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page shows the map as one group of games finds it: these read the lump
// alike.  `data` has the words of the lump, the linedefs that are in each block,
// and what verify says of each group, such as its walls.
//
// A block is known by its column and row, as what is missing may be outside the
// grid; a point is in map units.
"use strict";

const BLOCK = 128; // map units
const MOST_ROWS = 1000; // of what is missing
const STILL = 4; // pixels that a click may move
const WALLS = { // of each kind, which is the first that can cross them
    players: "players can cross", missiles: "missiles can cross",
    shots: "shots can cross", slides: "slides may differ",
};

const at = id => document.getElementById(id);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const count = (number, noun) =>
    `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const view = at("view");
const data = JSON.parse(at("data").textContent);
const groups = data.groups;
const {expected} = data;

// For each word where its list ends, at a -1; -1 if nowhere.
const ends = new Int32Array(data.words.length);
for (let w = ends.length - 1; w >= 0; w--)
    ends[w] = data.words[w] < 0 ? w : ends[w + 1] ?? -1;

// --- Blocks ---

const nameOf = ({column, row}) => `${column},${row}`;
const cornerOf = ({column, row}) =>
    [data.origin_x + column * BLOCK, data.origin_y + row * BLOCK];
const blockAt = ({x, y}) => ({column: Math.floor((x - data.origin_x) / BLOCK),
                              row: Math.floor((y - data.origin_y) / BLOCK)});
const blockOf = number => ({column: number % data.columns,
                            row: Math.floor(number / data.columns)});
const numberOf = ({column, row}) => row * data.columns + column;
const isInside = block => block && block.column >= 0 && block.row >= 0 &&
    block.column < data.columns && block.row < data.rows;
const square = block => `M${cornerOf(block)}h${BLOCK}v${BLOCK}h${-BLOCK}z`;
const lineOf = linedef => "M" + data.lines[linedef].slice(0, 4);

// --- What a group finds ---

const isUsed = group => group.reads_headers !== undefined; // the lump, by these games
const isBuilt = group => group.verdict === "rebuilds";

// The word at which a block's list begins, for a group; -1 if there is none.  A
// lump that a group does not use is read as it was meant.
function beginOf(group, number) {
    const {column, row} = blockOf(number);
    const offset = data.words[4 + number];
    const end = group.blocks_found ?? Infinity;
    if (isUsed(group))
        return number < data.blocks && column < end && row < end
            ? offset + group.skips_first_word : -1;
    return number < data.blocks && offset >= 4 + data.blocks &&
        offset < data.words.length ? offset + data.has_headers : -1;
}

// The number of a block in the expected grid; -1 if it is outside.
function placeOf(block) {
    const column = block.column + expected.west;
    const row = block.row + expected.south;
    return column < expected.columns && row < expected.rows
        ? row * expected.columns + column : -1;
}

// The linedefs that are in block `place` of the expected grid; none in -1.
const expectedIn = place => place < 0 ? [] : expected.linedefs.slice(
    expected.starts[place], expected.starts[place + 1]);

// The linedefs in a group's list of a block; null if it cannot be read.
function listOf(group, number) {
    if (isBuilt(group))
        return expectedIn(placeOf(blockOf(number)));
    const begin = beginOf(group, number);
    return ends[begin] >= 0
        ? [...new Set(data.words.slice(begin, ends[begin]))]
        : isUsed(group) ? [] : null;
}

// Finds how many linedefs a group finds in each block, -1 if it cannot read the
// list; the blocks with extra entries; the linedefs that it finds; and the
// blocks in which others are missing.
function find(group) {
    const blocks = data.columns * data.rows;
    const found = {lengths: new Int32Array(blocks).fill(isUsed(group) - 1),
                   extra: [], linedefs: new Set(), missing: new Map()};
    const isPruned = new Set(data.pruned);
    const isDone = new Set();

    function compare(place, block, length, has) {
        const linedefs = expectedIn(place);
        const listed = linedefs.filter(has);
        isDone.add(place);
        listed.forEach(linedef => found.linedefs.add(linedef));
        if (length > listed.length)
            found.extra.push(block);
        for (const linedef of listed.length < linedefs.length ? linedefs : [])
            if (!has(linedef) && !isPruned.has(linedef) &&
                !(linedef === 0 && group.reads_headers)) {
                if (!found.missing.has(linedef))
                    found.missing.set(linedef, []);
                found.missing.get(linedef).push(block);
            }
    }

    function read(number, length, has) {
        const {column, row} = blockOf(number);
        found.lengths[number] = length;
        const place = expected ? placeOf({column, row}) : -1;
        if (place >= 0)
            compare(place, {column, row}, length, has);
        else if (expected && length > 0)
            found.extra.push({column, row});
    }

    // Lists may share their ends, so they are read from the last word to the
    // first; a linedef is in the list if it was seen before the same end.
    const begins = new Map();
    for (let number = 0; number < blocks && !isBuilt(group); number++) {
        const begin = beginOf(group, number);
        begins.has(begin) ? begins.get(begin).push(number)
                          : begins.set(begin, [number]);
    }
    const seen = new Int32Array(data.lines.length).fill(-1);
    let end = -1, length = 0;
    for (let w = data.words.length - 1; w >= 0; w--) {
        const word = data.words[w];
        if (word < 0)
            [end, length] = [w, 0];
        else if (word < seen.length && seen[word] !== end)
            [seen[word], length] = [end, length + 1];
        if (end >= 0)
            begins.get(w)?.forEach(
                number => read(number, length, linedef => seen[linedef] === end));
    }

    for (let place = 0; place < expected?.starts.length - 1; place++) {
        const block = {
            column: place % expected.columns - expected.west,
            row: Math.floor(place / expected.columns) - expected.south,
        };
        if (isBuilt(group) && isInside(block))
            read(numberOf(block), expectedIn(place).length, () => true);
        else if (isUsed(group) && !isDone.has(place))
            compare(place, block, 0, () => false);
    }
    return found;
}

let group = groups[data.first];
let found; // by it

// --- The block that is pointed at ---

function mark(blocks, lines, sharing) {
    const paths = [...blocks.map(square), ...lines.map(lineOf)];
    at("marked").setAttribute("d", paths.join(""));
    at("sharing").setAttribute("d", sharing.map(square).join(""));
}

function write(id, texts) {
    at(id).replaceChildren(...texts.map(text => {
        const line = document.createElement("p");
        line.textContent = text;
        return line;
    }));
}

// What there is to tell of the list of a block: texts, its linedefs, and the
// blocks that share it.
function describe(number) {
    const linedefs = listOf(group, number);
    const of = linedefs ? [`Linedefs: ${linedefs.join(" ") || "none"}`] : [];
    if (isBuilt(group) || number >= data.blocks)
        return {linedefs, sharing: [], texts: [
            isBuilt(group) ? "List built by the game" : "No list", ...of]};
    const offset = data.words[4 + number], begin = beginOf(group, number);
    const sharing = [];
    let isNested = false;
    for (let other = 0; other < data.blocks; other++) {
        const first = beginOf(group, other);
        if (data.words[4 + other] === offset)
            sharing.push(blockOf(other));
        isNested ||= first >= 0 && first < begin && ends[first] === ends[begin];
    }
    const kind = !linedefs ? "that cannot be read"
        : begin < 0 ? "out of reach"
        : (sharing.length > 1 ? `shared by ${sharing.length} blocks`
                              : "of this block alone") +
          (isNested ? ", nested in a longer list" : "");
    return {linedefs, sharing,
            texts: [`Offset ${offset}`, `List ${kind}`, ...of]};
}

function show(block) {
    if (!block) {
        write("block", [found.missing.size > 0
            ? "Press N, or choose a row below, to see a linedef that is missing"
            : "Point at a block to see its list",
            "Click to pin the block under the pointer. Drag to move the " +
            "map, scroll to zoom."]);
        mark([], [], []);
        return;
    }
    const texts = [`Block ${nameOf(block)} at ${cornerOf(block)}`];
    const list = isInside(block) ? describe(numberOf(block))
                                 : {texts: ["Outside the grid"], sharing: []};
    const missing = [...found.missing].filter(([, blocks]) => blocks.some(
        ({column, row}) => column === block.column && row === block.row));
    texts.push(...list.texts);
    if (missing.length > 0)
        texts.push("Missing: " + missing.map(([linedef]) => linedef).join(" "));
    write("block", texts);
    mark([block], list.linedefs?.filter(linedef => data.lines[linedef]) ?? [],
         list.sharing);
}

let chosen = null; // a block, which stays while others are pointed at

function chooseBlock(block) {
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

// --- What is missing: a row for each linedef, walls first ---

let rows = [];

function goTo(row, linedef, blocks) {
    const [x1, y1, x2, y2] = data.lines[linedef];
    chooseBlock(blocks[0]);
    mark(blocks, [linedef], []);
    showPart(Math.min(x1, x2) - BLOCK, Math.min(y1, y2) - BLOCK,
             Math.abs(x2 - x1) + 2 * BLOCK, Math.abs(y2 - y1) + 2 * BLOCK);
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({block: "nearest"});
}

function goOn(step) {
    const now = rows.findIndex(row => row.ariaCurrent);
    const next = now < 0 && step < 0 ? -1 : now + step;
    rows.at(next % rows.length)?.click();
}

const kindOf = wall =>
    Object.keys(WALLS).find(kind => wall[kind] > 0) ?? "slides";

function makeRow({linedef, kind, length, reason}) {
    const [x1, y1, x2, y2] = data.lines[linedef];
    const row = document.createElement("button");
    const what = length > 0 ? `${WALLS[kind]} ${length.toFixed(1)} units`
                            : WALLS[kind] ?? "harmless";
    row.className = kind;
    row.textContent = `Linedef ${linedef}: ${what}\n` +
        `${reason ? `${reason}, ` : ""}${x1},${y1} to ${x2},${y2}`;
    row.onclick = () => goTo(row, linedef, found.missing.get(linedef));
    return row;
}

// The lines that a group misses, each with what can cross it.
function listMissing() {
    const walls = (group.walls ?? []).map(wall => ({
        ...wall, kind: kindOf(wall), length: wall[kindOf(wall)]}));
    const isWall = new Set(walls.map(({linedef}) => linedef));
    const others = [...found.missing.keys()].sort((a, b) => a - b).filter(
        linedef => !isWall.has(linedef));
    return [...walls, ...others.map(linedef => ({linedef, kind: "harmless"}))];
}

// --- The picture of a group ---

function paintBlocks() {
    const {columns, lengths} = {...data, ...found};
    const paths = {};
    const classOf = length => length < 0
        ? (data.blocks > 0 ? "unreadable" : "none")
        : `colour-${data.classes.findLastIndex(least => least <= length)}`;
    for (let number = 0, end; number < lengths.length; number = end) {
        const {column, row} = blockOf(number);
        const name = classOf(lengths[number]);
        end = number + 1;
        while (end % columns && classOf(lengths[end]) === name)
            end++;
        paths[name] ??= [];
        paths[name].push(`M${column} ${row}h${end - number}v1H${column}z`);
    }
    for (const path of at("colours").children)
        path.setAttribute("d", paths[path.id]?.join("") ?? "");
    at("extra").setAttribute("d", found.extra.map(
        ({column, row}) => `M${column} ${row}l1 1`).join(""));
}

function paintLines(missing) {
    const kinds = [...at("lines").children].map(path => path.id);
    const isKnown = expected && (data.blocks > 0 || isBuilt(group));
    const paths = {};
    const add = (id, linedef) => (paths[id] ??= []).push(lineOf(linedef));
    data.lines.forEach(([, , , , kind], linedef) => add(
        isKnown && !found.linedefs.has(linedef) ? "left-out" : kinds[kind],
        linedef));
    missing.forEach(({kind, linedef}) => add(kind, linedef));
    for (const path of document.querySelectorAll("#lines path, #walls path"))
        path.setAttribute("d", paths[path.id]?.join("") ?? "");
}

// The legend has what is drawn, and how often.
function writeLegend(missing) {
    const counts = {extra: group.extra_entries};
    missing.forEach(({kind}) => counts[kind] = (counts[kind] ?? 0) + 1);
    for (const item of at("key").children) {
        const {kind, label} = item.dataset;
        const number = counts[kind];
        item.hidden = !(kind ? at(kind).getAttribute("d")
            : document.querySelector('#colours path:not([d=""])'));
        item.lastChild.textContent =
            number ? ` ${label}: ${number.toLocaleString("en")}` : ` ${label}`;
    }
}

// --- The sentence, and the buttons ---

// The first games of a group, and how many more there are.
function gamesOf({games}) {
    const parts = games.split("; ").map(part => /^(.*?)( \(.*\))?$/.exec(part));
    const all = new Set(parts.flatMap(([, names]) => names.split(", ")));
    const [[, names, level = ""]] = parts;
    const first = names.split(", ").slice(0, 2);
    const more = all.size - first.length;
    return first.join(more > 0 ? ", " : " and ") + level +
        (more > 0 ? ` and ${count(more, "more game")}` : "");
}

// What can cross walls of a group, and how many of them.
function crossOf(group) {
    const kind = Object.keys(WALLS).find(kind => group[`${kind}_cross`] > 0);
    const walls = group[`${kind}_cross`];
    return {kind, walls: (group.at_most ? "at most " : "") +
        count(walls ?? 0, "wall")};
}

function sentenceOf(group) {
    const {kind, walls} = crossOf(group);
    const cross = {players: "walk", missiles: "fly", shots: "go"}[kind];
    const isAnyBad = groups.some(
        each => !/loads|rebuilds/.test(each.verdict));
    const games = isAnyBad ? gamesOf(group) : "all these games";
    switch (group.verdict) {
    case "loads": return group.far ? `In ${games}, ${FAR[group.far]}.`
        : `In ${games}, nothing can pass a wall.`;
    case "wrong": return !kind ? `In ${games}, ${FAR[group.far]}.` : `In ${games}, ${kind} can ${cross} through ${walls}.`;
    case "rebuilds": return `${gamesOf(group)} build their own blockmap, without gaps.`;
    case "crashes": return `${games} crash on this map, or refuse it.`;
    default: return `What ${games} find is unknown.`;
    }
}

// What lines far from the grid's origin may not do.
const FAR = {
    walls: "walls that are too far from the grid's origin may not block",
    shots: "shots may pass walls that are too far from the grid's origin",
};

// Why, and what else is to be told.
const remarksOf = group => [
    group.why ?? (group.verdict === "unknown" ? data.doubt : null),
    group.slides_only > 0 && `at ${count(group.slides_only, "wall")}, players ` +
        "may slide in another way, so demos may differ",
    crossOf(group).kind && FAR[group.far],
    group.reads_headers && "linedef 0 is tested in every block",
].map(text => text ? `${text[0].toUpperCase()}${text.slice(1)}. ` : "").join("");

const verdictOf = group => ({
    loads: group.far ? "shots may pass" : "good",
    wrong: crossOf(group).kind ? `${crossOf(group).kind} cross ${crossOf(group).walls}`
        : "walls may not block",
    rebuilds: "builds its own",
})[group.verdict] ?? group.verdict;

function choose(next) {
    group = next;
    next.found ??= find(next);
    found = next.found;
    groups.forEach(each => each.button.setAttribute(
        "aria-pressed", each === group));
    at("sentence").textContent = sentenceOf(group);
    at("remarks").textContent = remarksOf(group);
    at("repair").hidden = !group.fails || !data.repair;
    const missing = listMissing();
    paintBlocks();
    paintLines(missing);
    writeLegend(missing);
    rows = missing.slice(0, MOST_ROWS).map(makeRow);
    at("missing").replaceChildren(...rows, missing.length > MOST_ROWS
        ? `and ${missing.length - MOST_ROWS} more linedefs` : "");
    chooseBlock(null);
}

groups.forEach(each => {
    const [verdict, games] = ["b", "span"].map(
        name => document.createElement(name));
    each.button = document.createElement("button");
    each.button.className = each.verdict;
    each.button.onclick = () => choose(each);
    verdict.textContent = verdictOf(each);
    games.textContent = each.games;
    each.button.append(verdict, " ", games);
});

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

view.onclick = event =>
    moved > STILL || chooseBlock(blockAt(pointAt(event)));

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
        chooseBlock(next);
    moveTo(...cornerOf(chosen));
}

// Arrows and Enter work only where the map has the focus.
const KEYS = {
    "+": () => zoom(1.25),
    "-": () => zoom(0.8),
    0: () => showPart(),
    n: () => goOn(1),
    p: () => goOn(-1),
    Escape: () => chooseBlock(null),
    Enter: () => chooseBlock(blockAt(place)),
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

// --- The start ---

// Each row of the picture's legend becomes an item of the page's.
function makeLegend() {
    for (const text of document.querySelectorAll("#legend text")) {
        const item = document.createElement("span");
        const mark = text.previousElementSibling;
        item.dataset.label = text.textContent;
        if (text.id !== "lengths") {
            const box = document.createElementNS(
                "http://www.w3.org/2000/svg", "svg");
            box.setAttribute(
                "viewBox", `-1 ${text.getAttribute("y") - 14} 32 20`);
            item.dataset.kind = mark.getAttribute("class");
            box.append(mark);
            item.append(box);
        }
        item.append("");
        at("key").append(item);
    }
    at("legend").remove();
}

makeLegend();
at("map").insertAdjacentHTML(
    "beforeend", '<g id="mark"><path id="sharing"/><path id="marked"/></g>');
at("picture").removeAttribute("viewBox");
at("command").textContent = data.repair;
at("groups").append(...groups.map(({button}) => button));
new ResizeObserver(() => place.scale ? moveTo(place.x, place.y) : showPart())
    .observe(view);
choose(group);
