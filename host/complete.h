// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells shells what a word of a command line may become.

#ifndef COMPLETE_H
#define COMPLETE_H

#include "message.h"

// Serves `blocksweep --complete -- WORD...`: the words of a command line
// behind the command's name, as far as the one to complete, which is the last
// and may be empty.  Prints a line for each word that it may become: the word,
// a tab, and what it stands for.  A line without a tab asks for the names of
// files, too: "files" for any, "wads" for those of WAD files.  Not all that is
// printed begins as the word does; shells choose by their own rules.  Where
// memory runs out fewer words are printed, or none.
enum exit_status complete_run(int argc, char **argv);

#endif
