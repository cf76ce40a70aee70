# SPDX-License-Identifier: 0BSD

# NBSTAGE_CHECK([ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# For the configure.ac of a node builder that loads stages.  Substitutes
#   NBSTAGE_CFLAGS     finds nbstage.h
#   NBSTAGE_PLUGINDIR  the folder in which stages are installed
#   NBSTAGE_KITDIR     the folder of nbstage-host.c, to copy or to compile
# Without ACTION-IF-NOT-FOUND a missing nbstage.pc ends configure.
AC_DEFUN([NBSTAGE_CHECK], [
  AC_REQUIRE([PKG_PROG_PKG_CONFIG])
  PKG_CHECK_MODULES([NBSTAGE], [nbstage], [
    PKG_CHECK_VAR([NBSTAGE_PLUGINDIR], [nbstage], [plugindir])
    PKG_CHECK_VAR([NBSTAGE_KITDIR], [nbstage], [kitdir])
    m4_default([$1], [:])
  ], m4_ifval([$2], [[$2]]))
])
