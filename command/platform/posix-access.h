// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who may use a file: owner, group, permissions and POSIX access list (ACL).

#ifndef POSIX_ACCESS_H
#define POSIX_ACCESS_H

#include "platform/file.h"

#include <stdbool.h>

// Gives the access of a file to a new one that only its owner can use.  `from`
// is the old file's descriptor, or -1 if it cannot be opened; `old` is its
// status.  Nobody gets more access than before: where the owner, the group or
// the list cannot be kept, others lose some.  `lost_list` tells that the list
// was not kept.  False with errno.
bool access_copy(int from, const struct file_status *old, int to,
                 bool *lost_list);

#endif
