// SPDX-License-Identifier: GPL-2.0-or-later
//
// Completes command lines for shells.

#ifndef COMPLETE_H
#define COMPLETE_H

#include "message.h"

// Serves `blocksweep --complete -- WORD...`: the words of a command line after
// the name of the command, up to the one to complete, which is the last and may
// be empty.  Prints a line for each word that it may become: the word, a tab,
// and what it stands for.  A line without a tab asks for the names of files,
// too: "files" for any, "wads" for WAD files.  Some words that are printed do
// not begin as the last one does; shells choose by their own rules.
enum exit_status complete_run(int argc, char **argv);

#endif
