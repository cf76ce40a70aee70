// SPDX-License-Identifier: GPL-2.0-or-later
//
// The functions that a stage need not have.

#include "stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// decode

static nbstage_status decode(struct session *session,
                             const struct nbstage_map *map,
                             struct nbstage_decoded *decoded)
{
    *decoded = (struct nbstage_decoded){.size = sizeof *decoded};
    struct nbstage_decoded *given = guarded(decoded, sizeof *decoded);
    enter(session);
    nbstage_status status = stage->decode(session->instance, map, given);
    leave(session);
    *decoded = *given;
    guarded_free(given, sizeof *given);
    if (decoded->size != sizeof *decoded)
        fail("decode changed the size of the decoded map");
    if (status != NBSTAGE_OK) {
        check_failure(session, "decode", status);
        if (decoded->vertices || decoded->lines || decoded->sectors)
            fail("decode failed, but there are arrays");
    } else if (decoded->format < NBSTAGE_FORMAT_DOOM ||
               decoded->format > NBSTAGE_FORMAT_UDMF) {
        fail("decode returned the format %" PRIu32, decoded->format);
    }
    return status;
}

static void free_decoded(struct session *session,
                         struct nbstage_decoded *decoded)
{
    enter(session);
    stage->free_decoded(session->instance, decoded);
    leave(session);
    if (decoded->size != sizeof *decoded || decoded->vertices ||
        decoded->lines || decoded->sectors || decoded->left_out)
        fail("free_decoded left a map that is not empty");
}

// The map with its arrays as they were decoded.
static struct nbstage_map hand_back(const struct nbstage_map *map,
                                    const struct nbstage_decoded *decoded)
{
    struct nbstage_map made = *map;
    made.format = decoded->format;
    made.vertices = decoded->vertices;
    made.vertex_count = decoded->vertex_count;
    made.vertex_stride = decoded->vertex_stride;
    made.lines = decoded->lines;
    made.line_count = decoded->line_count;
    made.line_stride = decoded->line_stride;
    made.line_size = decoded->line_size;
    made.sectors = decoded->sectors;
    made.sector_count = decoded->sector_count;
    made.sector_stride = decoded->sector_stride;
    made.sector_size = decoded->sector_size;
    made.flags_complete = decoded->flags_complete;
    made.vertex_form = made.line_form = NBSTAGE_FORM_32;
    return made;
}

static void check_arrays(const struct session *session,
                         const struct nbstage_decoded *decoded,
                         const struct drawing *drawing)
{
    if (decoded->vertex_count != drawing->vertex_count ||
        decoded->line_count != drawing->line_count)
        fail("decode returned %zu vertices and %zu lines of %zu and %zu",
             decoded->vertex_count, decoded->line_count, drawing->vertex_count,
             drawing->line_count);
    if (!host_owns(&session->host, decoded->vertices, 1) ||
        !host_owns(&session->host, decoded->lines, 1))
        fail("decoded arrays are not in memory from the host's allocate");
    for (size_t i = 0; i < decoded->vertex_count; i++) {
        struct nbstage_vertex vertex;
        memcpy(&vertex,
               (const char *)decoded->vertices + i * decoded->vertex_stride,
               sizeof vertex);
        if (vertex.x != drawing->vertices[i][0] * 65536 ||
            vertex.y != drawing->vertices[i][1] * 65536)
            fail("vertex %zu is decoded as another", i);
    }
    for (size_t i = 0; i < decoded->line_count; i++) {
        struct nbstage_line line;
        memcpy(&line, (const char *)decoded->lines + i * decoded->line_stride,
               offsetof(struct nbstage_line, flags));
        if (line.v1 != drawing->lines[i].v1 || line.v2 != drawing->lines[i].v2)
            fail("line %zu is decoded as another", i);
    }
}

// Decodes a map, builds what came, and leaves another decoded map to destroy.
static void decode_map(struct session *session, const struct map *map,
                       const struct drawing *drawing)
{
    struct nbstage_decoded decoded, left;
    struct text expected = {0}, made = {0};
    doing("decoding %s", map->what);
    if (decode(session, map->map, &decoded) != NBSTAGE_OK)
        return;
    check_arrays(session, &decoded, drawing);
    const struct nbstage_map back = hand_back(map->map, &decoded);
    write_afresh(map->map, false, &expected);
    session_write(session, &back, false, &made);
    if (decoded.format != NBSTAGE_FORMAT_UDMF)
        check_same("a decoded map, built", &made, &expected);
    decode(session, map->map, &left);
    check_arrays(session, &decoded, drawing);
    doing("freeing the decoded map twice, %s", map->what);
    free_decoded(session, &decoded);
    free_decoded(session, &decoded);
    free(expected.bytes);
    free(made.bytes);
}

