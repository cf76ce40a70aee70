# SPDX-License-Identifier: GPL-2.0-or-later

# BLOCKSWEEP_COMPLETION_DIR(SHELL, FOLDER, [PACKAGE])
# Sets SHELLcompletiondir, where the completion of this shell is installed: as
# --with-SHELL-completion-dir says; or where PACKAGE tells pkg-config, but in our
# own datadir; or in FOLDER there.  It is empty, so that nothing is installed,
# with --without-SHELL-completion-dir.
AC_DEFUN([BLOCKSWEEP_COMPLETION_DIR], [
  AC_ARG_WITH([$1-completion-dir],
    [AS_HELP_STRING([--with-$1-completion-dir=DIR],
                    [where $1 looks for completions])],
    [], [with_$1_completion_dir=yes])
  $1completiondir=$with_$1_completion_dir
  AS_CASE([$with_$1_completion_dir],
    [no], [$1completiondir=],
    [yes], [
      $1completiondir='${datadir}/$2'
      m4_ifval([$3], [
        blocksweep_dir=`$PKG_CONFIG --define-variable=datadir=DATADIR \
          --variable=completionsdir $3 2>/dev/null |
          sed -n 's,^DATADIR/,${datadir}/,p'`
        AS_IF([test -n "$blocksweep_dir"],
              [$1completiondir=$blocksweep_dir])])])
  AC_SUBST([$1completiondir])
])
