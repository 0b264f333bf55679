/* paper_disk.h - a machine on paper: a project with a repository, links, scripts, builds and
 * secrets, and a home, as a table. The same answers everywhere and always, and no disk is read. */
#ifndef TESTS_SUPPORT_PAPER_DISK_H
#define TESTS_SUPPORT_PAPER_DISK_H

#include "base/world.h"

#define PAPER_HOME    "/home/u"
#define PAPER_PROJECT "/home/u/p"
#define PAPER_BEGAN   2000000000 /* when the session began: some files have changed since */

extern const struct world paper_world;

#endif
