// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every file in the folders of stages is loaded as the other commands load a
// stage, one after the other.  Its path is printed before it is loaded, so that
// a stage that crashes is known.
//
// The table has the path of each file, below it a line about the stage, and at
// the end the folders.  JSON has all that stages say about themselves, with
// their options, so that programs can make menus of these.

#include "config.h"

#include "plugins/list-stages.h"

#include "commands.h"
#include "file/replace-file.h"
#include "install-folders.h"
#include "memory.h"
#include "platform/location.h"
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Finding

static bool is_listed(const struct plugin_list *list, const char *name)
{
    for (size_t i = 0; i < list->file_count; i++)
        if (strcmp(list->files[i].name, name) == 0)
            return true;
    return false;
}

// Adds a file of the last folder if a stage can be loaded from it by its name.
static void add_file(void *context, const char *file_name)
{
    struct plugin_list *list = context;
    struct plugin_folder *folder = &list->folders[list->folder_count - 1];
    const char *ending = location_stage_ending();
    if (!file_name_ends(file_name, ending) ||
        strlen(file_name) == strlen(ending))
        return;
    size_t size = strlen(folder->path) + strlen(file_name) + sizeof "/";
    struct plugin_file file = {.path = memory_get(size, 1)};
    snprintf(file.path, size, "%s/%s", folder->path, file_name);
    snprintf(file.name, sizeof file.name, "%.*s",
             (int)(strlen(file_name) - strlen(ending)), file_name);
    if (!file_is_regular(file.path) || is_listed(list, file.name)) {
        free(file.path);
        return;
    }
    list->files =
        memory_resize(list->files, list->file_count + 1, sizeof *list->files);
    list->files[list->file_count++] = file;
    folder->file_count++;
}

static int compare_names(const void *a, const void *b)
{
    const struct plugin_file *first = a;
    const struct plugin_file *second = b;
    return strcmp(first->name, second->name);
}

static void add_folder(struct plugin_list *list, char *path)
{
    size_t begin = list->file_count;
    list->folders = memory_resize(list->folders, list->folder_count + 1,
                                  sizeof *list->folders);
    struct plugin_folder *folder = &list->folders[list->folder_count++];
    *folder = (struct plugin_folder){.path = path};
    if (!folder_list(path, add_file, list))
        folder->error = errno;
    if (folder->error == ENOMEM)
        memory_ran_out();
    if (list->file_count > begin)
        qsort(&list->files[begin], list->file_count - begin,
              sizeof *list->files, compare_names);
}

void plugins_find(struct plugin_list *list)
{
    const char *folders = location_of_stages();
    char *folder;
    *list = (struct plugin_list){0};
    for (size_t i = 0; nbstage_get_folder(folders, i, &folder); i++) {
        if (!folder)
            memory_ran_out();
        add_folder(list, folder);
        // Those of the variable are before all that are given here.
        list->folders[i].is_first = nbstage_get_folder("", i, &folder);
        if (list->folders[i].is_first)
            free(folder);
    }
}

void plugins_free(struct plugin_list *list)
{
    for (size_t i = 0; i < list->folder_count; i++)
        free(list->folders[i].path);
    for (size_t i = 0; i < list->file_count; i++)
        free(list->files[i].path);
    free(list->folders);
    free(list->files);
}

// Where the stages are that came with this command.
static bool is_installed(const struct plugin_folder *folder)
{
    return !folder->is_first || strcmp(folder->path, PLUGINDIR) == 0;
}

// ---------------------------------------------------------------------------
// The table

enum plugin_status {
    PLUGIN_LOADED, // by a command that names no other
    PLUGIN_USABLE, // if it is named
    PLUGIN_UNUSABLE,
    PLUGIN_STATUS_COUNT,
};

static const char *const status_names[PLUGIN_STATUS_COUNT] = {
    [PLUGIN_LOADED] = "loaded",
    [PLUGIN_USABLE] = "usable",
    [PLUGIN_UNUSABLE] = "unusable",
};

