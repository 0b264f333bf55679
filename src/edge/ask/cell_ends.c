#include "ask/cell_ends.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "policy/state.h"

#define END_MAX    ((size_t)1000000) /* bytes of one file */
#define TOKEN_SIZE 32

static bool is_end(const char *name)
{
    return strspn(name, "0123456789abcdef") == TOKEN_SIZE &&
           strcmp(name + TOKEN_SIZE, CELL_END_SUFFIX) == 0;
}

static void take_file(int directory, const char *name, bool (*take)(void *, struct str),
                      void *context)
{
    AUTO_FREE char *text = NULL;
    size_t len = 0;
    bool all = true;

    /* what is too large, or not ours alone, is not believed */
    if (state_read(directory, name, END_MAX, &text, &len, NULL) == STATUS_OK && text) {
        struct str rest = {text, len}, line;
        while (all && rest.len) {
            (void)str_cut(rest, '\n', &line, &rest);
            all = !line.len || take(context, line);
        }
    }
    if (all)
        (void)unlinkat(directory, name, 0);
}

void cell_ends_take(const char *home, bool (*take)(void *context, struct str line), void *context)
{
    char path[PATH_MAX];
    int directory = -1;
    const struct dirent *entry;

    if (!home || snprintf(path, sizeof(path), "%s/" CELL_ENDS_PLACE, home) >= PATH_MAX ||
        state_find(path, NULL, &directory, NULL) != STATUS_OK || directory < 0)
        return;
    DIR *open = fdopendir(directory);
    if (!open) {
        close(directory);
        return;
    }
    while ((entry = readdir(open)))
        if (is_end(entry->d_name))
            take_file(directory, entry->d_name, take, context);
    (void)closedir(open);
}
