// SPDX-License-Identifier: GPL-2.0-or-later
//
// What browser.pl has a page look for in itself.  Each function returns what is
// wrong, and nothing if all is well.

const at = id => document.getElementById(id);
const box = element => element.getBoundingClientRect();
const all = selectors => [...document.querySelectorAll(selectors)];
const overlap = (a, b, by = 1) => a.left < b.right - by &&
    b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
const inside = (a, b, by = 1) => a.left >= b.left - by &&
    a.right <= b.right + by && a.top >= b.top - by && a.bottom <= b.bottom + by;

// Begins a list of faults, which is told by its member tell.
function faults() {
    const found = [];
    const expect = (good, what) => { if (!good) found.push(what); };
    // Texts within a frame, none of which lies over another one.
    expect.apart = (texts, frame, by) => texts.forEach((text, i) => {
        expect(!frame || inside(box(text), box(frame), by),
               "beyond the edge: " + text.textContent);
        for (const other of texts.slice(i + 1))
            expect(!overlap(box(text), box(other), by),
                   text.textContent + " over " + other.textContent);
    });
    expect.tell = () => found.slice(0, 9).join("; ");
    return expect;
}

// --- The page ---

// The sentence, a part of the map and the legend are in sight, no text lies over
// another one, and nothing is wider than the window.
function misplaced() {
    const expect = faults();
    const root = document.documentElement;
    const window = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    expect(scrollY === 0 && inside(box(at("sentence")), window),
           "the sentence is out of sight");
    expect(root.scrollWidth <= innerWidth, "the page is wider than the window");
    expect(inside(box(at("view")), {...window, bottom: Infinity}),
           "the map is out of sight");
    expect(box(at("view")).top < innerHeight - 200, "the map is too far below");
    expect(inside(box(at("key")), window), "the legend is out of sight");
    expect.apart(all("header p:not([hidden]), #groups"),
                 document.querySelector("header"));
    expect.apart(all("#groups button"), at("groups"));
    expect.apart(all("#key span:not([hidden])"), at("key"));
    expect.apart(all("#missing button").slice(0, 50));
    const special = getComputedStyle(at("special")).stroke.match(/\d+/g);
    expect(+special[2] > +special[0], "specials look like what is missing");
    return expect.tell();
}

// How bright a thing's colour is, from 0 to 255.
function brightness(selector, property) {
    const [r, g, b] = getComputedStyle(document.querySelector(selector))[
        property].match(/\d+/g);
    return (+r + +g + +b) / 3;
}

// --- The picture ---

function picture() {
    const expect = faults();
    const texts = all("text");
    expect(texts.length > 8, "few texts");
    expect.apart(texts, at("picture"), 0.5);
    for (const text of texts)
        expect(!overlap(box(text), box(at("grid")), 0.5),
               "over the map: " + text.textContent);
    for (const mark of all("#legend rect, #legend path")) {
        expect(inside(box(mark), box(at("picture")), 0.5),
               "a mark beyond the edge");
        expect(!texts.some(text => overlap(box(mark), box(text), 0.5)),
               "a mark over a text");
    }

    const grid = box(at("grid"));
    expect(inside(grid, box(at("picture")), 0.5), "the grid beyond the edge");

    // All of it fits the window, and uses it.
    const map = box(at("map")), legend = box(at("legend"));
    const window = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    expect(inside(legend, window) && inside(map, window), "out of sight");
    const paper = box(at("background"));
    expect(paper.width > 0.99 * innerWidth || paper.height > 0.99 * innerHeight,
           "it does not fill the window");
    expect(Math.max(legend.right, map.right) - map.left > 0.6 * innerWidth ||
           Math.max(map.bottom, legend.bottom) - Math.min(map.top, legend.top) >
           0.6 * innerHeight, "small");
    return expect.tell();
}
