// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the nodes of every form are read right, on a handmade map, also
// where vanilla nodes spell the signature of another form, and that a number
// that cannot be, in any field, or an end that comes too soon, at any byte, is
// refused with a sentence and without harm.
//
// The map is a square with corners 0 to 3, whose linedefs go round it.  Its
// node builder has split it in two, between the new vertices 4 and 5:
//
//     3 ----2---- 5 ----2---- 2
//     |           |           |
//     3           |           1
//     |           |           |
//     0 ----0---- 4 ----0---- 1

#include "buffer.h"
#include "compress.h"
#include "context-for-tests.h"
#include "lump-set.h"
#include "map/nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1 << 16, // a map unit in 16.16
    CORNERS = 4,
    LINEDEFS = 4,
    NEW_VERTICES = 2,
    VERTICES = CORNERS + NEW_VERTICES,
    NONE = 0xFFFF, // the linedef of a seg that has none
};

static const int16_t corners[CORNERS][2] = {
    {-100, 0}, {156, 0}, {156, 200}, {-100, 200}};

static const int32_t new_vertices[NEW_VERTICES][2] = {
    {28 * UNIT + UNIT / 2, 0},
    {28 * UNIT + UNIT / 2, 200 * UNIT},
};

// The two subsectors, and where a GL builder puts a seg between them.
static const struct {
    unsigned v1, v2, linedef;
} segs[] = {
    {0, 4, 0}, {4, 5, NONE}, {5, 3, 2}, {3, 0, 3},
    {4, 1, 0}, {1, 2, 1},    {2, 5, 2}, {5, 4, NONE},
};

enum { SEGS = COUNT(segs), SUBSECTORS = 2 };

// --- The forms ---

static const struct form {
    const char *signature; // NULL: segs in a lump of their own
    bool gl;
    unsigned vertex_size, linedef_size, node_size; // bytes
} forms[] = {
    {"XNOD", false, 4, 2, 32}, {"ZNOD", false, 4, 2, 32},
    {"XGLN", true, 4, 2, 32},  {"ZGLN", true, 4, 2, 32},
    {"XGL2", true, 4, 4, 32},  {"ZGL2", true, 4, 4, 32},
    {"XGL3", true, 4, 4, 40},  {"ZGL3", true, 4, 4, 40},
    {NULL, false, 2, 2, 0}, // vanilla
    {NULL, false, 4, 2, 0}, // DeePBSPV4
};

enum { FORMS = COUNT(forms), EXTENDED_FORMS = FORMS - 2 };

// What a field of a lump is, and with it what it must not be.
enum field_kind {
    FIELD_COUNT,   // anything but what it is
    FIELD_VERTEX,  // a vertex that does not exist
    FIELD_LINEDEF, // a linedef that does not exist
};

struct field {
    enum field_kind kind;
    size_t at; // in the lump's bytes
    unsigned size;
};

// A lump, and where its numbers are.
struct made_lump {
    struct buffer bytes;
    struct field fields[64];
    size_t field_count;
};

static void put_number(struct buffer *buffer, unsigned size, uint32_t number)
{
    if (size == 2)
        buffer_put_u16(buffer, number & 0xFFFF);
    else
        buffer_put_u32(buffer, number);
}

static void put_field(struct made_lump *lump, enum field_kind kind,
                      unsigned size, uint32_t number)
{
    ck_assert_uint_lt(lump->field_count, COUNT(lump->fields));
    lump->fields[lump->field_count++] =
        (struct field){kind, lump->bytes.size, size};
    put_number(&lump->bytes, size, number);
}

static void put_zeros(struct buffer *buffer, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_put_u8(buffer, 0);
}

