/* starter.c - `warder init`: a policy file to begin with, with comments, in one of three strengths
 * that have plain names. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/path.h"
#include "engine/report.h"
#include "policy/edit.h"
#include "warder_admin.h"

#define STARTER_MEMORY_MAX ((size_t)4 * 1024 * 1024)

static const char head[] =
    "# What your coding agents may do. Warder also knows by itself what is harmless and what is "
    "not;\n"
    "# this file changes that. See warder.conf(5), and try a rule before you trust it:\n"
    "#     warder check -- git push\n"
    "#     warder policy check FILE\n"
    "\n";

static const char tail[] =
    "# Runs without a question. A star covers the rest of a command, inside the project.\n"
    "allow:\n"
    "  - WebFetch(domain:docs.python.org)\n"
    "  # - Bash(git push origin:*)\n"
    "\n"
    "# You are asked every time, whatever else allows it.\n"
    "ask:\n"
    "  - Bash(git push --force:*)\n"
    "  # - Bash(terraform apply:*)\n"
    "\n"
    "# Never runs. {effect: ...} is about what a command does, however it is spelled.\n"
    "deny:\n"
    "  - Read(./secrets/**)\n"
    "  # - {effect: delete, paths: [\"./data/**\"]}\n";

static const struct preset {
    const char *name, *summary, *text;
} presets[] = {
    {"relaxed", "edits in the project run without a question",
     "# Agents may edit files of the project without asking.\n"
     "mode: acceptEdits\n\n"},
    {"standard", "what is harmless runs; edits, installs and the network ask",
     "# mode: acceptEdits   # edits in the project without a question\n\n"},
    {"strict", "scripts, builds and inline code ask, too, and nothing becomes another user",
     "# The project's own scripts, tests and builds ask, too, and so does code in a command.\n"
     "runners: false\n"
     "scripts: false\n"
     "inline: false\n"
     "rules:\n"
     "  - {effect: privilege, action: deny}\n"
     "  - {effect: network, action: ask}\n"
     "  - {effect: install, action: ask}\n\n"},
};

const char *warder_preset_name(size_t number)
{
    return number < COUNT(presets) ? presets[number].name : NULL;
}

static enum status find_preset(const char *name, const struct preset **out, struct error *err)
{
    struct nearest near = nearest_to(str_from(name));

    for (size_t i = 0; i < COUNT(presets); i++) {
        if (strcmp(presets[i].name, name) == 0) {
            *out = &presets[i];
            return STATUS_OK;
        }
        nearest_try(&near, str_from(presets[i].name));
    }
    return fail(err, STATUS_USAGE,
                "unknown preset \"%.40s\"; there are relaxed, standard and strict" NEAREST_FORMAT,
                name, NEAREST_ARG(near));
}

struct starter {
    const struct preset *preset;
    struct str path, text;
    bool written;
};

static void show(struct report *r, const void *about)
{
    const struct starter *s = about;

    json_begin_object(&r->json);
    report_member(r, "preset", str_from(s->preset->name));
    report_member(r, "file", s->path);
    report_member(r, "text", s->text);
    json_key(&r->json, "written");
    json_bool(&r->json, s->written);
    json_end_object(&r->json);
    if (!s->written) {
        buf_add(&r->text, s->text);
        return;
    }
    report_show(r, s->path);
    buf_format(&r->text, ": written (%s: %s)\n", s->preset->name, s->preset->summary);
}

/* A file with another ending in the same place is the policy, too. */
static enum status refuse_existing(struct arena *a, struct str stem, struct error *err)
{
    static const char *const endings[] = {"yaml", "yml", "json", "toml"};

    for (size_t i = 0; i < COUNT(endings); i++) {
        struct str path = str_format(a, "%s.%s", stem.s, endings[i]);
        if (access(path.s, F_OK) == 0)
            return fail(err, STATUS_USAGE, "%s is there already, and is not changed", path.s);
    }
    return STATUS_OK;
}

static enum status write_file(const warder_engine *e, struct starter *s, bool in_project,
                              struct arena *a, struct error *err)
{
    struct str stem = path_join(a, in_project ? e->project : e->request.config_home,
                                in_project ? STR(".warder/warder") : STR("warder/warder"));
    const struct edit_target target = {.path = s->path.s,
                                       .guard = in_project ? FILE_PROJECT : FILE_PERSON,
                                       .inside = in_project ? e->project.s : NULL,
                                       .format = FORMAT_WARDER};
    enum status status = refuse_existing(a, stem, err);

    if (status == STATUS_OK && !in_project && mkdir(e->request.config_home.s, S_IRWXU) < 0 &&
        errno != EEXIST)
        return fail(err, STATUS_IO, "cannot create %s: %s", e->request.config_home.s,
                    strerror(errno));
    if (status == STATUS_OK)
        status = edit_replace(&target, (struct str){0}, s->text, err);
    s->written = status == STATUS_OK;
    return status;
}

static enum status prepare(const warder_engine *e, const char *preset, bool in_project,
                           struct arena *a, struct starter *s, struct error *err)
{
    enum status status = find_preset(preset ? preset : "standard", &s->preset, err);

    if (status != STATUS_OK)
        return status;
    if (in_project && !e->project.len)
        return fail(err, STATUS_USAGE, "this directory is in no project");
    s->path = path_join(a, in_project ? e->project : e->request.config_home,
                        in_project ? STR(".warder/warder.yaml") : STR("warder/warder.yaml"));
    s->text = str_format(a, "%s%s%s", head, s->preset->text, tail);
    return STATUS_OK;
}

/* Inside an arena_try(). */
struct job {
    const warder_engine *engine;
    const char *preset;
    bool in_project, write;
    struct arena *arena;
    struct starter *starter;
    struct error *err;
    enum status status;
};

static void run(void *arg)
{
    struct job *j = arg;

    j->status = prepare(j->engine, j->preset, j->in_project, j->arena, j->starter, j->err);
    if (j->status == STATUS_OK && j->write)
        j->status = write_file(j->engine, j->starter, j->in_project, j->arena, j->err);
}

warder_status warder_policy_start(warder_engine *engine, const char *preset, int in_project,
                                  int write, warder_report **out, warder_error *err)
{
    struct arena a;
    struct starter s = {0};
    struct error inner = {0};

    if (!engine || !out)
        return give_usage(err, "missing argument: engine or report");
    *out = NULL;
    arena_init(&a, STARTER_MEMORY_MAX);
    struct job job = {engine, preset, in_project != 0, write != 0, &a, &s, &inner};
    if (!arena_try(&a, run, &job))
        job.status = fail(&inner, STATUS_NOMEM, "out of memory");
    warder_status status =
        job.status == STATUS_OK ? report_make(show, &s, out, err) : error_out(err, &inner);
    arena_release(&a);
    return status;
}
