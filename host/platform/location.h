// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the parts of an installation are, which may have been moved as a whole
// since it was built.

#ifndef LOCATION_H
#define LOCATION_H

#include "platform/file.h"

enum { LOCATION_SIZE = 4096 };

// Whether two paths lead to the same file or folder.
static inline bool location_is_same(const char *a, const char *b)
{
    struct file_status first, second;
    return file_find(a, &first) && file_find(b, &second) &&
           file_is_same(&first, &second);
}

// Stores the path of this program; false if the system does not tell it.
bool location_of_program(char path[LOCATION_SIZE]);

// Stores where `folder` of the installation has been moved to, seen from a file
// of it whose folder was `home`.  False if it is where it was, or not there, or
// somebody other than the owner of the file and root can have put it there.  A
// process with more rights than its user finds nothing.
bool location_moved(const char *file, const char *home, const char *folder,
                    char path[LOCATION_SIZE]);

// The folders that stages are searched for in, with a colon between them: the
// one that was moved with this file, then the one that was built for.
const char *location_of_stages_near(const char *file, const char *home);

// The same, as seen from this program.
const char *location_of_stages(void);

// How the names of stages' files end.
const char *location_stage_ending(void);

#endif