// A seg of a GL form has its partner instead of its end; other forms have no
// segs between subsectors.
static void put_seg(struct made_lump *lump, const struct form *form, size_t seg)
{
    if (!form->gl && segs[seg].linedef == NONE)
        return;
    put_field(lump, FIELD_VERTEX, form->vertex_size, segs[seg].v1);
    if (form->gl)
        buffer_put_u32(&lump->bytes, UINT32_MAX);
    else
        put_field(lump, FIELD_VERTEX, form->vertex_size, segs[seg].v2);
    put_zeros(&lump->bytes, form->signature ? 0 : 2); // the angle
    put_field(lump, FIELD_LINEDEF, form->linedef_size,
              segs[seg].linedef == NONE ? UINT32_MAX : segs[seg].linedef);
    put_zeros(&lump->bytes, form->signature ? 1 : 4);
}

static void put_vertices(struct made_lump *lump)
{
    put_field(lump, FIELD_COUNT, 4, CORNERS);
    put_field(lump, FIELD_COUNT, 4, NEW_VERTICES);
    for (size_t i = 0; i < NEW_VERTICES; i++) {
        buffer_put_u32(&lump->bytes, (uint32_t)new_vertices[i][0]);
        buffer_put_u32(&lump->bytes, (uint32_t)new_vertices[i][1]);
    }
}

static uint32_t count_segs(const struct form *form)
{
    return form->gl ? SEGS : SEGS - 2;
}

// Everything behind the signature.
static struct made_lump make_payload(const struct form *form)
{
    struct made_lump lump = {0};
    uint32_t seg_count = count_segs(form);
    for (size_t i = 0; i < SEGS && !form->signature; i++)
        put_seg(&lump, form, i);
    if (!form->signature)
        return lump;
    put_vertices(&lump);
    put_field(&lump, FIELD_COUNT, 4, SUBSECTORS);
    for (size_t i = 0; i < SUBSECTORS; i++)
        put_field(&lump, FIELD_COUNT, 4, seg_count / SUBSECTORS);
    put_field(&lump, FIELD_COUNT, 4, seg_count);
    for (size_t i = 0; i < SEGS; i++)
        put_seg(&lump, form, i);
    put_field(&lump, FIELD_COUNT, 4, 1);
    put_zeros(&lump.bytes, form->node_size);
    return lump;
}

// A whole lump: signature and payload, compressed if the form is.
static struct buffer make_lump(const struct form *form,
                               const unsigned char *payload, size_t size)
{
    struct buffer lump = {0};
    buffer_put(&lump, form->signature, 4);
    if (form->signature[0] == 'Z') {
        struct buffer stream = compress_bytes(payload, size);
        buffer_put(&lump, stream.bytes, stream.size);
        buffer_free(&stream);
    } else {
        buffer_put(&lump, payload, size);
    }
    return lump;
}

// Makes a lump of sound nodes, to be freed.
static struct buffer make_whole(const struct form *form)
{
    struct made_lump payload = make_payload(form);
    struct buffer lump =
        make_lump(form, payload.bytes.bytes, payload.bytes.size);
    buffer_free(&payload.bytes);
    return lump;
}

// --- Reading ---

// The nodes that have been read; `status` tells whether they could be.
static struct {
    nbstage_status status;
    struct map map; // without its lumps
    struct nodes nodes;
} reading;

// The square without nodes, for read_nodes.  Where they do not have the new
// vertices, VERTEXES does.
static struct lump_set make_square(bool has_new_vertices)
{
    struct lump_set set = {0};
    struct buffer linedefs = {0}, vertexes = {0};
    for (unsigned i = 0; i < LINEDEFS; i++) {
        buffer_put_u16(&linedefs, i);
        buffer_put_u16(&linedefs, (i + 1) % CORNERS);
        put_zeros(&linedefs, 10);
    }
    for (size_t i = 0; i < CORNERS; i++)
        for (size_t axis = 0; axis < 2; axis++)
            buffer_put_u16(&vertexes, (unsigned)corners[i][axis]);
    for (size_t i = 0; i < NEW_VERTICES && has_new_vertices; i++)
        for (size_t axis = 0; axis < 2; axis++)
            buffer_put_u16(&vertexes, (unsigned)(new_vertices[i][axis] / UNIT));
    lump_set_add(&set, "LINEDEFS", linedefs);
    lump_set_add(&set, "VERTEXES", vertexes);
    return set;
}

