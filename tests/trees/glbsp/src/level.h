/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structures of glBSP that the stage reads, laid out as there. */
#ifndef GLBSP_LEVEL_H
#define GLBSP_LEVEL_H
#include "system.h"

typedef struct vertex_s {
    float_g x, y;
    int index, ref_count;
    struct vertex_s *equiv;
    void *tip_set;
    struct vertex_s *normal_dup;
} vertex_t;
typedef struct linedef_s {
    struct linedef_s *next;
    vertex_t *start, *end;
    void *right, *left;
    char two_sided, is_precious, zero_len, self_ref;
    void *window_effect;
    int flags, type, tag;
    int specials[5]; /* in the format of Hexen */
    struct linedef_s *overlap;
    int index;
} linedef_t;

extern int num_vertices, num_linedefs;
extern boolean_g lev_doing_normal, lev_has_zero_len;
void LoadLevel(boolean_g hexen);
void SaveLevel(void);
#endif
