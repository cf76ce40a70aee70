/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder's own blockmap, a sentence. */
#include "blockmap.h"
#include "wad.h"

/* clang-format off */
void PutBlockmap(void)
{
  printf("the builder's own blockmap of %s\n", GetLevelName());
}
