// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the text of a UDMF map is read as the specification has it: the
// grammar and more, coordinates truncated to 16.16 exactly as decimals worked
// out digit by digit, errors with the line and column where they are, and texts
// that are cut off refused.  test-udmf-zdbsp has what ZDBSP reads besides.
//
// The seed is printed; SEED=number in the environment repeats a run.

#include "buffer.h"
#include "context-for-tests.h"
#include "map/udmf.h"
#include "random-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 16 }; // a map unit in 16.16

static uint64_t seed;

// --- Reading ---

// The text that has been read; `status` tells whether it could be.
static struct {
    nbstage_status status;
    struct udmf_text text;
    const struct map_vertex *vertices;
    size_t vertex_count;
    const struct map_ends *lines;
    size_t line_count;
} reading;

// Reads a text with nothing behind its last byte, for end_reading.
static void read_bytes(const void *text, size_t size)
{
    unsigned char *copy = buffer_copy_exactly(text, size);
    reading.status =
        udmf_read(&test_context, (char *)copy, size, false, &reading.text);
    free(copy);
    reading.vertices = reading.text.of[ARRAY_VERTICES].records;
    reading.vertex_count = reading.text.of[ARRAY_VERTICES].count;
    reading.lines = reading.text.of[ARRAY_LINES].records;
    reading.line_count = reading.text.of[ARRAY_LINES].count;
}

static void read_text(const char *text)
{
    read_bytes(text, strlen(text));
}

// Frees what was read; nothing else may be left.
static void end_reading(void)
{
    udmf_free(&test_context, &reading.text);
    ck_assert_ptr_null(test_host.blocks);
}

// --- Grammar ---

// What every text of the table below says.
static const struct map_vertex table_vertices[] = {{1 * UNIT, -2 * UNIT},
                                                   {3 * UNIT, UNIT / 2}};
static const struct map_ends table_line = {1, 0};

