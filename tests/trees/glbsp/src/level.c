/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two levels in the structures of glBSP. */
#include "blockmap.h"
#include "wad.h"

/* Three rooms.  Of the lines between them one shows nothing, one has a special,
   and one asks to be left out. */
static vertex_t places[] = {
    {-200, -100, 0, 0, NULL, NULL, NULL}, {-200, 500, 1, 0, NULL, NULL, NULL},
    {100, 500, 2, 0, NULL, NULL, NULL},   {400, 560, 3, 0, NULL, NULL, NULL},
    {900, 650, 4, 0, NULL, NULL, NULL},   {700, -100, 5, 0, NULL, NULL, NULL},
    {400, -100, 6, 0, NULL, NULL, NULL},  {100, -100, 7, 0, NULL, NULL, NULL},
};
static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6},
                              {6, 7}, {7, 0}, {7, 2}, {6, 3}, {6, 4}};
enum { VERTICES = 8, LINES = 11, SPECIAL = 9, LEFT_OUT = 10 };

static vertex_t *vertices[VERTICES];
static linedef_t lines[LINES], *line_pointers[LINES];

vertex_t **lev_vertices = vertices;
linedef_t **lev_linedefs = line_pointers;
int num_vertices = VERTICES, num_linedefs = LINES;
boolean_g lev_doing_normal = TRUE, lev_doing_hexen, lev_has_zero_len;

/* clang-format off */
void LoadLevel(boolean_g hexen)
{
  int i;

  lev_doing_hexen = hexen;
  for (i = 0; i < VERTICES; i++)
    vertices[i] = &places[i];
  memset(lines, 0, sizeof(lines));
  for (i = 0; i < LINES; i++)
  {
    lines[i].start = &places[ends[i][0]];
    lines[i].end = &places[ends[i][1]];
    lines[i].flags = i < 8 ? 1 : 4;
    line_pointers[i] = &lines[i];
  }
  lines[0].zero_len = lev_has_zero_len ? 1 : 0;
  lines[SPECIAL].type = hexen ? 70 : 97;
  lines[LEFT_OUT].type = hexen ? 108 : 0;
  lines[SPECIAL].tag = hexen ? 0 : 7;
  lines[LEFT_OUT].tag = hexen ? 0 : 999;
  lines[SPECIAL].specials[0] = hexen ? 7 : 0;
  lines[LEFT_OUT].specials[0] = hexen ? 1 : 0;
}

const char *GetLevelName(void)
{
  return lev_doing_hexen ? "MAP02" : "MAP01";
}

lump_t *CreateLevelLump(const char *name)
{
  static lump_t lump;

  lump.length = 0;
  return strcmp(name, "BLOCKMAP") == 0 ? &lump : NULL;
}

void AppendLevelLump(lump_t *lump, const void *data, int length)
{
  if (length > 0)
    fwrite(data, 1, (size_t) length, stdout);
  lump->length += length;
}

void SaveLevel(void)
{
  if (lev_doing_normal)
  {
    PutBlockmap();
  }

  // keyword support
}
