// SPDX-License-Identifier: GPL-2.0-or-later
//
// Proves that the host kit finds and loads stages, takes options from one
// text, says in a sentence what is wrong with whatever is given to it, and
// builds; and that a builder with no stage is left in peace.

#include "config.h"

#include "context-for-tests.h"
#include "nbstage-host.h"
#include "plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The built module, a stage unlike it, and the folders they are in.
static const char *plugin;
static char plugin_folder[PATH_MAX];
static char other[PATH_MAX];
static char other_folder[PATH_MAX];

// All zeros at the start of every test.
static struct nbstage stage;

// An empty folder, which every test begins in.
static char folder[] = "/tmp/host-kit-XXXXXX";

static void cut_to_folder(char *path)
{
    *strrchr(path, '/') = '\0';
}

static void name_stages(void)
{
    plugin = getenv("PLUGIN");
    const char *build = getenv("BUILD_DIR");
    if (!plugin || !build)
        ck_abort_msg("PLUGIN and BUILD_DIR have to be set");
    snprintf(plugin_folder, sizeof plugin_folder, "%s", plugin);
    cut_to_folder(plugin_folder);
    snprintf(other, sizeof other, "%s/tests/command/.libs/other-stage.so",
             build);
    snprintf(other_folder, sizeof other_folder, "%s", other);
    cut_to_folder(other_folder);
}