static const char *const texts[] = {
    "vertex{x=1;y=-2;}vertex{x=3;y=0.5;}linedef{v1=1;v2=0;}",
    // Any order of blocks and of fields.
    "linedef { v2 = 0; v1 = 1; }\n"
    "vertex { y = -2; x = 1; }\nvertex { y = 0.5; x = 3; }\n",
    // Any case.
    "VERTEX{X=1;Y=-2;}Vertex{x=3;Y=0.5;}LineDef{V1=1;v2=0;}",
    // A comment ends at the first end there is.
    "/* /* */vertex{x=1;y=-2;}/*/ */vertex{x=3;y=0.5;}// */\n"
    "// /*\nlinedef{v1=1;v2=0;}",
    // Globals of every type.
    "namespace = \"Doom\"; ee_compat = true; a=1; _b2=-0.5e-7; c=0x1F; d=017;"
    "vertex{x=1;y=-2;}vertex{x=3;y=0.5;}linedef{v1=1;v2=0;}e=false;",
    // Fields that are not needed, some with names that begin alike.
    "vertex{xx=5;x1=5;x=1;_x=5;y=-2;zfloor=1e3;comment=\"x=5;\";}"
    "vertex{x=3;y=0.5;yy=5;}"
    "linedef{v=5;v1=1;v10=5;v2=0;v22=5;blocking=true;special=80;user_v1=7;}",
    // Strings with escapes, braces and what looks like comments.
    "title = \"a \\\"quoted\\\" { \\\\\";"
    "vertex{comment=\"}\";x=1;comment=\"// /*\";y=-2;comment=\"\\\\\";}"
    "vertex{a=\"\";x=3;y=0.5;b=\"\\\"}\";}linedef{c=\"; v1 = 5;\";v1=1;v2=0;}",
    // Blocks that are not needed, some with names that begin alike.
    "sector{heightfloor=0;}thing{x=5;y=5;}vertices{x=5;y=5;}vert{x=5;y=5;}"
    "vertex{x=1;y=-2;}linedefs{v1=5;v2=5;}line{v1=5;v2=5;}sidedef{sector=0;}"
    "vertex{x=3;y=0.5;}linedef{v1=1;v2=0;}thing{}",
    // What is no block of a map is passed over, not with what is in it.
    "a{b{c{}}}vertex{x=1;y=-2;}e{{vertex{x=3;y=0.5;}{}}linedef{v1=1;v2=0;}",
    "f=vertex;sector{}g=vertex{x=1;y=-2;}}};h \"vertex\" 5 vertex{x=3;y=0.5;}"
    "{;linedef{v1=1;v2=0;}i=1 j(",
    // Names of blocks as names and values of fields.
    "group{sector=5;}vertex{x=1;y=-2;}vertex=linedef;a{b=\"vertex\";thing=1;}"
    "vertex{x=3;y=0.5;}sidedef=1;linedef{v1=1;v2=0;}",
    // Names of anything, but of needed fields.
    "8388608=true;\"x\"=5;user.x=5;-5=5;1.5=5;x-=5;.=5;it's=5;a\"x=5;vertex=5;"
    "vertex{8388608=true;x=1;\"x\"=5;user.x=5;-x=5;y=-2;= =5;{=5;(=5;;=5;/=5;}"
    "vertex{$=5;x=3;===;y=0.5;\\y=5;vertex=5;}linedef{v1=1;\"v1\"=0;v2=0;v.2=5;"
    "}",
    // Values of anything in fields that are not needed.
    "a=};b={;vertex{x=1;a=};b={;c==;d=;;e=/;f=+;y=-2;g=(;}vertex{a=b,c|[1];"
    "x=3;y=0.5;b='c\";d=\"x\ny\x01\xE4\";}linedef{v1=1;v2=0;a=-;b=1e+5.;}",
    // A byte-order mark, and other bytes that are white space.
    "\xEF\xBB\xBFvertex\xC2\xA0{x\x01=1;\x1Ay=-2\xFF;}vertex{x=3;y=0.5;}"
    "linedef{v1=1;v2=0;}\x1A",
    // The last of two fields counts.
    "vertex{x=9;y=9;x=1;y=-2;}vertex{x=3;y=0.5;}linedef{v1=0;v1=1;v2=0;}",
    // What has no end at the end, and what ends at once.
    "vertex{x=1;y=-2;}vertex{x=3;y=0.5;}linedef{v1=1;v2=0;}/* vertex{",
    "vertex{x=1;y=-2;}vertex{x=3;y=0.5;}linedef{v1=1;v2=0;}\"vertex{",
    "vertex{x=1;y=-2;}vertex{x=3;y=0.5;}linedef{v1=1;v2=0;/*/}",
};

static void check_table_map(const char *text)
{
    read_text(text);
    ck_assert_msg(reading.status == NBSTAGE_OK, "%s\nis refused: %s", text,
                  test_context.message);
    ck_assert_msg(reading.vertex_count == COUNT(table_vertices) &&
                      reading.line_count == 1,
                  "%s\nhas %zu vertices and %zu linedefs", text,
                  reading.vertex_count, reading.line_count);
    for (size_t i = 0; i < COUNT(table_vertices); i++)
        ck_assert_msg(reading.vertices[i].x == table_vertices[i].x &&
                          reading.vertices[i].y == table_vertices[i].y,
                      "%s\nvertex %zu is %" PRId32 ",%" PRId32, text, i,
                      reading.vertices[i].x, reading.vertices[i].y);
    ck_assert_msg(reading.lines[0].v1 == table_line.v1 &&
                      reading.lines[0].v2 == table_line.v2,
                  "%s\nlinedef 0 is %" PRIu32 " to %" PRIu32, text,
                  reading.lines[0].v1, reading.lines[0].v2);
    end_reading();
}

LOOP_TEST(the_grammar_is_read, COUNT(texts))
{
    check_table_map(texts[_i]);
}

TEST(a_text_may_say_nothing)
{
    static const char *const nothing[] = {
        "",        " \n", "// x", "/* vertex{} */", "namespace=\"ZDoom\";",
        "sector{}"};
    for (size_t i = 0; i < COUNT(nothing); i++) {
        read_text(nothing[i]);
        ck_assert_int_eq(reading.status, NBSTAGE_OK);
        ck_assert_uint_eq(reading.vertex_count, 0);
        ck_assert_uint_eq(reading.line_count, 0);
        end_reading();
    }
}

