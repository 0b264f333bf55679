#include "cli/cell.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/beside.h"
#include "cli/output.h"

warder_report *cell_plan(warder_engine *engine, const char *file, char *const *words)
{
    warder_report *plan = NULL;
    warder_error err = {0};
    AUTO_FREE char *real = realpath(file, NULL);

    if (!real) {
        complain("%s: %s; nothing was run", file, strerror(errno));
        return NULL;
    }
    if (warder_sandbox_plan(engine, real, (const char *const *)words, &plan, &err) != WARDER_OK) {
        complain("%s; nothing was run", err.message);
        return NULL;
    }
    return plan;
}

int cell_keep(const warder_report *plan)
{
    struct str json = str_from(warder_report_json(plan));
    int fd = memfd_create("plan", 0); /* it stays open when warder-cell begins */

    if (fd >= 0 && write_whole(fd, json) && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    complain("cannot hand over the plan of the sandbox: %s; nothing was run", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int cell_become(char *const *environment, char *const *words)
{
    char file[PATH_MAX];

    if (!beside_find(words[0], file, sizeof(file))) {
        complain("cannot tell where this program is; nothing was run");
        return EXIT_NOT_CONTAINED;
    }
    execve(file, words, environment);
    complain("cannot run %s: %s; nothing was run", file, strerror(errno));
    return EXIT_NOT_CONTAINED;
}

int cell_enter(char *const *environment, int plan)
{
    char number[16], name[] = "warder-cell", option[] = "--plan";
    char *const words[] = {name, option, number, NULL};

    (void)snprintf(number, sizeof(number), "%d", plan);
    return cell_become(environment, words);
}
