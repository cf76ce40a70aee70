/* SPDX-License-Identifier: GPL-2.0-or-later */
#define GLBSP_VER "2.24"
