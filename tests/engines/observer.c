// SPDX-License-Identifier: GPL-2.0-or-later
//
// Watches a game from within: preloaded into a source port as distributions
// ship it, it writes down at every tic where everything is.  The environment
// tells what to do:
//
//   OBSERVER_TRACE     file to write, a line for each tic: its number, a hash
//                      of all that moves, and of a player x, y, z in 16.16,
//                      the angle and the health
//   OBSERVER_BLOCKMAP  file with a BLOCKMAP lump; the trace then begins with
//                      "blockmap loaded" if this one is in memory, "blockmap
//                      rebuilt" if another one is, or "blockmap none"
//   OBSERVER_MOVERS    file to write, a line for each tic and each player,
//                      missile and puff: the tic, the address of the thing,
//                      whether it is a player, its flags, x and y in 16.16
//
// The hash is of every thing in the order of the game's own list, and of where
// in the list other thinkers are; see doc/engines.md.
//
// Engines ask SDL for events once a tic when they time a demo; that is when we
// look.  Distributions strip the names of variables, so these are searched for
// what can be nothing else: the players, the first of which points to a thing
// that points back, and the blockmap beside its grid.
//
// Nothing waits for the clock, which is the same in all runs: DSDA-Doom takes
// the time as a seed, and Woof asks for events by it.  SDL's software renderer
// names no limit for textures, which Chocolate Doom and Crispy Doom take for 0,
// so it is named here.

#include "config.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// --- What engines have in memory ---

// What every thinker begins with (thinker_t of d_think.h).
struct thinker {
    struct thinker *previous;
    struct thinker *next;
    void *function;
};

// Where fields are in a thing (mobj_t of p_mobj.h), in bytes from its thinker,
// where pointers have 8 bytes.
struct layout {
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
    // Chocolate Doom 3.0.0 and 3.1.0, Crispy Doom 5.12.0 and 7.0
    {24, 56, 96, 104, 112, 144, 160, 164, 192},
    // DSDA-Doom 0.25.6 and 0.29.0, Woof 10.5.1 and 15.2.0
    {48, 80, 120, 132, 140, 168, 184, 196, 224},
};

enum { LAYOUT_COUNT = sizeof layouts / sizeof layouts[0], LARGEST_THING = 256 };

// A player, whose height and radius are these (MT_PLAYER of info.c).
enum { PLAYER_RADIUS = 16 << 16, PLAYER_HEIGHT = 56 << 16 };

static const struct layout *layout; // of the thing that was found
static bool is_asked;               // by the engine for events
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

// Whether an address is among the variables of the engine.
static bool is_variable(const void *address)
{
    Dl_info information;
    return dladdr(address, &information) != 0;
}

// Reads memory that need not be there; false if it is not.
static bool read_memory(const void *address, void *bytes, size_t size)
{
    static int file = -1;
    if (file < 0)
        file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return pread(file, bytes, size, (off_t)(uintptr_t)address) == (ssize_t)size;
}

// A search of the variables of the program, word by word.
struct search {
    const char *begin, *end; // of the part that is searched
    bool (*is_found)(const char *variable, const struct search *search);
    const char *found;
    const struct lump *lump; // of the blockmap sought; NULL for any
};

static int search_program(struct dl_phdr_info *program, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    for (size_t i = 0; i < program->dlpi_phnum && !search->found; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        uintptr_t address = program->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        memcpy(&search->begin, &address, sizeof search->begin);
        search->end = search->begin + part->p_memsz;
        const char *at = search->begin + -address % sizeof(void *);
        for (; !search->found && at + sizeof(void *) <= search->end;
             at += sizeof(void *))
            if (search->is_found(at, search))
                search->found = at;
    }
    return 1; // the program is the first
}

// Whether a variable is a player with a thing: that has a player's size, and
// points back.  Most numbers can be no pointer, which saves looking there.
static bool is_player(const char *variable, const struct search *search)
{
    const char *thing = pointer_field(variable, 0);
    const uint64_t address = (uintptr_t)thing;
    char copy[LARGEST_THING];
    (void)search;
    if (address % sizeof(void *) != 0 || address < 1 << 16 ||
        address >> 47 != 0 || !read_memory(thing, copy, sizeof copy))
        return false;
    for (size_t i = 0; i < LAYOUT_COUNT; i++)
        if (pointer_field(copy, layouts[i].player) == variable &&
            field(copy, layouts[i].radius) == PLAYER_RADIUS &&
            field(copy, layouts[i].radius + 4) == PLAYER_HEIGHT)
            layout = &layouts[i];
    return layout;
}

