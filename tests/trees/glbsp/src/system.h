/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What glBSP has everywhere. */
#ifndef GLBSP_SYSTEM_H
#define GLBSP_SYSTEM_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int boolean_g;
typedef double float_g;
#define FALSE 0
#define TRUE 1
enum { GLBSP_E_OK, GLBSP_E_BadArgs };

void FatalError(const char *str, ...);
void PrintWarn(const char *str, ...);
void SetErrorMsg(const char *str, ...);
void ShowOptions(void);
int ParseArgs(const char **argv, int argc);
#endif
