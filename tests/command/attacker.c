// SPDX-License-Identifier: GPL-2.0-or-later
//
// Another user of a folder where everybody may write, until it is killed:
//
//   attacker FOLDER VICTIM RARITY
//
// Whatever has a name in the folder is taken away in turn, and symbolic links
// to the victims are put in its place, and where "~" is appended to the name:
// one of RARITY times that a temporary file is seen, and less often for others.
// The victims are VICTIM, and the bystander, a file in the folder that is left
// alone otherwise.
//
// Exits with 77 where it cannot become another user.

#include "config.h"

#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { ANOTHER_USER = 65534 };

static const char bystander[] = "bystander.wad";
static const char spoils[] = "spoils"; // what was taken away last

// Puts a link in place of a name, which is there at every moment or was freed.
static void attack(const char *name, const char *victim)
{
    char longer[512];
    const char *to = rand() % 4 == 0 ? bystander : victim;
    snprintf(longer, sizeof longer, "%s~", name);
    switch (rand() % 4) {
    case 0:
        unlink(name);
        (void)!symlink(to, name);
        break;
    case 1:
        rename(name, spoils);
        (void)!symlink(to, name);
        break;
    case 2:
        rename(spoils, name);
        break;
    case 3:
        unlink("link");
        (void)!symlink(to, "link");
        rename("link", rand() % 2 ? name : longer);
        break;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int rarity = atoi(argv[3]);
    if (chdir(argv[1]) != 0 || setgroups(0, NULL) != 0 ||
        setgid(ANOTHER_USER) != 0 || setuid(ANOTHER_USER) != 0)
        return 77;
    srand((unsigned)getpid());
    for (;;) {
        DIR *folder = opendir(".");
        struct dirent *entry;
        while (folder && (entry = readdir(folder))) {
            const char *name = entry->d_name;
            if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                strcmp(name, bystander) == 0)
                continue;
            if (rand() % (*name == '.' ? rarity : 16 * rarity) == 0)
                attack(name, argv[2]);
        }
        closedir(folder);
    }
}
