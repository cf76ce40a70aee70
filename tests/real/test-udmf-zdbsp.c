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
#include "lump-set.h"
#include "map/udmf.h"

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

// ---------------------------------------------------------------------------
// Texts that no editor writes: a room, each time with another oddity in its
// names, values, comments, blocks or between them.

// A NUL is written as '\a'.

// clang-format off

// Before the first block.
static const char *const begins[] = {
    "", "\357\273\277", "\357\273\277namespace=\"Doom\";", "\a\a",
    "namespace=\"Doom\"", "namespace \"Doom\";", "namespace=Doom;",
    "namespace=;", "namespace=;;", "namespace=\"Doom\";;", "namespace=\"\";",
    "NAMESPACE=\"DOOM\";", "namespace=\"Doom\";namespace=\"ZDoom\";",
    "namespace=\"Do\nom\";", "namespace=\"Doom", "5=6;", "\"a\"=\"b\";",
    "-5=1;", "a.b=1;", "a=b c;", "a=;", "a", "a{}", "a{}b=1;", "a{}b=1",
    "vertex=5;", "linedef=\"x\";", "}", "{", "=", "= = =;", "/*", "//\n",
    "// no newline", "#define x", "a=1 b=2;", "a=1,b=2;", "a=+1;", "a=1e+5;",
    "a=0x;", "a=true;", "a='b';", "a=b/*c*/;", "a=b/;", "a/=b;",
    "include \"x\";", "foo { a = 1; } bar = 2;", "a=\"b\\\";", "version=1;",
    "a={};", "a={b};", "a=(b);", "/* a */ /* b", "\376\377", "\032",
    "\r\n\r\n", NULL};

// Before the last vertex, in place of nothing.
static const char *const middles[] = {
    "foo{}", "foo{sector=5;}", "foo{vertex=5;a=linedef;}",
    "foo{a=vertex{x=1;y=2;}}", "foo{vertex=vertex{x=1;y=2;}}",
    "foo{vertex{x=1;y=2;}}", "foo{linedef{v1=0;v2=2;sidefront=0;}}",
    "vertex{x=1;y=2;}", "VERTEX{X=1;Y=2;}", "Vertex {x=1;y=2;}",
    "\"vertex\"{x=1;y=2;}", "vertex\"a\"{x=1;y=2;}",
    "vertex /* 5 */ {x=1;y=2;}", "vertices{x=1;y=2;}", "vertex.{x=1;y=2;}",
    "1vertex{x=1;y=2;}", "5{vertex{x=1;y=2;}}", "sector{a=vertex;}",
    "vertex{}", "vertex{x=1;}",
    "linedef{v1=0;v2=0;sidefront=0;}vertex{x=1;y=2;}", "a\200vertex{x=1;y=2;}",
    "vertex\a{x=1;y=2;}", "foo=}vertex{x=1;y=2;}", "foo=\"}vertex{x=1;y=2;}\"",
    "foo\"vertex{x=1;y=2;}", "foo'vertex{x=1;y=2;}", "foo,vertex{x=1;y=2;}",
    "foo-vertex{x=1;y=2;}", "foo\\vertex{x=1;y=2;}", "foo:vertex{x=1;y=2;}",
    "foo vertex{x=1;y=2;}", "foo=vertex{x=1;y=2;}", "foo;vertex{x=1;y=2;}",
    "foo{vertex{x=1;y=2;}", "}vertex{x=1;y=2;}", "vertex{x=1;y=2;}}",
    "vertex{x=1;y=2;}a=b c", "vertex{x=1;y=2;}vertex{x=2;y=2;}", NULL};

// The x of that.
static const char *const coordinates[] = {
    "5", "+5", "5.", ".5", "1e3", "1E3", "1e+3", "1.5e3", "1.5E+3", "0x10",
    "0X1F", "-0x10", "+0x10", "010", "-010", "08", "0x", "0xG", "abc", "true", "\"5\"", "\"abc\"", "5abc", "5x",
    "1.5.5", "--1", "-", "+", ".", "-.", "-.5", "1e", "1e-", "1_000", "1,5",
    "5 6", "- 5", "-5", "inf", "-inf", "infinity", "nan", "-nan", "nano",
    "information", "40000", "-40000", "32767", "-32768", "1e99",
    "99999999999999999999", "1e-99999999999999999", "5'", "5\"", "5\\", "$5",
    "#5", "5%", ";", "{", "}", "(", "=", "/", "5/**/", "/**/5", "5//c\n", "",
    "5.0000000000000001", "0.0000152587890625", "MAXINT", "0e0", "-0",
    "00000000000000000000000000000005",
    "5.0000000000000000000000000000000000000000000000000000000000000000000001",
    "\302\2405", "5\377", "5\a", "\1775", "\0015", NULL};

