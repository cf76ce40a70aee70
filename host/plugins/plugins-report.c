// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table has the path of each file, below it a line about the stage, and at
// the end the folders.  JSON has all that stages tell of themselves, their
// options included, so that programs can make menus of these.

#include "config.h"

#include "plugins/plugins-report.h"

#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *status_name(enum plugin_status status)
{
    static const char *const names[PLUGIN_STATUS_COUNT] = {
        [PLUGIN_LOADED] = "loaded",
        [PLUGIN_USABLE] = "usable",
        [PLUGIN_HIDDEN] = "hidden",
        [PLUGIN_UNUSABLE] = "unusable",
    };
    return names[status];
}

// ---------------------------------------------------------------------------
// The table

// Prints a text that may hold anything, or be NULL, and a space behind its
// column.
static void print_cell(const char *text, size_t width)
{
    size_t length = text ? strlen(text) : 0;
    if (text)
        message_write(stdout, text);
    printf("%*s", length < width ? (int)(width - length) + 1 : 1, "");
}

static void print_row(const char *name, const char *stage, const char *version,
                      const char *interface, const char *verdict)
{
    print_cell(name, 20);
    print_cell(stage, 12);
    print_cell(version, 8);
    printf("%9s  %s\n", interface, verdict);
}

static void print_path(const struct stage_file *file)
{
    message_write(stdout, file->path);
    if (file->target) {
        fputs(" -> ", stdout);
        message_write(stdout, file->target);
    }
    putchar('\n');
}

// Prints a line about a stage.
static void print_note(const char *note)
{
    fputs("         ", stdout);
    message_write(stdout, note);
    putchar('\n');
}

static void print_stage(const struct plugin *plugin, bool verbose)
{
    const struct nbstage_descriptor *stage = plugin->stage.descriptor;
    const char *verdict = status_name(plugin->status);
    if (!stage) {
        print_row(plugin->file->name, "", "", "", verdict);
        print_note(plugin->stage.error);
        return;
    }
    char interface[16];
    snprintf(interface, sizeof interface, "%lu", (unsigned long)stage->abi);
    print_row(plugin->file->name, stage->name, stage->version, interface,
              verdict);
    if (stage->summary)
        print_note(stage->summary);
    if (verbose)
        nbstage_print_options(&plugin->stage, stdout);
}

static void print_folder(const struct stage_folder *folder)
{
    fputs(folder->is_installed ? "Installed in   " : "Searched first ", stdout);
    message_write(stdout, folder->path);
    if (folder->error == ENOENT)
        puts(": not there");
    else if (folder->error)
        printf(": cannot be read: %s\n", strerror(folder->error));
    else
        printf(": %zu file%s\n", folder->file_count,
               folder->file_count == 1 ? "" : "s");
}

// ---------------------------------------------------------------------------
// JSON

static void print_json_text(const char *key, const char *text)
{
    if (text)
        json_string(key, text);
}

static void print_json_choices(const struct nbstage_option *option)
{
    json_open("choices", '[');
    for (size_t i = 0; i < option->choice_count; i++) {
        const struct nbstage_choice *choice =
            NBSTAGE_AT(struct nbstage_choice, option->choices, i);
        json_open(NULL, '{');
        json_string("name", choice->name);
        print_json_text("help", choice->help);
        json_close('}');
    }
    json_close(']');
}

static const char *type_name(const struct nbstage_option *option)
{
    switch (option->type) {
    case NBSTAGE_OPTION_CHOICE:
        return "choice";
    case NBSTAGE_OPTION_INTEGER:
        return "integer";
    case NBSTAGE_OPTION_FLAG:
        return "flag";
    default:
        return "text";
    }
}

static void print_json_option(const struct nbstage_option *option)
{
    json_open(NULL, '{');
    json_string("name", option->name);
    json_string("type", type_name(option));
    print_json_text("default", option->default_value);
    print_json_text("help", option->help);
    print_json_text("form", option->form);
    if (option->type == NBSTAGE_OPTION_INTEGER) {
        json_integer("minimum", option->minimum);
        json_integer("maximum", option->maximum);
    }
    if (option->choice_count > 0)
        print_json_choices(option);
    json_close('}');
}

static void print_json_stage(const struct nbstage_descriptor *stage)
{
    json_open("stage", '{');
    print_json_text("name", stage->name);
    print_json_text("version", stage->version);
    print_json_text("summary", stage->summary);
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

static void print_json_file(const struct plugin *plugin)
{
    json_open(NULL, '{');
    json_string("name", plugin->file->name);
    json_string("path", plugin->file->path);
    print_json_text("target", plugin->file->target);
    json_string("status", status_name(plugin->status));
    if (plugin->stage.descriptor)
        print_json_stage(plugin->stage.descriptor);
    else
        json_string("error", plugin->stage.error);
    json_close('}');
}

static void print_json_folder(const struct stage_folder *folder)
{
    json_open(NULL, '{');
    json_string("path", folder->path);
    json_boolean("installed", folder->is_installed);
    json_boolean("readable", !folder->error);
    if (folder->error)
        json_string("error", strerror(folder->error));
    json_close('}');
}

static void begin_json(const struct stage_files *found)
{
    json_begin_report("plugins", NULL);
    json_integer("interface", NBSTAGE_ABI);
    json_open("folders", '[');
    for (size_t i = 0; i < found->folder_count; i++)
        print_json_folder(&found->folders[i]);
    json_close(']');
    json_open("plugins", '[');
}

static void end_json(const struct plugin_total *total)
{
    json_close(']');
    json_open("total", '{');
    for (int status = 0; status < PLUGIN_STATUS_COUNT; status++)
        json_count(status_name((enum plugin_status)status),
                   total->count[status]);
    json_close('}');
    json_close('}');
}

// ---------------------------------------------------------------------------

void plugins_report_begin(const struct arguments *arguments,
                          const struct stage_files *found)
{
    if (arguments->json)
        begin_json(found);
    else if (!arguments->quiet)
        print_row("Plugin", "Stage", "Version", "Interface", "Verdict");
}

void plugins_report_path(const struct arguments *arguments,
                         const struct stage_file *file)
{
    if (!arguments->json && !arguments->quiet)
        print_path(file);
    fflush(stdout);
}

void plugins_report_stage(const struct arguments *arguments,
                          const struct plugin *plugin,
                          struct plugin_total *total)
{
    total->count[plugin->status]++;
    if (arguments->json)
        print_json_file(plugin);
    else if (!arguments->quiet)
        print_stage(plugin, arguments->verbose);
}

void plugins_report_end(const struct arguments *arguments,
                        const struct stage_files *found,
                        const struct plugin_total *total)
{
    if (arguments->json)
        end_json(total);
    else if (!arguments->quiet)
        for (size_t i = 0; i < found->folder_count; i++)
            print_folder(&found->folders[i]);
}
