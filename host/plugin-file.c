// SPDX-License-Identifier: GPL-2.0-or-later
//
// The loader maps the segments of an ELF file without a look at its size, and
// reading what the file does not have is a SIGBUS; and it believes what the
// tables in them say.  So a copy of the process loads the file first, and that
// all segments are in the file is checked there, as nothing need touch the last
// ones before a build.

#include "config.h"

#include "plugin-file.h"

#include "nbstage-host.h"
#include "platform/file.h"
#include "platform/process.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#endif

// What nbstage_open takes.
struct plugin_file {
    const char *name, *folders, *lump_name;
};

// What the copy finds out.
enum { PLUGIN_WHOLE, PLUGIN_CUT_OFF };

#ifdef __linux__

// The header is one that the loader has accepted.
static int plugin_file_judge(int file, uint64_t size)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;
    if (!file_read_at(file, 0, &header, sizeof header))
        return PLUGIN_CUT_OFF;
    for (size_t i = 0; i < header.e_phnum; i++) {
        if (!file_read_at(file, header.e_phoff + i * sizeof segment, &segment,
                          sizeof segment))
            return PLUGIN_CUT_OFF;
        if (segment.p_type == PT_LOAD &&
            (segment.p_offset > size ||
             segment.p_filesz > size - segment.p_offset))
            return PLUGIN_CUT_OFF;
    }
    return PLUGIN_WHOLE;
}

#else

static int plugin_file_judge(int file, uint64_t size)
{
    (void)file;
    (void)size;
    return PLUGIN_WHOLE;
}

#endif

// Runs in the copy.  Making an instance, and closing the stage, runs code that
// is in most parts of the file.
static int plugin_file_try(const void *context)
{
    const struct plugin_file *plugin = context;
    const struct nbstage_host host = {.size = sizeof host};
    struct nbstage stage = {0};
    struct file_status status;
    int found = PLUGIN_WHOLE;
    if (!nbstage_find(&stage, plugin->name, plugin->folders, plugin->lump_name))
        return PLUGIN_WHOLE;
    const int file = file_open(stage.path);
    if (file >= 0 && file_find_open(file, &status))
        found = plugin_file_judge(file, status.size);
    if (found == PLUGIN_WHOLE)
        nbstage_create(&stage, &host);
    nbstage_close(&stage);
    return found;
}

bool plugin_file_check(struct nbstage *stage, const char *name,
                       const char *folders, const char *lump_name)
{
    const struct plugin_file plugin = {name, folders, lump_name};
    if (process_try(plugin_file_try, &plugin) == PLUGIN_WHOLE)
        return true;
    snprintf(
        stage->error, sizeof stage->error,
        "%s: not a stage that can be used: the file is damaged or cut off; "
        "install it anew, or name another one: --plugin=FILE",
        name);
    return false;
}
