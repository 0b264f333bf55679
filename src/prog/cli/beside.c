#include "cli/beside.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/str.h"

bool beside_find(const char *name, char *out, size_t room)
{
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self);
    struct str path = {self, len > 0 && (size_t)len < sizeof self ? (size_t)len : 0};
    size_t slash = str_last_index(path, '/');

    return slash != STR_NONE && snprintf(out, room, "%.*s/%s", (int)slash, self, name) < (int)room;
}
