// SPDX-License-Identifier: GPL-2.0-or-later
//
// What things may reach spreads over the faces of the plane.  Alive to begin
// with are faces
//  - with a thing, or near one that may step over a wall that it begins in;
//  - whose lines meet within, or do not agree on the sector;
//  - whose sector may move.
// From there life spreads over every line but those that stop all boxes, shots
// and uses for good: one-sided lines, and lines between floor and ceiling of
// whose sectors there is no room and never will be.
//
// A line with a live face beside it stays, so what is beyond is closed off.
// But a slide of at most 16 units along x and y meets a line that is made
// infinitely long, in the blocks that list it, whatever the grid.  And it
// begins at a corner of a thing, which may be a fraction of a unit beyond the
// border.  So a line also stays if a line with a live face comes near its
// course through such blocks, or if a thing begins so near that the widest
// would touch it.
//
// This is decided twice: first with sectors in place of faces, which is fast,
// and leaves nothing to do on most maps.

#include "prune/faces.h"
#include "prune/prune.h"

#include <stdio.h>

enum {
    FLAG_PASS_USE = 0x0200,   // Boom's
    COURSE = BLOCK_SIZE + 16, // beyond a line's own coordinates
    MARGIN = 32,              // a step along x and y is 30
    WIDEST = BLOCK_SIZE,      // radius of a thing
    LEAP = 16, // from where things cross lines in a step of 30 units
};

// Nodes are sectors, by the numbers of their borders, or sides, as in faces.h.
// The first border and the last side are the void.
struct search {
    const struct attributes *attributes;
    struct sight *sight;
    const struct whole_lines *lines;
    struct pruning *pruning;
    bool has_faces;    // or else sectors
    uint32_t *parents; // of nodes
    uint8_t *is_alive; // for each node
    uint32_t *claims;  // for each face
    uint8_t *may_go;   // for each line
};

// Says why nothing is known of a map, if so.
static bool has_obstacle(struct context *context, const struct search *search,
                         bool has_polyobjects)
{
    const struct attributes *attributes = search->attributes;
    char text[PRUNE_CAUSE_SIZE];
    snprintf(text, sizeof text, "%s",
             attributes->format != NBSTAGE_FORMAT_DOOM
                 ? "it is not in Doom format"
             : attributes->line_count > UINT32_MAX / 4 ? "it has too many lines"
             : attributes->thing_count == 0   ? "its things are not known"
             : has_polyobjects                ? "it has polyobjects"
             : attributes->has_scripts        ? "it has scripts"
             : search->sight->lines->is_whole ? ""
                                              : "coordinates have fractions");
    for (size_t i = 0; i < attributes->line_count && !text[0]; i++)
        if (special_may_carry(attributes->lines[i].special))
            snprintf(text, sizeof text,
                     "linedef %zu may carry things by special %lu", i,
                     (unsigned long)attributes->lines[i].special);
    if (text[0])
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "no line of the map is taken to be unreachable: %s", text);
    return text[0];
}

// ---------------------------------------------------------------------------
// Life

static uint32_t sector_of(const struct search *search, size_t side)
{
    const struct nbstage_line *line = &search->attributes->lines[side / 2];
    return side % 2 == 0 ? line->front_sector : line->back_sector;
}

static inline uint32_t node_of(const struct search *search, size_t side)
{
    const uint32_t sector = sector_of(search, side);
    return search->has_faces        ? (uint32_t)side
           : sector == NBSTAGE_NONE ? 0
                                    : search->pruning->sectors[sector].border;
}

static void enliven(struct search *search, uint32_t node)
{
    search->is_alive[faces_find(search->parents, node)] = true;
}

static bool is_live(const struct search *search, size_t side)
{
    return search->is_alive[node_of(search, side)];
}

static bool has_length(const struct search *search, size_t line)
{
    return search->lines->start[line] != search->lines->end[line];
}

// Enlivens faces whose lines do not agree on the sector.
static void enliven_mixed(struct search *search)
{
    const uint32_t outside = (uint32_t)(2 * search->attributes->line_count);
    uint32_t *claims = search->claims; // 1: the void
    claims[faces_find(search->parents, outside)] = 1;
    for (uint32_t side = 0; side < outside; side++) {
        const uint32_t face = faces_find(search->parents, side);
        const uint32_t sector = sector_of(search, side);
        const uint32_t claim = sector == NBSTAGE_NONE ? 1 : sector + 2;
        if (!has_length(search, side / 2))
            continue;
        search->is_alive[face] |= claims[face] != 0 && claims[face] != claim;
        claims[face] = claim;
    }
}

static bool is_closed(const struct search *search, uint32_t sector)
{
    const struct nbstage_sector *at = &search->attributes->sectors[sector];
    return at->floor >= at->ceiling && prune_is_fixed(search->pruning, sector);
}

