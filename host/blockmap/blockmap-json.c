// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is known of a lump without the map that it is of.  Origins are in map
// units; those of XBM1 may have a fraction.

#include "config.h"

#include "blockmap/blockmap-json.h"

#include "json.h"

void blockmap_json_write(const struct blockmap *blockmap, const char *form)
{
    json_count("bytes", blockmap->bytes);
    json_string("form", form);
    json_string("fault", blockmap_fault_name(blockmap->fault));
    json_number("origin_x", blockmap_edge(blockmap->origin_x, 0));
    json_number("origin_y", blockmap_edge(blockmap->origin_y, 0));
    json_integer("columns", blockmap->columns);
    json_integer("rows", blockmap->rows);
    json_count("words", blockmap->words.count);
    json_integer("largest_offset", blockmap->largest_offset);
    json_string("headers", blockmap_headers_name(blockmap->headers));
    json_count("lists", blockmap->list_count);
    json_count("nested_lists", blockmap->nested_count);
    json_count("duplicate_lists", blockmap->duplicate_count);
    json_count("unsorted_lists", blockmap->unsorted_count);
    json_count("repeating_lists", blockmap->repeating_count);
    json_count("too_large_lists", blockmap->too_large_count);
    json_count("unreached_words", blockmap->unreached_words);
    json_count("odd_bytes", blockmap->odd_bytes);
    json_count("unreadable_blocks", blockmap_count_unreadable(blockmap));
}

void blockmap_json_write_engines(const enum engine_verdict *verdicts,
                                 size_t count)
{
    json_key("engines");
    json_open('[');
    for (size_t i = 0; i < count; i++) {
        json_open('{');
        json_string("engine", engine_name(i));
        json_string("verdict", engine_verdict_name(verdicts[i]));
        json_close('}');
    }
    json_close(']');
}
