#include "policy/managed.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"

enum { SHAPE_FILE, SHAPE_ENDINGS, SHAPE_DIRECTORY };

static const struct {
    const char *directory, *name;
    int shape;
} places[] = {
#define PLACE(directory, name, shape, format) {directory, name, shape},
    MANAGED_PLACES(PLACE)
#undef PLACE
};

static const char *const endings[] = {MANAGED_ENDINGS};

/* The parts in one path, without printf(): most hooks would need it only for this. */
static bool is_there(const char *root, const char *directory, const char *name, const char *ending)
{
    const char *const parts[] = {root,  "/etc/", directory, name ? "/" : "", name ? name : "",
                                 ending};
    char path[PATH_MAX];
    struct stat st;
    size_t len = 0;

    for (size_t i = 0; i < COUNT(parts); i++) {
        size_t more = strlen(parts[i]);
        if (len + more >= sizeof(path))
            return true;
        memcpy(path + len, parts[i], more);
        len += more;
    }
    path[len] = '\0';
    return lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

static bool is_place_there(const char *root, size_t i)
{
    if (places[i].shape != SHAPE_ENDINGS)
        return is_there(root, places[i].directory, places[i].name, "");
    for (size_t n = 0; n < COUNT(endings); n++)
        if (is_there(root, places[i].directory, places[i].name, endings[n]))
            return true;
    return false;
}

/* Most machines have none of the directories: one system call for each is enough to see that. */
bool managed_is_there(const char *root)
{
    const char *missing = NULL;

    for (size_t i = 0; i < COUNT(places); i++) {
        if (missing && strcmp(missing, places[i].directory) == 0)
            continue;
        if (!is_there(root, places[i].directory, NULL, ""))
            missing = places[i].directory;
        else if (is_place_there(root, i))
            return true;
    }
    return false;
}