// Whether a line stops all.
static bool stops(const struct search *search, size_t index)
{
    const struct nbstage_line *line = &search->attributes->lines[index];
    const struct nbstage_sector *sectors = search->attributes->sectors;
    const uint32_t front = line->front_sector, back = line->back_sector;
    if (search->pruning->fates[index] != NBSTAGE_LISTED ||
        front == NBSTAGE_NONE ||
        (line->special != 0 && line->flags & FLAG_PASS_USE))
        return false;
    if (back == NBSTAGE_NONE)
        return !(line->flags & ATTRIBUTES_FLAG_TWO_SIDED);
    return is_closed(search, front) || is_closed(search, back) ||
           ((sectors[front].floor >= sectors[back].ceiling ||
             sectors[back].floor >= sectors[front].ceiling) &&
            prune_is_fixed(search->pruning, front) &&
            prune_is_fixed(search->pruning, back));
}

// Enlivens what may move, and spreads.
static void spread(struct search *search, size_t node_count)
{
    const struct prune_sector *sectors = search->pruning->sectors;
    uint8_t *is_alive = search->is_alive;
    for (size_t i = 0; i < search->attributes->line_count; i++) {
        const uint32_t nodes[] = {node_of(search, 2 * i),
                                  node_of(search, 2 * i + 1)};
        for (size_t side = 0; side < 2; side++) {
            const uint32_t sector = sector_of(search, 2 * i + side);
            if (sector != NBSTAGE_NONE &&
                sectors[sector].state != PRUNE_SECTOR_FIXED)
                is_alive[nodes[side]] = true;
        }
        if (has_length(search, i) && !stops(search, i))
            faces_unite(search->parents, nodes[0], nodes[1]);
    }
    for (uint32_t node = 0; node < node_count; node++)
        if (is_alive[node])
            enliven(search, node);
    for (uint32_t node = 0; node < node_count; node++)
        is_alive[node] = is_alive[faces_find(search->parents, node)];
}

// ---------------------------------------------------------------------------
// Near what is alive

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Whether a line comes as near as `by` along x and y to another one, drawn out
// by `beyond` along x and y.
static bool is_near(struct whole_line course, int32_t beyond,
                    struct whole_line at, int32_t by)
{
    const int32_t around = beyond + by;
    if (least(at.x1, at.x2) > most(course.x1, course.x2) + around ||
        most(at.x1, at.x2) < least(course.x1, course.x2) - around ||
        least(at.y1, at.y2) > most(course.y1, course.y2) + around ||
        most(at.y1, at.y2) < least(course.y1, course.y2) - around)
        return false;
    const int64_t width = course.x2 - course.x1, height = course.y2 - course.y1;
    const int64_t reach =
        by * ((width < 0 ? -width : width) + (height < 0 ? -height : height));
    const int64_t start =
        width * (at.y1 - course.y1) - height * (at.x1 - course.x1);
    const int64_t end =
        width * (at.y2 - course.y1) - height * (at.x2 - course.x1);
    return (start <= reach || end <= reach) &&
           (start >= -reach || end >= -reach);
}

static struct whole_line place_of(const struct attributes_thing *thing)
{
    const int16_t x = (int16_t)thing->x, y = (int16_t)thing->y;
    return (struct whole_line){x, y, x, y};
}

// Whether any of the lines in the block of a point is near a line and alive.
static bool has_live_line(struct search *search, struct whole_line at,
                          int32_t x, int32_t y)
{
    struct sight *sight = search->sight;
    const uint32_t *line = faces_lines_at(sight, x, y);
    for (; line && *line != LIST_END && sight->work_left > 0; line++) {
        sight->work_left--;
        if (has_length(search, *line) &&
            is_near(at, COURSE, whole_line_at(search->lines, *line), MARGIN) &&
            (is_live(search, 2 * *line) || is_live(search, 2 * *line + 1)))
            return true;
    }
    sight->work_left -= sight->work_left > 0;
    return sight->work_left == 0;
}

// Whether nothing alive is near a line.
static bool is_clear(struct search *search, size_t index)
{
    const struct whole_line at = whole_line_at(search->lines, index);
    const int32_t beyond = COURSE + MARGIN;
    const int32_t east = most(at.x1, at.x2) + beyond;
    const int32_t north = most(at.y1, at.y2) + beyond;
    for (int32_t y = least(at.y1, at.y2) - beyond; y < north + BLOCK_SIZE;
         y += BLOCK_SIZE)
        for (int32_t x = least(at.x1, at.x2) - beyond; x < east + BLOCK_SIZE;
             x += BLOCK_SIZE)
            if (has_live_line(search, at, least(x, east), least(y, north)))
                return false;
    return true;
}

