/* links.c - links that a call itself makes: they are not on the disk yet, so their targets are
 * unknown. */
#include "facts/links.h"

#include "base/path.h"
#include "facts/copies_in.h"

/* ".." after a link that this call makes: the disk cannot tell yet where it leads. */
static void doubt_climbing(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if (a->subject.paths.items[n].climbs && copies_in_any(f))
                a->unknown |= a->subject.paths.items[n].access;
    }
}

/* What it copies into a directory, links included. */
static enum program_brings filled_by(const struct action *a)
{
    enum program_brings how = a->recursive ? copies_in_of(a) : BRINGS_NOTHING;

    return how == BRINGS_NAMES ? BRINGS_NOTHING : how;
}

/* A path below a directory that the same call fills may go through a link that does not exist
 * yet. */
static void doubt_unpacked(struct facts *f, const struct action *from)
{
    for (size_t i = 0; i < f->actions.count; i++)
        for (size_t n = 0;
             &f->actions.items[i] != from && n < f->actions.items[i].subject.paths.count; n++) {
            const struct subject_path *p = &f->actions.items[i].subject.paths.items[n];
            for (size_t k = 0; k < from->subject.paths.count; k++) {
                const struct subject_path *to = &from->subject.paths.items[k];
                if ((to->access & ACCESS_WRITE) && !to->below && !to->pattern &&
                    !str_eq(p->written, to->written) && path_is_inside(p->written, to->written))
                    f->actions.items[i].unknown |= p->access;
            }
        }
}

static void doubt_all(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        for (size_t n = 0; n < f->actions.items[i].subject.paths.count; n++)
            f->actions.items[i].unknown |= f->actions.items[i].subject.paths.items[n].access;
}

/* A directory that an archive was unpacked into is not new: another call may already read there. */
static void doubt_archive(struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & ACCESS_WRITE)
            a->subject.paths.items[i].fresh = false;
}

void links_doubt(struct facts *f)
{
    bool fills = false;

    doubt_climbing(f);
    for (size_t i = 0; i < f->actions.count; i++) {
        enum program_brings how = filled_by(&f->actions.items[i]);
        fills |= how != BRINGS_NOTHING;
        if (how != BRINGS_NOTHING && !facts_too_many(f))
            doubt_unpacked(f, &f->actions.items[i]);
        if (how == BRINGS_ARCHIVE)
            doubt_archive(&f->actions.items[i]);
    }
    if (fills && facts_too_many(f))
        doubt_all(f);
}
