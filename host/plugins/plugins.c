// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every file in the folders is opened as the commands open the stage that they
// work with, one after the other, and told of at once: one that crashes takes
// nothing along that is known before.

#include "config.h"

#include "plugins/plugins.h"

#include "plugins/plugins-report.h"

#include <stdio.h>

struct survey {
    const struct arguments *arguments;
    struct stage_files found;
    // The one that a command would work with; NULL if there is none.
    const struct stage_file *wanted;
    struct plugin_total total;
    char sentence[1024]; // why that one cannot be used; empty if it can
};

static const char *wanted_name(const struct arguments *arguments)
{
    return arguments->plugin ? arguments->plugin : DEFAULT_STAGE;
}

// The status of a file if it can be opened.
static enum plugin_status status_of(const struct stage_files *found,
                                    const struct stage_file *file)
{
    if (file->is_hidden)
        return PLUGIN_HIDDEN;
    return file == stage_files_get(found, DEFAULT_STAGE) ? PLUGIN_LOADED
                                                         : PLUGIN_USABLE;
}

// Tells of a file; false if memory ran out while it was opened.
static bool survey_file(struct survey *survey, const struct stage_file *file)
{
    struct plugin plugin = {.file = file,
                            .status = status_of(&survey->found, file)};
    plugins_report_path(survey->arguments, file);
    if (!stage_open(file->path, &plugin.stage)) {
        if (plugin.stage.status == NBSTAGE_OUT_OF_MEMORY)
            return false;
        plugin.status = PLUGIN_UNUSABLE;
        if (file == survey->wanted)
            snprintf(survey->sentence, sizeof survey->sentence, "%s",
                     plugin.stage.error);
    }
    plugins_report_stage(survey->arguments, &plugin, &survey->total);
    nbstage_close(&plugin.stage);
    return true;
}

// Tells of the files: all of them, or the one that is named.
static bool survey_files(struct survey *survey)
{
    const struct stage_files *found = &survey->found;
    for (size_t i = 0; i < found->file_count; i++) {
        const struct stage_file *file = &found->files[i];
        bool is_told = !survey->arguments->plugin || file == survey->wanted;
        if (is_told && !survey_file(survey, file))
            return false;
    }
    return true;
}

// Whether a command would find its stage, and what it would say if not.
static enum exit_status judge(const struct survey *survey)
{
    if (!survey->wanted) {
        struct nbstage stage;
        enum exit_status status =
            stage_load(wanted_name(survey->arguments), &stage);
        nbstage_close(&stage);
        return status == STATUS_USAGE ? STATUS_MAP_FAILED : status;
    }
    if (survey->sentence[0] == '\0')
        return STATUS_DONE;
    message_print("%s", survey->sentence);
    return STATUS_MAP_FAILED;
}

enum exit_status plugins_run(const struct arguments *arguments,
                             const struct nbstage *stage)
{
    (void)stage; // none, as the table of commands says
    struct survey survey = {.arguments = arguments};
    struct stage_files *found = &survey.found;
    enum exit_status status;
    if (stage_files_find(found, wanted_name(arguments))) {
        survey.wanted = stage_files_get(found, wanted_name(arguments));
        plugins_report_begin(arguments, found);
        bool is_whole = survey_files(&survey);
        plugins_report_end(arguments, found, &survey.total);
        status = is_whole ? judge(&survey) : message_out_of_memory();
    } else {
        status = message_out_of_memory();
    }
    stage_files_free(found);
    return status;
}