// All its fields.
static const char *const odd_vertices[] = {
    "", "x=5;", "y=5000;", "y=5000;x=5;", "x=5;y=5000", "x=5;y=1;y=5000;",
    "{x=5;y=5000;}", "\"x\"=5;y=5000;", "x=5;\"x\"=7;y=5000;",
    "x=5;x=6;y=5000;", "x=5;X=6;y=5000;", "x=5;x1=6;y=5000;",
    "x=5;zfloor=1;y=5000;", "x=5;0=1;y=5000;", "x=5;x=;y=5000;",
    "x=5;x=6y=5000;", NULL};

// The v1 of the last linedef.
static const char *const numbers[] = {
    "3", "+3", "03", "003", "3.0", "3.9", ".3e1", "3e0", "0x3", "0x3.8",
    "\"3\"", "true", "false", "TRUE", "3x", "-0", "-0.5", "-1", "99",
    "4294967295", "4294967299", "2147483648", "1e9", "abc", "1", "2", "nan",
    "inf", "010", NULL};

// Its fields, but for the side.
static const char *const odd_lines[] = {
    "V1=3;V2=0;", "v2=0;v1=3;", "v1=1;v1=3;v2=0;", "v1=3;", "v2=0;", "",
    "v1=3;v2=3;", ";v1=3;v2=0;", "v1=3;;v2=0;", "v1=3 v2=0;", "v1=3;v2=0",
    "v1:3;v2=0;", "v1==3;v2=0;", "v1 3;v2=0;", "v1=3,v2=0;", "\"v1\"=3;v2=0;",
    "v1\302\240=3;v2=0;", "v\a1=3;v2=0;", "v1\a=3;v2=0;", "\rv1\v=\f3;\tv2=0;",
    "LINEDEF=1;v1=3;v2=0;", "v1=3;v1=;v2=0;", NULL};

// Fields after v1 and v2.
static const char *const fields[] = {
    "blocking=true;", "blocking=TRUE;", "blocking=yes;", "v1=3;", ";",
    "\"v1\"=0;", "8388608 = true;", "0 = true;", "-5=true;", "- = true;",
    "+5=true;", "+=true;", "1.5=2;", "user.name=1;", ".=1;", "a-b=1;",
    "a b=1;", "it's=1;", "a\"b=1;", "a\"b\"=1;", "\"a b\"=1;", "\"}\"=1;",
    "\"\"=1;", "$=1;", "$a=1;", "{=1;", "(=1;", ";=1;", "= = 1;", "===;",
    "/=1;", "a=};", "a={;", "a==;", "a=;;", "a=;", "a=/;", "a=+;", "a=b,c;",
    "a=b|c;", "a=[1];", "a=(1);", "a={b=1;};", "a{b=1;}", "a=b c;",
    "a=\"b\" \"c\";", "a=\"b\"c;", "a=b\"c\";", "a=b\"c;", "a='b';",
    "a='b c';", "a=it's;", "a=\"x\\\"y\";", "a=\"x\\\\\";", "a=\"x\ny\";",
    "a=\"x\ay\";", "a=\"\344\";", "a=\"//\";b=\"/*\";", "a=\"\\\";", "a=\"x;",
    "a=\"}\";", "\344=1;", "a\344b=1;", "a=\344;", "a=b\344;", "a=b\344c;",
    "a=1//\n;", "a=1/;", "a/*b*/=1;", "/*", "/*/ */", "/*/", "/* /* */ */",
    "// }\n", "/**/", "special=80;arg0=-1;", "special=x;", "sidefront=0;",
    "id=99999999999;", "id=;", "id;", "linedef{v1=0;v2=1;}", "vertex=1;",
    "thing=1;", "comment=\"a\";comment=\"b\";", "blocking=tRuE;",
    "blocking=\"true\";", "twosided=0;", "1=2;3=4;", "_=1;", "1e5=1;",
    "0x10=1;", "10a=1;", "a.b.c=1;", NULL};

// The end of the text.
static const char *const ends[] = {
    "", "\a", "\032", "x", "5", "}", "{", "}}}", ";", ";;", "=", "\"abc",
    "\"abc\"", "/*", "/* x", "//", "// x", "/", "/*/", "*/", "foo{}",
    "foo{x=1;}", "foo{a{b{}}}", "foo{", "foo", "foo bar", "foo=1;", "foo=1",
    "foo=vertex;", "vertex=5;", "vertex;", "vertex", "vertex{",
    "vertex{x=1;y=2;", "vertex{x=1;y=2;};", "8388608{a=1;}", "-5{}",
    "\"foo\"{a=1;}", "\"foo\"=\"bar\";", "5=6", "1.5=1;",
    "namespace=\"ZDoom\";", "thing{x=abc;}", "thing{type=nan;}", "thing{a=b",
    "sector{a=1 2;}", "sector{a}", "sector{{}}", "sector{vertex{x=1;y=2;}}",
    "sector{5=6;\"a\"=7;}", "sidedef{}", "sidedef{sector=0;offsetx=1.5;}",
    "linedef{v1=-1;v2=2;sidefront=0;}", "linedef{v2=2;sidefront=0;}",
    "linedef{v1=0;v2=99;sidefront=0;}",
    "linedef{v1=0;v2=2;sidefront=0;}vertex{x=7;y=8;}linedef{v1=0;v2=4;",
    "/**/ /***/ /****/", "foo=\"}vertex{x=1;y=2;}",
    "linedef\n{\nv1\n=\n0\n;\nv2=2;sidefront=0;}", "linedef[0]{v1=0;v2=2;}",
    NULL};