// Adds a lump with nothing behind its last byte.
static void add_lump(struct lump_set *set, const char *name,
                     const unsigned char *bytes, size_t size)
{
    unsigned char *copy = buffer_copy_exactly(bytes, size);
    lump_set_add(set, name, (struct buffer){copy, size, size});
}

static void read_map(struct lump_set *set)
{
    struct nbstage_map given = lump_set_map(set);
    test_host.peak = 0;
    test_context.message[0] = '\0';
    ck_assert_int_eq(map_read(&test_context, &given, false, &reading.map),
                     NBSTAGE_OK);
}

// Reads the nodes of a map, for end_reading, and frees its lumps.
static void read_nodes(struct lump_set set)
{
    read_map(&set);
    reading.status = nodes_read(&test_context, &reading.map, &reading.nodes);
    lump_set_free(&set);
}

// Reads the nodes in one lump.
static void read_lump(const char *name, const void *bytes, size_t size)
{
    struct lump_set set = make_square(false);
    add_lump(&set, name, bytes, size);
    read_nodes(set);
}

static void read_payload(const struct form *form, const unsigned char *payload,
                         size_t size)
{
    static const unsigned char deep_nodes[8 + 32] = "xNd4";
    if (form->signature) {
        struct buffer lump = make_lump(form, payload, size);
        read_lump("ZNODES", lump.bytes, lump.size);
        buffer_free(&lump);
        return;
    }
    struct lump_set set = make_square(true);
    add_lump(&set, "SEGS", payload, size);
    if (form->vertex_size == 4)
        add_lump(&set, "NODES", deep_nodes, sizeof deep_nodes);
    read_nodes(set);
}

// Frees the nodes, also after a failure; nothing else may be left.
static void end_reading(void)
{
    nodes_free(&test_context, &reading.nodes);
    map_free(&test_context, &reading.map);
    ck_assert_uint_eq(test_host.in_use, 0);
}

// No number, however large, may lead to large memory.  What inflating needs
// is in the bound.
static void check_refused(const char *lump_name, const char *what)
{
    enum { BOUND = 1 << 18 };
    char where[64];
    snprintf(where, sizeof where, "MAP01: %s: ", lump_name);
    ck_assert_msg(reading.status == NBSTAGE_BAD_MAP, "%s are read", what);
    ck_assert_msg(strncmp(test_context.message, where, strlen(where)) == 0,
                  "%s: %s", what, test_context.message);
    ck_assert_uint_le(test_host.peak, BOUND);
}

// Reads a payload that has to be refused.
static void expect_refused(const struct form *form, const struct buffer *bytes,
                           const char *what)
{
    read_payload(form, bytes->bytes, bytes->size);
    check_refused(form->signature ? "ZNODES" : "SEGS", what);
    end_reading();
}

static void check_segs(bool gl)
{
    ck_assert_msg(reading.status == NBSTAGE_OK, "%s", test_context.message);
    size_t count = 0;
    for (size_t i = 0; i < SEGS; i++)
        if (gl || segs[i].linedef != NONE) {
            const struct nodes_seg *seg = &reading.nodes.segs[count++];
            ck_assert_uint_le(count, reading.nodes.seg_count);
            ck_assert_uint_eq(seg->v1, segs[i].v1);
            ck_assert_uint_eq(seg->v2, segs[i].v2);
            ck_assert_uint_eq(seg->linedef, segs[i].linedef == NONE
                                                ? NODES_NO_LINEDEF
                                                : segs[i].linedef);
        }
    ck_assert_uint_eq(reading.nodes.seg_count, count);
}

static void check_new_vertices(void)
{
    const struct map *map = &reading.map;
    ck_assert_uint_eq(map->added_count, NEW_VERTICES);
    for (size_t i = 0; i < NEW_VERTICES; i++) {
        struct map_vertex at;
        map_get_vertex(&map->vertices, map->vertex_count + i, &at);
        ck_assert_int_eq(at.x, new_vertices[i][0]);
        ck_assert_int_eq(at.y, new_vertices[i][1]);
    }
}

