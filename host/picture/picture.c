// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where pictures are saved, and what they do not replace.

#include "config.h"

#include "picture/picture.h"

#include "memory.h"
#include "picture/drawing.h"
#include "platform/file.h"
#include "report.h"
#include "wad/declared-files.h"
#include "wad/replace-file.h"

#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Paths

// Declares what is read, and the files of --svg and --html.
static enum exit_status picture_declare(const struct arguments *arguments)
{
    const struct declared_file pictures[] = {
        {.what = "the picture",
         .shown = arguments->svg,
         .path = arguments->svg,
         .advice = "name another one with --svg=FILE",
         .job = SIZE_MAX - 1},
        {.what = "the page",
         .shown = arguments->html,
         .path = arguments->html,
         .advice = "name another one with --html=FILE",
         .job = SIZE_MAX - 2}};
    struct declared_files files = {0};
    enum exit_status status = STATUS_DONE;
    for (size_t i = 0; i < arguments->file_count && status == STATUS_DONE; i++)
        status = declared_add(
            &files, (struct declared_file){.what = "input",
                                           .shown = arguments->files[i],
                                           .path = arguments->files[i]});
    for (int i = 0; i < 2 && status == STATUS_DONE; i++)
        if (pictures[i].path)
            status = declared_add(&files, pictures[i]);
    if (status == STATUS_DONE)
        status = declared_add_standard_output(&files);
    if (status == STATUS_FILE)
        memory_ran_out();
    declared_free(&files);
    return status;
}

enum { FIRST_BYTES = 4096 }; // what is read of a file that is there

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

// What is wrong with a file for a picture to replace; NULL if nothing is.
static const char *picture_find_fault(const char *path)
{
    struct file_status file;
    if (!file_find(path, &file))
        return NULL;
    if (file.kind != FILE_REGULAR)
        return "is no regular file";
    return file.size == 0 || picture_is_drawn(path) ? NULL
                                                    : "is no SVG or page";
}

// Checks whether the file of an option, if it is used, may be written over, and
// a new one be made in its folder, before there is a report.
static enum exit_status picture_check_path(const char *option, const char *path)
{
    struct replacement replacement;
    if (!path || file_is_standard(path))
        return STATUS_DONE;
    const char *fault = picture_find_fault(path);
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

enum exit_status picture_check_paths(const struct arguments *arguments)
{
    const char *svg = arguments->svg;
    const char *html = arguments->html;
    if (picture_is_standard(arguments) &&
        (arguments->json ||
         (svg && html && file_is_standard(svg) && file_is_standard(html)))) {
        message_print("standard output takes only one of --svg, --html and "
                      "--json");
        return STATUS_USAGE;
    }
    enum exit_status status = picture_declare(arguments);
    if (status == STATUS_DONE)
        status = picture_check_path("svg", svg);
    return status == STATUS_DONE ? picture_check_path("html", html) : status;
}

bool picture_is_standard(const struct arguments *arguments)
{
    return (arguments->svg && file_is_standard(arguments->svg)) ||
           (arguments->html && file_is_standard(arguments->html));
}

const char *picture_option(const struct arguments *arguments)
{
    return arguments->svg ? "svg" : arguments->html ? "html" : NULL;
}

// ---------------------------------------------------------------------------
// Files

// Saves a picture or a page under this path, which may be NULL, and says so.
static enum exit_status picture_save_as(const struct picture *picture,
                                        const char *path, bool is_page,
                                        struct report *report)
{
    struct replacement replacement;
    if (!path)
        return STATUS_DONE;
    bool compressed =
        file_name_ends(path, ".gz") || file_name_ends(path, ".svgz");
    enum exit_status status =
        replacement_begin(&replacement, path, compressed, false, NULL);
    if (status != STATUS_DONE)
        return status;
    struct drawing drawing =
        drawing_measure(picture, replacement.output.stream);
    if (is_page)
        page_write(&drawing);
    else
        svg_write(&drawing);
    status = replacement_commit(&replacement, false);
    if (status == STATUS_DONE) {
        report_wrote(report, path);
        report_print(report, "Wrote %s", path);
    }
    return status;
}

enum exit_status picture_save(const struct picture *picture,
                              const struct arguments *arguments)
{
    enum exit_status status =
        picture_save_as(picture, arguments->svg, false, arguments->report);
    if (status == STATUS_DONE)
        status =
            picture_save_as(picture, arguments->html, true, arguments->report);
    return status;
}
