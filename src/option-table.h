// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of options, one per row: its number, the member of struct options
// with its value, and the members of struct nbstage_option that describe it.
// The interface, the help, the completion and the manuals follow the table.
//
// Include this file with OPTION defined; it has no guard.  A choice is stored
// as its index in the array of choices in options.c; options that take several
// choices are stored as a choice_list.

OPTION(FOR, engines, .name = "for", .group = GROUP_PORTS,
       .type = NBSTAGE_OPTION_LIST, CHOICES(engine_choices),
       .default_value = "any", .help = "the ports that must play the map")

OPTION(PRESET, preset, .name = "preset", .group = GROUP_PORTS,
       .type = NBSTAGE_OPTION_CHOICE, CHOICES(preset_choices),
       .default_value = "compatible", .help = "several options at once")

OPTION(FORMAT, build.format, .name = "format", .group = GROUP_PORTS,
       .type = NBSTAGE_OPTION_CHOICE, CHOICES(format_choices),
       .default_value = "auto", .help = "the form of the lump")

OPTION(OVERFLOW, build.overflow, .name = "overflow", .group = GROUP_PORTS,
       .type = NBSTAGE_OPTION_LIST, CHOICES(overflow_choices),
       .default_value = "auto", .help = "what to try for a map over the limit")

OPTION(LISTS, build.lists, .name = "lists", .group = GROUP_LISTS,
       .type = NBSTAGE_OPTION_CHOICE, CHOICES(lists_choices),
       .default_value = "exact", .help = "which linedefs each block lists")

OPTION(PRUNE, build.prune, .name = "prune", .group = GROUP_LISTS,
       .type = NBSTAGE_OPTION_CHOICE, CHOICES(prune_choices),
       .default_value = "tagged", .help = "which linedefs to leave out")

OPTION(PACK, build.pack, .name = "pack", .group = GROUP_LISTS,
       .type = NBSTAGE_OPTION_CHOICE, CHOICES(pack_choices),
       .default_value = "share", .help = "how lists are stored")

OPTION(CHECK_NODES, build.check_nodes, .name = "check-nodes",
       .group = GROUP_LISTS, .type = NBSTAGE_OPTION_FLAG, CHOICES(flag_choices),
       .default_value = "no", .help = "check the lists against the map's segs")

OPTION(GRID, build.placement, .name = "grid", .group = GROUP_GRID,
       .type = NBSTAGE_OPTION_CHOICE, CHOICES(grid_choices), .form = "X,Y",
       .default_value = "auto", .help = "where the grid begins")

OPTION(MAX_MEMORY, memory_mib, .name = "max-memory", .group = GROUP_MAP,
       .type = NBSTAGE_OPTION_INTEGER, .minimum = 0, .maximum = MOST_MEMORY,
       .default_value = "0", .help = "limit per map in MiB; 0: from its size")
