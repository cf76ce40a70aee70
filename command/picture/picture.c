// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where pictures are saved, and what they do not replace.

#include "config.h"

#include "picture/picture.h"

#include "common/report.h"
#include "inspect/inspect.h"
#include "inspect/memory.h"
#include "map/attributes.h"
#include "platform/file.h"
#include "wad/declared-files.h"
#include "wad/replacement.h"

#include <stdint.h>
#include <string.h>

// The options that ask for a picture, and what writes it.
enum { PICTURE_COUNT = 2 };
static const struct picture_kind {
    const char *option, *what, *advice;
    void (*write)(const struct drawing *drawing);
} picture_kinds[PICTURE_COUNT] = {
    {"svg", "the picture", "name another one with --svg=FILE", svg_write},
    {"html", "the page", "name another one with --html=FILE", page_write},
};

// The file of an option, or NULL.
static const char *picture_path(const struct arguments *arguments, size_t kind)
{
    return kind == 0 ? arguments->svg : arguments->html;
}

// ---------------------------------------------------------------------------
// Paths

static enum exit_status picture_declare_files(const struct arguments *arguments,
                                              struct declared_files *files)
{
    for (size_t i = 0; i < arguments->file_count; i++)
        NEED_DONE(declared_add(
            files, (struct declared_file){.what = "input",
                                          .shown = arguments->files[i],
                                          .path = arguments->files[i]}));
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
    const enum exit_status status = picture_declare_files(arguments, &files);
    if (status == STATUS_FILE)
        memory_ran_out();
    declared_free(&files);
    return status;
}

enum { FIRST_BYTES = 4096 }; // of a file that exists, to tell its kind

// Whether a file, which may be compressed, is an SVG or a page.  Other programs
// begin it with the mark of UTF-8, or declare XML and name themselves first.
static bool picture_is_drawn(const char *path)
{
    char text[FIRST_BYTES + 1];
    const int size = file_read_start(path, text, FIRST_BYTES);
    text[size < 0 ? 0 : size] = '\0';
    const char *begin = text + strspn(text, "\xEF\xBB\xBF \t\r\n");
    return *begin == '<' && (strstr(begin, "<svg") || strstr(begin, "<html"));
}

// Checks whether the file of an option, if it is used, may be written over, and
// a new one be made in its folder, before there is a report.
static enum exit_status picture_check_path(const char *option, const char *path)
{
    struct replacement replacement;
    struct file_status file;
    const char *fault = NULL;
    if (!path || file_is_standard(path))
        return STATUS_DONE;
    if (file_find(path, &file))
        fault = file.kind != FILE_REGULAR ? "is no regular file"
                : file.size > 0 && !picture_is_drawn(path) ? "is no SVG or page"
                                                           : NULL;
    if (fault) {
        message_print(
            "--%s: %s exists and %s, so no picture replaces it; a new "
            "name was expected: --%s=FILE",
            option, path, fault, option);
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

// Saves a picture under this path, and says so.
static enum exit_status picture_save_as(struct drawing *drawing,
                                        const struct picture_kind *kind,
                                        const char *path)
{
    struct report *report = drawing->file->arguments->report;
    struct replacement replacement;
    bool compressed =
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
    const struct arguments *arguments = drawing->file->arguments;
    for (size_t i = 0; i < PICTURE_COUNT; i++)
        if (picture_path(arguments, i))
            NEED_DONE(picture_save_as(drawing, &picture_kinds[i],
                                      picture_path(arguments, i)));
    return STATUS_DONE;
}

enum exit_status picture_save(struct inspect_file *file,
                              struct inspect_map *map)
{
    struct attributes attributes;
    struct drawing drawing = {
        .file = file, .map = map, .attributes = &attributes};
    bool are_complete;
    if (map->has_lines && map->present.block_count == 0)
        message_print("%s: %s has no blockmap that can be drawn", file->path,
                      map->name);
    if (!map->has_lines || map->present.block_count == 0)
        return STATUS_MAP_FAILED;
    inspect_begin(file, map);
    const char *sentence = inspect_end(
        file, attributes_read(&file->context, &map->map, NBSTAGE_LOG_INFO,
                              "not all sides and sectors are known",
                              &attributes, &are_complete));
    if (sentence) {
        message_print("%s: %s", file->path, sentence);
        return STATUS_MAP_FAILED;
    }
    svg_measure(&drawing);
    const enum exit_status status = picture_save_all(&drawing);
    attributes_free(&file->context, &attributes);
    return status;
}