// Without what it needs, and into structures of other sizes.
static void decode_badly(struct session *session, const struct nbstage_map *map)
{
    struct nbstage_instance *instance = session->instance;
    struct {
        struct nbstage_decoded known;
        unsigned char later[8 * sizeof(size_t)];
    } longer = {.known.size = sizeof longer};
    const struct nbstage_decoded none = {.size = sizeof none};
    doing("passing NULL to decode");
    enter(session);
    expect_bad_call("decode without an instance",
                    stage->decode(NULL, map, &longer.known));
    expect_bad_call("decode of NULL",
                    stage->decode(instance, NULL, &longer.known));
    expect_bad_call("decode without room for a map",
                    stage->decode(instance, map, NULL));
    check_failure(session, "decode", NBSTAGE_BAD_CALL);
    enter(session);
    for (size_t size = 0; size < sizeof none; size++) {
        void *decoded = cut(&none, size);
        doing("decoding into a structure of size %zu", size);
        expect_bad_call("decode into a structure that is cut",
                        stage->decode(instance, map, decoded));
        uncut(decoded, &none, size);
    }
    doing("decoding into a longer structure");
    nbstage_status status = stage->decode(instance, map, &longer.known);
    if (status == NBSTAGE_BAD_CALL || longer.known.size != sizeof longer)
        fail("decode does not take a longer structure");
    stage->free_decoded(instance, &longer.known);
    if (longer.known.size != sizeof longer || longer.known.vertices)
        fail("free_decoded left a longer structure that is not empty");
    leave(session);
}

static void test_decode(void)
{
    stage_load();
    if (!stage->decode)
        skip("the stage has no decode");
    for (struct walk walk = {0}; next_map(&walk);) {
        struct drawing drawing =
            drawing_make((walk.index - 1) / FORM_COUNT, settings.seed);
        struct session session;
        session_open(&session);
        decode_map(&session, &walk.map, &drawing);
        decode_badly(&session, walk.map.map);
        session_close(&session);
    }
}

// Refuses memory from each request on, and cancels at each report.
static void test_decode_ends(void)
{
    stage_load();
    if (!stage->decode)
        skip("the stage has no decode");
    for (struct walk walk = {0}; next_map(&walk);)
        for (size_t i = 0, is_over = 0; is_over < 2; i++) {
            struct session session;
            struct nbstage_decoded decoded;
            session_open(&session);
            size_t number = i / 2 + 1;
            session.host.cancel_at = i % 2 ? number : 0;
            session.host.refuse_from =
                i % 2 ? 0 : session.host.requests + number;
            session.host.refuse_to = SIZE_MAX;
            doing("decoding %s, ended at request or report %zu", walk.map.what,
                  number);
            nbstage_status status = decode(&session, walk.map.map, &decoded);
            bool has_ended =
                status == NBSTAGE_OUT_OF_MEMORY || status == NBSTAGE_CANCELLED;
            is_over = has_ended ? 0 : is_over + 1;
            session.host.cancel_at = session.host.refuse_from = 0;
            free_decoded(&session, &decoded);
            session_close(&session);
        }
}

// ---------------------------------------------------------------------------
// explain

static void explain_in(struct session *session,
                       const struct nbstage_result *result, const char *part,
                       size_t index)
{
    for (size_t size = 1; size <= NBSTAGE_TEXT_SIZE; size *= 2) {
        char *text = guarded(NULL, size);
        memset(text, 'x', size);
        doing("explaining %s %zu in %zu bytes", part, index, size);
        enter(session);
        nbstage_status status =
            stage->explain(session->instance, result, part, index, text, size);
        leave(session);
        if (!memchr(text, '\0', size))
            fail("explain left a text without a 0 at its end");
        if (status != NBSTAGE_OK && (status != NBSTAGE_BAD_CALL || *text))
            fail("explain failed with status %" PRId32 " and%s a text", status,
                 *text ? "" : " not");
        if (status == NBSTAGE_OK && size == NBSTAGE_TEXT_SIZE)
            check_sentence("an explanation", text);
        guarded_free(text, size);
    }
}

