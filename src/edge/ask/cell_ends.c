#include "ask/cell_ends.h"

#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "policy/state.h"

#define END_MAX    ((size_t)1000000) /* bytes of one file */
#define TOKEN_SIZE 32

bool cell_ends_is(const char *name)
{
    return strspn(name, "0123456789abcdef") == TOKEN_SIZE &&
           strcmp(name + TOKEN_SIZE, CELL_END_SUFFIX) == 0;
}

void cell_ends_take(int directory, const char *name, const struct cell_ends *ends)
{
    AUTO_FREE char *text = NULL;
    size_t len = 0;
    bool all = true;

    /* what is too large, or not ours alone, is not believed */
    if (state_read(directory, name, END_MAX, &text, &len, NULL) == STATUS_OK && text) {
        struct str rest = {text, len}, line;
        while (all && rest.len) {
            (void)str_cut(rest, '\n', &line, &rest);
            all = !line.len || ends->take(ends->context, line);
        }
    }
    if (all)
        (void)unlinkat(directory, name, 0);
}
