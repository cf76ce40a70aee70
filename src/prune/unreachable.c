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
// Sectors decide first: a line may go if life does not come near by them.  This
// leaves few lines, and of these the faces are followed as far as need be.

#include "prune/faces.h"
#include "prune/prune.h"

#include <stdio.h>
#include <string.h>

enum {
    FLAG_PASS_USE = 0x0200,   // Boom's
    COURSE = BLOCK_SIZE + 16, // beyond a line's own coordinates
    MARGIN = 32,              // a step along x and y is 30
    WIDEST = BLOCK_SIZE,      // radius of a thing
    LEAP = 16, // from where things cross lines in a step of 30 units
    LIFE = 1,
    FIRST_PASS, // before islands are known
    LAST_PASS,
};

// What is known of a line.
enum {
    DEAD = 1,  // neither of its sectors is alive
    APART = 2, // it meets others at ends of both only
};

struct search {
    const struct attributes *attributes;
    struct sight *sight;
    const struct whole_lines *lines;
    struct pruning *pruning;

    // Sets of sectors, by the numbers of their borders; the first is the void.
    uint32_t *parents;
    uint8_t *is_alive;
    // For each line what is known of it, and whether it may go.
    uint8_t *known, *may_go;

    // Once faces decide: for each side, and for the outside, LIFE if it is
    // alive, and else the last pass that has reached it.
    struct faces faces;
    uint8_t *lives;
    uint8_t pass;
    uint32_t *reached; // the sides of a face
    size_t reached_count;
};

// Says why nothing is known of a map, if so.
static bool has_obstacle(struct context *context, const struct search *search)
{
    const struct attributes *attributes = search->attributes;
    char text[PRUNE_CAUSE_SIZE];
    snprintf(text, sizeof text, "%s",
             attributes->format != NBSTAGE_FORMAT_DOOM
                 ? "it is not in Doom format"
             : attributes->line_count > UINT32_MAX / 4 ? "it has too many lines"
             : attributes->thing_count == 0     ? "its things are not known"
             : search->pruning->has_polyobjects ? "it has polyobjects"
             : attributes->has_scripts          ? "it has scripts"
             : search->sight->lines->is_whole   ? ""
                                                : "coordinates have fractions");
    for (size_t i = 0; i < attributes->line_count && !text[0]; i++)
        if (attributes->lines[i].special != 0 &&
            special_may_carry(attributes->lines[i].special))
            snprintf(text, sizeof text,
                     "linedef %zu may carry things by special %lu", i,
                     (unsigned long)attributes->lines[i].special);
    if (text[0])
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "no line of the map is taken to be unreachable: %s", text);
    return text[0];
}

// ---------------------------------------------------------------------------
// Life of sectors

static inline uint32_t sector_of(const struct search *search, size_t side)
{
    return side == 2 * search->attributes->line_count
               ? NBSTAGE_NONE
               : attributes_sector(search->attributes, side);
}

static inline uint32_t border_of(const struct search *search, uint32_t sector)
{
    return sector == NBSTAGE_NONE ? 0 : search->pruning->sectors[sector].border;
}

static bool has_length(const struct search *search, size_t line)
{
    return search->lines->start[line] != search->lines->end[line];
}

static uint32_t find_set(uint32_t *parents, uint32_t number)
{
    while (parents[number] != number)
        number = parents[number] = parents[parents[number]];
    return number;
}

static inline bool is_closed(const struct search *search, uint32_t sector)
{
    const struct nbstage_sector *at = &search->attributes->sectors[sector];
    return at->floor >= at->ceiling && prune_is_fixed(search->pruning, sector);
}

// Whether a line stops all.
static inline bool stops(const struct search *search, size_t index)
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

// Enlivens sectors that may move, and those that life comes to from them.
static void spread(struct search *search)
{
    const struct pruning *pruning = search->pruning;
    const struct nbstage_line *lines = search->attributes->lines;
    const size_t line_count = search->attributes->line_count;
    uint32_t *parents = search->parents;
    uint8_t *is_alive = search->is_alive;
    for (uint32_t i = 0; i <= 2 * line_count; i++)
        parents[i] = i;
    for (size_t i = 0; i < line_count; i++)
        if (lines[i].front_sector != lines[i].back_sector &&
            has_length(search, i) && !stops(search, i))
            parents[find_set(parents,
                             border_of(search, lines[i].front_sector))] =
                find_set(parents, border_of(search, lines[i].back_sector));
    for (size_t i = 0; i < pruning->sector_count; i++)
        if (pruning->sectors[i].border != 0 &&
            pruning->sectors[i].state != PRUNE_SECTOR_FIXED)
            is_alive[find_set(parents, pruning->sectors[i].border)] = true;
    is_alive[0] = is_alive[find_set(parents, 0)];
    for (size_t i = 0; i < pruning->sector_count; i++)
        is_alive[pruning->sectors[i].border] =
            is_alive[find_set(parents, pruning->sectors[i].border)];
    for (size_t i = 0; i < line_count; i++)
        search->known[i] =
            is_alive[border_of(search, lines[i].front_sector)] ||
                    is_alive[border_of(search, lines[i].back_sector)]
                ? 0
                : DEAD;
}