static const struct column columns[] = {
    {"Plugin", NULL, COLUMN_TEXT, 20}, {"Stage", NULL, COLUMN_TEXT, 12},
    {"Version", NULL, COLUMN_TEXT, 8}, {"Interface", NULL, COLUMN_COUNT, 9},
    {"Verdict", NULL, COLUMN_TEXT, 0}, {0},
};

static void print_stage(const char *name, enum plugin_status status,
                        const struct nbstage *stage, bool verbose)
{
    const struct nbstage_descriptor *descriptor = stage->descriptor;
    struct cell row[] = {
        {name, 0}, {"", 0}, {"", 0}, {"", 0}, {status_names[status], 0}};
    if (!descriptor) {
        table_print(columns, row);
        finding_print("%s", stage->error);
        return;
    }
    if (descriptor->name)
        row[1].text = descriptor->name;
    if (descriptor->version)
        row[2].text = descriptor->version;
    row[3] = (struct cell){NULL, descriptor->abi};
    table_print(columns, row);
    if (descriptor->summary)
        finding_print("%s", descriptor->summary);
    if (verbose)
        nbstage_print_options(stage, stdout);
}

static void print_folder(const struct plugin_folder *folder)
{
    fputs(!is_installed(folder)                  ? "Searched first "
          : strcmp(folder->path, PLUGINDIR) == 0 ? "Installed in   "
                                                 : "Moved to       ",
          stdout);
    message_write(stdout, folder->path);
    if (folder->error == ENOENT)
        puts(": not there");
    else if (folder->error)
        printf(": cannot be read: %s\n", file_reason(folder->error));
    else
        printf(": %zu file%s\n", folder->file_count,
               folder->file_count == 1 ? "" : "s");
}

// ---------------------------------------------------------------------------
// JSON

static void print_json_choices(const struct nbstage_option *option)
{
    if (option->choice_count == 0)
        return;
    json_open("choices", '[');
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        json_open(NULL, '{');
        json_string("name", choice->name);
        json_string("help", choice->help);
        json_close('}');
    }
    json_close(']');
}

static void print_json_option(const struct nbstage_option *option)
{
    const char *type = "text";
    if (option->type == NBSTAGE_OPTION_CHOICE)
        type = "choice";
    else if (option->type == NBSTAGE_OPTION_LIST)
        type = "list";
    else if (option->type == NBSTAGE_OPTION_INTEGER)
        type = "integer";
    else if (option->type == NBSTAGE_OPTION_FLAG)
        type = "flag";
    json_open(NULL, '{');
    json_string("name", option->name);
    json_string("type", type);
    json_string("default", option->default_value);
    json_string("help", option->help);
    json_string("form", option->form);
    if (option->type == NBSTAGE_OPTION_INTEGER) {
        json_integer("minimum", option->minimum);
        json_integer("maximum", option->maximum);
    }
    print_json_choices(option);
    json_close('}');
}

static void print_json_stage(const struct nbstage_descriptor *stage)
{
    json_open("stage", '{');
    json_string("name", stage->name);
    json_string("version", stage->version);
    json_string("summary", stage->summary);
    json_count("interface", stage->abi);
    json_open("lumps", '[');
    for (size_t i = 0; i < stage->lump_name_count; i++)
        json_string(NULL, stage->lump_names[i]);
    json_close(']');
    json_open("options", '[');
    for (size_t i = 0; i < stage->option_count; i++)
        print_json_option(NBSTAGE_AT(struct nbstage_option, stage->options, i));
    json_close(']');
    json_close('}');
}

static void print_json_file(const char *name, const char *path,
                            enum plugin_status status,
                            const struct nbstage *stage)
{
    json_open(NULL, '{');
    json_string("name", name);
    json_string("path", path);
    json_string("status", status_names[status]);
    if (stage->descriptor)
        print_json_stage(stage->descriptor);
    else
        json_string("error", stage->error);
    json_close('}');
}

