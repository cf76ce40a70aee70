// SPDX-License-Identifier: GPL-2.0-or-later
//
// Saves pictures, and protects other files from them.

#include "config.h"

#include "picture/picture.h"

#include "check/judge.h"
#include "check/reading.h"
#include "common/arguments.h"
#include "common/message.h"
#include "common/report.h"
#include "inspect/inspect.h"
#include "inspect/memory.h"
#include "map/attributes.h"
#include "nbstage.h"
#include "picture/drawing.h"
#include "platform/file.h"
#include "platform/status.h"
#include "wad/declared-files.h"
#include "wad/replacement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The options for pictures, and their writers.
enum { PICTURE_SVG, PICTURE_HTML, PICTURE_COUNT };
static const struct picture_kind {
    const char *option, *what, *advice;
    void (*write)(const struct drawing *drawing);
} picture_kinds[PICTURE_COUNT] = {
    [PICTURE_SVG] = {"svg", "the picture", "name another one with --svg=FILE",
                     svg_write},
    [PICTURE_HTML] = {"html", "the page", "name another one with --html=FILE",
                      page_write},
};

// The file of an option, or NULL.
static const char *picture_path(const struct arguments *arguments, size_t kind)
{
    return kind == PICTURE_SVG ? arguments->svg : arguments->html;
}

// ---------------------------------------------------------------------------
// Paths

static enum exit_status picture_declare_all(const struct arguments *arguments,
                                            struct declared_files *files)
{
    for (size_t i = 0; i < arguments->file_count; i++) {
        const char *path = arguments->files[i];
        NEED_DONE(declared_add(files, (struct declared_file){.what = "input",
                                                             .shown = path,
                                                             .path = path}));
    }
    for (size_t i = 0; i < PICTURE_COUNT; i++) {
        const char *path = picture_path(arguments, i);
        if (!path)
            continue;
        NEED_DONE(declared_add(
            files, (struct declared_file){.what = picture_kinds[i].what,
                                          .shown = path,
                                          .path = path,
                                          .advice = picture_kinds[i].advice,
                                          .job = SIZE_MAX - 1 - i}));
    }
    return declared_add_standard_output(files);
}

// Declares the inputs and the pictures.
static enum exit_status picture_declare(const struct arguments *arguments)
{
    struct declared_files files = {0};
    const enum exit_status status = picture_declare_all(arguments, &files);
    if (status == STATUS_FILE)
        memory_ran_out();
    declared_free(&files);
    return status;
}

enum { FIRST_BYTES = 4096 }; // bytes to examine of an existing file

// Whether a file, which may be compressed, is an SVG or a page.  Files by other
// programs may begin with a BOM, an XML declaration or a comment.
static bool picture_is_drawn(const char *path)
{
    char text[FIRST_BYTES + 1];
    const int size = file_read_start(path, text, FIRST_BYTES);
    text[size < 0 ? 0 : size] = '\0';
    const char *begin = text + strspn(text, "\xEF\xBB\xBF \t\r\n");
    return *begin == '<' && (strstr(begin, "<svg") || strstr(begin, "<html"));
}

// Why a picture must not replace the file; NULL if it may.
static const char *picture_find_fault(const char *path)
{
    struct file_status file;
    if (!file_find(path, &file))
        return NULL;
    if (file.kind != FILE_REGULAR)
        return "is not a regular file";
    if (file.size > 0 && !picture_is_drawn(path))
        return "is neither an SVG nor a page";
    return NULL;
}

// Checks, before there is a report, that the file of an option may be replaced,
// and that a new one can be created in its folder.
static enum exit_status picture_check_path(const char *option, const char *path)
{
    struct replacement replacement;
    if (!path || file_is_standard(path))
        return STATUS_DONE;
    const char *fault = picture_find_fault(path);
    if (fault) {
        message_print("--%s: %s exists and %s; choose another name", option,
                      path, fault);
        return STATUS_USAGE;
    }
    const enum exit_status status =
        replacement_begin(&replacement, path, false, false, NULL);
    replacement_abandon(&replacement);
    return status;
}

int picture_count_standard(const struct arguments *arguments)
{
    const char *svg = arguments->svg, *html = arguments->html;
    return (svg && file_is_standard(svg)) + (html && file_is_standard(html));
}

enum exit_status picture_check_paths(const struct arguments *arguments)
{
    if (picture_count_standard(arguments) + arguments->json > 1) {
        message_print("standard output takes only one of --svg, --html and "
                      "--json");
        return STATUS_USAGE;
    }
    NEED_DONE(picture_declare(arguments));
    for (size_t i = 0; i < PICTURE_COUNT; i++)
        NEED_DONE(picture_check_path(picture_kinds[i].option,
                                     picture_path(arguments, i)));
    return STATUS_DONE;
}

const char *picture_option(const struct arguments *arguments)
{
    return arguments->svg ? "svg" : arguments->html ? "html" : NULL;
}

// ---------------------------------------------------------------------------
// Files

// Saves a picture under this path, and reports it.
static enum exit_status picture_save_as(struct drawing *drawing,
                                        const struct picture_kind *kind,
                                        const char *path)
{
    struct report *report = drawing->file->arguments->report;
    struct replacement replacement;
    const bool compressed =
        file_name_ends(path, ".gz") || file_name_ends(path, ".svgz");
    NEED_DONE(replacement_begin(&replacement, path, compressed, false, NULL));
    drawing->stream = replacement.output.stream;
    kind->write(drawing);
    NEED_DONE(replacement_commit(&replacement, false));
    report_wrote(report, path);
    report_print(report, "Wrote %s", path);
    return STATUS_DONE;
}

static enum exit_status picture_save_all(struct drawing *drawing)
{
    svg_measure(drawing);
    for (size_t i = 0; i < PICTURE_COUNT; i++) {
        const char *path = picture_path(drawing->file->arguments, i);
        if (path)
            NEED_DONE(picture_save_as(drawing, &picture_kinds[i], path));
    }
    return STATUS_DONE;
}

enum exit_status picture_save(struct inspect_file *file,
                              struct inspect_map *map)
{
    struct attributes attributes;
    struct drawing drawing = {.file = file,
                              .map = map,
                              .group = groups_first(&map->groups),
                              .attributes = &attributes};
    bool are_complete;
    if (!map->has_lines)
        return STATUS_MAP_FAILED; // its error was reported
    if (map->present.block_count == 0 && !map->has_expected) {
        message_print("%s: %s has no blockmap that can be drawn", file->path,
                      map->name);
        return STATUS_MAP_FAILED;
    }
    inspect_begin(file, map);
    const char *sentence = inspect_end(
        file, attributes_read(&file->context, &map->map, NBSTAGE_LOG_INFO,
                              "not all sides and sectors are known",
                              &attributes, &are_complete));
    if (sentence) {
        message_print("%s: %s", file->path, sentence);
        return STATUS_MAP_FAILED;
    }
    drawing.is_read =
        map->has_expected && drawing.group->reading.kind == READING_LISTS;
    if (drawing.is_read) // marks what this group misses
        judge_reading(&map->expected, &map->present, &drawing.group->reading);
    const enum exit_status status = picture_save_all(&drawing);
    attributes_free(&file->context, &attributes);
    return status;
}
