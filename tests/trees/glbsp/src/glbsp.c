/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads options as glBSP does. */
#include "blockmap.h"

/* clang-format off */
#define HANDLE_BOOLEAN2(abbrev, name)  \
    if (UtilStrCaseCmp(opt_str, abbrev) == 0 ||  \
        UtilStrCaseCmp(opt_str, name) == 0)  \
    {  \
      argv++; argc--;  \
      continue;  \
    }

static int UtilStrCaseCmp(const char *A, const char *B)
{
  return strcmp(A, B);
}

int ParseArgs(const char **argv, int argc)
{
  const char *opt_str;
  const char *cur_comms = "";

  while (argc > 0 && cur_comms != NULL)
  {
    opt_str = &argv[0][1];

    // handle GNU style options beginning with '--'
    if (opt_str[0] == '-')
      opt_str++;

    HANDLE_BOOLEAN2("q",  "quiet")

    if (UtilStrCaseCmp(opt_str, "nonormal") == 0)
    {
      lev_doing_normal = FALSE;
      argv++; argc--;
      continue;
    }

    if (UtilStrCaseCmp(opt_str, "zero") == 0)
    {
      lev_has_zero_len = TRUE;
      argv++; argc--;
      continue;
    }

    SetErrorMsg("Unknown option: %s", argv[0]);
    return GLBSP_E_BadArgs;
  }

  return GLBSP_E_OK;
}
