/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Main program of glBSP: main [-nonormal] [-zero]
   [-blockmap-plugin NAME]; -zero is for a line that has no length */
#include "../src/level.h"
#include <stdarg.h>

static char message[1000];

/* clang-format off */
static void ShowMessage(const char *before, const char *str, va_list args)
{
  fputs(before, stderr);
  vfprintf(stderr, str, args);
}

void FatalError(const char *str, ...)
{
  va_list args;

  va_start(args, str);
  ShowMessage("Error: *** ", str, args);
  va_end(args);
  fputs(" ***\n", stderr);
  exit(5);
}

void PrintWarn(const char *str, ...)
{
  va_list args;

  va_start(args, str);
  ShowMessage("Warning: ", str, args);
  va_end(args);
}

void SetErrorMsg(const char *str, ...)
{
  va_list args;

  va_start(args, str);
  vsnprintf(message, sizeof(message), str, args);
  va_end(args);
}

void ShowOptions(void)
{
  fputs(
    "  -b  -maxblock ###  Sets the BLOCKMAP truncation limit\n"
    , stdout);
}

int main(int argc, const char **argv)
{
  if (ParseArgs(argv + 1, argc - 1) != GLBSP_E_OK)
  {
    fprintf(stderr, "Error: %s\n", message);
    return 5;
  }
  LoadLevel(FALSE);
  SaveLevel();
  LoadLevel(TRUE);
  SaveLevel();
  return 0;
}
