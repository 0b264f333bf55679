/* directory.h - where a shell is, as far as its text tells.
 *
 * A `cd` may fail while the shell goes on, and a && or an `if` may skip it. So besides the place
 * where the shell should be there is often another one where it may be instead. */
#ifndef SHELL_DIRECTORY_H
#define SHELL_DIRECTORY_H

#include "base/rare.h"
#include "base/str.h"

enum place_kind {
    PLACE_NONE = 0, /* there is no such place */
    PLACE_KNOWN,
    PLACE_ANYWHERE,
};

struct shell_place {
    enum place_kind kind;
    struct str path; /* PLACE_KNOWN: with WORD_UNKNOWN as the name of what mktemp made; else empty,
                        so that no relative path can be resolved from it */
};

#define PLACE_IS_ANYWHERE ((struct shell_place){.kind = PLACE_ANYWHERE})

static inline struct shell_place place_at(struct str path) /* empty: not known */
{
    return (struct shell_place){path.len ? PLACE_KNOWN : PLACE_ANYWHERE, path};
}
static inline bool place_is_known(struct shell_place p)
{
    return p.kind == PLACE_KNOWN;
}
static inline bool place_eq(struct shell_place a, struct shell_place b)
{
    if (a.kind == b.kind && a.path.s == b.path.s && a.path.len == b.path.len)
        return true; /* mostly it is one place, compared with itself */
    return a.kind == b.kind && str_eq(a.path, b.path);
}
/* For people and tests: PLACE_NONE is empty, PLACE_ANYWHERE is a part that is not known. */
static inline struct str place_text(struct shell_place p)
{
    return p.kind == PLACE_ANYWHERE ? WORD_UNKNOWN_STR : p.path;
}

struct shell_directory {
    struct shell_place here;  /* never PLACE_NONE */
    struct shell_place other; /* where it is instead if an earlier `cd` failed unnoticed */
    bool skipped; /* it is in `other`, too, if that `cd` did not run, though it would not fail */
    bool should_be_other; /* of a command: it may be anywhere, but is in `other` unless a `cd`
                             failed */
    struct shell_place if_mktemp_failed; /* after cd "$(mktemp -d)": an empty word leaves the shell
                                            where it was */
};

/* But for mktemp. */
static inline bool directory_has_one_place(const struct shell_directory *d)
{
    return place_is_known(d->here) && d->other.kind == PLACE_NONE;
}

/* What a `cd` does that may fail. */
void directory_enter(struct shell_directory *d, struct shell_place to);
/* cd "$(mktemp -d)": `to` is new. */
void directory_enter_fresh(struct shell_directory *d, struct shell_place to);
/* A cd to a relative path leads from either place, one to an absolute path to the same one. */
void directory_after_fresh(struct shell_directory *d, bool absolute);

/* Nothing is known any more; what mktemp has to do with it stays. */
static inline void directory_forget(struct shell_directory *d)
{
    d->here = PLACE_IS_ANYWHERE;
    d->other = (struct shell_place){0};
}
/* What follows runs whether the commands since `before` have failed or not: if they include a `cd`,
 * it is not known where. */
static inline void directory_forget_move(struct shell_directory *d,
                                         const struct shell_directory *before)
{
    if (!place_eq(d->here, before->here))
        directory_forget(d);
}
/* Every command since `start` has succeeded, a `cd` among them, too. */
static inline void directory_succeed(struct shell_directory *d, const struct shell_directory *start)
{
    d->other = start->other;
    d->skipped = start->skipped;
}

/* It may also be wherever `instead` is. */
void directory_add(struct shell_directory *d, const struct shell_directory *instead);
/* It becomes what is known after a branch that may have run, in which the shell is in `branch`. */
void directory_join(struct shell_directory *d, const struct shell_directory *branch);
/* It becomes what is true of both. */
void directory_merge(struct shell_directory *d, const struct shell_directory *other);

/* Its path if the shell cannot be anywhere else and the path has a name; else empty. */
struct str directory_sure_path(const struct shell_directory *d);
/* As a command sees it: why it may be in `other` does not matter any more. One that may be anywhere
 * has no other place `here` than that. */
RARE struct shell_directory directory_unsure(const struct shell_directory *d);
static inline struct shell_directory directory_of_command(const struct shell_directory *d)
{
    return d->if_mktemp_failed.kind == PLACE_NONE && d->other.kind != PLACE_ANYWHERE
               ? *d
               : directory_unsure(d);
}
/* It was seen that no `cd` before the command can have failed. */
void directory_settle(struct shell_directory *d);

#endif