// ---------------------------------------------------------------------------
// Life of faces

// Reaches a side of the face of another one, or one across its line; whether
// that is alive.
static bool reach(struct search *search, uint32_t side)
{
    uint8_t *life = &search->lives[side];
    if (*life != LIFE && *life != search->pass) {
        *life = search->pass;
        search->reached[search->reached_count++] = side;
    }
    return *life == LIFE;
}

// Reaches a side around the same face; whether it is alive, or has another
// sector.
static bool reach_around(struct search *search, uint32_t side, uint32_t from)
{
    return sector_of(search, side) != sector_of(search, from) ||
           reach(search, side);
}

// Reaches what is around a side; whether that is alive.
static bool go_on(struct search *search, uint32_t side)
{
    struct faces *faces = &search->faces;
    uint32_t other = faces->first_island[side];
    for (; other != FACES_NONE; other = faces->next_island[other])
        if (reach_around(search, other, side))
            return true;
    if (side == 2 * search->attributes->line_count)
        return false;
    faces_find_next(faces, side);
    return reach_around(search, faces->next[side], side) ||
           (faces->around[side] != FACES_NONE &&
            reach_around(search, faces->around[side], side)) ||
           (!stops(search, side / 2) && reach(search, side ^ 1));
}

// Whether the line of a side meets others but at ends of both.
static bool is_in_doubt(struct search *search, uint32_t side)
{
    const uint32_t line = side / 2;
    if (search->pass == FIRST_PASS || line == search->attributes->line_count ||
        search->known[line] & APART)
        return false;
    const bool meets = line_of_sight_meets(search->sight, line, true);
    search->known[line] |= meets ? 0 : APART;
    return meets;
}

