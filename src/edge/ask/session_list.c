/* session_list.c - the sessions that are kept in files, for the person who looks after approvals.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/session_parts.h"
#include "base/auto.h"
#include "policy/state.h"

#define LIST_MEMORY ((size_t)32 * 1024 * 1024)

struct reading {
    struct arena arena;
    const char *name;
    struct str text;
    struct session_kept kept;
    bool read;
};

static void read_kept(void *arg)
{
    struct reading *r = arg;
    struct value *v = ARENA_NEW(&r->arena, struct value);

    r->read = session_parse(&r->arena, r->name, r->text, &r->kept.session, NULL) == STATUS_OK &&
              json_read(&r->arena, r->text, NULL, v, NULL) == STATUS_OK;
    r->kept.client = value_text(v, "client");
    r->kept.name = value_text(v, "session");
}

/* False: the visitor wants no more. */
static bool visit_one(int directory, const char *name, session_visit *visit, void *context)
{
    struct reading r = {.name = name};
    AUTO_FREE char *text = NULL;
    struct stat st;
    bool more = true;

    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        state_read(directory, name, SESSION_FILE_MAX, &text, &r.text.len, NULL) != STATUS_OK ||
        !text)
        return true;
    r.text.s = text;
    r.kept.changed = st.st_mtime;
    arena_init(&r.arena, LIST_MEMORY);
    if (arena_try(&r.arena, read_kept, &r) && r.read && r.kept.session.approvals.count)
        more = visit(&r.kept, context);
    arena_release(&r.arena);
    return more;
}

enum status session_each(const char *state_dir, session_visit *visit, void *context,
                         struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = state_find(state_dir, SESSIONS_BELOW, &directory, err);
    int copy = directory < 0 ? -1 : openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *e;
    bool more = true;

    if (!d && copy >= 0)
        close(copy);
    while (d && more && (e = readdir(d)))
        if (session_is_file(e->d_name))
            more = visit_one(directory, e->d_name, visit, context);
    if (d)
        closedir(d);
    return status;
}