// --- Numbers ---

#define NO_NUMBER INT64_MIN // of a text that is refused

struct number {
    const char *text;
    int64_t value;
};

// What a number is worth as a coordinate, 16.16, or as a linedef's vertex.
static int64_t read_number(const char *number, bool is_vertex)
{
    char text[512];
    int length = snprintf(
        text, sizeof text,
        is_vertex ? "linedef{v1=%s;v2=0;}" : "vertex{x=%s;y=0;}", number);
    ck_assert(length > 0 && (size_t)length < sizeof text);
    read_text(text);
    int64_t value = NO_NUMBER;
    if (reading.status == NBSTAGE_OK && is_vertex)
        value = reading.lines[0].v1;
    else if (reading.status == NBSTAGE_OK)
        value = reading.vertices[0].x;
    else
        ck_assert_msg(
            strstr(test_context.message, is_vertex ? "a vertex" : "coordinate"),
            "%s\n%s", text, test_context.message);
    end_reading();
    return value;
}

// Forms that the random decimals below do not have: whole ones, hexadecimal
// ones, exponents, the ends, and what is truncated.
static const struct number coordinates[] = {{"0", 0},
                                            {"-0", 0},
                                            {"+0.0", 0},
                                            {"1", UNIT},
                                            {"+1", UNIT},
                                            {"-1", -UNIT},
                                            {"1.", UNIT},
                                            {".5", UNIT / 2},
                                            {"017.0", 17 * UNIT},
                                            {"000017.5", 17 * UNIT + UNIT / 2},
                                            {"0x1F", 31 * UNIT},
                                            {"-0X1f", -31 * UNIT},
                                            {"0x7FFF", 32767 * UNIT},
                                            {"-0x8000", INT32_MIN},
                                            {"1.5e3", 1500 * UNIT},
                                            {"1.5E+3", 1500 * UNIT},
                                            {"0.0e99999999999999999999", 0},
                                            {"1.0e-99999999999999999999", 0},
                                            {"-1.0e-5", 0},
                                            {"32767", 32767 * UNIT},
                                            {"-32768", INT32_MIN},
                                            {"-32768.000000", INT32_MIN},
                                            {"-3276.8e1", INT32_MIN},
                                            {"32767.99999", INT32_MAX},
                                            {"0.1", 6553},
                                            {"-0.1", -6553}};

static const char *const not_coordinates[] = {
    // Beyond 16.16.
    "32768", "32768.0", "40000", "1e9", "1.0e99999999999999999999",
    "1.0e18446744073709551617", "123456789012345678901234567890", "4294967296",
    "0x8000", "0xFFFFFFFF", "0x100000000", "032768", "-32768.0000152587890625",
    "-32768.5", "-32769", "-0x8001", "-032769", "-99999.0",
    "-1.0e99999999999999999999", "32768f", "nan", "-inf", "INFINITY",
    // More than a number.
    "1,5", "5%", "$5", "+1:"};

static const struct number vertex_numbers[] = {{"0", 0},
                                               {"7", 7},
                                               {"+7", 7},
                                               {"-0", 0},
                                               {"0x1f", 31},
                                               {"0XFFFFFFFF", UINT32_MAX},
                                               {"4294967295", UINT32_MAX}};

static const char *const not_vertices[] = {
    "-1",          "4294967296",  "99999999999999999999",
    "0x100000000", "4294967296x", "nan",
    "inf",         "1,0"};

static void check_number(int64_t value, const struct number *number)
{
    ck_assert_msg(value == number->value,
                  "SEED=%" PRIu64 ": %s is %" PRId64 " instead of %" PRId64,
                  seed, number->text, value, number->value);
}

