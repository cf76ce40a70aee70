/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GLBSP_BLOCKMAP_H
#define GLBSP_BLOCKMAP_H
#include "level.h"

void PutBlockmap(void);
#endif