static void print_json_folder(const struct plugin_folder *folder)
{
    json_open(NULL, '{');
    json_string("path", folder->path);
    json_boolean("installed", is_installed(folder));
    json_boolean("readable", !folder->error);
    json_string("error", folder->error ? file_reason(folder->error) : NULL);
    json_close('}');
}

static void begin_json(const struct plugin_list *list)
{
    json_begin_report("plugins", NULL);
    json_integer("interface", NBSTAGE_ABI);
    json_open("folders", '[');
    for (size_t i = 0; i < list->folder_count; i++)
        print_json_folder(&list->folders[i]);
    json_close(']');
    json_open("plugins", '[');
}

static void end_json(const size_t totals[PLUGIN_STATUS_COUNT])
{
    json_close(']');
    json_open("total", '{');
    for (int status = 0; status < PLUGIN_STATUS_COUNT; status++)
        json_count(status_names[status], totals[status]);
    json_close('}');
    json_close('}');
}

// Loads a stage and reports it.
static void report_file(const struct arguments *arguments, const char *name,
                        const char *path, size_t totals[PLUGIN_STATUS_COUNT])
{
    struct nbstage stage;
    enum plugin_status status = PLUGIN_UNUSABLE;
    if (!arguments->json && !arguments->quiet)
        line_print("%s", path);
    fflush(stdout);
    if (stage_open(path, NULL, &stage))
        status =
            strcmp(name, DEFAULT_STAGE) == 0 ? PLUGIN_LOADED : PLUGIN_USABLE;
    else if (stage.status == NBSTAGE_OUT_OF_MEMORY)
        memory_ran_out();
    totals[status]++;
    if (arguments->json)
        print_json_file(name, path, status, &stage);
    else if (!arguments->quiet)
        print_stage(name, status, &stage, arguments->verbose);
    nbstage_close(&stage);
}

// Whether --plugin names this file.
static bool is_named(const struct plugin_file *file, const char *name)
{
    return strcmp(file->name, name) == 0 || strcmp(file->path, name) == 0 ||
           strcmp(file_base(file->path), name) == 0;
}

// Reports all stages, or the one that --plugin names, which may be a path in no
// folder of stages.
static void report_files(const struct arguments *arguments,
                         const struct plugin_list *list,
                         size_t totals[PLUGIN_STATUS_COUNT])
{
    const char *wanted = arguments->plugin;
    bool found = false;
    for (size_t i = 0; i < list->file_count; i++) {
        const struct plugin_file *file = &list->files[i];
        if (wanted && !is_named(file, wanted))
            continue;
        report_file(arguments, file->name, file->path, totals);
        found = true;
    }
    if (!found && wanted && file_base(wanted) != wanted)
        report_file(arguments, wanted, wanted, totals);
}

// Loads the stage that a command would load, which says why if it cannot.
static enum exit_status load_stage(const struct arguments *arguments)
{
    struct nbstage stage;
    enum exit_status status =
        stage_load(arguments->plugin, location_of_stages(), &stage);
    nbstage_close(&stage);
    return status == STATUS_USAGE ? STATUS_MAP_FAILED : status;
}

enum exit_status plugins_run(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    (void)stage;
    struct plugin_list list;
    size_t totals[PLUGIN_STATUS_COUNT] = {0};
    plugins_find(&list);
    if (arguments->json)
        begin_json(&list);
    else if (!arguments->quiet)
        table_print(columns, NULL);
    report_files(arguments, &list, totals);
    if (arguments->json)
        end_json(totals);
    else if (!arguments->quiet)
        for (size_t i = 0; i < list.folder_count; i++)
            print_folder(&list.folders[i]);
    plugins_free(&list);
    return load_stage(arguments);
}