TEST(numbers_have_their_values)
{
    for (size_t i = 0; i < COUNT(coordinates); i++)
        check_number(read_number(coordinates[i].text, false), &coordinates[i]);
    for (size_t i = 0; i < COUNT(vertex_numbers); i++)
        check_number(read_number(vertex_numbers[i].text, true),
                     &vertex_numbers[i]);
    ck_assert_uint_eq(test_host.message_count, 0);
}

// What ZDBSP takes for a number, and nobody should write.
TEST(odd_numbers_raise_a_warning)
{
    static const struct number odd[] = {
        {"017", 17 * UNIT}, {"-08", -8 * UNIT}, {"true", 0}, {"\"1\"", 0},
        {"1x", UNIT},       {"0x", 0},          {"-", 0},    {"1.5.5", 98304}};
    for (size_t i = 0; i < COUNT(odd); i++) {
        check_number(read_number(odd[i].text, false), &odd[i]);
        ck_assert_uint_eq(test_host.message_count, i + 1);
        ck_assert_int_eq(test_host.level, NBSTAGE_LOG_WARNING);
        ck_assert_ptr_nonnull(strstr(test_host.message, "its leading number"));
    }
}

// A coordinate that is missing is 0; there is one warning, for the first.  What
// has no end hides the rest of the text.
TEST(what_is_missing_raises_a_warning)
{
    read_text("vertex{x=1;y=2;}\nvertex{y=3;}vertex{}");
    ck_assert_int_eq(reading.status, NBSTAGE_OK);
    ck_assert_uint_eq(reading.vertex_count, 3);
    ck_assert_int_eq(reading.vertices[1].x, 0);
    ck_assert_int_eq(reading.vertices[1].y, 3 * UNIT);
    ck_assert_int_eq(reading.vertices[2].y, 0);
    ck_assert_uint_eq(test_host.message_count, 1);
    ck_assert_str_eq(test_host.message, "MAP01: TEXTMAP: line 2, column 1: "
                                        "vertex 1 has no x; assuming 0");
    end_reading();
    read_text("vertex{x=1;y=2;}\n /* vertex{x=1;y=3;}");
    ck_assert_int_eq(reading.status, NBSTAGE_OK);
    ck_assert_uint_eq(reading.vertex_count, 1);
    ck_assert_uint_eq(test_host.message_count, 2);
    assert_tells(test_host.message, "line 2, column 2: unterminated comment");
    end_reading();
}

TEST(what_is_no_number_is_refused)
{
    for (size_t i = 0; i < COUNT(not_coordinates); i++)
        check_number(read_number(not_coordinates[i], false),
                     &(struct number){not_coordinates[i], NO_NUMBER});
    for (size_t i = 0; i < COUNT(not_vertices); i++)
        check_number(read_number(not_vertices[i], true),
                     &(struct number){not_vertices[i], NO_NUMBER});
}

// --- Random decimals ---

enum {
    WHOLE_DIGITS = 5,
    EXACT_DIGITS = 16, // that any number of 65,536ths needs
    MORE_DIGITS = 14,  // which change nothing
    PAD = 13,          // places that an exponent may move the point left
    RIGHT = 3,         // and right, as the first 19 decimals count
    DECIMALS = 200000, // tried
};

// What a 65,536th is in units of the last exact digit.
#define STEP UINT64_C(152587890625)

#define POWER_OF_MORE UINT64_C(100000000000000) // 10 to the MORE_DIGITS

static uint32_t random_whole(struct random_stream *stream)
{
    switch (random_below(stream, 6)) {
    case 0:
        return 0;
    case 1:
        return 32767;
    case 2:
        return 32768 + random_below(stream, 2);
    case 3:
        return random_below(stream, 100000);
    default:
        return random_below(stream, 32768);
    }
}

// A number of 65,536ths, or the smallest step beside it, or any number, of
// which some digits may be missing; in units of the last exact digit.
static uint64_t random_fraction(struct random_stream *stream)
{
    uint64_t fraction = random_below(stream, UNIT) * STEP;
    uint64_t missing = 1;
    switch (random_below(stream, 6)) {
    case 0:
        return fraction - (fraction > 0);
    case 1:
        return fraction + 1;
    case 2:
        return fraction;
    default:
        fraction += random_next(stream) % STEP;
        for (uint32_t i = random_below(stream, EXACT_DIGITS + 1); i > 0; i--)
            missing *= 10;
        return fraction - fraction % missing;
    }
}

