#include "machine/tokens.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

#define LINE_SIZE 4096

/* In the names of settings. */
static const char *const telling[] = {"extraheader", "token",  "password", "passwd",
                                      "smtppass",    "secret", "apikey",   "cookie"};

/* https://token@host, https://user:token@host, ssh://user:password@host. What comes before the name
 * of a host in an address for ssh alone is only a name. */
static bool has_user(const char *line)
{
    for (const char *at = strstr(line, "://"); at; at = strstr(at + 3, "://")) {
        const char *host = at + 3, *end = host + strcspn(host, "/ \t\n\"");
        const char *user = memchr(host, '@', (size_t)(end - host));
        bool plain = at - line >= 3 && strncmp(at - 3, "ssh", 3) == 0;
        if (user && (!plain || memchr(host, ':', (size_t)(user - host))))
            return true;
    }
    return false;
}

static bool is_named_so(const char *line)
{
    size_t end = strcspn(line, "=");

    for (size_t i = 0; i < COUNT(telling); i++)
        for (size_t at = 0, len = strlen(telling[i]); at + len <= end; at++)
            if (strncasecmp(line + at, telling[i], len) == 0)
                return true;
    return false;
}

static bool is_comment(const char *line)
{
    line += strspn(line, " \t");
    return line[0] == '#' || line[0] == ';';
}

bool tokens_in_settings(const char *file)
{
    FILE *in = fopen(file, "re");
    char line[LINE_SIZE];
    bool found = false;

    if (!in)
        return errno != ENOENT && errno != ENOTDIR;
    while (!found && fgets(line, sizeof(line), in))
        found = (!strchr(line, '\n') && !feof(in)) || has_user(line) ||
                (!is_comment(line) && is_named_so(line));
    found |= ferror(in) != 0;
    fclose(in);
    return found;
}
