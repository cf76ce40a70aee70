// SPDX-License-Identifier: GPL-2.0-or-later
//
// Watches a game from within: preloaded into a source port as distributions
// ship it, it writes down at every tic where everything is.  The environment
// tells what to do:
//
//   OBSERVER_ENGINE    the engine, as in the table of layouts
//   OBSERVER_TRACE     file to write, a line for each tic: its number, a hash
//                      of all that moves, and of the first player x, y, z in
//                      16.16, the angle and the health
//   OBSERVER_BLOCKMAP  file with a BLOCKMAP lump; the trace then begins with
//                      "blockmap loaded" if this one is in memory, "blockmap
//                      alike" if it has the same grid and each block the same
//                      list, "blockmap rebuilt" if another one is, or "blockmap
//                      none"
//
// The hash is of every thing in the order of the game's own list, and of where
// in the list other thinkers are; see doc/engines.md.
//
// Engines ask SDL for events once a tic when they time a demo; that is when we
// look.  Of DSDA-Doom the names of variables can be asked for.  Chocolate Doom
// and Crispy Doom keep a level in their zone: the first player's thing is found
// there, and by it the list of thinkers.
//
// Nothing waits for the clock, and the time is always the same: DSDA-Doom takes
// it as a seed.  SDL's software renderer names no limit for textures, which
// Chocolate Doom and Crispy Doom take for 0, so it is named here.

#include "config.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --- What engines have in memory ---

// What every thinker begins with (thinker_t of d_think.h).
struct thinker {
    struct thinker *previous;
    struct thinker *next;
    void *function;
};

// Where fields are in a thing (mobj_t of p_mobj.h), in bytes from its thinker,
// where pointers have 8 bytes: of Chocolate Doom 3.0.0, Crispy Doom 5.12.0 and
// DSDA-Doom 0.25.6.
struct layout {
    const char *engine;
    size_t x;        // and y, z
    size_t angle;    // and sprite, frame
    size_t floor;    // and ceiling
    size_t radius;   // and height
    size_t momentum; // in x, y, z
    size_t tics;
    size_t flags;
    size_t health;
    size_t player;
};

static const struct layout layouts[] = {
    {"chocolate-doom", 24, 56, 96, 104, 112, 144, 160, 164, 192},
    {"crispy-doom", 24, 56, 96, 104, 112, 144, 160, 164, 192},
    {"dsda-doom", 48, 80, 120, 132, 140, 168, 184, 196, 224},
};

// A block of the zone of Chocolate Doom and Crispy Doom (memblock_t and
// memzone_t of z_zone.c).
struct zone_block {
    int32_t size; // with this header
    void *user;
    int32_t tag;
    int32_t id;
    struct zone_block *next;
    struct zone_block *previous;
};

struct zone {
    int32_t size;
    struct zone_block list;
};

// ZONEID, MEM_ALIGN and MINFRAGMENT of z_zone.c, PU_LEVEL of z_zone.h.
enum {
    ZONE_ID = 0x1d4a11,
    ZONE_ROUNDING = 8,  // bytes: room is a multiple of this
    ZONE_FRAGMENT = 64, // bytes: so much or less is not split off
    TAG_LEVEL = 5,
};

// A player, whose height and radius are these (MT_PLAYER of info.c).
enum { PLAYER_RADIUS = 16 << 16, PLAYER_HEIGHT = 56 << 16 };

static const struct layout *layout;
static struct thinker *thinkers; // the head of their list; NULL before a level
static void *mobj_function;      // that things have, and no other thinkers

static _Noreturn void fail(const char *message)
{
    fprintf(stderr, "observer: %s\n", message);
    _Exit(99);
}

static int32_t field(const void *thing, size_t at)
{
    int32_t value;
    memcpy(&value, (const char *)thing + at, sizeof value);
    return value;
}

static void *pointer_field(const void *thing, size_t at)
{
    void *value;
    memcpy(&value, (const char *)thing + at, sizeof value);
    return value;
}

// Finds what a program would call without us.
static void find_next(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol)
        fail("a function of SDL is not there");
    memcpy(function, &symbol, sizeof symbol);
}

// --- Where they are ---

// Whether a thing is what a player has now, and was not left behind: a player
// begins with a pointer to his thing (player_t of d_player.h).
static bool is_of_player(const void *thing)
{
    const void *player = pointer_field(thing, layout->player);
    return player && pointer_field(player, 0) == thing;
}