// Writes a number of 16.16, with an exponent that puts its point right, and any
// number of digits that change nothing; returns it.
static int64_t put_decimal(struct buffer *text, struct random_stream *stream)
{
    enum { WHOLE_END = PAD + WHOLE_DIGITS };
    char digits[WHOLE_END + EXACT_DIGITS + MORE_DIGITS + PAD + 1];
    const uint32_t whole = random_whole(stream);
    const uint64_t fraction = random_fraction(stream);
    const uint64_t more =
        random_below(stream, 2) == 0 ? random_next(stream) % POWER_OF_MORE : 0;
    const bool is_negative = random_below(stream, 2) == 0;
    const int shift = random_below(stream, 2) == 0
                          ? (int)random_below(stream, PAD + RIGHT + 1) - RIGHT
                          : 0;
    const int point = WHOLE_END + shift;
    int end = snprintf(
        digits, sizeof digits, "%0*" PRIu32 "%0*" PRIu64 "%0*" PRIu64 "%0*d",
        WHOLE_END, whole, EXACT_DIGITS, fraction, MORE_DIGITS, more, PAD, 0);
    // Zeros at the ends may be left out.
    int begin = (int)strspn(digits, "0");
    begin = begin < point ? begin : point - 1;
    begin = (int)random_below(stream, (uint32_t)begin + 1);
    int last = end;
    while (last > point && digits[last - 1] == '0')
        last--;
    end = last + (int)random_below(stream, (uint32_t)(end - last) + 1);
    buffer_print(text, "%s%.*s.%.*s", is_negative ? "-" : "", point - begin,
                 digits + begin, end - point, digits + point);
    if (shift != 0 || random_below(stream, 8) == 0)
        buffer_print(text, random_below(stream, 2) == 0 ? "e%d" : "E%+04d",
                     -shift);
    int64_t value = (int64_t)(whole * UINT64_C(65536) + fraction / STEP);
    return is_negative ? -value : value;
}

TEST(decimals_are_truncated_exactly)
{
    struct random_stream stream = {seed};
    for (int i = 0; i < DECIMALS; i++) {
        struct buffer text = {0};
        int64_t expected = put_decimal(&text, &stream);
        buffer_put_u8(&text, '\0');
        // -32768 and less than a 65,536th below may be refused or truncated.
        if (expected < INT32_MIN || expected > INT32_MAX)
            expected = NO_NUMBER;
        if (expected != INT32_MIN)
            check_number(read_number((char *)text.bytes, false),
                         &(struct number){(char *)text.bytes, expected});
        buffer_free(&text);
    }
}

// --- Errors ---

