/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads options as ZDBSP does: main [-V] [-u]
   [--blockmap-plugin NAME[,OPTION=VALUE]...]; -u is for two maps in UDMF. */
#include "processor.h"
#include <getopt.h>
#include <sys/stat.h>

EBlockmapMode BlockmapMode = EBM_Rebuild;
static const char *OutName = "tmp.wad";
static bool has_udmf = false;

// clang-format off
static const option long_opts[] = {
	{"version",			no_argument,		0,	'V'},
	{"no-sse2",			no_argument,		0,  1003},
	{0,0,0,0}
};

static void ParseArgs (int argc, char **argv)
{
	int ch;

	while ((ch = getopt_long (argc, argv, "Vu", long_opts, NULL)) != EOF)
	{
		switch (ch)
		{
		case 1003:
			break;
		case 'u':
			has_udmf = true;
			break;
		case 'V':
			printf (
"  -V, --version            Display version information\n"
			);
			exit (0);
		}
	}
}

int main (int argc, char **argv)
{
	ParseArgs (argc, argv);
	try
	{
		FWadWriter outwad;
		FILE *file = fopen (OutName, "wb");
		if (file != NULL)
		{
			fclose (file);
		}
		FProcessor(0).Write (outwad);
		FProcessor(1).Write (outwad);
		for (int i = 0; i < 2 && has_udmf; i++)
		{
			FProcessor(2).Write (outwad);
		}
	}
	catch (std::runtime_error &msg)
	{
		printf ("%s\n", msg.what());
		return 20;
	}
	return 0;
}
