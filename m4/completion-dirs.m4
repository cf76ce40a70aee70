# SPDX-License-Identifier: GPL-2.0-or-later

# BLOCKSWEEP_COMPLETION_DIR(SHELL, FOLDER)
# Sets SHELLcompletiondir, where the completion of this shell is installed: as
# --with-SHELL-completion-dir says, or in FOLDER of datadir.  It is empty, so
# that nothing is installed, with --without-SHELL-completion-dir.
AC_DEFUN([BLOCKSWEEP_COMPLETION_DIR], [
  AC_ARG_WITH([$1-completion-dir],
    [AS_HELP_STRING([--with-$1-completion-dir=DIR],
                    [where $1 looks for completions])],
    [], [with_$1_completion_dir=yes])
  AS_CASE([$with_$1_completion_dir],
    [yes], [$1completiondir='${datadir}/$2'],
    [no], [$1completiondir=],
    [$1completiondir=$with_$1_completion_dir])
  AC_SUBST([$1completiondir])
])