// Enlivens the face that a thing is in, and both sides of lines that it is on
// or may leap over, where it begins in a wall.  Lines that the widest thing
// there would touch may not go.
static void enliven_at(struct search *search, struct whole_line at,
                       int32_t leap)
{
    struct sight *sight = search->sight;
    enliven(search, faces_look_west(sight, at.x1, at.y1));
    for (int block = 0; block < 9; block++) {
        const uint32_t *line =
            faces_lines_at(sight, at.x1 + (block % 3 - 1) * WIDEST,
                           at.y1 + (block / 3 - 1) * WIDEST);
        for (; line && *line != LIST_END && sight->work_left > 0; line++) {
            const struct whole_line course =
                whole_line_at(search->lines, *line);
            sight->work_left--;
            if (!is_near(course, 0, at, WIDEST))
                continue;
            search->may_go[*line] = false;
            if (!is_near(course, 0, at, leap))
                continue;
            enliven(search, 2 * *line);
            enliven(search, 2 * *line + 1);
        }
    }
}

// ---------------------------------------------------------------------------
// Lines

// Finds the lines that may go; whether there are any.  With sectors one that is
// clear is enough to try the others with faces.
static bool find_lines(struct search *search)
{
    bool found = false;
    for (size_t i = 0; i < search->attributes->line_count; i++) {
        search->may_go[i] =
            !is_live(search, 2 * i) && !is_live(search, 2 * i + 1) &&
            (!search->has_faces || search->may_go[i]) &&
            search->pruning->fates[i] == NBSTAGE_LISTED &&
            search->attributes->lines[i].special == 0 &&
            has_length(search, i) &&
            ((found && !search->has_faces) || is_clear(search, i));
        found |= search->may_go[i];
    }
    return found;
}

// The rule by which a line goes.
static uint8_t find_rule(const struct search *search, size_t line)
{
    const uint32_t front = sector_of(search, 2 * line);
    const uint32_t back = sector_of(search, 2 * line + 1);
    if (front == NBSTAGE_NONE || !is_closed(search, front))
        return NBSTAGE_LEFT_OUT_NO_WAY_IN;
    return back == NBSTAGE_NONE      ? NBSTAGE_LEFT_OUT_BEFORE_CLOSED
           : back == front           ? NBSTAGE_LEFT_OUT_INSIDE_CLOSED
           : is_closed(search, back) ? NBSTAGE_LEFT_OUT_BETWEEN_CLOSED
                                     : NBSTAGE_LEFT_OUT_NO_WAY_IN;
}

// Finds what is alive, with faces or with sectors, and the lines that may go.
static bool decide(struct search *search, bool with_faces)
{
    const struct attributes *attributes = search->attributes;
    const size_t side_count = 2 * attributes->line_count;
    const size_t node_count =
        (with_faces || attributes->sector_count > side_count
             ? side_count
             : attributes->sector_count) +
        1;
    search->has_faces = with_faces;
    for (uint32_t node = 0; node < node_count; node++) {
        search->parents[node] = node;
        search->is_alive[node] = false;
    }
    if (with_faces) {
        faces_join(search->sight, search->parents, search->is_alive);
        enliven_mixed(search);
        for (size_t i = 0; i < attributes->thing_count; i++)
            enliven_at(search, place_of(&attributes->things[i]),
                       thing_stays(attributes->things[i].type) ? 0 : LEAP);
    }
    spread(search, node_count);
    return search->sight->work_left > 0 && find_lines(search);
}

nbstage_status unreachable_find(struct context *context,
                                const struct attributes *attributes,
                                struct sight *sight, bool has_polyobjects,
                                struct pruning *pruning)
{
    struct search search = {.attributes = attributes,
                            .sight = sight,
                            .lines = &sight->lines->whole,
                            .pruning = pruning};
    const size_t line_count = attributes->line_count;
    const size_t node_count = 2 * line_count + 1;
    const struct context_array arrays[] = {
        {&search.parents, node_count, sizeof *search.parents},
        {&search.claims, node_count, sizeof *search.claims},
        {&search.is_alive, node_count, sizeof *search.is_alive},
        {&search.may_go, line_count, sizeof *search.may_go},
    };
    if (has_obstacle(context, &search, has_polyobjects))
        return NBSTAGE_OK;
    nbstage_status status = context_allocate_arrays(context, arrays, 4);
    if (status == NBSTAGE_OK && decide(&search, false)) {
        status = context_progress(context, 0, line_count);
        if (status == NBSTAGE_OK && decide(&search, true))
            for (size_t i = 0; i < line_count; i++)
                if (search.may_go[i])
                    pruning->fates[i] = find_rule(&search, i);
    }
    if (status == NBSTAGE_OK && sight->work_left == 0)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "looking for lines that nothing can reach stopped at its "
                    "work limit; some may have stayed");
    context_release(context, search.parents);
    return status;
}