// --- Sound nodes ---

LOOP_TEST(nodes_are_read, FORMS)
{
    static const char *const places[] = {"ZNODES", "NODES", "SSECTORS"};
    const struct form *form = &forms[_i];
    struct made_lump payload = make_payload(form);
    const struct buffer *bytes = &payload.bytes;
    read_payload(form, bytes->bytes, bytes->size);
    check_segs(form->gl);
    if (!form->signature) {
        ck_assert_uint_eq(reading.map.added_count, 0);
        ck_assert_str_eq(reading.nodes.lump_name, "SEGS");
    }
    end_reading();
    for (size_t i = 0; i < COUNT(places) && form->signature; i++) {
        struct buffer lump = make_lump(form, bytes->bytes, bytes->size);
        read_lump(places[i], lump.bytes, lump.size);
        check_segs(form->gl);
        check_new_vertices();
        ck_assert_str_eq(reading.nodes.lump_name, places[i]);
        end_reading();
        buffer_free(&lump);
    }
    buffer_free(&payload.bytes);
}

TEST(a_map_without_nodes_has_none)
{
    static const unsigned char vanilla[32] = "NODXGLN";
    static const char *const names[] = {"THINGS", "SEGS", "NODES", "SSECTORS"};
    for (size_t i = 0; i < COUNT(names); i++) {
        read_lump(names[i], vanilla, i < 2 ? 0 : sizeof vanilla);
        ck_assert_int_eq(reading.status, NBSTAGE_OK);
        ck_assert_uint_eq(reading.nodes.seg_count, 0);
        ck_assert_uint_eq(reading.map.added_count, 0);
        end_reading();
    }
}

// Segs that nobody asked for are not looked at.
TEST(new_vertices_alone_need_no_segs)
{
    struct lump_set set = make_square(false);
    lump_set_view(&set, "SEGS", "damaged", 7);
    read_map(&set);
    ck_assert_int_eq(nodes_read_vertices(&test_context, &reading.map),
                     NBSTAGE_OK);
    lump_set_free(&set);
    end_reading();
    read_lump("SEGS", "damaged", 7);
    check_refused("SEGS", "damaged segs");
    end_reading();
}

// An empty subsector takes no seg, among others or alone.
LOOP_TEST(an_empty_subsector_is_passed_over, EXTENDED_FORMS)
{
    static const unsigned char alone[24] = {[0] = CORNERS, [8] = 1};
    const struct form *form = &forms[_i];
    struct made_lump payload = make_payload(form);
    enum { COUNT_AT = 8 + 8 * NEW_VERTICES, SECOND_AT = COUNT_AT + 8 };
    struct buffer changed = {0};
    buffer_put(&changed, payload.bytes.bytes, COUNT_AT);
    buffer_put_u32(&changed, SUBSECTORS + 1);
    buffer_put(&changed, payload.bytes.bytes + COUNT_AT + 4, 4);
    buffer_put_u32(&changed, 0);
    buffer_put(&changed, payload.bytes.bytes + SECOND_AT,
               payload.bytes.size - SECOND_AT);
    read_payload(form, changed.bytes, changed.size);
    check_segs(form->gl);
    end_reading();
    read_payload(form, alone, sizeof alone);
    ck_assert_int_eq(reading.status, NBSTAGE_OK);
    end_reading();
    buffer_free(&changed);
    buffer_free(&payload.bytes);
}

// --- Vanilla nodes that spell a signature ---

static const char *const spelled[] = {"XNOD", "ZNOD", "XGLN", "ZGLN", "XGL2",
                                      "ZGL2", "XGL3", "ZGL3", "xNd4"};

enum {
    FEW_SEGS = 8,
    MANY_SEGS = 0xC000,
    VANILLA_NODE = 28,
    IS_SUBSECTOR = 0x8000
};

// What is wrong with the vanilla nodes, so that the signature counts.
enum fault {
    SOUND,
    NO_SEGS,
    HALF_A_SEG,
    NO_SUBSECTORS,
    HALF_A_SUBSECTOR,
    SUBSECTOR_OUTSIDE,
    HALF_A_NODE,
    CHILD_OUTSIDE,
    NODE_AFTER_PARENT,
    FAULTS,
};