static void set_up(void)
{
    unsetenv("NBSTAGE_PLUGIN_PATH");
    unsetenv("OTHER_STAGE");
    memset(&stage, 0, sizeof stage);
    strcpy(strrchr(folder, '-'), "-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void tear_down(void)
{
    nbstage_close(&stage);
    unlink("blocksweep.so");
    unlink("errors");
    ck_assert_int_eq(rmdir(folder), 0);
}

// --- A map, and what is made of it ---

static const struct plain_vertex vertices[] = {
    {-100 * 65536, -50 * 65536},
    {-100 * 65536, 200 * 65536},
    {300 * 65536, 150 * 65536},
};

static const struct plain_line lines[] = {
    {.v1 = 0, .v2 = 1}, {.v1 = 1, .v2 = 2}, {.v1 = 2, .v2 = 0}};

static struct nbstage_map map_of(const char *name,
                                 const struct plain_line *first, size_t count)
{
    static struct kept_arrays kept;
    struct nbstage_map map =
        PLAIN_MAP(name, vertices, COUNT(vertices), first, count);
    arrays_keep(&map, &kept);
    return map;
}

static struct nbstage_map triangle(void)
{
    return map_of("MAP01", lines, COUNT(lines));
}

static const struct nbstage_lump *build(void)
{
    const struct nbstage_map map = triangle();
    return nbstage_build(&stage, &map);
}

static const struct nbstage_fact *find_fact(const char *name)
{
    const struct nbstage_fact *fact =
        plugin_find_fact(stage.descriptor, stage.instance, name);
    ck_assert_ptr_nonnull(fact);
    return fact;
}

static void assert_number(const char *name, int64_t value)
{
    ck_assert_int_eq(find_fact(name)->value, value);
}

static bool is_nested(void)
{
    return find_fact("nested_lists")->value > 0;
}

// --- Outcomes ---

static void assert_done(bool done)
{
    if (!done)
        ck_abort_msg("%s", stage.error);
    ck_assert_str_eq(stage.error, "");
}

static void assert_no_stage(void)
{
    ck_assert_ptr_null(stage.descriptor);
    ck_assert_ptr_null(stage.instance);
    ck_assert_ptr_null(stage.library);
}

// The builder goes on by itself, and no more is said of it.
static void assert_left_in_peace(void)
{
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(build());
        ck_assert_str_eq(stage.error, "");
    }
}

static void open_module(void)
{
    assert_done(nbstage_find(&stage, plugin, NULL, "BLOCKMAP"));
}

static void load(const char *path, const char *options)
{
    char request[PATH_MAX + 128];
    snprintf(request, sizeof request, "%s,%s", path, options);
    assert_done(nbstage_load(&stage, request, NULL, NULL, "BLOCKMAP", NULL));
}

// --- No stage ---

TEST(zeros_are_no_stage)
{
    assert_left_in_peace();
    ck_assert(!nbstage_create(&stage, NULL));
    ck_assert_str_ne(stage.error, "");
    ck_assert(!nbstage_set_options(&stage, "pack=nest"));
    ck_assert_str_ne(stage.error, "");
    nbstage_print_options(&stage, stdout);
    nbstage_free(&stage);
    assert_left_in_peace();
}

// Make blocksweep.so in the current folder.

static void make_text(void)
{
    FILE *file = fopen("blocksweep.so", "w");
    ck_assert_ptr_nonnull(file);
    fputs("text\n", file);
    fclose(file);
}

// A library is no stage.  Sanitizers have a puts() of their own, but no ldiv().
static void make_libc(void)
{
    Dl_info libc;
    ck_assert_int_ne(dladdr(dlsym(RTLD_DEFAULT, "ldiv"), &libc), 0);
    ck_assert_int_eq(symlink(libc.dli_fname, "blocksweep.so"), 0);
}

// To open it, with nobody who writes to it, would take for ever.
static void make_pipe(void)
{
    ck_assert_int_eq(mkfifo("blocksweep.so", 0600), 0);
}

// What is loaded: a file, one that is made before, the module or the other
// stage with a fault.
static const struct {
    const char *request;
    const char *told[3];
    nbstage_status status;
    int failure;
    void (*make)(void);
    const char *fault;
} wrong[] = {
    {"nosuch,pack=nest", .told = {"nosuch", ": /here:/there"},
     .failure = NBSTAGE_FAILURE_NOT_FOUND},
    {"./nosuch.so", .told = {"./nosuch.so"},
     .failure = NBSTAGE_FAILURE_NOT_FOUND},
    {"./blocksweep.so", .told = {"./blocksweep.so"}, .make = make_text,
     .failure = NBSTAGE_FAILURE_UNUSABLE},
    {"./blocksweep.so", .told = {"./blocksweep.so", "not a regular"},
     .make = make_pipe, .failure = NBSTAGE_FAILURE_NOT_FOUND},
    {"./blocksweep.so", .told = {"not a stage", NBSTAGE_SYMBOL},
     .make = make_libc, .failure = NBSTAGE_FAILURE_UNUSABLE},
    {"OTHER", .told = {"does not serve this interface"}, .fault = "refuses",
     .failure = NBSTAGE_FAILURE_UNUSABLE},
    {"OTHER", .told = {"is cut off"}, .fault = "cut-off",
     .failure = NBSTAGE_FAILURE_UNUSABLE},
    {"OTHER", .told = {"does not make BLOCKMAP"}, .fault = "other-lumps",
     .failure = NBSTAGE_FAILURE_UNUSABLE},
    {"OTHER", .told = {"other makes no instance: status 5"},
     .status = NBSTAGE_UNSUPPORTED, .fault = "no-instances",
     .failure = NBSTAGE_FAILURE_OTHER},
    {"MODULE,nest", .told = {"'nest' is not an option"},
     .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,pack", .told = {"'pack' is not an option"},
     .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,,pack=nest", .told = {"'' is not an option"},
     .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,pack=", .told = {"'pack' does not take ''"},
     .status = NBSTAGE_BAD_VALUE, .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,pack=nest,", .told = {"'pack' does not take 'nest,'"},
     .status = NBSTAGE_BAD_VALUE, .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,pack=nest,fit", .told = {"'pack' does", "'nest,fit'"},
     .status = NBSTAGE_BAD_VALUE, .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,grid=8,8,pak=1", .told = {"'pak'"},
     .status = NBSTAGE_UNKNOWN_OPTION, .failure = NBSTAGE_FAILURE_OPTION},
    {"OTHER,size=z", .told = {"the stage fails and does not say why"},
     .status = NBSTAGE_BAD_VALUE, .fault = "silent",
     .failure = NBSTAGE_FAILURE_OPTION},
    {"MODULE,=nest", .told = {"''"}, .status = NBSTAGE_UNKNOWN_OPTION,
     .failure = NBSTAGE_FAILURE_OPTION},
};

static void load_fails(const char *request)
{
    ck_assert(
        !nbstage_load(&stage, request, NULL, "/here:/there", "BLOCKMAP", NULL));
    assert_no_stage();
}

LOOP_TEST(what_cannot_be_loaded_is_told, COUNT(wrong))
{
    const char *asked = wrong[_i].request;
    const char *options = strchr(asked, ',');
    const char *file = strncmp(asked, "MODULE", 6) == 0  ? plugin
                       : strncmp(asked, "OTHER", 5) == 0 ? other
                                                         : NULL;
    char request[PATH_MAX + 128];
    snprintf(request, sizeof request, "%s%s", file ? file : asked,
             file && options ? options : "");
    if (wrong[_i].fault)
        setenv("OTHER_STAGE", wrong[_i].fault, 1);
    if (wrong[_i].make)
        wrong[_i].make();
    load_fails(request);
    ck_assert_int_eq(stage.status, wrong[_i].status);
    ck_assert_int_eq(stage.failure, wrong[_i].failure);
    if (file && stage.failure == NBSTAGE_FAILURE_UNUSABLE)
        assert_tells(stage.error, file);
    for (const char *const *told = wrong[_i].told; *told; told++)
        ck_assert_msg(strstr(stage.error, *told), "%s: '%s' has no '%s'", asked,
                      stage.error, *told);
    assert_left_in_peace();
}

// And sentences are cut to their room.
TEST(folders_that_were_searched_are_told)
{
    char name[3 * sizeof stage.error], beside[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", beside, sizeof beside - 13);
    ck_assert_int_gt(length, 0);
    beside[length] = '\0';
    *strrchr(beside, '/') = '\0';
    strcat(beside, "/../lib/nbstage");
    setenv("NBSTAGE_PLUGIN_PATH", "/nowhere::", 1);
    ck_assert(!nbstage_find(&stage, "nosuch", NULL, "BLOCKMAP"));
    assert_tells(stage.error,
                 " /nowhere:/usr/local/lib/nbstage:", "/usr/lib/nbstage:",
                 beside);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert(!nbstage_find(&stage, name, NULL, "BLOCKMAP"));
    ck_assert_uint_eq(strlen(stage.error), sizeof stage.error - 1);
}

// A pipe in a folder is passed over.
TEST(only_regular_files_are_found)
{
    make_pipe();
    setenv("NBSTAGE_PLUGIN_PATH", folder, 1);
    assert_done(nbstage_find(&stage, "blocksweep", plugin_folder, "BLOCKMAP"));
}

// The user's options win over the host's defaults, and so does a preset.
TEST(defaults_of_the_host_give_way)
{
    static const struct {
        const char *options, *defaults, *grid;
    } cases[] = {
        {"", "grid=fit", "fit"},
        {",grid=id", "grid=fit", "id"},
        {",preset=small", "grid=fit", "search"},
        {",pack=nest", "nosuch=1,grid=id,other=2", "id"},
        {"", "preset=small", "search"},
        {"", "preset=small,grid=fit", "fit"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char request[PATH_MAX + 128];
        snprintf(request, sizeof request, "%s%s", plugin, cases[i].options);
        assert_done(nbstage_load(&stage, request, cases[i].defaults, NULL,
                                 "BLOCKMAP", &test_callbacks));
        ck_assert_ptr_nonnull(build());
        ck_assert_str_eq(find_fact("grid")->text, cases[i].grid);
    }
    // Those of other stages are warnings.
    ck_assert_uint_eq(test_host.message_count, 2);
    assert_tells(test_host.first_message, "the host's default 'nosuch'",
                 "the stage blocksweep has no such option");
    nbstage_close(&stage);
    ck_assert(
        !nbstage_load(&stage, plugin, "pack=nset", NULL, "BLOCKMAP", NULL));
    assert_no_stage();
    ck_assert_int_eq(stage.failure, NBSTAGE_FAILURE_DEFAULT);
    assert_tells(stage.error, "the host's default", "'nset'");
}

TEST(no_request_asks_for_no_stage)
{
    assert_done(nbstage_load(&stage, NULL, NULL, NULL, "BLOCKMAP", NULL));
    assert_no_stage();
    assert_left_in_peace();
    open_module();
    assert_done(nbstage_load(&stage, NULL, NULL, NULL, "BLOCKMAP", NULL));
    assert_no_stage();
}

TEST(missing_instance_is_told)
{
    open_module();
    ck_assert_ptr_null(build());
    assert_tells(stage.error, "nbstage_create has not been called");
    ck_assert(!nbstage_set_options(&stage, "pack=nest"));
    assert_tells(stage.error, "nbstage_create has not been called");
    assert_done(nbstage_create(&stage, NULL));
    ck_assert_ptr_nonnull(build());
}

// --- Finding and opening ---

TEST(environment_comes_before_folders)
{
    char folders[3 * PATH_MAX];
    snprintf(folders, sizeof folders, ":/nowhere::%s:%s", other_folder,
             plugin_folder);
    assert_done(nbstage_find(&stage, "other-stage", folders, "BLOCKMAP"));
    assert_done(nbstage_find(&stage, "blocksweep", folders, "BLOCKMAP"));
    assert_done(nbstage_find(&stage, "blocksweep.so", folders, "BLOCKMAP"));
    ck_assert_str_eq(stage.descriptor->name, "blocksweep");
    setenv("NBSTAGE_PLUGIN_PATH", folders, 1);
    assert_done(nbstage_find(&stage, "blocksweep", "/nowhere", "BLOCKMAP"));
    assert_done(nbstage_find(&stage, "other-stage", NULL, "BLOCKMAP"));
    ck_assert_str_eq(stage.descriptor->name, "other");
    ck_assert_int_eq(symlink(other, "blocksweep.so"), 0);
    setenv("NBSTAGE_PLUGIN_PATH", folder, 1);
    assert_done(nbstage_find(&stage, "blocksweep", plugin_folder, "BLOCKMAP"));
    ck_assert_str_eq(stage.descriptor->name, "other");
}

TEST(lump_is_the_one_asked_for)
{
    ck_assert(!nbstage_find(&stage, plugin, NULL, "REJECT"));
    assert_tells(stage.error, "does not make REJECT");
    assert_done(nbstage_find(&stage, other, NULL, NULL));
    ck_assert_str_eq(stage.lump_name, "REJECT");
    assert_done(nbstage_load(&stage, other, NULL, NULL, "REJECT", NULL));
    const struct nbstage_lump *lump = build();
    ck_assert_ptr_nonnull(lump);
    ck_assert_mem_eq(lump->data, "a reject", 8);
    ck_assert_uint_eq(stage.result.lump_count, 2);
    struct nbstage_fact fact;
    ck_assert(nbstage_get_fact(&stage, "least", &fact));
    ck_assert_int_eq(fact.value, -1);
    ck_assert(!nbstage_get_fact(&stage, "greatest", &fact));
    nbstage_close(&stage);
    ck_assert(!nbstage_get_fact(&stage, "least", &fact));
}

// A program may have the stage in itself.
TEST(stage_may_be_linked)
{
    nbstage_describe_function describe;
    void *library = dlopen(other, RTLD_NOW);
    ck_assert_ptr_nonnull(library);
    *(void **)&describe = dlsym(library, NBSTAGE_SYMBOL);
    ck_assert(!nbstage_open(&stage, describe, "NODES"));
    assert_tells(stage.error, "the program itself", "not make NODES");
    assert_no_stage();
    assert_done(nbstage_open(&stage, describe, "BLOCKMAP"));
    ck_assert(!nbstage_is_loaded(&stage));
    assert_done(nbstage_create(&stage, NULL));
    ck_assert(nbstage_is_loaded(&stage));
    ck_assert_ptr_nonnull(build());
    nbstage_close(&stage);
    ck_assert(!nbstage_is_loaded(&stage));
    dlclose(library);
}

TEST(name_may_be_that_of_what_is_open)
{
    open_module();
    assert_done(nbstage_find(&stage, stage.descriptor->name, plugin_folder,
                             "BLOCKMAP"));
    assert_done(nbstage_load(&stage, stage.descriptor->name, NULL,
                             plugin_folder, "BLOCKMAP", NULL));
    ck_assert_ptr_nonnull(build());
}

// --- Options ---

TEST(values_may_have_commas)
{
    load(plugin, "grid=-128,-64,pack=nest");
    ck_assert_ptr_nonnull(build());
    assert_number("origin_x", -128);
    assert_number("origin_y", -64);
    ck_assert(is_nested());
    assert_done(nbstage_set_options(&stage, "pack=share,grid=-110,-60"));
    ck_assert_ptr_nonnull(build());
    assert_number("origin_x", -110);
    assert_number("origin_y", -60);
    ck_assert(!is_nested());
}

static const struct {
    const char *options;
    const char *motto;
    size_t size;
} mottos[] = {
    {"motto=so, it is,size=3", "so, it is", 3},
    {"size=5,motto=,", ",", 5},
    {"motto=a,b,,c", "a,b,,c", 4},
    {"motto=mood,size,size=9", "mood,size", 9},
    {"motto=a=b", "a=b", 4},
    {"motto=x,Size=9", "x,Size=9", 4},
    {"motto=x, size=9", "x, size=9", 4},
    {"motto=x,=9", "x,=9", 4},
    {"motto=first,motto=,size=2", "", 2},
    {"", "", 4},
};

LOOP_TEST(commas_part_options_only_before_options, COUNT(mottos))
{
    load(other, mottos[_i].options);
    const struct nbstage_lump *lump = build();
    ck_assert_ptr_nonnull(lump);
    ck_assert_str_eq(find_fact("motto")->text, mottos[_i].motto);
    ck_assert_uint_eq(lump->data_size, mottos[_i].size);
}

static const char *const with_flag[] = {
    "check-nodes",           "check-nodes,pack=nest",
    "pack=nest,check-nodes", "grid=-128,-64,check-nodes,pack=nest",
    "check-nodes=yes",
};

// The map has no nodes, and it is the flag that asks for them.
LOOP_TEST(flags_need_no_value, COUNT(with_flag))
{
    load(plugin, with_flag[_i]);
    ck_assert_ptr_null(build());
    assert_tells(stage.error, "MAP01", "nodes");
    assert_done(nbstage_set_options(&stage, "check-nodes=no"));
    ck_assert_ptr_nonnull(build());
}

// Prints the options into memory, for free.
static char *print_options(void)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(file);
    nbstage_print_options(&stage, file);
    fclose(file);
    return text;
}

TEST(options_are_printed)
{
    open_module();
    char *text = print_options();
    static const char *const parts[] = {
        "pack=share|nest\n    how lists are stored",
        "stored (default: share)\n",
        "grid=auto|keep|fit|id|search|X,Y\n",
        "max-memory=0..131072\n",
        "check-nodes=no|yes\n",
    };
    for (size_t i = 0; i < COUNT(parts); i++)
        ck_assert_ptr_nonnull(strstr(text, parts[i]));
    free(text);
    assert_done(nbstage_find(&stage, other, NULL, "BLOCKMAP"));
    text = print_options();
    ck_assert_str_eq(
        text, "size=0..1000\n    no help at all (default: 4)\n"
              "mood=good|bad\n    no help at all (default: good)\n"
              "motto=WORDS\n    no help at all\n"
              "prune=WORDS\n    no help at all\n"
              "delay=-7..1099511627776\n    no help at all (default: 0)\n");
    free(text);
}

// --- Building ---

TEST(failure_is_told_and_forgotten)
{
    load(plugin, "");
    static const struct plain_line wild[] = {{.v1 = 0, .v2 = 9}};
    const struct nbstage_map map = map_of("MAP07", wild, 1);
    ck_assert_ptr_null(nbstage_build(&stage, &map));
    assert_tells(stage.error, "MAP07", "9");
    ck_assert_int_eq(stage.status, NBSTAGE_BAD_MAP);
    ck_assert_ptr_nonnull(build());
    ck_assert_str_eq(stage.error, "");
    ck_assert_int_eq(stage.status, NBSTAGE_OK);
    // A lump that was promised is missed.
    setenv("OTHER_STAGE", "forgets", 1);
    load(other, "");
    ck_assert_ptr_null(build());
    assert_tells(stage.error, "other", "no BLOCKMAP");
}

// The other stage takes no memory but that of results, and keeps none.
TEST(results_are_freed_at_once)
{
    assert_done(
        nbstage_load(&stage, other, NULL, NULL, "BLOCKMAP", &test_callbacks));
    const struct nbstage_lump *lump = build();
    ck_assert(test_owns(&test_host, lump->data, lump->data_size));
    const size_t one_result = test_host.in_use;
    ck_assert_ptr_nonnull(build());
    ck_assert_uint_eq(test_host.in_use, one_result);
    for (int i = 0; i < 2; i++) {
        nbstage_free(&stage);
        ck_assert_uint_eq(stage.result.lump_count, 0);
        ck_assert_uint_eq(test_host.in_use, 0);
    }
    ck_assert_ptr_nonnull(build());
    assert_done(nbstage_create(&stage, &test_callbacks));
    ck_assert_uint_eq(test_host.in_use, 0);
    ck_assert_ptr_nonnull(build());
    nbstage_close(&stage);
    ck_assert_uint_eq(test_host.in_use, 0);
}

TEST(early_ends_are_known_by_their_status)
{
    test_host.refused_request = 1;
    ck_assert(
        !nbstage_load(&stage, plugin, NULL, NULL, "BLOCKMAP", &test_callbacks));
    assert_tells(stage.error, "blocksweep makes no instance");
    ck_assert_int_eq(stage.status, NBSTAGE_OUT_OF_MEMORY);
    assert_no_stage();
    test_host.refused_request = 0;
    assert_done(
        nbstage_load(&stage, plugin, NULL, NULL, "BLOCKMAP", &test_callbacks));
    test_host.cancelled_report = 1;
    ck_assert_ptr_null(build());
    ck_assert_int_eq(stage.status, NBSTAGE_CANCELLED);
    ck_assert_str_ne(stage.error, "");
    nbstage_close(&stage); // run_tests looks for memory left behind
}

// --- What users get to see ---

// Makes an instance with default callbacks, and builds a map of this name;
// what is printed to standard error.
static const char *build_and_read_errors(const char *options, const char *name)
{
    static char text[2 * sizeof stage.error];
    const struct nbstage_map map = map_of(name, lines, COUNT(lines));
    FILE *file = fopen("errors", "w+");
    ck_assert_ptr_nonnull(file);
    int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    assert_done(nbstage_create(&stage, NULL));
    assert_done(nbstage_set_options(&stage, options));
    nbstage_build(&stage, &map);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

// Other messages than warnings are for authors of stages.
TEST(only_warnings_are_printed)
{
    load(other, "");
    ck_assert_str_eq(build_and_read_errors("", "MAP01"), "");
    setenv("OTHER_STAGE", "warns", 1);
    ck_assert_str_eq(build_and_read_errors("", "MAP01"),
                     "warning: weather to be expected\n");
}

// Names and values come from files and from users.
TEST(sentences_control_no_terminal)
{
    open_module();
    const char *text = build_and_read_errors("grid=keep", "M\x1B[31m\nP\x7F");
    ck_assert_ptr_eq(strstr(text, "warning: M?[31m?P?: "), text);
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    ck_assert(!nbstage_set_options(&stage, "pack=\x1B[31m"));
    assert_tells(stage.error, "'?[31m'");
    const struct nbstage_map map = nbstage_map_from_lumps("M\r1", NULL, 0);
    ck_assert_ptr_null(nbstage_build(&stage, &map));
    assert_tells(stage.error, "M?1");
    load_fails("\xC2\x9B\x9B\xE2\x80\xAE\xC3\xA9");
    assert_tells(stage.error, "'??????\xC3\xA9'");
}

int main(void)
{
    name_stages();
    TCase *tests = all_tests();
    tcase_add_checked_fixture(tests, set_up, tear_down);
    return run_tests(tests);
}
