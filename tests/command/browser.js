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

function misplaced() {
    const expect = faults();
    const root = document.documentElement;
    expect(root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight,
           "the page is larger than the window");
    const aside = document.querySelector("aside");
    for (const element of [aside, at("choice"), ...all("select")])
        expect(element.scrollWidth <= element.clientWidth,
               "overflow in " + element.tagName);
    const numbers = all("#marks text");
    const legend = all("#key text");
    expect(numbers.length >= 2, "few numbers of columns and rows");
    expect(legend.length >= 6, "few texts in the legend");
    expect.apart(numbers, at("marks"));
    expect.apart(legend, at("key"));
    expect.apart([...numbers, ...[...legend,
        ...all("aside :is(h1, h2, p, dt, dd, button, label, summary)")]
        .filter(element => !element.closest("#choice") &&
                element.checkVisibility() &&
                inside(box(element), box(aside)))]);
    expect.apart(all("#choice :is(h2, p, button)").slice(0, 300));
    return expect.tell();
}

// Fingers need 44 pixels.
function small() {
    const expect = faults();
    const targets = all("button, input, summary")
        .filter(element => box(element).height > 0);
    expect(targets.length >= 5, "few targets");
    for (const target of targets)
        expect(box(target).width >= 44 && box(target).height >= 44,
               `${target.outerHTML} is small`);
    return expect.tell();
}

// How bright the middle of a thing's colour is, from 0 to 255.
function brightness(id, property) {
    const [r, g, b] = getComputedStyle(at(id))[property].match(/\d+/g);
    return (+r + +g + +b) / 3;
}

// The colours of the legend are those of the map, and neighbours can be told
// apart: the contrast between them, as WCAG has it, is at least 1.15, of greys
// 1.05.
function colours() {
    const expect = faults();
    const color = element => getComputedStyle(element).fill;
    const light = part => part <= 0.04045 ? part / 12.92
        : ((part + 0.055) / 1.055) ** 2.4;
    const luminance = element => {
        const [r, g, b] = color(element).match(/\d+/g).map(n => light(n / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const swatches = all("#key [class^=colour]");
    expect(swatches.length >= 2 && swatches.length <= 10,
           swatches.length + " colours");
    swatches.forEach((swatch, i) => {
        const cells = at(swatch.getAttribute("class"));
        expect(!cells || color(cells) === color(swatch),
               swatch.getAttribute("class") + " differs in the map");
        if (i === 0)
            return;
        const [a, b] = [luminance(swatch), luminance(swatches[i - 1])];
        const contrast = Math.max(a, b) / Math.min(a, b);
        expect(contrast >= (document.querySelector(".grey") ? 1.05
                            : i === 1 ? 1.09 : 1.15),
               `${contrast} between colours ${i - 1} and ${i}`);
    });
    return expect.tell();
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
