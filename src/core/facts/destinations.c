#include "facts/destinations.h"

#include "base/path.h"
#include "facts/actions.h"

static bool call_writes(const struct facts *f, const struct action *a, struct str file)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (&f->actions.items[i] != a && action_may_write(&f->actions.items[i], file))
            return true;
    return false;
}

/* One that does not exist names no host. */
static bool has_changed(const struct facts *f, struct str file)
{
    return f->world->kind(f->world->context, file.s) != FILE_ABSENT &&
           !(f->world->unchanged &&
             f->world->unchanged(f->world->context, file.s, facts_past(f)->began));
}

static bool may_be_new(const struct facts *f, const struct action *a, struct str file, bool timed)
{
    return call_writes(f, a, file) || (timed && has_changed(f, file));
}

/* The files that the program itself looks for, in this directory. */
static bool any_may_be_new(const struct facts *f, const struct action *a, struct str directory,
                           const char *names, bool timed)
{
    struct str rest = str_from(names), name;

    while (str_next_word(&rest, &name))
        if (may_be_new(f, a, path_join(f->arena, directory, name), timed))
            return true;
    return false;
}

/* deno info a.ts: files that it names are read for hosts, too. */
static bool operands_may_be_new(const struct facts *f, const struct action *a, bool timed)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        bool file =
            p->resolved.len && f->world->kind(f->world->context, p->resolved.s) != FILE_DIRECTORY;
        if (!p->below && !p->pattern && file && may_be_new(f, a, p->written, timed))
            return true;
    }
    return false;
}

bool destinations_may_be_new(const struct facts *f, const struct action *a)
{
    const unsigned both = EFFECT_FETCH | EFFECT_PROJECT;
    const struct program_row *row = a->program ? a->row : NULL;
    struct str directory = a->directory.len ? a->directory : a->cwd;

    if ((a->effects & both) != both || !row || !row->hosts_in)
        return false;
    const struct session *past = facts_past(f);
    bool timed = past && past->began > 0;
    if (!path_is_absolute(directory) || (!timed && f->mode == MODE_ACCEPT_EDITS))
        return true;
    for (struct str at = directory;; at = path_dir(at)) {
        if (any_may_be_new(f, a, at, row->hosts_in, timed))
            return true;
        if (at.len <= 1 || str_eq(at, f->workspace))
            break;
    }
    return operands_may_be_new(f, a, timed);
}