// Whether memory is a player's thing.  Only what has the size of one is taken
// to have a pointer that may be followed.
static bool is_player(const void *memory)
{
    return field(memory, layout->radius) == PLAYER_RADIUS &&
           field(memory, layout->radius + 4) == PLAYER_HEIGHT &&
           is_of_player(memory);
}

// Whether an address is among the variables of the engine.
static bool is_variable(const void *address)
{
    Dl_info information;
    return dladdr(address, &information) != 0;
}

static bool is_zone(const struct zone *zone)
{
    return zone->list.user == zone && zone->size > 0 && zone->list.next &&
           zone->list.id == 0;
}

// Calls a function for all zones, until it returns false.  What is allocated
// by itself begins 16 bytes behind the start of a page.
static void for_zones(bool (*use)(const struct zone *zone, void *data),
                      void *data)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    bool goes_on = maps;
    while (goes_on && fgets(line, sizeof line, maps)) {
        uintptr_t start, end;
        int read = 0;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " rw-p %*s 00:00 0 %n",
                   &start, &end, &read) != 2 ||
            read == 0 || strchr(line + read, '[') || end - start < 1 << 20)
            continue;
        for (uintptr_t page = start; goes_on && page < end; page += 4096) {
            const struct zone *zone = (const struct zone *)(page + 16);
            if (is_zone(zone))
                goes_on = use(zone, data);
        }
    }
    if (maps)
        fclose(maps);
}

static bool is_of_level(const struct zone_block *block)
{
    return block->id == ZONE_ID && block->tag == TAG_LEVEL;
}

// How many bytes a block has room for.
static size_t room_of(const struct zone_block *block)
{
    return (size_t)block->size - sizeof *block;
}

static const struct zone_block *first_block(const struct zone *zone)
{
    return zone->list.next;
}

static bool find_player_in_zone(const struct zone *zone, void *found)
{
    const struct zone_block *block = first_block(zone);
    for (; block != &zone->list; block = block->next) {
        const char *thing = (const char *)(block + 1);
        size_t room = room_of(block);
        if (is_of_level(block) && room >= layout->player + sizeof(void *) &&
            room < 512 && is_player(thing)) {
            memcpy(found, &thing, sizeof thing);
            return false;
        }
    }
    return true;
}

static struct thinker *find_player(void)
{
    struct thinker *found = NULL;
    void *players = dlsym(RTLD_DEFAULT, "players");
    if (players)
        found = pointer_field(players, 0);
    else
        for_zones(find_player_in_zone, &found);
    return found;
}

// Finds the list of thinkers, once there is one.
static void find_thinkers(void)
{
    struct thinker *thinker = find_player();
    if (!thinker)
        return;
    if (!is_player(thinker))
        fail("things of this version have another layout");
    mobj_function = thinker->function;
    while (!is_variable(thinker))
        thinker = thinker->next;
    thinkers = thinker;
}

// --- The blockmap ---

// Bytes: of the largest lump we read, and of what any has before offsets.
enum { LARGEST_LUMP = (1 << 20) - 1, GRID_SIZE = 8 };

struct lump {
    unsigned char *bytes;
    size_t size;
    bool is_loaded;
    bool is_alike;
};

static void read_lump(struct lump *lump, const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        fail("the file with the lump cannot be opened");
    lump->bytes = malloc(LARGEST_LUMP + 1);
    if (!lump->bytes)
        fail("no memory");
    lump->size = fread(lump->bytes, 1, LARGEST_LUMP + 1, file);
    if (ferror(file))
        fail("the file with the lump cannot be read");
    if (lump->size > LARGEST_LUMP)
        fail("the lump is too large");
    fclose(file);
}

static int32_t word_of(const struct lump *lump, size_t i)
{
    unsigned word = lump->bytes[2 * i] | (unsigned)lump->bytes[2 * i + 1] << 8;
    if (i < 2 || word == 0xFFFF)
        return (int16_t)word;
    return (int32_t)word;
}

// Bytes that a lump takes where engines widen its words to 32 bits.
static size_t wide_size(const struct lump *lump)
{
    return lump->size / 2 * 4;
}

// Whether memory begins with the lump, its words widened.
static bool is_wide_at(const struct lump *lump, const void *memory)
{
    for (size_t i = 0; i < lump->size / 2; i++)
        if (field(memory, 4 * i) != word_of(lump, i))
            return false;
    return true;
}

static size_t block_count(const struct lump *lump)
{
    return (size_t)word_of(lump, 2) * (size_t)word_of(lump, 3);
}

