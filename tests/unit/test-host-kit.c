// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the host kit finds and loads stages, takes their options from one
// text, whatever the stage, says in one sentence what is wrong with anything
// that it is given, and decides as nbstage-host.h says between a failure, a
// warning and the builder's own code; and that structures are where the guide
// says that other languages find them.

#include "config.h"

#include "context-for-tests.h"
#include "nbstage-host.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char kit_stage[PATH_MAX];
static struct nbstage stage; // all zeros when a test begins
static const struct nbstage_lump *lump;
static const struct nbstage_map map = {.size = sizeof map, .name = "MAP01"};

// An empty folder, in which every test begins.
static char folder[] = "/tmp/host-kit-XXXXXX";

// What the host's log was given.
static unsigned warning_count;
static char warning[2048];

static void NBSTAGE_CALL keep_warning(void *context, int32_t level,
                                      const char *text)
{
    ck_assert_ptr_eq(context, &stage);
    if (level != NBSTAGE_LOG_WARNING)
        return;
    warning_count++;
    snprintf(warning, sizeof warning, "%s", text);
}

static void set_up(void)
{
    unsetenv("NBSTAGE_PLUGIN_PATH");
    unsetenv("KIT_STAGE");
    memset(&stage, 0, sizeof stage);
    stage.host.context = &stage;
    stage.host.log = keep_warning;
    warning_count = 0;
    strcpy(strrchr(folder, '-'), "-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void tear_down(void)
{
    nbstage_close(&stage);
    unlink("bad.so");
    rmdir("bad.so");
    unlink("errors");
    ck_assert_int_eq(rmdir(folder), 0);
}

// --- Outcomes ---

static const char *with_options(const char *options)
{
    static char text[2 * PATH_MAX];
    snprintf(text, sizeof text, "%s%s", kit_stage, options);
    return text;
}

static void assert_nothing_loaded(void)
{
    ck_assert_ptr_null(stage.descriptor);
    ck_assert_ptr_null(stage.instance);
    lump = &(const struct nbstage_lump){.name = "stale"};
    ck_assert(nbstage_build(&stage, &map, &lump));
    ck_assert_ptr_null(lump);
}

// A sentence is one line of printable UTF-8, and not cut to nothing.
static void assert_sentence(const char *sentence)
{
    ck_assert_uint_gt(strlen(sentence), 9);
    for (const char *c = sentence; *c; c++)
        ck_assert_msg((unsigned char)*c >= ' ' && *c != 0x7F, "%s", sentence);
}

// Loaded, and without a warning.
static void open_asked(const char *options)
{
    if (!nbstage_open(&stage, with_options(options), NULL, "BLOCKMAP"))
        ck_abort_msg("%s", stage.error);
    ck_assert_str_eq(stage.error, "");
    ck_assert_uint_eq(warning_count, 0);
    ck_assert_ptr_nonnull(stage.instance);
}

// Asked for, it is a failure; as the usual one, a warning.
static void assert_refused(const char *text, const char *part)
{
    ck_assert(!nbstage_open(&stage, text, "nosuch", "BLOCKMAP"));
    assert_sentence(stage.error);
    ck_assert_msg(strstr(stage.error, part), "'%s' has no '%s'", stage.error,
                  part);
    assert_nothing_loaded();
    nbstage_close(&stage);
    ck_assert_uint_eq(warning_count, 0);
    ck_assert(nbstage_open(&stage, NULL, text, "BLOCKMAP"));
    if (warning_count > 0)
        assert_sentence(warning);
    ck_assert_uint_le(warning_count, 1);
    assert_nothing_loaded();
    ck_assert_uint_le(warning_count, 1);
}

static void assert_lump(const char *text)
{
    if (!nbstage_build(&stage, &map, &lump))
        ck_abort_msg("%s", stage.error);
    ck_assert_ptr_nonnull(lump);
    ck_assert_uint_eq(lump->data_size, strlen(text));
    ck_assert_mem_eq(lump->data, text, strlen(text));
}

// --- What cannot be loaded ---

static const struct {
    const char *fault, *part;
} faults[] = {
    {"name", "complete stage"},
    {"version", "complete stage"},
    {"summary", "complete stage"},
    {"lump_names", "complete stage"},
    {"fact_names", "complete stage"},
    {"options", "complete stage"},
    {"create", "complete stage"},
    {"destroy", "complete stage"},
    {"set_option", "complete stage"},
    {"build", "complete stage"},
    {"get_lump", "complete stage"},
    {"get_fact", "complete stage"},
    {"last_error", "complete stage"},
    {"size-0", "stage of version 1"},
    {"size-short", "stage of version 1"},
    {"abi-2", "stage of version 1"},
    {"refuses", "stage of version 1"},
    {"option-short", "complete stage"},
    {"option-name", "complete stage"},
    {"option-default", "complete stage"},
    {"option-help", "complete stage"},
    {"option-choices", "complete stage"},
    {"other-lumps", "does not make BLOCKMAP"},
    {"no-lumps", "does not make BLOCKMAP"},
    {"no-instance", "out of memory"},
};

LOOP_TEST(bad_descriptors_are_refused, COUNT_OF(faults))
{
    setenv("KIT_STAGE", faults[_i].fault, 1);
    assert_refused(kit_stage, faults[_i].part);
    ck_assert_uint_eq(warning_count, 1);
    assert_tells(warning, kit_stage);
}

static void write_file(const char *bytes, size_t size)
{
    FILE *file = fopen("bad.so", "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static char *read_stage(size_t *size)
{
    FILE *file = fopen(kit_stage, "rb");
    ck_assert_ptr_nonnull(file);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void make_nothing(void)
{
}

static void make_empty(void)
{
    write_file("", 0);
}

static void make_text(void)
{
    write_file("text\n", 5);
}

static void make_start(void)
{
    write_file("\x7F"
               "ELF",
               4);
}

static void make_folder(void)
{
    ck_assert_int_eq(mkdir("bad.so", 0700), 0);
}

// To open it, with nobody who writes to it, would take for ever.
static void make_fifo(void)
{
    ck_assert_int_eq(mkfifo("bad.so", 0600), 0);
}

static void make_link_to_nothing(void)
{
    ck_assert_int_eq(symlink("nowhere", "bad.so"), 0);
}

static void make_link_to_itself(void)
{
    ck_assert_int_eq(symlink("bad.so", "bad.so"), 0);
}

static void make_device(void)
{
    ck_assert_int_eq(symlink("/dev/zero", "bad.so"), 0);
}

static void make_library(void)
{
    Dl_info libc;
    ck_assert_int_ne(dladdr(dlsym(RTLD_DEFAULT, "ldiv"), &libc), 0);
    ck_assert_int_eq(symlink(libc.dli_fname, "bad.so"), 0);
}

static void make_program(void)
{
    ck_assert_int_eq(symlink("/proc/self/exe", "bad.so"), 0);
}

static void patch_byte(size_t offset, int change)
{
    size_t size;
    char *bytes = read_stage(&size);
    bytes[offset] = (char)(bytes[offset] ^ change);
    write_file(bytes, size);
    free(bytes);
}

static void make_other_machine(void)
{
    patch_byte(18, 0x55); // e_machine
}

static void make_other_class(void)
{
    patch_byte(4, 3); // 32 bits or 64
}

static void make_other_order(void)
{
    patch_byte(5, 3); // of bytes
}

// Gives a name in the file's tables another end.
static void patch_name(const char *name)
{
    size_t size, length = strlen(name) + 1, found = 0;
    char *bytes = read_stage(&size);
    for (size_t i = 0; i + length < size; i++)
        if (memcmp(bytes + i, name, length) == 0) {
            bytes[i + length - 2] = '!';
            found++;
        }
    ck_assert_uint_ge(found, 1);
    write_file(bytes, size);
    free(bytes);
}

static void make_undefined_symbol(void)
{
    patch_name("getenv");
}

static void make_missing_symbol(void)
{
    patch_name(NBSTAGE_SYMBOL);
}

static const struct {
    void (*make)(void);
    const char *part;
    bool is_loaders; // musl's loader takes it, as it does not read these bytes
} files[] = {
    {make_nothing, "no such file", false},
    {make_empty, "cannot be loaded", false},
    {make_text, "cannot be loaded", false},
    {make_start, "cannot be loaded", false},
    {make_folder, "no such file", false},
    {make_fifo, "no such file", false},
    {make_link_to_nothing, "no such file", false},
    {make_link_to_itself, "no such file", false},
    {make_device, "no such file", false},
    {make_library, "cannot be loaded", false},
    {make_program, "cannot be loaded", false},
    {make_other_machine, "cannot be loaded", true},
    {make_other_class, "cannot be loaded", true},
    {make_other_order, "cannot be loaded", true},
    {make_undefined_symbol, "cannot be loaded", false},
    {make_missing_symbol, "cannot be loaded", false},
};

// Whether the loader of this system takes the file without the kit.
static bool is_loaded_alone(void)
{
    void *file = dlopen("./bad.so", RTLD_NOW | RTLD_LOCAL);
    return file && dlclose(file) == 0;
}

LOOP_TEST(bad_files_are_refused, COUNT_OF(files))
{
    files[_i].make();
    if (files[_i].is_loaders && is_loaded_alone()) {
        ck_assert(nbstage_open(&stage, "./bad.so", NULL, "BLOCKMAP"));
        nbstage_close(&stage);
        return;
    }
    assert_refused("./bad.so", files[_i].part);
    if (warning_count > 0)
        assert_tells(warning, "bad.so");
    warning_count = 0;
    assert_refused("./bad.so,over=x", files[_i].part);
}

// Nothing that is no regular file hides a good stage in a later folder.
TEST(only_regular_files_are_found)
{
    void (*const makers[])(void) = {make_folder, make_fifo,
                                    make_link_to_nothing, make_device};
    char folders[3 * PATH_MAX];
    snprintf(folders, sizeof folders, ":%s:%.*s", folder,
             (int)(strrchr(kit_stage, '/') - kit_stage), kit_stage);
    setenv("NBSTAGE_PLUGIN_PATH", folders, 1);
    for (size_t i = 0; i < COUNT_OF(makers); i++) {
        makers[i]();
        ck_assert_int_eq(rename("bad.so", "kit-stage.so"), 0);
        ck_assert(nbstage_open(&stage, "kit-stage", NULL, "BLOCKMAP"));
        ck_assert_str_eq(stage.path, kit_stage);
        ck_assert(nbstage_build(&stage, &map, &lump));
        ck_assert_int_eq(remove("kit-stage.so"), 0);
    }
}

// --- Folders ---

// The C library's is last, no folder is empty, and none is cut.
TEST(searched_folders_are_told)
{
    Dl_info libc;
    char last[PATH_MAX];
    ck_assert_int_ne(dladdr(dlsym(RTLD_DEFAULT, "ldiv"), &libc), 0);
    snprintf(last, sizeof last, ":/usr/local/lib/nbstage:%s%s",
             strncmp(libc.dli_fname, "/lib", 4) == 0 ? "/usr" : "",
             libc.dli_fname);
    strcpy(strrchr(last, '/'), "/nbstage");
    setenv("NBSTAGE_PLUGIN_PATH", "::/here:::/there:", 1);
    ck_assert(!nbstage_open(&stage, "nosuch", NULL, "BLOCKMAP"));
    ck_assert_ptr_nonnull(
        strstr(stage.error, "there is no stage 'nosuch' in /here:/there:"));
    ck_assert_msg(strstr(stage.error, last), "%s", stage.error);
    ck_assert_ptr_null(strstr(stage.error, "::"));
    setenv("NBSTAGE_PLUGIN_PATH", "", 1);
    ck_assert(!nbstage_open(&stage, "nosuch", NULL, "BLOCKMAP"));
    ck_assert_ptr_null(strstr(stage.error, "in :"));
}

// However long they are, and the list of them is.
TEST(long_folders_hide_nothing)
{
    char *folders = malloc(3 * PATH_MAX + 100000);
    memset(folders, 'x', 3 * PATH_MAX + 100000);
    for (size_t i = 300; i < 99000; i += 300)
        folders[i] = ':';
    sprintf(folders + 99000, ":%.*s",
            (int)(strrchr(kit_stage, '/') - kit_stage), kit_stage);
    setenv("NBSTAGE_PLUGIN_PATH", folders, 1);
    free(folders);
    ck_assert(nbstage_open(&stage, "kit-stage", NULL, "BLOCKMAP"));
    assert_lump("");
    assert_refused("nosuch", "there is no stage 'nosuch' in xxx");
}

TEST(long_texts_are_refused)
{
    char text[9000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_refused(text, "too long");
    text[3000] = '\0';
    assert_refused(text, "there is no stage 'xxx");
    text[0] = '/';
    assert_refused(text, "/xxx");
}

TEST(names_are_not_paths)
{
    write_file("text\n", 5);
    assert_refused("bad", "there is no stage 'bad'");
    assert_refused("bad.so", "there is no stage 'bad.so'");
}

// --- Options ---

static const struct {
    const char *text, *over;
} texts[] = {
    {"", ""},
    {",over=a", "a"},
    {",over=a,b", "a,b"},
    {",over=merge,empty", "merge,empty"},
    {",over=a,empty,b", "a,empty,b"},
    {",over=a,over=b", "b"},
    {",over=a=b", "a=b"},
    {",over=", ""},
    {",over=,", ","},
    {",over=,,", ","},
    {",over=a,,b", "a,b"},
    {",over=a,,over=b", "a,over=b"},
    {",over=a,,,over=b", "b"},
    {",over=a,,,,b", "a,,b"},
    {",over=a, over=b", "a, over=b"},
    {",over=a,=b", "a,=b"},
    {",over=a.b=c,empty=yes", "a.b=c"},
    {",over=a,\xC3\xA9=b", "a,\xC3\xA9=b"},
};
static const char *const variants[] = {"", "flag", "text"};

// It means the same for a stage with a list, one with a flag of a value's name,
// and one whose option takes any text.
LOOP_TEST(text_of_options_is_pure_syntax, COUNT_OF(texts))
{
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        setenv("KIT_STAGE", variants[i], 1);
        open_asked(texts[_i].text);
        assert_lump(texts[_i].over);
    }
}

static const struct {
    const char *text, *part;
    nbstage_status status;
} wrong[] = {
    {",over=wrong", "'over' does not take 'wrong'", NBSTAGE_BAD_VALUE},
    {",Over=a", "no option 'Over'", NBSTAGE_UNKNOWN_OPTION},
    {",over=a,Pack=nest", "no option 'Pack'", NBSTAGE_UNKNOWN_OPTION},
    {",max_memory=1G", "no option 'max_memory'", NBSTAGE_UNKNOWN_OPTION},
    {",over=a,-=b", "no option '-'", NBSTAGE_UNKNOWN_OPTION},
    {",empty", "no such file", NBSTAGE_OK},
    {":over=a", "no such file", NBSTAGE_OK},
    {",=a", "no such file", NBSTAGE_OK},
};

LOOP_TEST(wrong_options_are_refused, COUNT_OF(wrong))
{
    ck_assert(
        !nbstage_open(&stage, with_options(wrong[_i].text), NULL, "BLOCKMAP"));
    ck_assert_int_eq(stage.status, wrong[_i].status);
    assert_refused(with_options(wrong[_i].text), wrong[_i].part);
}

// The user's options win over those of the host.
TEST(options_are_set_by_whom_they_are)
{
    open_asked(",over=user");
    ck_assert_int_eq(stage.descriptor->set_option(stage.instance, "over",
                                                  "host", NBSTAGE_BY_HOST),
                     NBSTAGE_OK);
    assert_lump("user");
    ck_assert(
        nbstage_open(&stage, NULL, with_options(",over=usual"), "BLOCKMAP"));
    ck_assert_int_eq(stage.descriptor->set_option(stage.instance, "over",
                                                  "host", NBSTAGE_BY_HOST),
                     NBSTAGE_OK);
    assert_lump("host");
}

// --- Decisions ---

TEST(nothing_asked_is_no_stage)
{
    ck_assert(nbstage_open(&stage, NULL, NULL, "BLOCKMAP"));
    assert_nothing_loaded();
    ck_assert(nbstage_open(&stage, NULL, "nosuch", "BLOCKMAP"));
    assert_nothing_loaded();
    ck_assert(nbstage_open(&stage, NULL, "./nosuch.so", "BLOCKMAP"));
    assert_nothing_loaded();
    ck_assert(nbstage_open(&stage, "", kit_stage, "BLOCKMAP"));
    assert_nothing_loaded();
    nbstage_close(&stage);
    ck_assert_uint_eq(warning_count, 0);
}

TEST(asked_for_stage_has_to_build)
{
    open_asked(",over=a");
    setenv("KIT_STAGE", "fails", 1);
    for (int i = 1; i <= 3; i++) {
        ck_assert(!nbstage_build(&stage, &map, &lump));
        ck_assert_ptr_null(lump);
        ck_assert_str_eq(stage.error, "MAP01: a linedef is wrong");
        ck_assert_int_eq(stage.status, NBSTAGE_BAD_MAP);
        ck_assert_int_eq(
            stage.descriptor->get_fact(stage.instance, "builds")->number, i);
    }
    setenv("KIT_STAGE", "is-silent", 1);
    ck_assert(!nbstage_build(&stage, &map, &lump));
    assert_sentence(stage.error);
    setenv("KIT_STAGE", "forgets", 1);
    ck_assert(!nbstage_build(&stage, &map, &lump));
    assert_tells(stage.error, "BLOCKMAP");
    unsetenv("KIT_STAGE");
    assert_lump("a");
    ck_assert_str_eq(stage.error, "");
    ck_assert_uint_eq(warning_count, 0);
}

TEST(usual_stage_gives_way_once)
{
    ck_assert(nbstage_open(&stage, NULL, kit_stage, "BLOCKMAP"));
    setenv("KIT_STAGE", "forgets", 1); // no failure: not this map
    ck_assert(nbstage_build(&stage, &map, &lump));
    ck_assert_ptr_null(lump);
    unsetenv("KIT_STAGE");
    assert_lump("");
    setenv("KIT_STAGE", "fails", 1);
    ck_assert_uint_eq(warning_count, 0);
    ck_assert(nbstage_build(&stage, &map, &lump));
    ck_assert_ptr_null(lump);
    unsetenv("KIT_STAGE");
    assert_nothing_loaded();
    nbstage_close(&stage);
    ck_assert_uint_eq(warning_count, 1);
    ck_assert_str_eq(warning, "MAP01: a linedef is wrong");
}

static int32_t NBSTAGE_CALL cancel(void *context, uint32_t done, uint32_t total)
{
    ck_assert_ptr_eq(context, &stage);
    ck_assert_uint_le(done, total);
    return 7;
}

TEST(cancelled_build_is_no_lump)
{
    stage.host.progress = cancel;
    ck_assert(nbstage_open(&stage, NULL, kit_stage, "BLOCKMAP"));
    ck_assert(!nbstage_build(&stage, &map, &lump));
    ck_assert_int_eq(stage.status, NBSTAGE_CANCELLED);
    ck_assert_uint_eq(warning_count, 0);
}

TEST(unused_stage_is_told)
{
    open_asked("");
    nbstage_close(&stage);
    ck_assert_uint_eq(warning_count, 1);
    assert_tells(warning, "never used");
    warning_count = 0;
    open_asked("");
    assert_lump("");
    nbstage_close(&stage);
    nbstage_close(&stage);
    ck_assert(nbstage_open(&stage, NULL, kit_stage, "BLOCKMAP"));
    nbstage_close(&stage);
    ck_assert_uint_eq(warning_count, 0);
}

TEST(stage_may_be_linked)
{
    void *library = dlopen(kit_stage, RTLD_NOW);
    ck_assert_ptr_nonnull(library);
    *(void **)&stage.describe = dlsym(library, NBSTAGE_SYMBOL);
    ck_assert(nbstage_open(&stage, "kit-stage,over=a", NULL, "BLOCKMAP"));
    assert_lump("a");
    ck_assert(!nbstage_open(&stage, "other", NULL, "BLOCKMAP"));
    setenv("KIT_STAGE", "build", 1);
    assert_refused("kit-stage", "kit-stage: this is not a complete stage");
    dlclose(library);
}

// --- What users see ---

static const struct {
    const char *name, *safe;
} names[] = {
    {"M\x1B[31m\nP\x7F\r", "M?[31m?P??"},
    {"\xC2\x9B\xC2\x9F\xC2\xA0", "????\xC2\xA0"},
    {"\x80\xBF\xC0\x9B\xC1\x80", "??????"},
    {"\xE0\x80\x9B\xE0\x9F\xBF\xE0\xA0\x80", "??????\xE0\xA0\x80"},
    {"\xED\x9F\xBF\xED\xA0\x80\xED\xBF\xBF\xEE\x80\x80",
     "\xED\x9F\xBF??????\xEE\x80\x80"},
    {"\xF0\x8F\xBF\xBF\xF0\x90\x80\x80", "????\xF0\x90\x80\x80"},
    {"\xF4\x8F\xBF\xBF\xF4\x90\x80\x80", "\xF4\x8F\xBF\xBF????"},
    {"\xF5\x80\x80\x80\xF8\x88\x80\x80\xFF", "?????????"},
    {"\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xAE\xE2\x80\xAF",
     "\xE2\x80\xA7??????\xE2\x80\xAF"},
    {"\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA",
     "\xE2\x81\xA5??????\xE2\x81\xAA"},
    {"caf\xC3\xA9 \xC3", "caf\xC3\xA9 ?"},
    {"\xE2\x82", "??"},
    {"\xF0\x9F\x98", "???"},
};

LOOP_TEST(sentences_are_safe, COUNT_OF(names))
{
    const struct nbstage_map named = {.size = sizeof named,
                                      .name = names[_i].name};
    char expected[200];
    open_asked("");
    setenv("KIT_STAGE", "fails", 1);
    ck_assert(!nbstage_build(&stage, &named, &lump));
    snprintf(expected, sizeof expected, "%s: a linedef is wrong",
             names[_i].safe);
    ck_assert_str_eq(stage.error, expected);
}

TEST(only_warnings_are_printed)
{
    static const struct nbstage_map named = {.size = sizeof named,
                                             .name = "M\x1B\xFF"};
    char text[2048];
    FILE *file = fopen("errors", "w+");
    int kept = dup(STDERR_FILENO);
    stage.host.log = NULL;
    open_asked("");
    dup2(fileno(file), STDERR_FILENO);
    setenv("KIT_STAGE", "chats", 1);
    ck_assert(nbstage_build(&stage, &named, &lump));
    setenv("KIT_STAGE", "warns", 1);
    ck_assert(nbstage_build(&stage, &named, &lump));
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(text, "warning: M??\n");
}

int main(void)
{
    const char *build = getenv("BUILD_DIR");
    if (!build || !getenv("SOURCE_DIR"))
        ck_abort_msg("BUILD_DIR and SOURCE_DIR have to be set");
    snprintf(kit_stage, sizeof kit_stage, "%s/tests/unit/.libs/kit-stage.so",
             build);
    // A library that was loaded stays in its process, whatever is in its file.
    setenv("CK_FORK", "yes", 1);
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_up, tear_down);
    return run_suite(tests);
}