// The square with a vanilla node for two subsectors, whose NODES or SSECTORS
// begins with a signature.  As a subsector it is of thousands of segs.
static struct lump_set make_spelling(const char *place, const char *signature,
                                     enum fault fault)
{
    struct lump_set set = make_square(true);
    struct buffer nodes = {0}, subsectors = {0}, bytes = {0};
    const bool in_nodes = strcmp(place, "NODES") == 0;
    const unsigned seg_count = in_nodes ? FEW_SEGS : MANY_SEGS;
    buffer_put(&nodes, in_nodes ? signature : "NODE", 4);
    put_zeros(&nodes, VANILLA_NODE - 8);
    buffer_put_u16(&nodes, fault == NODE_AFTER_PARENT ? 0 : IS_SUBSECTOR);
    buffer_put_u16(&nodes, IS_SUBSECTOR + (fault == CHILD_OUTSIDE ? 2 : 1));
    put_zeros(&nodes, fault == HALF_A_NODE ? VANILLA_NODE / 2 : 0);
    buffer_put(&subsectors, in_nodes ? "\4\0\4" : signature, 4);
    buffer_put_u16(&subsectors, fault == SUBSECTOR_OUTSIDE ? 5 : 4);
    buffer_put_u16(&subsectors, seg_count - 4);
    put_zeros(&subsectors, fault == HALF_A_SUBSECTOR ? 2 : 0);
    for (unsigned i = 0; i < seg_count; i++) {
        buffer_put_u16(&bytes, i % CORNERS);
        buffer_put_u16(&bytes, (i + 1) % CORNERS);
        buffer_put_u16(&bytes, 0);
        buffer_put_u16(&bytes, i % LINEDEFS);
        put_zeros(&bytes, 4);
    }
    put_zeros(&bytes, fault == HALF_A_SEG ? 6 : 0);
    bytes.size = fault == NO_SEGS ? 0 : bytes.size;
    subsectors.size = fault == NO_SUBSECTORS && in_nodes ? 0 : subsectors.size;
    lump_set_add(&set, "SEGS", bytes);
    lump_set_add(&set, "SSECTORS", subsectors);
    lump_set_add(&set, "NODES", nodes);
    return set;
}

static const char *const vanilla_places[] = {"NODES", "SSECTORS"};

LOOP_TEST(vanilla_nodes_may_spell_a_signature, COUNT(spelled))
{
    for (size_t p = 0; p < COUNT(vanilla_places); p++) {
        read_nodes(make_spelling(vanilla_places[p], spelled[_i], SOUND));
        ck_assert_msg(reading.status == NBSTAGE_OK, "%s in %s: %s", spelled[_i],
                      vanilla_places[p], test_context.message);
        ck_assert_str_eq(reading.nodes.lump_name, "SEGS");
        ck_assert_uint_eq(reading.nodes.seg_count,
                          p == 0 ? FEW_SEGS : MANY_SEGS);
        for (unsigned i = 0; i < FEW_SEGS; i++) {
            ck_assert_uint_eq(reading.nodes.segs[i].v1, i % CORNERS);
            ck_assert_uint_eq(reading.nodes.segs[i].linedef, i % LINEDEFS);
        }
        end_reading();
    }
}

// Where the lumps cannot be vanilla nodes, it is the extended ones that are
// damaged, and the sentence says what of them.
LOOP_TEST(a_signature_counts_if_vanilla_nodes_do_not_fit, EXTENDED_FORMS)
{
    for (size_t p = 0; p < COUNT(vanilla_places); p++)
        for (enum fault fault = SOUND + 1; fault < FAULTS; fault++) {
            if (fault == NO_SUBSECTORS && p == 1)
                continue; // its signature is there
            read_nodes(make_spelling(vanilla_places[p], spelled[_i], fault));
            check_refused(vanilla_places[p], spelled[_i]);
            end_reading();
        }
}

