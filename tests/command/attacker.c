// SPDX-License-Identifier: GPL-2.0-or-later
//
// Another user of a folder where everybody may write, until it is killed:
//
//   attacker FOLDER RARITY
//
// Whatever has a name in the folder is taken away in turn.  In its place, and
// where "~" is appended to the name, come links of both kinds to the victims, a
// symbolic link that its owner has made, or an own file that everybody may
// write; but no symbolic link in place of the target, as the command may not
// have begun.  This happens one of RARITY times that a temporary file is seen,
// and less often for others.  The victims are private/victim.wad beside the
// folder, and the bystander, a file in the folder.
//
// Exits with 77 where it cannot become another user.

#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { ANOTHER_USER = 65534 };

static const char bystander[] = "bystander.wad";
static const char spoils[] = "spoils"; // what was taken away last

static const char shortcut[] = "shortcut.wad"; // root's, to the victim

// Puts a link in place of a name, which is there at every moment or was freed.
static void attack(const char *name, int private)
{
    char longer[512];
    const char *to = rand() % 4 == 0 ? bystander : "../private/victim.wad";
    snprintf(longer, sizeof longer, "%s~", name);
    const char *either = rand() % 2 ? name : longer;
    bool is_target = strcmp(name, "map.wad") == 0;
    const char *symbolic = is_target ? longer : either;
    switch (rand() % 7) {
    case 0:
        unlink(symbolic);
        (void)!symlink(to, symbolic);
        break;
    case 1:
        rename(name, spoils);
        if (!is_target)
            (void)!symlink(to, name);
        break;
    case 2:
        rename(spoils, symbolic);
        break;
    case 3:
        unlink("link");
        (void)!symlink(to, "link");
        rename("link", symbolic);
        break;
    case 4:
        rename(name, spoils);
        close(open(name, O_WRONLY | O_CREAT | O_EXCL, 0666));
        break;
    case 5:
        rename(shortcut, symbolic);
        break;
    case 6:
        unlink("link");
        (void)!linkat(private, "victim.wad", AT_FDCWD, "link", 0);
        rename("link", either);
        break;
    }
}

static bool is_left_alone(const char *name)
{
    const char *const names[] = {".", "..", bystander, shortcut};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int rarity = atoi(argv[2]);
    if (chdir(argv[1]) != 0)
        return 2;
    int private = open("../private", O_RDONLY);
    umask(0);
    if (private < 0 || setgroups(0, NULL) != 0 || setgid(ANOTHER_USER) != 0 ||
        setuid(ANOTHER_USER) != 0)
        return 77;
    srand((unsigned)getpid());
    for (;;) {
        DIR *folder = opendir(".");
        struct dirent *entry;
        while (folder && (entry = readdir(folder))) {
            const char *name = entry->d_name;
            if (!is_left_alone(name) &&
                rand() % (*name == '.' ? rarity : 16 * rarity) == 0)
                attack(name, private);
        }
        closedir(folder);
    }
}
