/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdexcept>

enum EBlockmapMode { EBM_Rebuild, EBM_Create0 };
extern EBlockmapMode BlockmapMode;

#define LittleShort(x) (x)