// A ZNODES lump is never vanilla.
LOOP_TEST(znodes_are_read_beside_vanilla_nodes, EXTENDED_FORMS)
{
    const struct form *form = &forms[_i];
    struct buffer lump = make_whole(form);
    struct lump_set set = make_spelling("NODES", "NODE", SOUND);
    lump_set_add(&set, "ZNODES", lump);
    read_map(&set);
    reading.status = nodes_read(&test_context, &reading.map, &reading.nodes);
    ck_assert_str_eq(reading.nodes.lump_name, "ZNODES");
    lump_set_free(&set);
    end_reading();
}

// Extended nodes whose end is missing stay extended beside the vanilla lumps
// of an earlier builder.
LOOP_TEST(nodes_cut_off_beside_vanilla_lumps_are_refused, EXTENDED_FORMS)
{
    const struct form *form = &forms[_i];
    struct buffer lump = make_whole(form);
    for (size_t size = 4; size < lump.size; size++) {
        struct lump_set set = make_spelling("NODES", "NODE", SOUND);
        set.count--; // the last is NODES, whose bytes stay owned
        buffer_free(&set.owned[set.count]);
        add_lump(&set, "NODES", lump.bytes, size);
        read_nodes(set);
        check_refused("NODES", "nodes cut off");
        end_reading();
    }
    buffer_free(&lump);
}

// Five nodes of DeePBSPV4 have the size of six vanilla nodes, and its other
// lumps may be sizes of vanilla lumps, too.
TEST(nodes_of_deepbsp_may_have_a_vanilla_size)
{
    struct lump_set set = make_square(true);
    struct buffer nodes = {0}, subsectors = {0}, deep_segs = {0};
    buffer_put(&nodes, "xNd4\0\0\0", 8);
    for (unsigned i = 0; i < 5; i++) {
        put_zeros(&nodes, 24);
        buffer_put_u32(&nodes, i == 0 ? 0x80000000 : i - 1);
        buffer_put_u32(&nodes, 0x80000000 | (i + 1));
    }
    for (unsigned i = 0; i < 6; i++) {
        buffer_put_u16(&subsectors, 1);
        buffer_put_u32(&subsectors, i);
    }
    for (unsigned i = 0; i < 6; i++) {
        buffer_put_u32(&deep_segs, i % CORNERS);
        buffer_put_u32(&deep_segs, (i + 1) % CORNERS);
        buffer_put_u16(&deep_segs, 0);
        buffer_put_u16(&deep_segs, i % LINEDEFS);
        put_zeros(&deep_segs, 4);
    }
    lump_set_add(&set, "SEGS", deep_segs);
    lump_set_add(&set, "SSECTORS", subsectors);
    lump_set_add(&set, "NODES", nodes);
    read_nodes(set);
    ck_assert_msg(reading.status == NBSTAGE_OK, "%s", test_context.message);
    ck_assert_uint_eq(reading.nodes.seg_count, 6);
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(reading.nodes.segs[i].v2, (i + 1) % CORNERS);
    end_reading();
}

// --- Wrong numbers ---

static uint32_t get_number(const struct made_lump *lump,
                           const struct field *field)
{
    uint32_t number = 0;
    for (unsigned i = field->size; i-- > 0;)
        number = number << 8 | lump->bytes.bytes[field->at + i];
    return number;
}

static void set_number(struct made_lump *lump, const struct field *field,
                       uint32_t number)
{
    for (unsigned i = 0; i < field->size; i++)
        lump->bytes.bytes[field->at + i] =
            (unsigned char)(number >> 8 * i & 0xFF);
}

enum { MOST_WRONG = 6 };