static const struct {
    const char *text;
    int line, column;
    const char *sentence; // a part of it
} errors[] = {
    {"namespace = ;", 1, 13, "value"},
    {"namespace = {", 1, 14, "';'"},
    {"namespace = \"Doom\"\nvertex{x=1;y=2;}", 2, 1, "';'"},
    {"namespace = \"Doom;\nvertex{x=1;y=2;}", 1, 13, "string"},
    {"a = \"\\\";\n", 1, 5, "string"},
    {"a = 1 2;", 1, 7, "';'"},
    {"a = 1\r\n\r\n\t2;", 3, 2, "';'"},
    {"a = /* b", 1, 5, "comment"},
    {"a = 1 /\n", 1, 7, "';'"},
    {"// c\n/* \n\n */ vertex\n{ x=1; y=2;", 4, 5, "end"},
    {"vertex", 1, 7, "'{'"},
    {"thing = 1; thing { } thing = 3; thing = {", 1, 42, "';'"},
    {"thing { a { } ", 1, 11, "'='"},
    {"vertex { a { } ", 1, 12, "'='"},
    {"thing {\n  a = \"}\n", 2, 7, "string"},
    {"thing {\n  a = 1; /*/\n", 1, 1, "end"},
    {"thing {\n  a = 1; /* }\n", 2, 10, "comment"},
    {"vertex { a = 1; / }", 1, 17, "name"},
    {"vertex { a = 1;; }", 1, 16, "name"},
    {"vertex { x 1; y = 2; }", 1, 12, "'='"},
    {"vertex { x = ; y = 2; }", 1, 14, "value"},
    {"vertex { x = 1 y = 2; }", 1, 16, "';'"},
    {"vertex { x = 1; y = 2 }", 1, 23, "';'"},
    {"vertex { { x = 1; y = 2; } }", 1, 10, "name"},
    {"vertex { x = 1; 2 y; }", 1, 19, "'='"},
    {"vertex{x=1;y=2;}vertex{x=1;\ny=\n  nan;}", 3, 3, "vertex 1 "},
    {"vertex {\n    x = 32768;\n    y = 0;\n}", 2, 9, "vertex 0 "},
    {"linedef{v1=0;v2=1;} linedef { v1 = 0; }", 1, 21, "linedef 1 has no v2"},
    {"linedef { v2 = 0; }", 1, 1, "linedef 0 has no v1"},
    {"linedef { v1 = 0;\n v2 = -1; }", 2, 7, "linedef 0 "},
    {"linedef { v1 = 4294967296; v2 = 1; }", 1, 16, "linedef 0 "},
};

LOOP_TEST(errors_say_where, COUNT(errors))
{
    char place[64];
    snprintf(place, sizeof place,
             "MAP01: TEXTMAP: line %d, column %d: ", errors[_i].line,
             errors[_i].column);
    read_text(errors[_i].text);
    const char *message = test_context.message;
    ck_assert_msg(reading.status == NBSTAGE_BAD_MAP, "%s\nis read",
                  errors[_i].text);
    ck_assert_msg(strncmp(message, place, strlen(place)) == 0 &&
                      strstr(message + strlen(place), errors[_i].sentence),
                  "%s\n%s\nexpected %s...%s", errors[_i].text, message, place,
                  errors[_i].sentence);
    end_reading();
}

// --- Damage ---

// Texts in pieces, each complete with its last byte, and not before it if it
// has as many bytes as make clear what it is.
static const struct {
    const char *text;
    size_t clear;
} pieces[] = {
    {"namespace = \"a\\\"}\";", 11},
    {"a/* b;c=1;d{} */\n=\n-5e-3\n;", 18},
    {"vertex // }\n{ x = -1.5e+2; /* } */ y = 0x1F; }", 6},
    {"vertex{x=017;comment=\"}; // /*\";y=+0.5;}", 6},
    {"nothing { a { b = \"}\"; } /* } */ c { { } } }", SIZE_MAX},
    {"thing { a = b; b = \"}\"; /* } */ 5 = 6; }", 5},
    {"linedef\n{ v1 = 0; blocking = true; v2 = 1; }", 7},
    {"linedef{v2=1;v1=1;}", 7},
};

// A text that ends inside of a piece is refused.
TEST(a_text_that_is_cut_off_is_refused)
{
    static const char begins[] = "MAP01: TEXTMAP: line ";
    struct buffer text = {0};
    for (size_t i = 0; i < COUNT(pieces); i++) {
        const size_t begin = text.size;
        buffer_print(&text, "%s", pieces[i].text);
        for (size_t size = begin + 1; size <= text.size; size++) {
            read_bytes(text.bytes, size);
            const bool is_whole =
                size == text.size || size - begin < pieces[i].clear;
            ck_assert_msg(reading.status ==
                              (is_whole ? NBSTAGE_OK : NBSTAGE_BAD_MAP),
                          "%.*s\nis %s", (int)size, text.bytes,
                          is_whole ? test_context.message : "read");
            ck_assert_msg(is_whole || strncmp(test_context.message, begins,
                                              sizeof begins - 1) == 0,
                          "%s", test_context.message);
            end_reading();
        }
    }
    buffer_free(&text);
}

int main(void)
{
    TCase *tests = all_tests();
    seed = choose_seed();
    return run_tests(tests);
}
