#include "shell/directory.h"

/* Where the shell is instead if it cannot go to `to`, unless it was there before. */
static struct shell_place if_it_fails(const struct shell_directory *d, struct shell_place to)
{
    if (place_eq(d->here, to))
        return d->other;
    if (d->other.kind == PLACE_KNOWN && place_eq(d->other, to))
        return d->here;
    return d->other.kind == PLACE_NONE ? d->here : PLACE_IS_ANYWHERE;
}

void directory_enter(struct shell_directory *d, struct shell_place to)
{
    d->other = if_it_fails(d, to);
    d->here = to;
    d->skipped = false;
}

void directory_enter_fresh(struct shell_directory *d, struct shell_place to)
{
    struct shell_place stays = directory_has_one_place(d) && d->if_mktemp_failed.kind == PLACE_NONE
                                   ? d->here
                                   : PLACE_IS_ANYWHERE;

    directory_enter(d, to);
    d->if_mktemp_failed = stays;
}

void directory_after_fresh(struct shell_directory *d, bool absolute)
{
    if (d->if_mktemp_failed.kind != PLACE_NONE)
        d->if_mktemp_failed = absolute ? (struct shell_place){0} : PLACE_IS_ANYWHERE;
}

static void add_place(struct shell_directory *d, struct shell_place p)
{
    if (p.kind == PLACE_ANYWHERE)
        d->other = p;
    else if (p.kind == PLACE_KNOWN && !place_eq(p, d->here) && !place_eq(p, d->other))
        d->other = d->other.kind == PLACE_NONE ? p : PLACE_IS_ANYWHERE;
}

void directory_add(struct shell_directory *d, const struct shell_directory *instead)
{
    add_place(d, instead->here);
    add_place(d, instead->other);
}

void directory_join(struct shell_directory *d, const struct shell_directory *branch)
{
    d->skipped |= branch->skipped;
    if (!place_eq(d->if_mktemp_failed, branch->if_mktemp_failed))
        d->if_mktemp_failed = PLACE_IS_ANYWHERE;
    if (!place_eq(d->here, branch->here))
        directory_forget(d);
    else if (d->other.kind == PLACE_NONE)
        d->other = branch->other;
    else if (branch->other.kind != PLACE_NONE && !place_eq(d->other, branch->other))
        d->other = PLACE_IS_ANYWHERE;
}

void directory_merge(struct shell_directory *d, const struct shell_directory *other)
{
    d->skipped |= other->skipped;
    if (!place_eq(d->if_mktemp_failed, other->if_mktemp_failed))
        d->if_mktemp_failed = PLACE_IS_ANYWHERE;
    if (!place_eq(d->here, other->here) || !place_eq(d->other, other->other))
        directory_forget(d);
}

struct str directory_sure_path(const struct shell_directory *d)
{
    bool sure = directory_has_one_place(d) && d->if_mktemp_failed.kind == PLACE_NONE &&
                !str_has(d->here.path, WORD_UNKNOWN);

    return sure ? d->here.path : (struct str){0};
}

static struct shell_directory after_mktemp(const struct shell_directory *d)
{
    struct shell_directory out = *d;

    out.if_mktemp_failed = (struct shell_place){0};
    if (d->other.kind == PLACE_NONE)
        out.other = d->if_mktemp_failed;
    else if (!place_eq(d->other, d->if_mktemp_failed))
        out.other = PLACE_IS_ANYWHERE; /* one of three */
    return out;
}

static void exchange(struct shell_directory *d)
{
    struct shell_place here = d->here;

    d->here = d->other;
    d->other = here;
}

struct shell_directory directory_unsure(const struct shell_directory *d)
{
    struct shell_directory out = d->if_mktemp_failed.kind == PLACE_NONE ? *d : after_mktemp(d);

    if (out.other.kind == PLACE_ANYWHERE && place_is_known(out.here)) {
        exchange(&out);
        out.should_be_other = true;
    }
    return out;
}

void directory_settle(struct shell_directory *d)
{
    if (d->should_be_other)
        exchange(d);
    d->should_be_other = false;
}