// Stores numbers that a field must not have and returns how many.
static size_t find_wrong_numbers(const struct field *field, uint32_t right,
                                 uint32_t wrong[MOST_WRONG])
{
    const uint32_t counts[] = {0,         right + 1,  right - 1,
                               INT32_MAX, 0x80000000, UINT32_MAX};
    const uint32_t vertices[] = {VERTICES, VERTICES + 1, 0x8000,
                                 0xFFFF,   INT32_MAX,    UINT32_MAX};
    const uint32_t linedefs[] = {LINEDEFS, 0x8000,     0xFFFE,
                                 0xFFFF,   0x80000000, UINT32_MAX - 1};
    const uint32_t *numbers = field->kind == FIELD_COUNT    ? counts
                              : field->kind == FIELD_VERTEX ? vertices
                                                            : linedefs;
    memcpy(wrong, numbers, MOST_WRONG * sizeof *wrong);
    // What 16 bits can tell; 0xFFFF is no linedef.
    if (field->size == 4)
        return MOST_WRONG;
    return field->kind == FIELD_LINEDEF ? 3 : 4;
}

static const char *describe(const struct field *field, uint32_t number)
{
    static char text[64];
    static const char *const kinds[] = {"count", "vertex", "linedef"};
    snprintf(text, sizeof text, "nodes with %s %lu at byte %zu",
             kinds[field->kind], (unsigned long)number, field->at);
    return text;
}

LOOP_TEST(wrong_numbers_are_refused, FORMS)
{
    const struct form *form = &forms[_i];
    struct made_lump payload = make_payload(form);
    for (size_t f = 0; f < payload.field_count; f++) {
        const struct field *field = &payload.fields[f];
        uint32_t right = get_number(&payload, field);
        uint32_t wrong[MOST_WRONG];
        size_t count = find_wrong_numbers(field, right, wrong);
        for (size_t i = 0; i < count; i++) {
            set_number(&payload, field, wrong[i]);
            expect_refused(form, &payload.bytes, describe(field, wrong[i]));
        }
        set_number(&payload, field, right);
    }
    buffer_free(&payload.bytes);
}

// Lengths of subsectors whose sum is right only in 32 bits.
LOOP_TEST(lengths_that_wrap_are_refused, EXTENDED_FORMS)
{
    enum { LENGTHS_AT = 8 + 8 * NEW_VERTICES + 4 };
    const struct form *form = &forms[_i];
    struct made_lump payload = make_payload(form);
    const struct field first = {FIELD_COUNT, LENGTHS_AT, 4};
    const struct field second = {FIELD_COUNT, LENGTHS_AT + 4, 4};
    set_number(&payload, &first, UINT32_MAX - 1);
    set_number(&payload, &second, count_segs(form) + 2);
    expect_refused(form, &payload.bytes, "lengths that wrap");
    buffer_free(&payload.bytes);
}

// --- Cut off and damaged ---

// Cuts a lump off; without its signature it is not one of extended nodes.
static void expect_cut_refused(const struct form *form,
                               const struct buffer *payload)
{
    struct buffer lump = make_lump(form, payload->bytes, payload->size);
    for (size_t size = 0; size < lump.size; size++) {
        read_lump("SSECTORS", lump.bytes, size);
        if (size >= 4)
            check_refused("SSECTORS", "lumps cut off");
        else
            ck_assert_uint_eq(reading.nodes.seg_count, 0);
        end_reading();
    }
    buffer_free(&lump);
}

// Segs by themselves may end after any of them.
LOOP_TEST(nodes_that_are_cut_off_are_refused, FORMS)
{
    const struct form *form = &forms[_i];
    struct made_lump payload = make_payload(form);
    size_t seg_size = payload.bytes.size / count_segs(form);
    size_t whole = payload.bytes.size;
    if (form->signature)
        expect_cut_refused(form, &payload.bytes);
    put_zeros(&payload.bytes, 1);
    for (size_t size = 0; size <= whole + 1; size++) {
        struct buffer cut = {payload.bytes.bytes, size, size};
        if (form->signature ? size != whole : size % seg_size != 0) {
            expect_refused(form, &cut, "nodes cut off");
            continue;
        }
        read_payload(form, cut.bytes, size);
        ck_assert_uint_eq(reading.nodes.seg_count,
                          form->signature ? count_segs(form) : size / seg_size);
        end_reading();
    }
    buffer_free(&payload.bytes);
}