// Finds the list of thinkers, once there is one.
static void find_thinkers(void)
{
    struct search search = {.is_found = is_player};
    dl_iterate_phdr(search_program, &search);
    if (!search.found)
        return;
    struct thinker *thinker = pointer_field(search.found, 0);
    mobj_function = thinker->function;
    while (!is_variable(thinker))
        thinker = thinker->next;
    thinkers = thinker;
}

// --- The blockmap ---

enum {
    LARGEST_LUMP = (1 << 20) - 1, // bytes
    GRID_WORDS = 4,
    MOST_BLOCKS = 512, // columns or rows
};

struct lump {
    unsigned char *bytes;
    size_t size;
};

static void read_lump(struct lump *lump, const char *name)
{
    static unsigned char bytes[LARGEST_LUMP + 1];
    FILE *file = fopen(name, "rb");
    if (!file)
        fail("the file with the lump cannot be opened");
    *lump = (struct lump){bytes, fread(bytes, 1, sizeof bytes, file)};
    if (ferror(file) || lump->size > LARGEST_LUMP)
        fail("the lump cannot be read, or is too large");
    fclose(file);
}

// 0 past the end.
static int32_t word_of(const struct lump *lump, size_t i)
{
    if (2 * i + 2 > lump->size)
        return 0;
    unsigned word = lump->bytes[2 * i] | (unsigned)lump->bytes[2 * i + 1] << 8;
    if (i < 2 || word == 0xFFFF)
        return (int16_t)word;
    return (int32_t)word;
}

// A blockmap in memory, in words of 2, 4 or 8 bytes.
struct blockmap {
    const char *memory;
    size_t word_size;
    const int32_t *begin, *end; // variables beside it
};

// A word; those of 2 bytes as engines widen them.  0 where no memory is.
static int64_t word_at(const struct blockmap *blockmap, size_t i)
{
    union {
        uint16_t narrow;
        int32_t wide;
        int64_t wider;
    } word = {0};
    if (!read_memory(blockmap->memory + i * blockmap->word_size, &word,
                     blockmap->word_size))
        return 0;
    if (blockmap->word_size > 2)
        return blockmap->word_size == 8 ? word.wider : word.wide;
    return i < 2 || word.narrow == 0xFFFF ? (int16_t)word.narrow : word.narrow;
}

// Whether a number is in a variable beside the blockmap.
static bool is_beside(const struct blockmap *blockmap, int32_t number)
{
    const int32_t *at = blockmap->begin;
    while (at < blockmap->end && *at != number)
        at++;
    return at < blockmap->end;
}

// Whether the grid of a lump is beside the blockmap.
static bool has_grid_of(const struct blockmap *blockmap,
                        const struct lump *lump)
{
    return is_beside(blockmap, word_of(lump, 0) * 65536) &&
           is_beside(blockmap, word_of(lump, 1) * 65536) &&
           is_beside(blockmap, word_of(lump, 2)) &&
           is_beside(blockmap, word_of(lump, 3));
}

// Whether a grid that stands before the offsets is.  Words of 2 bytes are those
// of a lump.
static bool has_any_grid(const struct blockmap *blockmap)
{
    const int64_t columns = word_at(blockmap, 2), rows = word_at(blockmap, 3);
    return blockmap->word_size > 2 && columns > 0 && columns <= MOST_BLOCKS &&
           rows > 0 && rows <= MOST_BLOCKS &&
           is_beside(blockmap, (int32_t)columns) &&
           is_beside(blockmap, (int32_t)rows);
}

// Whether the lump is in memory, word by word.
static bool is_loaded(const struct lump *lump, const struct blockmap *blockmap)
{
    for (size_t i = 0; i < lump->size / 2; i++)
        if (word_at(blockmap, i) != word_of(lump, i))
            return false;
    return true;
}

