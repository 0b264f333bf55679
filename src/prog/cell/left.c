#include "cell/left.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/list.h"
#include "cell/token.h"

#define MARK ".warder-left/."

struct str left_text(struct arena *a, struct str text)
{
    /* bash reads line by line: all but the first one is read by eval, which changes no argument,
     * and ends it nowhere else than the end of the text does. */
    return str_format(a,
                      "eval \"${BASH_EXECUTION_STRING#*$'\\n'}\"; set -- $?; "
                      "{ : >|" MARK "; } 2>/dev/null; exit $1\n%.*s",
                      STR_ARG(text));
}

bool left_is_mark(const char *path)
{
    return strcmp(path, MARK) == 0;
}

/* Nothing that a terminal or a line of text would take for something else. */
static bool is_plain(const char *path)
{
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    return path[0] == '/';
}

void left_keep(const char *token, const char *directory)
{
    AUTO_CLOSE int fd = token && is_plain(directory) ? token_left_make(token) : -1;
    const size_t len = strlen(directory);

    if (fd >= 0 && write(fd, directory, len) != (ssize_t)len)
        (void)ftruncate(fd, 0);
}

int left_print(const char *token)
{
    char path[PATH_MAX] = "";
    AUTO_CLOSE int fd = token_left_take(token);
    const ssize_t len = fd < 0 ? -1 : read(fd, path, sizeof(path) - 1);
    struct stat st;

    path[len > 0 ? len : 0] = '\0';
    puts(is_plain(path) && stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? path : ".");
    return 0;
}
