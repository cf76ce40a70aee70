// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options with which a build repairs the maps that verify rejects.

#ifndef REPAIR_H
#define REPAIR_H

#include "inspect/inspect.h"

#include <stdbool.h>
#include <stddef.h>

enum { REPAIR_TEXT = 8192 }; // room for a command

// The selected maps of a file, as verify found them.
struct repair {
    struct repair_map {
        bool is_wanted;       // a repair is, of a map that can be named
        bool is_tried;        // and its lumps are in place
        bool meets_vanilla;   // its present lump does
        bool is_repaired;     // by the last trial
        unsigned char *bytes; // of the new lump, while it is tried
        size_t size;
    } * maps;
    size_t count;
    size_t repaired_count; // maps that the options found repair
    bool is_for_named;     // ports that --for does not name miss lines then
};

// Begins with `count` maps.  Call repair_free.
void repair_begin(struct repair *repair, size_t count);

// Notes what verify found of a map, and whether a repair is wanted.
void repair_note(struct repair *repair, size_t index,
                 const struct inspect_map *map, bool is_wanted);

// Builds these maps in memory, with one set of options after the other,
// and verifies the results as the file was.  Returns the options that repair
// most maps as they are typed, each after a space, for free(), or NULL if none
// repair any.  With them a map keeps the limit that its present lump meets.
char *repair_find(struct inspect_file *file, struct repair *repair);

// Whether the options found do not repair all maps that want it.
bool repair_falls_short(const struct repair *repair);

void repair_free(struct repair *repair);

// Writes the command with these options, without files.
void repair_begin_command(char text[REPAIR_TEXT], const char *options);

// Appends a file to a command, quoted for the shell.  False if its name cannot
// be typed as it is printed.
bool repair_append_file(char text[REPAIR_TEXT], const char *path);

#endif