// Whether each block has the list in memory that it has in the lump.  There are
// so many words in memory; the first four need not be the grid.
static bool has_lists(const struct lump *lump, const void *memory, size_t count)
{
    const size_t first = 4 + block_count(lump);
    for (size_t b = 4; b < first; b++) {
        size_t word = (size_t)word_of(lump, b);
        size_t at = first <= count ? (uint32_t)field(memory, 4 * b) : 0;
        if (at < first)
            return false;
        do
            if (at >= count || word_of(lump, word) != field(memory, 4 * at))
                return false;
        while (at++, word_of(lump, word++) != -1);
    }
    return true;
}

// A place in memory, and the grid of a lump.
struct grid_search {
    const void *memory;
    int32_t numbers[4]; // origin in 16.16, columns, rows
    bool is_found;
};

enum { NEAR = 16 }; // variables of 32 bits

// Whether the numbers of the grid are near a pointer to the blockmap, as the
// variables bmaporgx, bmaporgy, bmapwidth and bmapheight of p_setup.c are.
static bool is_grid_near(const struct grid_search *search, const int32_t *begin,
                         const int32_t *end)
{
    size_t found = 0;
    for (size_t i = 0; i < 4; i++)
        for (const int32_t *at = begin; at < end; at++)
            if (*at == search->numbers[i]) {
                found++;
                break;
            }
    return found == 4;
}

// Looks for pointers to the blockmap among the variables of the program.
static int search_variables(struct dl_phdr_info *program, size_t size,
                            void *data)
{
    struct grid_search *search = data;
    (void)size;
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        const int32_t *begin, *end;
        uintptr_t address = program->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        address = (address + 7) & ~(uintptr_t)7;
        memcpy(&begin, &address, sizeof begin);
        end = begin + (part->p_memsz - 8) / sizeof *begin;
        for (const int32_t *at = begin; at + 2 <= end; at += 2)
            if (pointer_field(at, 0) == search->memory &&
                is_grid_near(search, at - begin > NEAR ? at - NEAR : begin,
                             end - at > NEAR ? at + NEAR : end))
                search->is_found = true;
    }
    return 1; // the program is the first
}

// Whether the lump's lists and its grid are in memory.
static bool is_alike(const struct lump *lump, const void *memory, size_t count)
{
    struct grid_search search = {memory,
                                 {word_of(lump, 0) * 65536,
                                  word_of(lump, 1) * 65536, word_of(lump, 2),
                                  word_of(lump, 3)},
                                 false};
    if (!has_lists(lump, memory, count))
        return false;
    dl_iterate_phdr(search_variables, &search);
    return search.is_found;
}

// Whether so much room is what the zone has for so many bytes, no less and not
// much more.
static bool is_room_for(size_t room, size_t size)
{
    return room >= size && room < size + ZONE_ROUNDING + ZONE_FRAGMENT;
}

// Whether a block is the lump, with words of 16 bits, or of 32.
static bool is_lump_in(const struct lump *lump, const struct zone_block *block)
{
    const void *memory = block + 1;
    size_t room = room_of(block);
    if (is_room_for(room, lump->size) &&
        memcmp(memory, lump->bytes, lump->size) == 0)
        return true;
    return is_room_for(room, wide_size(lump)) && is_wide_at(lump, memory);
}

static bool find_lump_in_zone(const struct zone *zone, void *data)
{
    struct lump *lump = data;
    const struct zone_block *block = first_block(zone);
    for (; block != &zone->list && !lump->is_loaded; block = block->next) {
        lump->is_loaded = is_of_level(block) && is_lump_in(lump, block);
        lump->is_alike =
            lump->is_alike || (is_of_level(block) &&
                               is_alike(lump, block + 1, room_of(block) / 4));
    }
    return !lump->is_loaded;
}

static void report_blockmap(FILE *trace, const char *name)
{
    struct lump lump = {0};
    void *variable = dlsym(RTLD_DEFAULT, "blockmaplump");
    read_lump(&lump, name);
    bool is_other = false;
    bool has_grid = lump.size >= GRID_SIZE;
    if (variable) {
        const void *memory = pointer_field(variable, 0);
        lump.is_loaded = has_grid && is_wide_at(&lump, memory);
        lump.is_alike = is_alike(&lump, memory, SIZE_MAX);
        is_other = field(memory, 8) > 0 && field(memory, 12) > 0;
    } else if (has_grid) {
        for_zones(find_lump_in_zone, &lump);
    }
    fprintf(trace, "blockmap %s\n",
            lump.is_loaded  ? "loaded"
            : lump.is_alike ? "alike"
            : is_other      ? "rebuilt"
                            : "none");
    free(lump.bytes);
}