// ZDBSP rounds, and reads fractions of hexadecimal numbers; it ends a comment
// after "/*/"; lines may be without a side.
static const char *const rounded[] = {
    "1e-3", "0.1", "4.99999999999999999", "0.0000152587890624999", "0x1.8",
    "0x1p4", "0x.8", "0x1.8p-1", NULL};
static const char *const comments[] = {
    "/*/ vertex{x=1;y=2;} */", "/*/ vertex{x=1;y=2;} /**/", NULL};
static const char *const sides[] = {
    "linedef{v1=0;v2=2;}", "linedef{v1=0;v2=2;sidefront=-1;}", NULL};
// clang-format on

// What is around an oddity, and what stands there in all other texts.
enum place { BEGIN, MIDDLE, VERTEX, LINE, END, PLACE_COUNT };

static const struct {
    const char *before, *usual;
} places[PLACE_COUNT] = {
    [BEGIN] = {"", "namespace=\"Doom\";"},
    [MIDDLE] = {"\nvertex{x=-8000;y=-8000;}vertex{x=-8000;y=8000;}\n"
                "vertex{x=8000;y=8000;}\n",
                ""},
    [VERTEX] = {"vertex{", "x=5;y=5000;"},
    [LINE] = {"}\nlinedef{v1=0;v2=1;sidefront=0;}"
              "linedef{v1=1;v2=2;sidefront=0;}\n"
              "linedef{v1=2;v2=3;sidefront=0;}linedef{",
              "v1=3;v2=0;"},
    [END] = {"sidefront=0;}\nsidedef{sector=0;}sector{}\n", ""},
};

static const struct {
    const char *const *texts;
    enum place place;
    const char *before, *after;
    bool differs;
} kinds[] = {
    {begins, BEGIN, "", "", false},
    {middles, MIDDLE, "", "", false},
    {coordinates, VERTEX, "x=", ";y=5000;", false},
    {odd_vertices, VERTEX, "", "", false},
    {numbers, LINE, "v1=", ";v2=0;", false},
    {odd_lines, LINE, "", "", false},
    {fields, LINE, "v1=3;v2=0;", "", false},
    {ends, END, "", "", false},
    {rounded, VERTEX, "x=", ";y=5000;", true},
    {comments, MIDDLE, "", "", true},
    {sides, END, "", "", true},
};

static struct buffer make_text(size_t kind, const char *oddity)
{
    struct buffer text = {0};
    for (int i = 0; i < PLACE_COUNT; i++) {
        buffer_print(&text, "%s", places[i].before);
        if (kinds[kind].place == (enum place)i)
            buffer_print(&text, "%s%s%s", kinds[kind].before, oddity,
                         kinds[kind].after);
        else
            buffer_print(&text, "%s", places[i].usual);
    }
    for (size_t i = 0; i < text.size; i++)
        if (text.bytes[i] == '\a')
            text.bytes[i] = '\0';
    return text;
}

// --- ZDBSP ---

// What ZDBSP has done with the texts.
static size_t accepted, refused, crashed;

// Has ZDBSP build the nodes of a text.  Returns them, or nothing and how it
// ended.
static struct buffer build_nodes(const struct buffer *text, int *ended)
{
    struct lump_set set = {.map_name = "MAP01"};
    struct buffer nodes = {0};
    lump_set_view(&set, "TEXTMAP", text->bytes, text->size);
    struct buffer in = lump_set_to_wad(&set);
    wadfile_write_bytes("in.wad", in.bytes, in.size);
    buffer_free(&in);
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
    const struct map_vertex *vertices = read->of[ARRAY_VERTICES].records;
    const struct map_ends *lines = read->of[ARRAY_LINES].records;
    struct buffer text = {0};
    buffer_print(&text, "namespace=\"Doom\";sidedef{sector=0;}sector{}");
    for (size_t i = 0; i < read->of[ARRAY_VERTICES].count; i++) {
        // A 65,536th has 16 decimals.
        buffer_print(&text, "vertex{x=%.16f;y=%.16f;}", vertices[i].x / 65536.0,
                     vertices[i].y / 65536.0);
    }
    for (size_t i = 0; i < read->of[ARRAY_LINES].count; i++)
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

// `differs` if ZDBSP is known to read the text otherwise.
static void check_text(const struct buffer *text, bool differs)
{
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
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (const char *const *odd = kinds[kind].texts; *odd; odd++) {
            struct buffer text = make_text(kind, *odd);
            check_text(&text, kinds[kind].differs);
            buffer_free(&text);
        }
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
