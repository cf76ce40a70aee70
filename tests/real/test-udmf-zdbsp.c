// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the stage reads what ZDBSP reads of UDMF texts with oddities, and
// the same of it: vertices and linedefs as the stage has read them, printed
// plainly, get the same nodes from ZDBSP as the text itself.  In the room of
// these texts every end of a line shows in the nodes.
//
// What ZDBSP refuses, or crashes on, may be read or not.  Without ZDBSP the
// test is skipped.

#include "config.h"

#include "context-for-tests.h"
#include "doom-map.h"
#include "map/udmf.h"
#include "udmf-oddities.h"
#include "wadfile.h"
#include "wadwriter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LEAST_ACCEPTED = 290,
    LEAST_REFUSED = 90,
    SKIPPED = 77,
};

// What ZDBSP has done with the texts.
static size_t accepted, refused, crashed;

// Has ZDBSP build the nodes of a text.  Returns them, or nothing and how it
// ended.
static struct buffer build_nodes(const struct buffer *text, int *ended)
{
    struct wadwriter writer = {0};
    struct buffer nodes = {0};
    wadwriter_put(&writer, "MAP01", "", 0);
    wadwriter_put(&writer, "TEXTMAP", text->bytes, text->size);
    wadwriter_put(&writer, "ENDMAP", "", 0);
    wadwriter_write(&writer, "in.wad");
    unlink("out.wad");
    *ended = system("exec zdbsp -X -o out.wad in.wad >log 2>&1");
    if (*ended != 0)
        return nodes;
    struct wadfile wad = wadfile_read("out.wad");
    for (size_t i = 0; i < wad.lump_count; i++)
        if (strcmp(wad.lumps[i].name, "ZNODES") == 0)
            buffer_put(&nodes, wad.lumps[i].data, wad.lumps[i].size);
    wadfile_free(&wad);
    ck_assert_uint_gt(nodes.size, 0);
    return nodes;
}

static bool is_same(const struct buffer *a, const struct buffer *b)
{
    return a->size == b->size && a->size > 0 &&
           memcmp(a->bytes, b->bytes, a->size) == 0;
}

static struct buffer print_plainly(const struct udmf_text *read)
{
    const struct map_vertex *vertices = read->of[UDMF_VERTEX].records;
    const struct map_ends *lines = read->of[UDMF_LINEDEF].records;
    struct buffer text = {0};
    buffer_print(&text, "namespace=\"Doom\";sidedef{sector=0;}sector{}");
    for (size_t i = 0; i < read->of[UDMF_VERTEX].count; i++) {
        buffer_print(&text, "vertex{x=");
        doom_map_print_exactly(&text, vertices[i].x);
        buffer_print(&text, ";y=");
        doom_map_print_exactly(&text, vertices[i].y);
        buffer_print(&text, ";}");
    }
    for (size_t i = 0; i < read->of[UDMF_LINEDEF].count; i++)
        buffer_print(&text,
                     "linedef{v1=%" PRIu32 ";v2=%" PRIu32 ";sidefront=0;}",
                     lines[i].v1, lines[i].v2);
    return text;
}

// Whether a text has these nodes.  Most texts are the last once more.
static bool has_nodes(struct buffer text, const struct buffer *nodes)
{
    static struct buffer last_text, last_nodes;
    int ended = 0;
    if (!is_same(&text, &last_text)) {
        buffer_free(&last_text);
        buffer_free(&last_nodes);
        last_nodes = build_nodes(&text, &ended);
        last_text = text;
    } else {
        buffer_free(&text);
    }
    return is_same(nodes, &last_nodes);
}

static void check_text(void *user, const struct buffer *text, bool differs)
{
    (void)user;
    int ended;
    struct udmf_text read;
    struct buffer nodes = build_nodes(text, &ended);
    nbstage_status status = udmf_read(&test_context, (const char *)text->bytes,
                                      text->size, false, &read);
    if (ended == 0) {
        accepted++;

        ck_assert_msg(status == NBSTAGE_OK, "%.*s\nis refused: %s",
                      (int)text->size, (const char *)text->bytes,
                      test_context.message);
        ck_assert_msg(has_nodes(print_plainly(&read), &nodes) != differs,
                      "%.*s\nis %s as ZDBSP reads it", (int)text->size,
                      (const char *)text->bytes, differs ? "read" : "not read");
    } else if (WIFEXITED(ended) && WEXITSTATUS(ended) == 1) {
        refused++;
    } else {
        printf("ZDBSP ends with %d: %.*s\n", ended, (int)text->size,
               (const char *)text->bytes);
        crashed++;
    }
    udmf_free(&test_context, &read);
    buffer_free(&nodes);
}

TEST(what_zdbsp_reads_is_read)
{
    udmf_oddities_visit(check_text, NULL);
    printf("%zu texts are accepted, %zu refused; ZDBSP crashes on %zu\n",
           accepted, refused, crashed);
    ck_assert_uint_ge(accepted, LEAST_ACCEPTED);
    ck_assert_uint_ge(refused, LEAST_REFUSED);
}

int main(void)
{
    char folder[] = "/tmp/udmf-XXXXXX";
    if (system("zdbsp --version >/dev/null 2>&1") != 0) {
        puts("zdbsp is not there");
        return SKIPPED;
    }
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort_with("%s cannot be made", folder);
    int status = run_tests(all_tests());
    unlink("in.wad");
    unlink("out.wad");
    unlink("log");
    rmdir(folder);
    return status;
}
