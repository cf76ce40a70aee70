# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints a header without its comments, but for the licence, and empty lines.

/SPDX-License-Identifier/ { print; next }
{ gsub(/\/\*.*\*\//, "") }
in_comment { in_comment = !/\*\//; next }
/\/\*/ { sub(/\/\*.*/, ""); in_comment = 1 }
{ sub(/ *$/, "") }
NF