// Whether the face of a side is alive.
static bool is_live(struct search *search, uint32_t side)
{
    const uint32_t *reached = search->reached;
    search->reached_count = 0;
    bool is_alive = reach(search, side);
    for (size_t i = 0; i < search->reached_count && !is_alive; i++)
        is_alive = go_on(search, reached[i]) || search->sight->work_left == 0;
    for (size_t i = 0; i < search->reached_count && !is_alive; i++)
        is_alive = is_in_doubt(search, reached[i]);
    for (size_t i = 0; i < search->reached_count && is_alive; i++)
        search->lives[reached[i]] = LIFE;
    return is_alive;
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
static inline bool is_near(struct whole_line course, int32_t beyond,
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
    return (struct whole_line){thing->x, thing->y, thing->x, thing->y};
}

static const uint32_t *lines_at(const struct search *search, int32_t x,
                                int32_t y)
{
    const struct grid *grid = &search->sight->grid;
    return line_of_sight_block(search->sight,
                               (x - grid->origin_x) >> BLOCK_SHIFT,
                               (y - grid->origin_y) >> BLOCK_SHIFT);
}

// Whether any of the lines in the block of a point is near a line and alive.
static bool has_live_line(struct search *search, struct whole_line at,
                          int32_t x, int32_t y)
{
    struct sight *sight = search->sight;
    const uint32_t *line = lines_at(search, x, y);
    for (; line && *line != LIST_END && sight->work_left > 0; line++) {
        const bool is_dead = search->known[*line] & DEAD;
        sight->work_left--;
        if ((!is_dead || search->lives) && has_length(search, *line) &&
            is_near(at, COURSE, whole_line_at(search->lines, *line), MARGIN) &&
            (!is_dead || is_live(search, 2 * *line) ||
             is_live(search, 2 * *line + 1)))
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
// or may leap over, where it begins in a wall.
static void enliven_at(struct search *search,
                       const struct attributes_thing *thing)
{
    struct sight *sight = search->sight;
    const struct whole_line at = place_of(thing);
    const int32_t leap = thing_stays(thing->type) ? 0 : LEAP;
    search->lives[line_of_sight_look_west(sight, at.x1, at.y1)] = LIFE;
    for (int corner = 0; corner < 4; corner++) {
        const uint32_t *line =
            lines_at(search, at.x1 + (corner / 2 == 0 ? -leap : leap),
                     at.y1 + (corner % 2 == 0 ? -leap : leap));
        for (; line && *line != LIST_END && sight->work_left > 0; line++) {
            sight->work_left--;
            if (is_near(whole_line_at(search->lines, *line), 0, at, leap))
                search->lives[2 * *line] = search->lives[2 * *line + 1] = LIFE;
        }
    }
}

// Whether the widest thing where any thing begins would touch a line.
static bool is_touched_at_start(const struct search *search, size_t line)
{
    const struct attributes *attributes = search->attributes;
    const struct whole_line at = whole_line_at(search->lines, line);
    struct sight *sight = search->sight;
    bool is_touched = false;
    for (size_t i = 0; i < attributes->thing_count && !is_touched; i++) {
        is_touched = is_near(at, 0, place_of(&attributes->things[i]), WIDEST);
        sight->work_left -= sight->work_left > 0;
    }
    return is_touched;
}

// ---------------------------------------------------------------------------
// Lines

// Finds the lines that may go by their sectors; whether there are any.  One
// that is clear is enough to try the others by their faces.
static bool try_sectors(struct search *search)
{
    bool found = false;
    spread(search);
    for (size_t i = 0; i < search->attributes->line_count; i++) {
        search->may_go[i] = (search->known[i] & DEAD) &&
                            search->pruning->fates[i] == NBSTAGE_LISTED &&
                            search->attributes->lines[i].special == 0 &&
                            has_length(search, i) &&
                            (found || is_clear(search, i));
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

static bool has_lines(const struct search *search)
{
    return memchr(search->may_go, true, search->attributes->line_count);
}

// Leaves out those of the lines that may go by their faces, too.
static nbstage_status try_faces(struct context *context, struct search *search)
{
    const struct attributes *attributes = search->attributes;
    const size_t line_count = attributes->line_count;
    nbstage_status status = context_allocate_zeroed(
        context, 2 * line_count + 1, sizeof *search->lives, &search->lives);
    search->reached = search->parents; // these are no longer needed
    for (size_t i = 0; status == NBSTAGE_OK && i < attributes->thing_count; i++)
        enliven_at(search, &attributes->things[i]);
    if (status == NBSTAGE_OK && has_lines(search))
        status = faces_prepare(context, search->sight, &search->faces);
    for (search->pass = FIRST_PASS;
         status == NBSTAGE_OK && has_lines(search) && search->pass <= LAST_PASS;
         search->pass++) {
        const bool is_last = search->pass == LAST_PASS;
        if (is_last)
            faces_find_islands(&search->faces);
        for (uint32_t i = 0; i < line_count; i++)
            search->may_go[i] = search->may_go[i] && !is_live(search, 2 * i) &&
                                !is_live(search, 2 * i + 1) &&
                                (is_last ? is_clear(search, i)
                                         : !is_touched_at_start(search, i));
    }
    for (size_t i = 0; status == NBSTAGE_OK && i < line_count; i++)
        if (search->may_go[i])
            search->pruning->fates[i] = find_rule(search, i);
    return status;
}

nbstage_status unreachable_find(struct context *context,
                                const struct attributes *attributes,
                                struct sight *sight, struct pruning *pruning)
{
    struct search search = {.attributes = attributes,
                            .sight = sight,
                            .lines = &sight->lines->whole,
                            .pruning = pruning};
    const size_t line_count = attributes->line_count;
    const struct context_array arrays[] = {
        {&search.parents, 2 * line_count + 1, sizeof *search.parents},
        {&search.is_alive, 2 * line_count + 1, sizeof *search.is_alive},
        {&search.known, line_count, sizeof *search.known},
        {&search.may_go, line_count, sizeof *search.may_go},
    };
    if (has_obstacle(context, &search))
        return NBSTAGE_OK;
    nbstage_status status = context_allocate_arrays(context, arrays, 4);
    if (status == NBSTAGE_OK && try_sectors(&search)) {
        status = context_progress(context, 0, line_count);
        if (status == NBSTAGE_OK)
            status = try_faces(context, &search);
    }
    if (status == NBSTAGE_OK && sight->work_left == 0)
        context_log(context, NBSTAGE_LOG_WARNING, NULL,
                    "looking for lines that nothing can reach stopped at its "
                    "work limit; some may have stayed");
    context_release(context, search.lives);
    context_release(context, search.faces.first_spoke);
    context_release(context, search.parents);
    return status;
}
