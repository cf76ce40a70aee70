/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ELFBSP has everywhere. */
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum log_level_t { LOG_NORMAL, LOG_DEBUG, LOG_WARN, LOG_ERROR };
enum map_format_t {
    MapFormat_INVALID,
    MapFormat_Doom,
    MapFormat_Hexen,
    MapFormat_Doom64,
    MapFormat_UDMF
};
enum bmap_format_t { BMAP_DoomBSP, BMAP_XBM1 };

enum : uint32_t {
    FX_Nothing,
    FX_ZeroLength = 1U << 26,
    FX_NoBlockmap = 1U << 31
};
static constexpr uint32_t MAX_LUMPS_IN_A_LEVEL = 21;

struct buildinfo_t {
    bmap_format_t bmap_format;
};
extern buildinfo_t config;

inline void PrintLine(log_level_t level, const char *format, ...)
{
    va_list arguments;
    FILE *file = level == LOG_NORMAL ? stdout : stderr;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    if (level == LOG_ERROR)
        exit(3);
}

constexpr uint32_t IndexToInt(size_t x)
{
    return static_cast<uint32_t>(x);
}

template <typename T> void RaiseValue(T &value, T least)
{
    value = value < least ? least : value;
}

constexpr const char PRINT_HELP[] = "Options\n"
                                    "    -c --cost  ##\n"
                                    "End of options\n";
