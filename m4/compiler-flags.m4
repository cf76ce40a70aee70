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

# BLOCKSWEEP_TRY_LINK_FLAG(VARIABLE, FLAG)
# Appends FLAG to VARIABLE if the linker takes it.
AC_DEFUN([BLOCKSWEEP_TRY_LINK_FLAG], [
  AS_VAR_PUSHDEF([cache], [blocksweep_cv_link_flag_$2])
  AC_CACHE_CHECK([whether the linker takes $2], [cache], [
    blocksweep_saved_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS $2"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()],
                   [AS_VAR_SET([cache], [yes])],
                   [AS_VAR_SET([cache], [no])])
    LDFLAGS=$blocksweep_saved_LDFLAGS
  ])
  AS_VAR_IF([cache], [yes], [AS_VAR_APPEND([$1], [" $2"])])
  AS_VAR_POPDEF([cache])
])

# BLOCKSWEEP_FORTIFY
# Has the C library check sizes, unless the flags or the compiler say what they
# want, or nothing is optimized, which it needs.
AC_DEFUN([BLOCKSWEEP_FORTIFY], [
  AC_CACHE_CHECK([whether to define _FORTIFY_SOURCE],
                 [blocksweep_cv_fortify], [
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if defined(_FORTIFY_SOURCE) || !defined(__OPTIMIZE__)
#error "not here"
#endif
      ]])],
      [blocksweep_cv_fortify=yes], [blocksweep_cv_fortify=no])
  ])
  AS_IF([test "$blocksweep_cv_fortify" = yes],
        [AS_VAR_APPEND([HARDEN_CFLAGS],
                       [" -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"])])
])

# BLOCKSWEEP_COMPILER_FLAGS
# Sets WARN_CFLAGS, FOLDER_CFLAGS, HIDE_CFLAGS, SPEED_CFLAGS, HARDEN_CFLAGS,
# HARDEN_LDFLAGS and SANITIZE_FLAGS for the Makefile.
AC_DEFUN([BLOCKSWEEP_COMPILER_FLAGS], [
  WARN_CFLAGS=
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wall])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wextra])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wpedantic])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wshadow])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wconversion])
  BLOCKSWEEP_TRY_FLAG([WARN_CFLAGS], [-Wstrict-prototypes])
  # An enum names plain numbers here, and clang 19 warns if one meets a double.
  # gcc takes any -Wno-, so it is asked for the warning.
  enum_flag=
  BLOCKSWEEP_TRY_FLAG([enum_flag], [-Wenum-float-conversion])
  AS_IF([test -n "$enum_flag"],
        [AS_VAR_APPEND([WARN_CFLAGS], [" -Wno-enum-float-conversion"])])
  AS_IF([test "$enable_werror" = yes], [AS_VAR_APPEND([WARN_CFLAGS], [" -Werror"])])
  # On Windows gcc takes __printf__ for the formats of Microsoft's old library.
  AS_CASE(["$windows $CC"], [*clang*], [],
    [yes*], [AS_VAR_APPEND([WARN_CFLAGS], [" -D__printf__=gnu_printf"])])
  AC_SUBST([WARN_CFLAGS])

  # Paths in debugging information, and with them build IDs, begin in the folder
  # of the build or of the source, so that other folders make the same bytes.
  FOLDER_CFLAGS=
  BLOCKSWEEP_TRY_FLAG([FOLDER_CFLAGS], [-ffile-prefix-map=/nowhere=.])
  AS_IF([test -n "$FOLDER_CFLAGS"],
        [FOLDER_CFLAGS='-ffile-prefix-map=$(abs_top_srcdir)=. -ffile-prefix-map=$(abs_top_builddir)=.'])
  AC_SUBST([FOLDER_CFLAGS])

  HIDE_CFLAGS=
  BLOCKSWEEP_TRY_FLAG([HIDE_CFLAGS], [-fvisibility=hidden])
  AC_SUBST([HIDE_CFLAGS])

  # Vector code for loops where the compiler thinks it pays, also at -O2, but
  # none for single statements, where it mostly does not.  The hottest loops
  # have bodies of few instructions, so unrolling shows.
  SPEED_CFLAGS=
  AS_IF([test "$enable_vector" = no], [
    SPEED_CFLAGS=-DBLOCKSWEEP_NO_VECTOR
    BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-fno-tree-vectorize])
  ], [
    BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-ftree-loop-vectorize])
    BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-fvect-cost-model=dynamic])
  ])
  BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-fno-tree-slp-vectorize])
  BLOCKSWEEP_TRY_FLAG([SPEED_CFLAGS], [-funroll-loops])
  AC_SUBST([SPEED_CFLAGS])

  # What makes damage harder to use, should there be any, and tells of libraries
  # that a module lacks when it is linked.  Sanitizers have checks of their own,
  # which these would hide, and what they call is only in programs.
  HARDEN_CFLAGS=
  HARDEN_LDFLAGS=
  AS_IF([test "$with_sanitizers" = no], [
    BLOCKSWEEP_FORTIFY
    BLOCKSWEEP_TRY_FLAG([HARDEN_CFLAGS], [-fstack-protector-strong])
    BLOCKSWEEP_TRY_LINK_FLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
    BLOCKSWEEP_TRY_LINK_FLAG([HARDEN_LDFLAGS], [-Wl,-z,now])
    BLOCKSWEEP_TRY_LINK_FLAG([HARDEN_LDFLAGS], [-Wl,-z,noexecstack])
    BLOCKSWEEP_TRY_LINK_FLAG([HARDEN_LDFLAGS], [-Wl,-z,defs])
  ])
  AC_SUBST([HARDEN_CFLAGS])
  AC_SUBST([HARDEN_LDFLAGS])

  SANITIZE_FLAGS=
  AS_IF([test "$with_sanitizers" != no],
    [SANITIZE_FLAGS="-fsanitize=$with_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"])
  AC_SUBST([SANITIZE_FLAGS])
  AM_CONDITIONAL([SANITIZED], [test "$with_sanitizers" != no])

  # What is built for libFuzzer, by clang, can be fuzzed.
  AS_CASE([$with_sanitizers],
    [*fuzzer-no-link*], [fuzzer=yes
      FUZZ_ENGINE=-fsanitize=fuzzer],
    [fuzzer=no])
  AC_SUBST([FUZZ_ENGINE])
  AM_CONDITIONAL([FUZZER], [test "$fuzzer" = yes])
])