// --- The trace ---

static void hash_words(uint64_t *hash, const struct thinker *thing, size_t at,
                       int count)
{
    for (int i = 0; i < count; i++) {
        *hash ^= (uint32_t)field(thing, at + 4 * (size_t)i);
        *hash *= 0x100000001B3;
    }
}

static void hash_thing(uint64_t *hash, const struct thinker *thing)
{
    hash_words(hash, thing, layout->x, 3);
    hash_words(hash, thing, layout->angle, 3);
    hash_words(hash, thing, layout->floor, 2);
    hash_words(hash, thing, layout->momentum, 3);
    hash_words(hash, thing, layout->tics, 1);
    hash_words(hash, thing, layout->flags, 1);
    hash_words(hash, thing, layout->health, 1);
}

// Whether this is a thing of a player before the one whose was found.
static bool is_earlier_player(const struct thinker *thing,
                              const struct thinker *found)
{
    const char *player = pointer_field(thing, layout->player);
    return is_of_player(thing) &&
           (!found ||
            player < (const char *)pointer_field(found, layout->player));
}

static void trace_tic(FILE *trace)
{
    static long tic;
    uint64_t hash = 0xCBF29CE484222325;
    const struct thinker *player = NULL;
    const struct thinker *thinker = thinkers->next;
    for (; thinker != thinkers; thinker = thinker->next) {
        bool is_thing = thinker->function == mobj_function;
        hash = (hash ^ is_thing) * 0x100000001B3;
        if (!is_thing)
            continue;
        hash_thing(&hash, thinker);
        if (is_earlier_player(thinker, player))
            player = thinker;
    }
    fprintf(trace, "%ld %016" PRIx64, tic++, hash);
    for (size_t i = 0; player && i < 3; i++)
        fprintf(trace, " %" PRId32, field(player, layout->x + 4 * i));
    if (player)
        fprintf(trace, " %" PRIu32 " %" PRId32,
                (uint32_t)field(player, layout->angle),
                field(player, layout->health));
    fputc('\n', trace);
}

static void choose_layout(void)
{
    const char *engine = getenv("OBSERVER_ENGINE");
    for (size_t i = 0; engine && i < sizeof layouts / sizeof layouts[0]; i++)
        if (strcmp(layouts[i].engine, engine) == 0)
            layout = &layouts[i];
    if (!layout)
        fail("this engine is not known");
}

static FILE *open_trace(void)
{
    const char *name = getenv("OBSERVER_TRACE");
    FILE *trace = name ? fopen(name, "w") : NULL;
    if (!trace)
        fail("the trace cannot be written");
    // What an engine does before it crashes counts.
    setvbuf(trace, NULL, _IOLBF, 0);
    return trace;
}

static void observe(void)
{
    static FILE *trace;
    if (!trace) {
        choose_layout();
        trace = open_trace();
    }
    if (!thinkers) {
        find_thinkers();
        const char *lump = getenv("OBSERVER_BLOCKMAP");
        if (thinkers && lump)
            report_blockmap(trace, lump);
    }
    if (thinkers)
        trace_tic(trace);
}

// Where nothing was seen, tells so at the end.
__attribute__((destructor)) static void tell_of_nothing(void)
{
    if (layout && !thinkers)
        fputs("observer: no player was found; things of this version may have "
              "another layout\n",
              stderr);
}

// --- What engines call ---

int SDL_PollEvent(void *event)
{
    int (*next)(void *event);
    find_next("SDL_PollEvent", &next);
    int count = next(event);
    if (count == 0)
        observe();
    return count;
}

void SDL_Delay(uint32_t milliseconds)
{
    (void)milliseconds;
}

time_t time(time_t *seconds)
{
    if (seconds)
        *seconds = 0;
    return 0;
}

// What SDL tells of a renderer.
struct renderer_information {
    const char *name;
    uint32_t flags;
    uint32_t format_count;
    uint32_t formats[16];
    int largest_width, largest_height; // of textures, in pixels
};

int SDL_GetRendererInfo(void *renderer,
                        struct renderer_information *information)
{
    int (*next)(void *renderer, struct renderer_information *information);
    find_next("SDL_GetRendererInfo", &next);
    int status = next(renderer, information);
    if (status == 0 && information->largest_width == 0)
        information->largest_width = information->largest_height = 4096;
    return status;
}