static void test_explain(void)
{
    stage_load();
    if (!stage->explain)
        skip("the stage has no explain");
    static const char *const parts[] = {"sector", "linedef", "x", ""};
    for (struct walk walk = {0}; next_map(&walk); walk.index += FORM_COUNT)
        for (struct values value = {0}; next_value(&value);) {
            struct session session;
            struct nbstage_result result;
            session_open(&session);
            session_set(&session, value.name, value.text);
            session_build(&session, walk.map.map, &result);
            for (size_t i = 0; result.lumps && i < COUNT(parts); i++)
                for (size_t index = 0; index < 3; index++)
                    explain_in(&session, &result, parts[i],
                               index == 2 ? SIZE_MAX : index);
            session_free(&session, &result);
            session_close(&session);
        }
}

// ---------------------------------------------------------------------------
// needs_lump

// Builds a map with all its lumps and with those that are needed.
static void leave_out_lumps(const struct nbstage_map *map,
                            const struct values *value)
{
    struct text expected = {0}, made = {0};
    struct session session;
    session_open(&session);
    session_set(&session, value->name, value->text);
    session_write(&session, map, true, &expected);
    struct nbstage_lump *lumps = calloc(map->lump_count, sizeof *lumps);
    struct nbstage_map less = *map;
    if (!lumps)
        fail("memory ran out");
    less.lumps = lumps;
    less.lump_count = 0;
    for (size_t i = 0; i < map->lump_count; i++) {
        const struct nbstage_lump *lump =
            NBSTAGE_AT(struct nbstage_lump, map->lumps, i);
        enter(&session);
        if (stage->needs_lump(session.instance, lump->name))
            lumps[less.lump_count++] = *lump;
        leave(&session);
    }
    doing("leaving out %zu of %zu lumps with %s=%s",
          map->lump_count - less.lump_count, map->lump_count, value->name,
          value->text);
    session_write(&session, &less, true, &made);
    check_same("a map without lumps that are not needed", &made, &expected);
    free(lumps);
    free(expected.bytes);
    session_close(&session);
}

static void test_needs_lump(void)
{
    stage_load();
    if (!stage->needs_lump)
        skip("the stage has no needs_lump");
    for (struct walk walk = {0}; next_map(&walk);)
        for (struct values value = {0}; next_value(&value);)
            if (walk.map.map->lump_count > 0)
                leave_out_lumps(walk.map.map, &value);
}

// ---------------------------------------------------------------------------
// set_default

static void write_with(const struct nbstage_map *map,
                       const struct values *first, const struct values *second,
                       bool first_is_default, bool second_is_default,
                       struct text *text)
{
    struct session session;
    session_open(&session);
    session_set_by(&session, first_is_default, first->name, first->text);
    if (second)
        session_set_by(&session, second_is_default, second->name, second->text);
    session_write(&session, map, true, text);
    session_close(&session);
}

// A default is as the option itself, but gives way to it in any order.
static void test_default(void)
{
    stage_load();
    if (!stage->set_default)
        skip("the stage has no set_default");
    struct walk walk = {.index = FORM_COUNT};
    next_map(&walk);
    struct values original = {0};
    for (struct values value = {0}; next_value(&value);) {
        struct text expected = {0}, made = {0};
        if (value.is_default)
            original = value;
        doing("setting the default %s=%s", value.name, value.text);
        write_with(walk.map.map, &value, NULL, false, false, &expected);
        write_with(walk.map.map, &value, NULL, true, false, &made);
        check_same("a default of the host", &made, &expected);
        free(expected.bytes);
        expected = (struct text){0};
        write_with(walk.map.map, &original, NULL, false, false, &expected);
        write_with(walk.map.map, &value, &original, true, false, &made);
        check_same("an option after its default", &made, &expected);
        write_with(walk.map.map, &original, &value, false, true, &made);
        check_same("an option before its default", &made, &expected);
        free(expected.bytes);
    }
    map_free(&walk.map);
    struct session session;
    session_open(&session);
    if (session_set_by(&session, true, "no-such-option", "x") !=
        NBSTAGE_UNKNOWN_OPTION)
        fail("set_default takes an option that does not exist");
    session_close(&session);
}

const struct test optional_tests[] = {
    {"decode", "decoded arrays are the map, and build the same", test_decode},
    {"decode-ends", "decoding without memory, and cancelled", test_decode_ends},
    {"explain", "explanations keep to their room", test_explain},
    {"needs-lump", "lumps that are not needed change nothing", test_needs_lump},
    {"set-default", "defaults give way to options", test_default},
    {0}};
