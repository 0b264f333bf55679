#include "report/change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/always.h"

/* A path that is too long cannot be read or written either, and says so then. */
static struct str find_file(struct arena *a, struct str directory, const char *name)
{
    char path[PATH_MAX];

    if (!edit_file_in(directory.s, name, path))
        return str_format(a, "%.*s/%s", STR_ARG(directory), name);
    return str_copy(a, str_from(path));
}

void policy_change_place(struct arena *a, const warder_engine *engine, bool user,
                         struct policy_change *out)
{
    if (user) {
        struct str config = engine->request.config_home;
        out->file = find_file(a, str_format(a, "%.*s/warder", STR_ARG(config)), "warder");
        return;
    }
    out->project = str_copy(a, engine->project);
    out->file = find_file(a, str_format(a, "%s/.warder", out->project.s), "warder.local");
}

static struct edit_target target_of(const struct policy_change *c)
{
    bool project = c->project.len > 0;

    return (struct edit_target){.path = c->file.s,
                                .guard = project ? FILE_PROJECT : FILE_PERSON,
                                .inside = project ? c->project.s : NULL,
                                .format = FORMAT_WARDER};
}

enum status policy_change_read(struct policy_change *c, struct error *err)
{
    const struct edit_target target = target_of(c);
    struct file_text text = {0};
    enum status status = file_read(target.path, target.guard, target.inside, &text, err);

    if (status == STATUS_OK) {
        c->text = text.text;
        c->old = (struct str){text.found ? text.text : NULL, text.len};
    }
    return status;
}

void policy_change_release(struct policy_change *c)
{
    free(c->text);
    *c = (struct policy_change){0};
}

/* ---- writing ---- */

static enum status replace_project(const warder_engine *engine, const struct policy_change *c,
                                   struct error *err)
{
    struct always always = {
        .project = c->project, .state_dir = engine->request.state_dir, .format = FORMAT_WARDER};

    if (snprintf(always.path, sizeof(always.path), "%s", c->file.s) >= (int)sizeof(always.path))
        return fail(err, STATUS_LIMIT, "the path of the project is too long");
    return always_replace(&always, c->old, c->new, err);
}

static enum status replace_user(const warder_engine *engine, const struct policy_change *c,
                                struct error *err)
{
    const struct edit_target target = target_of(c);
    const char *config = engine->request.config_home.s;

    if (mkdir(config, S_IRWXU) < 0 && errno != EEXIST)
        return fail(err, STATUS_IO, "cannot create %s: %s", config, strerror(errno));
    return edit_replace(&target, c->old, c->new, err);
}

enum status policy_change_write(const warder_engine *engine, const struct policy_change *c,
                                struct error *err)
{
    return (c->project.len ? replace_project : replace_user)(engine, c, err);
}
