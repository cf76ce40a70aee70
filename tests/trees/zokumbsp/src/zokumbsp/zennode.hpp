/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "level.hpp"

int CreateBLOCKMAP(DoomLevel *level);
