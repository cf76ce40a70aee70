/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ZENNODE_HPP_
#define ZENNODE_HPP_

#include "level.hpp"

struct sBlockMapOptions {
    bool Compress, OffsetEight, OffsetThirtySix, OffsetHeuristic;
    bool OffsetBruteForce, OffsetUser, SubBlockOptimization, HTMLOutput;
    bool blockBig;
    int OffsetCommandLineX, OffsetCommandLineY, ZeroHeader;
};

// clang-format off
extern int  CreateBLOCKMAP(DoomLevel *level, sBlockMapOptions &options);

#endif
