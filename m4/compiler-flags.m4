# SPDX-License-Identifier: GPL-2.0-or-later

# BLOCKSWEEP_TRY_FLAG(VARIABLE, FLAG)
# Appends FLAG to VARIABLE if the C compiler takes it.
AC_DEFUN([BLOCKSWEEP_TRY_FLAG], [
  AS_VAR_PUSHDEF([cache], [blocksweep_cv_flag_$2])
  AC_CACHE_CHECK([whether $CC takes $2], [cache], [
    blocksweep_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
                      [AS_VAR_SET([cache], [yes])],
                      [AS_VAR_SET([cache], [no])])
    CFLAGS=$blocksweep_saved_CFLAGS
  ])
  AS_VAR_IF([cache], [yes], [AS_VAR_APPEND([$1], [" $2"])])
  AS_VAR_POPDEF([cache])
])

# BLOCKSWEEP_COMPILER_FLAGS
# Sets WARN_CFLAGS, HIDE_CFLAGS, SPEED_CFLAGS and SANITIZE_FLAGS for the
# Makefile.
AC_DEFUN([BLOCKSWEEP_COMPILER_FLAGS], [
  WARN_CFLAGS=
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wall])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wextra])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wshadow])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wconversion])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wstrict-prototypes])
  AS_IF([test "$enable_werror" = yes], [AS_VAR_APPEND([WARN_CFLAGS], [" -Werror"])])
  AC_SUBST([WARN_CFLAGS])

  HIDE_CFLAGS=
  BLOCKSWEEP_TRY_FLAG([HIDE_CFLAGS], [-fvisibility=hidden])
  AC_SUBST([HIDE_CFLAGS])

  # Vector code for loops where the compiler thinks it pays, also at -O2, but
  # none for single statements, where it mostly does not.  The hottest loops
  # have bodies of few instructions, so unrolling shows.
  SPEED_CFLAGS=
  BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-ftree-loop-vectorize])
  BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-fvect-cost-model=dynamic])
  BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-fno-tree-slp-vectorize])
  BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-funroll-loops])
  AC_SUBST([SPEED_CFLAGS])

  SANITIZE_FLAGS=
  AS_IF([test "$with_sanitizers" != no],
    [SANITIZE_FLAGS="-fsanitize=$with_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"])
  AC_SUBST([SANITIZE_FLAGS])
  AM_CONDITIONAL([SANITIZED], [test "$with_sanitizers" != no])
])
