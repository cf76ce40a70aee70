/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GLBSP_WAD_H
#define GLBSP_WAD_H
typedef struct lump_s {
    int length;
} lump_t;

const char *GetLevelName(void);
lump_t *CreateLevelLump(const char *name);
void AppendLevelLump(lump_t *lump, const void *data, int length);
#endif