// Whether a variable is blockmaplump of p_setup.c: blockmap, which points to
// the offsets, is beside it, and so is the grid.
static bool is_blockmap(const char *variable, const struct search *search)
{
    enum { BESIDE = 64 }; // bytes
    const char *begin =
        variable - search->begin > BESIDE ? variable - BESIDE : search->begin;
    const char *end =
        search->end - variable > BESIDE ? variable + BESIDE : search->end;
    struct blockmap blockmap = {.memory = pointer_field(variable, 0)};
    memcpy(&blockmap.begin, &begin, sizeof begin);
    blockmap.end = blockmap.begin + (end - begin) / 4;
    for (; blockmap.memory && begin + sizeof(void *) <= end;
         begin += sizeof(void *)) {
        const char *offsets = pointer_field(begin, 0);
        for (size_t size = 2; size <= 8; size *= 2) {
            blockmap.word_size = size;
            if (offsets == blockmap.memory + GRID_WORDS * size &&
                (search->lump ? has_grid_of(&blockmap, search->lump) &&
                                    is_loaded(search->lump, &blockmap)
                              : has_any_grid(&blockmap)))
                return true;
        }
    }
    return false;
}

static bool find_blockmap(const struct lump *lump)
{
    struct search search = {.is_found = is_blockmap, .lump = lump};
    dl_iterate_phdr(search_program, &search);
    return search.found;
}

static void report_blockmap(FILE *trace, const char *name)
{
    struct lump lump;
    read_lump(&lump, name);
    const bool has_grid = lump.size >= GRID_WORDS * 2;
    fprintf(trace, "blockmap %s\n",
            has_grid && find_blockmap(&lump) ? "loaded"
            : find_blockmap(NULL)            ? "rebuilt"
                                             : "none");
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
        if (!player && is_of_player(thinker))
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

// Writes down where players are, missiles and what shots leave: all that is in
// no block.
static void write_movers(FILE *movers)
{
    enum { IN_NO_BLOCK = 0x10, MISSILE = 0x10000 }; // MF_* of p_mobj.h
    static long tic;
    const struct thinker *thinker = thinkers->next;
    for (; thinker != thinkers; thinker = thinker->next) {
        if (thinker->function != mobj_function)
            continue;
        const bool is_player = is_of_player(thinker);
        const int32_t flags = field(thinker, layout->flags);
        if (is_player || (flags & (IN_NO_BLOCK | MISSILE)) != 0)
            fprintf(movers, "%ld %p %d %" PRId32 " %" PRId32 " %" PRId32 "\n",
                    tic, (const void *)thinker, is_player, flags,
                    field(thinker, layout->x), field(thinker, layout->x + 4));
    }
    tic++;
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
    static FILE *trace, *movers;
    is_asked = true;
    if (!trace) {
        const char *name = getenv("OBSERVER_MOVERS");
        trace = open_trace();
        movers = name ? fopen(name, "w") : NULL;
    }
    if (!thinkers) {
        find_thinkers();
        const char *lump = getenv("OBSERVER_BLOCKMAP");
        if (thinkers && lump)
            report_blockmap(trace, lump);
    }
    if (thinkers)
        trace_tic(trace);
    if (thinkers && movers)
        write_movers(movers);
}

// Where nothing was seen, tells so at the end.
__attribute__((destructor)) static void tell_of_nothing(void)
{
    if (is_asked && !thinkers)
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

// Woof since 15 asks by this.
int SDL_PeepEvents(void *events, int most, int action, uint32_t first,
                   uint32_t last)
{
    int (*next)(void *events, int most, int action, uint32_t first,
                uint32_t last);
    find_next("SDL_PeepEvents", &next);
    int count = next(events, most, action, first, last);
    if (count == 0)
        observe();
    return count;
}

void SDL_Delay(uint32_t milliseconds)
{
    (void)milliseconds;
}

// Each look at the clock takes a millisecond.
uint32_t SDL_GetTicks(void)
{
    static uint32_t milliseconds;
    return ++milliseconds;
}

uint64_t SDL_GetPerformanceCounter(void)
{
    uint64_t (*frequency)(void);
    find_next("SDL_GetPerformanceFrequency", &frequency);
    return SDL_GetTicks() * (frequency() / 1000);
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
